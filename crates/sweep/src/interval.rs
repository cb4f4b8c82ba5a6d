//! Means, and means of paired differences, with their 95 % intervals.
//!
//! Differences of shares that are 0 or 1 get the interval of Bonett and Price (2012), and means of such shares that of Wilson (1927).
//! All others get a studentised bootstrap, which keeps its coverage where values are skewed and few. Below ten pairs nothing that holds
//! can be said, and nothing is said. The simulations in this file measure how often a known difference and a known mean are covered.

use serde::Serialize;

use crate::draws::Draws;
use crate::scores::Unit;

/// Pairs from which on there is an interval. With fewer, no method covers a skewed difference often enough.
pub const PAIRS_MIN: usize = 10;

/// Resamples: with 999 the quantiles at 2.5 and 97.5 % are the 25th and the 975th value, without interpolation.
const RESAMPLES: usize = 999;

/// Pairs above which resampling gives what the normal distribution gives, and takes longer.
const RESAMPLED_MAX: usize = 500;

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// A spread below this part of the values is rounding, and no spread.
const ROUNDING: f64 = 1e-12;

/// What paired differences show.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Pairs of which both have the score.
    pub pairs: usize,
    /// The mean of the differences.
    pub mean: f64,
    /// Between what the difference lies, with 95 % confidence; or why that cannot be said.
    pub interval: Interval,
}

/// A 95 % interval, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Interval {
    /// From and to.
    Between(f64, f64),
    /// Fewer than [`PAIRS_MIN`] pairs, or observations of a mean.
    TooFew,
    /// All of them, or nearly all, are the same: too little varies for an interval.
    NoSpread,
}

/// What differences of such values show. An interval ends where differences end.
pub fn difference(differences: &[f64], unit: Unit, draws: &mut Draws) -> Difference {
    let pairs = differences.len();
    let mean = mean(differences).unwrap_or_default();
    let interval = if pairs < PAIRS_MIN {
        Interval::TooFew
    } else if let Some((more, less)) = discordant(differences).filter(|_| unit == Unit::Share) {
        bonett_price(pairs, more, less)
    } else {
        resampled(differences, draws)
    };
    Difference { pairs, mean, interval: within(interval, unit.bounds()) }
}

/// Between what the mean of such values lies; each is an observation of its own. An interval ends where means end.
pub fn around_mean(values: &[f64], unit: Unit, draws: &mut Draws) -> Interval {
    let interval = if values.len() < PAIRS_MIN {
        Interval::TooFew
    } else if unit == Unit::Share && values.iter().all(|value| *value == 0.0 || *value == 1.0) {
        wilson(values)
    } else {
        resampled(values, draws)
    };
    within(interval, unit.bounds_of_mean())
}

/// An interval that ends at these bounds.
fn within(interval: Interval, bounds: Option<(f64, f64)>) -> Interval {
    match (interval, bounds) {
        (Interval::Between(from, to), Some((least, most))) => {
            Interval::Between(from.max(least), to.min(most))
        }
        (interval, _) => interval,
    }
}

/// The mean; nothing of nothing.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Where all are -1, 0 or 1: how many are 1, and how many -1.
fn discordant(differences: &[f64]) -> Option<(usize, usize)> {
    let count = |wanted: f64| differences.iter().filter(|value| **value == wanted).count();
    let (more, same, less) = (count(1.0), count(0.0), count(-1.0));
    (more + same + less == differences.len()).then_some((more, less))
}

/// The interval of Bonett and Price for a difference of paired proportions: Wald's, with one pair more of each discordant kind. It
/// holds also where no pair differs.
fn bonett_price(pairs: usize, more: usize, less: usize) -> Interval {
    let all = pairs as f64 + 2.0;
    let (more, less) = ((more as f64 + 1.0) / all, (less as f64 + 1.0) / all);
    let middle = more - less;
    let half = Z * ((more + less - middle * middle) / all).sqrt();
    Interval::Between((middle - half).max(-1.0), (middle + half).min(1.0))
}

/// The interval of Wilson for a proportion: of values that are 0 or 1. It holds also where all are alike.
fn wilson(values: &[f64]) -> Interval {
    let (count, share) = (values.len() as f64, mean(values).unwrap_or_default());
    let scale = 1.0 + Z * Z / count;
    let middle = (share + Z * Z / (2.0 * count)) / scale;
    let half = Z / scale * (share * (1.0 - share) / count + Z * Z / (4.0 * count * count)).sqrt();
    // Where all are alike, the sum above is off by a rounding error.
    Interval::Between((middle - half).clamp(0.0, share), (middle + half).clamp(share, 1.0))
}

/// A studentised bootstrap.
fn resampled(values: &[f64], draws: &mut Draws) -> Interval {
    let pairs = values.len();
    let (middle, error) = middle_and_error(values.iter().copied(), pairs);
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if error <= ROUNDING * largest {
        return Interval::NoSpread;
    }
    if pairs > RESAMPLED_MAX {
        return Interval::Between(middle - Z * error, middle + Z * error);
    }
    let mut sample = vec![0.0; pairs];
    let ratio = |_| {
        sample.iter_mut().for_each(|value| *value = values[draws.below(pairs as u32)]);
        let (mean, spread) = middle_and_error(sample.iter().copied(), pairs);
        let is_middle = (mean - middle).abs() <= ROUNDING * largest;
        // A resample without spread is infinitely far from any other mean.
        match spread > ROUNDING * largest {
            true => (mean - middle) / spread,
            false if is_middle => 0.0,
            false => (mean - middle).signum() * f64::INFINITY,
        }
    };
    let mut ratios: Vec<f64> = (0..RESAMPLES).map(ratio).collect();
    ratios.sort_by(f64::total_cmp);
    let (low, high) = (ratios[24], ratios[974]);
    if low.is_infinite() || high.is_infinite() {
        return Interval::NoSpread;
    }
    Interval::Between(middle - high * error, middle - low * error)
}

/// The mean and its standard error.
fn middle_and_error(values: impl Iterator<Item = f64> + Clone, count: usize) -> (f64, f64) {
    let count = count as f64;
    let middle = values.clone().sum::<f64>() / count;
    let squares: f64 = values.map(|value| (value - middle) * (value - middle)).sum();
    (middle, (squares / (count - 1.0) / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plan's worth of pairs, and the true difference between its variants.
    type World = fn(&mut Draws) -> (f64, f64);

    fn normal(draws: &mut Draws) -> f64 {
        (-2.0 * draws.unit().ln()).sqrt() * (std::f64::consts::TAU * draws.unit()).cos()
    }

    fn exponential(draws: &mut Draws) -> f64 {
        -draws.unit().ln()
    }

    /// What a seed does to both variants is three times what chance does to one.
    fn normal_pair(draws: &mut Draws) -> (f64, f64) {
        let seed = 3.0 * normal(draws);
        (seed + normal(draws), seed + 0.5 + normal(draws))
    }

    /// The variant has a long tail that the baseline has not: the differences are as skewed as an exponential nearly is.
    fn skewed_pair(draws: &mut Draws) -> (f64, f64) {
        let seed = 3.0 * exponential(draws);
        (seed + 0.2 * normal(draws), seed + exponential(draws))
    }

    /// A seed makes success more or less probable for both.
    fn yes_or_no_pair(draws: &mut Draws) -> (f64, f64) {
        let ease = 0.4 * draws.unit();
        let mut happens = |chance: f64| if draws.unit() < chance { 1.0 } else { 0.0 };
        (happens(0.2 + ease), happens(0.4 + ease))
    }

    const WORLDS: [(&str, World, f64, Unit); 3] = [
        ("normal", normal_pair, 0.5, Unit::Count),
        ("skewed", skewed_pair, 1.0, Unit::Count),
        ("0/1", yes_or_no_pair, 0.2, Unit::Share),
    ];

    const PLANS: usize = 1_000;

    fn differences(world: World, pairs: usize, draws: &mut Draws) -> Vec<f64> {
        let pair = |_| {
            let (baseline, variant) = world(draws);
            variant - baseline
        };
        (0..pairs).map(pair).collect()
    }

    /// In 1,000 plans, the interval holds the true difference in 93 to 97 % of them.
    #[test]
    fn a_known_difference_is_covered() {
        for (name, world, truth, unit) in WORLDS {
            for pairs in [10, 30, 100] {
                let mut covered = 0;
                for plan in 0..PLANS {
                    let mut draws = Draws::of(plan as u64, &format!("world {name} {pairs}"));
                    let sample = differences(world, pairs, &mut draws);
                    let mut own = Draws::of(plan as u64, "interval");
                    if let Interval::Between(from, to) = difference(&sample, unit, &mut own).interval {
                        covered += usize::from((from..=to).contains(&truth));
                    }
                }
                println!("{name}, {pairs} pairs: {:.1} %", covered as f64 / 10.0);
                assert!((930..=970).contains(&covered), "{name}, {pairs} pairs: {covered} of {PLANS}");
            }
        }
    }

    /// In 1,000 plans, the interval holds the true mean in 93 to 97 % of them. The true proportion is another one in each plan: with
    /// ten observations of one proportion there are eleven results, and the coverage jumps from proportion to proportion.
    #[test]
    fn a_known_mean_is_covered() {
        type Truth = fn(&mut Draws) -> f64;
        type Observation = fn(&mut Draws, f64) -> f64;
        let worlds: [(&str, Truth, Observation, Unit); 3] = [
            ("normal", |_| 3.0, |draws, truth| truth + normal(draws), Unit::Count),
            ("skewed", |_| 1.0, |draws, _| exponential(draws), Unit::Count),
            (
                "0/1",
                |draws| 0.1 + 0.8 * draws.unit(),
                |draws, truth| if draws.unit() < truth { 1.0 } else { 0.0 },
                Unit::Share,
            ),
        ];
        for (name, truth, observed, unit) in worlds {
            for count in [10, 30, 100] {
                let mut covered = 0;
                for plan in 0..PLANS {
                    let mut draws = Draws::of(plan as u64, &format!("means {name} {count}"));
                    let truth = truth(&mut draws);
                    let sample: Vec<f64> = (0..count).map(|_| observed(&mut draws, truth)).collect();
                    let mut own = Draws::of(plan as u64, "interval");
                    if let Interval::Between(from, to) = around_mean(&sample, unit, &mut own) {
                        covered += usize::from((from..=to).contains(&truth));
                    }
                }
                println!("{name}, {count} observations: {:.1} %", covered as f64 / 10.0);
                assert!((930..=970).contains(&covered), "{name}, {count}: {covered} of {PLANS}");
            }
        }
    }

    /// The interval of paired differences against that of differences between the same values in another order.
    #[test]
    fn pairing_makes_intervals_narrower_by_the_factor_that_the_seeds_explain() {
        let width = |differences: &[f64], plan: u64| match difference(
            differences,
            Unit::Count,
            &mut Draws::of(plan, "interval"),
        )
        .interval
        {
            Interval::Between(from, to) => to - from,
            other => panic!("{other:?}"),
        };
        for (name, world, least) in
            [("normal", normal_pair as World, 2.8), ("skewed", skewed_pair as World, 3.0)]
        {
            let (mut paired, mut apart) = (0.0, 0.0);
            for plan in 0..100 {
                let mut draws = Draws::of(plan, &format!("pairing {name}"));
                let pairs: Vec<(f64, f64)> = (0..30).map(|_| world(&mut draws)).collect();
                let one: Vec<f64> = pairs.iter().map(|(baseline, variant)| variant - baseline).collect();
                let other: Vec<f64> =
                    (0..30).map(|place| pairs[(place + 7) % 30].1 - pairs[place].0).collect();
                paired += width(&one, plan);
                apart += width(&other, plan);
            }
            println!("{name}: {:.2} times as narrow", apart / paired);
            assert!(apart / paired > least, "{name}: {}", apart / paired);
        }
    }

    #[test]
    fn a_share_of_none_or_of_all_lies_within_its_interval() {
        for (share, count) in (10..60).flat_map(|count| [(0.0, count), (1.0, count)]) {
            let Interval::Between(from, to) =
                around_mean(&vec![share; count], Unit::Share, &mut Draws::of(1, "x"))
            else {
                panic!("there is one");
            };
            assert!(from <= share && share <= to, "{share} of {count}: {from} to {to}");
        }
    }

    #[test]
    fn few_pairs_and_pairs_without_spread_have_no_interval() {
        let of = |values: &[f64]| difference(values, Unit::Share, &mut Draws::of(1, "x")).interval;
        assert_eq!(of(&[]), Interval::TooFew);
        assert_eq!(of(&[0.3; 9]), Interval::TooFew);
        assert_eq!(of(&[0.3; 10]), Interval::NoSpread);
        assert!(matches!(of(&[0.0; 10]), Interval::Between(from, to) if from < -0.2 && to > 0.2));
        let mut differs = vec![0.3; 12];
        differs[4] = 0.7;
        assert_eq!(of(&differs), Interval::NoSpread, "one pair is no spread");
        differs.splice(0..4, [0.1, 0.2, 0.5, 0.6]);
        assert!(matches!(of(&differs), Interval::Between(from, to) if from < 0.35 && to > 0.35));
    }

    /// A proportion has a scale of its own: of calls or money that differ by nothing, nobody knows by how much they might.
    #[test]
    fn what_is_no_share_has_no_interval_of_a_proportion() {
        let draws = || Draws::of(1, "x");
        for unit in [Unit::Count, Unit::Money, Unit::Seconds] {
            assert_eq!(difference(&[0.0; 12], unit, &mut draws()).interval, Interval::NoSpread);
            assert_eq!(around_mean(&[0.0; 12], unit, &mut draws()), Interval::NoSpread);
        }
    }

    #[test]
    fn an_interval_ends_where_differences_end_and_is_the_same_each_time() {
        let values: Vec<f64> =
            (0..10_i32).map(|place| if place < 3 { -0.9 } else { 0.93 + 0.01 * f64::from(place) }).collect();
        let of = || difference(&values, Unit::Share, &mut Draws::of(1, "x"));
        assert_eq!(of(), of());
        assert!(matches!(of().interval, Interval::Between(from, to) if from == -1.0 && to <= 1.0));
    }

    /// Computed by hand: 30 pairs, 9 better, 3 worse.
    #[test]
    fn proportions_have_the_interval_that_the_formula_gives() {
        let values: Vec<f64> = [vec![1.0; 9], vec![-1.0; 3], vec![0.0; 18]].concat();
        let Interval::Between(from, to) = difference(&values, Unit::Share, &mut Draws::of(1, "x")).interval
        else {
            panic!("there is one");
        };
        assert!((from - -0.0319).abs() < 0.0005 && (to - 0.4069).abs() < 0.0005, "{from} {to}");
    }
}
