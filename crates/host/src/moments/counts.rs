//! What was counted at moments, and what it says of play.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use twicetold_model::Usage;

use super::Role;

/// More than any request reads or writes: a server that says so is not believed.
const TOKENS_MAX: u64 = 10_000_000;

/// What came of some moments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Counts {
    /// Moments.
    pub moments: u64,
    /// Of those, moments of which something counted: words were spoken, a tool call was accepted, a summary was taken.
    pub used: u64,
    /// Of those, moments with at least one tool call, accepted or rejected.
    pub calling: u64,
    /// Tool calls.
    pub tool_calls: u64,
    /// Of those, accepted.
    pub accepted: u64,
    /// Model calls that were answered.
    pub answers: u64,
    /// Model calls that failed.
    pub faults: u64,
    /// Milliseconds of the answered calls.
    pub ms: u64,
    /// Tokens read, by the server's count.
    pub input_tokens: u64,
    /// Of those, from its cache.
    pub cached_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

impl Counts {
    /// Both together.
    #[must_use]
    pub fn plus(self, more: Counts) -> Counts {
        let sum = u64::saturating_add;
        Counts {
            moments: sum(self.moments, more.moments),
            used: sum(self.used, more.used),
            calling: sum(self.calling, more.calling),
            tool_calls: sum(self.tool_calls, more.tool_calls),
            accepted: sum(self.accepted, more.accepted),
            answers: sum(self.answers, more.answers),
            faults: sum(self.faults, more.faults),
            ms: sum(self.ms, more.ms),
            input_tokens: sum(self.input_tokens, more.input_tokens),
            cached_tokens: sum(self.cached_tokens, more.cached_tokens),
            output_tokens: sum(self.output_tokens, more.output_tokens),
        }
    }

    pub(super) fn answered(&mut self, usage: &Usage, ms: u64) {
        self.answers += 1;
        self.ms = self.ms.saturating_add(ms);
        let believed = |tokens: u64| if tokens > TOKENS_MAX { 0 } else { tokens };
        self.input_tokens += believed(usage.input_tokens);
        self.cached_tokens += believed(usage.cached_tokens);
        self.output_tokens += believed(usage.output_tokens);
    }

    /// The rate of accepted tool calls. The calls of one turn depend on one another, so that it is as sure as one call a moment.
    pub fn rate(&self) -> Option<Interval> {
        Interval::of(self.accepted, self.tool_calls, self.calling)
    }

    /// The rate of moments of which something counted.
    pub fn use_rate(&self) -> Option<Interval> {
        Interval::of(self.used, self.moments, self.moments)
    }

    /// Of tokens read, how many hundredths came from the cache; nothing where the server counts none.
    pub fn cached_percent(&self) -> Option<u64> {
        let cached = u128::from(self.cached_tokens.min(self.input_tokens)) * 100;
        u64::try_from(cached.checked_div(u128::from(self.input_tokens))?).ok()
    }
}

/// A rate with its 95 % interval, in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Interval {
    /// The rate.
    pub rate: u64,
    /// Where the interval begins.
    pub low: u64,
    /// Where it ends.
    pub high: u64,
}

impl Interval {
    /// Wilson's interval of `part` of `whole`, as sure as `sample` independent tries are; nothing of nothing.
    pub fn of(part: u64, whole: u64, sample: u64) -> Option<Interval> {
        // The square of 1.96, and the numbers below, in millionths.
        const Z2: u128 = 3_841_459;
        const ONE: u128 = 1_000_000;
        // Larger numbers come from no measurement, and would be too large to multiply.
        let n = u128::from(sample.min(1_000_000));
        if whole == 0 || n == 0 {
            return None;
        }
        let rate = u128::from(part.min(whole)) * ONE / u128::from(whole);
        let (middle, under) = (2 * n * rate + Z2, 2 * (n * ONE + Z2));
        let spread = (Z2 * (Z2 + 4 * n * rate * (ONE - rate) / ONE)).isqrt();
        let thousandths =
            |above: u128| u64::try_from((above * 1_000 + under / 2) / under).unwrap_or_default();
        Some(Interval {
            rate: u64::try_from((rate + 500) / 1_000).unwrap_or_default(),
            low: thousandths(middle.saturating_sub(spread)),
            high: thousandths(middle + spread).min(1_000),
        })
    }
}

/// What a model is fit for is decided here: a rate is good enough where its interval begins at half or above, so that most of what a model
/// does counts, also where the measurement was lucky.
const FIT: u64 = 500;
/// A mode is good where its interval begins here or above: then more freedom is worth more than fewer rejections.
const GOOD: u64 = 600;
/// A model that calls tools in fewer than one of so many turns does not play, however many of its calls are accepted. The improviser calls
/// one in every second.
const CALLING_PART: u64 = 5;

/// What is kept of one mode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// When it was measured, in milliseconds since 1970.
    pub at_ms: u64,
    /// The campaign whose moments were played.
    pub campaign: String,
    /// The DM's turns.
    pub dm: Counts,
    /// The players' turns.
    pub player: Counts,
}

impl Kept {
    /// All turns.
    pub fn turns(&self) -> Counts {
        self.dm.plus(self.player)
    }

    /// Adds what came of a moment.
    pub fn add(&mut self, role: Role, counts: Counts) {
        match role {
            Role::Dm => self.dm = self.dm.plus(counts),
            Role::Player => self.player = self.player.plus(counts),
            Role::Memory => {}
        }
    }

    /// Where the rate of accepted calls begins, if a model can play a campaign in this mode at all.
    pub(crate) fn low(&self) -> Option<u64> {
        let turns = self.turns();
        let is_used = turns.use_rate().is_some_and(|used| used.rate >= FIT);
        let plays = turns.calling.saturating_mul(CALLING_PART) >= turns.moments && is_used;
        turns.rate().filter(|_| plays).map(|rate| rate.low)
    }

    pub(crate) fn is_good(&self) -> bool {
        self.low().is_some_and(|low| low >= GOOD)
    }
}

/// Is a model fit for a seat?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fitness {
    /// It is.
    Fit,
    /// It is not, and why.
    Unfit(&'static str),
    /// It may be: too few moments were played to be sure of this.
    Unsure(&'static str),
}

/// What a rate says: it is low, or it might be, or it is good enough.
fn fitness_of(rate: Option<Interval>, is_low: &'static str, is_good: &'static str) -> Fitness {
    let Interval { rate, low, .. } = rate.unwrap_or_default();
    match rate {
        _ if low >= FIT => Fitness::Fit,
        FIT.. => Fitness::Unsure(is_good),
        _ => Fitness::Unfit(is_low),
    }
}

/// Whether a model is fit for a seat where this was counted. `turns` are those of all seats in the same mode: a seat that makes few calls, such
/// as a guided DM, is judged with them.
pub fn fitness(role: Role, counts: &Counts, turns: &Counts) -> Fitness {
    let (unusable, usable) = (
        "too many of its replies cannot be used",
        "too few moments to be sure that most replies can be used",
    );
    let (rejected, accepted) = (
        "too many of its tool calls are rejected",
        "too few moments to be sure that most tool calls are accepted",
    );
    let rarely = "it hardly ever calls a tool, so its narration has no effect on the game state";
    match fitness_of(counts.use_rate(), unusable, usable) {
        Fitness::Fit if role == Role::Dm && counts.calling.saturating_mul(CALLING_PART) < counts.moments => {
            Fitness::Unfit(rarely)
        }
        Fitness::Fit if role != Role::Memory && counts.tool_calls > 0 => {
            match fitness_of(counts.rate(), rejected, accepted) {
                Fitness::Unsure(_) => fitness_of(turns.rate(), accepted, accepted),
                sure => sure,
            }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(part: u64, whole: u64, sample: u64) -> (u64, u64, u64) {
        let Interval { rate, low, high } = Interval::of(part, whole, sample).expect("there is a sample");
        (rate, low, high)
    }

    #[test]
    fn the_interval_is_that_of_wilson() {
        // By the textbook's formula, in a spreadsheet.
        for (part, whole, wanted) in [
            (0, 10, (0, 0, 278)),
            (10, 10, (1_000, 722, 1_000)),
            (3, 28, (107, 37, 272)),
            (24, 30, (800, 627, 905)),
            (1, 2, (500, 95, 905)),
        ] {
            assert_eq!(interval(part, whole, whole), wanted, "{part} of {whole}");
        }
        assert_eq!(Interval::of(0, 0, 0), None);
    }

    #[test]
    fn many_calls_in_few_moments_are_no_surer_than_the_moments() {
        assert_eq!(interval(400, 400, 10), interval(10, 10, 10));
        // Whoever edits the file may write any number.
        assert_eq!(interval(u64::MAX, 1, u64::MAX).0, 1_000);
        assert_eq!(interval(1, u64::MAX, u64::MAX).2, 0);
    }

    #[test]
    fn a_dm_that_only_talks_is_not_fit_and_a_player_that_only_talks_is() {
        let unfit = |role, counts: &Counts| match fitness(role, counts, counts) {
            Fitness::Fit => "",
            Fitness::Unfit(why) | Fitness::Unsure(why) => why,
        };
        let talks = Counts { moments: 15, used: 15, ..Counts::default() };
        assert!(unfit(Role::Dm, &talks).contains("hardly ever calls"));
        assert_eq!((unfit(Role::Player, &talks), unfit(Role::Memory, &talks)), ("", ""));
        let plays = Counts { calling: 9, tool_calls: 12, accepted: 11, ..talks };
        assert_eq!((unfit(Role::Dm, &plays), unfit(Role::Player, &plays)), ("", ""));
        let fails = Counts { accepted: 5, ..plays };
        assert!(unfit(Role::Player, &fails).contains("calls are rejected"));
        assert_eq!(unfit(Role::Memory, &fails), "");
        let few = Counts { moments: 2, used: 2, ..Counts::default() };
        assert!(
            matches!(fitness(Role::Player, &few, &few), Fitness::Unsure(why) if why.contains("too few moments"))
        );
        let rarely = Counts { calling: 3, tool_calls: 3, accepted: 3, ..talks };
        assert!(unfit(Role::Dm, &rarely).contains("too few moments"));
        assert_eq!(fitness(Role::Dm, &rarely, &rarely.plus(plays)), Fitness::Fit);
        let mute = Counts { used: 7, ..plays };
        assert!(unfit(Role::Memory, &mute).contains("cannot be used"));
    }

    #[test]
    fn tokens_that_cannot_be_true_are_not_counted() {
        let mut counts = Counts::default();
        counts.answered(&Usage { input_tokens: u64::MAX, cached_tokens: 5, ..Usage::default() }, 7);
        counts.answered(&Usage { input_tokens: 10, cached_tokens: 0, ..Usage::default() }, 7);
        assert_eq!((counts.input_tokens, counts.ms, counts.cached_percent()), (10, 14, Some(50)));
        assert_eq!(Counts::default().cached_percent(), None);
    }
}
