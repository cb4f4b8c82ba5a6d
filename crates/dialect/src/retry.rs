//! How long a server wants to be left alone.

use crate::http_date;

/// The headers that say how long to wait, as they came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetryHeaders<'a> {
    /// `retry-after-ms`: milliseconds. Goes before `retry-after`.
    pub retry_after_ms: Option<&'a str>,
    /// `retry-after`: seconds or a date.
    pub retry_after: Option<&'a str>,
    /// `date`: the server's clock, which a date in `retry-after` and the times of `limits` are taken relative to. No other clock is asked.
    pub date: Option<&'a str>,
    /// Everything that [`RetryHeaders::is_of_limits`], by name in lower case: what is left of each limit, and when all of it is back.
    pub limits: &'a [(&'a str, &'a str)],
}

/// The longest wait that is taken from a limit's reset, a week: what is later is no time that a server means.
const RESET_MS_MAX: u64 = 7 * 24 * 3_600_000;

impl RetryHeaders<'_> {
    /// Does a header of this name, in lower case, speak of a limit?
    pub fn is_of_limits(name: &str) -> bool {
        name.contains("ratelimit")
    }

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

impl RetryHeaders<'_> {
    /// Milliseconds until a limit is reset, by the headers of OpenAI (`x-ratelimit-remaining-tokens`, `x-ratelimit-reset-tokens: 6m0s`) and
    /// Anthropic (`anthropic-ratelimit-tokens-remaining`, `anthropic-ratelimit-tokens-reset: 2026-01-01T00:00:00Z`). Where a limit is used up,
    /// until the last of those is reset; else until the first of any.
    pub fn reset_ms(&self) -> Option<u64> {
        let resets = || {
            self.limits.iter().filter(|(name, _)| name.contains("-reset")).filter_map(|(name, value)| {
                let wait = self.until(value).filter(|wait| (1..=RESET_MS_MAX).contains(wait))?;
                let left = name.replacen("-reset", "-remaining", 1);
                let left = self
                    .limits
                    .iter()
                    .find(|(name, _)| *name == left)
                    .and_then(|(_, left)| thousandths(left));
                Some((left == Some(0), wait))
            })
        };
        let used_up = resets().filter(|(used_up, _)| *used_up).map(|(_, wait)| wait).max();
        used_up.or_else(|| resets().map(|(_, wait)| wait).min())
    }

    /// Milliseconds until a reset: a duration, seconds, or a time.
    fn until(&self, value: &str) -> Option<u64> {
        let value = value.trim();
        duration_ms(value).or_else(|| thousandths(value)).or_else(|| {
            let now = http_date::seconds(self.date?)?;
            let then = http_date::rfc3339_seconds(value)?;
            Some(then.saturating_sub(now).saturating_mul(1000))
        })
    }
}

/// A duration such as `46s`, `6m0s`, `10h17m5.7s` or `250ms` in milliseconds; a number without a unit is none.
pub(crate) fn duration_ms(text: &str) -> Option<u64> {
    let (mut rest, mut total) = (text, 0_u64);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at(end);
        let unit_end = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_end);
        let unit_ms = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return None,
        };
        total = total.saturating_add(thousandths(number)?.saturating_mul(unit_ms) / 1_000);
        rest = after;
    }
    (!text.is_empty()).then_some(total)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_to_wait_is_read_from_milliseconds_then_seconds_then_a_date() {
        let headers = |retry_after_ms, retry_after, date| RetryHeaders {
            retry_after_ms,
            retry_after,
            date,
            limits: &[],
        };
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

    #[test]
    fn a_reset_is_that_of_the_limit_that_is_used_up_and_else_the_first() {
        let date = Some("Sun, 06 Nov 1994 08:49:37 GMT");
        type Row<'a> = (&'a [(&'a str, &'a str)], Option<u64>);
        let table: [Row<'_>; 21] = [
            (&[], None),
            (&[("x-ratelimit-reset-requests", "1s")], Some(1_000)),
            (&[("x-ratelimit-reset-requests", "120ms"), ("x-ratelimit-reset-tokens", "6m0s")], Some(120)),
            (
                &[
                    ("x-ratelimit-remaining-requests", "59"),
                    ("x-ratelimit-reset-requests", "1s"),
                    ("x-ratelimit-remaining-tokens", "0"),
                    ("x-ratelimit-reset-tokens", "6m0s"),
                ],
                Some(360_000),
            ),
            (
                &[
                    ("x-ratelimit-remaining-requests", "0"),
                    ("x-ratelimit-reset-requests", "8.64s"),
                    ("x-ratelimit-remaining-tokens", "0"),
                    ("x-ratelimit-reset-tokens", "17ms"),
                ],
                Some(8_640),
            ),
            (&[("anthropic-ratelimit-tokens-reset", "1994-11-06T08:50:07Z")], Some(30_000)),
            (&[("anthropic-ratelimit-tokens-reset", "1994-11-06T08:50:07.9Z")], Some(30_000)),
            (&[("anthropic-ratelimit-tokens-reset", "1994-11-06T09:50:07+01:00")], Some(30_000)),
            (
                &[
                    ("anthropic-ratelimit-requests-remaining", "7"),
                    ("anthropic-ratelimit-requests-reset", "1994-11-06T08:49:38Z"),
                    ("anthropic-ratelimit-input-tokens-remaining", "0"),
                    ("anthropic-ratelimit-input-tokens-reset", "1994-11-06T08:50:37Z"),
                ],
                Some(60_000),
            ),
            // A limit that is used up and says no time: the others say something still.
            (
                &[
                    ("x-ratelimit-remaining-tokens", "0"),
                    ("x-ratelimit-reset-tokens", "soon"),
                    ("x-ratelimit-reset-requests", "2s"),
                ],
                Some(2_000),
            ),
            (&[("x-ratelimit-reset", "30")], Some(30_000)),
            (&[("x-ratelimit-remaining-tokens", "0")], None),
            (&[("x-ratelimit-reset-tokens", "0s")], None),
            (&[("x-ratelimit-reset-tokens", "-1")], None),
            (&[("x-ratelimit-reset-tokens", "-6m0s")], None),
            (&[("x-ratelimit-reset-tokens", "1000000000")], None),
            (&[("x-ratelimit-reset-tokens", "99999999999999999999999d")], None),
            (&[("x-ratelimit-reset-tokens", "")], None),
            (&[("x-ratelimit-reset-tokens", "6m0")], None),
            (&[("anthropic-ratelimit-tokens-reset", "1994-11-06T08:40:07Z")], None),
            (&[("anthropic-ratelimit-tokens-reset", "9999-12-31T23:59:59Z")], None),
        ];
        for (limits, expected) in table {
            assert!(limits.iter().all(|(name, _)| RetryHeaders::is_of_limits(name)));
            let headers = RetryHeaders { date, limits, ..RetryHeaders::default() };
            assert_eq!(headers.reset_ms(), expected, "{limits:?}");
        }
        let limits = &[("anthropic-ratelimit-tokens-reset", "1994-11-06T08:50:07Z")];
        assert_eq!(RetryHeaders { limits, ..RetryHeaders::default() }.reset_ms(), None, "no clock");
    }
}
