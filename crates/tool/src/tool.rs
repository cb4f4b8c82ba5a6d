//! What every tool is made of, and the one way from raw arguments to a decision.

use serde::de::DeserializeOwned;
use serde_json::Value;
use twicetold_event::{CallId, Check, Event, Phase, Seat, Values};
use twicetold_model::{Digester, ToolSpec, is_line_break};
use twicetold_world::{Character, Dialogue, Npc, NpcKind, State};

use crate::dice::shorten;
use crate::lenient;
use crate::menu::Form;
use crate::schema::{Shape, kept};

/// Does a turn go on after this tool? Of several in one reply the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Follow {
    /// It only writes down: the reply is over where words were spoken with it, else the model goes on.
    Records,
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

/// An accepted call.
#[derive(Debug, Default)]
pub struct Accepted {
    /// What it passed.
    pub checks: Vec<Check>,
    /// What it did.
    pub events: Vec<Event>,
}

/// A call that was rejected: by which rule, and what the rule observed. The words for it are texts of the charter.
#[derive(Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The rule's name.
    pub rule: &'static str,
    /// What it observed, by names that texts know.
    pub values: Values,
}

/// What a tool decides.
pub type Decision = Result<Accepted, Rejection>;

impl Rejection {
    /// A rejection by `rule`, which observed nothing yet.
    pub fn new(rule: &'static str) -> Rejection {
        Rejection { rule, values: Values::default() }
    }

    /// Adds what was observed.
    #[must_use]
    pub fn with(self, name: &str, value: impl ToString) -> Rejection {
        Rejection { values: self.values.with(name, value), ..self }
    }

    /// Adds something that is so or not.
    #[must_use]
    pub fn flag(self, name: &str, is_so: bool) -> Rejection {
        self.with(name, if is_so { "true" } else { "" })
    }

    /// Adds words of a model: so many bytes of them, on one line.
    #[must_use]
    pub fn quoting(self, name: &str, words: &str, bytes: usize) -> Rejection {
        Rejection { values: self.values.quoting(name, shorten(words, bytes)), ..self }
    }

    /// Adds what a check observed, which was not passed.
    #[must_use]
    pub fn like(self, check: &Check) -> Rejection {
        Rejection { values: check.values.clone(), ..self }
    }
}

impl Accepted {
    /// One event, no checks worth telling.
    pub fn one(event: impl Into<Event>) -> Accepted {
        Accepted { checks: Vec::new(), events: vec![event.into()] }
    }

    /// Adds a check that was passed.
    pub fn checked(mut self, check: Check) -> Accepted {
        self.checks.push(check);
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
    /// Does it end something that has to be told? Without words of the turn it is rejected once.
    const TELLS: bool = false;
    /// Its arguments; the doc comments of the fields are what a model reads about them.
    type Arguments: DeserializeOwned + Shape;

    /// Is it among the tools of this seat? The list stays the same for an encounter, but for its fights, and so does what a server keeps
    /// of the prompt. The encounter's own list of allowed tools comes on top.
    fn listed(state: &State, seat: Seat) -> bool;

    /// May those who have it use it now?
    fn possible(_state: &State) -> bool {
        true
    }

    /// The rule.
    fn decide(state: &State, caller: Caller, arguments: Self::Arguments) -> Decision;

    /// The ways of calling it that the rule accepts now, if it is offered; none when it accepts no call.
    fn legal(state: &State, seat: Seat) -> Vec<Form>;

    /// The calls that this one amounts to, as they are legal: see [`canonical`](crate::canonical).
    fn canonical(state: &State, seat: Seat, arguments: Self::Arguments) -> Vec<Value>;
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
    /// Does it end something that has to be told?
    pub tells: bool,
    listed: fn(&State, Seat) -> bool,
    possible: fn(&State) -> bool,
    /// Makes the schema of the arguments of their type.
    #[cfg(test)]
    pub(crate) schema: fn() -> String,
    decide: fn(&State, Caller, &str) -> Decision,
    legal: fn(&State, Seat) -> Vec<Form>,
    canonical: fn(&State, Seat, &str) -> Option<Vec<Value>>,
}

impl Tool {
    pub(crate) const fn of<D: Definition>() -> Tool {
        Tool {
            name: D::NAME,
            description: D::DESCRIPTION,
            follow: D::FOLLOW,
            adds_up: D::ADDS_UP,
            tells: D::TELLS,
            listed: D::listed,
            possible: D::possible,
            #[cfg(test)]
            schema: crate::schema::tests::schema::<D::Arguments>,
            decide: decide::<D>,
            legal: D::legal,
            canonical: canonical::<D>,
        }
    }

    /// Is it among the tools of this seat, now or at another moment of the encounter or the fight?
    pub fn is_listed(&self, state: &State, seat: Seat) -> bool {
        let allowed = state.encounter_spec().is_none_or(|spec| spec.allows(self.name));
        allowed && (self.listed)(state, seat)
    }

    /// May this seat use it now?
    pub fn is_offered(&self, state: &State, seat: Seat) -> bool {
        self.is_listed(state, seat) && (self.possible)(state)
    }

    /// The tool as models see it.
    pub fn spec(&self) -> ToolSpec {
        let schema = kept(self.name).into();
        ToolSpec { name: self.name.into(), description: self.description.into(), schema }
    }

    /// Reads the arguments and decides.
    ///
    /// # Errors
    /// The rejection that the model is told.
    pub fn decide(&self, state: &State, caller: Caller, arguments: &str) -> Decision {
        (self.decide)(state, caller, arguments)
    }

    pub(crate) fn legal(&self, state: &State, seat: Seat) -> Vec<Form> {
        (self.legal)(state, seat)
    }

    pub(crate) fn canonical(&self, state: &State, seat: Seat, arguments: &str) -> Option<Vec<Value>> {
        (self.canonical)(state, seat, arguments)
    }
}

/// Is whoever sits here asked once more by such a rule (`Turn::WARNINGS`)? A model is, once in a turn; a person knows what they do.
pub(crate) fn is_asked_once(state: &State, seat: Seat, warning: &str) -> bool {
    !state.is_person(seat) && !state.turn().warned.contains(warning)
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
    D::decide(state, caller, read::<D>(state, arguments)?)
}

fn canonical<D: Definition>(state: &State, seat: Seat, arguments: &str) -> Option<Vec<Value>> {
    Some(D::canonical(state, seat, read::<D>(state, arguments).ok()?))
}

/// Reads the arguments of a call. Only what depends on their type is compiled for each tool.
fn read<D: Definition>(state: &State, arguments: &str) -> Result<D::Arguments, Rejection> {
    let trimmed = trimmed(state, arguments)?;
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(trimmed).is_ok();
    let is_object = !is_json || trimmed.starts_with('{');
    let unread = match is_object.then(|| strict(trimmed)) {
        Some(Ok(arguments)) => return Ok(arguments),
        Some(Err(Unread::GoesOn)) => return Err(Rejection::new("arguments_not_json")),
        Some(Err(Unread::Wrong(path, error))) => Some((path, error)),
        None => None,
    };
    // What is meant is plain where another way to write it is the only one that fits the schema.
    let meant = lenient::read(trimmed, kept(D::NAME)).and_then(|meant| strict(&meant.to_string()).ok());
    meant.ok_or_else(|| unreadable(trimmed, is_json, unread))
}

/// The arguments without what stands around them, where they are not too long to be read.
fn trimmed<'a>(state: &State, arguments: &'a str) -> Result<&'a str, Rejection> {
    let most = state.setup().limits.argument_bytes_max as usize;
    let trimmed = match arguments.trim() {
        "" => "{}",
        trimmed => trimmed,
    };
    if trimmed.len() > most.saturating_mul(4) {
        return Err(Rejection::new("arguments_too_long").with("bytes", trimmed.len()).with("most", most));
    }
    Ok(trimmed)
}

/// Why arguments could not be read as they were written.
enum Unread {
    /// Something stands at this path that does not fit.
    Wrong(String, serde_json::Error),
    /// Something follows them.
    GoesOn,
}

/// The arguments as they were written.
fn strict<T: DeserializeOwned>(text: &str) -> Result<T, Unread> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| Unread::Wrong(error.path().to_string(), error.into_inner()))?;
    deserializer.end().map_err(|_| Unread::GoesOn)?;
    Ok(read)
}

/// The rejection of arguments; `unread` is what does not fit where, of those that may be an object.
fn unreadable(trimmed: &str, is_json: bool, unread: Option<(String, serde_json::Error)>) -> Rejection {
    let Some((path, error)) = unread else {
        return Rejection::new("arguments_not_valid").quoting("instead", trimmed, 60);
    };
    // An enum that meets a list is reported as a syntax error too: only what is no JSON at all is one.
    if (error.is_syntax() || error.is_eof()) && !is_json {
        let rejection = Rejection::new("arguments_not_json").with("fault", error);
        return rejection.quoting("arguments", trimmed, 120);
    }
    let field = if path == "." { "" } else { &path };
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or(&message);
    Rejection::new("arguments_not_valid").with("field", field).with("fault", shorten(message, 300))
}

/// A text that must say something: trimmed, within the limit.
pub(crate) fn text(state: &State, field: &'static str, text: &str) -> Result<String, Rejection> {
    text_within(field, text, state.setup().limits.argument_bytes_max as usize)
}

/// A text that must say something, of so many bytes at most.
pub(crate) fn text_within(field: &'static str, text: &str, most: usize) -> Result<String, Rejection> {
    within(field, clean(text), most)
}

/// The same of a text that may have several lines.
pub(crate) fn lines_within(field: &'static str, text: &str, most: usize) -> Result<String, Rejection> {
    within(field, clean_lines(text), most)
}

fn within(field: &'static str, trimmed: String, most: usize) -> Result<String, Rejection> {
    if trimmed.is_empty() {
        return Err(Rejection::new("text_empty").with("field", field));
    }
    if trimmed.len() > most {
        return Err(too_long(field, &trimmed, most));
    }
    Ok(trimmed)
}

/// A text that is longer than it may be.
pub(crate) fn too_long(field: &str, text: &str, most: usize) -> Rejection {
    Rejection::new("text_too_long").with("field", field).with("bytes", text.len()).with("most", most)
}

/// Trimmed, without control characters, on one line: where it is shown, the next line is somebody else's.
pub(crate) fn clean(text: &str) -> String {
    let shown = text.chars().map(|c| if is_line_break(c) || c == '\t' { ' ' } else { c });
    shown.filter(|c| !c.is_control()).collect::<String>().trim().to_owned()
}

/// The same with its line breaks, for a text that stands by itself.
pub(crate) fn clean_lines(text: &str) -> String {
    let shown = text.chars().map(|c| if is_line_break(c) { '\n' } else { c });
    shown.filter(|c| *c == '\n' || !c.is_control()).collect::<String>().trim().to_owned()
}

/// The character that a call names.
pub(crate) fn character<'a>(state: &'a State, name: &str) -> Result<(Seat, &'a Character), Rejection> {
    state.character_named(name).ok_or_else(|| unknown_character(state, name))
}

/// Nobody has this name, or no name was given.
pub(crate) fn unknown_character(state: &State, name: &str) -> Rejection {
    let known = state.characters().values().map(|character| character.sheet.name.as_str());
    let known = known.collect::<Vec<_>>().join(", ");
    Rejection::new("unknown_character").quoting("name", name, 80).with("known", known)
}

/// The DM's character that a call names.
pub(crate) fn npc<'a>(state: &'a State, named: &str) -> Result<&'a Npc, Rejection> {
    state.npcs().named(named).ok_or_else(|| {
        let known = state.npcs().all().map(|npc| npc.id.as_str());
        let known = nearest(named, known, NPCS_NAMED).join(", ");
        Rejection::new("unknown_npc").quoting("id", named, 80).with("known", known)
    })
}

/// An id for somebody new, when the campaign has room for one more; and the check that was passed.
pub(crate) fn new_npc(state: &State, name: &str) -> Result<(String, Check), Rejection> {
    let check = room_for_npc(state)?;
    if name.len() > NPC_NAME_BYTES_MAX {
        return Err(too_long("name", name, NPC_NAME_BYTES_MAX));
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
    Ok((id, check))
}

/// Has the campaign room for one more of the DM's characters?
pub(crate) fn room_for_npc(state: &State) -> Result<Check, Rejection> {
    let created = state.npcs().all().filter(|npc| npc.kind != NpcKind::Campaign).count();
    let most = state.setup().limits.npcs_created_max as usize;
    let check = Check::new("npcs_created_max").with("created", created).with("most", most);
    if created >= most {
        return Err(Rejection::new("npcs_created_max").like(&check));
    }
    Ok(check)
}

/// A name, not a description.
pub(crate) const NPC_NAME_BYTES_MAX: usize = 80;
/// How many of the DM's characters a rejection names.
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
pub(crate) fn own_character(state: &State, seat: Seat) -> Result<&Character, Rejection> {
    state.characters().get(&seat).ok_or_else(|| Rejection::new("no_character"))
}

/// Who is down does nothing.
pub(crate) fn standing(character: &Character) -> Result<(), Rejection> {
    match character.stands() {
        true => Ok(()),
        false => Err(Rejection::new("character_down").with("character", &character.sheet.name)),
    }
}

/// Has a failure happened that is still to be told? Nothing else begins then.
pub(crate) fn is_struck(state: &State) -> bool {
    state.encounter().is_some_and(|encounter| encounter.struck.is_some())
}

/// The dialogue being held, and with whom.
pub(crate) fn open_dialogue(state: &State) -> Result<(&Dialogue, &Npc), Rejection> {
    let open = state.dialogue().and_then(|dialogue| Some((dialogue, state.npcs().get(&dialogue.npc)?)));
    open.ok_or_else(|| Rejection::new("no_dialogue"))
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
