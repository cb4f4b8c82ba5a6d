//! What may be spent on trying models, and what was.

use twicetold_event::Millis;
use twicetold_model::{Money, Price, Usage};

use crate::spend::Spend;
use crate::{Error, Kind, now};

/// Calls, tokens, time and money of one measurement.
pub struct Purse {
    most: Spend,
    price: Option<Price>,
    calls: u64,
    tokens: u64,
    paid: Money,
    began: Millis,
}

impl Purse {
    /// Nothing was spent yet; `most` is what may be.
    ///
    /// # Errors
    /// Money is limited, and the model has no price in that currency.
    pub fn new(most: Spend, price: Option<Price>) -> Result<Purse, Error> {
        if let Some((_, currency)) = &most.money
            && price.as_ref().is_none_or(|price| price.currency != *currency)
        {
            let message =
                format!("the budget is in {currency}, and the model has no price in it; no model was called");
            let help = "add [model.NAME.price] to models.toml, or limit calls or tokens: --budget 400calls";
            return Err(Error::new(Kind::Usage, message, help));
        }
        Ok(Purse { most, price, calls: 0, tokens: 0, paid: Money::default(), began: now() })
    }

    /// A call was made.
    pub fn pay(&mut self, usage: &Usage) {
        self.calls += 1;
        self.tokens = self.tokens.saturating_add(usage.input_tokens).saturating_add(usage.output_tokens);
        self.paid = self.paid.plus(self.price.as_ref().map_or(Money::default(), |price| price.cost(usage)));
    }

    /// Is there nothing left for another call?
    pub fn is_empty(&self) -> bool {
        let Spend { calls, tokens, time_ms, money } = &self.most;
        let reached = |most: &Option<u64>, spent: u64| most.is_some_and(|most| spent >= most);
        let took = now().0.saturating_sub(self.began.0);
        let poor = |(most, _): &(u64, String)| self.paid >= Money::of_millionths(*most);
        reached(calls, self.calls)
            || reached(tokens, self.tokens)
            || reached(time_ms, took)
            || money.as_ref().is_some_and(poor)
    }

    /// What so many tokens read and written cost, where the model has a price.
    pub fn cost(&self, input_tokens: u64, output_tokens: u64) -> Option<String> {
        let price = self.price.as_ref()?;
        let cost = price.cost(&Usage { input_tokens, output_tokens, ..Usage::default() });
        Some(format!("{} {}", cost.rounded(), price.currency))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use twicetold_model::Rates;

    #[test]
    fn each_limit_ends_it() {
        let rates = Rates { input: 1_000_000, cached: 0, cache_write: 0, output: 2_000_000, thinking: 0 };
        let price = Price { currency: "usd".into(), rates, above: None };
        let usage = Usage { input_tokens: 600, output_tokens: 200, ..Usage::default() };
        for (most, calls) in [("2calls", 2), ("2ktok", 3), ("0.002usd", 2), ("0calls", 0), ("0s", 0)] {
            let spend = Spend::parse(most).expect("it is an amount");
            let mut purse = Purse::new(spend, Some(price.clone())).expect("there is a price");
            for call in 0..calls {
                assert!(!purse.is_empty(), "{most}: {call}");
                purse.pay(&usage);
            }
            assert!(purse.is_empty(), "{most}");
        }
        let spend = Spend::parse("1eur").expect("it is an amount");
        assert!(Purse::new(spend, Some(price)).is_err());
    }
}
