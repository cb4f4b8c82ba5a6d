//! What an HTTP status other than 2xx means.

use serde_json::Value;
use twicetold_model::{Fault, FaultKind};

use crate::RetryHeaders;
use crate::classify::classify as by_status;

/// What an answer with this status means.
pub(crate) fn classify(status: u16, headers: &RetryHeaders<'_>, body: &str) -> Fault {
    let fault = by_status(status, headers, body);
    match fault.kind {
        FaultKind::Refused => {
            let body: Value = serde_json::from_str(body).unwrap_or_default();
            with_the_vendors_word(fault, &body["error"])
        }
        _ => fault,
    }
}

/// The vendor says more exactly in `type` what went wrong, and only in its message that nothing is paid for any more.
pub(super) fn with_the_vendors_word(mut fault: Fault, error: &Value) -> Fault {
    fault.kind = match error["type"].as_str() {
        _ if fault.message.to_lowercase().contains("credit balance is too low") => FaultKind::OutOfCredit,
        Some("authentication_error" | "permission_error") => FaultKind::Unauthorized,
        // More bytes than the server reads: nothing but a shorter prompt helps.
        Some("request_too_large") => FaultKind::ContextTooLong,
        _ => fault.kind,
    };
    fault
}
