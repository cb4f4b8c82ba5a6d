//! Dialogues and whispers: what goes on beside the main story.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};
use twicetold_event::Seat;

use super::{Origin, State};

/// Everything that goes on beside the main story.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Conversations {
    /// The dialogue being held.
    pub dialogue: Option<Dialogue>,
    /// Dialogues so far.
    pub begun: u32,
    /// As if a later build had added it.
    #[cfg(feature = "new-field")]
    pub new_field: Option<u32>,
    /// Dialogues of the encounter being played.
    pub in_encounter: u32,
    /// The turn in which the last one ended.
    pub ended_turn: u32,
    /// Pending work of the memory agent, oldest first.
    pub pending: VecDeque<Pending>,
    /// Whispers, oldest first.
    pub whispers: Vec<Whisper>,
}

/// A dialogue being held.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Dialogue {
    /// Its number in the campaign.
    pub number: u32,
    /// The character of the DM's.
    pub npc: String,
    /// The player who began it.
    pub partner: Seat,
    /// The players who are part of it, each with where it joined.
    pub joined: BTreeMap<Seat, Origin>,
    /// Other players who are near enough to join in.
    pub present: BTreeSet<Seat>,
    /// Answers of the character so far.
    pub exchanges: u32,
    /// Where it began.
    pub began: Origin,
}

/// A request for the memory agent, made at a turn's end.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Pending {
    /// What is kept of a dialogue.
    DialogueSummary {
        /// Its number.
        dialogue: u32,
        /// The character of the DM's.
        npc: String,
        /// The players who were part of it.
        seats: Vec<Seat>,
    },
    /// A profile of a character.
    Profile {
        /// Its id.
        npc: String,
    },
}

/// Something said from one seat to another.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Whisper {
    /// Who.
    pub from: Seat,
    /// To whom.
    pub to: Seat,
    /// What.
    pub text: String,
    /// Where.
    pub origin: Origin,
}

/// A part of a talk as its author wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange<'a> {
    /// What a player may say.
    pub asked: &'a str,
    /// What the character of the DM's says to it.
    pub said: [&'a str; 2],
    /// Is the talk over then?
    pub is_last: bool,
}

impl State {
    /// What comes next in the dialogue being held, as it is written: who somebody is and what they want; then what they fear, and that is the
    /// end. After a check with them has passed it is at once what they tell nobody before.
    pub fn exchange(&self) -> Option<Exchange<'_>> {
        let (dialogue, spec, encounter) = (self.dialogue()?, self.encounter_spec()?, self.encounter()?);
        let npc = spec.npcs.iter().find(|npc| npc.id == dialogue.npc)?;
        let (says, asked) = (&npc.says, &npc.asked);
        let mut theirs = spec.checks.iter().filter(|check| check.person.as_ref() == Some(&dialogue.npc));
        let trusts = theirs.any(|check| encounter.achieved.contains_key(&check.name));
        let (asked, said, is_last) = match dialogue.exchanges {
            _ if trusts => (&asked.tells, [&says.tells, &says.parts], true),
            0 => (&asked.wants, [&says.greets, &says.wants], false),
            _ => (&asked.fears, [&says.fears, &says.parts], true),
        };
        Some(Exchange { asked: asked.trim(), said: said.map(|said| said.trim()), is_last })
    }
}
