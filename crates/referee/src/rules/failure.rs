//! What must not happen in an encounter: when it has happened, that the DM tells it, and that the encounter is lost then.

use twicetold_event::{Check, EncounterFailed, FailureStruck, Seat, Values};
use twicetold_projection::written;
use twicetold_world::State;

use super::encounter;
use crate::table::Table;

/// The goal of an encounter that is lost because nobody is left standing, where it names none for that.
const PARTY_DOWN: &str = "party-down";
/// Turns that the DM has to tell it, for a reply may be unusable.
const TELLING_TURNS_MAX: u32 = 3;

/// A failure that has happened is told in the DM's next turn; then the encounter is over.
pub(super) fn at_turn_end(table: &mut Table<'_>) {
    let Some(encounter) = table.state().encounter() else { return };
    let id = encounter.id.clone();
    let Some(struck) = encounter.struck.clone() else {
        if let Some((goal, label, reason)) = strikes(table.state()) {
            encounter::end_what_is_open(table, reason.clone());
            table.emit(FailureStruck { encounter: id, goal, label, reason });
        }
        return;
    };
    let turn = table.state().turn();
    let told = turn.seat == Some(Seat::Dm) && turn.messages > 0;
    if told || turn.number.saturating_sub(struck.turn) >= TELLING_TURNS_MAX {
        let messages = encounter.messages;
        table.emit(EncounterFailed { encounter: id, outcome: struck.goal, reason: struck.reason, messages });
    }
}

/// The first failure that has happened: the goal, what has happened, and why.
fn strikes(state: &State) -> Option<(String, String, Check)> {
    let (encounter, spec) = state.encounter().zip(state.encounter_spec())?;
    let is_down = is_party_down(state);
    let down = || is_down.then(|| Check::new("party_down"));
    // What its checks have brought about is told before time runs out.
    let is_won = spec.goals.iter().any(|goal| !goal.needs.is_empty() && encounter.has_achieved(&goal.needs));
    for goal in spec.goals.iter().filter(|goal| goal.failure) {
        let when = goal.strikes;
        let messages = when.messages.filter(|most| !is_won && encounter.messages >= *most);
        let checks = when.failed_checks.filter(|most| !is_won && encounter.failed >= *most);
        let reason = messages
            .map(|most| Check::new("clock").with("messages", encounter.messages).with("most", most))
            .or_else(|| {
                checks.map(|most| {
                    Check::new("failed_checks").with("failed", encounter.failed).with("most", most)
                })
            })
            .or_else(|| down().filter(|_| when.party_down));
        if let Some(reason) = reason {
            return Some((goal.id.clone(), goal.label.clone(), reason));
        }
    }
    let label = || written(state, "over.party_down", &Values::default());
    down().map(|reason| (PARTY_DOWN.to_owned(), label(), reason))
}

fn is_party_down(state: &State) -> bool {
    !state.characters().is_empty() && state.characters().values().all(|character| !character.stands())
}
