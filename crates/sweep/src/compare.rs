//! Variants beside each other: means, and paired differences to the baseline.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::draws::Draws;
use crate::interval::{Difference, Interval, around_mean, difference, mean};
use crate::plan::Cell;
use crate::scores::Score;

/// One campaign that was played to its end, with its scores by name.
#[derive(Clone, Debug)]
pub struct Played {
    /// Which.
    pub cell: Cell,
    /// Its scores; one that could not be counted is not there.
    pub scores: BTreeMap<&'static str, f64>,
}

/// A score of a variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The score.
    pub score: &'static str,
    /// The variant, by its place in the plan.
    #[serde(skip)]
    pub variant: usize,
    /// Campaigns that have the score.
    pub campaigns: usize,
    /// Of those, pairs that there could be: campaigns under a seed.
    pub seeds: usize,
    /// The mean over them, repetitions of a seed averaged first; nothing where there are none.
    pub mean: Option<f64>,
    /// Between what the mean lies, with 95 % confidence.
    pub interval: Interval,
    /// The paired difference to the baseline; nothing for the baseline itself.
    pub difference: Option<Difference>,
}

/// All scores of all variants.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// A row for each score and variant, scores first.
    pub rows: Vec<Row>,
}

impl Comparison {
    /// The rows of a score.
    pub fn of<'c>(&'c self, score: &'c str) -> impl Iterator<Item = &'c Row> {
        self.rows.iter().filter(move |row| row.score == score)
    }
}

/// What makes a pair: the same campaign under the same seed. Repetitions are averaged first, because those of one seed are more alike than
/// those of two, and an interval that took them for independent would be too narrow.
type Pairing = (usize, u64);

/// Compares `variants` variants with the one at `baseline`. A repetition counts in a difference where both variants have it.
pub fn compare(
    scores: &[&'static Score],
    variants: usize,
    baseline: usize,
    played: &[Played],
    interval_seed: u64,
) -> Comparison {
    let mut rows = Vec::new();
    for score in scores {
        let mut by_cell: BTreeMap<Cell, f64> = BTreeMap::new();
        for one in played {
            by_cell.extend(one.scores.get(score.name).map(|value| (one.cell, *value)));
        }
        for variant in 0..variants {
            let campaigns = by_cell.keys().filter(|cell| cell.variant == variant).count();
            let own = observed(&by_cell, variant, |_, value| Some(value));
            let mut draws = Draws::of(interval_seed, &format!("{} {variant} mean", score.name));
            let interval = around_mean(&own, score.unit, &mut draws);
            let difference = (variant != baseline).then(|| {
                let differences = observed(&by_cell, variant, |cell, value| {
                    Some(value - by_cell.get(&Cell { variant: baseline, ..*cell })?)
                });
                let mut draws = Draws::of(interval_seed, &format!("{} {variant}", score.name));
                difference(&differences, score.unit, &mut draws)
            });
            let (seeds, mean) = (own.len(), mean(&own));
            rows.push(Row { score: score.name, variant, campaigns, seeds, mean, interval, difference });
        }
    }
    Comparison { rows }
}

/// What is seen of a variant: a number for each campaign and seed, the mean over its repetitions.
fn observed(
    values: &BTreeMap<Cell, f64>,
    variant: usize,
    number: impl Fn(&Cell, f64) -> Option<f64>,
) -> Vec<f64> {
    let mut observed: BTreeMap<Pairing, Vec<f64>> = BTreeMap::new();
    for (cell, value) in values.iter().filter(|(cell, _)| cell.variant == variant) {
        if let Some(number) = number(cell, *value) {
            observed.entry((cell.campaign, cell.seed)).or_default().push(number);
        }
    }
    observed.values().filter_map(|repeated| mean(repeated)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::Interval;
    use crate::scores::named;

    fn played(seed: u64, repetition: u32, variant: usize, value: f64) -> Played {
        let cell = Cell { campaign: 0, seed, repetition, variant };
        Played { cell, scores: BTreeMap::from([("calls", value)]) }
    }

    fn compared(played: &[Played]) -> Comparison {
        compare(&[named("calls").expect("it is a score")], 2, 0, played, 1)
    }

    #[test]
    fn pairs_are_made_of_one_seed_and_what_has_no_partner_is_in_no_pair() {
        let all: Vec<Played> = (0..12)
            .flat_map(|seed| {
                let base = 100.0 * seed as f64;
                [played(seed, 1, 0, base), played(seed, 1, 1, base + 2.0 + (seed % 3) as f64)]
            })
            .chain([played(50, 1, 1, 9_999.0)])
            .collect();
        let comparison = compared(&all);
        let row = comparison.of("calls").nth(1).expect("the second variant");
        let difference = row.difference.expect("it is not the baseline");
        assert_eq!((row.campaigns, row.seeds, difference.pairs, difference.mean), (13, 13, 12, 3.0));
        let Interval::Between(from, to) = difference.interval else { panic!("{difference:?}") };
        assert!(from > 2.0 && to < 4.0, "narrow, although seeds differ by hundreds: {from} {to}");
    }

    #[test]
    fn repetitions_of_a_seed_are_one_observation() {
        let all: Vec<Played> = (0..5)
            .flat_map(|seed| (1..=10).map(move |repetition| (seed, repetition)))
            .flat_map(|(seed, again)| {
                [played(seed, again, 0, 1.0), played(seed, again, 1, 1.0 + seed as f64)]
            })
            .collect();
        let difference = compared(&all).rows[1].difference.expect("it is not the baseline");
        assert_eq!((difference.pairs, difference.interval), (5, Interval::TooFew));
        assert_eq!(compared(&all).rows[1].interval, Interval::TooFew, "50 campaigns are five observations");
    }

    #[test]
    fn the_same_results_give_the_same_comparison_in_any_order() {
        let mut all: Vec<Played> =
            (0..30).map(|n| played(n / 2, 1, (n % 2) as usize, ((n * 7) % 11) as f64)).collect();
        let before = compared(&all);
        all.reverse();
        assert_eq!(compared(&all), before);
    }
}
