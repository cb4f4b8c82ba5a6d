//! Dialogues: a player and a character of the DM's alone with each other, apart from the main story.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::samples::events::{campaign_queries, dialogue_ends, each, memory_queries};
use crate::{Answer, CallId, CampaignQueried, Event, MemoryQueried, Seat, Text};

family! {
    ($) dialogue
    /// A player and one of the DM's characters apart from the others.
    Dialogue {
        134 v 1 DialogueBegan: all, story, [];
        135 v 1 DialogueJoined: all, story, [];
        136 v 1 DialogueEnded: all, story, [];
        137 v 1 DialogueSummarised: those_who_talked, story, [text];
        138 v 1 FactLearned: dm, story, [text];
    }
}

/// A dialogue began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DialogueBegan {
    /// Its number in the campaign, counted from 1.
    pub dialogue: u32,
    /// The character of the DM's.
    pub npc: String,
    /// The player who speaks with it.
    pub seat: Seat,
    /// The other players who are near enough to join in.
    pub present: Vec<Seat>,
}

/// Another player joined a dialogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DialogueJoined {
    /// Which dialogue.
    pub dialogue: u32,
    /// Who.
    pub seat: Seat,
}

/// Why a dialogue ended. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum DialogueEnd {
    /// The character ended it.
    Tool,
    /// It had as many exchanges as a dialogue may have.
    ExchangeLimit,
    /// The encounter ended, or the campaign.
    EncounterOver,
    /// Of the party, nobody who is part of it can say anything any more.
    NobodyAble,
}

/// A dialogue ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DialogueEnded {
    /// Which dialogue.
    pub dialogue: u32,
    /// The character of the DM's.
    pub npc: String,
    /// Why.
    pub why: DialogueEnd,
    /// Answers of the character.
    pub exchanges: u32,
}

/// A dialogue as a few sentences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DialogueSummarised {
    /// Which dialogue.
    pub dialogue: u32,
    /// The character of the DM's.
    pub npc: String,
    /// The players who were part of it.
    pub seats: Vec<Seat>,
    /// The words.
    pub text: Text,
    /// Written by the referee because no model did.
    pub fallback: bool,
}

/// A character learned something of the party that it will not forget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FactLearned {
    /// In which dialogue.
    pub dialogue: u32,
    /// Who.
    pub npc: String,
    /// What.
    pub text: Text,
}

/// Samples of every event here.
pub(crate) fn samples() -> Vec<Event> {
    let npc = || String::from("old-mara");
    let mut events = vec![
        DialogueBegan { dialogue: 130, npc: npc(), seat: Seat::Player(1), present: vec![Seat::Player(2)] }
            .into(),
        DialogueJoined { dialogue: 130, seat: Seat::Player(2) }.into(),
        DialogueSummarised {
            dialogue: 130,
            npc: npc(),
            seats: vec![Seat::Player(1), Seat::Player(2)],
            text: Text::Reply { call: CallId(300), start: 5, end: 1_200 },
            fallback: true,
        }
        .into(),
        FactLearned { dialogue: 130, npc: npc(), text: Text::Written("Brannoc cannot swim.".into()) }.into(),
    ];
    events.extend(each(dialogue_ends(), |why| DialogueEnded {
        dialogue: 130,
        npc: npc(),
        why,
        exchanges: 7,
    }));
    events.extend(each(memory_queries(), |query| MemoryQueried {
        seat: Seat::Player(1),
        query,
        text: "oath".into(),
        answer: vec![
            Answer::new("events"),
            Answer::new("event").with("number", 1).with("text", "The oath was sworn."),
        ],
    }));
    events.extend(each(campaign_queries(), |query| CampaignQueried {
        seat: Seat::Player(1),
        query,
        id: "old-mara".into(),
        answer: vec![Answer::new("npc").with("name", "Old Mara").with("role", "ferrywoman")],
    }));
    events
}
