//! Dates of HTTP headers, as far as waits need them.

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, from the year 1970 on. The two forms that HTTP
/// calls obsolete are not read.
pub(crate) fn seconds(text: &str) -> Option<u64> {
    let (_, date) = text.trim().split_once(", ")?;
    let mut words = date.split(' ');
    let day = digits(words.next()?, 2, 1, 31)?;
    let month_name = words.next()?;
    let month = MONTHS.iter().position(|name| *name == month_name)? as u64;
    let year = digits(words.next()?, 4, 1970, 9999)?;
    let mut time = words.next()?.split(':');
    let hour = digits(time.next()?, 2, 0, 23)?;
    let minute = digits(time.next()?, 2, 0, 59)?;
    let second = digits(time.next()?, 2, 0, 60)?;
    if words.next()? != "GMT" || words.next().is_some() || time.next().is_some() {
        return None;
    }
    Some(((days_since_1970(year, month) + day - 1) * 24 + hour) * 3600 + minute * 60 + second)
}

/// The same of a time such as `2026-01-01T00:00:00Z` or `2026-01-01T01:00:00.5+01:00`; a part of a second is dropped.
pub(crate) fn rfc3339_seconds(text: &str) -> Option<u64> {
    let (date, time) = text.split_once(['T', 't'])?;
    let (time, offset) = time.split_at(time.find(['Z', 'z', '+', '-'])?);
    let ahead = match offset.split_at_checked(1)? {
        ("Z" | "z", "") => 0,
        (sign, offset) => {
            let (hours, minutes) = offset.split_once(':')?;
            let ahead = (digits(hours, 2, 0, 23)? * 60 + digits(minutes, 2, 0, 59)?) * 60;
            if sign == "-" { -i64::try_from(ahead).ok()? } else { i64::try_from(ahead).ok()? }
        }
    };
    let mut date = date.split('-');
    let year = digits(date.next()?, 4, 1970, 9999)?;
    let month = digits(date.next()?, 2, 1, 12)? - 1;
    let day = digits(date.next()?, 2, 1, 31)?;
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut time = time.split(':');
    let hour = digits(time.next()?, 2, 0, 23)?;
    let minute = digits(time.next()?, 2, 0, 59)?;
    let second = digits(time.next()?, 2, 0, 60)?;
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if date.next().is_some() || time.next().is_some() || !is_fraction {
        return None;
    }
    (((days_since_1970(year, month) + day - 1) * 24 + hour) * 3600 + minute * 60 + second)
        .checked_add_signed(-ahead)
}

fn digits(text: &str, length: usize, least: u64, most: u64) -> Option<u64> {
    if text.len() != length || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok().filter(|number| (least..=most).contains(number))
}

/// Days from 1 January 1970 to the first of a month; `month` counts from 0.
fn days_since_1970(year: u64, month: u64) -> u64 {
    let leap_days = |year: u64| year / 4 - year / 100 + year / 400;
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let months = [31, 28 + u64::from(is_leap), 31, 30, 31, 30, 31, 31, 30, 31, 30];
    let in_year: u64 = months.iter().take(month as usize).sum();
    (year - 1970) * 365 + leap_days(year - 1) - leap_days(1969) + in_year
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_seconds_since_1970() {
        let table = [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
            ("Fri, 31 Dec 2027 23:59:59 GMT", 1_830_297_599),
        ];
        for (text, expected) in table {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_such_a_date_is_none() {
        for text in [
            "",
            "soon",
            "Sun, 06 Nov 1994",
            "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Nov 1994 25:49:37 GMT",
            "Sun, 06 Nov 1969 08:49:37 GMT",
            "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn times_of_rfc_3339_are_read_and_nothing_else_is() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("1994-11-06T08:49:37Z", Some(784_111_777)),
            ("1994-11-06t08:49:37.999z", Some(784_111_777)),
            ("1994-11-06T10:49:37+02:00", Some(784_111_777)),
            ("1994-11-06T03:19:37-05:30", Some(784_111_777)),
            ("1970-01-01T00:00:00+01:00", None),
            ("1994-11-06", None),
            ("1994-11-06T08:49:37", None),
            ("1994-13-06T08:49:37Z", None),
            ("1994-11-06T24:49:37Z", None),
            ("1994-11-06T08:49Z", None),
            ("1994-11-06T08:49:37.Z", None),
            ("1994-11-06T08:49:37+é", None),
            ("1994-11-06T08:49:37é", None),
            ("T", None),
            ("TZ", None),
            ("", None),
        ] {
            assert_eq!(rfc3339_seconds(text), expected, "{text}");
        }
    }
}
