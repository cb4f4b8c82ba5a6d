//! All that is wrong with a configuration, and what probably is.

pub(crate) mod models;

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use twicetold_world::setup::{CampaignSpec, Finding, Severity, lint};

use crate::bundle::BUNDLED;
use crate::configuration::{Configuration, FILES, FOLDERS, MODELS};
use crate::seats::own_folder;
use crate::words::{counted, did_you_mean};
use crate::{Error, Library};

/// Rules of what no campaign plays.
const UNUSED: [&str; 2] = ["unreachable_encounter", "unused_rules"];

/// What cannot be read hides what else there is to say of a file.
fn hides(finding: &Finding) -> bool {
    ["unreadable", "missing_file"].contains(&finding.rule)
}

/// What is looked at.
pub struct Target {
    configuration: Configuration,
    /// The folder that was laid over the bundled files.
    folder: Option<PathBuf>,
    /// A campaign by itself.
    campaign: Option<String>,
    /// A single file by itself.
    file: Option<String>,
}

impl Target {
    /// A configuration folder, one file of it, or nothing: the bundled configuration with the models that the user has configured. Imported
    /// rules packs come from `library`.
    ///
    /// # Errors
    /// It is none, or cannot be read.
    pub fn of(library: &Library, path: Option<&Path>) -> Result<Target, Error> {
        let mut target = Target::named(path)?;
        let campaigns = target.campaigns();
        target.configuration.take_packs(library.data(), &campaigns)?;
        Ok(target)
    }

    fn named(path: Option<&Path>) -> Result<Target, Error> {
        let everything = |configuration, folder| Target { configuration, folder, campaign: None, file: None };
        let Some(path) = path else {
            let own = own_folder().map(|(folder, _)| folder.join(MODELS)).filter(|file| file.is_file());
            let bundled = || Ok(Configuration::bundled());
            return Ok(everything(
                own.map_or_else(bundled, |file| Configuration::with_own(MODELS, file))?,
                None,
            ));
        };
        if path.is_dir() {
            Configuration::is_in(path)?;
            return Ok(everything(Configuration::with_folder(path)?, Some(path.to_owned())));
        }
        if let Some((root, file)) =
            split(path).filter(|(_, file)| path.is_file() && !file.starts_with("campaigns/"))
        {
            let configuration = Configuration::with_folder(&root)?;
            return Ok(Target { file: Some(file), ..everything(configuration, Some(root)) });
        }
        let (configuration, campaign) = Configuration::for_campaign(Some(&path.to_string_lossy()))?;
        let folder = split(path).map(|(root, _)| root).filter(|_| path.is_file());
        Ok(Target { campaign: Some(campaign), ..everything(configuration, folder) })
    }

    /// The campaigns that are looked at.
    fn campaigns(&self) -> Vec<String> {
        match &self.campaign {
            Some(campaign) => vec![campaign.clone()],
            None => self.configuration.campaigns(),
        }
    }

    /// A description of what is checked.
    pub fn scope(&self) -> String {
        match (&self.file, &self.folder) {
            (Some(file), _) => self.configuration.shown("", file),
            (None, Some(folder)) if self.campaign.is_none() => match self.own_campaigns(folder) {
                0 => format!("{}, which has no campaign of its own", folder.display()),
                own => format!("{} of {}", counted(own, "campaign"), folder.display()),
            },
            (None, _) => {
                let campaigns = counted(self.campaigns().len() as u64, "campaign");
                let own = Some(self.configuration.shown("", MODELS)).filter(|shown| shown != MODELS);
                match own.filter(|_| self.folder.is_none() && self.campaign.is_none()) {
                    Some(own) => format!("{campaigns} and {own}"),
                    None => campaigns,
                }
            }
        }
    }

    /// The campaigns whose files are in the folder; those of the program are looked at as well, under what the folder changes.
    fn own_campaigns(&self, folder: &Path) -> u64 {
        let is_there = |id: &String| folder.join(format!("campaigns/{id}.toml")).is_file();
        self.campaigns().iter().filter(|id| is_there(id)).count() as u64
    }

    /// Is this file looked at?
    fn concerns(&self, path: &str) -> bool {
        self.file.as_deref().is_none_or(|file| file == path)
    }

    /// All findings by their files as the configuration has them: each once, errors before warnings.
    pub fn findings(&self) -> Vec<Finding> {
        let (mut found, mut used) = (Vec::new(), BTreeSet::new());
        for id in self.campaigns() {
            found.extend(self.of_campaign(&id, &mut used));
        }
        if self.campaign.is_none() {
            // What a campaign plays that cannot be read, or that names one that is not there, nobody knows.
            let hides = |finding: &Finding| finding.path.starts_with("campaigns/") && hides(finding);
            let is_known = !found.iter().any(hides);
            let rest = self.of_the_rest(&used).into_iter();
            found.extend(rest.filter(|finding| is_known || !UNUSED.contains(&finding.rule)));
        }
        if self.concerns(MODELS) {
            found.extend(models::findings(&self.configuration));
        }
        found.retain(|finding| self.concerns(&finding.path) || hides(finding));
        found.sort_by_key(|finding| (finding.severity, finding.path.clone(), finding.span));
        let mut seen = BTreeSet::new();
        found.retain(|finding| seen.insert((finding.path.clone(), finding.span, finding.message.clone())));
        found
    }

    fn of_campaign(&self, id: &str, used: &mut BTreeSet<String>) -> Vec<Finding> {
        let own = format!("campaigns/{id}.toml");
        let text = self.configuration.text(&own).cloned().unwrap_or_default();
        if let Ok(spec) = toml::from_str::<CampaignSpec>(&text) {
            used.extend(spec.encounters.iter().map(|encounter| format!("encounters/{encounter}.toml")));
            used.insert(format!("rules/{}/", spec.rules));
        }
        let mut found = self.configuration.findings(id);
        for finding in &mut found {
            finding.message = finding.message.replace("campaign.toml", &own);
            if finding.path == "campaign.toml" {
                finding.path.clone_from(&own);
            }
            self.named_wrongly(finding, &own, &text);
        }
        found
    }

    /// An encounter or a rules pack that is not there is a wrong name in the campaign's file.
    fn named_wrongly(&self, finding: &mut Finding, own: &str, text: &str) {
        let named = |path: &str| {
            let encounter = path.strip_prefix("encounters/").and_then(|path| path.strip_suffix(".toml"));
            let rules = || path.strip_prefix("rules/")?.strip_suffix("/pack.toml");
            let named = encounter.map(|name| ("encounter", name));
            named.or_else(|| Some(("rules pack", rules()?))).map(|(what, name)| (what, name.to_owned()))
        };
        let Some((what, wanted)) = named(&finding.path).filter(|_| finding.rule == "missing_file") else {
            return;
        };
        let Some(start) = text.find(&format!("{wanted:?}")) else { return };
        let paths = self.paths();
        let alike = paths.iter().filter_map(|path| named(path)).filter(|(of, _)| *of == what);
        let known: Vec<String> = alike.map(|(_, name)| name).collect();
        let near = did_you_mean(known.iter().map(String::as_str), &wanted);
        let message = format!("there is no {what} {wanted:?}: {} is missing", finding.path);
        finding.help = format!("{near}{}", finding.help);
        (finding.message, finding.path, finding.span) =
            (message, own.to_owned(), Some((start, start + wanted.len() + 2)));
    }

    /// What no campaign plays.
    fn of_the_rest(&self, used: &BTreeSet<String>) -> Vec<Finding> {
        let mut found = Vec::new();
        for path in self.paths() {
            let (rule, message, help) = match path.split('/').collect::<Vec<_>>()[..] {
                ["encounters", _] if !used.contains(&path) => (
                    "unreachable_encounter",
                    "no campaign plays this encounter",
                    "list its id under encounters in a campaign, or remove the file",
                ),
                ["rules", pack, "pack.toml"] if !used.contains(&format!("rules/{pack}/")) => (
                    "unused_rules",
                    "no campaign plays by this rules pack",
                    "name it as rules in a campaign, or remove its folder",
                ),
                _ => continue,
            };
            let folder = path.trim_end_matches("pack.toml");
            let unread = self.paths().into_iter().filter(|other| other.starts_with(folder));
            found.extend(unread.flat_map(|other| {
                let text = self.configuration.text(&other);
                text.map_or_else(Vec::new, |text| lint::file(&other, text))
            }));
            // Where a file lies in the wrong folder, nothing else is to be said of it.
            if found
                .iter()
                .any(|finding: &Finding| finding.rule == lint::WRONG_FOLDER && finding.path == path)
            {
                continue;
            }
            let (message, help) = (message.to_owned(), help.to_owned());
            found.push(Finding { severity: Severity::Warning, rule, path, span: None, message, help });
        }
        found
    }

    /// All files of campaigns, encounters, rules, vocabulary and prompts, bundled and of the folder.
    fn paths(&self) -> BTreeSet<String> {
        let mut paths: BTreeSet<String> = BUNDLED.files().map(|(path, _)| path.to_owned()).collect();
        if let Some(folder) = &self.folder {
            FOLDERS.iter().for_each(|name| on_disk(folder, &folder.join(name), &mut paths));
        }
        paths.retain(|path| self.configuration.text(path).is_some());
        paths
    }

    /// Where a finding is, as the user knows it: the file, and the line from 1; none when the file as a whole is meant.
    pub fn place(&self, finding: &Finding) -> (String, Option<usize>) {
        let text = self.configuration.text(&finding.path);
        let before = finding.span.and_then(|(start, _)| text?.get(..start));
        let line = before.map(|before| before.matches('\n').count() + 1);
        (self.configuration.shown("", &finding.path), line)
    }
}

/// A file of a configuration as its root and its path below it.
fn split(path: &Path) -> Option<(PathBuf, String)> {
    let parts: Vec<Component<'_>> = path.components().collect();
    let named = |part: &Component<'_>, names: &[&str]| names.iter().any(|name| part.as_os_str() == *name);
    let inner = parts.len().saturating_sub(1);
    let at = parts[..inner].iter().rposition(|part| named(part, &FOLDERS));
    let at = at.or_else(|| parts.last().filter(|last| named(last, &FILES)).map(|_| inner))?;
    let root: PathBuf = parts[..at].iter().collect();
    let root = if root.as_os_str().is_empty() { PathBuf::from(".") } else { root };
    let below: Vec<_> = parts[at..].iter().map(|part| part.as_os_str().to_string_lossy()).collect();
    Some((root, below.join("/")))
}

/// Folders that cannot be read have been refused when the configuration was.
fn on_disk(root: &Path, folder: &Path, paths: &mut BTreeSet<String>) {
    for item in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = item.path();
        if path.is_dir() {
            on_disk(root, &path, paths);
        } else if let Ok(below) = path.strip_prefix(root) {
            paths.insert(below.to_string_lossy().replace('\\', "/"));
        }
    }
}
