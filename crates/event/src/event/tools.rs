//! Tool calls: accepted calls with their checks, rejected calls with the rule, and dice rolls.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::samples::events::{details, each};
use crate::{CallId, Event, Seat};

family! {
    ($) tools
    /// Tool calls, dice, and what was looked up.
    Tools {
        150 v 1 ToolAccepted: all, story, [] keeps call;
        151 v 1 ToolRejected: all, story, [] keeps call;
        152 v 1 DiceRolled: all, story, [];
        153 v 1 AbilityChecked: all, story, [];
        154 v 1 RulesLookedUp: all, story, [];
        155 v 1 RulesSearched: all, story, [];
        156 v 1 MemoryQueried: who_asked_memory, story, [];
        157 v 1 CampaignQueried: who_asked_campaign, story, [];
        158 v 1 MoveChosen: who_chose, story, [];
        159 v 1 EvidenceCited: dm, story, [];
        190 v 1 ItemUsed: all, story, [];
    }
}

/// What a rule observed, by names that texts know. Numbers, names and words of a model: sentences are the texts' affair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Values(pub Vec<(String, String)>);

impl Values {
    /// Adds a value.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl ToString) -> Values {
        self.0.push((name.to_owned(), value.to_string()));
        self
    }

    /// Adds words that somebody else wrote, on one line, as they stand between quotation marks.
    #[must_use]
    pub fn quoting(self, name: &str, words: &str) -> Values {
        let quoted = format!("{words:?}");
        self.with(name, &quoted[1..quoted.len() - 1])
    }

    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A rule and what it observed: a check that an effect passed, what is wrong with a sheet, or why something is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// The rule, for example `dynamic_goals_max`.
    pub rule: String,
    /// What was observed, for example `registered` 1, `most` 2.
    pub values: Values,
}

impl Check {
    /// A check by `rule`, which observed nothing yet.
    pub fn new(rule: &str) -> Check {
        Check { rule: rule.to_owned(), values: Values::default() }
    }

    /// Adds what was observed.
    #[must_use]
    pub fn with(self, name: &str, value: impl ToString) -> Check {
        Check { values: self.values.with(name, value), ..self }
    }

    /// Adds words that somebody else wrote.
    #[must_use]
    pub fn quoting(self, name: &str, words: &str) -> Check {
        Check { values: self.values.quoting(name, words), ..self }
    }
}

/// For whom no better words are at hand: `rule: name value, name value`.
impl std::fmt::Display for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.rule, self.values)
    }
}

impl std::fmt::Display for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (place, (name, value)) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{name} {value}")?;
        }
        Ok(())
    }
}

/// A tool call was accepted; the events after this one are its effects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolAccepted {
    /// The reply.
    pub call: CallId,
    /// Which of its tool calls, counted from 0.
    pub index: u16,
    /// The tool.
    pub tool: String,
    /// Digest of the tool's name and arguments, to know the same call again.
    pub fingerprint: u64,
    /// What it passed, in order.
    pub checks: Vec<Check>,
    /// How many events after this one are its effects.
    pub effects: u16,
}

/// A tool call was rejected; nothing changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolRejected {
    /// The reply.
    pub call: CallId,
    /// Which of its tool calls, counted from 0.
    pub index: u16,
    /// The tool as the model named it, shortened.
    pub tool: String,
    /// Digest of the tool's name and arguments, to know the same call again.
    pub fingerprint: u64,
    /// The rule, for example `not_offered`.
    pub rule: String,
    /// What was observed.
    pub values: Values,
}

/// A model that is guided chose one of the moves that it was offered. The engine makes the tool call of a move: what the state knows it
/// fills in itself, and what must be said it asks for in a further request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MoveChosen {
    /// Who chose.
    pub seat: Seat,
    /// The reply.
    pub call: CallId,
    /// The move, as it was offered.
    pub key: String,
    /// What the model said it wants.
    pub intent: String,
    /// The tool that the move uses; empty when it only speaks.
    pub tool: String,
    /// The arguments of the tool call as JSON, as far as they are known.
    pub arguments: String,
    /// Is nothing left to be filled in? Then the tool call is made.
    pub complete: bool,
}

/// What shows that the effects of a tool call are right: what the model itself points to, checked by the referee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceCited {
    /// What happened, in the order in which the model names it.
    pub evidence: Vec<Evidence>,
    /// Does it all exist? What is not supported counts all the same: the model was asked once before.
    pub supported: bool,
}

/// Something that happened in an encounter and can be cited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Its label, as the DM's prompts show it: counted from 1 in each encounter.
    pub label: u32,
    /// The reply that it came from.
    pub call: CallId,
}

/// Dice were rolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiceRolled {
    /// The character who rolls; empty for the DM.
    pub character: String,
    /// As asked, for example `2d6+1`.
    pub dice: String,
    /// The stream that the faces come from.
    pub stream: String,
    /// Which draw of that stream: its counter.
    pub counter: u32,
    /// What each die showed, in order.
    pub faces: Vec<u16>,
    /// The sum with the modifier.
    pub total: i32,
    /// What for.
    pub reason: String,
}

/// A character tried something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AbilityChecked {
    /// Who.
    pub character: String,
    /// Name of the encounter's skill check; empty for a plain check.
    pub check: String,
    /// The ability.
    pub ability: String,
    /// The stream that the faces come from.
    pub stream: String,
    /// Which draw of that stream: its counter.
    pub counter: u32,
    /// What the dice showed.
    pub faces: Vec<u16>,
    /// The ability's modifier.
    pub modifier: i32,
    /// Faces and modifier.
    pub total: i32,
    /// What had to be reached.
    pub difficulty: i32,
    /// Was it reached?
    pub success: bool,
    /// What for.
    pub reason: String,
}

/// How much of a rule is shown. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Detail {
    /// One or two sentences.
    Summary,
    /// The numbers.
    Stats,
    /// Everything.
    Full,
}

/// A page of the rules was read. The reader is shown the page of the charter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RulesLookedUp {
    /// Its path.
    pub path: String,
    /// How much of it.
    pub detail: Detail,
}

/// The rules were searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RulesSearched {
    /// The words.
    pub query: String,
    /// Paths found, best first.
    pub paths: Vec<String>,
}

/// Samples of every event here.
pub(crate) fn samples() -> Vec<Event> {
    let check = Check::new("dynamic_goals_max").with("registered", 1).with("most", 2);
    let mut events = vec![
        ToolAccepted {
            call: CallId(300),
            index: 1,
            tool: "goal_register".into(),
            fingerprint: 0xfedc_ba98_7654_3210,
            checks: vec![check],
            effects: 3,
        }
        .into(),
        ToolRejected {
            call: CallId(300),
            index: 2,
            tool: "start_combat".into(),
            fingerprint: 0x0123_4567_89ab_cdef,
            rule: "not_offered".into(),
            values: Values::default().with("mode", "play").with("offered", ""),
        }
        .into(),
        MoveChosen {
            seat: Seat::Player(2),
            call: CallId(300),
            key: "pick the lock".into(),
            intent: "to get in".into(),
            tool: "ability_check".into(),
            arguments: "{}".into(),
            complete: true,
        }
        .into(),
        EvidenceCited { evidence: vec![Evidence { label: 7, call: CallId(300) }], supported: true }.into(),
        DiceRolled {
            character: "Brannoc".into(),
            dice: "2d6-9".into(),
            stream: "player-2 roll".into(),
            counter: 7,
            faces: vec![4, 300],
            total: -2,
            reason: "the leap".into(),
        }
        .into(),
        AbilityChecked {
            character: "Brannoc".into(),
            check: "Read the ledger".into(),
            ability: "WIT".into(),
            stream: "player-2 check Read the ledger".into(),
            counter: 8,
            faces: vec![11, 17],
            modifier: -1,
            total: 16,
            difficulty: 13,
            success: true,
            reason: "the ink".into(),
        }
        .into(),
        RulesSearched { query: "grapple".into(), paths: vec!["combat/grapple".into(), "combat".into()] }
            .into(),
    ];
    events.extend(each(details(), |detail| RulesLookedUp { path: "combat/grapple".into(), detail }));
    events
}
