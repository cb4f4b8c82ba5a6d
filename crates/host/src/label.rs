//! The label of a campaign: a private note beside it. It is no part of the journal and is never exported.

use std::path::{Path, PathBuf};

use twicetold_event::CampaignId;

use crate::error::OTHER_DATA;
use crate::{Error, Kind, bounded, whole};

/// Characters of a label.
const CHARS_MAX: usize = 60;
/// Bytes of the file of one.
const BYTES_MAX: u64 = 4 * CHARS_MAX as u64;

/// A label as somebody typed it.
///
/// # Errors
/// It is empty, too long, or more than a line of text.
pub fn label(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err("a label has at least one letter".into()),
        letters if letters > CHARS_MAX => {
            Err(format!("a label has at most {CHARS_MAX} characters, and this one {letters}"))
        }
        _ if text.chars().any(char::is_control) => Err("a label is one line of text".into()),
        _ => Ok(text.to_owned()),
    }
}

/// Where the label of a campaign lies, whether it has one or not.
pub struct LabelFile(PathBuf);

impl LabelFile {
    /// That of the campaign `id` below the folder of data.
    pub fn new(data: &Path, id: CampaignId) -> LabelFile {
        LabelFile(data.join("labels").join(format!("{id}.txt")))
    }

    /// The label; none where there is none that can be read.
    pub fn read(&self) -> Option<String> {
        let text = String::from_utf8(bounded::file(&self.0, BYTES_MAX).ok()?).ok()?;
        label(&text).ok()
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, label: &str) -> Result<(), Error> {
        whole::write(&self.0, label.as_bytes()).map_err(|error| {
            let Error { message, help, .. } = Error::unwritable(&self.0, &error, OTHER_DATA);
            Error::new(Kind::Failed, message, format!("{help}; the campaign itself is not changed"))
        })
    }

    /// Throws it away.
    ///
    /// # Errors
    /// It is there, and cannot be removed.
    pub fn remove(&self) -> Result<(), Error> {
        match std::fs::remove_file(&self.0) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                let message = format!("{} cannot be removed: {error}", self.0.display());
                Err(Error::new(Kind::Failed, message, "change the permissions of its folder"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_a_line_of_text() {
        assert_eq!(label(" night 3 "), Ok("night 3".into()));
        assert!(label(&"ä".repeat(CHARS_MAX)).is_ok_and(|label| label.len() as u64 <= BYTES_MAX));
        for wrong in ["", " ", "a\nb", "a\u{1b}b", &"x".repeat(CHARS_MAX + 1)] {
            assert!(label(wrong).is_err(), "{wrong:?}");
        }
    }
}
