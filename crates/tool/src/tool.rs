//! What every tool is made of, and the one way from raw arguments to a decision.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde::de::DeserializeOwned;
use twicetold_event::{CallId, Check, Event, Phase, Seat};
use twicetold_model::{Digester, ToolSpec};
use twicetold_world::State;

use crate::dice::shorten;

/// Does a reply go on after this tool?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// The model gets the result and goes on.
    Continues,
    /// The reply is over and the turn goes to the next speaker.
    Ends,
}

/// Who calls.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// From which seat.
    pub seat: Seat,
    /// In which reply.
    pub call: CallId,
}

/// A call that was let through.
#[derive(Debug, Default)]
pub struct Accepted {
    /// What it passed.
    pub checks: Vec<Check>,
    /// What it did.
    pub events: Vec<Event>,
}

/// A call that was refused. The model reads all three.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The rule's name.
    pub rule: &'static str,
    /// What was observed.
    pub observed: String,
    /// What to do instead.
    pub advice: String,
}

/// What a tool decides.
pub type Decision = Result<Accepted, Refusal>;

impl Refusal {
    /// A refusal by `rule`.
    pub fn new(rule: &'static str, observed: impl Into<String>, advice: impl Into<String>) -> Refusal {
        Refusal { rule, observed: observed.into(), advice: advice.into() }
    }
}

impl Accepted {
    /// One event, no checks worth telling.
    pub fn one(event: impl Into<Event>) -> Accepted {
        Accepted { checks: Vec::new(), events: vec![event.into()] }
    }

    /// Adds a check that was passed.
    pub fn checked(mut self, rule: &str, observed: impl Into<String>) -> Accepted {
        self.checks.push(Check { rule: rule.into(), observed: observed.into() });
        self
    }
}

/// What a file of this crate implements.
pub(crate) trait Definition {
    /// Imperative snake case.
    const NAME: &'static str;
    /// What a model reads about it.
    const DESCRIPTION: &'static str;
    /// Does the reply go on?
    const FOLLOW: Follow;
    /// Its arguments; the doc comments of the fields are what a model reads about them.
    type Arguments: DeserializeOwned + JsonSchema;

    /// May this seat use it now? The encounter's own list of allowed tools comes on top.
    fn offered(state: &State, seat: Seat) -> bool;

    /// The rule.
    fn decide(state: &State, caller: Caller, arguments: Self::Arguments) -> Decision;
}

/// A tool.
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What a model reads about it.
    pub description: &'static str,
    /// Does the reply go on?
    pub follow: Follow,
    offered: fn(&State, Seat) -> bool,
    schema: fn() -> String,
    decide: fn(&State, Caller, &str) -> Decision,
}

impl Tool {
    pub(crate) const fn of<D: Definition>() -> Tool {
        Tool {
            name: D::NAME,
            description: D::DESCRIPTION,
            follow: D::FOLLOW,
            offered: D::offered,
            schema: schema::<D::Arguments>,
            decide: decide::<D>,
        }
    }

    /// May this seat use it now?
    pub fn is_offered(&self, state: &State, seat: Seat) -> bool {
        let allowed = state.encounter().and_then(|encounter| state.setup().encounters.get(encounter.index));
        let allowed = allowed.is_none_or(|spec| {
            spec.allowed_tools.is_empty()
                || self.name == "encounter_resolve"
                || spec.allowed_tools.iter().any(|name| name == self.name)
        });
        allowed && (self.offered)(state, seat)
    }

    /// The tool as models see it.
    pub fn spec(&self) -> ToolSpec {
        ToolSpec { name: self.name.into(), description: self.description.into(), schema: (self.schema)() }
    }

    /// Reads the arguments and decides.
    ///
    /// # Errors
    /// The refusal that the model is told.
    pub fn decide(&self, state: &State, caller: Caller, arguments: &str) -> Decision {
        (self.decide)(state, caller, arguments)
    }
}

/// The same call has the same fingerprint, however its JSON is spaced.
pub fn fingerprint(name: &str, arguments: &str) -> u64 {
    let mut digester = Digester::new("twicetold tool call 1");
    digester.text(name);
    let mut in_text = false;
    let mut escaped = false;
    let compact: String = arguments
        .chars()
        .filter(|c| {
            let keep = in_text || !c.is_whitespace();
            if *c == '"' && !escaped {
                in_text = !in_text;
            }
            escaped = *c == '\\' && !escaped;
            keep
        })
        .collect();
    digester.text(&compact);
    let digest = digester.finish();
    u64::from_le_bytes(digest.0[..8].try_into().unwrap_or_default())
}

fn decide<D: Definition>(state: &State, caller: Caller, arguments: &str) -> Decision {
    let most = state.setup().limits.argument_bytes_max as usize;
    let trimmed = match arguments.trim() {
        "" => "{}",
        trimmed => trimmed,
    };
    if trimmed.len() > most.saturating_mul(4) {
        let observed = format!("{} bytes", trimmed.len());
        return Err(Refusal::new(
            "arguments_too_long",
            observed,
            format!("keep each text under {most} bytes"),
        ));
    }
    let mut deserializer = serde_json::Deserializer::from_str(trimmed);
    let arguments: D::Arguments = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        if inner.is_syntax() || inner.is_eof() {
            let observed = format!("{inner} in {:?}", shorten(trimmed, 120));
            return Refusal::new(
                "arguments_not_json",
                observed,
                "send one JSON object that follows the tool's schema",
            );
        }
        let place = if path == "." { String::new() } else { format!("{path}: ") };
        let message = inner.to_string();
        let message = message.split(" at line ").next().unwrap_or(&message);
        Refusal::new(
            "arguments_not_valid",
            format!("{place}{}", shorten(message, 300)),
            "follow the tool's schema",
        )
    })?;
    if deserializer.end().is_err() {
        return Err(Refusal::new(
            "arguments_not_json",
            "text after the JSON object",
            "send one JSON object only",
        ));
    }
    D::decide(state, caller, arguments)
}

/// The schema of the arguments, self-contained and without what no model needs.
fn schema<T: JsonSchema>() -> String {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(|schema: &mut schemars::Schema| {
        schema.remove("format");
        schema.remove("title");
        schema.remove("default");
    })
    .transform(&mut schema);
    schema.remove("description");
    serde_json::to_string(schema.as_value()).unwrap_or_else(|_| "{}".into())
}

/// A text that must say something: trimmed, within the limit.
pub(crate) fn text(state: &State, field: &'static str, text: &str) -> Result<String, Refusal> {
    let trimmed = clean(text);
    if trimmed.is_empty() {
        return Err(Refusal::new(
            "text_empty",
            format!("{field} is empty"),
            format!("say something in {field}"),
        ));
    }
    let most = state.setup().limits.argument_bytes_max as usize;
    if trimmed.len() > most {
        let observed = format!("{field} has {} bytes", trimmed.len());
        return Err(Refusal::new("text_too_long", observed, format!("keep it under {most}")));
    }
    Ok(trimmed)
}

/// Trimmed, without control characters other than line breaks.
pub(crate) fn clean(text: &str) -> String {
    text.trim().chars().filter(|c| *c == '\n' || !c.is_control()).collect()
}

/// The character that a call names.
pub(crate) fn character<'a>(
    state: &'a State,
    name: &str,
) -> Result<(Seat, &'a twicetold_world::Character), Refusal> {
    state.character_named(name).ok_or_else(|| {
        let known: Vec<&str> =
            state.characters().values().map(|character| character.sheet.name.as_str()).collect();
        let advice = if known.is_empty() {
            "there are no characters yet".to_owned()
        } else {
            format!("use one of {}", known.join(", "))
        };
        Refusal::new("unknown_character", format!("{:?}", shorten(name, 80)), advice)
    })
}

/// During play, for the DM.
pub(crate) fn dm_in_play(state: &State, seat: Seat) -> bool {
    seat == Seat::Dm && state.phase() == Phase::Play
}

/// During play, for the DM and the players.
pub(crate) fn anybody_in_play(state: &State, seat: Seat) -> bool {
    seat != Seat::Memory && state.phase() == Phase::Play
}
