//! Model calls: the pending call and the costs.

use twicetold_event::family::Calls;
use twicetold_event::{CallId, Input, Millis, Purpose, limits};
use twicetold_model::FaultKind;

use super::Keep;
use crate::state::{Origin, PendingCall, State, Turn};

pub(super) fn evolve(state: &mut State, origin: Origin, event: Calls<'_>) -> Keep {
    match event {
        Calls::CallWithdrawn(_) => state.calls.pending = None,
        Calls::HistoryShortened(word) => {
            state.calls.pending = None;
            state.calls.shown.insert(word.seat, word.bytes);
        }
        Calls::ModelCallRequested(word) => {
            state.calls.next = CallId(word.call.0.saturating_add(1));
            let (call, seat, purpose, digest) = (word.call, word.seat, word.purpose, word.digest);
            state.calls.pending =
                Some(PendingCall { call, seat, purpose, digest, failed: 0, due: None, requested: origin });
        }
        Calls::RetryScheduled(word) => {
            if let Some(pending) = state.calls.pending.as_mut().filter(|pending| pending.call == word.call) {
                pending.failed = word.attempt.saturating_sub(1);
                pending.due = Some(word.due);
            }
        }
        Calls::CallAbandoned(word) => {
            if word.fault == FaultKind::CallsUnread {
                state.turn.warned.insert(Turn::CALLS_UNREAD.to_owned());
            }
            state.calls.pending = None;
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
            let Some(pending) = state.calls.pending.take_if(|pending| pending.call == word.call) else {
                return;
            };
            state.calls.abandoned = 0;
            let spent =
                state.calls.spent.entry((pending.seat, kind(pending.purpose).to_owned())).or_default();
            spent.calls = spent.calls.saturating_add(1);
            let counted = |tokens: u64| if tokens > limits::CALL_TOKENS_MAX { 0 } else { tokens };
            let add = |sum: &mut u64, tokens| *sum = sum.saturating_add(counted(tokens));
            add(&mut spent.input_tokens, word.usage.input_tokens);
            add(&mut spent.cached_tokens, word.usage.cached_tokens);
            add(&mut spent.output_tokens, word.usage.output_tokens);
            state.turn.rounds = state.turn.rounds.saturating_add(1);
        }
        Input::PersonAnswered(word)
            if state.calls.pending.take_if(|pending| pending.call == word.call).is_some() =>
        {
            state.turn.rounds = state.turn.rounds.saturating_add(1);
        }
        Input::ModelFailed(word) => {
            let Some(pending) = state.calls.pending.as_ref().filter(|pending| pending.call == word.call)
            else {
                return;
            };
            let bill = (pending.seat, kind(pending.purpose).to_owned());
            let spent = state.calls.spent.entry(bill).or_default();
            spent.failed = spent.failed.saturating_add(1);
        }
        Input::TimerFired(word) => {
            // The timer of an earlier attempt does not cut a later wait short.
            let waits =
                |pending: &&mut PendingCall| pending.call == word.call && pending.due == Some(word.due);
            if let Some(pending) = state.calls.pending.as_mut().filter(waits) {
                pending.due = None;
            }
        }
        Input::ResumeAsked(_) => {
            // Whoever resumes has looked: the calls given up before do not count against the ones to come.
            (state.calls.abandoned, state.calls.unusable_turns) = (0, 0);
            if let Some(pending) = state.calls.pending.as_mut() {
                (pending.due, pending.failed) = (None, 0);
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

/// Under which name the calls of a purpose are added up.
pub(crate) fn kind(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::SessionZero => "session zero",
        Purpose::Play => "play",
        Purpose::Summary { .. } => "summaries",
        Purpose::Dialogue => "dialogues",
        Purpose::DialogueSummary { .. } => "dialogue summaries",
        Purpose::Profile { .. } => "profiles",
    }
}
