//! A model call failed: again, later, or never. Decided here, so that a replay decides the same.

use twicetold_event::*;
use twicetold_model::{Fault, FaultKind};
use twicetold_world::Owed;

use crate::Campaign;

impl Campaign {
    /// An owed call failed.
    pub(crate) fn failed(&mut self, owed: &Owed, fault: &Fault) {
        let limits = &self.state.setup().limits;
        let attempt = owed.failed + 1;
        if fault.kind.is_retryable() && attempt < limits.attempts_max {
            let doubled = limits.retry_first_ms.saturating_mul(1 << owed.failed.min(16));
            let wait = fault.retry_after_ms.unwrap_or(doubled).min(limits.retry_wait_ms_max);
            let due = Millis(self.step.at.0.saturating_add(wait));
            self.emit(RetryScheduled { call: owed.call, attempt: attempt + 1, due, fault: fault.kind });
            return;
        }
        let given_up = self.state.calls().abandoned + 1;
        if is_outage(fault.kind) || given_up >= limits.abandoned_calls_max {
            // The call stays owed: who resumes the campaign asks once more.
            self.emit(CampaignParked { fault: Some(fault.kind), reason: fault.message.clone() });
            return;
        }
        self.emit(CallAbandoned { call: owed.call, fault: fault.kind });
        match owed.purpose {
            Purpose::Summary { to, .. } => self.summary_abandoned(to),
            Purpose::DialogueSummary { .. } => self.dialogue_summarised(owed.call, None),
            Purpose::Profile { .. } => self.profiled(owed.call, None),
            Purpose::SessionZero | Purpose::Play | Purpose::Dialogue => self.end_turn(TurnEnd::Abandoned),
        }
    }
}

/// Faults that no other request would mend: somebody has to.
fn is_outage(kind: FaultKind) -> bool {
    use FaultKind::*;
    match kind {
        Unreachable | Timeout | Unauthorized | RateLimited | Refused | ContextTooLong | OutOfScript
        | Crashed => true,
        Truncated | TooLarge | Server | Unreadable | ErrorInBody | NoChoices => false,
    }
}
