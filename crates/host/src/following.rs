//! Follows a campaign's journal that another process may be writing.

use std::path::PathBuf;
use std::time::Duration;

use twicetold_event::CampaignId;
use twicetold_journal::{Live, Source, StoreError};

use crate::{Error, Kind, Library};

/// How often a journal is looked at: well within the time that a model takes for a sentence, so that what is committed is seen within a fifth
/// of a second, and seldom enough that whoever looks costs play next to nothing where it is fast.
pub const LOOK: Duration = Duration::from_millis(140);

/// A journal that is read while somebody writes it.
pub struct Following {
    reader: Box<dyn Live>,
    place: String,
    /// Where campaigns are files.
    file: Option<PathBuf>,
    known: Option<(u64, u64)>,
}

impl Following {
    /// Opens a campaign for reading.
    ///
    /// # Errors
    /// There is none, or its file cannot be read.
    pub fn open(library: &Library, id: CampaignId) -> Result<Following, Error> {
        let file = library.file(id);
        let reader = library.read(id)?;
        let known = file.as_deref().and_then(identity);
        Ok(Following { reader, place: library.place(id), file, known })
    }

    /// The journal as it was when it was last looked at.
    pub fn source(&self) -> &dyn Source {
        &*self.reader
    }

    /// Looks at it again.
    ///
    /// # Errors
    /// It was removed or replaced, or cannot be read any more. An open file outlives its name: without a look at the name, its reader
    /// would wait for ever.
    pub fn look(&mut self) -> Result<(), Error> {
        let gone = |what: &str| {
            let message = format!("{} {what}", self.place);
            Err(Error::new(Kind::Missing, message, "`twicetold list` lists the campaigns"))
        };
        if let Some(file) = &self.file {
            match identity(file) {
                None => return gone("is no longer there"),
                now if now != self.known => return gone("is another file now"),
                _ => {}
            }
        }
        match self.reader.refresh() {
            Err(StoreError::Lost(_)) => gone("is no longer there"),
            other => Ok(other.map(drop)?),
        }
    }
}

/// Which file has a name now; none where there is none.
#[cfg(unix)]
fn identity(file: &std::path::Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(file).ok().map(|known| (known.dev(), known.ino()))
}

/// Whether there is a file of this name. Elsewhere a file that is open cannot be replaced.
#[cfg(not(unix))]
fn identity(file: &std::path::Path) -> Option<(u64, u64)> {
    file.exists().then_some((0, 0))
}
