//! How far a campaign may be played on this machine, whatever its charter says, and how much of that is spent.

use std::sync::Arc;

use twicetold_event::{Input, Millis, PauseAsked, Seat};
use twicetold_model::{Money, Usage};
use twicetold_projection::people::Prices;
use twicetold_world::State;

use crate::message::BudgetNotice;
use crate::shared::SharedBudget;

/// What may be spent; what is absent has no limit here.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Calls that were answered.
    pub calls: Option<Limit>,
    /// Tokens of requests and replies.
    pub tokens: Option<Limit>,
    /// Money.
    pub money: Option<MoneyBudget>,
    /// Milliseconds of this run.
    pub time_ms: Option<u64>,
    /// A budget that other campaigns spend too, with what the models of this one cost.
    pub shared: Option<(Arc<SharedBudget>, Prices)>,
}

/// Totals of the whole campaign between which a budget lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Spent before the budget was given.
    pub from: u64,
    /// Spent when it is used up.
    pub to: u64,
}

/// An amount of money.
#[derive(Clone, Debug)]
pub struct MoneyBudget {
    /// How much may be spent.
    pub amount: Money,
    /// Of which currency.
    pub currency: String,
    /// What was spent of it in earlier runs.
    pub spent: Money,
    /// What the models cost.
    pub prices: Prices,
}

/// A budget that is used up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedUp {
    /// Is it time?
    pub is_time: bool,
    /// For the journal, which holds no spent money: prices could be read from it.
    pub reason: String,
    /// For whoever watches.
    pub notice: BudgetNotice,
}

impl UsedUp {
    /// The pause in the place of the next call.
    pub(crate) fn pause(self) -> Input {
        Input::PauseAsked(PauseAsked { reason: self.reason })
    }
}

/// From how many hundredths of a budget on somebody is warned.
const WARNED_AT: u8 = 80;

/// What is proposed where a server counts no tokens: an evening of play.
const UNCOUNTED_AGAIN: &str = "300calls";

/// A budget and what is spent of it.
#[derive(Debug)]
pub struct Meter {
    budget: Budget,
    started: Millis,
    time_is_up: bool,
    /// A server has answered without saying how many tokens it took.
    is_uncounted: bool,
    /// What was warned of.
    warned: Vec<Kind>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Calls,
    Tokens,
    Money,
    Time,
}

/// How a part of the budget stands.
struct Standing {
    kind: Kind,
    used_up: bool,
    nearly: bool,
    reason: String,
    spent: String,
    again: String,
}

/// The whole budget once more: one that is given takes the place of all of the former one.
fn again(standings: &[Standing]) -> String {
    standings.iter().map(|standing| standing.again.as_str()).collect::<Vec<_>>().join(",")
}

/// Are so many hundredths of the budget spent?
fn nearly(spent: u64, budget: u64) -> bool {
    u128::from(spent) * 100 >= u128::from(budget) * u128::from(WARNED_AT)
}

impl Meter {
    /// Nothing was spent in this run, which begins now.
    pub fn new(budget: Budget, started: Millis) -> Meter {
        Meter { budget, started, time_is_up: false, is_uncounted: false, warned: Vec::new() }
    }

    /// How long this run may take.
    pub(crate) fn time_ms(&self) -> Option<u64> {
        self.budget.time_ms
    }

    /// A timer says that the time is over, whatever the clock says.
    pub(crate) fn time_is_up(&mut self) {
        self.time_is_up = true;
    }

    /// A model of a server answered.
    pub fn answered(&mut self, seat: Seat, model: &str, usage: &Usage) {
        self.is_uncounted |= usage.input_tokens == 0 && usage.output_tokens == 0;
        if let Some(money) = &mut self.budget.money
            && let Some(price) = money.prices.of(seat, model)
            && price.currency == money.currency
        {
            money.spent = money.spent.plus(price.cost(usage));
        }
        if let Some((shared, prices)) = &self.budget.shared {
            shared.answered(usage, prices.of(seat, model));
        }
    }

    /// What is used up, if anything is: then no further call may be made.
    pub fn used_up(&self, state: &State, now: impl Fn() -> Millis) -> Option<UsedUp> {
        if let Some(used_up) = self.budget.shared.as_ref().and_then(|(shared, _)| shared.used_up()) {
            return Some(used_up);
        }
        let standings = self.standings(state, now);
        let again = again(&standings);
        let counts = |standing: &&Standing| matches!(standing.kind, Kind::Tokens | Kind::Money);
        if let Some(standing) = standings.iter().find(counts).filter(|_| self.is_uncounted) {
            let spent = format!("{}, but the server does not say how many tokens it takes", standing.spent);
            let reason =
                "the server reports no tokens: a budget of tokens or money cannot be kept".to_owned();
            let notice = BudgetNotice { used_up: true, spent, again: UNCOUNTED_AGAIN.to_owned() };
            return Some(UsedUp { is_time: false, reason, notice });
        }
        let Standing { kind, reason, spent, .. } = standings.into_iter().find(|standing| standing.used_up)?;
        let notice = BudgetNotice { used_up: true, spent, again };
        Some(UsedUp { is_time: kind == Kind::Time, reason, notice })
    }

    /// May another call be made beside the one that is being made?
    pub fn allows_another(&self, state: &State, now: impl Fn() -> Millis) -> bool {
        let made = u64::from(state.calls().total().calls).saturating_add(1);
        self.used_up(state, now).is_none() && self.budget.calls.is_none_or(|limit| made < limit.to)
    }

    /// What is nearly used up and was not warned of yet.
    pub fn warnings(&mut self, state: &State, now: impl Fn() -> Millis) -> Vec<BudgetNotice> {
        let mut standings = self.standings(state, now);
        let again = again(&standings);
        standings
            .retain(|standing| standing.nearly && !standing.used_up && !self.warned.contains(&standing.kind));
        self.warned.extend(standings.iter().map(|standing| standing.kind));
        standings
            .into_iter()
            .map(|standing| BudgetNotice { used_up: false, spent: standing.spent, again: again.clone() })
            .collect()
    }

    fn standings(&self, state: &State, now: impl Fn() -> Millis) -> Vec<Standing> {
        let total = state.calls().total();
        let tokens = total.input_tokens.saturating_add(total.output_tokens);
        let counted = |kind, limit: Option<Limit>, spent: u64, unit: &str, short: &str| {
            let Limit { from, to } = limit?;
            let (of, more) = (to.saturating_sub(from), spent.saturating_sub(from));
            Some(Standing {
                kind,
                used_up: spent >= to,
                nearly: nearly(more, of),
                reason: format!("the budget is used up: {spent} {unit}, at most {to}"),
                spent: format!("{more} of {of} {unit}"),
                again: format!("{of}{short}"),
            })
        };
        let calls = counted(Kind::Calls, self.budget.calls, total.calls.into(), "calls", "calls");
        let tokens = counted(Kind::Tokens, self.budget.tokens, tokens, "tokens", "tok");
        let money = self.budget.money.as_ref().map(|money| {
            let MoneyBudget { amount, currency, spent, .. } = money;
            Standing {
                kind: Kind::Money,
                used_up: spent >= amount,
                nearly: *spent >= amount.percent(WARNED_AT),
                reason: format!("the budget is used up: at most {amount} {currency}"),
                spent: format!("{} of {amount} {currency}", spent.rounded()),
                again: format!("{amount}{currency}"),
            }
        });
        let time = self.budget.time_ms.map(|most| {
            let taken = now().0.saturating_sub(self.started.0);
            Standing {
                kind: Kind::Time,
                used_up: self.time_is_up || taken >= most,
                nearly: nearly(taken, most),
                reason: format!("the budget is used up: at most {}", duration(most, " ")),
                spent: format!("{} of {}", duration(taken, " "), duration(most, " ")),
                again: duration(most, ""),
            }
        });
        [calls, tokens, money, time].into_iter().flatten().collect()
    }
}

/// `30 min` or `45 s`; in minutes only where it is whole minutes.
fn duration(ms: u64, space: &str) -> String {
    let seconds = ms / 1_000;
    match seconds {
        1.. if seconds.is_multiple_of(60) => format!("{}{space}min", seconds / 60),
        _ => format!("{seconds}{space}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use twicetold_model::{Price, Rates};
    use twicetold_tests::Game;

    fn state() -> State {
        let (session, _memory, _) = Game::new(1).session();
        session.campaign().state().clone()
    }

    #[test]
    fn time_is_warned_of_once_and_then_used_up() {
        let (state, budget) = (state(), Budget { time_ms: Some(60_000), ..Budget::default() });
        let mut meter = Meter::new(budget, Millis(5_000));
        let at = |ms: u64| move || Millis(5_000 + ms);
        assert_eq!(meter.warnings(&state, at(47_999)), []);
        let warned = meter.warnings(&state, at(48_000));
        let wanted = BudgetNotice { used_up: false, spent: "48 s of 1 min".into(), again: "1min".into() };
        assert_eq!(warned, [wanted]);
        assert_eq!(meter.warnings(&state, at(50_000)), []);
        assert_eq!(meter.used_up(&state, at(59_999)), None);
        let used_up = meter.used_up(&state, at(60_000)).expect("a minute is over");
        assert_eq!(used_up.reason, "the budget is used up: at most 1 min");
        assert!(used_up.is_time && used_up.notice.used_up);
        meter.time_is_up();
        assert!(meter.used_up(&state, at(0)).is_some(), "a clock that was set back gives no more time");
    }

    #[test]
    fn money_is_used_up_by_answers_and_the_journal_does_not_learn_how_much_they_cost() {
        let rates = Rates { input: 1_000_000, cached: 0, cache_write: 0, output: 0, thinking: 0 };
        let mut prices = Prices::default();
        prices.seat(Seat::Dm, "one".into(), Some(Price { currency: "usd".into(), rates, above: None }));
        let (amount, spent) = (Money::of_millionths(10_000), Money::of_millionths(1_000));
        let money = MoneyBudget { amount, currency: "usd".into(), spent, prices };
        let (state, now) = (state(), || Millis(0));
        let mut meter = Meter::new(Budget { money: Some(money), ..Budget::default() }, Millis(0));
        let call = |tokens| Usage { input_tokens: tokens, ..Usage::default() };
        meter.answered(Seat::Dm, "one", &call(6_999));
        meter.answered(Seat::Memory, "one", &call(1_000_000));
        assert_eq!(meter.warnings(&state, now), []);
        meter.answered(Seat::Dm, "one", &call(1));
        let wanted =
            BudgetNotice { used_up: false, spent: "0.0080 of 0.01 usd".into(), again: "0.01usd".into() };
        assert_eq!(meter.warnings(&state, now), [wanted]);
        assert_eq!(meter.used_up(&state, now), None);
        meter.answered(Seat::Dm, "one", &call(2_500));
        let used_up = meter.used_up(&state, now).expect("all of it is spent");
        assert_eq!(used_up.reason, "the budget is used up: at most 0.01 usd");
        assert_eq!(used_up.notice.spent, "0.0105 of 0.01 usd");
    }

    #[test]
    fn a_budget_of_tokens_ends_where_a_server_counts_none() {
        let limit = Some(Limit { from: 0, to: 1_000 });
        let (state, now) = (state(), || Millis(0));
        for (budget, ends) in [
            (Budget { tokens: limit, calls: limit, ..Budget::default() }, true),
            (Budget { calls: limit, ..Budget::default() }, false),
        ] {
            let mut meter = Meter::new(budget, Millis(0));
            meter.answered(Seat::Dm, "one", &Usage { output_tokens: 1, ..Usage::default() });
            assert_eq!(meter.used_up(&state, now), None);
            meter.answered(Seat::Dm, "one", &Usage::default());
            let used_up = meter.used_up(&state, now);
            assert_eq!(used_up.is_some_and(|used_up| used_up.reason.contains("no tokens")), ends);
        }
    }

    #[test]
    fn calls_are_counted_from_where_the_budget_was_given() {
        let limit = Limit { from: 0, to: 0 };
        let meter = Meter::new(Budget { calls: Some(limit), ..Budget::default() }, Millis(0));
        let used_up = meter.used_up(&state(), || Millis(0)).expect("no call is allowed");
        assert_eq!(used_up.reason, "the budget is used up: 0 calls, at most 0");
        assert!(!nearly(79, 100) && nearly(80, 100) && nearly(u64::MAX, u64::MAX));
    }
}
