//! Models in order: who does better than whom in a role, as far as pairs show it.
//!
//! A model is ahead of another one that it beats clearly in more scores than it loses to it. Clearly: the 95 % interval of the paired
//! difference does not hold 0. Its rank is one more than there are models ahead of it, so that models of which none is ahead of the other
//! may share a rank.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::compare::{Played, compare};
use crate::interval::Interval;
use crate::scores::{Score, named};

/// Which values of a score are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Greater ones.
    Higher,
    /// Smaller ones.
    Lower,
}

/// What models are ranked as.
#[derive(Debug)]
pub struct Role {
    /// Its name for people.
    pub name: &'static str,
    /// Its name for programs and in the names of variants.
    pub id: &'static str,
    /// The seats that a model has in it, as plans name them.
    pub seats: &'static [&'static str],
    /// The scores that count, and which of their values are better.
    pub scores: &'static [(&'static str, Better)],
}

/// The roles. The DM decides what becomes of a goal, so that goals reached say nothing of a DM. Scores of money and time are not here:
/// they are shown by `sweep show`, and what they are worth is not ours to say.
pub const ROLES: [Role; 2] = [
    Role {
        name: "As DM",
        id: "dm",
        seats: &["dm"],
        scores: &[
            ("accepted", Better::Higher),
            ("unusable", Better::Lower),
            ("spoke_for_another", Better::Lower),
            ("unresolved", Better::Lower),
            ("findings", Better::Lower),
            ("repeated", Better::Lower),
        ],
    },
    Role {
        name: "As players",
        id: "players",
        seats: &["players"],
        scores: &[
            ("primary", Better::Higher),
            ("accepted", Better::Higher),
            ("unusable", Better::Lower),
            ("spoke_for_another", Better::Lower),
            ("findings", Better::Lower),
            ("repeated", Better::Lower),
        ],
    },
];

impl Role {
    /// The scores that count.
    pub fn counted(&self) -> impl Iterator<Item = (&'static Score, Better)> {
        self.scores.iter().filter_map(|(name, better)| Some((named(name)?, *better)))
    }
}

/// A model in its role.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// Its variant, by its place in the plan.
    pub variant: usize,
    /// Its rank, from 1; nothing where no interval is known of it.
    pub rank: Option<usize>,
    /// Scores and other models in which it is clearly better.
    pub better: usize,
    /// Scores and other models in which it is clearly worse.
    pub worse: usize,
    /// Scores and other models of which an interval is known.
    pub compared: usize,
    /// Its mean of each score of the role, in their order.
    pub means: Vec<Option<f64>>,
}

impl Ranked {
    fn points(&self) -> i64 {
        self.better as i64 - self.worse as i64
    }
}

/// Ranks these variants, the best first; those of one rank in the given order.
pub fn rank(role: &Role, variants: &[usize], played: &[Played], interval_seed: u64) -> Vec<Ranked> {
    let scores: Vec<(&'static Score, Better)> = role.counted().collect();
    let names: Vec<&'static Score> = scores.iter().map(|(score, _)| *score).collect();
    let all = variants.iter().max().map_or(0, |last| last + 1);
    let mut ranked: Vec<Ranked> = variants
        .iter()
        .map(|variant| Ranked {
            variant: *variant,
            rank: None,
            better: 0,
            worse: 0,
            compared: 0,
            means: Vec::new(),
        })
        .collect();
    let mut nets: BTreeMap<(usize, usize), i64> = BTreeMap::new();
    let mut ahead = vec![0; ranked.len()];
    for base in 0..ranked.len() {
        let comparison = compare(&names, all, ranked[base].variant, played, interval_seed);
        for (score, better) in &scores {
            let row = |variant| comparison.of(score.name).find(|row| row.variant == variant);
            let mean = row(ranked[base].variant).and_then(|row| row.mean);
            ranked[base].means.push(mean);
            // Each two are compared once, so that both are told the same.
            for other in base + 1..ranked.len() {
                let Some(difference) = row(ranked[other].variant).and_then(|row| row.difference) else {
                    continue;
                };
                let (from, to) = match difference.interval {
                    Interval::Between(from, to) => (from, to),
                    // What nearly never differs shows nothing, as in a table.
                    Interval::NoSpread => (0.0, 0.0),
                    Interval::TooFew => continue,
                };
                ranked[base].compared += 1;
                ranked[other].compared += 1;
                let (is_higher, is_lower) = (from > 0.0, to < 0.0);
                if !is_higher && !is_lower {
                    continue;
                }
                let (winner, loser) =
                    if is_higher == (*better == Better::Higher) { (other, base) } else { (base, other) };
                ranked[winner].better += 1;
                ranked[loser].worse += 1;
                let net = nets.entry((base, other)).or_default();
                *net += if winner == base { 1 } else { -1 };
            }
        }
    }
    // A model comes behind those that are better than itself, and not behind those that are better than a third.
    for (&(base, other), net) in &nets {
        if *net != 0 {
            ahead[if *net > 0 { other } else { base }] += 1;
        }
    }
    for (one, ahead) in ranked.iter_mut().zip(ahead) {
        one.rank = (one.compared > 0).then_some(1 + ahead);
    }
    ranked.sort_by_key(|one| (one.rank.unwrap_or(usize::MAX), std::cmp::Reverse(one.points())));
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Cell;

    const ROLE: Role = Role {
        name: "As nobody",
        id: "nobody",
        seats: &[],
        scores: &[("accepted", Better::Higher), ("unusable", Better::Lower)],
    };

    /// Pairs of three variants: of the last one fewer calls are accepted and more replies unusable.
    fn played(seeds: u64) -> Vec<Played> {
        let cells = (0..seeds).flat_map(|seed| (0..3).map(move |variant| (seed, variant)));
        let scores = |seed: u64, variant: usize| {
            let noise = (seed * 7 % 5) as f64 / 100.0;
            let worse = if variant == 2 { 0.3 + noise } else { noise * ((seed % 2) as f64 - 0.5) };
            BTreeMap::from([("accepted", 0.9 - worse), ("unusable", 10.0 * worse)])
        };
        let one = |(seed, variant)| Played {
            cell: Cell { campaign: 0, seed, repetition: 1, variant },
            scores: scores(seed, variant),
        };
        cells.map(one).collect()
    }

    #[test]
    fn what_is_clearly_worse_ranks_lower_and_what_is_alike_has_one_rank() {
        let ranked = rank(&ROLE, &[2, 0, 1], &played(12), 1);
        let shown: Vec<_> = ranked.iter().map(|one| (one.variant, one.rank, one.better, one.worse)).collect();
        assert_eq!(shown, [(0, Some(1), 2, 0), (1, Some(1), 2, 0), (2, Some(3), 0, 4)]);
        assert!(ranked.iter().all(|one| one.compared == 4 && one.means.iter().all(Option::is_some)));
    }

    #[test]
    fn whoever_is_behind_nobody_is_first_also_where_others_are_told_apart() {
        let seeds = 0..12_u64;
        // The second lies between the others, and is told apart from neither.
        let values = |seed: u64| {
            let noise = ((seed * 5 % 7) as f64 - 3.0) / 10.0;
            [0.9 + noise / 100.0, 0.7 + 2.0 * noise, 0.5 - noise / 100.0]
        };
        let played: Vec<Played> = seeds
            .flat_map(|seed| (0..3).map(move |variant| (seed, variant)))
            .map(|(seed, variant)| Played {
                cell: Cell { campaign: 0, seed, repetition: 1, variant },
                scores: BTreeMap::from([("accepted", values(seed)[variant])]),
            })
            .collect();
        let ranked = rank(&ROLE, &[0, 1, 2], &played, 1);
        let shown: Vec<_> = ranked.iter().map(|one| (one.variant, one.rank)).collect();
        assert_eq!(shown, [(0, Some(1)), (1, Some(1)), (2, Some(2))]);
    }

    #[test]
    fn one_pair_that_differs_ranks_nobody() {
        let mut played = played(12);
        for one in &mut played {
            let differs = one.cell.variant == 2 && one.cell.seed == 3;
            one.scores = BTreeMap::from([("accepted", 0.9), ("unusable", if differs { 1.5 } else { 0.25 })]);
        }
        let ranked = rank(&ROLE, &[0, 1, 2], &played, 1);
        assert!(ranked.iter().all(|one| (one.better, one.worse, one.rank) == (0, 0, Some(1))));
    }

    #[test]
    fn too_few_pairs_rank_nobody() {
        assert!(
            rank(&ROLE, &[0, 1, 2], &played(9), 1).iter().all(|one| one.rank.is_none() && one.compared == 0)
        );
        assert!(rank(&ROLE, &[0, 1, 2], &[], 1).iter().all(|one| one.rank.is_none()));
    }

    #[test]
    fn every_role_counts_scores_that_there_are() {
        for role in &ROLES {
            assert_eq!(role.counted().count(), role.scores.len(), "{}", role.name);
        }
    }
}
