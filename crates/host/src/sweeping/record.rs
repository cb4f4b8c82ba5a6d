//! What is kept of a sweep beside its campaigns: the plan as it was last run, and what was configured then. Written whole or not at all,
//! before the first campaign is begun.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use twicetold_event::CampaignId;
use twicetold_model::Digest;

use super::{RECORD_BYTES_MAX, Sweep, parsed};
use crate::configuration::Configuration;
use crate::error::OTHER_DATA;
use crate::words::did_you_mean;
use crate::{Error, Kind, Library, bounded, whole};

/// The file `sweeps/NAME.toml` of the folder of data.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    /// The text of the plan.
    plan: String,
    /// The folder that its paths begin in.
    folder: PathBuf,
    /// The digests of what was configured.
    configured: Vec<Configured>,
    /// The digests of how the models were asked, and where.
    #[serde(default)]
    asked: Vec<Asked>,
    /// The digest of the program's own configuration.
    #[serde(default)]
    bundled: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Configured {
    campaign: String,
    configuration: String,
    digest: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    campaign: String,
    variant: String,
    digest: String,
}

impl Sweep {
    /// Keeps the plan. A sweep that was begun with another configuration or other models is not mixed with this one.
    ///
    /// # Errors
    /// The configuration or models.toml has changed, or the file cannot be written.
    pub fn keep(&self, library: &Library) -> Result<(), Error> {
        let mut configured = Vec::new();
        for (campaign, word) in self.plan.campaigns.iter().enumerate() {
            for (configuration, folder) in self.plan.configurations.iter().enumerate() {
                let digest = self.digests.get(self.digest_place(campaign, configuration));
                let digest = digest.map(Digest::to_string).unwrap_or_default();
                configured.push(Configured {
                    campaign: word.text.clone(),
                    configuration: folder.text.clone(),
                    digest,
                });
            }
        }
        let asked = self.asked();
        let bundled = Configuration::bundled_digest().to_string();
        if file(library, &self.plan.name).symlink_metadata().is_ok() {
            let before = read(library, &self.plan.name)?;
            self.same_models(library, &before.asked, &asked)?;
            let is_begun = || self.plan.cells().any(|cell| is_answered(library, self.id(cell)));
            if !before.bundled.is_empty() && before.bundled != bundled && is_begun() {
                let name = &self.plan.name;
                let message = format!("the sweep {name} was begun with another version of twicetold");
                let help = "give the plan another name, so that campaigns of two versions are not compared as one; `sweep diff` compares the two";
                return Err(Error::new(Kind::Usage, message, help));
            }
            let is_other = |now: &&Configured| {
                let same = |before: &&Configured| {
                    before.campaign == now.campaign && before.configuration == now.configuration
                };
                before.configured.iter().find(same).is_some_and(|before| before.digest != now.digest)
            };
            if let Some(changed) = configured.iter().find(is_other) {
                let what = match changed.configuration.as_str() {
                    "" => format!("the configuration of {}", changed.campaign),
                    folder => format!("the configuration folder {folder}"),
                };
                let name = &self.plan.name;
                let message = format!("{what} has changed since the sweep {name} was begun");
                let help = "give the plan another name, so that campaigns of two configurations are not compared as one; or undo the change";
                return Err(Error::new(Kind::Usage, message, help));
            }
        }
        let record =
            Record { plan: self.text.clone(), folder: self.folder.clone(), configured, asked, bundled };
        let text =
            toml::to_string(&record).map_err(|error| Error::new(Kind::Failed, error.to_string(), ""))?;
        let file = file(library, &self.plan.name);
        whole::write(&file, text.as_bytes()).map_err(|error| {
            let Error { message, help, .. } = Error::unwritable(&file, &error, OTHER_DATA);
            Error::new(Kind::Failed, message, format!("{help}; no campaign was begun"))
        })
    }

    fn asked(&self) -> Vec<Asked> {
        let plan = &self.plan;
        let kinds = plan.campaigns.iter().flat_map(|campaign| {
            plan.variants.iter().map(|variant| (campaign.text.clone(), variant.name.clone()))
        });
        let digests = self.models.iter().map(Digest::to_string);
        kinds.zip(digests).map(|((campaign, variant), digest)| Asked { campaign, variant, digest }).collect()
    }

    /// A variant whose models have answered is not played on with others. One whose server was never reached may be corrected.
    fn same_models(&self, library: &Library, before: &[Asked], now: &[Asked]) -> Result<(), Error> {
        let variants = self.plan.variants.len();
        for (place, now) in now.iter().enumerate() {
            let same = |before: &&Asked| before.campaign == now.campaign && before.variant == now.variant;
            if before.iter().find(same).is_none_or(|before| before.digest == now.digest) {
                continue;
            }
            let kind = (place / variants, place % variants);
            let mut cells = self.plan.cells().filter(|cell| (cell.campaign, cell.variant) == kind);
            if cells.any(|cell| is_answered(library, self.id(cell))) {
                let (name, variant) = (&self.plan.name, &now.variant);
                let message = format!(
                    "models.toml, or the tool mode that was measured, has changed for the variant {variant:?} since the sweep {name} was begun"
                );
                let help = "give the plan another name, so that campaigns of two models are not compared as one; or undo the change";
                return Err(Error::new(Kind::Usage, message, help));
            }
        }
        Ok(())
    }
}

/// Has a model answered in this campaign?
fn is_answered(library: &Library, id: CampaignId) -> bool {
    let loaded = library.read(id).ok().and_then(|source| library.view(id).load(&*source).ok());
    loaded.is_some_and(|loaded| loaded.campaign.state().calls().total().calls > 0)
}

fn file(library: &Library, name: &str) -> PathBuf {
    library.data().join("sweeps").join(format!("{name}.toml"))
}

fn read(library: &Library, name: &str) -> Result<Record, Error> {
    let file = file(library, name);
    let unread = |why: String| {
        let message = format!("{} cannot be read: {why}", file.display());
        Error::new(Kind::Failed, message, "run its plan again: no campaign is played twice")
    };
    let text = bounded::text(&file, RECORD_BYTES_MAX).map_err(|error| unread(error.to_string()))?;
    toml::from_str(&text).map_err(|error| unread(error.message().to_owned()))
}

/// The names of the sweeps that were run, in order.
pub fn list(library: &Library) -> Vec<String> {
    let files = std::fs::read_dir(library.data().join("sweeps")).into_iter().flatten().flatten();
    let names = files.filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(".toml")?.to_owned()));
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}

/// A sweep that was run.
///
/// # Errors
/// There is none of this name.
pub fn recorded(library: &Library, name: &str) -> Result<Sweep, Error> {
    let known = list(library);
    if !known.iter().any(|known| known == name) {
        let near = did_you_mean(known.iter().map(String::as_str), name);
        let help = match known.is_empty() {
            true => "`twicetold sweep run PLAN.toml` runs one".to_owned(),
            false => format!("{near}the sweeps here are {}", known.join(", ")),
        };
        return Err(Error::new(Kind::Missing, format!("there is no sweep {name:?}"), help));
    }
    let Record { plan: text, folder, configured, .. } = read(library, name)?;
    let (plan, mistakes) = parsed(&text);
    let plan = plan.filter(|_| mistakes.is_empty()).ok_or_else(|| {
        let first = mistakes.first().map(|mistake| mistake.message.clone()).unwrap_or_default();
        Error::new(Kind::Usage, format!("the plan of {name} cannot be read by this version: {first}"), "")
    })?;
    let digests = configured.iter().map(|one| Digest::parse(&one.digest).unwrap_or(Digest::ZERO)).collect();
    Ok(Sweep { plan, text, folder, digests, models: Vec::new(), config: None, budget: None })
}
