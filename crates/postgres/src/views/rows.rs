//! The rows of one campaign. A field is a column of its table.

use serde::Serialize;

/// What one campaign adds to the tables.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// The campaign itself.
    pub campaign: CampaignRow,
    /// Answers of models, and attempts that failed.
    pub calls: Vec<CallRow>,
    /// Tool calls, accepted and rejected.
    pub tool_calls: Vec<ToolCallRow>,
    /// Replies that were rejected as a whole.
    pub reply_rejections: Vec<ReplyRejectionRow>,
    /// The goals of all encounters so far.
    pub goals: Vec<GoalRow>,
    /// The encounters that are over.
    pub outcomes: Vec<OutcomeRow>,
    /// Tokens by seat and purpose.
    pub costs: Vec<CostRow>,
    /// Money by seat, purpose and currency.
    pub payments: Vec<PaymentRow>,
}

/// A row of the table `campaign`.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "VIEWS.md describes the columns")]
pub struct CampaignRow {
    pub campaign: i64,
    pub id: String,
    pub title: String,
    pub standing: String,
    pub detail: String,
    pub seed: Option<String>,
    pub rules_version: Option<u16>,
    pub parent: Option<String>,
    pub parent_at: Option<i64>,
    pub opened_ms: i64,
    pub last_ms: i64,
    pub numbers: i64,
    pub turns: i64,
}

/// A row of the table `call`.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "VIEWS.md describes the columns")]
pub struct CallRow {
    pub campaign: i64,
    pub number: i64,
    pub call: u32,
    pub seat: String,
    pub purpose: &'static str,
    pub model: Option<String>,
    pub turn: i64,
    pub at_ms: i64,
    pub waited_ms: i64,
    pub fault: Option<String>,
    pub input_tokens: i64,
    pub cached_tokens: i64,
    pub cache_written_tokens: i64,
    pub output_tokens: i64,
    pub thinking_tokens: i64,
}

/// A row of the table `tool_call`.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "VIEWS.md describes the columns")]
pub struct ToolCallRow {
    pub campaign: i64,
    pub number: i64,
    pub call: u32,
    pub seat: String,
    pub turn: i64,
    pub at_ms: i64,
    pub tool: String,
    pub rule: Option<String>,
    pub effects: u16,
}

/// A row of the table `reply_rejection`.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "VIEWS.md describes the columns")]
pub struct ReplyRejectionRow {
    pub campaign: i64,
    pub number: i64,
    pub call: u32,
    pub seat: String,
    pub turn: i64,
    pub at_ms: i64,
    pub rule: String,
}

/// A row of the table `goal`.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "VIEWS.md describes the columns")]
pub struct GoalRow {
    pub campaign: i64,
    pub encounter: String,
    pub goal: String,
    pub label: String,
    pub kind: &'static str,
    pub registered: Option<i64>,
    pub reached: bool,
}

/// A row of the table `outcome`.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "VIEWS.md describes the columns")]
pub struct OutcomeRow {
    pub campaign: i64,
    pub number: i64,
    pub encounter: String,
    pub outcome: &'static str,
    pub goal: Option<String>,
    pub messages: i64,
    pub summary: String,
}

/// A row of the table `cost`.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "VIEWS.md describes the columns")]
pub struct CostRow {
    pub campaign: i64,
    pub seat: String,
    pub purpose: String,
    pub calls: u32,
    pub failed: u32,
    pub input_tokens: i64,
    pub cached_tokens: i64,
    pub output_tokens: i64,
    pub unpriced_calls: u32,
}

/// A row of the table `payment`.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "VIEWS.md describes the columns")]
pub struct PaymentRow {
    pub campaign: i64,
    pub seat: String,
    pub purpose: String,
    pub currency: String,
    pub paid: String,
    pub without_cache: String,
}
