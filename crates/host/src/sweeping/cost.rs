//! What a campaign will take, before any model is asked: the improviser plays it in memory.

use twicetold_model::{Money, Price, Usage};
use twicetold_projection::people::Prices;
use twicetold_world::setup::Setup;

use crate::Error;
use crate::rehearsal::rehearse;
use crate::spend::Spend;
use crate::words::counted;

/// What one campaign takes, about.
#[derive(Clone, Debug, Default)]
pub(super) struct Estimate {
    calls: u64,
    tokens_in: u64,
    tokens_out: u64,
    /// Money and its currency.
    money: Option<(Money, String)>,
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
        let model = setup.seats.of(seat).filter(|model| !model.is_embedded());
        let Some(price) = model.and_then(|model| prices.of(seat, &model.model)) else { continue };
        // No single request is as long as all together: the price of long ones is left aside.
        let price = Price { above: None, ..price.clone() };
        let (input_tokens, output_tokens) = (spent.input_tokens, spent.output_tokens);
        let cost = price.cost(&Usage { input_tokens, output_tokens, ..Usage::default() });
        let before = estimate.money.as_ref().map_or(Money::default(), |(money, _)| *money);
        estimate.money = Some((before.plus(cost), price.currency));
    }
    Ok(estimate)
}

impl Estimate {
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
        let (money, currency) = self.money.as_ref()?;
        let (most, wanted) = budget.money.as_ref()?;
        let most = Money::of_millionths(*most);
        (currency == wanted && *money > most).then(|| {
            let (read, written) = (self.tokens_in, self.tokens_out);
            let (cost, most) = (money.rounded(), most.rounded());
            format!("about {read} tokens to read and {written} to write, which is {cost} {currency}, and the budget is {most} {currency}")
        })
    }
}
