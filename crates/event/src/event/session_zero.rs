//! Session Zero: its phases and what it leaves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::samples::events::{closers, each, marker_faults, origins, phases, sections, written};
use crate::{CallId, Check, Event, Seat, Text};

family! {
    ($) session_zero
    /// How a scenario, a party document and characters come about.
    SessionZero {
        140 v 1 PhaseBegan: all, story, [];
        141 v 1 PhaseClosed: all, story, [];
        142 v 1 MarkerIgnored: all, story, [];
        143 v 1 MarkerRejected: dm, story, [];
        144 v 1 ScenarioSet: all, story, [public, dm];
        145 v 1 CharacterAccepted: all, story, [];
        146 v 1 CharacterRejected: owner_and_dm, story, [];
        147 v 1 PartyDocumentUpdated: of_the_section, story, [text];
    }
}

/// A phase of a campaign. Append, never insert.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseBegan {
    /// Which.
    pub phase: Phase,
}

/// Who closed a phase. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ClosedBy {
    /// The DM's marker.
    Marker,
    /// The referee, at the phase's limit of rounds.
    RoundLimit,
    /// The referee, when nothing was missing any more: a model that is guided writes no marker.
    NothingMissing,
}

/// A phase ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseClosed {
    /// Which.
    pub phase: Phase,
    /// By whom.
    pub by: ClosedBy,
    /// Rounds that it took.
    pub rounds: u32,
}

/// Why a marker did not count. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MarkerIgnored {
    /// The phrase.
    pub phrase: String,
    /// Who said it.
    pub seat: Seat,
    /// Why it did not count.
    pub why: MarkerFault,
}

/// What a phase of Session Zero still lacks. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Missing {
    /// A player's character.
    Character(Seat),
    /// A player's words in this phase.
    Silent(Seat),
    /// The scenario.
    Scenario,
    /// The party document.
    PartyDocument,
}

impl Missing {
    /// As texts call it.
    pub fn name(self) -> &'static str {
        match self {
            Missing::Character(_) => "character",
            Missing::Silent(_) => "silent",
            Missing::Scenario => "scenario",
            Missing::PartyDocument => "party_document",
        }
    }

    /// Whose it is to bring.
    pub fn seat(self) -> Option<Seat> {
        match self {
            Missing::Character(seat) | Missing::Silent(seat) => Some(seat),
            Missing::Scenario | Missing::PartyDocument => None,
        }
    }
}

/// The DM closed a phase that cannot be closed yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MarkerRejected {
    /// The phrase.
    pub phrase: String,
    /// What is missing.
    pub missing: Vec<Missing>,
}

/// Where an artefact comes from. Append, never insert.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioSet {
    /// What everybody knows.
    pub public: Text,
    /// What the DM alone knows.
    pub dm: Text,
    /// Where it comes from.
    pub origin: Provenance,
}

/// A legal character.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CharacterAccepted {
    /// Whose.
    pub seat: Seat,
    /// The character.
    pub sheet: Sheet,
    /// Where it comes from.
    pub origin: Provenance,
}

/// A sheet was not legal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CharacterRejected {
    /// Whose.
    pub seat: Seat,
    /// Which attempt, counted from 1.
    pub attempt: u32,
    /// What is wrong.
    pub reasons: Vec<Check>,
}

/// A section of the party document. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
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

/// A section of the party document has another entry, or one of its entries was revised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PartyDocumentUpdated {
    /// Which.
    pub section: Section,
    /// Its version, counted from 1.
    pub version: u32,
    /// Which of its entries, counted from 1: an earlier text of this entry is replaced, all others stay.
    pub entry: u32,
    /// The whole text of the entry.
    pub text: Text,
    /// Why, in the words of the tool call; empty where `origin` says it all.
    pub reason: String,
    /// Where it comes from.
    pub origin: Provenance,
}

/// Samples of every event here.
pub(crate) fn samples() -> Vec<Event> {
    [session_zero(), artefacts()].concat()
}

fn session_zero() -> Vec<Event> {
    let mut events = each(phases(), |phase| PhaseBegan { phase });
    events.extend(each(closers(), |by| PhaseClosed { phase: Phase::Lock, by, rounds: 3 }));
    events.extend(each(marker_faults(), |why| MarkerIgnored {
        phrase: "PITCH COMPLETE".into(),
        seat: Seat::Player(2),
        why,
    }));
    let missing = vec![
        Missing::Scenario,
        Missing::PartyDocument,
        Missing::Character(Seat::Player(2)),
        Missing::Silent(Seat::Dm),
    ];
    events.push(MarkerRejected { phrase: "SESSION ZERO LOCKED".into(), missing }.into());
    events
}

fn artefacts() -> Vec<Event> {
    let sheet = Sheet {
        name: "Brannoc".into(),
        class: "warden".into(),
        abilities: vec![15, 12, 13, 10, 8, 200],
        hit_points: 300,
        armor_class: 214,
        equipment: vec!["spear".into(), "lantern".into()],
        background: "Ferryman.".into(),
        secret: "Owes the Guild.".into(),
    };
    let mut events = each(origins(), |origin| ScenarioSet { public: written(), dm: written(), origin });
    events.extend(each(origins(), |origin| CharacterAccepted {
        seat: Seat::Player(2),
        sheet: sheet.clone(),
        origin,
    }));
    let reasons = vec![Check::new("unknown_class").with("class", "thief").with("known", "Warden")];
    events.push(CharacterRejected { seat: Seat::Player(2), attempt: 2, reasons }.into());
    events.extend(each(sections(), |section| PartyDocumentUpdated {
        section,
        version: 2,
        entry: 3,
        text: written(),
        reason: "The oath.".into(),
        origin: Provenance::Tool(CallId(300)),
    }));
    events
}
