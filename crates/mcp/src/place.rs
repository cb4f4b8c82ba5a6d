//! The seat of an outside agent: what it has been told, what it may know and do now, and what becomes of what it does.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::sync::watch;
use tokio::time::Instant;
use twicetold_event::{CallId, CampaignId, Event, Input, Number, PersonAnswered, PersonCall, Seat};
use twicetold_host::hearing::Hearing;
use twicetold_host::words::short;
use twicetold_host::{Library, Sitting, now, seat_view};
use twicetold_projection::people;
use twicetold_referee::Campaign;
use twicetold_world::Life;

use crate::failure::Failure;
use crate::limits::{ARGUMENTS_BYTES_MAX, MOVES_MAX, RECENT_LINES, WORDS_CHARS_MAX};
use crate::reading::standing;

/// A seat that an agent holds.
pub(crate) struct Place {
    /// Of which campaign.
    pub(crate) campaign: CampaignId,
    /// Which seat, and the name that the agent gave.
    pub(crate) sitting: Sitting,
    /// Of which connection; 0: it is kept for an agent that has not come yet.
    pub(crate) connection: u64,
    /// Can its model cost money?
    pub(crate) is_paid: bool,
    /// When something was heard of the agent; nothing: it holds the seat no more.
    heard: watch::Sender<Option<Instant>>,
    /// Why it holds the seat no more.
    gone: OnceLock<String>,
    ears: Mutex<Option<Ears>>,
}

/// What the agent was told.
struct Ears {
    hearing: Hearing,
    /// Lines.
    lines: usize,
    /// Documents as it knows them.
    documents: Map<String, Value>,
    /// The turn of which it knows.
    turn: Option<CallId>,
    /// What it was told last: a part of it may be asked for again.
    last: Value,
}

/// What an agent is told.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Look {
    /// The seat that it holds, to be given as `place` where it holds several.
    place: String,
    /// `your turn`, `waiting`, `paused` or `over`.
    state: &'static str,
    /// More of that.
    detail: String,
    /// The number of the turn that waits for this agent, to be given to `act`; absent when none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u32>,
    /// What is expected of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// The moves that are legal now, by tool. Words alone are an answer too.
    moves: Vec<Menu>,
    /// Documents that are new, or are not what they were when the agent looked last.
    know: Map<String, Value>,
    /// The story since the agent looked last: number, kind, speaker and text.
    story: Vec<Value>,
}

/// The legal calls of a tool.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Menu {
    /// The tool.
    tool: String,
    /// What it does.
    about: String,
    /// The ways to call it: a JSON Schema of the arguments for each.
    ways: Vec<Value>,
}

/// A move of an agent.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Move {
    /// A tool of `moves`.
    tool: String,
    /// Arguments that fit one of its schemas.
    arguments: Map<String, Value>,
}

impl Place {
    pub(crate) fn new(campaign: CampaignId, sitting: Sitting, connection: u64, is_paid: bool) -> Arc<Place> {
        Arc::new(Place {
            campaign,
            sitting,
            connection,
            is_paid,
            heard: watch::channel(Some(Instant::now())).0,
            gone: OnceLock::new(),
            ears: Mutex::default(),
        })
    }

    pub(crate) fn seat(&self) -> Seat {
        self.sitting.seat
    }

    /// How an agent names it.
    pub(crate) fn name(&self) -> String {
        format!("{:.8}/{}", self.campaign, self.seat().slug())
    }

    /// When something was heard of the agent, for whoever waits for too long a silence.
    pub(crate) fn heard(&self) -> watch::Receiver<Option<Instant>> {
        self.heard.subscribe()
    }

    /// Something was heard of the agent.
    pub(crate) fn touch(&self) {
        self.heard.send_if_modified(|heard| {
            heard.as_mut().is_some_and(|at| {
                *at = Instant::now();
                true
            })
        });
    }

    /// The agent holds it no more.
    pub(crate) fn is_gone(&self, why: &str) {
        let _ = self.gone.set(why.to_owned());
        self.heard.send_replace(None);
    }

    /// Why the agent holds it no more; nothing while it does.
    pub(crate) fn gone(&self) -> Option<&str> {
        self.gone.get().map(String::as_str)
    }

    /// What was told last.
    pub(crate) fn last(&self) -> Value {
        self.locked().as_ref().map_or(Value::Null, |ears| ears.last.clone())
    }

    /// What the seat may know since its agent looked last.
    pub(crate) fn look(&self, library: &Library) -> Result<Value, Failure> {
        let mut locked = self.locked();
        let ears = self.ears(library, &mut locked)?;
        let (hearing, seat) = (&ears.hearing, self.seat());
        let campaign = hearing.campaign();
        let turn = hearing.asked().filter(|_| matches!(campaign.state().life(), Life::Running));
        let (state, detail) = match standing(campaign.state().life()) {
            ("in progress", detail) if turn.is_some() => ("your turn", detail),
            ("in progress", detail) => ("waiting", detail),
            other => other,
        };
        let mut know = documents(campaign, seat);
        know.retain(|name, value| ears.documents.get(name) != Some(value));
        let look = Look {
            place: self.name(),
            state,
            detail,
            turn: turn.map(|call| call.0),
            hint: turn.map(|_| seat_view::hint(campaign.state(), seat)),
            moves: turn.map_or_else(Vec::new, |_| moves(campaign, seat)),
            know: know.clone(),
            story: hearing
                .lines
                .get(ears.lines..)
                .unwrap_or_default()
                .iter()
                .map(|line| json!(line))
                .collect(),
        };
        // A turn of which the agent knows gives it no more time, however often it looks.
        if turn.is_none() || turn != ears.turn {
            self.touch();
        }
        (ears.turn, ears.lines) = (turn, hearing.lines.len());
        ears.documents.extend(know);
        ears.last = json!(look);
        Ok(ears.last.clone())
    }

    /// Does the campaign still wait for the answer to this call?
    pub(crate) fn waits_for(&self, library: &Library, call: CallId) -> Result<bool, Failure> {
        let mut locked = self.locked();
        let ears = self.ears(library, &mut locked)?;
        let pending = ears.hearing.state().calls().pending.as_ref();
        Ok(pending.is_some_and(|pending| pending.call == call))
    }

    /// What an agent says and does, as the table takes it, and the number that the journal has reached. What the rules would reject is
    /// found out on a copy of the campaign, and changes nothing.
    pub(crate) fn act(
        &self,
        library: &Library,
        turn: u32,
        words: &str,
        moves: &[Move],
    ) -> Result<(Input, Number), Failure> {
        let tool_calls = calls(words, moves)?;
        let mut locked = self.locked();
        let ears = self.ears(library, &mut locked)?;
        let campaign = ears.hearing.campaign();
        let life = campaign.state().life();
        if !matches!(life, Life::Running) {
            let (state, detail) = standing(life);
            let message = format!("the campaign is {state}: {detail}");
            return Err(Failure::new("late", message, "`wait_for_turn` says how it stands"));
        }
        let call = match ears.hearing.asked() {
            Some(call) if call.0 == turn => call,
            Some(call) => {
                let message = format!("turn {turn} does not wait for you; turn {} does", call.0);
                return Err(Failure::new("late", message, "`wait_for_turn` says what is asked now"));
            }
            None => {
                let message = format!("turn {turn} does not wait for you: it is not your turn");
                return Err(Failure::new("late", message, "`wait_for_turn` waits until it is"));
            }
        };
        let input = Input::PersonAnswered(PersonAnswered { call, text: words.to_owned(), tool_calls });
        let step = campaign.clone().step(now(), &input);
        let rejections: Vec<String> = step.events.iter().filter_map(rejection).collect();
        match rejections.is_empty() {
            true => Ok((input, ears.hearing.next)),
            false => Err(Failure::new(
                "illegal",
                format!("nothing was done, because the rules reject this: {}", rejections.join("; ")),
                "`moves` of `wait_for_turn` lists what is legal now; call `act` again for the same turn",
            )),
        }
    }

    /// What the agent has heard, up to the end of the journal as it is now.
    fn ears<'e>(&self, library: &Library, ears: &'e mut Option<Ears>) -> Result<&'e mut Ears, Failure> {
        let source = library.read(self.campaign)?;
        if ears.is_none() {
            let mut hearing = Hearing::before(&*source, self.seat())?;
            hearing.read_on(&*source)?;
            let lines = hearing.lines.len().saturating_sub(RECENT_LINES);
            let (documents, turn, last) = (Map::new(), None, Value::Null);
            *ears = Some(Ears { hearing, lines, documents, turn, last });
        }
        let Some(ears) = ears else {
            return Err(Failure::new("failed", "the seat has no ears", "report it"));
        };
        ears.hearing.read_on(&*source)?;
        Ok(ears)
    }

    /// What the lock guards is whole at every moment, also after a panic elsewhere.
    fn locked(&self) -> MutexGuard<'_, Option<Ears>> {
        self.ears.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All that a seat may look at beside the story.
fn documents(campaign: &Campaign, seat: Seat) -> Map<String, Value> {
    let state = campaign.state();
    let all = [
        ("sheets", json!(seat_view::sheets(state, seat))),
        ("companions", json!(seat_view::companions(state))),
        ("party", json!(seat_view::party(campaign, seat))),
        ("aims", json!(seat_view::aims(campaign))),
        ("met", json!(seat_view::met(campaign))),
        ("goals", json!(seat_view::goals(state, seat))),
        ("npcs", json!(seat_view::npcs(campaign, seat))),
        ("story_so_far", json!(seat_view::story_so_far(campaign))),
    ];
    let is_any = |value: &Value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty());
    all.into_iter().filter(|(_, value)| is_any(value)).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The menu, by tool.
fn moves(campaign: &Campaign, seat: Seat) -> Vec<Menu> {
    let legal = seat_view::choices(campaign, seat);
    let menu = campaign.offered().into_iter().map(|spec| {
        let ways = legal.iter().filter(|one| one.tool == &*spec.name).map(|one| one.schema.clone()).collect();
        Menu { tool: spec.name.to_string(), about: spec.description.to_string(), ways }
    });
    menu.filter(|menu| !menu.ways.is_empty()).collect()
}

/// The moves of an agent as calls, within their limits.
fn calls(words: &str, moves: &[Move]) -> Result<Vec<PersonCall>, Failure> {
    let again = "say it in less; nothing was done";
    let length = words.chars().count();
    if length > WORDS_CHARS_MAX {
        let message = format!("the words have {length} characters, at most {WORDS_CHARS_MAX} are heard");
        return Err(Failure::usage(message, again));
    }
    if words.trim().is_empty() && moves.is_empty() {
        return Err(Failure::usage("nothing was said or done", "give `words`, `moves` or both"));
    }
    if moves.len() > MOVES_MAX {
        let message = format!("{} moves are more than {MOVES_MAX}, which a reply may have", moves.len());
        return Err(Failure::usage(message, again));
    }
    let call = |one: &Move| {
        let arguments = Value::from(one.arguments.clone()).to_string();
        if arguments.len() > ARGUMENTS_BYTES_MAX || one.tool.len() > ARGUMENTS_BYTES_MAX {
            let tool = short(&one.tool, 40);
            let message = format!("the move {tool} has more than {ARGUMENTS_BYTES_MAX} bytes of arguments");
            return Err(Failure::usage(message, again));
        }
        Ok(PersonCall { tool: one.tool.clone(), arguments })
    };
    moves.iter().map(call).collect()
}

/// What the rules reject of a reply: the rule, what it observed, and what to do instead.
fn rejection(event: &Event) -> Option<String> {
    let said = |what: String, rule: &str, values: &twicetold_event::Values| {
        let advice = people::advice(rule, values);
        let advice = if advice.is_empty() { advice } else { format!(" ({advice})") };
        format!("{what}rule {rule}: {}{advice}", people::observed(rule, values))
    };
    match event {
        Event::ToolRejected(word) => {
            Some(said(format!("{}, ", short(&word.tool, 40)), &word.rule, &word.values))
        }
        Event::ReplyRejected(word) => Some(said(String::new(), &word.rule, &word.values)),
        Event::CharacterRejected(word) => Some(format!("the character: {}", people::problems(&word.reasons))),
        Event::MarkerRejected(word) => Some(format!("{}: {}", word.phrase, people::missing(&word.missing))),
        _ => None,
    }
}
