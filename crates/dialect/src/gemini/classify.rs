//! What an HTTP status other than 2xx means.

use twicetold_model::{Fault, FaultKind};

use crate::RetryHeaders;
use crate::classify::classify as by_status;

/// What an answer with this status means.
pub(crate) fn classify(status: u16, headers: &RetryHeaders<'_>, body: &str) -> Fault {
    with_the_vendors_word(by_status(status, headers, body), body)
}

/// The vendor answers 400 to a wrong key and 429 when nothing is paid for any more: the rest is in its words.
pub(super) fn with_the_vendors_word(mut fault: Fault, error: &str) -> Fault {
    let message = fault.message.to_lowercase();
    fault.kind = match fault.kind {
        FaultKind::Refused | FaultKind::ErrorInBody
            if error.contains("API_KEY_INVALID") || message.contains("api key not valid") =>
        {
            FaultKind::Unauthorized
        }
        FaultKind::RateLimited if message.contains("credits are depleted") => FaultKind::OutOfCredit,
        kind => kind,
    };
    fault
}
