//! Where campaigns lie with what belongs to them, and how people name them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use etcetera::BaseStrategy;
use twicetold_cast::KeepAhead;
use twicetold_event::entry::Header;
use twicetold_event::{CampaignId, Number};
use twicetold_journal::{Folder, Live, OpenError, Queue, Shelf, Source, Store, open_at_once};
use twicetold_projection::people::Prices;

use crate::attestation::forget;
use crate::configuration::Configuration;
use crate::database;
use crate::label::LabelFile;
use crate::mapping::MappingFile;
use crate::measured::Measurements;
use crate::prices::prices;
use crate::views::View;
use crate::whole::{is_left, is_old, remove_left, remove_old};
use crate::words::{did_you_mean, near, quoted};
use crate::{Error, Kind};

/// The environment variable that names the folder of data, or the database.
pub const DATA: &str = "TWICETOLD_DATA";

/// Files of a campaign that is not there are removed when they are so old: whoever moves campaigns away for an hour loses none of them.
const NOBODYS_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// Where the platform keeps data of programs.
fn platform_folder() -> Result<PathBuf, Error> {
    let strategy = etcetera::choose_base_strategy().map_err(|error| {
        Error::new(Kind::Failed, format!("no folder for data: {error}"), "give one with --data DIR")
    })?;
    Ok(strategy.data_dir().join("twicetold"))
}

/// A shelf of campaigns, and beside it a folder with what belongs to them: snapshots, mappings, rules packs.
pub struct Library {
    shelf: Box<dyn Shelf + Send + Sync>,
    data: PathBuf,
    /// The folder of data or the database, if whoever runs the program named one.
    named: Option<String>,
    /// Is it named by the environment, so that the next command finds it without a flag?
    is_set: bool,
    folder: PathBuf,
}

impl Library {
    /// The library in the folder or database `data`, or where the platform keeps data.
    ///
    /// # Errors
    /// The platform has no folder for data, or the database cannot be used.
    pub fn new(data: Option<PathBuf>) -> Result<Library, Error> {
        let named = data.as_ref().map(|data| data.display().to_string());
        if let Some(address) = named.as_ref().filter(|named| database::is_address(named)) {
            let shelf = database::shelf(address)?;
            let data = database::folder(&platform_folder()?, address);
            return Ok(Library { shelf, folder: data.clone(), data, named, is_set: false });
        }
        let base = data.map_or_else(platform_folder, Ok)?;
        let folder = base.join("campaigns");
        Ok(Library { shelf: Box::new(Folder::new(&folder)), folder, data: base, named, is_set: false })
    }

    /// Where the campaigns are, for people: a folder or a database.
    pub fn name(&self) -> String {
        match &self.named {
            Some(named) if database::is_address(named) => named.clone(),
            _ => self.folder.display().to_string(),
        }
    }

    /// The folder of data in which the campaigns have theirs, and imported rules packs `rules/`.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The same library, which the environment names ([`DATA`]): the next command finds it without a flag.
    #[must_use]
    pub fn named_by_the_environment(self, is_set: bool) -> Library {
        Library { is_set, ..self }
    }

    /// What another command line needs in order to find it: ` --data DIR`, or nothing where it lies by the platform's convention.
    pub fn flag(&self) -> String {
        let named = self.named.as_ref().filter(|_| !self.is_set);
        named.map_or_else(String::new, |named| format!(" --data {}", quoted(named)))
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

    /// The label of a campaign, there or not.
    pub fn label(&self, id: CampaignId) -> LabelFile {
        LabelFile::new(&self.data, id)
    }

    /// What was measured of models.
    pub fn measurements(&self) -> Measurements {
        Measurements::new(&self.data)
    }

    /// What the models cost that play a campaign here; nothing is known of one that was never played here.
    pub fn prices(&self, source: &dyn Source) -> Prices {
        let id = source.head().campaign;
        let mapping = id.and_then(|id| self.mapping(id).read().ok().flatten());
        mapping.map_or_else(Prices::default, |mapping| prices(&mapping))
    }

    /// The file that keeps the lines of people who play.
    pub fn typed(&self) -> PathBuf {
        self.folder.with_file_name("typed.txt")
    }

    /// The shelf, to write to it. What killed processes left is removed first.
    ///
    /// # Errors
    /// Its folder cannot be made.
    pub fn ready(&self) -> Result<&dyn Shelf, Error> {
        std::fs::create_dir_all(&self.folder).map_err(|error| {
            let Error { kind, help, .. } =
                Error::unwritable(&self.folder, &error, "choose another folder with --data DIR");
            Error::new(kind, format!("the folder {} cannot be made: {error}", self.folder.display()), help)
        })?;
        self.tidy();
        Ok(self.shelf.as_ref())
    }

    /// Removes what killed processes were writing, and what they left of campaigns that they began or removed.
    fn tidy(&self) {
        // Whoever has moved campaigns away, or whose disk is not there, gets them back with all that belongs to them.
        let is_settled = is_old(&self.folder, NOBODYS_AFTER);
        remove_left(&self.folder, |name| is_left(Path::new(name)));
        for folder in ["seats", "labels", "views", "models", "attested", "rules", "sweeps"] {
            remove_left(&self.data.join(folder), |name| is_left(Path::new(name)));
        }
        let Ok(known) = self.list() else { return };
        if known.is_empty() || !is_settled {
            return;
        }
        let is_nobodys = |name: &str| {
            let id = CampaignId::parse(name.split('.').next().unwrap_or_default());
            id.is_some_and(|id| !known.contains(&id))
        };
        for folder in ["seats", "labels", "views"] {
            remove_old(&self.data.join(folder), NOBODYS_AFTER, is_nobodys);
        }
    }

    /// All campaigns, in no particular order.
    ///
    /// # Errors
    /// It cannot be found out what lies there.
    pub fn list(&self) -> Result<Vec<CampaignId>, Error> {
        Ok(self.shelf.list()?)
    }

    /// The campaigns that wait to be played.
    ///
    /// # Errors
    /// Campaigns lie in a folder, which has no queue.
    pub fn queue(&self) -> Result<&dyn Queue, Error> {
        self.shelf.queue().ok_or_else(|| {
            let message = format!("{} is a folder, and workers take campaigns from a database", self.name());
            Error::new(Kind::Usage, message, "give one with --data postgres://USER@HOST/DATABASE")
        })
    }

    /// The address of the database, where campaigns lie in one.
    pub(crate) fn address(&self) -> Option<&str> {
        self.named.as_deref().filter(|named| database::is_address(named))
    }

    /// The file of a campaign, where campaigns are files.
    pub(crate) fn file(&self, id: CampaignId) -> Option<PathBuf> {
        self.address().is_none().then(|| self.folder.join(format!("{id}.redb")))
    }

    /// Where a campaign lies, for people.
    pub fn place(&self, id: CampaignId) -> String {
        self.shelf.place(id)
    }

    /// Opens a campaign for writing.
    pub(crate) fn open(&self, id: CampaignId) -> Result<Box<dyn Store>, Error> {
        Ok(self.shelf.open(id)?)
    }

    /// Opens a campaign for reading, also while another process plays it.
    pub fn read(&self, id: CampaignId) -> Result<Box<dyn Live>, Error> {
        Ok(self.shelf.read(id)?)
    }

    /// Removes a campaign, with what belongs to it.
    pub fn remove(&self, id: CampaignId) -> Result<(), Error> {
        self.shelf.remove(id).map_err(|error| match error {
            OpenError::Storage { error, .. } => {
                let message = format!("{} cannot be removed: {error}", self.place(id));
                Error { kind: Kind::Failed, message, ..Error::from(error) }
            }
            error => error.into(),
        })?;
        self.view(id).remove();
        self.view(id).ahead().forget();
        self.mapping(id).remove();
        let _ = self.label(id).remove();
        forget(self, id);
        Ok(())
    }

    /// The campaign that a person means: the front of an id, or `last`.
    pub fn find(&self, name: &str) -> Result<CampaignId, Error> {
        let mut ids = self.list()?;
        if name == "last" {
            let newest = ids.into_iter().max_by_key(|id| self.opened(*id));
            return newest.ok_or_else(|| {
                let message = format!("there is no campaign in {} yet", self.name());
                Error::new(Kind::Missing, message, "`twicetold run` plays one")
            });
        }
        let wanted = name.to_ascii_lowercase();
        let known: Vec<String> = ids.iter().map(CampaignId::to_string).collect();
        ids.retain(|id| !wanted.is_empty() && id.to_string().starts_with(&wanted));
        match ids.len() {
            1 => Ok(ids.remove(0)),
            0 => {
                let message = format!("there is no campaign {name:?} in {}", self.name());
                Err(Error::new(Kind::Missing, message, meant(&wanted, &known)))
            }
            count => {
                let ids: Vec<String> = ids.iter().map(|id| format!("{id:.12}")).collect();
                let message = format!("{name:?} is a prefix of {count} campaign ids: {}", ids.join(", "));
                Err(Error::new(Kind::Missing, message, "give more of the id"))
            }
        }
    }

    /// When a campaign was opened: the time of its first entry of its own; 0 where that cannot be read.
    fn opened(&self, id: CampaignId) -> u64 {
        self.read(id).map_or(0, |reader| opened(&*reader))
    }

    /// The same where it can be read without waiting.
    pub(crate) fn opened_at_once(&self, id: CampaignId) -> u64 {
        let source = self.file(id).and_then(|file| open_at_once(&file).ok());
        source.map_or(0, |source| opened(&*source))
    }
}

/// When a campaign was opened, by its entries: a branch where it took its own name.
fn opened(reader: &dyn Source) -> u64 {
    let Ok(entries) = reader.entries(Number(0)) else { return 0 };
    let headers = entries.map_while(Result::ok).filter_map(|bytes| Header::decode(&bytes).ok());
    let own = reader.head().campaign;
    let mut own = headers.skip_while(|header| Some(header.campaign) != own);
    own.next().map_or(0, |header| header.at.0)
}

/// What to do where no campaign has an id that begins as this name does.
fn meant(name: &str, ids: &[String]) -> String {
    // As much of each id as was typed, and no less than `list` shows.
    let fronts: Vec<&str> = ids.iter().filter_map(|id| id.get(..name.len().max(SHOWN))).collect();
    let near_one = did_you_mean(fronts.into_iter().chain(["last"]), name);
    let bundled = Configuration::bundled().campaigns();
    match near(bundled.iter().map(String::as_str), name) {
        Some(bundled) if near_one.is_empty() => format!(
            "`twicetold run {bundled}` plays a new campaign; `twicetold list` lists those that were played, with their ids"
        ),
        _ => format!("{near_one}`twicetold list` lists the campaigns"),
    }
}

/// Digits of an id that lists show.
const SHOWN: usize = 8;
