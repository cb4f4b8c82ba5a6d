//! What it cost: by seat and purpose, by model, and call by call.

use std::collections::BTreeMap;

use twicetold_event::{Purpose, Seat};
use twicetold_session::RequestWhy;

use crate::LoadedJournal;
use crate::loaded_journal::{model, spent};
use crate::text::grouped;

pub(super) struct Row {
    pub(super) seat: String,
    pub(super) model: String,
    pub(super) purpose: String,
    pub(super) calls: String,
    pub(super) failed: String,
    pub(super) read: String,
    pub(super) cached: String,
    pub(super) written: String,
}

pub(super) struct ModelRow {
    pub(super) model: String,
    pub(super) calls: String,
    pub(super) read: String,
    pub(super) written: String,
}

pub(super) struct CallRow {
    pub(super) number: u64,
    pub(super) reply: Option<u64>,
    pub(super) seat: String,
    pub(super) purpose: &'static str,
    pub(super) model: String,
    pub(super) tokens: String,
    pub(super) read: String,
    pub(super) written: String,
    pub(super) digest: String,
    pub(super) exact: bool,
}

pub(super) fn rows(journal: &LoadedJournal) -> Vec<Row> {
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

pub(super) fn models(journal: &LoadedJournal) -> Vec<ModelRow> {
    let mut models: BTreeMap<&str, (u64, u64, u64)> = BTreeMap::new();
    for call in journal.calls.values().filter(|call| call.reply.is_some()) {
        let (read, written) = spent(call);
        let spent = models.entry(model(call)).or_default();
        *spent = (spent.0 + 1, spent.1 + read, spent.2 + written);
    }
    let row = |(model, (calls, read, written)): (&str, (u64, u64, u64))| ModelRow {
        model: model.to_owned(),
        calls: grouped(calls),
        read: grouped(read),
        written: grouped(written),
    };
    models.into_iter().map(row).collect()
}

pub(super) fn calls(journal: &LoadedJournal) -> Vec<CallRow> {
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
