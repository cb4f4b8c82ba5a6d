//! What a campaign has cost, as text.

use twicetold_projection::people::{Cost, paid, unpriced};

use crate::table::{TOTAL, table};
use crate::terminal::{DIM, counted, paragraphs};

/// Calls and tokens; below them money, as far as prices are known.
pub fn cost(costs: &[Cost]) -> String {
    let mut out = tokens(costs);
    for sum in paid(costs) {
        out += &format!("\n{}", money(costs, &sum.currency));
    }
    for (model, calls) in unpriced(costs) {
        let line = format!(
            "No price is known here for {model} ({}): no money is shown for it. [model.NAME.price] in models.toml sets one.",
            counted(u64::from(calls), "call")
        );
        out += &format!("\n{DIM}{}{DIM:#}\n", paragraphs(&line, ""));
    }
    out
}

fn tokens(costs: &[Cost]) -> String {
    let mut rows = Vec::new();
    let mut total = [0u64; 5];
    for cost in costs {
        let numbers = [
            u64::from(cost.calls),
            u64::from(cost.failed),
            cost.input_tokens,
            cost.cached_tokens,
            cost.output_tokens,
        ];
        total.iter_mut().zip(numbers).for_each(|(sum, number)| *sum = sum.saturating_add(number));
        rows.push(row(cost.seat.to_string(), cost.purpose.clone(), numbers));
    }
    rows.push(row(TOTAL.to_owned(), String::new(), total));
    table(["seat", "purpose", "calls", "failed", "read", "cached", "written"], rows, 2)
}

fn row(seat: String, purpose: String, numbers: [u64; 5]) -> [String; 7] {
    let [calls, failed, read, cached, written] = numbers.map(|number| number.to_string());
    [seat, purpose, calls, failed, read, cached, written]
}

/// What was paid in a currency, by seat and purpose.
fn money(costs: &[Cost], currency: &str) -> String {
    let mut rows = Vec::new();
    let of = |costs: &[Cost]| paid(costs).into_iter().find(|sum| sum.currency == currency);
    for cost in costs {
        if let Some(sum) = of(std::slice::from_ref(cost)) {
            let row = [
                cost.seat.to_string(),
                cost.purpose.clone(),
                sum.paid.rounded(),
                sum.without_cache.rounded(),
            ];
            rows.push(row);
        }
    }
    if let Some(sum) = of(costs) {
        rows.push([TOTAL.to_owned(), String::new(), sum.paid.rounded(), sum.without_cache.rounded()]);
    }
    table(["seat", "purpose", currency, "without a cache"], rows, 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    use twicetold_event::Seat;
    use twicetold_model::Money;
    use twicetold_projection::people::Paid;

    fn most(seat: Seat, purpose: &str) -> Cost {
        let tokens = 99_999_999;
        Cost {
            seat,
            purpose: purpose.into(),
            calls: 99_999,
            failed: 9_999,
            input_tokens: tokens,
            cached_tokens: tokens,
            output_tokens: tokens,
            money: Vec::new(),
            unpriced: BTreeMap::new(),
        }
    }

    fn usd(paid: u64, without_cache: u64) -> Vec<Paid> {
        let (paid, without_cache) = (Money::of_millionths(paid), Money::of_millionths(without_cache));
        vec![Paid { currency: "usd".into(), paid, without_cache }]
    }

    #[test]
    fn money_stands_below_the_tokens_and_fits_a_terminal() {
        let dm = Cost { money: usd(12_345_600, 20_000_000), ..most(Seat::Dm, "session zero") };
        let player = Cost { money: usd(400, 500), ..most(Seat::Player(1), "dialogue summaries") };
        let text = cost(&[dm, player, most(Seat::Memory, "summaries")]);
        let text = anstream::adapter::strip_str(&text).to_string();
        let flat: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        let money = flat.iter().position(|line| line == "seat purpose usd without a cache").expect("a table");
        let wanted = [
            "DM session zero 12.3456 20.0000",
            "Player 1 dialogue summaries 0.0004 0.0005",
            "total 12.3460 20.0005",
        ];
        assert_eq!(flat[money + 1..], wanted);
        assert!(text.lines().all(|line| line.trim_end().chars().count() <= 80), "{text}");
    }

    #[test]
    fn where_no_price_is_known_it_is_said_and_no_money_is_shown() {
        let mut dm = most(Seat::Dm, "play");
        dm.unpriced.insert("some-model".into(), 1);
        let text = cost(&[dm]);
        assert!(text.contains("No price is known here for some-model (1 call)"), "{text}");
        assert!(!text.contains("without a cache") && !cost(&[most(Seat::Dm, "play")]).contains("price"));
    }
}
