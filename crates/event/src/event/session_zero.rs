//! Session Zero: its phases and what it leaves.

use serde::{Deserialize, Serialize};

use crate::{CallId, Seat, Text};

/// A phase of a campaign. Append, never insert.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Phase {
    /// Everybody proposes.
    #[default]
    Pitch,
    /// Everybody connects.
    Converge,
    /// Sheets, scenario and party document become final.
    Lock,
    /// The game.
    Play,
}

impl Phase {
    /// Lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Pitch => "pitch",
            Phase::Converge => "converge",
            Phase::Lock => "lock",
            Phase::Play => "play",
        }
    }

    /// The phase after this one.
    pub fn next(self) -> Phase {
        match self {
            Phase::Pitch => Phase::Converge,
            Phase::Converge => Phase::Lock,
            Phase::Lock | Phase::Play => Phase::Play,
        }
    }
}

/// A phase began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseBegan {
    /// Which.
    pub phase: Phase,
}

/// Who closed a phase. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClosedBy {
    /// The DM's marker.
    Marker,
    /// The referee, at the phase's limit of rounds.
    RoundLimit,
}

/// A phase ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseClosed {
    /// Which.
    pub phase: Phase,
    /// By whom.
    pub by: ClosedBy,
    /// Rounds that it took.
    pub rounds: u32,
}

/// Why a marker did not count. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MarkerFault {
    /// Said by somebody who is not the DM.
    NotTheDm,
    /// Said in a phase that it does not close.
    WrongPhase,
    /// Said inside quotation marks or code.
    Quoted,
    /// A second transition in one message.
    SecondInMessage,
}

/// Somebody said a marker that did not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkerIgnored {
    /// The phrase.
    pub phrase: String,
    /// Who said it.
    pub seat: Seat,
    /// Why it did not count.
    pub why: MarkerFault,
}

/// The DM closed a phase that cannot be closed yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkerRefused {
    /// The phrase.
    pub phrase: String,
    /// What is missing, in words that the DM reads.
    pub missing: Vec<String>,
}

/// Where an artefact comes from. Append, never insert.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Provenance {
    /// Written in this reply.
    Reply(CallId),
    /// Taken from the charter.
    Charter,
    /// Made by rule from what the player had pitched.
    Derived,
    /// Drawn by the seed from the rules pack's pregenerated characters.
    Pregenerated,
    /// Changed by this tool call.
    Tool(CallId),
    /// Brought along from an earlier campaign.
    Carried,
}

/// The adventure that will be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioSet {
    /// What everybody knows.
    pub public: Text,
    /// What the DM alone knows.
    pub dm: Text,
    /// Where it comes from.
    pub origin: Provenance,
}

/// A legal character.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    /// The character's name as written.
    pub name: String,
    /// Id of its class in the rules pack.
    pub class: String,
    /// Abilities in the order of the rules pack.
    pub abilities: Vec<u8>,
    /// Hit points at the start.
    pub hit_points: u16,
    /// Armour class.
    pub armor_class: u8,
    /// Ids of equipment.
    pub equipment: Vec<String>,
    /// Who the character was before; everybody knows it.
    pub background: String,
    /// What its owner and the DM alone know.
    pub secret: String,
}

/// A player has a character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CharacterAccepted {
    /// Whose.
    pub seat: Seat,
    /// The character.
    pub sheet: Sheet,
    /// Where it comes from.
    pub origin: Provenance,
}

/// A sheet was not legal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CharacterRefused {
    /// Whose.
    pub seat: Seat,
    /// Which attempt, counted from 1.
    pub attempt: u32,
    /// What is wrong, in words that the player reads.
    pub reasons: Vec<String>,
}

/// A section of the party document. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Section {
    /// Who is what to whom.
    Relationships,
    /// What draws each of them in.
    Hooks,
    /// What they want together.
    Goals,
    /// What may divide them.
    Tensions,
    /// What happened.
    Events,
    /// For the DM alone.
    Secrets,
}

impl Section {
    /// All sections in the order in which they are shown.
    pub const ALL: [Section; 6] = [
        Section::Relationships,
        Section::Hooks,
        Section::Goals,
        Section::Tensions,
        Section::Events,
        Section::Secrets,
    ];

    /// Lower-case name, as tools take it.
    pub fn name(self) -> &'static str {
        match self {
            Section::Relationships => "relationships",
            Section::Hooks => "hooks",
            Section::Goals => "goals",
            Section::Tensions => "tensions",
            Section::Events => "events",
            Section::Secrets => "secrets",
        }
    }
}

/// A section of the party document has a new text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartyDocumentUpdated {
    /// Which.
    pub section: Section,
    /// Its version, counted from 1.
    pub version: u32,
    /// The whole new text of the section.
    pub text: Text,
    /// Why.
    pub reason: String,
    /// Where it comes from.
    pub origin: Provenance,
}
