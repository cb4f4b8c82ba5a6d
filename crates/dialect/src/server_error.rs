//! The error objects of servers, in the several shapes that they come in.

use serde_json::Value;
use twicetold_model::{Fault, FaultKind};

use crate::retry::duration_ms;
use crate::visible;

/// Most characters of a server's message that a fault keeps.
pub(crate) const MESSAGE_CHARACTERS_MAX: usize = 400;

/// What a server says went wrong.
#[derive(Default)]
pub(crate) struct ServerError {
    message: String,
    /// `type` and `code` as words, lower case.
    labels: Vec<String>,
    code: Option<u64>,
    wait_ms: Option<u64>,
}

impl ServerError {
    /// Reads a whole body: `{"error": …}`, an error object without its wrapper, `{"detail": …}`, or any other text.
    pub(crate) fn of_body(body: &str) -> ServerError {
        let mut value: Value = serde_json::from_str(body).unwrap_or_default();
        // Gemini sometimes sends its object as the only element of a list.
        if let Value::Array(list) = &mut value
            && list.len() == 1
        {
            value = list.remove(0);
        }
        let found = match (value.get("error"), value.get("message"), value.get("detail")) {
            (Some(error), _, _) if !is_blank(error) => ServerError::of_value(error),
            (_, Some(_), _) => ServerError::of_value(&value),
            (_, _, Some(detail)) => ServerError { message: text_of(detail), ..ServerError::default() },
            _ => ServerError::default(),
        };
        if found.message.is_empty() {
            ServerError { message: body.trim().to_owned(), ..found }
        } else {
            found
        }
    }

    /// Reads the value of a member `error`.
    pub(crate) fn of_value(error: &Value) -> ServerError {
        // Ollama hands on the body of the program that runs the model as one text.
        if let Some(inner) = error.as_str().filter(|text| text.trim_start().starts_with('{'))
            && let Ok(inner @ Value::Object(_)) = serde_json::from_str(inner)
        {
            return ServerError::of_value(inner.get("error").unwrap_or(&inner));
        }
        let Value::Object(members) = error else {
            return ServerError { message: text_of(error), ..ServerError::default() };
        };
        let mut message = members.get("message").map(text_of).unwrap_or_else(|| error.to_string());
        // OpenRouter says no more than "Provider returned error" and puts the provider's words here.
        if let Some(Value::String(raw)) = members.get("metadata").and_then(|metadata| metadata.get("raw")) {
            message.push_str(": ");
            message.push_str(raw);
        }
        let mut words: Vec<&str> =
            ["type", "code", "status"].iter().filter_map(|name| members.get(*name)?.as_str()).collect();
        // Anthropic: `details.error_code`.
        words.extend(members.get("details").and_then(|details| details.get("error_code")?.as_str()));
        let code = members.get("code");
        ServerError {
            message,
            labels: words.into_iter().map(str::to_lowercase).collect(),
            code: code.and_then(|code| code.as_u64().or_else(|| code.as_str()?.trim().parse().ok())),
            wait_ms: delay(members),
        }
    }

    /// How long the server wants to be left alone, where the body says so.
    pub(crate) fn wait_ms(&self) -> Option<u64> {
        self.wait_ms.or_else(|| {
            // "Please try again in 6m0s", "Please retry in 10h17m5.7s."
            let message = self.message.to_lowercase();
            let after =
                ["try again in ", "retry in "].iter().find_map(|words| message.split(words).nth(1))?;
            duration_ms(after.split([' ', ',', ';']).next()?.trim_end_matches(['.', ')']))
        })
    }

    /// Does it say that nothing is paid for any more? Another attempt would not help.
    pub(crate) fn is_out_of_credit(&self) -> bool {
        const LABELS: [&str; 7] = [
            "insufficient_quota",
            "exceeded_current_quota_error",
            "credit_balance_exhausted",
            "billing_error",
            "billing_hard_limit_reached",
            "enforced_spend_limit_reached",
            "insufficient_balance",
        ];
        self.labels.iter().any(|label| LABELS.contains(&label.as_str()))
    }

    /// Does it say that the prompt is too long?
    pub(crate) fn is_context_too_long(&self) -> bool {
        const LABELS: [&str; 2] = ["exceed_context_size_error", "context_length_exceeded"];
        const PHRASES: [&str; 16] = [
            "maximum prompt length",
            "exceeded model token limit",
            "input is too long for requested model",
            "prompt is too long",
            "exceed context limit",
            "exceeds the maximum number of tokens allowed",
            "longer than the context length",
            "exceeds the context length",
            "input tokens exceed",
            "maximum context limit",
            "maximum context length",
            "exceeds the available context size",
            "context length exceeded",
            "longer than the maximum model length",
            "exceeds the context window",
            "model is loaded with context length",
        ];
        if self.labels.iter().any(|label| LABELS.contains(&label.as_str())) {
            return true;
        }
        let message = self.message.to_lowercase();
        PHRASES.iter().any(|phrase| message.contains(phrase))
    }

    /// Did a filter of the server refuse what was asked? Another request of the campaign may pass. Azure, OpenAI and DashScope say so in
    /// these words.
    pub(crate) fn is_filtered(&self) -> bool {
        const LABELS: [&str; 4] =
            ["content_filter", "content_policy_violation", "data_inspection_failed", "datainspectionfailed"];
        self.labels.iter().any(|label| LABELS.contains(&label.as_str()))
            || self.message.to_lowercase().contains("content management policy")
    }

    /// Could the server not read the calls that its model wrote? llama.cpp, Ollama and Groq say so in these words.
    pub(crate) fn is_of_calls(&self) -> bool {
        const PHRASES: [&str; 3] = [
            "produced output that does not match the expected",
            "error parsing tool call",
            "failed to parse input at pos",
        ];
        let message = self.message.to_lowercase();
        self.labels.iter().any(|label| label == "tool_use_failed")
            || PHRASES.iter().any(|phrase| message.contains(phrase))
    }

    /// The fault for an error that came inside a 200.
    pub(crate) fn into_fault_in_body(self) -> Fault {
        let rate_limited =
            self.labels.iter().any(|label| label == "rate_limit_exceeded" || label == "rate_limit_error");
        let kind = match self.code {
            _ if self.is_out_of_credit() => FaultKind::OutOfCredit,
            Some(429) => FaultKind::RateLimited,
            Some(401 | 403) => FaultKind::Unauthorized,
            _ if rate_limited => FaultKind::RateLimited,
            _ if self.is_context_too_long() => FaultKind::ContextTooLong,
            _ if self.is_of_calls() => FaultKind::CallsUnread,
            _ => FaultKind::ErrorInBody,
        };
        Fault { kind, status: Some(200), retry_after_ms: self.wait_ms(), message: self.into_message() }
    }

    /// The message, shortened and safe to show.
    pub(crate) fn into_message(self) -> String {
        visible(self.message.trim(), MESSAGE_CHARACTERS_MAX)
    }
}

/// Gemini: `details[].retryDelay`, a duration such as "46s".
fn delay(members: &serde_json::Map<String, Value>) -> Option<u64> {
    let details = members.get("details")?.as_array()?;
    details.iter().find_map(|detail| duration_ms(detail.get("retryDelay")?.as_str()?))
}

/// Some servers send `"error": null` with every good reply.
pub(crate) fn is_blank(error: &Value) -> bool {
    match error {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
