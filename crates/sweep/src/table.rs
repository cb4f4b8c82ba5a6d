//! Comparisons as tables for people, and campaigns as rows for programs.

use std::fmt::Write as _;

use crate::compare::{Comparison, Row};
use crate::interval::{Interval, PAIRS_MIN};
use crate::scores::{Score, Unit};

/// Columns of a table: what a terminal has at the least.
const COLUMNS: usize = 80;
/// Columns of the name of a score.
const NAME: usize = 17;
/// Columns of a mean, and of a difference.
const NUMBER: usize = 11;
/// Columns of the number of pairs.
const PAIRS: usize = 5;

/// A value as people read it.
pub fn written(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Share => format!("{:.1} %", 100.0 * value),
        Unit::Money if value.abs() >= 1_000.0 => format!("{value:.0}"),
        Unit::Money => format!("{value:.4}"),
        Unit::Seconds if value.abs() >= 10_000.0 => format!("{:.1} h", value / 3_600.0),
        Unit::Seconds => format!("{value:.2} s"),
        Unit::Count if value.abs() >= 10_000.0 => format!("{value:.0}"),
        Unit::Count => format!("{value:.1}"),
    }
}

/// An interval as people read it. `number` writes each end: [`written`], or [`signed`] for differences. A unit that both have stands once.
pub fn between(unit: Unit, from: f64, to: f64, number: fn(Unit, f64) -> String) -> String {
    let (from, to) = (number(unit, from), number(unit, to));
    let unit = to.find(' ').map_or("", |at| &to[at..]);
    format!("{} to {to}", from.strip_suffix(unit).unwrap_or(&from))
}

/// A difference as people read it: with its sign.
pub fn signed(unit: Unit, value: f64) -> String {
    let text = written(unit, value);
    let is_zero = text.chars().all(|letter| !letter.is_ascii_digit() || letter == '0');
    match text.strip_prefix('-') {
        Some(rest) if is_zero => rest.to_owned(),
        None if !is_zero => format!("+{text}"),
        _ => text,
    }
}

fn mean(unit: Unit, row: Option<&Row>) -> String {
    row.and_then(|row| row.mean).map_or_else(|| "–".to_owned(), |mean| written(unit, mean))
}

fn cut(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// The scores of all variants, each beside the baseline, within so many columns: from 80 on as a table, and with fewer a figure a line.
/// `variants` are their names.
pub fn table(
    scores: &[&'static Score],
    variants: &[String],
    baseline: usize,
    comparison: &Comparison,
    columns: usize,
) -> String {
    let row = |score: &Score, variant| comparison.of(score.name).find(|row| row.variant == variant);
    let base = variants.get(baseline).map(String::as_str).unwrap_or_default();
    let mut out = String::new();
    if variants.len() == 1 {
        let _ = writeln!(out, "{:NAME$}{:>NUMBER$}  {:>9}", "score", "mean", "campaigns");
        for score in scores {
            let found = row(score, baseline);
            let count = found.map_or(0, |row| row.campaigns);
            let _ = writeln!(out, "{:NAME$}{:>NUMBER$}  {count:>9}", score.name, mean(score.unit, found));
        }
        return out;
    }
    let (mut is_few, mut is_marked, mut is_partial, mut intervals) = (false, false, false, 0);
    for (variant, name) in variants.iter().enumerate().filter(|(variant, _)| *variant != baseline) {
        let heading = format!("{name}, compared with {base}");
        let is_wide = columns >= COLUMNS;
        let _ = writeln!(out, "{}", cut(&heading, COLUMNS));
        if is_wide {
            let (here, there) = ("baseline", "mean");
            let _ = writeln!(
                out,
                "  {:NAME$}{here:>NUMBER$}{there:>NUMBER$}{:>NUMBER$}  95 % interval{:>9}",
                "score", "difference", "pairs"
            );
        }
        for score in scores {
            let found = row(score, variant);
            let means = [row(score, baseline), found].map(|row| mean(score.unit, row));
            let difference = found.and_then(|row| row.difference).filter(|difference| difference.pairs > 0);
            let by = difference.map_or_else(|| "–".to_owned(), |of| signed(score.unit, of.mean));
            let interval = match difference.map(|difference| difference.interval) {
                Some(Interval::Between(from, to)) => {
                    let is_clear = from > 0.0 || to < 0.0;
                    is_marked |= is_clear;
                    intervals += 1;
                    let mark = if is_clear { " *" } else { "" };
                    format!("{}{mark}", between(score.unit, from, to, signed))
                }
                Some(Interval::NoSpread) => "nearly all alike".to_owned(),
                Some(Interval::TooFew) => {
                    is_few = true;
                    "too few".to_owned()
                }
                None => String::new(),
            };
            let pairs = difference.map_or(0, |difference| difference.pairs);
            is_partial |= [row(score, baseline), found].into_iter().flatten().any(|row| row.seeds > pairs);
            let name = score.name;
            if !is_wide {
                let _ = writeln!(
                    out,
                    "  {name}\n    baseline {}\n    mean {}\n    difference {by}",
                    means[0], means[1]
                );
                let interval = if interval.is_empty() { "–" } else { &interval };
                let _ = writeln!(out, "    95 % interval {interval}\n    pairs {pairs}");
                continue;
            }
            let line = format!(
                "  {name:NAME$}{:>NUMBER$}{:>NUMBER$}{by:>NUMBER$}  {interval:<17}{pairs:>PAIRS$}",
                means[0], means[1]
            );
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out.push('\n');
    }
    if is_marked {
        let _ = writeln!(
            out,
            "* the interval does not hold 0. By chance one in twenty does so; here are {intervals}."
        );
    }
    if is_partial {
        out += "Means are of all campaigns that have the score, differences of pairs alone.\n";
    }
    if is_few {
        let _ = writeln!(out, "Too few: an interval needs {PAIRS_MIN} pairs, each a campaign under a seed.");
    }
    out
}

/// A text as a field of CSV. A spreadsheet would take what begins with some signs for a formula: numbers alone may begin so.
pub fn csv_field(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::Difference;
    use crate::scores::named;

    #[test]
    fn a_table_fits_eighty_columns_whatever_the_numbers() {
        let scores: Vec<&'static Score> = crate::scores::SCORES.iter().collect();
        let row = |score: &'static Score, variant, mean, interval| Row {
            score: score.name,
            variant,
            campaigns: 10,
            seeds: 10,
            mean: Some(mean),
            interval,
            difference: (variant > 0).then_some(Difference { pairs: 10_000, mean, interval }),
        };
        let rows = scores.iter().flat_map(|score| {
            let large = if score.unit == Unit::Share { -0.999 } else { -999_999.0 };
            let interval = Interval::Between(large, large);
            [row(score, 0, large, interval), row(score, 1, large, interval)]
        });
        let comparison = Comparison { rows: rows.collect() };
        let variants = ["a".repeat(90), "b".repeat(90)];
        let text = table(&scores, &variants, 0, &comparison, COLUMNS);
        for line in text.lines() {
            assert!(line.chars().count() <= COLUMNS, "{} columns: {line}", line.chars().count());
        }
        // Below the headings, which wrap at spaces, a figure a line has room in half of that.
        let narrow = table(&scores, &variants, 0, &comparison, COLUMNS - 1);
        for line in narrow.lines().skip(1).take_while(|line| !line.is_empty()) {
            assert!(line.chars().count() <= COLUMNS / 2, "{} columns: {line}", line.chars().count());
        }
        assert!(narrow.contains("    pairs 10000\n"), "{narrow}");
    }

    #[test]
    fn a_difference_has_a_sign_and_nothing_has_none() {
        assert_eq!(signed(Unit::Share, 0.0321), "+3.2 %");
        assert_eq!(signed(Unit::Share, -0.00001), "0.0 %");
        assert_eq!(signed(Unit::Count, -3.0), "-3.0");
        assert_eq!(signed(Unit::Count, 123_456.7), "+123457");
    }

    #[test]
    fn what_cannot_be_said_is_not_a_number() {
        let score = named("accepted").expect("a score");
        let row = |variant, difference| Row {
            score: "accepted",
            variant,
            campaigns: 3,
            seeds: 3 + variant,
            mean: Some(0.5),
            interval: Interval::TooFew,
            difference,
        };
        let few = Difference { pairs: 3, mean: 0.0, interval: Interval::TooFew };
        let comparison = Comparison { rows: vec![row(0, None), row(1, Some(few))] };
        let text = table(&[score], &["x".to_owned(), "y".to_owned()], 0, &comparison, COLUMNS);
        assert!(text.contains("too few") && text.contains("needs 10 pairs"), "{text}");
        assert!(text.contains("differences of pairs alone"), "four campaigns, and three pairs: {text}");
    }

    #[test]
    fn csv_quotes_what_it_must_and_holds_no_formula() {
        assert_eq!(csv_field("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(csv_field("=1+1"), "'=1+1");
        assert_eq!(csv_field("-1.5"), "-1.5");
    }
}
