//! A transcript of another program: what its lines say, as far as they say it. No rule decided any of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use twicetold_model::Usage;

use crate::Event;
use crate::samples::events::{each, foreign_parts, foreign_roles};

family! {
    ($) foreign
    /// Transcripts of other programs.
    Foreign {
        230 v 1 ForeignOpened: all, story, [];
        231 v 1 ForeignSpoke: dm, story, [];
        232 v 1 ForeignCalled: dm, story, [];
        233 v 1 ForeignAnswered: dm, story, [];
        234 v 1 ForeignRolled: dm, story, [];
        235 v 1 ForeignPassedOver: dm, aside, [];
    }
}

/// What a foreign transcript tells of. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForeignPart {
    /// Tool calls and how they ended.
    Calls,
    /// Dice.
    Rolls,
    /// Tokens.
    Usage,
    /// Who could hear what.
    Audience,
}

/// The journal holds a transcript that another program wrote: it is read, never played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForeignOpened {
    /// The name of the file that it was read from.
    pub file: String,
    /// The name of the mapping by which it was read; the charter holds the mapping.
    pub format: String,
    /// What it tells of beside words, in order. All else is not recorded.
    pub parts: Vec<ForeignPart>,
}

/// What a foreign speaker is to the game. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForeignRole {
    /// Tells the story.
    Narrator,
    /// Plays a character.
    Player,
    /// Takes no part in it.
    Other,
}

/// Somebody said something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForeignSpoke {
    /// Who, as written.
    pub speaker: String,
    /// What they are to the game.
    pub role: ForeignRole,
    /// Who could hear it, as written; none where that was not recorded. An empty list is everybody.
    pub audience: Option<Vec<String>>,
    /// The words; empty where there were none.
    pub text: String,
    /// Tokens, if they were recorded.
    pub usage: Option<Usage>,
}

/// Somebody called a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForeignCalled {
    /// Who, as written.
    pub speaker: String,
    /// The call's own id; empty where it has none.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// Its arguments, as written.
    pub arguments: String,
}

/// Dice as a foreign tool's answer tells of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForeignRoll {
    /// Whose they are, as written; empty where that was not recorded.
    pub character: String,
    /// As asked, for example `1d20`; empty where that was not recorded.
    pub dice: String,
    /// What each die showed; empty where that was not recorded.
    pub faces: Vec<u16>,
    /// The sum.
    pub total: Option<i64>,
    /// What had to be reached.
    pub difficulty: Option<i64>,
    /// Was it?
    pub success: Option<bool>,
}

/// A tool answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForeignAnswered {
    /// The id of the call that it answers; empty where that was not recorded.
    pub id: String,
    /// The answer, as written.
    pub text: String,
    /// Did the call fail? None where that was not recorded.
    pub failed: Option<bool>,
    /// The dice that it tells of, if any.
    pub roll: Option<ForeignRoll>,
}

/// A speaker's words tell of dice: where no tool rolled them, the words are the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForeignRolled {
    /// Who told of them, as written.
    pub speaker: String,
    /// The dice.
    pub roll: ForeignRoll,
}

/// A record has something that was not taken into the transcript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForeignPassedOver {
    /// What it is, for example `thinking`.
    pub what: String,
    /// Why it was not taken.
    pub why: String,
    /// How many of it the record has.
    pub times: u32,
}

/// Samples of every event here.
pub(crate) fn samples() -> Vec<Event> {
    let mut events = vec![
        ForeignOpened { file: "night.jsonl".into(), format: "autogen".into(), parts: foreign_parts() }.into(),
        ForeignCalled {
            speaker: "dm".into(),
            id: "call_1".into(),
            tool: "roll".into(),
            arguments: "{\"dice\":\"1d20\"}".into(),
        }
        .into(),
        ForeignAnswered {
            id: "call_1".into(),
            text: "{\"total\":300}".into(),
            failed: Some(true),
            roll: Some(ForeignRoll {
                character: "Ada".into(),
                dice: "1d20".into(),
                faces: vec![11, 300],
                total: Some(-300),
                difficulty: Some(300),
                success: Some(true),
            }),
        }
        .into(),
        ForeignRolled {
            speaker: "dm".into(),
            roll: ForeignRoll { dice: "1d20".into(), faces: vec![300], ..ForeignRoll::default() },
        }
        .into(),
        ForeignPassedOver { what: "thinking".into(), why: "not said at the table".into(), times: 300 }.into(),
    ];
    events.extend(each(foreign_roles(), |role| ForeignSpoke {
        speaker: "dm".into(),
        role,
        audience: Some(vec!["Ada".into()]),
        text: "The door is open.".into(),
        usage: Some(Usage {
            input_tokens: 4_000,
            cached_tokens: 3_000,
            output_tokens: 200,
            ..Usage::default()
        }),
    }));
    events
}
