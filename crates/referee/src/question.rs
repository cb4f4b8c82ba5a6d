//! What a model that is guided is asked next: one small question at a time, whose answer the server holds to a schema.
//!
//! The question is a function of the state alone, so that it is the same when the request is rendered, when its answer is read, and
//! after a crash.

use twicetold_dialect::push_json_string;
use twicetold_event::{Missing, Phase, Purpose, Seat};
use twicetold_model::ReplySchema;
use twicetold_projection::{citable, missing};
use twicetold_tool::{Move, moves};
use twicetold_world::setup::Pregenerated;
use twicetold_world::{Choice, State};

/// Ready characters that a player chooses among.
const CHARACTERS_MAX: usize = 3;
/// Characters of what a model says it wants.
const INTENT: (u32, u32) = (8, 60);
/// Characters of an ending.
const ENDING: (u32, u32) = (40, 420);

/// Was an ending stopped by the schema that it is held to, rather than by the model? Then its last sentence is none.
pub(crate) fn is_full(words: &str) -> bool {
    words.chars().count() >= ENDING.1 as usize
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// One of the ready characters.
    Pitch(Vec<Move>),
    /// The party document, and the scenario where the campaign has none.
    Artefacts,
    /// One of these moves.
    Choose(Vec<Move>),
    /// The words of the move that was chosen.
    Fill(Move),
    /// Words of somebody who talks with others.
    Converse,
    /// Words.
    Speak,
}

/// What the seat is asked now.
pub(crate) fn question(state: &State, seat: Seat) -> Question {
    let is_dm = seat == Seat::Dm;
    match state.phase() {
        Phase::Lock if is_dm && lacks_artefacts_alone(state) => Question::Artefacts,
        Phase::Pitch | Phase::Lock if !is_dm && !state.characters().contains_key(&seat) => {
            match characters(state, seat) {
                moves if moves.is_empty() => Question::Speak,
                moves => Question::Pitch(moves),
            }
        }
        Phase::Play if state.dialogue().is_some() && is_dm => match &state.turn().choice {
            None => match moves(state, seat) {
                moves if moves.is_empty() => Question::Converse,
                moves => Question::Choose(moves),
            },
            Some(_) => Question::Converse,
        },
        Phase::Play => match &state.turn().choice {
            None => match moves(state, seat) {
                // Whoever can only speak is asked for the words at once.
                moves if moves.iter().all(|one| one.tool.is_empty() && one.arguments.is_empty()) => {
                    Question::Speak
                }
                moves => Question::Choose(moves),
            },
            Some(choice) if !choice.complete => {
                chosen(state, seat, choice).map_or(Question::Speak, Question::Fill)
            }
            Some(_) => Question::Speak,
        },
        _ => Question::Speak,
    }
}

/// The ready characters that nobody plays, in another order for each player.
fn characters(state: &State, seat: Seat) -> Vec<Move> {
    let Seat::Player(number) = seat else { return Vec::new() };
    let mut free: Vec<_> = free_characters(state);
    let turns = usize::from(number).saturating_sub(1) * CHARACTERS_MAX % free.len().max(1);
    free.rotate_left(turns);
    let shown = |ready: &Pregenerated| {
        let class = state.setup().rules.class(&ready.class);
        let class = class.map_or(ready.class.as_str(), |class| &class.name);
        Move::saying(&ready.name, "character").with("class", class)
    };
    free.into_iter().take(CHARACTERS_MAX).map(shown).collect()
}

/// The ready characters whose names nobody has.
pub(crate) fn free_characters(state: &State) -> Vec<&Pregenerated> {
    let is_taken = |ready: &&Pregenerated| {
        let mut names = state.characters().values().map(|character| character.sheet.name.as_str());
        names.any(|name| name.eq_ignore_ascii_case(&ready.name))
    };
    state.setup().rules.pregenerated.iter().filter(|ready| !is_taken(ready)).collect()
}

/// The move that was chosen, as it is offered now.
fn chosen(state: &State, seat: Seat, choice: &Choice) -> Option<Move> {
    moves(state, seat).into_iter().find(|one| one.key == choice.key)
}

/// In the last phase everybody has a character, and the DM has yet to write down what was agreed.
pub(crate) fn lacks_artefacts_alone(state: &State) -> bool {
    let missing = missing(state);
    !missing.is_empty()
        && missing.iter().all(|what| matches!(what, Missing::Scenario | Missing::PartyDocument))
}

/// Is the request for a model that is guided?
pub(crate) fn is_guided(state: &State, seat: Seat, purpose: Purpose) -> bool {
    purpose.is_turn() && state.setup().seats.of(seat).is_some_and(|model| model.is_guided())
}

/// The form that holds the reply to an answer of the question. Words alone have none: in a form, a small model fills in what it was
/// told instead of speaking.
pub(crate) fn form(state: &State, question: &Question) -> Option<String> {
    let fields = match question {
        Question::Artefacts => {
            let unwritten = state.setup().campaign.scenario.public.trim().is_empty();
            let scenario = unwritten.then_some(("scenario", Field::Text((40, 500))));
            let others = ["relationships", "goals"].map(|name| (name, Field::Text((10, 200))));
            scenario.into_iter().chain(others).collect()
        }
        Question::Choose(moves) | Question::Pitch(moves) => vec![
            ("intent", Field::Text(INTENT)),
            ("do", Field::OneOf(moves.iter().map(|one| one.key.clone()).collect())),
        ],
        Question::Fill(one) => {
            let words = one.tells.then_some(("words", Field::Text(ENDING)));
            let asks = one.asks.iter().map(|ask| (ask.name, Field::Text(ask.length)));
            let labels = if one.cites { citable(state) } else { Vec::new() };
            let labels: Vec<String> = labels.iter().map(|(label, _)| format!("#{label}")).collect();
            let because = (!labels.is_empty()).then_some((BECAUSE, Field::OneOf(labels)));
            because.into_iter().chain(words).chain(asks).collect()
        }
        Question::Converse | Question::Speak => return None,
    };
    Some(schema(&fields))
}

/// A reply that is held to this schema.
pub fn held_to(schema: String) -> ReplySchema {
    ReplySchema { name: "reply".into(), schema, strict: true }
}

/// A member of an answer.
enum Field {
    /// At least and at most so many characters.
    Text((u32, u32)),
    /// One of these.
    OneOf(Vec<String>),
}

fn schema(fields: &[(&str, Field)]) -> String {
    let mut out = String::from("{\"type\":\"object\",\"properties\":{");
    for (place, (name, field)) in fields.iter().enumerate() {
        out.push_str(if place == 0 { "" } else { "," });
        push_json_string(&mut out, name);
        out.push_str(":{\"type\":\"string\"");
        match field {
            Field::Text((least, most)) => {
                out.push_str(&format!(",\"minLength\":{least},\"maxLength\":{most}"));
            }
            Field::OneOf(values) => push_list(&mut out, ",\"enum\":[", values.iter().map(String::as_str)),
        }
        out.push('}');
    }
    push_list(&mut out, "},\"required\":[", fields.iter().map(|(name, _)| *name));
    out + ",\"additionalProperties\":false}"
}

fn push_list<'a>(out: &mut String, head: &str, texts: impl Iterator<Item = &'a str>) {
    out.push_str(head);
    for (place, text) in texts.enumerate() {
        out.push_str(if place == 0 { "" } else { "," });
        push_json_string(out, text);
    }
    out.push(']');
}

/// The member, and the argument, that names what shows that a move is right.
pub(crate) const BECAUSE: &str = "because";

/// Is this member of an answer chosen among what was offered, or never spoken?
pub(crate) fn is_chosen(member: &str) -> bool {
    ["do", "intent", "reason", BECAUSE].contains(&member)
}
