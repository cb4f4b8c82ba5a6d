//! One JSON object for each input and event: for whoever counts, searches or draws.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json};
use twicetold_event::{CallId, Entry, Event, Input, Number, Seat};

use crate::LoadedJournal;
use crate::form::{Form, OfCampaign};

/// Makes the lines of entries, one after the other: knows whom the calls so far were to.
#[derive(Default)]
pub struct JsonLines {
    seats: BTreeMap<CallId, Seat>,
}

/// An input or an event. What does not apply is null.
#[derive(Serialize)]
pub struct LogLine<'e> {
    #[serde(flatten)]
    head: Head,
    data: Data<'e>,
}

/// What every line has.
#[derive(Serialize, JsonSchema)]
struct Head {
    /// Its sequence number.
    number: u64,
    /// Did it come from outside, or was it decided?
    kind: Kind,
    /// What kind of input or event.
    r#type: &'static str,
    /// The turn that it belongs to.
    turn: u32,
    /// When it was written, in milliseconds since 1970.
    at_ms: u64,
    /// The seat that it is about, or that was asked.
    seat: Option<Seat>,
    /// As people are shown it; null where nobody is.
    text: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// It came from outside.
    Input,
    /// It was decided.
    Event,
}

/// All fields of an input or event.
#[derive(Serialize)]
#[serde(untagged)]
enum Data<'e> {
    Input(&'e Input),
    Event(&'e Event),
}

impl Form for LogLine<'_> {
    const NAME: &'static str = "log";
    const ABOUT: &'static str = "an input or event: log, run, resume, export --as jsonl";
}

impl JsonSchema for LogLine<'_> {
    fn schema_name() -> Cow<'static, str> {
        "LogLine".into()
    }

    /// The fields of `data` are those that `type` says.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let inputs = Input::schemas(generator).into_iter().map(|word| ("input", word));
        let events = Event::schemas(generator).into_iter().map(|word| ("event", word));
        let words: Vec<_> = inputs.chain(events).collect();
        let names: Vec<&str> = words.iter().map(|(_, (name, _))| *name).chain(["Unknown"]).collect();
        let mut schema = Head::json_schema(generator);
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties["type"]["enum"] = json!(names);
            properties.insert(
                "data".into(),
                json!({"description": "All of its fields, as its type has them; null for a type that this version does not know."}),
            );
        }
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.push("data".into());
        }
        let of_type = |(kind, (name, data)): (&str, (&str, Schema))| {
            json!({
                "if": {"properties": {"type": {"const": name}}},
                "then": {"properties": {"kind": {"const": kind}, "data": data}},
            })
        };
        schema.insert("allOf".into(), words.into_iter().map(of_type).collect());
        schema
    }
}

impl JsonLines {
    /// For a journal that is read from the middle: the call that is pending there.
    pub fn pending(call: CallId, seat: Seat) -> JsonLines {
        JsonLines { seats: BTreeMap::from([(call, seat)]) }
    }

    /// One line for each number of an entry. `text` is what people are shown of it.
    pub fn of<'e>(&mut self, entry: &'e Entry, text: impl Fn(Number) -> Option<String>) -> Vec<LogLine<'e>> {
        for event in &entry.events {
            if let Event::ModelCallRequested(word) = event {
                self.seats.insert(word.call, word.seat);
            }
        }
        let asked = entry.input.call().and_then(|call| self.seats.get(&call)).copied();
        let head = |number: Number, kind, name| Head {
            number: number.0,
            kind,
            r#type: name,
            turn: entry.turn_of(number),
            at_ms: entry.header.at.0,
            seat: asked,
            text: None,
        };
        let input = head(entry.header.first, Kind::Input, entry.input.name());
        let mut all = vec![LogLine { head: input, data: Data::Input(&entry.input) }];
        all.extend(entry.numbered().map(|(number, event)| {
            let seat = of(event).or(asked);
            let head = Head { seat, text: text(number), ..head(number, Kind::Event, event.name()) };
            LogLine { head, data: Data::Event(event) }
        }));
        all
    }
}

/// The seat that an event is about, where it names one.
pub(crate) fn of(event: &Event) -> Option<Seat> {
    match event {
        Event::MessageSpoken(word) => Some(word.seat),
        Event::TurnBegan(word) => Some(word.seat),
        Event::SpeakerChosen(word) => Some(word.seat),
        Event::ModelCallRequested(word) => Some(word.seat),
        Event::CharacterAccepted(word) => Some(word.seat),
        Event::CharacterRejected(word) => Some(word.seat),
        _ => None,
    }
}

/// The JSON of all entries, an object a line.
pub fn jsonl(journal: &LoadedJournal) -> String {
    let (mut out, mut lines) = (String::new(), JsonLines::default());
    for entry in &journal.entries {
        for line in lines.of(entry, |number| journal.lines.get(&number.0).map(|line| line.text.clone())) {
            out += &json!(OfCampaign::new(journal.id, line)).to_string();
            out.push('\n');
        }
    }
    out
}
