//! The folder in which campaigns lie, one file each, and how people name them.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use twicetold_event::CampaignId;
use twicetold_journal::{Reader, open_read_only};

use crate::failure::{Failure, code};

/// The folder of campaigns.
pub struct Library {
    folder: PathBuf,
}

/// A campaign in the library.
pub struct Entry {
    /// Its id.
    pub id: CampaignId,
    /// Its file.
    pub path: PathBuf,
}

impl Library {
    /// The library in `data`, or where the platform keeps data.
    pub fn new(data: Option<PathBuf>) -> Result<Library, Failure> {
        let base = match data {
            Some(data) => data,
            None => etcetera::choose_base_strategy()
                .map(|strategy| strategy.data_dir().join("twicetold"))
                .map_err(|error| {
                    Failure::new(
                        code::FAILED,
                        format!("no folder for data: {error}"),
                        "give one with --data DIR",
                    )
                })?,
        };
        Ok(Library { folder: base.join("campaigns") })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file that keeps the lines of people who play.
    pub fn typed(&self) -> PathBuf {
        self.folder.with_file_name("typed.txt")
    }

    /// The file of a campaign, whether it exists or not; the folder exists afterwards.
    pub fn file(&self, id: CampaignId) -> Result<PathBuf, Failure> {
        std::fs::create_dir_all(&self.folder).map_err(|error| {
            let message = format!("the folder {} cannot be made: {error}", self.folder.display());
            Failure::new(code::FAILED, message, "choose another folder with --data DIR")
        })?;
        Ok(self.folder.join(format!("{id}.redb")))
    }

    /// All campaigns, in no particular order.
    pub fn entries(&self) -> Vec<Entry> {
        let Ok(folder) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        let entry = |path: PathBuf| {
            let id = CampaignId::parse(path.file_stem()?.to_str()?)?;
            (path.extension()? == "redb").then_some(Entry { id, path })
        };
        folder.filter_map(|file| entry(file.ok()?.path())).collect()
    }

    /// The campaign that a person means: the front of an id, or `last`.
    pub fn find(&self, name: &str) -> Result<Entry, Failure> {
        let mut entries = self.entries();
        if name == "last" {
            let newest = entries.into_iter().max_by_key(|entry| opened(&entry.path));
            return newest.ok_or_else(|| {
                let message = format!("there is no campaign in {} yet", self.folder.display());
                Failure::new(code::MISSING, message, "`twicetold run` plays one")
            });
        }
        let wanted = name.to_ascii_lowercase();
        entries.retain(|entry| !wanted.is_empty() && entry.id.to_string().starts_with(&wanted));
        match entries.len() {
            1 => Ok(entries.remove(0)),
            0 => {
                let message = format!("there is no campaign {name:?} in {}", self.folder.display());
                Err(Failure::new(
                    code::MISSING,
                    message,
                    "`twicetold list` shows the campaigns that there are",
                ))
            }
            count => {
                let ids: Vec<String> = entries.iter().map(|entry| format!("{:.12}", entry.id)).collect();
                let message = format!("{name:?} is the front of {count} ids: {}", ids.join(", "));
                Err(Failure::new(code::MISSING, message, "give more of the id"))
            }
        }
    }

    /// Opens a campaign for reading, also while another process plays it.
    pub fn read(&self, name: &str) -> Result<(Entry, Reader), Failure> {
        let entry = self.find(name)?;
        let reader = open_read_only(&entry.path)?;
        Ok((entry, reader))
    }
}

/// When a campaign was opened: the time of its first entry, or of its file where that cannot be read.
fn opened(path: &Path) -> u64 {
    use twicetold_journal::Source;
    let first = open_read_only(path)
        .ok()
        .and_then(|reader| reader.entry_holding(twicetold_event::Number(0)).ok().flatten());
    let header = first.and_then(|bytes| twicetold_event::entry::Header::decode(&bytes).ok());
    header.map_or(0, |header| header.at.0)
}
