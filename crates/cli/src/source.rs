//! A journal by whatever name: a campaign's id, `last`, or a file.

use std::path::{Path, PathBuf};

use twicetold_journal::{Source, open_source};

use twicetold_session::Loaded;

use crate::failure::Failure;
use crate::library::Library;

/// Opens a journal and loads the campaign as it stands, from its snapshot on where there is one.
pub fn load(library: &Library, name: &str) -> Result<(Box<dyn Source>, Loaded), Failure> {
    let (path, source) = open(library, name)?;
    let id = source.head().campaign.filter(|_| path.parent() == Some(library.folder()));
    let loaded = match id {
        Some(id) => library.view(id).load(source.as_ref())?,
        None => twicetold_session::load(source.as_ref())?,
    };
    Ok((source, loaded))
}

/// Opens a journal for reading. A name with a path separator or of an existing file is a file.
pub fn open(library: &Library, name: &str) -> Result<(PathBuf, Box<dyn Source>), Failure> {
    let path = Path::new(name);
    if path.components().count() > 1 || path.is_file() {
        return Ok((path.to_owned(), open_source(path)?));
    }
    let (entry, reader) = library.read(name)?;
    Ok((entry.path, Box::new(reader)))
}
