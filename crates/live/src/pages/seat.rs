//! A seat in the browser: the story as it may know it, and what it can do now. Nothing else of the campaign is on these pages: each is
//! made from lines that the seat heard and from documents that a player at a terminal is shown too.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use serde_json::{Map, Value};
use twicetold_event::{
    CallId, CampaignId, Input, PersonAnswered, PersonCall, Phase, Seat, SeatAsked, Section,
};
use twicetold_host::character;
use twicetold_host::hearing::Hearing;
use twicetold_host::seat_view::{does, hint, refused};
use twicetold_host::words::short;
use twicetold_journal::Source;
use twicetold_projection::people;
use twicetold_report::{heard_html, markdown_html};
use twicetold_tool::{Legal, legal, named};
use twicetold_world::State as Table;

use crate::answer::{Answer, Problem, blocking, html};
use crate::form::{Fields, to};
use crate::guard::seat_address;
use crate::pages::address;
use crate::tables::tell;
use crate::{App, limits};

#[derive(Template)]
#[template(path = "seat.html")]
struct Page {
    address: String,
    /// The campaign's page, for whoever may see it.
    campaign: Option<String>,
    title: String,
    name: String,
    next: u64,
    is_over: bool,
    story_html: String,
    act_html: String,
    side_html: String,
}

/// What can be done now: a piece of the page that is sent anew when it changes.
#[derive(Template)]
#[template(path = "act.html")]
struct Act {
    address: String,
    form: Option<String>,
    name: String,
    person: String,
    is_playing: bool,
    is_over: bool,
    /// The call that waits for an answer.
    call: Option<u32>,
    hint: String,
    /// The classes to choose from, where the seat has to make its character.
    classes: Vec<String>,
    moves: Vec<Move>,
    /// Those that only look something up: there are many of them, and they are seldom wanted.
    lookups: Vec<Move>,
}

/// A way to call a tool now.
struct Move {
    tool: &'static str,
    /// What it does, in a few words.
    does: &'static str,
    /// Which of the ways of this tool.
    way: usize,
    about: String,
    /// Whether it has to be told in the same breath.
    tells: bool,
    fields: Vec<Field>,
}

struct Field {
    name: String,
    label: String,
    required: bool,
    kind: Kind,
}

enum Kind {
    One(String),
    Choice(Vec<String>),
    Number(Option<i64>, Option<i64>),
    Truth,
    Text(u64),
    Json,
}

/// Tools that only look something up.
const LOOKUPS: [&str; 4] = ["lookup_rules", "search_rules", "query_session_memory", "query_campaign"];

/// What the seat may look at beside the story.
#[derive(Template)]
#[template(path = "seat_side.html")]
struct Side {
    place: String,
    objective: String,
    quests: Vec<(String, bool)>,
    party: Vec<(String, String, i64, i64)>,
    sheet: Option<people::CharacterPage>,
    met: Vec<(String, String)>,
    scenario_html: String,
    sections: Vec<(String, Vec<String>)>,
}

/// A campaign as a seat has heard it so far.
pub(crate) struct Heard(pub(crate) Hearing);

impl Heard {
    /// Before the first entry.
    pub(crate) fn before(source: &dyn Source, seat: Seat) -> Result<Heard, Problem> {
        Ok(Heard(Hearing::before(source, seat)?))
    }

    /// Hears what is new.
    pub(crate) fn read_on(&mut self, source: &dyn Source) -> Result<(), Problem> {
        Ok(self.0.read_on(source)?)
    }

    /// What the seat is called now: by its character, once that is made.
    pub(crate) fn name(&self) -> String {
        self.table().seat_name(self.0.seat())
    }

    pub(crate) fn table(&self) -> &Table {
        self.0.state()
    }

    /// What decides what can be done: the piece of the page is sent anew when it changes.
    pub(crate) fn standing(&self, is_playing: bool) -> (bool, bool, Option<CallId>, Option<String>) {
        (is_playing, self.0.is_over(), self.0.asked(), self.0.person().cloned())
    }

    /// The lines from a number on.
    pub(crate) fn story(&self, from: usize) -> Result<String, Problem> {
        Ok(heard_html(self.table(), self.0.lines.get(from..).unwrap_or_default())?)
    }

    /// What can be done now.
    pub(crate) fn act(&self, app: &App, id: CampaignId) -> Result<String, Problem> {
        let state = self.table();
        let asked = self.0.asked();
        let moves = if asked.is_some() { self.moves() } else { Vec::new() };
        let (lookups, moves) = moves.into_iter().partition(|one| LOOKUPS.contains(&one.tool));
        let act = Act {
            address: seat_address(id, self.0.seat()),
            form: (!app.settings.read_only).then(|| app.seat_form_token(id, self.0.seat())),
            name: state.seat_name(self.0.seat()),
            person: self.0.person().cloned().unwrap_or_default(),
            is_playing: app.tables.is_playing(id),
            is_over: self.0.is_over(),
            call: asked.map(|call| call.0),
            hint: hint(state, self.0.seat()),
            classes: self.classes(),
            moves,
            lookups,
        };
        Ok(act.render()?)
    }

    fn classes(&self) -> Vec<String> {
        let (state, seat) = (self.table(), self.0.seat());
        let has_to =
            state.phase() == Phase::Lock && seat != Seat::Dm && !state.characters().contains_key(&seat);
        let classes = if has_to { character::classes(&state.setup().rules) } else { Vec::new() };
        classes.into_iter().map(str::to_owned).collect()
    }

    fn moves(&self) -> Vec<Move> {
        let offered = self.0.campaign().offered().into_iter();
        let ways = offered.flat_map(|spec| {
            let ways =
                named(&spec.name).map_or_else(Vec::new, |tool| legal(self.table(), self.0.seat(), tool));
            let described: Value = serde_json::from_str(&spec.schema).unwrap_or_default();
            let about = spec.description;
            ways.into_iter()
                .enumerate()
                .map(move |(way, legal)| Move {
                    tool: legal.tool,
                    does: does(&legal),
                    way,
                    about: about.to_string(),
                    tells: named(legal.tool).is_some_and(|tool| tool.tells),
                    fields: fields(&legal, &described),
                })
                .collect::<Vec<_>>()
        });
        ways.collect()
    }

    /// What the seat may look at beside the story.
    pub(crate) fn side(&self) -> Result<String, Problem> {
        let campaign = self.0.campaign();
        let (state, replies) = (campaign.state(), campaign.replies());
        let memory = people::memory(state, replies);
        let text = |fact: Option<(u64, String)>| fact.map_or_else(String::new, |(_, text)| text);
        let document = people::party(state, replies);
        let sections = document.sections.into_iter().filter(|page| page.section != Section::Secrets.name());
        let sections = sections.map(|page| {
            let entries = page.entries.into_iter().map(|entry| markdown_html(entry.text.trim()));
            (page.section.to_owned(), entries.collect())
        });
        let all = people::characters(state);
        let member = |page: &people::CharacterPage| {
            (page.name.clone(), page.class.clone(), page.hit_points.0, i64::from(page.hit_points.1))
        };
        let met = people::npcs(state, replies).into_iter().filter(|npc| npc.met.is_some());
        let side = Side {
            place: text(memory.location),
            objective: text(memory.objective),
            quests: memory.quests.into_iter().map(|(_, text, done)| (text, done)).collect(),
            party: all.iter().map(member).collect(),
            sheet: all.into_iter().find(|page| page.seat == self.0.seat()),
            met: met.map(|npc| (npc.name, npc.role)).collect(),
            scenario_html: markdown_html(document.scenario.trim()),
            sections: sections.collect(),
        };
        Ok(side.render()?)
    }
}

fn fields(legal: &Legal, described: &Value) -> Vec<Field> {
    let properties = legal.schema["properties"].as_object();
    let required = legal.schema["required"].as_array();
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|known| known == name));
    let field = |(name, schema): (&String, &Value)| {
        let described = described["properties"][name]["description"].as_str().unwrap_or_default();
        Field {
            name: name.clone(),
            label: label(name, described),
            required: is_required(name),
            kind: kind(schema),
        }
    };
    properties.into_iter().flatten().map(field).collect()
}

/// What a field is called: by its name first, and then what is told of it.
fn label(name: &str, described: &str) -> String {
    let name = name.replace('_', " ");
    match short(described, 80).trim_end_matches('.') {
        "" => name,
        described => format!("{name}: {described}"),
    }
}

fn kind(schema: &Value) -> Kind {
    let listed = schema["enum"].as_array();
    let listed: Option<Vec<String>> =
        listed.and_then(|values| values.iter().map(|value| value.as_str().map(str::to_owned)).collect());
    match (listed, schema["type"].as_str()) {
        (Some(mut values), _) if values.len() == 1 => Kind::One(values.remove(0)),
        (Some(values), _) => Kind::Choice(values),
        (None, Some("integer")) => Kind::Number(schema["minimum"].as_i64(), schema["maximum"].as_i64()),
        (None, Some("boolean")) => Kind::Truth,
        (None, Some("string")) => Kind::Text(schema["maxLength"].as_u64().unwrap_or(4_000)),
        _ => Kind::Json,
    }
}

/// The arguments that a form makes, by the schema of the way that it chose.
fn arguments(legal: &Legal, fields: &Fields) -> Result<String, Problem> {
    let mut arguments = Map::new();
    for (name, schema) in legal.schema["properties"].as_object().into_iter().flatten() {
        let Some(text) = fields.get(&format!("with.{name}")) else { continue };
        let wrong = |what: &str| {
            let message = format!("{name} is {text:?}, which is no {what}.");
            Problem::new(StatusCode::BAD_REQUEST, message, "Go back and fill it in again.")
        };
        let value = match kind(schema) {
            Kind::Number(..) => Value::from(text.parse::<i64>().map_err(|_| wrong("whole number"))?),
            Kind::Truth => Value::from(text == "true"),
            Kind::Json => serde_json::from_str(text).map_err(|_| wrong("JSON"))?,
            Kind::One(_) | Kind::Choice(_) | Kind::Text(_) => Value::from(text),
        };
        arguments.insert(name.clone(), value);
    }
    Ok(Value::Object(arguments).to_string())
}

/// The character that a form describes, as the block that a player sends.
fn sheet(state: &Table, seat: Seat, fields: &Fields) -> Result<String, Problem> {
    let given = ["name", "class", "background"].map(|name| {
        let text = fields.get(&format!("character.{name}")).unwrap_or_default();
        text.chars().take(limits::WORDS_CHARS_MAX).collect::<String>()
    });
    let [name, class, background] = &given;
    let setup = state.setup();
    character::block(&setup.rules, setup.reading_of(seat), (name, class, background)).ok_or_else(|| {
        Problem::new(
            StatusCode::BAD_REQUEST,
            "A character needs a name, a class of the list and a sentence about its past.",
            "Go back and fill it in.",
        )
    })
}

/// The page of a seat.
pub(crate) async fn page(
    State(app): State<Arc<App>>,
    Path((id, seat)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer {
    let page = blocking(app, move |app| {
        let (id, seat) = place(&id, &seat)?;
        let source = app.library.read(id).map_err(Problem::from)?;
        let mut heard = Heard::before(&*source, seat)?;
        heard.read_on(&*source)?;
        let state = heard.table();
        let page = Page {
            address: seat_address(id, seat),
            campaign: app.is_owner(&headers).then(|| address(id)),
            title: state.setup().campaign.title.clone(),
            name: state.seat_name(seat),
            next: heard.0.next.0,
            is_over: heard.0.is_over(),
            story_html: heard.story(0)?,
            act_html: heard.act(app, id)?,
            side_html: heard.side()?,
        };
        Ok(page.render()?)
    });
    Ok(html(page.await?))
}

/// The seat that an address names. The guard has let the request through, so it is one of this form.
pub(crate) fn place(id: &str, seat: &str) -> Result<(CampaignId, Seat), Problem> {
    crate::guard::seat_of(id, seat).ok_or_else(|| {
        Problem::new(StatusCode::NOT_FOUND, "There is no such seat.", "Open the link that you were given.")
    })
}

/// Takes the seat.
pub(crate) async fn sit(
    State(app): State<Arc<App>>,
    Path((id, seat)): Path<(String, String)>,
    fields: Fields,
) -> Answer {
    let (id, seat) = place(&id, &seat)?;
    let name = short(fields.get("name").unwrap_or("a person"), limits::NAME_CHARS_MAX);
    tell(&app, id, vec![Input::SeatAsked(SeatAsked { seat, person: Some(name) })])?;
    Ok(to(&seat_address(id, seat)))
}

/// Gives the seat back to its model.
pub(crate) async fn leave(
    State(app): State<Arc<App>>,
    Path((id, seat)): Path<(String, String)>,
    _fields: Fields,
) -> Answer {
    let (id, seat) = place(&id, &seat)?;
    tell(&app, id, vec![Input::SeatAsked(SeatAsked { seat, person: None })])?;
    Ok(to(&seat_address(id, seat)))
}

/// Says something, or uses a tool.
pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    Path((id, seat)): Path<(String, String)>,
    fields: Fields,
) -> Answer {
    let (id, seat) = place(&id, &seat)?;
    let answered = blocking(app.clone(), move |app| {
        let source = app.library.read(id).map_err(Problem::from)?;
        let mut heard = Heard::before(&*source, seat)?;
        heard.read_on(&*source)?;
        let call = heard
            .0
            .asked()
            .filter(|call| fields.get("call") == Some(&call.0.to_string()))
            .ok_or_else(late)?;
        let (text, tool_calls) = match fields.get("tool") {
            None if fields.get("character.name").is_some() => {
                (sheet(heard.table(), seat, &fields)?, Vec::new())
            }
            None => {
                let words: String =
                    fields.get("words").unwrap_or_default().chars().take(limits::WORDS_CHARS_MAX).collect();
                if words.is_empty() {
                    let message = "Nothing was said.";
                    return Err(Problem::new(
                        StatusCode::BAD_REQUEST,
                        message,
                        "Go back and write something.",
                    ));
                }
                (words, Vec::new())
            }
            Some(tool) => {
                let offered = heard.0.campaign().offered().into_iter().any(|spec| *spec.name == *tool);
                let ways = named(tool)
                    .filter(|_| offered)
                    .map_or_else(Vec::new, |tool| legal(heard.table(), seat, tool));
                let way = fields.number("way")?.and_then(|way| usize::try_from(way).ok()).unwrap_or_default();
                let Some(way) = ways.get(way) else {
                    let message = format!("{} is not available now.", short(tool, 40));
                    return Err(Problem::new(
                        StatusCode::CONFLICT,
                        message,
                        "Go back to your seat and look what is.",
                    ));
                };
                let call = PersonCall { tool: tool.to_owned(), arguments: arguments(way, &fields)? };
                // What would be rejected for certain is told here, and costs nothing of the turn.
                if let Some(message) = refused(heard.0.campaign(), seat, &call) {
                    return Err(Problem::new(
                        StatusCode::CONFLICT,
                        message,
                        "Go back to your seat and try it otherwise.",
                    ));
                }
                let said = fields.get("said").unwrap_or_default().trim();
                (said.chars().take(limits::WORDS_CHARS_MAX).collect(), vec![call])
            }
        };
        Ok(PersonAnswered { call, text, tool_calls })
    });
    let back = || seat_address(id, seat);
    let answer = answered.await.map_err(|problem| problem.back_to(back()))?;
    // Of two who answer at the same moment one alone is heard, and the other keeps the words.
    if !app.tables.answer(id, answer) {
        return Err(late().back_to(back()));
    }
    Ok(to(&back()))
}

/// What is told to whoever answers what is not asked any more.
fn late() -> Problem {
    let message = "This question was answered already, or nobody asks you now.";
    let help =
        "Your words are still on the page before this one. Go back to your seat and look what is asked now.";
    Problem::new(StatusCode::CONFLICT, message, help)
}

#[cfg(test)]
mod tests {
    use super::{LOOKUPS, named};

    #[test]
    fn what_looks_something_up_is_a_tool() {
        assert!(LOOKUPS.iter().all(|name| named(name).is_some()));
    }
}
