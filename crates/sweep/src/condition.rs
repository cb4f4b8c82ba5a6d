//! Conditions on scores, for continuous integration: `accepted < 0.95`.

use crate::compare::{Comparison, Row};
use crate::scores::{SCORES, Unit, named};

/// How a mean is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Less,
    LessOrSame,
    More,
    MoreOrSame,
}

/// Longer signs first: `<=` begins with `<`.
const ORDERS: [(&str, Order); 4] =
    [("<=", Order::LessOrSame), (">=", Order::MoreOrSame), ("<", Order::Less), (">", Order::More)];

/// A condition on the mean of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// As it was typed.
    pub text: String,
    score: &'static str,
    order: Order,
    bound: f64,
}

/// A variant for which a condition holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Met {
    /// The variant, by its place in the plan.
    pub variant: usize,
    /// Its mean; nothing where the score was not counted, which is never what somebody wants to pass.
    pub mean: Option<f64>,
}

impl Condition {
    /// Reads a condition. `near` suggests the name of a score.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str, near: impl Fn(&[&str], &str) -> Option<String>) -> Result<Condition, String> {
        let sign = ORDERS.iter().find_map(|(sign, order)| Some((text.split_once(sign)?, *order)));
        let Some(((score, bound), order)) = sign else {
            return Err(format!("{text:?} has none of <, <=, >, >=: write for example 'accepted < 0.95'"));
        };
        let Some(known) = named(score.trim()) else {
            let names: Vec<&str> = SCORES.iter().map(|score| score.name).collect();
            let meant = near(&names, score.trim()).map(|near| format!(": did you mean {near:?}?"));
            let meant = meant.unwrap_or_else(|| format!("; the scores are {}", names.join(", ")));
            return Err(format!("there is no score {:?}{meant}", score.trim()));
        };
        let (number, scale) =
            bound.trim().strip_suffix('%').map_or((bound.trim(), 1.0), |of| (of.trim(), 100.0));
        let bound = number.parse().ok().filter(|bound: &f64| bound.is_finite()).map(|bound| bound / scale);
        let bound = bound.ok_or_else(|| format!("{text:?} does not end in a number"))?;
        let is_share = known.unit == Unit::Share;
        if is_share && !(0.0..=1.0).contains(&bound) {
            return Err(format!(
                "{} is a share, from 0 to 1: write 0.05, or 5 %, for five of a hundred",
                known.name
            ));
        }
        if !is_share && scale > 1.0 {
            return Err(format!("{} is no share: write its bound without %", known.name));
        }
        Ok(Condition { text: text.trim().to_owned(), score: known.name, order, bound })
    }

    /// The score that it is about.
    pub fn score(&self) -> &'static str {
        self.score
    }

    /// The variants for which it holds, and those for which that cannot be known.
    pub fn met(&self, comparison: &Comparison) -> Vec<Met> {
        let holds = |row: &&Row| {
            row.mean.is_none_or(|mean| match self.order {
                Order::Less => mean < self.bound,
                Order::LessOrSame => mean <= self.bound,
                Order::More => mean > self.bound,
                Order::MoreOrSame => mean >= self.bound,
            })
        };
        comparison
            .of(self.score)
            .filter(holds)
            .map(|row| Met { variant: row.variant, mean: row.mean })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::Interval;

    fn parsed(text: &str) -> Result<Condition, String> {
        Condition::parse(text, |known, typed| {
            known.iter().find(|name| name.starts_with(&typed[..3])).map(|name| (*name).to_owned())
        })
    }

    #[test]
    fn a_condition_holds_where_the_mean_is_as_it_says_or_is_not_known() {
        let row = |variant, mean| Row {
            score: "accepted",
            variant,
            campaigns: 1,
            seeds: 10,
            mean,
            interval: Interval::TooFew,
            difference: None,
        };
        let comparison = Comparison { rows: vec![row(0, Some(0.95)), row(1, Some(0.9)), row(2, None)] };
        let met = |text: &str| -> Vec<usize> {
            parsed(text).expect(text).met(&comparison).iter().map(|met| met.variant).collect()
        };
        assert_eq!(met("accepted < 0.95"), [1, 2]);
        assert_eq!(met("accepted<=0.95"), [0, 1, 2]);
        assert_eq!(met("accepted > 0.9"), [0, 2]);
        assert_eq!(met(" accepted >= 1 "), [2]);
        assert_eq!((met("accepted < 95 %"), met("accepted<95%")), (vec![1, 2], vec![1, 2]));
    }

    #[test]
    fn a_condition_that_means_nothing_says_what_is_possible() {
        for (text, wanted) in [
            ("accepted", "write for example"),
            ("acepted < 1", "no score \"acepted\""),
            ("accept < 1", "did you mean \"accepted\"?"),
            ("accepted < much", "does not end in a number"),
            ("accepted < nan", "does not end in a number"),
            ("accepted >= 2", "is a share, from 0 to 1"),
            ("accepted < 95", "is a share, from 0 to 1"),
            ("calls > 5 %", "is no share"),
        ] {
            let refused = parsed(text).expect_err(text);
            assert!(refused.contains(wanted), "{text}: {refused}");
        }
    }
}
