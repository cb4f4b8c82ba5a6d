//! What a campaign will take, before any model is asked: the improviser plays it in memory.

use std::collections::BTreeMap;
use std::fmt;

use twicetold_model::{Money, Price, Usage};
use twicetold_projection::people::Prices;
use twicetold_world::setup::Setup;

use crate::Error;
use crate::rehearsal::rehearse;
use crate::spend::Spend;
use crate::words::counted;

/// What campaigns take, about.
#[derive(Clone, Debug, Default)]
pub struct Estimate {
    calls: u64,
    tokens_in: u64,
    tokens_out: u64,
    /// Calls of models, and their tokens: not those of the improviser.
    paid_calls: u64,
    paid_tokens: u64,
    /// Money by currency.
    money: BTreeMap<String, Money>,
}

/// Estimates a campaign of this setup.
///
/// # Errors
/// It cannot be played.
pub(super) fn estimate(setup: &Setup, prices: &Prices) -> Result<Estimate, Error> {
    let mut spent = None;
    rehearse(setup, setup.files.clone(), |campaign, _| {
        spent = Some(campaign.state().calls().spent.clone());
    })?;
    let mut estimate = Estimate::default();
    for ((seat, _), spent) in spent.into_iter().flatten() {
        estimate.calls += u64::from(spent.calls);
        estimate.tokens_in += spent.input_tokens;
        estimate.tokens_out += spent.output_tokens;
        let Some(model) = setup.seats.of(seat).filter(|model| !model.is_embedded()) else { continue };
        estimate.paid_calls += u64::from(spent.calls);
        estimate.paid_tokens += spent.input_tokens + spent.output_tokens;
        let Some(price) = prices.of(seat, &model.model) else { continue };
        // No single request is as long as all together: the price of long ones is left aside.
        let price = Price { above: None, ..price.clone() };
        let (input_tokens, output_tokens) = (spent.input_tokens, spent.output_tokens);
        let cost = price.cost(&Usage { input_tokens, output_tokens, ..Usage::default() });
        let sum = estimate.money.entry(price.currency).or_default();
        *sum = sum.plus(cost);
    }
    Ok(estimate)
}

impl fmt::Display for Estimate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.paid_calls == 0 {
            return out.write_str("no model is called but the improviser");
        }
        let tokens = self.paid_tokens.div_ceil(1_000);
        write!(out, "about {} of models and {tokens} ktok", counted(self.paid_calls, "call"))?;
        for (currency, money) in &self.money {
            write!(out, ", {} {currency}", money.rounded())?;
        }
        Ok(())
    }
}

impl Estimate {
    /// What so many campaigns like this take, and this too.
    pub(super) fn add(&mut self, one: &Estimate, times: u64) {
        let fields = [
            (&mut self.calls, one.calls),
            (&mut self.tokens_in, one.tokens_in),
            (&mut self.tokens_out, one.tokens_out),
            (&mut self.paid_calls, one.paid_calls),
            (&mut self.paid_tokens, one.paid_tokens),
        ];
        for (sum, one) in fields {
            *sum = sum.saturating_add(one.saturating_mul(times));
        }
        for (currency, money) in &one.money {
            let sum = self.money.entry(currency.clone()).or_default();
            *sum = (0..times).fold(*sum, |sum, _| sum.plus(*money));
        }
    }

    /// The arithmetic, where it is more than the budget.
    pub(super) fn above(&self, budget: &Spend) -> Option<String> {
        let (calls, tokens) = (self.calls, self.tokens_in + self.tokens_out);
        if let Some(most) = budget.tokens.filter(|most| tokens > *most) {
            let (read, written) = (self.tokens_in, self.tokens_out);
            return Some(format!(
                "about {read} tokens to read + {written} to write = {tokens} in {}, and the budget is {most}",
                counted(calls, "call")
            ));
        }
        if let Some(most) = budget.calls.filter(|most| calls > *most) {
            return Some(format!("about {}, and the budget is {most}", counted(calls, "call")));
        }
        let (most, currency) = budget.money.as_ref()?;
        let (most, money) = (Money::of_millionths(*most), self.money.get(currency)?);
        (*money > most).then(|| {
            let (read, written) = (self.tokens_in, self.tokens_out);
            let (cost, most) = (money.rounded(), most.rounded());
            format!("about {read} tokens to read and {written} to write, which is {cost} {currency}, and the budget is {most} {currency}")
        })
    }
}
