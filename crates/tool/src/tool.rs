//! What every tool is made of, and the one way from raw arguments to a decision.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde::de::DeserializeOwned;
use twicetold_event::{CallId, Check, Event, Phase, Seat};
use twicetold_model::{Digester, ToolSpec};
use twicetold_world::{Character, Dialogue, Npc, NpcKind, State};

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
    /// Is the same call twice in one reply meant twice? Numbers add; dice are not thrown until they please.
    const ADDS_UP: bool = false;
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
    /// Is the same call twice in one reply meant twice?
    pub adds_up: bool,
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
            adds_up: D::ADDS_UP,
            offered: D::offered,
            schema: schema::<D::Arguments>,
            decide: decide::<D>,
        }
    }

    /// May this seat use it now?
    pub fn is_offered(&self, state: &State, seat: Seat) -> bool {
        let allowed = state.encounter_spec().is_none_or(|spec| {
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
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(trimmed).is_ok();
    if is_json && !trimmed.starts_with('{') {
        let observed = format!("no object: {}", shorten(trimmed, 60));
        return Err(Refusal::new("arguments_not_valid", observed, "send one JSON object"));
    }
    let mut deserializer = serde_json::Deserializer::from_str(trimmed);
    let arguments: D::Arguments = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        // An enum that meets a list is reported as a syntax error too: only what is no JSON at all is one.
        if (inner.is_syntax() || inner.is_eof()) && !is_json {
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
pub(crate) fn character<'a>(state: &'a State, name: &str) -> Result<(Seat, &'a Character), Refusal> {
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

/// The DM's character that a call names.
pub(crate) fn npc<'a>(state: &'a State, named: &str) -> Result<&'a Npc, Refusal> {
    state.npcs().named(named).ok_or_else(|| {
        let known = state.npcs().all().map(|npc| npc.id.as_str());
        let advice = match nearest(named, known, NPCS_NAMED) {
            near if near.is_empty() => "there is nobody yet".to_owned(),
            near => format!("known are {}", near.join(", ")),
        };
        Refusal::new("unknown_npc", format!("{:?}", shorten(named, 80)), advice)
    })
}

/// An id for somebody new, when the campaign has room for one more; and the check that was passed.
pub(crate) fn new_npc(state: &State, name: &str) -> Result<(String, String), Refusal> {
    let created = state.npcs().all().filter(|npc| npc.kind != NpcKind::Campaign).count();
    let most = state.setup().limits.npcs_created_max as usize;
    let observed = format!("{created} created, at most {most}");
    if created >= most {
        return Err(Refusal::new("npcs_created_max", observed, "use somebody who exists"));
    }
    if name.len() > NPC_NAME_BYTES_MAX {
        let seen = format!("{} bytes", name.len());
        return Err(Refusal::new("text_too_long", seen, format!("keep a name under {NPC_NAME_BYTES_MAX}")));
    }
    let words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let mut id = words.join("-");
    if id.is_empty() || state.npcs().get(&id).is_some() {
        id = format!("{id}-{}", state.npcs().count() + 1).trim_start_matches('-').to_owned();
    }
    Ok((id, observed))
}

/// A name, not a description.
const NPC_NAME_BYTES_MAX: usize = 80;
/// How many of the DM's characters a refusal names.
const NPCS_NAMED: usize = 8;

/// The `most` names or paths nearest to what was asked for: by shared letters in a row, those of a path's end twice, then by name.
pub(crate) fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let wanted_last = last(wanted);
    let mut scored: Vec<(usize, &str)> =
        known.map(|path| (pairs(&last(path), &wanted_last) * 2 + pairs(path, wanted), path)).collect();
    scored.sort_by(|(a, path_a), (b, path_b)| b.cmp(a).then_with(|| path_a.cmp(path_b)));
    scored.into_iter().take(most).map(|(_, path)| path).collect()
}

/// How many pairs of neighbouring characters two words share.
fn pairs(a: &str, b: &str) -> usize {
    let shortened: Vec<char> = b.to_lowercase().chars().take(80).collect();
    let a: Vec<char> = a.chars().collect();
    a.windows(2).filter(|pair| shortened.windows(2).any(|other| other == *pair)).count()
}

/// The caller's own character.
pub(crate) fn own_character(state: &State, seat: Seat) -> Result<&Character, Refusal> {
    state
        .characters()
        .get(&seat)
        .ok_or_else(|| Refusal::new("no_character", "your seat has no character", "wait until you have one"))
}

/// The dialogue being held, and with whom.
pub(crate) fn open_dialogue(state: &State) -> Result<(&Dialogue, &Npc), Refusal> {
    let open = state.dialogue().and_then(|dialogue| Some((dialogue, state.npcs().get(&dialogue.npc)?)));
    open.ok_or_else(|| Refusal::new("no_dialogue", "no dialogue is being held", "go on in the story"))
}

/// During play, for the DM as narrator.
pub(crate) fn narrating(state: &State, seat: Seat) -> bool {
    seat == Seat::Dm && state.phase() == Phase::Play && state.dialogue().is_none()
}

/// In a dialogue, for the DM as the character who is spoken to.
pub(crate) fn in_dialogue(state: &State, seat: Seat) -> bool {
    seat == Seat::Dm && state.dialogue().is_some()
}

/// During play, for a player.
pub(crate) fn player_in_play(state: &State, seat: Seat) -> bool {
    matches!(seat, Seat::Player(_)) && state.phase() == Phase::Play
}

/// During play, for the DM as narrator and for the players.
pub(crate) fn telling(state: &State, seat: Seat) -> bool {
    narrating(state, seat) || player_in_play(state, seat)
}
