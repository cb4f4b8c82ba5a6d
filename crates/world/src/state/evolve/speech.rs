//! What is said to the table, and about it.

use twicetold_event::family::Speech;
use twicetold_event::{Audience, Channel, MessageSpoken, Phase, Seat, Text};

use super::Keep;
use crate::state::{Origin, State, Summary, Whisper};

pub(super) fn evolve(state: &mut State, origin: Origin, event: Speech<'_>) -> Keep {
    match event {
        Speech::MessageSpoken(word) => message_spoken(state, origin, word),
        Speech::SpeechCut(_) => {}
        Speech::SummaryWritten(word) => {
            let (to, text, fallback) = (word.to, word.text.clone(), word.fallback);
            state.history.summary = Some(Summary { to, text, fallback, origin });
            state.history.forget_before(to);
            return Keep::Nowhere;
        }
        Speech::NudgeGiven(word) => {
            state.table.nudged.insert(word.nudge as u8, state.turn.number);
        }
    }
    Keep::Here
}

fn message_spoken(state: &mut State, origin: Origin, word: &MessageSpoken) {
    let turn = state.turn.number;
    if let Channel::Whisper(from, to) = word.channel {
        // Nobody at the table heard anything.
        if let Text::Written(text) = &word.text {
            let text = text.clone();
            state.conversations.whispers.push(Whisper { from, to, text, origin });
        }
        return;
    }
    state.table.spoken.insert(word.seat);
    state.table.last_spoke.insert(word.seat, turn);
    state.table.apart.remove(&word.seat);
    state.turn.messages = state.turn.messages.saturating_add(1);
    if state.table.phase == Phase::Pitch && word.audience == Audience::All {
        state.session_zero.pitches.entry(word.seat).or_insert_with(|| word.text.clone());
    }
    if word.channel == Channel::Main {
        state.history.messages = state.history.messages.saturating_add(1);
        if let Some(encounter) = state.encounter.as_mut() {
            encounter.messages = encounter.messages.saturating_add(1);
            if word.seat == Seat::Dm {
                encounter.narrations = encounter.narrations.saturating_add(1);
            }
        }
    }
    if let (Channel::Dialogue(_), Seat::Dm) = (&word.channel, word.seat)
        && let Some(dialogue) = state.conversations.dialogue.as_mut()
    {
        dialogue.exchanges = dialogue.exchanges.saturating_add(1);
    }
}
