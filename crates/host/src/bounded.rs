//! Files that somebody names, read no further than anybody would want: a device or a pipe has no end, and its length is 0.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// The text of a file of at most `most` bytes.
///
/// # Errors
/// It cannot be opened or read, is no UTF-8, or has more bytes.
pub fn text(path: &Path, most: u64) -> Result<String> {
    let no_text = |error: std::string::FromUtf8Error| Error::new(ErrorKind::InvalidData, error.utf8_error());
    String::from_utf8(bytes(path, most)?).map_err(no_text)
}

/// The same of any bytes.
///
/// # Errors
/// It cannot be opened or read, or has more bytes.
pub fn bytes(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(Error::new(ErrorKind::FileTooLarge, format!("it has more than {most} bytes"))),
        false => Ok(bytes),
    }
}

/// The same of a file in a folder that may have been given away: whoever opened a pipe there would wait for somebody to write into it.
///
/// # Errors
/// It is no file, cannot be opened or read, or has more bytes.
pub fn file(path: &Path, most: u64) -> Result<Vec<u8>> {
    match std::fs::metadata(path)?.is_file() {
        true => bytes(path, most),
        false => Err(Error::new(ErrorKind::InvalidInput, "it is no file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn what_has_no_end_is_not_read_to_it() {
        let error = text(Path::new("/dev/zero"), 1_000).unwrap_err();
        assert_eq!(error.to_string(), "it has more than 1000 bytes");
        assert_eq!(text(Path::new("/dev/null"), 0).unwrap(), "");
        assert_eq!(file(Path::new("/dev/null"), 0).unwrap_err().to_string(), "it is no file");
    }
}
