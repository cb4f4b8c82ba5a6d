//! One budget of several campaigns, which are played at the same time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use twicetold_model::{Money, Price, Usage};

use crate::budget::UsedUp;
use crate::message::BudgetNotice;

/// What several campaigns may spend together; what is absent has no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Most {
    /// Calls that were answered.
    pub calls: Option<u64>,
    /// Tokens of requests and replies.
    pub tokens: Option<u64>,
    /// Money, and of which currency.
    pub money: Option<(Money, String)>,
}

/// A budget from which each of several campaigns takes what it spends.
#[derive(Debug)]
pub struct SharedBudget {
    most: Most,
    spent: Mutex<Spent>,
    is_closed: AtomicBool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    calls: u64,
    tokens: u64,
    money: Money,
}

impl SharedBudget {
    /// Nothing was spent yet.
    pub fn new(most: Most) -> SharedBudget {
        SharedBudget { most, spent: Mutex::default(), is_closed: AtomicBool::new(false) }
    }

    /// Nothing more may be spent, whatever is left: whoever counts elsewhere says so.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
    }

    /// The currency of its money, where money is limited.
    pub fn currency(&self) -> Option<&str> {
        self.most.money.as_ref().map(|(_, currency)| currency.as_str())
    }

    /// A model of a server answered.
    pub fn answered(&self, usage: &Usage, price: Option<&Price>) {
        let price = price.filter(|price| Some(price.currency.as_str()) == self.currency());
        // A server that counts no tokens would be paid without an end.
        let is_counted = usage.input_tokens > 0 || usage.output_tokens > 0;
        if !is_counted && (self.most.tokens.is_some() || self.most.money.is_some()) {
            self.close();
        }
        let mut spent = self.locked();
        spent.calls = spent.calls.saturating_add(1);
        spent.tokens = spent.tokens.saturating_add(usage.input_tokens).saturating_add(usage.output_tokens);
        spent.money = spent.money.plus(price.map_or(Money::default(), |price| price.cost(usage)));
    }

    /// What is spent of each limit: `3 of 400 calls, 0.12 of 0.50 usd`.
    pub fn spent(&self) -> String {
        let spent = *self.locked();
        let Most { calls, tokens, money } = &self.most;
        let calls = calls.map(|most| format!("{} of {most} calls", spent.calls));
        let tokens = tokens.map(|most| format!("{} of {most} tokens", spent.tokens));
        let money =
            money.as_ref().map(|(most, currency)| format!("{} of {most} {currency}", spent.money.rounded()));
        [calls, tokens, money].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Is there nothing left for another call?
    pub fn is_used_up(&self) -> bool {
        let spent = *self.locked();
        let Most { calls, tokens, money } = &self.most;
        self.is_closed.load(Ordering::Acquire)
            || calls.is_some_and(|most| spent.calls >= most)
            || tokens.is_some_and(|most| spent.tokens >= most)
            || money.as_ref().is_some_and(|(most, _)| spent.money >= *most)
    }

    /// What a table is told in the place of its next call. The journal learns no sums: prices could be read from them.
    pub(crate) fn used_up(&self) -> Option<UsedUp> {
        self.is_used_up().then(|| UsedUp {
            is_time: false,
            reason: "the budget of several campaigns is used up".into(),
            notice: BudgetNotice { used_up: true, spent: self.spent(), again: String::new() },
        })
    }

    /// What the lock guards is whole at every moment, also after a panic elsewhere.
    fn locked(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use twicetold_model::Rates;

    #[test]
    fn each_limit_ends_it_and_another_currency_is_not_counted() {
        let rates = Rates { input: 1_000_000, cached: 0, cache_write: 0, output: 2_000_000, thinking: 0 };
        let price = |currency: &str| Price { currency: currency.into(), rates, above: None };
        let usage = Usage { input_tokens: 600, output_tokens: 200, ..Usage::default() };
        let usd = |millionths| Some((Money::of_millionths(millionths), "usd".to_owned()));
        for (most, calls) in [
            (Most { calls: Some(2), ..Most::default() }, 2),
            (Most { tokens: Some(2_000), ..Most::default() }, 3),
            (Most { money: usd(2_000), ..Most::default() }, 2),
            (Most { calls: Some(0), ..Most::default() }, 0),
        ] {
            let shared = SharedBudget::new(most);
            for _ in 0..calls {
                assert!(shared.used_up().is_none(), "{shared:?}");
                shared.answered(&usage, Some(&price("usd")));
            }
            assert!(shared.used_up().is_some(), "{shared:?}");
        }
        let shared = SharedBudget::new(Most::default());
        assert!(!shared.is_used_up());
        shared.close();
        assert!(shared.used_up().is_some());
        let shared = SharedBudget::new(Most { money: usd(1), ..Most::default() });
        shared.answered(&usage, Some(&price("eur")));
        shared.answered(&usage, None);
        assert!(!shared.is_used_up());
    }
}
