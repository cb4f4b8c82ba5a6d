//! Sees whether a journal's file is still what the last commit left.
//!
//! redb goes on with a file that somebody has deleted or overwritten, for it holds the file open: what is committed then is lost when
//! the program ends. So before each commit the file is looked at by its name. The look costs some ten microseconds.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use crate::StoreError;

/// redb's header: its magic number and the two slots that name the last commits.
const HEADER_BYTES: usize = 512;

/// A file, and what it was after the last commit.
pub(crate) struct Witness {
    path: PathBuf,
    /// Open as long as the journal is: where locks belong to a process, closing it would give up those of redb.
    file: File,
    length: u64,
    header: Vec<u8>,
}

impl Witness {
    /// Looks at the file as it is now.
    pub(crate) fn of(path: &Path) -> io::Result<Witness> {
        let mut witness =
            Witness { path: path.into(), file: File::open(path)?, length: 0, header: Vec::new() };
        witness.look()?;
        Ok(witness)
    }

    /// After a commit.
    pub(crate) fn look(&mut self) -> io::Result<()> {
        self.length = self.file.metadata()?.len();
        self.header = header(&self.file)?;
        Ok(())
    }

    /// Before a commit: is it still there, the same file, and as it was?
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        let lost = |what: &str| Err(StoreError::Lost(what.into()));
        let found = match fs::metadata(&self.path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return lost("the file was removed"),
            Err(error) => return Err(error.into()),
        };
        if !is_same(&found, &self.file.metadata()?) {
            return lost("another file took its place");
        }
        if found.len() != self.length || header(&self.file)? != self.header {
            return lost("another program changed the file");
        }
        Ok(())
    }
}

fn header(mut file: &File) -> io::Result<Vec<u8>> {
    let mut front = Vec::with_capacity(HEADER_BYTES);
    file.rewind()?;
    file.take(HEADER_BYTES as u64).read_to_end(&mut front)?;
    Ok(front)
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Windows lets nobody remove or replace a file that is open.
#[cfg(not(unix))]
fn is_same(_one: &Metadata, _other: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::conformance::append_sample;
    use crate::{AppendError, StoreError, create, open, verify};

    /// What is said when something is done to the file between two commits.
    fn said(harm: impl Fn(&Path)) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.redb");
        let mut journal = create(&path).unwrap();
        append_sample(&mut journal, 0).unwrap();
        drop(journal);
        let mut journal = open(&path).unwrap();
        append_sample(&mut journal, 1).unwrap();
        harm(&path);
        for _ in 0..2 {
            match append_sample(&mut journal, 2) {
                Err(AppendError::NotWritten(StoreError::Lost(what))) => assert!(!what.is_empty()),
                other => panic!("{:?}", other.map(|_| ())),
            }
        }
        append_sample(&mut journal, 2).unwrap_err().to_string()
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_committed_to_a_file_that_is_not_what_the_last_commit_left() {
        let removed = said(|path| std::fs::remove_file(path).unwrap());
        assert!(removed.contains("the file was removed"), "{removed}");
        let replaced = said(|path| {
            let copy = path.with_extension("copy");
            std::fs::copy(path, &copy).unwrap();
            std::fs::rename(copy, path).unwrap();
        });
        assert!(replaced.contains("another file took its place"), "{replaced}");
        let resized = |length: fn(u64) -> u64| {
            said(move |path| {
                let file = std::fs::File::options().write(true).open(path).unwrap();
                file.set_len(length(file.metadata().unwrap().len())).unwrap();
            })
        };
        for changed in [
            resized(|_| 0),
            resized(|length| length / 2),
            resized(|length| length + 1),
            said(|path| {
                let length = std::fs::metadata(path).unwrap().len() as usize;
                std::fs::write(path, vec![b'x'; length]).unwrap();
            }),
        ] {
            assert!(changed.contains("another program changed the file"), "{changed}");
        }
    }

    #[test]
    fn a_file_that_nobody_touches_but_readers_takes_every_commit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.redb");
        let mut journal = create(&path).unwrap();
        for number in 0..20 {
            append_sample(&mut journal, number).unwrap();
            assert_eq!(verify(&crate::open_read_only(&path).unwrap()).unwrap().entries, number + 1);
        }
    }
}
