//! The rows of one campaign, from its journal.

use twicetold_event::{CallId, Entry, Event, Input, Number};
use twicetold_model::Usage;
use twicetold_postgres::views::{
    Behind, CallRow, CampaignRow, CostRow, GoalRow, OutcomeRow, PaymentRow, ReplyRejectionRow, Rows,
    ToolCallRow,
};
use twicetold_projection::people::{Ledger, Prices, cost, goals};
use twicetold_world::State;

use crate::brief::standing;
use crate::reading::walk;
use crate::{Error, Library};

/// The last moment of the year 9999: what a journal of another clock says later, no database can show.
const MILLIS_MAX: u64 = 253_402_300_799_999;

/// The rows of a campaign: of its entries those that are new, and all of what stands at its end. It is folded from its beginning.
pub(super) fn rows(library: &Library, behind: &Behind) -> Result<Rows, Error> {
    let source = library.read(behind.id)?;
    let head = source.head();
    let campaign = CampaignRow {
        campaign: behind.key,
        id: behind.id.to_string(),
        last_ms: millis(head.at.0),
        numbers: int(head.next.0),
        ..CampaignRow::default()
    };
    let mut rows = Rows { campaign, ..Rows::default() };
    if let Some(opened) = twicetold_session::foreign(&*source)? {
        rows.campaign.title = opened.file;
        rows.campaign.standing = "transcript".to_owned();
        rows.campaign.detail = "of another program".to_owned();
        return Ok(rows);
    }
    let prices = library.prices(&*source);
    let mut fold = Fold { rows, from: behind.from, ledger: Ledger::default(), is_own: false };
    walk(&*source, None, |campaign, entry| {
        fold.entry(campaign.state(), entry);
        if entry.header.next() == head.next {
            fold.end(campaign.state(), &prices);
        }
        true
    })?;
    Ok(fold.rows)
}

struct Fold {
    rows: Rows,
    /// The sequence number from which on rows are wanted.
    from: u64,
    ledger: Ledger,
    /// Has the campaign taken its own name yet? A branch begins with entries of its parent.
    is_own: bool,
}

impl Fold {
    fn entry(&mut self, state: &State, entry: &Entry) {
        let header = &entry.header;
        let since = entry.input.call().and_then(|call| self.ledger.asked(call)).map(|asked| asked.since.0);
        let waited = since.map_or(0, |since| header.at.0.saturating_sub(since));
        self.ledger.entry(state, entry);
        if !self.is_own && header.campaign.to_string() == self.rows.campaign.id {
            self.is_own = true;
            self.rows.campaign.opened_ms = millis(header.at.0);
        }
        if let Input::ForkAsked(word) = &entry.input {
            self.rows.campaign.parent = Some(word.parent.to_string());
            self.rows.campaign.parent_at = Some(int(word.at.0));
        }
        if header.next().0 <= self.from {
            return;
        }
        match &entry.input {
            Input::ModelReplied(word) => self.call(entry, word.call, waited, &word.usage, None),
            Input::ModelFailed(word) => {
                let fault = format!("{:?}", word.fault.kind);
                self.call(entry, word.call, waited, &Usage::default(), Some(fault));
            }
            _ => {}
        }
        for (number, event) in entry.numbered() {
            self.event(entry, number, event);
        }
    }

    fn call(&mut self, entry: &Entry, call: CallId, waited: u64, usage: &Usage, fault: Option<String>) {
        let Some(asked) = self.ledger.asked(call) else { return };
        let number = entry.header.first;
        self.rows.calls.push(CallRow {
            campaign: self.rows.campaign.campaign,
            number: int(number.0),
            call: call.0,
            seat: asked.seat.slug(),
            purpose: asked.bill,
            model: asked.model.clone(),
            turn: i64::from(entry.turn_of(number)),
            at_ms: millis(entry.header.at.0),
            waited_ms: int(waited),
            fault,
            input_tokens: int(usage.input_tokens),
            cached_tokens: int(usage.cached_tokens),
            cache_written_tokens: int(usage.cache_written_tokens),
            output_tokens: int(usage.output_tokens),
            thinking_tokens: int(usage.thinking_tokens),
        });
    }

    fn event(&mut self, entry: &Entry, number: Number, event: &Event) {
        let (campaign, at_ms) = (self.rows.campaign.campaign, millis(entry.header.at.0));
        let turn = i64::from(entry.turn_of(number));
        let seat = |call: CallId| self.ledger.asked(call).map(|asked| asked.seat.slug()).unwrap_or_default();
        let number = int(number.0);
        let mut made = |call: CallId, tool: &str, rule, effects| {
            let (seat, tool) = (seat(call), tool.to_owned());
            let row = ToolCallRow { campaign, number, call: call.0, seat, turn, at_ms, tool, rule, effects };
            self.rows.tool_calls.push(row);
        };
        match event {
            Event::ToolAccepted(word) => made(word.call, &word.tool, None, word.effects),
            Event::ToolRejected(word) => made(word.call, &word.tool, Some(word.rule.clone()), 0),
            Event::ReplyRejected(word) => self.rows.reply_rejections.push(ReplyRejectionRow {
                campaign,
                number,
                call: word.call.0,
                seat: seat(word.call),
                turn,
                at_ms,
                rule: word.rule.clone(),
            }),
            _ => {}
        }
    }

    /// What stands at the end of the journal.
    fn end(&mut self, state: &State, prices: &Prices) {
        let campaign = self.rows.campaign.campaign;
        let (standing, detail) = standing(state);
        let row = &mut self.rows.campaign;
        (row.standing, row.detail) = (standing.to_owned(), detail);
        row.title = state.setup().campaign.title.clone();
        row.seed = Some(state.setup().seed.to_string());
        row.rules_version = Some(state.setup().rules_version);
        row.turns = i64::from(state.turn().number);
        for page in goals(state) {
            self.rows.goals.extend(page.goals.into_iter().map(|goal| GoalRow {
                campaign,
                encounter: page.encounter.clone(),
                kind: goal.kind(),
                registered: goal.registered.map(int),
                reached: goal.reached,
                goal: goal.id,
                label: goal.label,
            }));
        }
        self.rows.outcomes.extend(state.encounters_over().iter().map(|end| OutcomeRow {
            campaign,
            number: int(end.ended.0.0),
            encounter: end.id.clone(),
            outcome: end.how(),
            goal: end.outcome.as_ref().map(|(goal, _)| goal.clone()),
            messages: i64::from(end.messages),
            summary: end.summary.clone(),
        }));
        for cost in cost(state, &self.ledger, prices) {
            self.rows.payments.extend(cost.money.iter().map(|money| PaymentRow {
                campaign,
                seat: cost.seat.slug(),
                purpose: cost.purpose.clone(),
                currency: money.currency.clone(),
                paid: money.paid.to_string(),
                without_cache: money.without_cache.to_string(),
            }));
            self.rows.costs.push(CostRow {
                campaign,
                seat: cost.seat.slug(),
                purpose: cost.purpose.clone(),
                calls: cost.calls,
                failed: cost.failed,
                input_tokens: int(cost.input_tokens),
                cached_tokens: int(cost.cached_tokens),
                output_tokens: int(cost.output_tokens),
                unpriced_calls: cost.unpriced.values().sum(),
            });
        }
    }
}

fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn millis(at: u64) -> i64 {
    int(at.min(MILLIS_MAX))
}
