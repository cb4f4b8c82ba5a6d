//! What a campaign has cost, by seat and purpose: tokens from the state, and money from every answer in the journal, by the prices of
//! whoever looks.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use twicetold_event::{CallId, Entry, Event, Input, Millis, Seat};
use twicetold_model::{Money, Price, Usage};
use twicetold_world::{Calls, Spent, State};

/// What models cost on this machine.
#[derive(Clone, Debug, Default)]
pub struct Prices {
    /// The model of each seat by its name on its server, and its price if it has one.
    seats: BTreeMap<Seat, (String, Option<Price>)>,
    /// Other models; nothing where two entries disagree.
    models: BTreeMap<String, Option<Price>>,
}

impl Prices {
    /// This model plays a seat, at this price.
    pub fn seat(&mut self, seat: Seat, model: String, price: Option<Price>) {
        self.seats.insert(seat, (model, price));
    }

    /// A model has this price, whoever it played before.
    pub fn model(&mut self, model: String, price: Price) {
        let known = self.models.entry(model).or_insert_with(|| Some(price.clone()));
        if known.as_ref() != Some(&price) {
            *known = None;
        }
    }

    /// The price of a model on a seat.
    pub fn of(&self, seat: Seat, model: &str) -> Option<&Price> {
        match self.seats.get(&seat) {
            Some((name, price)) if name == model => price.as_ref(),
            _ => self.models.get(model)?.as_ref(),
        }
    }
}

/// Who was asked by a call.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The seat.
    pub seat: Seat,
    /// What for, as costs name it.
    pub bill: &'static str,
    /// The model by its name on its server; none where the program answers itself, which costs nothing.
    pub model: Option<String>,
    /// When the answer began to be waited for: at the request, or at the last attempt that failed.
    pub since: Millis,
}

/// Every answer of a journal, with what it was made of. Also one that came too late for the table: it was paid all the same.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    asked: BTreeMap<CallId, Asked>,
    answers: Vec<(CallId, Usage)>,
}

impl Ledger {
    /// The next entry of a journal, given the state after it.
    pub fn entry(&mut self, state: &State, entry: &Entry) {
        match &entry.input {
            Input::ModelReplied(word) => self.answers.push((word.call, word.usage)),
            Input::ModelFailed(word) => {
                if let Some(asked) = self.asked.get_mut(&word.call) {
                    asked.since = entry.header.at;
                }
            }
            // A request that is made again, after a wait or an interruption.
            Input::TimerFired(_) | Input::ResumeAsked(_) => {
                if let Some(mut asked) = self.asked.last_entry() {
                    asked.get_mut().since = entry.header.at;
                }
            }
            _ => {}
        }
        for event in &entry.events {
            if let Event::ModelCallRequested(word) = event {
                let setup = state.setup().seats.of(word.seat).filter(|setup| !setup.is_embedded());
                let model = setup.map(|setup| setup.model.clone());
                let since = entry.header.at;
                let asked = Asked { seat: word.seat, bill: Calls::bill(word.purpose), model, since };
                self.asked.insert(word.call, asked);
            }
        }
    }

    /// Who was asked by a call, if the journal so far contains it.
    pub fn asked(&self, call: CallId) -> Option<&Asked> {
        self.asked.get(&call)
    }

    /// What the calls from `first` on have cost in a currency.
    pub fn spent_since(&self, first: CallId, prices: &Prices, currency: &str) -> Money {
        let answers = self.answers.iter().filter(|(call, _)| *call >= first);
        let costs = answers.filter_map(|(call, usage)| {
            let asked = self.asked.get(call)?;
            let price = prices.of(asked.seat, asked.model.as_deref()?)?;
            (price.currency == currency).then(|| price.cost(usage))
        });
        costs.fold(Money::default(), Money::plus)
    }
}

/// What was paid in a currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Paid {
    /// The currency.
    pub currency: String,
    /// How much.
    pub paid: Money,
    /// How much it would have been if no server had kept a cache.
    pub without_cache: Money,
}

/// The cost of one seat for one purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cost {
    /// Who was asked.
    pub seat: Seat,
    /// What for.
    #[schemars(schema_with = "purpose")]
    pub purpose: String,
    /// Replies.
    pub calls: u32,
    /// Attempts that failed.
    pub failed: u32,
    /// Tokens read, as servers counted them.
    pub input_tokens: u64,
    /// Of those, read from a server's cache.
    pub cached_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Money, by currency; nothing where no model has a price here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub money: Vec<Paid>,
    /// Answers that no price is known of, by model.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unpriced: BTreeMap<String, u32>,
}

fn purpose(_: &mut SchemaGenerator) -> Schema {
    let names = ["session zero", "play", "summaries", "dialogues", "dialogue summaries", "profiles"];
    json_schema!({ "type": "string", "enum": names })
}

impl Cost {
    fn new((seat, bill): &(Seat, String), spent: &Spent) -> Cost {
        Cost {
            seat: *seat,
            purpose: bill.clone(),
            calls: spent.calls,
            failed: spent.failed,
            input_tokens: spent.input_tokens,
            cached_tokens: spent.cached_tokens,
            output_tokens: spent.output_tokens,
            money: Vec::new(),
            unpriced: BTreeMap::new(),
        }
    }

    fn add(&mut self, model: &str, price: Option<&Price>, usage: &Usage) {
        let Some(price) = price else {
            *self.unpriced.entry(model.to_owned()).or_default() += 1;
            return;
        };
        let place = self.money.iter().position(|paid| paid.currency == price.currency);
        let place = place.unwrap_or_else(|| {
            let (paid, without_cache) = (Money::default(), Money::default());
            self.money.push(Paid { currency: price.currency.clone(), paid, without_cache });
            self.money.len() - 1
        });
        let sum = &mut self.money[place];
        sum.paid = sum.paid.plus(price.cost(usage));
        sum.without_cache = sum.without_cache.plus(price.cost_without_cache(usage));
    }
}

/// The costs of a state, and of the journal that led to it.
pub fn cost(state: &State, ledger: &Ledger, prices: &Prices) -> Vec<Cost> {
    let spent = &state.calls().spent;
    let mut costs: BTreeMap<(Seat, String), Cost> =
        spent.iter().map(|(key, spent)| (key.clone(), Cost::new(key, spent))).collect();
    for (call, usage) in &ledger.answers {
        let Some(asked) = ledger.asked.get(call) else { continue };
        let Some(model) = &asked.model else { continue };
        let key = (asked.seat, asked.bill.to_owned());
        let cost = costs.entry(key).or_insert_with_key(|key| Cost::new(key, &Spent::default()));
        cost.add(model, prices.of(asked.seat, model), usage);
    }
    costs.into_values().collect()
}

/// Everything that was paid, by currency.
pub fn paid(costs: &[Cost]) -> Vec<Paid> {
    let mut sums: BTreeMap<&str, Paid> = BTreeMap::new();
    for more in costs.iter().flat_map(|cost| &cost.money) {
        let sum = sums.entry(&more.currency).or_insert_with(|| Paid {
            paid: Money::default(),
            without_cache: Money::default(),
            ..more.clone()
        });
        (sum.paid, sum.without_cache) =
            (sum.paid.plus(more.paid), sum.without_cache.plus(more.without_cache));
    }
    sums.into_values().collect()
}

/// Every answer that no price is known of, by model.
pub fn unpriced(costs: &[Cost]) -> BTreeMap<&str, u32> {
    let mut calls = BTreeMap::new();
    for (model, count) in costs.iter().flat_map(|cost| &cost.unpriced) {
        *calls.entry(model.as_str()).or_default() += count;
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;
    use twicetold_model::Rates;

    fn price(micro: u64, currency: &str) -> Price {
        let rates = Rates { input: micro, cached: 0, cache_write: micro, output: micro, thinking: micro };
        Price { currency: currency.into(), rates, above: None }
    }

    fn ledger() -> Ledger {
        let mut ledger = Ledger::default();
        let models = [Some("old"), Some("new"), None, Some("unknown")];
        for (number, model) in (0..).zip(models) {
            let model = model.map(str::to_owned);
            let since = Millis(0);
            ledger.asked.insert(CallId(number), Asked { seat: Seat::Dm, bill: "play", model, since });
            let usage = Usage { input_tokens: 1_000, cached_tokens: 400, ..Usage::default() };
            ledger.answers.push((CallId(number), usage));
        }
        ledger
    }

    #[test]
    fn each_answer_costs_what_its_own_model_costs_and_one_of_the_program_itself_nothing() {
        let mut prices = Prices::default();
        prices.seat(Seat::Dm, "new".into(), Some(price(2, "usd")));
        prices.model("old".into(), price(1, "usd"));
        let spent = |first| ledger().spent_since(CallId(first), &prices, "usd").to_string();
        assert_eq!([spent(0), spent(1), spent(2)], ["0.0000000018", "0.0000000012", "0.00"]);
        assert_eq!(ledger().spent_since(CallId(0), &prices, "eur"), Money::default());
    }

    #[test]
    fn a_seat_whose_model_has_no_price_does_not_borrow_that_of_its_namesake() {
        let mut prices = Prices::default();
        prices.seat(Seat::Dm, "one".into(), None);
        prices.model("one".into(), price(1, "usd"));
        assert_eq!(prices.of(Seat::Dm, "one"), None);
        assert!(prices.of(Seat::Memory, "one").is_some());
        prices.model("one".into(), price(2, "usd"));
        assert_eq!(prices.of(Seat::Memory, "one"), None, "two entries disagree");
    }

    #[test]
    fn sums_are_made_by_currency_and_by_model_without_a_price() {
        let mut cost = Cost::new(&(Seat::Dm, "play".to_owned()), &Spent::default());
        let usage = Usage { input_tokens: 1_000, cached_tokens: 400, ..Usage::default() };
        cost.add("one", Some(&price(1_000_000, "usd")), &usage);
        cost.add("one", Some(&price(1_000_000, "usd")), &usage);
        cost.add("two", Some(&price(1_000_000, "eur")), &usage);
        cost.add("three", None, &usage);
        let costs = [cost.clone(), cost];
        let shown: Vec<String> = paid(&costs)
            .iter()
            .map(|sum| format!("{} {} {}", sum.currency, sum.paid, sum.without_cache))
            .collect();
        assert_eq!(shown, ["eur 0.0012 0.002", "usd 0.0024 0.004"]);
        assert_eq!(unpriced(&costs), BTreeMap::from([("three", 2)]));
    }
}
