//! Models, rules packs and configurations.

use std::path::PathBuf;

use serde::Serialize;
use twicetold_event::Seat;
use twicetold_host::moments::{Counts, Interval, Mode, Role};
use twicetold_host::preview::Preview;
use twicetold_probe::Findings;
use twicetold_world::setup::Severity;

forms! {
    Previews: "preview", "the encounters of a campaign before it is played: preview";
    Lint: "lint", "what is wrong with a configuration: lint";
    Packs: "rules", "the rules packs: rules list";
    ImportedPack: "rules-import", "a rules pack that was imported: rules import";
    Models: "models", "the models that are configured: models";
    Model: "model", "what a model can do, a line each: models NAME, --all";
    ModelSkipped: "model-skipped", "a model that could not be tested: models --all";
}

/// The encounters of a campaign, as a seed makes them.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Previews {
    /// The seed.
    pub seed: u64,
    /// The encounters in the order in which they are played.
    pub encounters: Vec<Preview>,
}

/// What is wrong with a configuration, and what probably is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Lint {
    /// How many errors there are.
    pub errors: usize,
    /// How many warnings.
    pub warnings: usize,
    /// All of them.
    pub findings: Vec<LintFinding>,
}

/// Something to be said of a file.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LintFinding {
    /// How bad it is.
    pub severity: Severity,
    /// The rule that it offends.
    pub rule: &'static str,
    /// The file.
    pub file: String,
    /// The line, from 1; null where the file as a whole is meant.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// The bundled and the imported rules packs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Packs {
    pub packs: Vec<Pack>,
}

/// A rules pack as it is listed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Pack {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The version of the rules.
    pub version: String,
    /// Their licence.
    pub license: String,
    /// Where it lies; null: in the program.
    pub folder: Option<String>,
    /// What is wrong with it; null where nothing is.
    pub error: Option<String>,
}

/// A rules pack that was imported.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ImportedPack {
    /// Its id.
    pub id: String,
    /// Where it lies.
    pub folder: String,
    /// Was another one replaced by it?
    pub replaced: bool,
    /// What it was read from.
    pub source: String,
    /// The version of that.
    pub source_version: String,
    /// The digest of that.
    pub digest: String,
    /// The licence.
    pub license: String,
    /// Whom the licence wants to be named.
    pub attribution: String,
    /// How many classes it has.
    pub classes: usize,
    /// How many items.
    pub items: usize,
    /// How many monsters.
    pub monsters: usize,
    /// How many spells.
    pub spells: usize,
    /// How many other pages.
    pub pages: usize,
    /// How many ready characters.
    pub characters: usize,
    /// How many things could not be taken over, or not wholly.
    pub unmapped: usize,
    /// The file that lists them.
    pub unmapped_file: String,
    /// A command that plays by it.
    pub run: String,
}

/// The models that are configured. Nothing in it is a key.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Models {
    pub models: Vec<ListedModel>,
}

/// A model as it is listed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ListedModel {
    /// Its name in models.toml.
    pub name: String,
    /// Its provider.
    pub provider: String,
    /// Its name on its server.
    pub model: String,
    /// Where its requests go; null where the program answers itself.
    pub address: Option<String>,
    /// The environment variable that holds the key; null where no key is wanted.
    pub key_variable: Option<String>,
    /// Has that variable a value?
    pub key_is_set: Option<bool>,
    /// The window in tokens, where models.toml says it.
    pub context: Option<u32>,
    /// The seats that it plays unless somebody says otherwise.
    pub seats: Vec<Seat>,
    /// Does it play every seat that no other model is named for?
    pub is_default: bool,
    /// Why it cannot be used; null where it can.
    pub problem: Option<String>,
}

/// What a model can do.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Model {
    /// Its name in models.toml.
    pub model: String,
    /// Its provider.
    pub provider: String,
    /// Its name on its server.
    pub served_as: String,
    /// Where its requests go; null where the program answers itself.
    pub address: Option<String>,
    /// What the quick tests found.
    pub probes: Findings,
    /// What it is fit for.
    pub roles: Vec<Fit>,
    /// What came of moments of a campaign; null where none were played.
    pub moments: Option<Moments>,
    /// Lines for models.toml.
    pub settings: Vec<String>,
    /// What else can be done.
    pub advice: Vec<String>,
}

/// Whether a model is fit for a role.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fit {
    /// The role.
    pub role: Role,
    /// Whether it is fit; null where that is not known.
    pub fit: Option<bool>,
    /// What is to be said of it.
    pub why: String,
}

/// What came of moments of a campaign.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Moments {
    /// The id of the campaign in the configuration.
    pub campaign: String,
    /// Each tool mode.
    pub modes: Vec<TriedMode>,
    /// What came of the memory agent's work, in whatever mode.
    pub memory: Counts,
    /// The mode in which it plays best; null where it plays well in none.
    pub best: Option<Mode>,
    /// The window in tokens.
    pub window: Option<u32>,
    /// Where this is kept; null where it is not.
    pub file: Option<PathBuf>,
}

/// What came of a tool mode.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TriedMode {
    /// The mode.
    pub mode: Mode,
    /// All turns.
    pub turns: Counts,
    /// Tool calls that were accepted.
    pub accepted_permille: Option<Interval>,
    /// Turns of which something counted.
    pub usable_permille: Option<Interval>,
    /// The DM's turns.
    pub dm: Counts,
    /// The players' turns.
    pub player: Counts,
    /// Why it ended early, or was not tried; null where it was tried to its end.
    pub ended: Option<String>,
}

/// A model that could not be tested.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ModelSkipped {
    /// Its name in models.toml.
    pub model: String,
    /// Why.
    pub problem: String,
}
