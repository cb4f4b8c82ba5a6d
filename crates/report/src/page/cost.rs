//! What it cost: by seat and purpose, by model, and call by call.

use std::collections::BTreeMap;

use askama::Template;
use twicetold_event::{Purpose, Seat};
use twicetold_projection::people::{self, Cost};
use twicetold_session::RequestWhy;

use crate::loaded_journal::{model, spent};
use crate::text::{counted, grouped};
use crate::{Record, ReportError};

/// The section of a page.
#[derive(Template)]
#[template(path = "cost.html")]
struct CostSection {
    /// Columns that say the same in each row are left out: one model, no failed call, nothing from a cache.
    has_models: bool,
    has_failed: bool,
    has_cached: bool,
    costs: Vec<Row>,
    money: Vec<MoneyTable>,
    unpriced: Vec<String>,
    models: Vec<ModelRow>,
    calls: Vec<CallRow>,
}

/// The section of what it cost. Call by call, and by model, where the calls were looked for.
pub(super) fn section(journal: &Record) -> Result<String, ReportError> {
    let paid = with_money(journal);
    let (costs, spent) = (rows(journal), &journal.state().calls().spent);
    let section = CostSection {
        has_models: costs.windows(2).any(|pair| pair[0].model != pair[1].model),
        has_failed: spent.values().any(|spent| spent.failed > 0),
        has_cached: spent.values().any(|spent| spent.cached_tokens > 0),
        costs,
        money: money(&paid),
        unpriced: unpriced(&paid),
        models: models(journal),
        calls: calls(journal),
    };
    Ok(section.render()?)
}

struct Row {
    seat: String,
    model: String,
    purpose: String,
    calls: String,
    failed: String,
    read: String,
    cached: String,
    written: String,
}

struct ModelRow {
    model: String,
    calls: String,
    read: String,
    written: String,
}

struct CallRow {
    number: u64,
    reply: Option<u64>,
    seat: String,
    purpose: &'static str,
    model: String,
    tokens: String,
    read: String,
    written: String,
    digest: String,
    exact: bool,
}

/// Money in a currency: seat, purpose, what was paid, what it would have been without a cache; the last row is the sum.
struct MoneyTable {
    currency: String,
    rows: Vec<[String; 4]>,
}

/// The costs by the prices of whoever reads; nothing where nobody asks for money.
fn with_money(journal: &Record) -> Vec<Cost> {
    let prices = journal.prices.as_ref();
    prices.map_or_else(Vec::new, |prices| people::cost(journal.state(), &journal.ledger, prices))
}

fn money(costs: &[Cost]) -> Vec<MoneyTable> {
    let tables = people::paid(costs).into_iter().map(|total| {
        let row = |seat: &str, purpose: &str, sum: &people::Paid| {
            [seat.to_owned(), purpose.to_owned(), sum.paid.rounded(), sum.without_cache.rounded()]
        };
        let sums = costs.iter().flat_map(|cost| cost.money.iter().map(move |sum| (cost, sum)));
        let sums = sums.filter(|(_, sum)| sum.currency == total.currency);
        let rows = sums.map(|(cost, sum)| row(&cost.seat.to_string(), &cost.purpose, sum));
        let rows = rows.chain([row("Total", "", &total)]).collect();
        MoneyTable { currency: total.currency, rows }
    });
    tables.collect()
}

/// The models without a price, each with its calls.
fn unpriced(costs: &[Cost]) -> Vec<String> {
    let calls = |calls: u32| counted(u64::from(calls), "call", "calls");
    people::unpriced(costs).into_iter().map(|(model, count)| format!("{model} ({})", calls(count))).collect()
}

fn rows(journal: &Record) -> Vec<Row> {
    let state = journal.state();
    let model = |seat: Seat| {
        let setup = state.setup().seats.of(seat);
        setup.map_or_else(String::new, |setup| setup.model.clone())
    };
    let row = |((seat, purpose), spent): (&(Seat, String), &twicetold_world::Spent)| Row {
        seat: seat.to_string(),
        model: model(*seat),
        purpose: purpose.replace('_', " "),
        calls: grouped(u64::from(spent.calls)),
        failed: grouped(u64::from(spent.failed)),
        read: grouped(spent.input_tokens),
        cached: grouped(spent.cached_tokens),
        written: grouped(spent.output_tokens),
    };
    state.calls().spent.iter().map(row).collect()
}

fn models(journal: &Record) -> Vec<ModelRow> {
    let mut models: BTreeMap<&str, (u64, u64, u64)> = BTreeMap::new();
    for call in journal.calls.values().filter(|call| call.reply.is_some()) {
        let (read, written) = spent(call);
        let spent = models.entry(model(call)).or_default();
        *spent = (spent.0 + 1, spent.1.saturating_add(read), spent.2.saturating_add(written));
    }
    let row = |(model, (calls, read, written)): (&str, (u64, u64, u64))| ModelRow {
        model: model.to_owned(),
        calls: grouped(calls),
        read: grouped(read),
        written: grouped(written),
    };
    models.into_iter().map(row).collect()
}

fn calls(journal: &Record) -> Vec<CallRow> {
    let row = |call: &RequestWhy| CallRow {
        number: call.number,
        reply: call.reply,
        seat: call.seat.to_string(),
        purpose: purpose(call.purpose),
        model: model(call).to_owned(),
        tokens: grouped(u64::from(call.tokens)),
        read: grouped(spent(call).0),
        written: grouped(spent(call).1),
        digest: format!("{:.12}", call.digest),
        exact: call.exact,
    };
    journal.calls.values().map(row).collect()
}

fn purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::SessionZero => "session zero",
        Purpose::Play => "play",
        Purpose::Summary { .. } => "summary",
        Purpose::Dialogue => "dialogue",
        Purpose::DialogueSummary { .. } => "dialogue summary",
        Purpose::Profile { .. } => "profile",
    }
}
