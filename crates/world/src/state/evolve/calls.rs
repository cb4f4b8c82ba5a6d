//! Model calls: the pending call and the costs.

use twicetold_event::family::Calls;
use twicetold_event::{CallId, Input, Millis, Purpose};

use super::Keep;
use crate::state::{Origin, Owed, State};

pub(super) fn evolve(state: &mut State, origin: Origin, event: Calls<'_>) -> Keep {
    match event {
        Calls::CallWithdrawn(_) => state.calls.owed = None,
        Calls::ModelCallRequested(word) => {
            state.calls.next = CallId(word.call.0.saturating_add(1));
            let (call, seat, purpose, digest) = (word.call, word.seat, word.purpose, word.digest);
            state.calls.owed =
                Some(Owed { call, seat, purpose, digest, failed: 0, due: None, requested: origin });
        }
        Calls::RetryScheduled(word) => {
            if let Some(owed) = state.calls.owed.as_mut().filter(|owed| owed.call == word.call) {
                owed.failed = word.attempt.saturating_sub(1);
                owed.due = Some(word.due);
            }
        }
        Calls::CallAbandoned(_) => {
            state.calls.owed = None;
            state.calls.abandoned = state.calls.abandoned.saturating_add(1);
        }
        Calls::ReplyIgnored(_) => {}
        Calls::ReplyRejected(_) => {
            state.turn.unusable = state.turn.unusable.saturating_add(1);
            return Keep::Here;
        }
    }
    Keep::Nowhere
}

/// The input of an entry: updates the clock and the pending call, before any event.
pub(crate) fn receive(state: &mut State, at: Millis, input: &Input) {
    state.at = at;
    match input {
        Input::ModelReplied(word) => {
            let Some(owed) = state.calls.owed.take_if(|owed| owed.call == word.call) else { return };
            state.calls.abandoned = 0;
            let spent = state.calls.spent.entry((owed.seat, kind(owed.purpose).to_owned())).or_default();
            spent.calls = spent.calls.saturating_add(1);
            spent.input_tokens = spent.input_tokens.saturating_add(word.usage.input_tokens);
            spent.cached_tokens = spent.cached_tokens.saturating_add(word.usage.cached_tokens);
            spent.output_tokens = spent.output_tokens.saturating_add(word.usage.output_tokens);
            state.turn.rounds = state.turn.rounds.saturating_add(1);
        }
        Input::PersonAnswered(word) if state.calls.owed.take_if(|owed| owed.call == word.call).is_some() => {
            state.turn.rounds = state.turn.rounds.saturating_add(1);
        }
        Input::ModelFailed(word) => {
            let Some(owed) = state.calls.owed.as_ref().filter(|owed| owed.call == word.call) else { return };
            let bill = (owed.seat, kind(owed.purpose).to_owned());
            let spent = state.calls.spent.entry(bill).or_default();
            spent.failed = spent.failed.saturating_add(1);
        }
        Input::TimerFired(word) => {
            // The timer of an earlier attempt does not cut a later wait short.
            let waits = |owed: &&mut Owed| owed.call == word.call && owed.due == Some(word.due);
            if let Some(owed) = state.calls.owed.as_mut().filter(waits) {
                owed.due = None;
            }
        }
        Input::ResumeAsked(_) => {
            // Whoever resumes has looked: the calls given up before do not count against the ones to come.
            state.calls.abandoned = 0;
            if let Some(owed) = state.calls.owed.as_mut() {
                (owed.due, owed.failed) = (None, 0);
            }
        }
        // Answered by somebody else before, or of no concern before something is decided.
        Input::PersonAnswered(_)
        | Input::OpeningAsked(_)
        | Input::PauseAsked(_)
        | Input::SeatAsked(_)
        | Input::AmendmentAsked(_)
        | Input::ForkAsked(_)
        | Input::ForeignLine(_)
        | Input::Unknown(_) => {}
    }
}

fn kind(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::SessionZero => "session zero",
        Purpose::Play => "play",
        Purpose::Summary { .. } => "summaries",
        Purpose::Dialogue => "dialogues",
        Purpose::DialogueSummary { .. } => "dialogue summaries",
        Purpose::Profile { .. } => "profiles",
    }
}
