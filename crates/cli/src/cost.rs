//! What a campaign has cost, as text.

use twicetold_projection::people::{Cost, paid, unpriced};

use crate::terminal::{DIM, counted, paragraphs};

/// Calls and tokens; below them money, as far as prices are known.
pub fn cost(costs: &[Cost]) -> String {
    let mut out = tokens(costs);
    for sum in paid(costs) {
        out += &format!("\n{}\n", money(costs, &sum.currency));
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

fn table<const N: usize>(header: [&str; N]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    table.set_header(header);
    table
}

fn tokens(costs: &[Cost]) -> String {
    let mut table = table(["seat", "purpose", "calls", "failed", "read", "cached", "written"]);
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
        let mut row = vec![cost.seat.to_string(), cost.purpose.clone()];
        row.extend(numbers.iter().map(u64::to_string));
        table.add_row(row);
    }
    let mut row = vec!["total".to_owned(), String::new()];
    row.extend(total.iter().map(u64::to_string));
    table.add_row(row);
    format!("{table}\n")
}

/// What was paid in a currency, by seat and purpose.
fn money(costs: &[Cost], currency: &str) -> String {
    let mut table = table(["seat", "purpose", currency, "without a cache"]);
    let of = |costs: &[Cost]| paid(costs).into_iter().find(|sum| sum.currency == currency);
    for cost in costs {
        if let Some(sum) = of(std::slice::from_ref(cost)) {
            let row = [
                cost.seat.to_string(),
                cost.purpose.clone(),
                sum.paid.rounded(),
                sum.without_cache.rounded(),
            ];
            table.add_row(row);
        }
    }
    if let Some(sum) = of(costs) {
        table.add_row(["total".to_owned(), String::new(), sum.paid.rounded(), sum.without_cache.rounded()]);
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    use twicetold_event::Seat;
    use twicetold_model::Money;
    use twicetold_projection::people::Paid;

    fn row(seat: Seat, purpose: &str) -> Cost {
        let most = 99_999_999;
        Cost {
            seat,
            purpose: purpose.into(),
            calls: 99_999,
            failed: 9_999,
            input_tokens: most,
            cached_tokens: most,
            output_tokens: most,
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
        let dm = Cost { money: usd(12_345_600, 20_000_000), ..row(Seat::Dm, "session zero") };
        let player = Cost { money: usd(400, 500), ..row(Seat::Player(1), "dialogue summaries") };
        let text = cost(&[dm, player, row(Seat::Memory, "summaries")]);
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
        let mut dm = row(Seat::Dm, "play");
        dm.unpriced.insert("some-model".into(), 1);
        let text = cost(&[dm]);
        assert!(text.contains("No price is known here for some-model (1 call)"), "{text}");
        assert!(!text.contains("without a cache") && !cost(&[row(Seat::Dm, "play")]).contains("price"));
    }
}
