//! The reply that the memory seat gave beside a turn, kept in `views/` until the campaign asks for it: a crash between the two does not cost
//! it again. It counts only where the campaign asks for the very same; whoever can write there could write the journal too.

use std::path::PathBuf;

use twicetold_cast::KeepAhead;
use twicetold_provider::BODY_BYTES_MAX;

use crate::{bounded, whole};

/// Most bytes of the file: a reply and what is kept beside it.
const FILE_BYTES_MAX: u64 = BODY_BYTES_MAX as u64 + 4_096;

/// The file of a campaign, there or not.
pub(crate) struct AheadFile(PathBuf);

impl AheadFile {
    pub(crate) fn new(file: PathBuf) -> AheadFile {
        AheadFile(file)
    }
}

impl KeepAhead for AheadFile {
    fn keep(&self, kept: &[u8]) {
        let written = whole::write(&self.0, kept);
        if let Err(error) = written {
            tracing::debug!(file = %self.0.display(), %error, "a reply that came ahead could not be kept");
        }
    }

    fn kept(&self) -> Option<Vec<u8>> {
        // A pipe would hold up whoever reads it.
        self.0.is_file().then(|| bounded::bytes(&self.0, FILE_BYTES_MAX).ok())?
    }

    fn forget(&self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_kept_replaced_and_forgotten_and_a_file_that_is_too_large_is_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = || AheadFile::new(folder.path().join("views/1.ahead"));
        assert_eq!(place().kept(), None);
        place().keep(b"one");
        place().keep(b"two");
        assert_eq!(place().kept().as_deref(), Some(b"two".as_slice()));
        let large = usize::try_from(FILE_BYTES_MAX).expect("it fits") + 1;
        place().keep(&vec![0; large]);
        assert_eq!(place().kept(), None);
        place().forget();
        place().forget();
        assert!(std::fs::read_dir(folder.path().join("views")).expect("it is there").next().is_none());
    }
}
