//! A journal by whatever name: a campaign's id, `last`, or a file.

use std::path::Path;

use twicetold_event::CampaignId;
use twicetold_journal::{Source, open_source};
use twicetold_session::Loaded;

use crate::{Error, Library};

impl Library {
    /// Opens a journal for reading. A name with a path separator or of an existing file is a file.
    pub fn source(&self, name: &str) -> Result<Box<dyn Source>, Error> {
        Ok(self.source_here(name)?.0)
    }

    /// Opens a journal and loads the campaign as it stands, from its snapshot on where there is one.
    pub fn load(&self, name: &str) -> Result<(Box<dyn Source>, Loaded), Error> {
        let (source, here) = self.source_here(name)?;
        let loaded = match here {
            Some(id) => self.view(id).load(source.as_ref())?,
            None => twicetold_session::load(source.as_ref())?,
        };
        Ok((source, loaded))
    }

    /// A journal, and its id where it is one of this library's and not a file that somebody named: what a file says it is, anybody
    /// may have written.
    pub(crate) fn source_here(&self, name: &str) -> Result<(Box<dyn Source>, Option<CampaignId>), Error> {
        let path = Path::new(name);
        if path.components().count() > 1 || path.is_file() {
            let source = open_source(path)?;
            let id = source.head().campaign.filter(|_| path.parent() == Some(self.folder()));
            return Ok((source, id));
        }
        let id = self.find(name)?;
        Ok((self.read(id)?, Some(id)))
    }
}
