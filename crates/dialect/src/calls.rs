//! Tool calls as chat completions and those who follow them write them.

use serde::Deserialize;
use serde_json::value::RawValue;
use twicetold_model::ToolCall;

use crate::raw::{Object, TOOL_CALLS_MAX, object, text_or_raw};

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    function: Object<Function<'a>>,
}

#[derive(Deserialize)]
struct Function<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

/// The calls in order. An element that is not a call is kept as one without a name, so that nothing is lost.
pub(crate) fn calls_of(calls: &RawValue) -> Result<Vec<ToolCall>, String> {
    let calls: Vec<&RawValue> = serde_json::from_str(calls.get()).map_err(|error| error.to_string())?;
    let read = |raw: &RawValue| match object::<Call<'_>>(raw.get()) {
        Ok(call) => ToolCall {
            id: call.id.map(text_or_raw).unwrap_or_default(),
            name: call.function.0.name.map(text_or_raw).unwrap_or_default(),
            arguments: call.function.0.arguments.map(text_or_raw).unwrap_or_default(),
        },
        Err(_) => ToolCall { id: String::new(), name: String::new(), arguments: raw.get().to_owned() },
    };
    Ok(calls.into_iter().take(TOOL_CALLS_MAX).map(read).collect())
}
