//! Where campaigns lie, each under its id: made, found, opened, read, branched and removed. A folder of files is one such place.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use twicetold_event::{CampaignId, Number};

use crate::file::failed;
use crate::import::{branch, copy};
use crate::{Head, ImportError, OpenError, Reader, Source, Store, StoreError, create, open, open_read_only};

/// A source that may be moved on to what somebody else has written meanwhile.
pub trait Live: Source {
    /// Moves on to the newest commit and returns its head.
    ///
    /// # Errors
    /// The storage failed.
    fn refresh(&mut self) -> Result<Head, StoreError>;
}

impl Live for Reader {
    fn refresh(&mut self) -> Result<Head, StoreError> {
        Reader::refresh(self)
    }
}

/// A place for campaigns. Each is made whole or not at all, written by one process, and read by any.
pub trait Shelf {
    /// The campaigns that lie there, in no particular order; also those that cannot be read.
    ///
    /// # Errors
    /// The storage failed: nobody knows what lies there.
    fn list(&self) -> Result<Vec<CampaignId>, OpenError>;

    /// Where a campaign lies or would lie, for people.
    fn place(&self, id: CampaignId) -> String;

    /// Makes a new campaign and opens it for writing. It lies there from its first entry on; without one nothing is left of it. One that
    /// lies there is never replaced.
    ///
    /// # Errors
    /// It lies there already, or the storage failed.
    fn create(&self, id: CampaignId) -> Result<Box<dyn Store>, OpenError>;

    /// Opens a campaign for writing.
    ///
    /// # Errors
    /// There is none, somebody else writes it, or the storage failed.
    fn open(&self, id: CampaignId) -> Result<Box<dyn Store>, OpenError>;

    /// Opens a campaign for reading, also while somebody writes it.
    ///
    /// # Errors
    /// There is none, or the storage failed.
    fn read(&self, id: CampaignId) -> Result<Box<dyn Live>, OpenError>;

    /// Begins a new campaign with the entries of `source` before `until`, byte for byte, after verifying all of it. It is there when the
    /// store has been closed, with what was appended to it; when the store is dropped, nothing is.
    ///
    /// # Errors
    /// `source` is damaged, the campaign lies there already, or the storage failed. Nothing is made then.
    fn branch(
        &self,
        source: &dyn Source,
        until: Number,
        id: CampaignId,
    ) -> Result<Box<dyn Store>, ImportError>;

    /// Makes a new campaign of all entries.
    ///
    /// # Errors
    /// As [`Shelf::branch`].
    fn import(&self, source: &dyn Source, id: CampaignId) -> Result<Head, ImportError>;

    /// Removes a campaign for good, also one that is damaged.
    ///
    /// # Errors
    /// There is none, somebody writes it, or the storage failed.
    fn remove(&self, id: CampaignId) -> Result<(), OpenError>;

    /// Its queue, if it has one.
    fn queue(&self) -> Option<&dyn Queue> {
        None
    }
}

/// Campaigns that wait for somebody to play them, at a shelf that many machines reach.
pub trait Queue {
    /// Lets a campaign wait. One that waits already keeps its place, and what failed before is forgotten.
    ///
    /// # Errors
    /// There is none, or the storage failed.
    fn put(&self, id: CampaignId) -> Result<(), OpenError>;

    /// Opens the first campaign that waits and that nobody writes, but for these. It stays in the queue until it [leaves](Queue::leave) it:
    /// when its writer dies, somebody else takes it.
    ///
    /// # Errors
    /// The storage failed.
    fn take(&self, but: &[CampaignId]) -> Result<Option<Taken>, OpenError>;

    /// Takes a campaign out of the queue. With an epoch nothing happens when it was taken again since, by a writer of another one; without,
    /// it is over, and whoever takes it again has nothing to do.
    ///
    /// # Errors
    /// The storage failed.
    fn leave(&self, id: CampaignId, epoch: Option<u32>) -> Result<(), OpenError>;

    /// Remembers that a campaign could not be played: it is taken again later, and after some attempts no more. Where it `moved` since it
    /// was taken, the attempts before count no more. Nothing happens when it was taken again since, by a writer of another epoch.
    ///
    /// # Errors
    /// The storage failed.
    fn failed(&self, id: CampaignId, epoch: u32, moved: bool, why: &str) -> Result<(), OpenError>;

    /// Lets a campaign wait for some seconds. This was no attempt.
    ///
    /// # Errors
    /// The storage failed.
    fn put_off(&self, id: CampaignId) -> Result<(), OpenError>;

    /// How many campaigns wait or are played, but for these, and how many were given up.
    ///
    /// # Errors
    /// The storage failed.
    fn waiting(&self, but: &[CampaignId]) -> Result<Waiting, OpenError>;
}

/// A campaign from a queue, opened for writing.
pub type Taken = (CampaignId, Box<dyn Store>);

/// How a queue stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// Campaigns that are to be played, also those that somebody plays now.
    pub queued: u64,
    /// Campaigns that failed too often.
    pub given_up: u64,
    /// The first of these, and why.
    pub reasons: Vec<(CampaignId, String)>,
}

/// A folder with one file for each campaign, `<id>.redb`. It is made when something is first put into it.
pub struct Folder(PathBuf);

impl Folder {
    /// This folder, there or not.
    pub fn new(folder: impl Into<PathBuf>) -> Folder {
        Folder(folder.into())
    }

    fn file(&self, id: CampaignId) -> PathBuf {
        self.0.join(format!("{id}.redb"))
    }

    /// The file of a new campaign; its folder exists afterwards.
    fn fresh(&self, id: CampaignId) -> Result<PathBuf, OpenError> {
        fs::create_dir_all(&self.0).map_err(|error| failed(&self.0, error))?;
        Ok(self.file(id))
    }
}

/// The id in a campaign file's name.
fn named(file: &Path) -> Option<CampaignId> {
    let id = CampaignId::parse(file.file_stem()?.to_str()?)?;
    (file.extension()? == "redb").then_some(id)
}

impl Shelf for Folder {
    fn list(&self) -> Result<Vec<CampaignId>, OpenError> {
        match fs::read_dir(&self.0) {
            Ok(files) => Ok(files.filter_map(|file| named(&file.ok()?.path())).collect()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(failed(&self.0, error)),
        }
    }

    fn place(&self, id: CampaignId) -> String {
        self.file(id).display().to_string()
    }

    fn create(&self, id: CampaignId) -> Result<Box<dyn Store>, OpenError> {
        Ok(Box::new(create(&self.fresh(id)?)?))
    }

    fn open(&self, id: CampaignId) -> Result<Box<dyn Store>, OpenError> {
        Ok(Box::new(open(&self.file(id))?))
    }

    fn read(&self, id: CampaignId) -> Result<Box<dyn Live>, OpenError> {
        Ok(Box::new(open_read_only(&self.file(id))?))
    }

    fn branch(
        &self,
        source: &dyn Source,
        until: Number,
        id: CampaignId,
    ) -> Result<Box<dyn Store>, ImportError> {
        Ok(Box::new(branch(source, until, &self.fresh(id)?)?))
    }

    fn import(&self, source: &dyn Source, id: CampaignId) -> Result<Head, ImportError> {
        copy(source, &self.fresh(id)?)
    }

    fn remove(&self, id: CampaignId) -> Result<(), OpenError> {
        let file = self.file(id);
        // Whoever writes it holds the lock.
        if let Err(locked @ OpenError::Locked { .. }) = open(&file) {
            return Err(locked);
        }
        fs::remove_file(&file).map_err(|error| failed(&file, error))
    }
}
