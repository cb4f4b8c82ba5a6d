//! Words and calls as one JSON object, for servers that hold a reply to a schema.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use twicetold_model::{ReplySchema, ToolCall};

use super::written::calls;
use crate::push_json_string;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenReply<'a> {
    say: String,
    /// Left out where no call was allowed.
    #[serde(borrow, default, deserialize_with = "given")]
    calls: Option<&'a RawValue>,
}

/// What is given is given, `null` too, which is no list.
fn given<'de, D: Deserializer<'de>>(value: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(value).map(Some)
}

/// How a reply is to be written.
pub(super) fn form(several: bool) -> String {
    let most = if several { "`calls` may hold several." } else { "`calls` may hold one at most." };
    format!(
        "You can use tools. Write your reply as one JSON object of exactly this form:\n\n\
         {{\"say\": \"what you say\", \"calls\": [{{\"tool\": \"name of the tool\", \"arguments\": {{}}}}]}}\n\n\
         Everything that you say goes into `say`. `calls` is [] when you use no tool. Nothing happens by saying that you \
         use a tool: only `calls` counts. The results come in the next message; do not make them up. {most}"
    )
}

/// The schema that holds a structured reply to its form, given the calls that it may make: a tool's name and a JSON Schema of arguments
/// for each way of calling it. Without any, the reply holds words alone.
pub fn structured_schema<'a>(
    calls: impl IntoIterator<Item = (&'a str, &'a str)>,
    several: bool,
) -> ReplySchema {
    let mut choices = String::new();
    for (tool, arguments) in calls {
        choices.push_str(if choices.is_empty() { "" } else { "," });
        choices.push_str("{\"type\":\"object\",\"properties\":{\"tool\":{\"type\":\"string\",\"enum\":[");
        push_json_string(&mut choices, tool);
        choices.push_str("]},\"arguments\":");
        choices.push_str(arguments);
        choices.push_str("},\"required\":[\"tool\",\"arguments\"],\"additionalProperties\":false}");
    }
    let mut out = String::from("{\"type\":\"object\",\"properties\":{\"say\":{\"type\":\"string\"}");
    let required = if choices.is_empty() {
        "\"say\""
    } else {
        let most = if several { "" } else { "\"maxItems\":1," };
        out.push_str(&format!(",\"calls\":{{\"type\":\"array\",{most}\"items\":{{\"anyOf\":[{choices}]}}}}"));
        "\"say\",\"calls\""
    };
    out.push_str(&format!("}},\"required\":[{required}],\"additionalProperties\":false}}"));
    ReplySchema { name: "reply".into(), schema: out, strict: false }
}

/// Words and calls as the model should have written them.
pub(super) fn reply(text: &str, calls: &[(&str, &str)]) -> String {
    let mut out = String::from("{\"say\": ");
    push_json_string(&mut out, text);
    out.push_str(", \"calls\": [");
    for (index, (name, arguments)) in calls.iter().enumerate() {
        out.push_str(if index == 0 { "{\"tool\": " } else { ", {\"tool\": " });
        push_json_string(&mut out, name);
        out.push_str(", \"arguments\": ");
        out.push_str(arguments);
        out.push('}');
    }
    out.push_str("]}");
    out
}

/// What is said and what is called; nothing when the text is not exactly such an object.
pub(super) fn read(text: &str) -> Option<(String, Vec<ToolCall>)> {
    let json = unfenced(text.trim());
    if !json.starts_with('{') {
        return None;
    }
    match serde_json::from_str::<WrittenReply<'_>>(json) {
        Ok(written) => Some((written.say, written.calls.map_or(Some(Vec::new()), |list| calls(list.get()))?)),
        // What was said before the cut is said; a call that was cut is none.
        Err(error) if error.is_eof() || ends_in_a_number(json) => Some((said(json, "say")?, Vec::new())),
        Err(_) => None,
    }
}

/// Was it cut within a number, where what is read so far is not yet "ended too early" but "no number"?
fn ends_in_a_number(json: &str) -> bool {
    json.ends_with(['-', '.', 'e', 'E', '+'])
        && serde_json::from_str::<WrittenReply<'_>>(&format!("{json}0")).is_err_and(|error| error.is_eof())
}

/// What stands in a member, as far as it came, where that is the first one of the object.
pub(super) fn said(json: &str, member: &str) -> Option<String> {
    let rest = json.strip_prefix('{')?.trim_start().strip_prefix('"')?;
    let rest = rest.strip_prefix(member)?.strip_prefix('"')?.trim_start();
    let text = rest.strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let mut escaped = false;
    let end = text.find(|c: char| {
        let is_end = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        is_end
    });
    let text = &text[..end.unwrap_or(text.len())];
    // An escape that was cut has at most eleven bytes: two halves of a character.
    let cuts = (0..=ESCAPE_BYTES_MAX.min(text.len())).filter_map(|cut| text.get(..text.len() - cut));
    cuts.into_iter().find_map(|text| serde_json::from_str(&format!("\"{text}\"")).ok())
}

/// `\ud83d\ude0` is the longest piece of an escape that does not stand for a character yet.
const ESCAPE_BYTES_MAX: usize = 11;

/// The text without a fence around the whole of it: some servers let a model write one in spite of the schema.
pub(super) fn unfenced(text: &str) -> &str {
    let inner = text.strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    let inner = inner.and_then(|inner| inner.split_once('\n')).filter(|(info, _)| !info.contains('{'));
    inner.map_or(text, |(_, json)| json.trim())
}
