//! What an HTTP status other than 2xx means.

use twicetold_model::{Fault, FaultKind};

use super::server_error::ServerError;
use crate::RetryHeaders;

/// What an answer with this status means.
pub(crate) fn classify(status: u16, headers: &RetryHeaders<'_>, body: &str) -> Fault {
    let error = ServerError::of_body(body);
    let kind = match status {
        401 | 403 => FaultKind::Unauthorized,
        429 => FaultKind::RateLimited,
        400..=599 if error.is_context_too_long() => FaultKind::ContextTooLong,
        408 | 409 | 500..=599 => FaultKind::Server,
        _ => FaultKind::Refused,
    };
    let mut message = error.into_message();
    if message.is_empty() {
        message = format!("status {status} without a word of explanation");
    }
    Fault { kind, status: Some(status), retry_after_ms: headers.wait_ms(), message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(status: u16, body: &str) -> FaultKind {
        classify(status, &RetryHeaders::default(), body).kind
    }

    #[test]
    fn each_status_has_its_kind() {
        let table = [
            (302, FaultKind::Refused),
            (400, FaultKind::Refused),
            (401, FaultKind::Unauthorized),
            (402, FaultKind::Refused),
            (403, FaultKind::Unauthorized),
            (404, FaultKind::Refused),
            (408, FaultKind::Server),
            (409, FaultKind::Server),
            (422, FaultKind::Refused),
            (429, FaultKind::RateLimited),
            (500, FaultKind::Server),
            (503, FaultKind::Server),
            (529, FaultKind::Server),
        ];
        for (status, expected) in table {
            assert_eq!(kind(status, r#"{"error":{"message":"no"}}"#), expected, "{status}");
        }
    }

    #[test]
    fn a_prompt_that_is_too_long_is_distinguished_from_other_errors() {
        let bodies = [
            r#"{"error":{"message":"x","type":"exceed_context_size_error","code":400}}"#,
            r#"{"error":{"message":"x","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
            r#"{"object":"error","message":"This model's maximum context length is 4096 tokens.","code":400}"#,
            r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"the maximum context length is 9"}}}"#,
        ];
        for body in bodies {
            assert_eq!(kind(400, body), FaultKind::ContextTooLong, "{body}");
            assert_eq!(kind(429, body), FaultKind::RateLimited, "{body}");
        }
    }

    #[test]
    fn the_message_is_the_servers_own_in_every_shape_that_it_comes_in() {
        let message = |body: &str| classify(400, &RetryHeaders::default(), body).message;
        let table = [
            (r#"{"error":{"message":"bad model","code":400}}"#, "bad model"),
            (r#"{"error":"bad model"}"#, "bad model"),
            (r#"{"object":"error","message":"bad model"}"#, "bad model"),
            (r#"{"detail":"bad model"}"#, "bad model"),
            (r#"{"detail":[{"loc":["body"]}]}"#, r#"[{"loc":["body"]}]"#),
            (r#"{"error":{"code":"x"}}"#, r#"{"code":"x"}"#),
            (r#"{"error":null,"message":"bad model"}"#, "bad model"),
            ("<html>bad\u{1b}[0m gateway</html>\n", "<html>bad\\u{1b}[0m gateway</html>"),
            (r#"{"error":{"message":""}}"#, r#"{"error":{"message":""}}"#),
            ("", "status 400 without a word of explanation"),
        ];
        for (body, expected) in table {
            assert_eq!(message(body), expected, "{body}");
        }
        assert_eq!(message(&"é".repeat(1000)), format!("{}…", "é".repeat(400)));
        assert_eq!(message(&"[".repeat(100_000)).chars().count(), 401);
    }
}
