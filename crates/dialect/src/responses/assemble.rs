//! A streamed response as the body that the same response would have without streaming.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use twicetold_model::Fault;

use crate::ended::Estimate;
use crate::push_json_string;
use crate::raw::{events_of, is_blank_raw, is_something, object, text_of, truncated, unreadable};

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    output_index: Option<u64>,
    #[serde(borrow)]
    item: Option<&'a RawValue>,
    #[serde(borrow)]
    response: Option<&'a RawValue>,
}

/// The response that the last event holds, without what it repeats of the request.
#[derive(Deserialize)]
struct Last<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    created_at: Option<&'a RawValue>,
    #[serde(borrow)]
    status: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    incomplete_details: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

/// The body of the response that a stream of server-sent events amounts to. An answer without events is returned as it is: a
/// server that does not stream answers with the whole body.
///
/// The pieces of an item are passed over, since the event that ends an item holds all of it; and what the thinking of an item
/// looks like before that is not what the server takes back.
pub(crate) fn assemble(stream: &str) -> Result<String, Fault> {
    let mut items: BTreeMap<u64, &RawValue> = BTreeMap::new();
    let mut events = 0;
    for data in events_of(stream) {
        events += 1;
        if data == "[DONE]" {
            break;
        }
        let unreadable = |error: String| unreadable("an event of a response", &error, data);
        let event: Event<'_> = object(data).map_err(unreadable)?;
        if !event.error.is_none_or(is_blank_raw) {
            return Ok(data.to_owned());
        }
        match event.kind.and_then(text_of).as_deref() {
            Some("response.output_item.done") => {
                let Some(item) = event.item else { continue };
                let next = items.last_key_value().map_or(0, |(last, _)| last.saturating_add(1));
                items.insert(event.output_index.unwrap_or(next), item);
            }
            Some("response.completed" | "response.incomplete" | "response.failed" | "response.cancelled") => {
                let response = event.response.ok_or_else(|| unreadable("it holds no response".to_owned()))?;
                let last: Last<'_> = object(response.get()).map_err(unreadable)?;
                return Ok(last.body(&items));
            }
            // The members of the error stand beside its type.
            Some("error") => return Ok(format!("{{\"error\":{data}}}")),
            _ => {}
        }
    }
    if events == 0 { Ok(stream.to_owned()) } else { Err(truncated(events)) }
}

impl Last<'_> {
    /// Some servers leave the items out here, some the events that end them.
    fn body(&self, items: &BTreeMap<u64, &RawValue>) -> String {
        let repeated: Vec<&RawValue> =
            self.output.and_then(|output| serde_json::from_str(output.get()).ok()).unwrap_or_default();
        let streamed: Vec<&RawValue> = items.values().copied().collect();
        let output = if repeated.len() > streamed.len() { repeated } else { streamed };
        let members = [
            ("id", self.id),
            ("created_at", self.created_at),
            ("status", self.status),
            ("error", self.error),
            ("incomplete_details", self.incomplete_details),
            ("model", self.model),
            ("usage", self.usage),
        ];
        let mut out = String::from("{\"object\":\"response\"");
        for (name, raw) in members {
            if let Some(raw) = raw.filter(is_something) {
                out.push_str(&format!(",\"{name}\":{}", raw.get()));
            }
        }
        out.push_str(",\"output\":[");
        for (index, item) in output.into_iter().enumerate() {
            out.push_str(if index == 0 { "" } else { "," });
            out.push_str(item.get());
        }
        out.push_str("]}");
        out
    }
}

/// The end of a stream that was given up, with an item of the words whose own end has not come.
pub(crate) fn end(stream: &str, Estimate { prompt, reply }: Estimate) -> String {
    let mut words = String::new();
    for event in events_of(stream).filter_map(|data| serde_json::from_str::<Value>(data).ok()) {
        match event["type"].as_str() {
            Some("response.output_text.delta") => words += event["delta"].as_str().unwrap_or_default(),
            Some("response.output_item.done") => words.clear(),
            _ => {}
        }
    }
    let mut item = String::new();
    if !words.is_empty() {
        item += "data: {\"type\":\"response.output_item.done\",\"item\":{\"type\":\"message\",\"status\":\"incomplete\",\
                 \"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"annotations\":[],\"text\":";
        push_json_string(&mut item, &words);
        item += "}]}}\n\n";
    }
    format!(
        "{item}data: {{\"type\":\"response.incomplete\",\"response\":{{\"status\":\"incomplete\",\
         \"incomplete_details\":{{\"reason\":\"max_output_tokens\"}},\"usage\":\
         {{\"input_tokens\":{prompt},\"output_tokens\":{reply},\"estimated\":true}}}}}}\n\n"
    )
}
