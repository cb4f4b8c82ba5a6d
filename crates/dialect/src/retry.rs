//! How long a server wants to be left alone.

use crate::http_date;

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
