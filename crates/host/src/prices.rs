//! Prices, as the one who plays wrote them into models.toml. They stay on this machine: no charter and no journal holds one.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;
use twicetold_event::limits;
use twicetold_model::{Price, Rates, millionths};
use twicetold_projection::people::Prices;

use crate::mapping::Mapping;
use crate::seats::{Models, chairs};

/// What its tokens cost: prices for a million tokens each.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PriceSpec {
    /// Tokens that the model reads.
    input: Decimal,
    /// Tokens that it writes.
    output: Decimal,
    /// Tokens that it reads from the server's cache; as `input` where it is absent.
    cached: Option<Decimal>,
    /// Tokens that it reads and writes to the server's cache; as `input` where it is absent.
    cache_write: Option<Decimal>,
    /// Tokens that it thinks; as `output` where it is absent.
    thinking: Option<Decimal>,
    /// Three small letters.
    #[serde(default = "usd")]
    currency: String,
    /// Of when the price list is. It is for whoever reads the file.
    #[serde(default, rename = "date")]
    _date: String,
    /// A request that reads more tokens than this has the prices of `above` as a whole.
    above_tokens: Option<u64>,
    /// The prices of such requests.
    above: Option<RatesSpec>,
}

/// The prices of requests that read more tokens than `above_tokens`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RatesSpec {
    /// Tokens that the model reads.
    input: Decimal,
    /// Tokens that it writes.
    output: Decimal,
    /// Tokens that it reads from the server's cache; as `input` where it is absent.
    cached: Option<Decimal>,
    /// Tokens that it reads and writes to the server's cache; as `input` where it is absent.
    cache_write: Option<Decimal>,
    /// Tokens that it thinks; as `output` where it is absent.
    thinking: Option<Decimal>,
}

/// A number as TOML writes it, with or without a point.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Decimal {
    Whole(u64),
    Point(f64),
}

fn usd() -> String {
    "usd".to_owned()
}

/// A thousand million units for a million tokens: no server is so dear, and somebody has mistyped.
const PRICE_MAX: u64 = 1_000_000_000 * twicetold_model::MILLION;

impl Decimal {
    fn read(self, field: &str) -> Result<u64, String> {
        // The shortest text of a float is what somebody typed: nothing is computed with it.
        let text = match self {
            Decimal::Whole(number) => number.to_string(),
            Decimal::Point(number) => number.to_string(),
        };
        millionths(&text).filter(|price| *price <= PRICE_MAX).ok_or_else(|| {
            format!(
                "price.{field} is {text}; it must be a number from 0 to 1000000000 with at most six decimals"
            )
        })
    }
}

impl RatesSpec {
    fn read(self) -> Result<Rates, String> {
        let (input, output) = (self.input.read("input")?, self.output.read("output")?);
        let or = |price: Option<Decimal>, field: &str, otherwise: u64| {
            price.map_or(Ok(otherwise), |price| price.read(field))
        };
        Ok(Rates {
            input,
            cached: or(self.cached, "cached", input)?,
            cache_write: or(self.cache_write, "cache_write", input)?,
            output,
            thinking: or(self.thinking, "thinking", output)?,
        })
    }
}

impl PriceSpec {
    /// The price, or what is wrong with it.
    pub(crate) fn read(self) -> Result<Price, String> {
        let PriceSpec { input, output, cached, cache_write, thinking, currency, .. } = self;
        if currency.len() != 3 || !currency.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Err(format!(
                "price.currency is {currency:?}; it must be three small letters, for example \"usd\""
            ));
        }
        let rates = RatesSpec { input, output, cached, cache_write, thinking }.read()?;
        let above = match (self.above_tokens, self.above) {
            (Some(tokens), Some(above)) => Some((tokens, above.read()?)),
            (None, None) => None,
            (Some(_), None) => {
                return Err(
                    "price.above_tokens needs the prices above it in [model.NAME.price.above]".to_owned()
                );
            }
            (None, Some(_)) => {
                return Err(
                    "price.above needs above_tokens beside it: from how many tokens read on it counts"
                        .to_owned(),
                );
            }
        };
        Ok(Price { currency, rates, above })
    }
}

/// The prices of the models that play a campaign here, and of others in the same files, which may have played it before. A file or a
/// model that cannot be read has none: whoever only looks at a campaign needs no key and no server either.
pub fn prices(mapping: &Mapping) -> Prices {
    let mut files: BTreeMap<Option<&Path>, Option<Models>> = BTreeMap::new();
    let mut prices = Prices::default();
    for seat in chairs(limits::PLAYERS_MAX) {
        let Some(player) = mapping.seat.get(&seat.slug()) else { continue };
        let config = player.config.as_deref();
        let models = files.entry(config).or_insert_with(|| Models::of(config).ok());
        if let Some(profile) = models.as_ref().and_then(|models| models.profile(&player.model).ok()) {
            prices.seat(seat, profile.setup.model, profile.price);
        }
    }
    for (model, price) in files.values().flatten().flat_map(Models::priced) {
        prices.model(model, price);
    }
    prices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seats::Models;

    fn models(price: &str) -> Result<Models, toml::de::Error> {
        Models::parse(&format!(
            "default = \"m\"\n[model.m]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"one\"\n[model.m.price]\n{price}"
        ))
    }

    fn price(text: &str) -> Result<Price, String> {
        models(text).map_err(|error| error.message().to_owned())?.profile("m")?.price.ok_or_else(String::new)
    }

    #[test]
    fn a_price_list_is_read_exactly_and_what_it_leaves_out_costs_as_much_as_its_like() {
        let read =
            price("input = 0.1\noutput = 3\ncached = 0.01\ndate = \"2026-11\"").expect("it is a price");
        let rates = Rates {
            input: 100_000,
            cached: 10_000,
            cache_write: 100_000,
            output: 3_000_000,
            thinking: 3_000_000,
        };
        assert_eq!(read, Price { currency: "usd".into(), rates, above: None });
        let read = price(
            "input = 1\noutput = 2\ncurrency = \"eur\"\nabove_tokens = 200000\n[model.m.price.above]\ninput = 2\noutput = 4\nthinking = 5",
        );
        let above = Rates {
            input: 2_000_000,
            cached: 2_000_000,
            cache_write: 2_000_000,
            output: 4_000_000,
            thinking: 5_000_000,
        };
        assert_eq!(read.expect("it is a price").above, Some((200_000, above)));
    }

    #[test]
    fn a_price_that_means_nothing_is_refused_with_its_field() {
        for (text, wanted) in [
            ("input = 1", "output"),
            ("input = -1\noutput = 1", "price"),
            ("input = -0.5\noutput = 1", "price.input is -0.5"),
            ("input = 0.0000001\noutput = 1", "price.input"),
            ("input = 1\noutput = nan", "price.output is NaN"),
            ("input = 1\noutput = inf", "price.output"),
            ("input = 1\noutput = 2000000000", "price.output"),
            ("input = 1\noutput = 1\ncurrency = \"Dollar\"", "price.currency"),
            ("input = 1\noutput = 1\nabove_tokens = 1", "[model.NAME.price.above]"),
            ("input = 1\noutput = 1\n[model.m.price.above]\ninput = 1\noutput = 1", "above_tokens"),
            ("input = 1\noutput = 1\ncache = 1", "unknown field `cache`"),
        ] {
            let refused = price(text).expect_err(text);
            assert!(refused.contains(wanted), "{text}: {refused}");
        }
    }

    #[test]
    fn another_model_on_the_server_of_an_entry_does_not_cost_what_the_entry_costs() {
        let models = models("input = 1\noutput = 1").expect("it can be read");
        assert!(models.profile("m:one").expect("a model").price.is_some());
        assert_eq!(models.profile("m:two").expect("a model").price, None);
    }

    #[test]
    fn the_bundled_prices_are_those_of_the_public_lists() {
        let bundled = crate::bundle::BUNDLED.text(crate::configuration::MODELS).expect("it is there");
        let models = Models::parse(bundled).expect("it can be read");
        let of = |name: &str| {
            let rates = models.profile(name).expect("a model").price?.rates;
            Some((rates.input, rates.cached, rates.cache_write, rates.output, rates.thinking))
        };
        assert_eq!(of("openai"), Some((750_000, 750_000, 750_000, 4_500_000, 4_500_000)));
        assert_eq!(of("anthropic"), Some((100_000, 10_000, 125_000, 500_000, 500_000)));
        assert_eq!(of("gemini"), Some((750_000, 750_000, 750_000, 3_750_000, 3_750_000)));
        for name in models.names().filter(|name| !["openai", "anthropic", "gemini"].contains(name)) {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
