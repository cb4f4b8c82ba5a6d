//! Configuration for new campaigns: the files inside the binary, and a folder of the user's laid over them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use twicetold_event::limits;
use twicetold_model::{Digest, Digester};
use twicetold_tool::charter_files;
use twicetold_world::setup::lint::{self, Known};
use twicetold_world::setup::{
    CampaignSpec, Finding, RULES_VERSION, SeatsFile, Setup, SetupError, SourceFile,
};

use crate::bounded;
use crate::bundle::BUNDLED;
use crate::words::{did_you_mean, safe};
use crate::{Error, Kind};

/// The campaign that is played when none is named.
pub const DEFAULT_CAMPAIGN: &str = "one-lantern-short";

/// Where fields are described: not everybody who has the program has its sources.
pub const README: &str =
    "`twicetold init DIR` writes files that work, and a README.md that describes every field";

/// The folders of a configuration.
pub const FOLDERS: [&str; 5] = ["campaigns", "encounters", "rules", "vocabulary", "prompts"];

/// The files beside them.
pub const FILES: [&str; 2] = ["limits.toml", MODELS];

/// The models of whoever plays.
pub const MODELS: &str = "models.toml";

/// Behind the rules of a campaign file that `--rules` has put there.
const BY_OPTION: &str = "  # --rules";

/// Configuration files by their paths below the configuration folder.
pub struct Configuration {
    files: BTreeMap<String, Arc<str>>,
    /// The folder that was laid over the bundled files.
    folder: Option<PathBuf>,
    /// The folder of data, once a rules pack was taken from there.
    data: Option<PathBuf>,
    /// The rules packs that are imported, and may not be taken.
    imported: Vec<String>,
    /// The campaign's own file, by its charter path and as it was named: it may lie anywhere.
    own: Option<(String, PathBuf)>,
}

impl Configuration {
    /// The bundled configuration.
    pub fn bundled() -> Configuration {
        let files = BUNDLED.files().map(|(path, text)| (path.to_owned(), Arc::from(text))).collect();
        Configuration { files, folder: None, data: None, imported: Vec::new(), own: None }
    }

    /// The bundled configuration with a file of the user's own in place of one of its.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn with_own(path: &str, file: PathBuf) -> Result<Configuration, Error> {
        let mut configuration = Configuration::bundled();
        configuration.files.insert(path.to_owned(), Arc::from(read(&file)?));
        configuration.own = Some((path.to_owned(), file));
        Ok(configuration)
    }

    /// Is there a configuration in this folder? What holds none is a mistake in the path, not a configuration like the bundled one.
    pub fn is_in(folder: &Path) -> Result<(), Error> {
        let is_one = FOLDERS.iter().any(|known| folder.join(known).is_dir())
            || FILES.iter().any(|file| folder.join(file).is_file());
        if is_one {
            return Ok(());
        }
        let message = format!("{} holds no configuration", folder.display());
        let help = format!("a configuration has some of {} or {}", FOLDERS.join(", "), FILES.join(", "));
        Err(Error::new(Kind::Usage, message, help))
    }

    /// The bundled configuration with a folder laid over it: a file there replaces the bundled one.
    pub fn with_folder(folder: &Path) -> Result<Configuration, Error> {
        let mut configuration = Configuration::bundled();
        collect_folder(folder, folder, &mut configuration.files)?;
        configuration.folder = Some(folder.to_owned());
        Ok(configuration)
    }

    /// The configuration that a folder holds, laid over the bundled one; the bundled one alone where it holds none.
    ///
    /// # Errors
    /// A file of it cannot be read.
    pub fn of(folder: Option<&Path>) -> Result<Configuration, Error> {
        match folder.filter(|folder| Configuration::is_in(folder).is_ok()) {
            Some(folder) => Configuration::with_folder(folder),
            None => Ok(Configuration::bundled()),
        }
    }

    /// The configuration that `run` was pointed at, and the campaign's id: nothing (the bundled campaign), the id of a bundled
    /// campaign, or the file of one's own campaign, in a folder as `init` writes it.
    pub fn for_campaign(named: Option<&str>) -> Result<(Configuration, String), Error> {
        let Some(named) = named else { return Ok((Configuration::bundled(), DEFAULT_CAMPAIGN.into())) };
        let path = Path::new(named);
        if !path.exists() {
            let bundled = Configuration::bundled();
            if bundled.files.contains_key(&format!("campaigns/{named}.toml")) {
                return Ok((bundled, named.to_owned()));
            }
            let campaigns = bundled.campaigns();
            let beside = beside(path);
            let help = format!(
                "{}name a file, or one of the bundled campaigns: {}. `twicetold init DIR` copies them to DIR, where you can edit them",
                did_you_mean(campaigns.iter().chain(&beside).map(String::as_str), named),
                campaigns.join(", ")
            );
            return Err(Error::new(Kind::Missing, format!("there is no file or campaign {named:?}"), help));
        }
        if path.is_dir() {
            return Err(folder_named(path));
        }
        let id = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let in_campaigns = parent.file_name().is_some_and(|name| name == "campaigns");
        let mut configuration = if in_campaigns {
            Configuration::with_folder(
                parent.parent().filter(|root| !root.as_os_str().is_empty()).unwrap_or(Path::new(".")),
            )?
        } else {
            Configuration::bundled()
        };
        let text = read(path)?;
        let own = format!("campaigns/{id}.toml");
        configuration.files.insert(own.clone(), Arc::from(text));
        configuration.own = Some((own, path.to_owned()));
        Ok((configuration, id))
    }

    /// The configuration of a folder, and the campaign's id: one of the folder, or a bundled one.
    ///
    /// # Errors
    /// The folder holds no configuration, or there is no such campaign.
    pub fn in_folder(folder: &Path, campaign: &str) -> Result<(Configuration, String), Error> {
        Configuration::is_in(folder)?;
        let configuration = Configuration::with_folder(folder)?;
        let known = configuration.campaigns();
        if known.iter().any(|known| known == campaign) {
            return Ok((configuration, campaign.to_owned()));
        }
        let near = did_you_mean(known.iter().map(String::as_str), campaign);
        let help = format!("{near}the campaigns there are {}", known.join(", "));
        let message = format!("there is no campaign {campaign:?} in {}", folder.display());
        Err(Error::new(Kind::Usage, message, help))
    }

    /// The digest of what was laid over the bundled files, but for models: where calls go is no part of a campaign.
    pub(crate) fn own_digest(&self) -> Digest {
        let bundled = Configuration::bundled();
        let mut digester = Digester::new("twicetold configuration 1");
        for (path, text) in self.files.iter().filter(|(path, _)| *path != MODELS) {
            if bundled.files.get(path) != Some(text) {
                digester.text(path);
                digester.text(text);
            }
        }
        digester.finish()
    }

    /// The digest of what the program brings along, and of the rules that it plays by.
    pub(crate) fn bundled_digest() -> Digest {
        let mut digester = Digester::new("twicetold bundled 1");
        digester.text(env!("CARGO_PKG_VERSION"));
        digester.number(u64::from(RULES_VERSION));
        for (path, text) in Configuration::bundled().files.iter().filter(|(path, _)| *path != MODELS) {
            digester.text(path);
            digester.text(text);
        }
        digester.finish()
    }

    /// What is to be said where the folder of a campaign has models that are not used: where calls and keys go is not a campaign's
    /// to say.
    pub fn unread_models(&self, used: Option<&Path>) -> Option<String> {
        let bundled = BUNDLED.text(MODELS);
        let folder = self.folder.as_ref().filter(|_| used.is_none())?.display();
        (self.files.get(MODELS).map(Arc::as_ref) != bundled).then(|| {
            format!(
                "{folder}/{MODELS} is ignored, because a campaign must not decide where model calls are sent. To use it: `--config {folder}`."
            )
        })
    }

    /// Takes along the imported rules packs that these campaigns play by and that it has not itself: they lie in `rules/` of the
    /// folder of data.
    pub fn take_packs(&mut self, data: &Path, campaigns: &[String]) -> Result<(), Error> {
        let packs = std::fs::read_dir(data.join("rules")).into_iter().flatten().flatten();
        self.imported = packs.map(|pack| pack.file_name().to_string_lossy().into_owned()).collect();
        for campaign in campaigns {
            let text = self.files.get(&format!("campaigns/{campaign}.toml")).cloned().unwrap_or_default();
            // What is wrong with a campaign is told of where it is read.
            let Ok(CampaignSpec { rules, .. }) = toml::from_str(&text) else { continue };
            let folder = data.join("rules").join(&rules);
            if is_name(&rules)
                && !self.files.contains_key(&format!("rules/{rules}/pack.toml"))
                && folder.is_dir()
            {
                collect_folder(data, &folder, &mut self.files)?;
                self.data = Some(data.to_owned());
            }
        }
        Ok(())
    }

    /// Adds a rules pack by the paths of its files in its folder.
    pub fn add_pack(&mut self, id: &str, files: &BTreeMap<String, String>) {
        let files = files.iter().filter(|(name, _)| name.ends_with(".toml") || name.ends_with(".md"));
        self.files.extend(files.map(|(name, text)| (format!("rules/{id}/{name}"), Arc::from(text.as_str()))));
    }

    /// Lets a campaign be played by these rules, whatever it says itself.
    pub fn play_by(&mut self, campaign: &str, rules: &str) {
        let Some(text) = self.files.get_mut(&format!("campaigns/{campaign}.toml")) else { return };
        let top = text.find("\n[").map_or(text.len(), |end| end + 1);
        let is_rules = |line: &str| line.split_once('=').is_some_and(|(key, _)| key.trim() == "rules");
        let own = format!("rules = {}{BY_OPTION}\n", toml::Value::from(rules));
        // In the line of the campaign's own, so that messages name the lines of its file.
        let head: String = (text[..top].split_inclusive('\n'))
            .map(|line| if is_rules(line) { own.as_str() } else { line })
            .collect();
        *text = Arc::from(head + &text[top..]);
    }

    /// All that is wrong with a campaign and what it is played with, or probably is.
    pub fn findings(&self, campaign: &str) -> Vec<Finding> {
        let text = self.files.get(&format!("campaigns/{campaign}.toml")).cloned().unwrap_or_default();
        let players = toml::from_str::<CampaignSpec>(&text).map_or(3, |spec| spec.players_default);
        // Which models play is none of a campaign's concern.
        let seats = SeatsFile { players, seat: BTreeMap::new() };
        let Ok(files) = self.charter_files(campaign, &seats) else { return Vec::new() };
        let tools: Vec<&str> = twicetold_tool::TOOLS.iter().map(|tool| tool.name).collect();
        let (prompt_names, dm_names) =
            (twicetold_projection::prompt::NAMES, twicetold_projection::prompt::DM_NAMES);
        let known = Known { tools: &tools, prompt_names, dm_names };
        lint::campaign(campaign, files, known)
    }

    /// The ids of its campaigns.
    pub fn campaigns(&self) -> Vec<String> {
        let names =
            self.files.keys().filter_map(|path| path.strip_prefix("campaigns/")?.strip_suffix(".toml"));
        names.map(str::to_owned).collect()
    }

    /// The title of a campaign; its id where its file cannot be read.
    pub fn title(&self, id: &str) -> String {
        let table =
            self.text(&format!("campaigns/{id}.toml")).and_then(|text| text.parse::<toml::Table>().ok());
        let title = table.as_ref().and_then(|table| table.get("title")?.as_str());
        title.map_or_else(|| id.to_owned(), safe)
    }

    /// The folder that was laid over the bundled files, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// One file.
    pub fn text(&self, path: &str) -> Option<&Arc<str>> {
        self.files.get(path)
    }

    /// The files of a charter for this campaign: its own specification and encounters, one rules pack, and all that every
    /// campaign needs.
    pub fn charter_files(&self, campaign: &str, seats: &SeatsFile) -> Result<Vec<SourceFile>, Error> {
        let seats =
            toml::to_string(seats).map_err(|error| Error::new(Kind::Failed, error.to_string(), ""))?;
        let spec = self.files.get(&format!("campaigns/{campaign}.toml")).cloned().unwrap_or_default();
        let mut files = self.files.clone();
        files.retain(|path, _| is_wanted(path, &spec));
        charter_files(&files, campaign, seats).ok_or_else(|| {
            let known = self.campaigns();
            let near = did_you_mean(known.iter().map(String::as_str), campaign);
            let help = format!("{near}the campaigns here are {}", known.join(", "));
            Error::new(Kind::Usage, format!("there is no campaign {campaign:?}"), help)
        })
    }

    /// A setup of these files; an error points at the file that the user wrote.
    pub fn setup(&self, campaign: &str, seed: u64, files: Vec<SourceFile>) -> Result<Setup, Error> {
        let texts: BTreeMap<String, Arc<str>> =
            files.iter().map(|file| (file.path.clone(), file.text.clone())).collect();
        let read = Setup::read(seed, twicetold_world::setup::RULES_VERSION, files);
        read.and_then(Setup::sound).map_err(|error| match error {
            SetupError::Invalid { path, message, span } => {
                let text = texts.get(&path).cloned().unwrap_or_else(|| Arc::from(""));
                Error::at(&message, &self.shown(campaign, &path), &text, span, README)
            }
            SetupError::Missing { path, wanted_by } => {
                let campaign_file = self.files.get(&format!("campaigns/{campaign}.toml"));
                let is_asked =
                    path.starts_with("rules/") && campaign_file.is_some_and(|text| text.contains(BY_OPTION));
                let wanted_by = match is_asked {
                    true => "`--rules` names it".to_owned(),
                    false => wanted_by.replace("campaign.toml", &self.shown(campaign, "campaign.toml")),
                };
                let message = format!("{} does not exist, but {wanted_by}", self.shown(campaign, &path));
                let help = match path.strip_prefix("rules/").and_then(|path| path.split('/').next()) {
                    Some(pack) => format!(
                        "{}`twicetold rules list` lists the packs; `twicetold rules import` adds more",
                        did_you_mean(self.packs(), pack)
                    ),
                    None => "`twicetold init DIR` writes a complete configuration to edit".to_owned(),
                };
                Error::new(Kind::Usage, message, help)
            }
            error => Error::new(Kind::Usage, error.to_string(), ""),
        })
    }

    /// The rules packs that there are.
    fn packs(&self) -> impl Iterator<Item = &str> {
        let own =
            self.files.keys().filter_map(|path| path.strip_prefix("rules/")?.strip_suffix("/pack.toml"));
        own.chain(self.imported.iter().map(String::as_str))
    }

    /// A charter path as the user knows it.
    pub fn shown(&self, campaign: &str, path: &str) -> String {
        let own =
            if path == "campaign.toml" { format!("campaigns/{campaign}.toml") } else { path.to_owned() };
        if let Some((_, file)) = self.own.as_ref().filter(|(path, _)| *path == own) {
            return file.display().to_string();
        }
        let folders = self.folder.iter().chain(self.data.iter().filter(|_| own.starts_with("rules/")));
        let found = folders.map(|folder| folder.join(&own)).find(|file| file.exists());
        found.map_or(own, |file| file.display().to_string())
    }
}

/// The files in the folder of one that does not exist, as they would be named.
fn beside(path: &Path) -> Vec<String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let shown = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let files = std::fs::read_dir(shown).into_iter().flatten().flatten();
    let files = files.filter(|item| item.path().extension().is_some_and(|end| end == "toml"));
    files.map(|item| folder.join(item.file_name()).display().to_string()).collect()
}

/// A folder was named where a campaign's file is wanted.
fn folder_named(folder: &Path) -> Error {
    let campaigns = folder.join("campaigns");
    let files = std::fs::read_dir(&campaigns).into_iter().flatten().flatten().map(|item| item.path());
    let mut files: Vec<String> = files
        .filter(|file| file.extension().is_some_and(|end| end == "toml"))
        .map(|file| file.display().to_string())
        .collect();
    files.sort();
    let help = match files.is_empty() {
        true => "`twicetold init DIR` writes campaigns to play and edit into a new folder".to_owned(),
        false => format!("name one of its campaigns: {}", files.join(", ")),
    };
    let message = format!("{} is a folder, and a campaign is a file", folder.display());
    Error::new(Kind::Usage, message, help)
}

/// Encounters and rules packs that the campaign does not name stay out of its charter.
fn is_wanted(path: &str, spec: &str) -> bool {
    let named = |name: &str| spec.contains(&format!("\"{name}\"")) || spec.contains(&format!("'{name}'"));
    if let Some(name) = path.strip_prefix("encounters/") {
        return named(name.trim_end_matches(".toml"));
    }
    match path.strip_prefix("rules/").and_then(|path| path.split('/').next()) {
        Some(pack) => named(pack) && (path.ends_with(".toml") || path.ends_with(".md")),
        None => true,
    }
}

/// Is it a folder's name, and no path that leads elsewhere?
fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&c);
    text.chars().all(fits) && !text.starts_with('.') && !text.is_empty()
}

fn collect_folder(root: &Path, folder: &Path, files: &mut BTreeMap<String, Arc<str>>) -> Result<(), Error> {
    let failed = |error: std::io::Error| {
        Error::new(
            Kind::Usage,
            format!("the folder {} cannot be read: {error}", folder.display()),
            "check its name and permissions",
        )
    };
    for item in std::fs::read_dir(folder).map_err(failed)? {
        let path = item.map_err(failed)?.path();
        stays_inside(root, &path)?;
        let relative = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let is_wanted = relative.ends_with(".toml") || relative.ends_with(".md");
        if path.is_dir() && is_wanted {
            let message = format!("{} is a folder where a file is wanted", path.display());
            return Err(Error::new(Kind::Usage, message, "`twicetold init DIR` writes files that work"));
        } else if path.is_dir() {
            if FOLDERS.iter().any(|known| relative == *known || relative.starts_with(&format!("{known}/"))) {
                collect_folder(root, &path, files)?;
            }
        } else if is_wanted {
            if files.len() >= limits::FILES_MAX {
                let message = format!("{} holds more than {} files", root.display(), limits::FILES_MAX);
                return Err(Error::new(
                    Kind::Usage,
                    message,
                    "point at a configuration folder as `twicetold init` writes it",
                ));
            }
            let text = read(&path)?;
            let total = text.len() + files.values().map(|file| file.len()).sum::<usize>();
            if total > limits::FOLDER_BYTES_MAX {
                let message = format!(
                    "{} holds more than {} MB of texts",
                    root.display(),
                    limits::FOLDER_BYTES_MAX / (1024 * 1024)
                );
                return Err(Error::new(Kind::Usage, message, "keep only what its campaigns need there"));
            }
            files.insert(relative, Arc::from(text));
        }
    }
    Ok(())
}

/// A link must not lead out of the folder: what somebody was given would read other files of this machine, and show them to models.
fn stays_inside(root: &Path, path: &Path) -> Result<(), Error> {
    if !path.is_symlink() {
        return Ok(());
    }
    let inside =
        std::fs::canonicalize(root).and_then(|root| Ok(std::fs::canonicalize(path)?.starts_with(root)));
    match inside {
        Ok(true) => Ok(()),
        _ => {
            let message =
                format!("{} is a link that leads out of the folder {}", path.display(), root.display());
            Err(Error::new(
                Kind::Usage,
                message,
                "put the file itself there, if you trust whoever made the link",
            ))
        }
    }
}

fn read(path: &Path) -> Result<String, Error> {
    let failed =
        |why: String| Error::new(Kind::Usage, format!("{} cannot be read: {why}", path.display()), "");
    // Opening a pipe would wait for somebody to write into it.
    if !std::fs::metadata(path).map_err(|error| failed(error.to_string()))?.is_file() {
        return Err(failed("it is no file".into()));
    }
    bounded::text(path, limits::FILE_BYTES_MAX as u64).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => {
            let message = format!("{} is no UTF-8 text", path.display());
            let help = "give a TOML file; `twicetold import FILE` adds a campaign that was exported, and `resume`, `show` and others take its id";
            Error::new(Kind::Usage, message, help)
        }
        _ => failed(error.to_string()),
    })
}
