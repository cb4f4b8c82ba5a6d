//! What an HTTP status other than 2xx means.

use twicetold_model::{Fault, FaultKind};

use crate::{http_date, server_error::ServerError};

/// The headers that say how long to wait, as they came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetryHeaders<'a> {
    /// `retry-after-ms`: milliseconds. Goes before `retry-after`.
    pub retry_after_ms: Option<&'a str>,
    /// `retry-after`: seconds or a date.
    pub retry_after: Option<&'a str>,
    /// `date`: the server's clock, which a date in `retry-after` is taken relative to. No other clock is asked.
    pub date: Option<&'a str>,
}

impl RetryHeaders<'_> {
    /// Milliseconds to wait, when the headers say so in a way that can be read. There is no upper bound here.
    pub fn wait_ms(&self) -> Option<u64> {
        let milliseconds =
            self.retry_after_ms.and_then(thousandths).map(|thousandths| thousandths.div_ceil(1000));
        milliseconds.or_else(|| {
            let text = self.retry_after?;
            thousandths(text).or_else(|| {
                let seconds = http_date::seconds(text)?.saturating_sub(http_date::seconds(self.date?)?);
                Some(seconds.saturating_mul(1000))
            })
        })
    }
}

/// A decimal number such as `7` or `0.25` in thousandths, further digits dropped.
fn thousandths(text: &str) -> Option<u64> {
    let text = text.trim();
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let fraction: u64 = format!("{fraction:0<3}")[..3].parse().ok()?;
    // Only a number too large for 64 bits is left to fail here.
    Some(whole.parse().unwrap_or(u64::MAX).saturating_mul(1000).saturating_add(fraction))
}

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
    fn a_prompt_that_is_too_long_is_told_apart_from_other_refusals() {
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

    #[test]
    fn the_time_to_wait_is_read_from_milliseconds_then_seconds_then_a_date() {
        let headers = |retry_after_ms, retry_after, date| RetryHeaders { retry_after_ms, retry_after, date };
        let date = Some("Sun, 06 Nov 1994 08:49:37 GMT");
        let table = [
            (headers(None, None, None), None),
            (headers(Some("250"), Some("7"), None), Some(250)),
            (headers(Some("249.5"), None, None), Some(250)),
            (headers(Some("soon"), Some("7"), None), Some(7000)),
            (headers(None, Some(" 7 "), None), Some(7000)),
            (headers(None, Some("0"), None), Some(0)),
            (headers(None, Some("0.25"), None), Some(250)),
            (headers(None, Some("1.23456"), None), Some(1234)),
            (headers(None, Some("-1"), None), None),
            (headers(None, Some("1e3"), None), None),
            (headers(None, Some("99999999999999999999999"), None), Some(u64::MAX)),
            (headers(None, Some("Sun, 06 Nov 1994 08:50:07 GMT"), date), Some(30_000)),
            (headers(None, Some("Sun, 06 Nov 1994 08:40:07 GMT"), date), Some(0)),
            (headers(None, Some("Sun, 06 Nov 1994 08:50:07 GMT"), None), None),
        ];
        for (headers, expected) in table {
            assert_eq!(headers.wait_ms(), expected, "{headers:?}");
        }
    }
}
