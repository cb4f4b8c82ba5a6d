//! A player and one of the DM's characters apart from the others.

use twicetold_event::family::Dialogue as Talk;
use twicetold_event::{Event, Seat};

use super::{Keep, remember};
use crate::state::{Dialogue, Origin, PastDialogue, Pending, State};

pub(super) fn evolve(state: &mut State, origin: Origin, talk: Talk<'_>, event: &Event) -> Keep {
    match talk {
        Talk::DialogueBegan(word) => {
            state.conversations.begun = word.dialogue;
            state.conversations.in_encounter = state.conversations.in_encounter.saturating_add(1);
            state.conversations.dialogue = Some(Dialogue {
                number: word.dialogue,
                npc: word.npc.clone(),
                partner: word.seat,
                joined: [(word.seat, origin)].into(),
                present: word.present.iter().copied().collect(),
                exchanges: 0,
                began: origin,
            });
            Keep::Main
        }
        Talk::DialogueJoined(word) => {
            if let Some(dialogue) = state.conversations.dialogue.as_mut() {
                dialogue.joined.insert(word.seat, origin);
                dialogue.present.remove(&word.seat);
            }
            Keep::Here
        }
        Talk::DialogueEnded(_) => {
            // Both histories tell of the end: the dialogue's own, and the one that goes on.
            remember(state, origin, event, 0);
            ended(state, origin);
            Keep::Main
        }
        Talk::DialogueSummarised(word) => {
            state.conversations.pending.pop_front();
            if let Some(past) = state
                .npcs
                .get_mut(&word.npc)
                .and_then(|npc| npc.dialogues.iter_mut().rev().find(|past| past.number == word.dialogue))
            {
                past.text = Some(word.text.clone());
                past.origin = origin;
            }
            Keep::Main
        }
        Talk::FactLearned(word) => {
            if let Some(npc) = state.npcs.get_mut(&word.npc) {
                npc.learned.push((origin, word.text.clone()));
            }
            Keep::Main
        }
    }
}

fn ended(state: &mut State, origin: Origin) {
    let Some(dialogue) = state.conversations.dialogue.take() else { return };
    state.conversations.ended_turn = state.turn.number;
    let seats: Vec<Seat> = dialogue.joined.into_keys().collect();
    if let Some(npc) = state.npcs.get_mut(&dialogue.npc) {
        let (number, seats) = (dialogue.number, seats.clone());
        npc.dialogues.push(PastDialogue { number, seats, text: None, origin });
    }
    if dialogue.exchanges > 0 {
        let (dialogue, npc) = (dialogue.number, dialogue.npc);
        state.conversations.pending.push_back(Pending::DialogueSummary { dialogue, npc, seats });
    }
}
