//! A transcript as plain data, whatever it was read from. `None` means that it was not recorded, never that there was none.

use std::collections::{BTreeMap, BTreeSet};

use crate::limits::WRITTEN_BYTES_MIN;
use crate::text::words;

/// Everything that detectors look at, in the order in which it happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// Was it read from another program's transcript?
    pub foreign: bool,
    /// The file that it was read from, if it was.
    pub file: Option<SourceFile>,
    /// Who speaks: by the name under which lines, rolls and calls refer to them.
    pub voices: BTreeMap<String, Voice>,
    /// What those who play were told before and nobody said at the table: system prompts, each with the number of its record.
    pub prompts: Vec<(u64, String)>,
    /// What was said.
    pub lines: Vec<Line>,
    /// Dice and what they decided.
    pub rolls: Option<Vec<Roll>>,
    /// Tool calls and how they ended.
    pub calls: Option<Vec<Call>>,
    /// What was written down, noticed or announced beside the talk.
    pub notes: Option<Vec<Note>>,
    /// Model calls: when each was asked, by turn, and which notes its prompt showed.
    pub shown: Option<Vec<(u64, BTreeSet<u64>)>>,
    /// Tokens of each model call.
    pub spent: Option<Vec<Spent>>,
    /// What it was allowed to spend.
    pub allowance: Option<Allowance>,
    /// Turns of play in which something changed.
    pub eventful: Option<BTreeSet<u32>>,
    /// What the author of the campaign has written to be told where checks fail and where they are passed, scenes and endings
    /// included, in small letters, without marks: whoever tells it decides nothing.
    pub written: (Vec<String>, Vec<String>),
}

impl Transcript {
    /// Are these the author's words for a check that was passed, or that was not?
    pub(crate) fn is_written(&self, success: bool, sentence: &str) -> bool {
        let said = words(sentence).join(" ");
        let texts = if success { &self.written.1 } else { &self.written.0 };
        said.len() >= WRITTEN_BYTES_MIN && texts.iter().any(|text| text.contains(&said))
    }
}

/// The file of another program that a transcript was read from: people look there for what a finding cites.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFile {
    /// Its name.
    pub name: String,
    /// The line at which the record of each number begins.
    pub lines: BTreeMap<u64, u64>,
}

/// Somebody who speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Voice {
    /// What they are to the game.
    pub kind: Kind,
    /// What they are called in prose: the full name first, then shorter ones.
    pub names: Vec<String>,
}

/// What a voice is to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Tells the story and voices everybody whom no player plays.
    Narrator,
    /// Plays one character.
    Player,
    /// Takes no part: keeps memory, keeps the table.
    Other,
}

/// Where something was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Before the game began.
    Before,
    /// In the story, in front of everybody.
    Table,
    /// Apart from the others: a dialogue or a whisper.
    Apart,
}

/// Who could know a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everybody.
    All,
    /// These voices alone.
    Only(BTreeSet<String>),
}

impl Audience {
    /// Could this voice know it?
    pub fn includes(&self, voice: &str) -> bool {
        match self {
            Audience::All => true,
            Audience::Only(voices) => voices.contains(voice),
        }
    }
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Number of the event.
    pub number: u64,
    /// The turn.
    pub turn: u32,
    /// Whose words.
    pub voice: String,
    /// Where.
    pub channel: Channel,
    /// Who could know it.
    pub audience: Option<Audience>,
    /// The words.
    pub text: String,
}

/// What dice were for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollKind {
    /// A character tried something.
    Check,
    /// A character attacked.
    Attack,
    /// Something befell a character: a saving throw, initiative, morale.
    Defence,
    /// Nothing in particular.
    Dice,
}

/// Dice that fell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// Number of the event.
    pub number: u64,
    /// The turn.
    pub turn: u32,
    /// What for.
    pub kind: RollKind,
    /// Whose character rolled; none for the narrator's people, or where it was not recorded.
    pub roller: Option<String>,
    /// Who asked for the dice.
    pub asked_by: Option<String>,
    /// Whose dice they are as the record calls them, whether anybody plays them or not; empty where it names nobody.
    pub character: String,
    /// What a program was asked for that rolled: the tool and its arguments, as text.
    pub asked: String,
    /// Sides of each die, where all are of one kind.
    pub sides: Option<u16>,
    /// What the dice showed.
    pub faces: Vec<u16>,
    /// The sum, with whatever was added to the dice.
    pub total: Option<i64>,
    /// What had to be reached.
    pub difficulty: Option<i64>,
    /// Did it succeed?
    pub success: Option<bool>,
    /// Every number that this roll put before the table: faces, sums, what had to be reached, wounds.
    pub numbers: BTreeSet<i64>,
    /// As text.
    pub what: String,
}

/// A tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Number of the event.
    pub number: u64,
    /// The turn.
    pub turn: u32,
    /// Who called.
    pub voice: String,
    /// The tool.
    pub tool: String,
    /// Identifies a repeated call: a digest, or the arguments themselves.
    pub key: String,
    /// Was it accepted, or did it succeed?
    pub good: Option<bool>,
    /// Why not.
    pub why: String,
    /// What the tool answered, if that was recorded.
    pub answer: String,
}

/// What a note is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// A fact that was written down so that it would be known later.
    Fact,
    /// Something asked of the party.
    Quest,
    /// That which was asked is done: the words are the quest's.
    QuestDone,
    /// Something that a character noticed.
    Clue,
    /// Anything else that was put into words.
    Other,
}

/// A text beside the talk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Number of the event.
    pub number: u64,
    /// The turn.
    pub turn: u32,
    /// What it is.
    pub kind: NoteKind,
    /// Who could know it.
    pub audience: Audience,
    /// The words.
    pub text: String,
}

/// Tokens of one model call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Number of the answer.
    pub number: u64,
    /// The turn.
    pub turn: u32,
    /// Who was asked.
    pub voice: String,
    /// Tokens that were read.
    pub input: u64,
    /// Tokens that were written.
    pub output: u64,
}

/// What a campaign may spend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Turns.
    pub turns: u64,
    /// Model calls.
    pub calls: u64,
    /// Tokens, read and written.
    pub tokens: u64,
    /// The limit at which it ended, if one ended it.
    pub stopped: Option<Stop>,
}

/// A limit ended the campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Number of the event.
    pub number: u64,
    /// What was observed.
    pub observed: String,
}

impl Transcript {
    /// The kind of a voice; [`Kind::Other`] for one that never was introduced.
    pub fn kind(&self, voice: &str) -> Kind {
        self.voices.get(voice).map_or(Kind::Other, |voice| voice.kind)
    }

    /// What a voice is called in the story.
    pub fn name<'a>(&'a self, voice: &'a str) -> &'a str {
        self.voices.get(voice).and_then(|known| known.names.first()).map_or(voice, String::as_str)
    }

    /// The players, by name.
    pub fn players(&self) -> impl Iterator<Item = (&str, &Voice)> {
        let players = self.voices.iter().filter(|(_, voice)| voice.kind == Kind::Player);
        players.map(|(name, voice)| (name.as_str(), voice))
    }

    /// Lines of the game itself: what was said before it began is left out.
    pub fn play(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| line.channel != Channel::Before)
    }

    /// The last turn.
    pub fn last_turn(&self) -> u32 {
        self.lines.iter().map(|line| line.turn).max().unwrap_or(0)
    }
}
