//! A model call failed: again, later, or never. Decided here, so that a replay decides the same.

use twicetold_event::{CallAbandoned, CampaignPaused, Millis, RetryScheduled, TurnEnd};
use twicetold_model::{Fault, FaultKind};
use twicetold_world::PendingCall;

use super::memory;
use crate::table::{Next, Table};

/// A pending call failed.
pub(crate) fn failed(table: &mut Table<'_>, pending: &PendingCall, fault: &Fault) -> Next {
    let limits = &table.state().setup().limits;
    let attempt = pending.failed + 1;
    let until = |wait: u64| Millis(table.at().0.saturating_add(wait));
    // A server that wants to be left alone for longer is asked again by whoever resumes.
    let too_long = fault.retry_after_ms.filter(|wait| *wait > limits.retry_wait_ms_max).map(until);
    if fault.kind.is_retryable() && attempt < limits.attempts_max && too_long.is_none() {
        let doubled = limits.retry_first_ms.saturating_mul(1 << pending.failed.min(16));
        let due = until(fault.retry_after_ms.unwrap_or(doubled.min(limits.retry_wait_ms_max)));
        table.emit(RetryScheduled { call: pending.call, attempt: attempt + 1, due, fault: fault.kind });
        return Next::Stop;
    }
    let given_up = table.state().calls().abandoned + 1;
    if is_outage(fault.kind) || too_long.is_some() || given_up >= limits.abandoned_calls_max {
        // The call stays pending: a resumed campaign makes it once more.
        let reason = fault.message.clone();
        table.emit(CampaignPaused { fault: Some(fault.kind), reason, until: too_long });
        return Next::Stop;
    }
    table.emit(CallAbandoned { call: pending.call, fault: fault.kind });
    if pending.purpose.is_turn() {
        return Next::EndTurn(TurnEnd::Abandoned);
    }
    memory::replied(table, pending.purpose, pending.call, None)
}

/// Faults that no other request would cure: a person has to act.
fn is_outage(kind: FaultKind) -> bool {
    use FaultKind::*;
    match kind {
        Unreachable | Timeout | Unauthorized | RateLimited | Refused | ContextTooLong | OutOfScript
        | Crashed | OutOfCredit => true,
        Truncated | TooLarge | Server | Unreadable | ErrorInBody | NoChoices => false,
    }
}
