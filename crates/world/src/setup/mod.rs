//! A charter as values: what the files of a campaign's configuration say, checked as a whole.

mod campaign;
mod check;
mod encounter;
mod finding;
mod limits;
pub mod lint;
mod misplaced;
mod odd;
mod party;
mod passages;
mod place;
mod reach;
mod rules;
pub mod schema;
mod seats;
mod template;
mod texts;

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use thiserror::Error;
use twicetold_event::Seat;

use crate::reading::{Reading, program_reading};
pub use campaign::{ActSpec, CampaignSpec, ScenarioSpec};
pub use encounter::{
    CheckSpec, EncounterSpec, GoalSpec, NpcSpec, PartySize, PassageSpec, RandomSpec, RevealSpec, SettingSpec,
    StrikeSpec,
};
pub use finding::{Finding, Severity};
pub use limits::Limits;
pub use party::{CarriedCharacter, CarriedNpc, CarriedParty, CarriedSection};
pub use place::{Step, locate};
pub use rules::{
    Abilities, ArmorClass, AttackRule, CheckRule, Class, Combat, Consumable, Down, HitPoints, Item, ItemKind,
    Modifier, Monster, MonsterAttack, Numbered, Pack, PackSource, Page, Pregenerated, Rules, Shown, Spell,
    Success, Topic,
};
pub use seats::{SeatSetup, SeatsFile};
pub use template::{Piece, Template, TemplateError};
pub(crate) use texts::improviser_texts;
pub use texts::{TextEntry, TextFile, Texts, known_texts};
/// What becomes of who is down, as a pack names it.
pub use twicetold_event::Fate;

/// The version of the rules that a new campaign is played by. A campaign keeps the version of its charter: a rule that changes
/// what is decided asks [`Content::rules_version`] and keeps what it said before for the versions before.
pub const RULES_VERSION: u16 = 1;

/// Prompts without which nobody can speak.
const PROMPTS: [&str; 5] =
    ["dm-session-zero", "player-session-zero", "dm-play", "player-play", "memory-summary"];

/// One file of a configuration: its path below the configuration folder, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// With forward slashes, for example `prompts/dm-play.md`.
    pub path: String,
    /// The whole text.
    pub text: Arc<str>,
}

/// What is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// A file is not there.
    #[error("{path} does not exist, but {wanted_by}")]
    Missing {
        /// Its path.
        path: String,
        /// Who asks for it.
        wanted_by: String,
    },
    /// A file does not say what it must.
    #[error("{path}: {message}")]
    Invalid {
        /// Its path.
        path: String,
        /// What was expected and what was found.
        message: String,
        /// Bytes of the file that the message speaks of.
        span: Option<(usize, usize)>,
    },
    /// The charter asks for rules that this build does not have.
    #[error(
        "this campaign needs rules version {0}; this build supports versions up to {RULES_VERSION}; use a newer build"
    )]
    RulesVersion(u16),
}

/// Everything that a campaign is played with.
#[derive(Debug)]
pub struct Setup {
    /// Where all dice and draws come from.
    pub seed: u64,
    /// What the files say: campaigns that differ in their seeds alone share it.
    content: Arc<Content>,
}

impl Deref for Setup {
    type Target = Content;

    fn deref(&self) -> &Content {
        &self.content
    }
}

impl DerefMut for Setup {
    fn deref_mut(&mut self) -> &mut Content {
        Arc::make_mut(&mut self.content)
    }
}

/// What the files of a charter say.
#[derive(Clone, Debug)]
pub struct Content {
    /// The version of the rules that the campaign is played by.
    pub rules_version: u16,
    /// The campaign.
    pub campaign: CampaignSpec,
    /// Its encounters, in order.
    pub encounters: Vec<EncounterSpec>,
    /// Its rules.
    pub rules: Rules,
    /// Lists that randomisables draw from, by `file.list`.
    pub vocabulary: BTreeMap<String, Vec<String>>,
    /// Prompt templates by file name without ending, for example `dm-play`.
    pub prompts: BTreeMap<String, Template>,
    /// Every other sentence that reaches a model, by key.
    pub texts: Texts,
    /// What the embedded improviser reads in their place.
    pub improviser_texts: Texts,
    /// By which words replies are read.
    pub reading: Reading,
    /// The limits of the game.
    pub limits: Limits,
    /// Who sits where, and which model plays there.
    pub seats: SeatsFile,
    /// Draws that were replaced, by stream and counter.
    pub draws: BTreeMap<(String, u32), Vec<u16>>,
    /// What the party brings along from an earlier campaign.
    pub party: Option<CarriedParty>,
    /// All files, in the order of the charter.
    pub files: Vec<SourceFile>,
}

impl Setup {
    /// The setup, when no file contradicts another. Asked of what is to be played, never of what was: a check that a later
    /// build makes must not close a journal of an earlier one.
    ///
    /// # Errors
    /// The first contradiction, with its file and place.
    pub fn sound(self) -> Result<Setup, SetupError> {
        if let Some(first) = self.contradictions().into_iter().next() {
            return Err(first.into_error());
        }
        // Seats without a model share the DM's.
        if self.seats.of(Seat::Dm).is_none() {
            let message = "[seat.dm] is missing: every campaign needs a model for the DM".into();
            return Err(SetupError::Invalid { path: "seats.toml".into(), message, span: None });
        }
        Ok(self)
    }

    /// The same with one file replaced, or added.
    ///
    /// # Errors
    /// The file cannot be read, or it would change the number of players.
    pub fn amended(&self, path: &str, content: Arc<str>) -> Result<Setup, SetupError> {
        let mut files = self.files.clone();
        match files.iter_mut().find(|file| file.path == path) {
            Some(file) => file.text = content,
            None => files.push(SourceFile { path: path.to_owned(), text: content }),
        }
        let amended = Setup::read(self.seed, self.rules_version, files)?;
        if amended.seats.players != self.seats.players {
            let message = format!(
                "seats.toml has {} players instead of {}; the number of players is fixed when the campaign is created",
                amended.seats.players, self.seats.players
            );
            return Err(SetupError::Invalid { path: "seats.toml".into(), message, span: None });
        }
        Ok(amended)
    }

    /// Reads a charter's files, each by itself.
    ///
    /// # Errors
    /// A file is missing or cannot be read, or the rules version is not known.
    pub fn read(seed: u64, rules_version: u16, files: Vec<SourceFile>) -> Result<Setup, SetupError> {
        if !(1..=RULES_VERSION).contains(&rules_version) {
            return Err(SetupError::RulesVersion(rules_version));
        }
        let tree = Tree { files: &files };
        let campaign: CampaignSpec = tree.toml("campaign.toml", "a campaign has a specification")?;
        let encounters = campaign
            .encounters
            .iter()
            .map(|id| {
                tree.toml(
                    &format!("encounters/{id}.toml"),
                    &format!("campaign.toml lists the encounter {id:?}"),
                )
            })
            .collect::<Result<Vec<EncounterSpec>, _>>()?;
        let rules = Rules::read(&tree, &campaign.rules)?;
        for name in PROMPTS {
            tree.text(&format!("prompts/{name}.md"), "every seat needs its prompt")?;
        }
        let texts = texts(&files)?;
        let content = Content {
            rules_version,
            encounters,
            rules,
            vocabulary: vocabulary(&tree)?,
            prompts: prompts(&tree)?,
            improviser_texts: improviser_texts().clone().or(&texts),
            reading: Reading::of(&texts),
            texts,
            limits: limits(&tree, &campaign)?,
            draws: draws(&tree)?,
            party: party(&tree, &campaign)?,
            seats: tree.toml("seats.toml", "a campaign has seats")?,
            campaign,
            files,
        };
        Ok(Setup { seed, content: Arc::new(content) })
    }

    /// The same with another seed.
    #[must_use]
    pub fn seeded(&self, seed: u64) -> Setup {
        Setup { seed, content: self.content.clone() }
    }

    /// The seats of the players, in order.
    pub fn players(&self) -> impl Iterator<Item = Seat> + use<> {
        (1..=self.seats.players).map(Seat::Player)
    }

    /// The texts that a seat reads: the charter's, or the program's own where the program plays the seat.
    pub fn texts_of(&self, seat: Seat) -> &Texts {
        if self.is_embedded(seat) { &self.improviser_texts } else { &self.texts }
    }

    /// By which words a seat's replies are read: those of the texts that it reads.
    pub fn reading_of(&self, seat: Seat) -> &Reading {
        if self.is_embedded(seat) { program_reading() } else { &self.reading }
    }

    fn is_embedded(&self, seat: Seat) -> bool {
        self.seats.of(seat).is_some_and(SeatSetup::is_embedded)
    }

    /// The index of a file among the charter's files.
    pub fn file_index(&self, path: &str) -> Option<usize> {
        self.files.iter().position(|file| file.path == path)
    }
}

/// Files looked up by path.
pub(crate) struct Tree<'a> {
    files: &'a [SourceFile],
}

impl<'a> Tree<'a> {
    pub(crate) fn text(&self, path: &str, wanted_by: &str) -> Result<&'a str, SetupError> {
        let found = self.files.iter().find(|file| file.path == path);
        found
            .map(|file| file.text.as_ref())
            .ok_or_else(|| SetupError::Missing { path: path.into(), wanted_by: wanted_by.into() })
    }

    pub(crate) fn toml<T: DeserializeOwned>(&self, path: &str, wanted_by: &str) -> Result<T, SetupError> {
        parse(path, self.text(path, wanted_by)?)
    }

    /// A file that may be absent.
    pub(crate) fn optional_toml<T: DeserializeOwned + Default>(&self, path: &str) -> Result<T, SetupError> {
        match self.files.iter().find(|file| file.path == path) {
            Some(file) => parse(path, &file.text),
            None => Ok(T::default()),
        }
    }

    /// Files below `folder/` with this ending: name without folder and ending, path, text.
    pub(crate) fn below(
        &self,
        folder: &str,
        ending: &str,
    ) -> impl Iterator<Item = (&'a str, &'a str, &'a str)> {
        let prefix = format!("{folder}/");
        let ending = ending.to_owned();
        self.files.iter().filter_map(move |file| {
            let name = file.path.strip_prefix(&prefix)?.strip_suffix(&ending)?;
            Some((name, file.path.as_str(), file.text.as_ref()))
        })
    }
}

/// Reads one TOML file; an error knows its place.
pub(crate) fn parse<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, SetupError> {
    toml::from_str(text).map_err(|error| SetupError::Invalid {
        path: path.into(),
        message: plain_message(error.message()),
        span: error.span().map(|span| (span.start, span.end)),
    })
}

/// The types of values as authors call them.
const KINDS: &[(&str, &[&str])] = &[
    ("a whole number", &["i8", "i16", "i32", "i64", "isize"]),
    ("a whole number from 0 on", &["u8", "u16", "u32", "u64", "usize"]),
    ("true or false", &["a boolean"]),
    ("a text", &["a string"]),
    ("a list", &["a sequence"]),
];

/// What a reader of TOML says, with the kinds of values as authors call them.
pub fn plain_message(message: &str) -> String {
    let Some((before, expected)) = message.rsplit_once("expected ") else { return message.to_owned() };
    let kind = KINDS.iter().find(|(_, types)| types.contains(&expected.trim()));
    kind.map_or_else(|| message.to_owned(), |(kind, _)| format!("{before}expected {kind}"))
}

/// The limits of `limits.toml`, with those of the campaign in their place. Those that are none are passed over here and told of
/// by [`wrong_limits`].
fn limits(tree: &Tree<'_>, campaign: &CampaignSpec) -> Result<Limits, SetupError> {
    // Read by itself first, so that an error points into the file.
    let mut limits = tree.toml::<Limits>("limits.toml", "a campaign has limits")?;
    let mut table: toml::Table = tree.toml("limits.toml", "a campaign has limits")?;
    for (name, value) in &campaign.limits {
        let before = table.insert(name.clone(), value.clone());
        match (table.clone().try_into(), before) {
            (Ok(with), _) => limits = with,
            (Err(_), Some(before)) => drop(table.insert(name.clone(), before)),
            (Err(_), None) => drop(table.remove(name)),
        }
    }
    Ok(limits)
}

/// Limits of the campaign that are none: name and what is wrong with each.
fn wrong_limits(campaign: &CampaignSpec) -> Vec<(&str, String)> {
    let wrong = |(name, value): (&'_ String, &toml::Value)| {
        let table = toml::Table::from_iter([(name.clone(), value.clone())]);
        table.try_into::<Limits>().err().map(|error| error.message().to_owned())
    };
    let limits = campaign.limits.iter();
    limits.filter_map(|limit| Some((limit.0.as_str(), wrong(limit)?))).collect()
}

/// A row of `draws.toml`.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawRow {
    stream: String,
    counter: u32,
    faces: Vec<u16>,
}

#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawsFile {
    #[serde(default)]
    draw: Vec<DrawRow>,
}

/// `draws.toml`, which a branch may have: faces that take the place of those that the seed gives.
fn draws(tree: &Tree<'_>) -> Result<BTreeMap<(String, u32), Vec<u16>>, SetupError> {
    let rows = tree.optional_toml::<DrawsFile>("draws.toml")?.draw;
    Ok(rows.into_iter().map(|row| ((row.stream, row.counter), row.faces)).collect())
}

/// `party.toml`, when there is one: by the same rules as the campaign.
fn party(tree: &Tree<'_>, campaign: &CampaignSpec) -> Result<Option<CarriedParty>, SetupError> {
    const PATH: &str = "party.toml";
    let Ok(text) = tree.text(PATH, "") else { return Ok(None) };
    let party: CarriedParty = parse(PATH, text)?;
    if party.rules != campaign.rules {
        let message = format!(
            "the party of {:?} plays by {:?}; this campaign plays by {:?}",
            party.title, party.rules, campaign.rules
        );
        return Err(SetupError::Invalid { path: PATH.into(), message, span: None });
    }
    Ok(Some(party))
}

fn vocabulary(tree: &Tree<'_>) -> Result<BTreeMap<String, Vec<String>>, SetupError> {
    let mut lists = BTreeMap::new();
    for (name, path, text) in tree.below("vocabulary", ".toml") {
        let file: BTreeMap<String, Vec<String>> = parse(path, text)?;
        lists.extend(file.into_iter().map(|(list, words)| (format!("{name}.{list}"), words)));
    }
    Ok(lists)
}

fn prompts(tree: &Tree<'_>) -> Result<BTreeMap<String, Template>, SetupError> {
    tree.below("prompts", ".md")
        .map(|(name, path, text)| Ok((name.to_owned(), template(path, text)?)))
        .collect()
}

fn texts(files: &[SourceFile]) -> Result<Texts, SetupError> {
    let mut texts = Texts::default();
    for (index, file) in files.iter().enumerate() {
        if file.path.starts_with("prompts/") && file.path.ends_with(".toml") {
            texts.add(&file.path, TextFile::Charter(index), &file.text)?;
        }
    }
    Ok(texts)
}

fn template(path: &str, text: &str) -> Result<Template, SetupError> {
    Template::parse(text).map_err(|error| SetupError::Invalid {
        path: path.into(),
        message: error.message,
        span: Some((error.at, error.at + 2)),
    })
}
