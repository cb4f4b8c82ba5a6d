//! The campaign's life, who sits where, whose turn it is.

use twicetold_event::family::Table;
use twicetold_event::{Seat, SpeakerRule, TurnEnd};

use super::Keep;
use crate::state::{Choice, Life, Origin, State, Turn};

/// The tool with which a goal is registered.
const GOAL_TOOL: &str = "goal_register";

pub(super) fn evolve(state: &mut State, origin: Origin, event: Table<'_>) -> Keep {
    match event {
        Table::CampaignOpened(_) | Table::CampaignResumed(_) => state.life = Life::Running,
        Table::CampaignPaused(word) => {
            state.life = Life::Paused { fault: word.fault, reason: word.reason.clone(), until: word.until }
        }
        Table::CampaignEnded(word) => {
            state.life = Life::Ended { ending: word.ending, reason: word.reason.clone() };
            state.calls.pending = None;
        }
        // The executor puts the new setup in place: contents are no part of an event.
        // Another model may have a larger window, and other habits.
        Table::CharterAmended(word) if word.path == "seats.toml" => {
            state.calls.shown.clear();
            state.calls.repeats_lookups.clear();
            state.calls.repeats_checks.clear();
        }
        Table::CharterAmended(_) => {}
        Table::CampaignForked(_) => {
            state.life = Life::Running;
            (state.calls.abandoned, state.calls.unusable_turns) = (0, 0);
            if let Some(pending) = state.calls.pending.as_mut() {
                (pending.due, pending.failed) = (None, 0);
            }
        }
        Table::SeatTaken(word) => {
            state.table.people.insert(word.seat, word.person.clone());
        }
        Table::SeatReleased(word) => {
            state.table.people.remove(&word.seat);
        }
        Table::TurnBegan(word) => {
            let before = state.turn.choice.clone();
            *state.turn =
                Turn { number: word.turn, seat: Some(word.seat), before, began: origin, ..Turn::default() };
            stay_apart(state);
        }
        Table::TurnEnded(word) => {
            match word.why {
                TurnEnd::Unusable => {
                    state.calls.unusable_turns = state.calls.unusable_turns.saturating_add(1);
                    let plans = |choice: &Choice| choice.tool == GOAL_TOOL;
                    if state.turn.choice.as_ref().is_some_and(plans)
                        && let Some(encounter) = state.encounter.as_mut()
                    {
                        encounter.unplanned = encounter.unplanned.saturating_add(1);
                    }
                }
                TurnEnd::Abandoned => {}
                TurnEnd::Spoken | TurnEnd::Tool | TurnEnd::RoundLimit => state.calls.unusable_turns = 0,
            }
            turn_ended(state);
        }
        // Who was passed over has to know why.
        Table::SpeakerChosen(word) if word.rule == SpeakerRule::Overdue => return Keep::Here,
        Table::SpeakerChosen(_) | Table::StateDigested(_) => {}
    }
    Keep::Nowhere
}

fn turn_ended(state: &mut State) {
    let Some(seat) = state.turn.seat else { return };
    if seat == Seat::Dm {
        state.table.rounds = state.table.rounds.saturating_add(1);
        if let Some(encounter) = state.encounter.as_mut() {
            encounter.recent_checks.clear();
        }
    } else {
        // A mute turn is a turn: the seat was asked.
        state.table.last_spoke.insert(seat, state.turn.number);
        state.table.apart.remove(&seat);
    }
}

/// The players who are no part of the dialogue being held do not wait while it goes on.
fn stay_apart(state: &mut State) {
    let Some(dialogue) = state.conversations.dialogue.as_ref() else { return };
    for other in state.setup.players().filter(|other| !dialogue.joined.contains_key(other)) {
        *state.table.apart.entry(other).or_default() += 1;
    }
}
