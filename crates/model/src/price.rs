//! What a call costs by a price list, in whole numbers: no sum depends on where something was rounded.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::Usage;

/// Millionths of a number that somebody wrote with decimals, such as `0.75`.
pub const MILLION: u64 = 1_000_000;

/// A decimal number such as `12` or `0.75` in millionths; nothing where it is none, has more than six decimals or is too large.
pub fn millionths(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > 6 {
        return None;
    }
    let fraction: u64 = format!("{fraction:0<6}").parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(MILLION)?.checked_add(fraction)
}

/// An amount of money, exactly: millionths of a millionth of a currency's unit, which is what one token costs at a price of one
/// millionth for a million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(u128);

/// How many of its parts are one unit of a currency.
const UNIT: u128 = MILLION as u128 * MILLION as u128;

impl Money {
    /// So many millionths of a unit.
    pub fn of_millionths(millionths: u64) -> Money {
        Money(u128::from(millionths) * u128::from(MILLION))
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, more: Money) -> Money {
        Money(self.0.saturating_add(more.0))
    }

    /// So many hundredths of it, rounded down.
    #[must_use]
    pub fn percent(self, hundredths: u8) -> Money {
        Money(self.0.saturating_mul(u128::from(hundredths)) / 100)
    }

    /// For people: four decimals, and what is not nothing is not shown as nothing.
    pub fn rounded(self) -> String {
        const SHOWN: u128 = UNIT / 10_000;
        match self.0 {
            0 => "0".to_owned(),
            parts if parts < SHOWN / 2 => "<0.0001".to_owned(),
            parts => {
                let shown = parts.saturating_add(SHOWN / 2) / SHOWN;
                format!("{}.{:04}", shown / 10_000, shown % 10_000)
            }
        }
    }
}

impl fmt::Display for Money {
    /// All of its decimals, at least two.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = format!("{:012}", self.0 % UNIT);
        write!(f, "{}.{:0<2}", self.0 / UNIT, decimals.trim_end_matches('0'))
    }
}

impl Serialize for Money {
    /// As text: no reader of JSON may make a float of it.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Money {
    fn schema_name() -> Cow<'static, str> {
        "Money".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An amount of money as exact decimals. It is text, as no reader of JSON may make a float of it.",
            "type": "string", "pattern": "^[0-9]+\\.[0-9]{2,12}$",
        })
    }
}

/// Prices of a million tokens each, in millionths of the currency's unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// Read.
    pub input: u64,
    /// Read from the server's cache.
    pub cached: u64,
    /// Read and written to the server's cache.
    pub cache_write: u64,
    /// Written.
    pub output: u64,
    /// Thought.
    pub thinking: u64,
}

impl Rates {
    fn cost(&self, usage: &Usage) -> Money {
        let Usage { input_tokens, cached_tokens, cache_written_tokens, output_tokens, thinking_tokens } =
            *usage;
        let fresh = input_tokens.saturating_sub(cached_tokens).saturating_sub(cache_written_tokens);
        let parts = [
            (fresh, self.input),
            (cached_tokens, self.cached),
            (cache_written_tokens, self.cache_write),
            (output_tokens.saturating_sub(thinking_tokens), self.output),
            (thinking_tokens, self.thinking),
        ];
        let parts = parts.map(|(tokens, price)| u128::from(tokens) * u128::from(price));
        Money(parts.into_iter().fold(0, u128::saturating_add))
    }
}

/// What a model's server takes for its tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// The currency, in small letters.
    pub currency: String,
    /// Of most requests.
    pub rates: Rates,
    /// Of a whole request that reads more tokens than this.
    pub above: Option<(u64, Rates)>,
}

impl Price {
    /// The cost of one call.
    pub fn cost(&self, usage: &Usage) -> Money {
        self.rates(usage).cost(usage)
    }

    /// What the same call would have cost on a server without a cache.
    pub fn cost_without_cache(&self, usage: &Usage) -> Money {
        self.rates(usage).cost(&Usage { cached_tokens: 0, cache_written_tokens: 0, ..*usage })
    }

    fn rates(&self, usage: &Usage) -> &Rates {
        match &self.above {
            Some((tokens, rates)) if usage.input_tokens > *tokens => rates,
            _ => &self.rates,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: Rates = Rates {
        input: 750_000,
        cached: 75_000,
        cache_write: 1_000_000,
        output: 4_500_000,
        thinking: 6_000_000,
    };

    fn price() -> Price {
        let rates = Rates { input: 1_500_000, ..RATES };
        Price { currency: "usd".into(), rates: RATES, above: Some((1_000, rates)) }
    }

    fn usage(numbers: [u64; 5]) -> Usage {
        let [input_tokens, cached_tokens, cache_written_tokens, output_tokens, thinking_tokens] = numbers;
        Usage { input_tokens, cached_tokens, cache_written_tokens, output_tokens, thinking_tokens }
    }

    #[test]
    fn decimals_are_read_exactly_or_not_at_all() {
        let table =
            [("0.75", 750_000), ("12", 12_000_000), ("0.000001", 1), ("4.50000000", 4_500_000), ("0", 0)];
        for (text, wanted) in table {
            assert_eq!(millionths(text), Some(wanted), "{text}");
        }
        for text in
            ["", ".", ".5", "1.", "-1", "+1", "1e3", "0.0000001", "1,5", "18446744073709551615", "NaN"]
        {
            assert_eq!(millionths(text), None, "{text}");
        }
    }

    #[test]
    fn each_kind_of_token_has_its_own_price() {
        // 500 fresh, 300 cached, 200 written to the cache; 60 said, 40 thought: 375 + 22.5 + 200 + 270 + 240 millionths.
        let call = usage([1_000, 300, 200, 100, 40]);
        assert_eq!(price().cost(&call).to_string(), "0.0011075");
        assert_eq!(price().cost_without_cache(&call).to_string(), "0.00126");
    }

    #[test]
    fn a_request_above_the_bound_has_its_other_price_for_all_of_its_tokens() {
        assert_eq!(price().cost(&usage([1_000, 0, 0, 0, 0])).to_string(), "0.00075");
        assert_eq!(price().cost(&usage([1_001, 0, 0, 0, 0])).to_string(), "0.0015015");
    }

    #[test]
    fn a_million_small_calls_cost_what_one_large_call_costs() {
        let small = price().cost(&usage([1, 0, 0, 0, 0]));
        let sum = (0..1_000).fold(Money::default(), |sum, _| sum.plus(small));
        assert_eq!(sum, price().cost(&usage([1_000, 0, 0, 0, 0])));
    }

    #[test]
    fn numbers_that_no_server_counts_overflow_nothing() {
        let most = Rates {
            input: u64::MAX,
            cached: u64::MAX,
            cache_write: u64::MAX,
            output: u64::MAX,
            thinking: u64::MAX,
        };
        let price = Price { currency: "usd".into(), rates: most, above: None };
        assert_eq!(price.cost(&usage([u64::MAX; 5])), Money(u128::MAX));
        // More cached than read, more thought than written.
        assert_eq!(
            super::Price { rates: RATES, ..price }.cost(&usage([1, 9, 9, 1, 2])).to_string(),
            "0.000021675"
        );
    }

    #[test]
    fn money_is_shown_in_full_or_rounded_but_never_as_nothing_where_it_is_something() {
        let full = |parts| Money(parts).to_string();
        assert_eq!([full(0), full(1), full(UNIT / 2)], ["0.00", "0.000000000001", "0.50"]);
        let rounded = |parts| Money(parts).rounded();
        assert_eq!(rounded(0), "0");
        assert_eq!(rounded(1), "<0.0001");
        assert_eq!(rounded(UNIT / 20_000), "0.0001");
        assert_eq!(rounded(UNIT * 3 / 2), "1.5000");
        assert_eq!(Money(UNIT).percent(80).to_string(), "0.80");
    }
}
