//! What a model that is guided is asked next: one small question at a time, whose answer the server holds to a schema.
//!
//! The question is a function of the state alone, so that it is the same when the request is rendered, when its answer is read, and
//! after a crash.

use twicetold_dialect::{Wire, push_json_string};
use twicetold_event::{Missing, Phase, Purpose, Seat};
use twicetold_model::{Message, Part, ReplySchema};
use twicetold_projection::{Replies, citable, missing, prompt};
use twicetold_tool::{Move, moves};
use twicetold_world::setup::Pregenerated;
use twicetold_world::{Choice, State};

/// Ready characters that a player chooses among.
const CHARACTERS_MAX: usize = 3;
/// Characters of what a model says it wants.
const INTENT: (u32, u32) = (8, 60);
/// Characters of an ending.
const ENDING: (u32, u32) = (40, 420);

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// One of the ready characters.
    Pitch(Vec<Move>),
    /// The scenario and the party document.
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
        Phase::Play if state.dialogue().is_some() && is_dm => Question::Converse,
        Phase::Play => match &state.turn().choice {
            None => match moves(state, seat) {
                moves if moves.iter().any(|one| !one.tool.is_empty()) => Question::Choose(moves),
                _ => Question::Speak,
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
        Question::Artefacts => vec![
            ("scenario", Field::Text((40, 500))),
            ("relationships", Field::Text((10, 200))),
            ("goals", Field::Text((10, 200))),
        ],
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

/// Characters in a row that a reply may share with what a guided model is told and asked: a name, a title, a goal's label. More is
/// copied.
const COPIED_MAX: usize = 60;
/// The same for models that are not guided, whose prompts hold much more that is worth quoting.
const CONTEXT_COPIED_MAX: usize = 80;
/// A reply that stands in its prompt to so many percent, in pieces of so many characters, is no reply of its own: short ones may be all
/// of the objective, and what was said before may be taken up, but not repeated.
const RECITED: Recited = Recited { percent: 90, piece: 12 };
const SAID_AGAIN: Recited = Recited { percent: 80, piece: 25 };

struct Recited {
    percent: usize,
    piece: usize,
}

/// The member, and the argument, that names what shows that a move is right.
pub(crate) const BECAUSE: &str = "because";

/// What of these words is copied from the seat's prompt, if that is more than a little.
pub(crate) fn echoes<'a>(
    state: &State,
    replies: &dyn Replies,
    seat: Seat,
    purpose: Purpose,
    words: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let who = (seat, purpose, state.calls().next);
    let asked = crate::requests::render(state, replies, &[], who, &Wire::default(), None).0.messages;
    let (asked, said) = (texts(&asked), texts(&prompt::exchange(state, replies, (seat, purpose))));
    let told: Vec<String> =
        asked.into_iter().map(|text| said.iter().fold(text, |text, said| text.replace(said, ""))).collect();
    bounded(state, words).find_map(|words| {
        let copied = copied(&words, &told, COPIED_MAX).next().map(str::to_owned);
        copied.or_else(|| recited(&words, &told, &RECITED)).or_else(|| recited(&words, &said, &SAID_AGAIN))
    })
}

/// What a reply copies of what its prompt tells beside the history, if that is more than a little: instead of playing, it recites.
pub(crate) fn recites(
    state: &State,
    replies: &dyn Replies,
    (seat, purpose): (Seat, Purpose),
    words: &str,
) -> Option<String> {
    // Code that improvises has no such vice, and a person may say what they like.
    let sits = state.table().people.contains_key(&seat);
    state.setup().seats.of(seat).filter(|model| !model.is_embedded() && !sits)?;
    let mut words = bounded(state, [words].into_iter())
        .filter(|words| words.chars().count() > CONTEXT_COPIED_MAX)
        .peekable();
    words.peek()?;
    let told = texts(&prompt::context(state, replies, (seat, purpose)));
    words.find_map(|words| copied(&words, &told, CONTEXT_COPIED_MAX).next().map(str::to_owned))
}

/// Is this member of an answer chosen among what was offered, or never spoken?
pub(crate) fn is_chosen(member: &str) -> bool {
    ["do", "intent", BECAUSE].contains(&member)
}

/// What is compared of words: as many as can be spoken.
fn bounded<'a>(state: &State, words: impl Iterator<Item = &'a str>) -> impl Iterator<Item = String> {
    let most = state.setup().limits.message_bytes_max as usize;
    words.map(move |words| folded(beginning(words, most)))
}

/// The texts of messages, ready to be compared.
fn texts(messages: &[Message]) -> Vec<String> {
    let parts = messages.iter().flat_map(|message| &message.parts);
    let text = |part: &Part| match part {
        Part::Text(text) => Some(folded(text)),
        _ => None,
    };
    parts.filter_map(text).collect()
}

/// Characters of a passage, and how often it may stand in one reply.
const PASSAGE: usize = 30;
const PASSAGES_MAX: usize = 2;

/// The passage that a reply repeats over and over, if it does.
pub(crate) fn repeats(words: &str, most: usize) -> Option<String> {
    let words = folded(beginning(words, most));
    let starts: Vec<usize> = words.char_indices().map(|(at, _)| at).collect();
    let mut passages = starts.windows(PASSAGE + 1).map(|at| &words[at[0]..at[PASSAGE]]);
    passages.find(|passage| words.matches(passage).count() > PASSAGES_MAX).map(str::to_owned)
}

/// So many bytes of a text: more than that is not spoken anyway, and every byte is compared with many.
fn beginning(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// The passages of more than so many characters that stand in one of the texts.
fn copied<'a>(words: &'a str, texts: &'a [String], most: usize) -> impl Iterator<Item = &'a str> {
    pieces(words, most + 1).map(|(_, run)| run).filter(|run| texts.iter().any(|text| text.contains(run)))
}

/// The words, if too much of them stands in the texts.
fn recited(words: &str, texts: &[String], how: &Recited) -> Option<String> {
    let all = words.chars().count();
    let (mut covered, mut end) = (0, 0);
    for (start, piece) in pieces(words, how.piece) {
        if texts.iter().any(|text| text.contains(piece)) {
            covered += (start + how.piece).saturating_sub(end.max(start));
            end = start + how.piece;
        }
    }
    (all >= how.piece && covered * 100 >= all * how.percent).then(|| words.to_owned())
}

/// Every passage of so many characters, and at which character it begins.
fn pieces(words: &str, length: usize) -> impl Iterator<Item = (usize, &str)> {
    let starts = words.char_indices().map(|(at, _)| at);
    let ends = starts.clone().skip(length).chain([words.len()]);
    let has_one = words.chars().nth(length.saturating_sub(1)).is_some();
    starts.zip(ends).map(|(start, end)| &words[start..end]).enumerate().filter(move |_| has_one)
}

/// Letters and digits, and one space between words, so that marks and line breaks hide nothing.
fn folded(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
