//! A model call failed: again, later, or never. Decided here, so that a replay decides the same.

use twicetold_event::{
    CallAbandoned, CampaignPaused, Event, HistoryShortened, Millis, RetryScheduled, TurnEnd,
};
use twicetold_model::{Fault, FaultKind};
use twicetold_projection::prompt::told_bytes;
use twicetold_world::{PendingCall, Turn};

use super::memory;
use crate::question::is_guided;
use crate::table::{Next, Table};

/// A history that is shorter is not worth asking with: two or three messages.
const TOLD_BYTES_MIN: u32 = 1_000;

/// A pending call failed.
pub(crate) fn failed(table: &mut Table<'_>, pending: &PendingCall, fault: &Fault) -> Next {
    let limits = &table.state().setup().limits;
    let attempt = pending.failed + 1;
    let until = |wait: u64| Millis(table.at().0.saturating_add(wait));
    // A server that wants to be left alone for longer is asked again by whoever resumes.
    let too_long = fault.retry_after_ms.filter(|wait| *wait > limits.retry_wait_ms_max).map(until);
    let wordless = asks_for_words(table, pending, fault);
    if fault.kind.is_retryable() && !wordless && attempt < limits.attempts_max && too_long.is_none() {
        let doubled = limits.retry_first_ms.saturating_mul(1 << pending.failed.min(16));
        let doubled = doubled.min(limits.retry_wait_ms_max);
        // A server that says "at once" says so every time.
        let due = until(fault.retry_after_ms.map_or(doubled, |wait| wait.max(doubled)));
        table.emit(RetryScheduled { call: pending.call, attempt: attempt + 1, due, fault: fault.kind });
        return Next::Stop;
    }
    if fault.kind == FaultKind::ContextTooLong
        && let Some(bytes) = shorter(table, pending)
    {
        table.emit(HistoryShortened { call: pending.call, seat: pending.seat, bytes });
        return Next::Ask(pending.seat, pending.purpose);
    }
    let given_up = table.state().calls().abandoned + 1;
    // What the memory seat cannot do is done by rule.
    let is_outage = pending.purpose.is_turn() && (is_outage(fault) || too_long.is_some());
    if is_outage || given_up >= limits.abandoned_calls_max {
        // The call stays pending: a resumed campaign makes it once more.
        let reason = fault.message.clone();
        table.emit(CampaignPaused { fault: Some(fault.kind), reason, until: too_long });
        return Next::Stop;
    }
    table.emit(CallAbandoned { call: pending.call, fault: fault.kind });
    if wordless {
        return Next::Ask(pending.seat, pending.purpose);
    }
    if pending.purpose.is_turn() {
        return Next::EndTurn(TurnEnd::Abandoned);
    }
    memory::replied(table, pending.purpose, pending.call, None)
}

/// Pauses a campaign whose models have not said anything usable for many turns: it would go on so, and cost as much, to its last turn.
/// Called when the next seat has been asked, so that the call is made once somebody resumes.
pub(crate) fn pause_at_a_loss(table: &mut Table<'_>) {
    let (turns, most) =
        (table.state().calls().unusable_turns, table.state().setup().limits.abandoned_calls_max);
    let has_ended = |event: &Event| matches!(event, Event::TurnEnded(word) if word.why == TurnEnd::Unusable);
    if turns < most || !table.events().iter().any(has_ended) {
        return;
    }
    let rule = table.events().iter().find_map(|event| match event {
        Event::ReplyRejected(word) => Some(word.rule.clone()),
        _ => None,
    });
    let last = rule.map_or(String::new(), |rule| format!(", the last one by the rule {rule}"));
    let reason = format!("{turns} turns in a row{last}");
    table.emit(CampaignPaused { fault: Some(FaultKind::Unusable), reason, until: None });
}

/// Is the seat asked for words alone instead? A model that is asked the same with the same seed makes the same calls, which its server
/// cannot read. One that wrote unread calls where none were allowed is beyond that.
fn asks_for_words(table: &Table<'_>, pending: &PendingCall, fault: &Fault) -> bool {
    fault.kind == FaultKind::CallsUnread
        && pending.purpose.is_turn()
        && !table.state().turn().warned.contains(Turn::CALLS_UNREAD)
}

/// Half of the history that the call told, if that is worth asking with. The short prompts of guided models have no more to leave out.
fn shorter(table: &Table<'_>, pending: &PendingCall) -> Option<u32> {
    let asked = (pending.seat, pending.purpose);
    let (state, replies) = (table.state(), table.replies());
    if !pending.purpose.is_turn() || is_guided(state, pending.seat, pending.purpose) {
        return None;
    }
    let bytes = told_bytes(state, replies, asked) / 2;
    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    // Each time it has to become less, or a server that refuses everything would be asked for ever.
    let most = state.calls().shown.get(&pending.seat);
    (bytes >= TOLD_BYTES_MIN && most.is_none_or(|most| bytes < *most)).then_some(bytes)
}

/// Statuses of a server, or of a proxy before it, that does not answer anybody now: a restart, a model that is being loaded, too many guests.
const AWAY: [u16; 4] = [502, 503, 504, 529];

/// Faults that no other request would cure: time does, or a person has to act.
fn is_outage(fault: &Fault) -> bool {
    use FaultKind::*;
    match fault.kind {
        Server if fault.status.is_some_and(|status| AWAY.contains(&status)) => true,
        Unreachable | Timeout | Unauthorized | RateLimited | Refused | ContextTooLong | OutOfScript
        | Crashed | OutOfCredit | Unusable => true,
        Truncated | TooLarge | Server | Unreadable | ErrorInBody | NoChoices | CallsUnread => false,
    }
}
