//! What an HTTP status other than 2xx means.

use twicetold_model::{Fault, FaultKind};

use crate::RetryHeaders;
use crate::server_error::ServerError;

/// What an answer with this status means.
pub(crate) fn classify(status: u16, headers: &RetryHeaders<'_>, body: &str) -> Fault {
    let error = ServerError::of_body(body);
    let kind = match status {
        402 => FaultKind::OutOfCredit,
        400..=499 if error.is_out_of_credit() => FaultKind::OutOfCredit,
        401 | 403 => FaultKind::Unauthorized,
        429 => FaultKind::RateLimited,
        400..=599 if error.is_context_too_long() => FaultKind::ContextTooLong,
        400..=599 if error.is_of_calls() => FaultKind::CallsUnread,
        400..=499 if error.is_filtered() => FaultKind::NoChoices,
        // More bytes than the server, or the proxy before it, reads: nothing but a shorter prompt helps.
        413 => FaultKind::ContextTooLong,
        408 | 409 | 500..=599 => FaultKind::Server,
        _ => FaultKind::Refused,
    };
    // What is asked of this caller goes before what is said of limits, which others share.
    let of_limits = || matches!(status, 429 | 503 | 529).then(|| headers.reset_ms()).flatten();
    let retry_after_ms = headers.wait_ms().or_else(|| error.wait_ms()).or_else(of_limits);
    let mut message = error.into_message();
    if message.is_empty() {
        message = format!("status {status} without a word of explanation");
    } else if let Some(said) = said_by_page(&message) {
        // A proxy that fails has a page for it, too; what is not there was looked for at the wrong address.
        let advice = if matches!(status, 300..=399 | 404 | 405) { ": is the address right?" } else { "" };
        message = format!("status {status} with a web page ({said}) instead of an answer{advice}");
    }
    Fault { kind, status: Some(status), retry_after_ms, message }
}

/// What a page for browsers says: its title, or else its text; nothing of what is no page.
fn said_by_page(text: &str) -> Option<String> {
    /// Characters of it.
    const SAID_MAX: usize = 120;
    let text = text.trim_start();
    let begins = |word: &str| text.get(..word.len()).is_some_and(|front| front.eq_ignore_ascii_case(word));
    if !begins("<!doctype html") && !begins("<html") {
        return None;
    }
    let title = text.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    let plain = |text: &str| {
        let pieces = text.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text));
        pieces.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
    };
    let said = plain(title.map_or(text, |(title, _)| title));
    Some(if said.is_empty() { "without a word".to_owned() } else { said.chars().take(SAID_MAX).collect() })
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
            (402, FaultKind::OutOfCredit),
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
    fn of_a_web_page_its_title_is_told() {
        let told = |body: &str| classify(404, &RetryHeaders::default(), body).message;
        let page =
            "<!DOCTYPE html>\n<html><head><title>Not Found</title></head><body><h1>no</h1></body></html>";
        assert_eq!(
            told(page),
            "status 404 with a web page (Not Found) instead of an answer: is the address right?"
        );
        assert!(
            told("<html><body>no <b>way</b></body></html>")
                .starts_with("status 404 with a web page (no way) instead")
        );
        assert!(told("<html></html>").starts_with("status 404 with a web page (without a word) instead"));
        assert_eq!(told("<no page>"), "<no page>");
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
    fn every_vendor_has_its_own_words_for_a_prompt_that_is_too_long() {
        for message in [
            "prompt is too long: 210000 tokens > 200000 maximum",
            "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
            "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
            "the prompt is longer than the context length currently available",
            "the input length exceeds the context length",
            "Your input tokens exceed the configured limit",
            "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
            "Invalid request: Your request exceeded model token limit: 8192",
            "Input is too long for requested model.",
        ] {
            let body = format!(r#"{{"error":{{"message":"{message}"}}}}"#);
            assert_eq!(kind(400, &body), FaultKind::ContextTooLong, "{message}");
        }
    }

    #[test]
    fn calls_that_the_server_could_not_read_are_the_models_doing() {
        for body in [
            r#"{"error":{"message":"The model produced output that does not match the expected peg-native format","type":"server_error","code":500}}"#,
            r#"{"error":{"message":"Failed to call a function.","type":"invalid_request_error","code":"tool_use_failed"}}"#,
            r#"{"error":"error parsing tool call: raw='{\"a', err=unexpected end of JSON input"}"#,
        ] {
            assert_eq!(
                (kind(400, body), kind(500, body)),
                (FaultKind::CallsUnread, FaultKind::CallsUnread),
                "{body}"
            );
        }
    }

    #[test]
    fn what_a_filter_refuses_is_no_outage() {
        for body in [
            r#"{"error":{"message":"x","code":"content_filter","status":400}}"#,
            r#"{"error":{"message":"x","type":"invalid_request_error","code":"content_policy_violation"}}"#,
            r#"{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy."}}"#,
            r#"{"error":{"message":"x","code":"data_inspection_failed"}}"#,
        ] {
            assert_eq!(kind(400, body), FaultKind::NoChoices, "{body}");
        }
    }

    #[test]
    fn an_empty_purse_is_not_asked_again() {
        for body in [
            r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
            r#"{"type":"error","error":{"type":"rate_limit_error","message":"x","details":{"error_code":"enforced_spend_limit_reached"}}}"#,
            r#"{"type":"error","error":{"type":"billing_error","message":"x"}}"#,
            r#"{"error":{"message":"x","type":"exceeded_current_quota_error"}}"#,
        ] {
            assert_eq!(kind(429, body), FaultKind::OutOfCredit, "{body}");
        }
        assert!(!FaultKind::OutOfCredit.is_retryable());
    }

    #[test]
    fn a_wait_may_stand_in_the_body() {
        let wait = |body: &str| classify(429, &RetryHeaders::default(), body).retry_after_ms;
        let delay = r#"[{"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED","details":[{"@type":"x"},{"retryDelay":"46s"}]}}]"#;
        assert_eq!(wait(delay), Some(46_000));
        for (message, expected) in [
            ("Rate limit reached. Please try again in 20s.", Some(20_000)),
            ("Please try again in 6m0s. Visit us.", Some(360_000)),
            ("Please retry in 10h17m5.7s.", Some(37_025_700)),
            ("try again in 250ms", Some(250)),
            ("Try again in a while", None),
            ("Try again later", None),
        ] {
            assert_eq!(wait(&format!(r#"{{"error":{{"message":"{message}"}}}}"#)), expected, "{message}");
        }
        let headers = RetryHeaders { retry_after: Some("7"), ..RetryHeaders::default() };
        assert_eq!(classify(429, &headers, delay).retry_after_ms, Some(7_000), "the header goes first");
    }

    #[test]
    fn a_wait_is_that_of_a_limit_where_nothing_else_is_said() {
        let limits = &[("x-ratelimit-reset-tokens", "6m0s")];
        let of_limits = RetryHeaders { limits, ..RetryHeaders::default() };
        let silent = r#"{"error":{"message":"no"}}"#;
        let says = r#"{"error":{"message":"Please try again in 20s."}}"#;
        for (status, retry_after, body, expected) in [
            (429, None, silent, Some(360_000)),
            (503, None, silent, Some(360_000)),
            (529, None, silent, Some(360_000)),
            // Every answer has these headers, whatever went wrong.
            (500, None, silent, None),
            (400, None, silent, None),
            (429, None, says, Some(20_000)),
            (429, Some("7"), silent, Some(7_000)),
            (429, Some("soon"), silent, Some(360_000)),
        ] {
            let headers = RetryHeaders { retry_after, ..of_limits };
            assert_eq!(classify(status, &headers, body).retry_after_ms, expected, "{status} {retry_after:?}");
        }
    }

    #[test]
    fn the_message_is_the_servers_own_in_every_shape_that_it_comes_in() {
        let message = |body: &str| classify(400, &RetryHeaders::default(), body).message;
        let table = [
            (r#"{"error":{"message":"bad model","code":400}}"#, "bad model"),
            (r#"{"error":"bad model"}"#, "bad model"),
            (r#"{"error":"{\"error\":{\"code\":400,\"message\":\"bad model\"}}"}"#, "bad model"),
            (r#"{"error":"{\"message\":\"bad model\"}"}"#, "bad model"),
            (r#"{"error":"{bad model"}"#, "{bad model"),
            (r#"{"object":"error","message":"bad model"}"#, "bad model"),
            (r#"{"detail":"bad model"}"#, "bad model"),
            (r#"{"detail":[{"loc":["body"]}]}"#, r#"[{"loc":["body"]}]"#),
            (r#"{"error":{"code":"x"}}"#, r#"{"code":"x"}"#),
            (r#"{"error":null,"message":"bad model"}"#, "bad model"),
            (
                "<html>bad\u{1b}[0m gateway</html>\n",
                "status 400 with a web page (bad\\u{1b}[0m gateway) instead of an answer",
            ),
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
