//! The folder in which campaigns lie, one file each, and how people name them.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use twicetold_event::CampaignId;
use twicetold_event::entry::Header;
use twicetold_journal::{Reader, open_read_only};

use crate::mapping::MappingFile;
use crate::views::View;
use crate::{Error, Kind};

/// The folder of campaigns.
pub struct Library {
    data: PathBuf,
    /// Was the folder of data named by whoever runs the program?
    named: bool,
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
    pub fn new(data: Option<PathBuf>) -> Result<Library, Error> {
        let named = data.is_some();
        let base = match data {
            Some(data) => data,
            None => etcetera::choose_base_strategy()
                .map(|strategy| strategy.data_dir().join("twicetold"))
                .map_err(|error| {
                    Error::new(
                        Kind::Failed,
                        format!("no folder for data: {error}"),
                        "give one with --data DIR",
                    )
                })?,
        };
        Ok(Library { folder: base.join("campaigns"), data: base, named })
    }

    /// The folder of data in which the campaigns have theirs, and imported rules packs `rules/`.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// What another command line needs in order to find it: ` --data DIR`, or nothing where it lies by the platform's convention.
    pub fn flag(&self) -> String {
        let folder = self.data.display().to_string();
        let is_plain = |c: char| c.is_alphanumeric() || "/.-_~:\\".contains(c);
        match (self.named, folder.chars().all(is_plain)) {
            (false, _) => String::new(),
            (true, true) => format!(" --data {folder}"),
            (true, false) => format!(" --data '{}'", folder.replace('\'', r"'\''")),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The snapshot of a campaign, there or not.
    pub fn view(&self, id: CampaignId) -> View {
        View::new(&self.data, id)
    }

    /// Which models of this machine play a campaign.
    pub fn mapping(&self, id: CampaignId) -> MappingFile {
        MappingFile::new(&self.data, id)
    }

    /// The file that keeps the lines of people who play.
    pub fn typed(&self) -> PathBuf {
        self.folder.with_file_name("typed.txt")
    }

    /// The file of a campaign, whether it exists or not; the folder exists afterwards.
    pub fn file(&self, id: CampaignId) -> Result<PathBuf, Error> {
        std::fs::create_dir_all(&self.folder).map_err(|error| {
            let message = format!("the folder {} cannot be made: {error}", self.folder.display());
            Error::new(Kind::Failed, message, "choose another folder with --data DIR")
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
    pub fn find(&self, name: &str) -> Result<Entry, Error> {
        let mut entries = self.entries();
        if name == "last" {
            let newest = entries.into_iter().max_by_key(|entry| opened(&entry.path));
            return newest.ok_or_else(|| {
                let message = format!("there is no campaign in {} yet", self.folder.display());
                Error::new(Kind::Missing, message, "`twicetold run` plays one")
            });
        }
        let wanted = name.to_ascii_lowercase();
        entries.retain(|entry| !wanted.is_empty() && entry.id.to_string().starts_with(&wanted));
        match entries.len() {
            1 => Ok(entries.remove(0)),
            0 => {
                let message = format!("there is no campaign {name:?} in {}", self.folder.display());
                Err(Error::new(Kind::Missing, message, "`twicetold list` shows the campaigns that there are"))
            }
            count => {
                let ids: Vec<String> = entries.iter().map(|entry| format!("{:.12}", entry.id)).collect();
                let message = format!("{name:?} is the front of {count} ids: {}", ids.join(", "));
                Err(Error::new(Kind::Missing, message, "give more of the id"))
            }
        }
    }

    /// Opens a campaign for reading, also while another process plays it.
    pub fn read(&self, name: &str) -> Result<(Entry, Reader), Error> {
        let entry = self.find(name)?;
        let reader = open_read_only(&entry.path)?;
        Ok((entry, reader))
    }
}

/// When a campaign was opened: the time of its first entry of its own; 0 where that cannot be read.
fn opened(path: &Path) -> u64 {
    use twicetold_journal::Source;
    // A branch was opened where it took its own name.
    let Ok(reader) = open_read_only(path) else { return 0 };
    let Ok(entries) = reader.entries(twicetold_event::Number(0)) else { return 0 };
    let headers = entries.map_while(Result::ok).filter_map(|bytes| Header::decode(&bytes).ok());
    let own = reader.head().campaign;
    let mut own = headers.skip_while(|header| Some(header.campaign) != own);
    own.next().map_or(0, |header| header.at.0)
}
