//! What a model copies of its prompt instead of playing: small models recite what they were told. The sentences that are its own are
//! spoken; a reply without any is rejected.

use std::ops::Range;

use memchr::memmem;
use twicetold_dialect::Wire;
use twicetold_event::{Event, Purpose, Seat};
use twicetold_model::{Message, Part};
use twicetold_projection::{Replies, prompt, words};
use twicetold_world::State;
use twicetold_world::setup::GoalSpec;
use unicode_segmentation::UnicodeSegmentation;

use crate::table::Table;

/// Characters in a row that a reply may share with what a guided model is told and asked: a name, a title, a goal's label. More is
/// copied.
const COPIED_MAX: usize = 60;
/// The same for models that are not guided, whose prompts hold much more that is worth quoting.
const CONTEXT_COPIED_MAX: usize = 80;
/// A reply that stands in its prompt to so many percent, in pieces of so many characters, is no reply of its own: short ones may be all
/// of the objective, and what was said before may be taken up, but not repeated.
const RECITED: Recited = Recited { percent: 90, piece: 12 };
const SAID_AGAIN: Recited = Recited { percent: 65, piece: 25 };

struct Recited {
    percent: usize,
    piece: usize,
}

/// Characters of own words that are worth speaking: "And so." behind a copied paragraph says nothing.
const OWN_MIN: usize = 20;

/// What a seat was told, to compare its words with.
pub(crate) struct Told {
    /// What its prompt tells beside what was said.
    told: Vec<String>,
    /// What was said, for a model that reads little else.
    said: Vec<String>,
    is_guided: bool,
    /// As many bytes of words are compared as can be spoken.
    most: usize,
}

/// Whose words a reply has.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Own {
    /// The model's own.
    All,
    /// A part is its own, the others are copied, these among them.
    Part(Range<usize>, String),
    /// Copied ones: these.
    Nothing(String),
}

impl Told {
    /// For a model that is guided: all of its short prompt.
    pub(crate) fn guided(state: &State, replies: &dyn Replies, (seat, purpose): (Seat, Purpose)) -> Told {
        let who = (seat, purpose, state.calls().next);
        let asked = crate::requests::render(state, replies, &[], who, &Wire::default(), Default::default())
            .request
            .messages;
        let (asked, said) = (texts(&asked), texts(&prompt::exchange(state, replies, (seat, purpose))));
        let without = |text: String| said.iter().fold(text, |text, said| text.replace(said, ""));
        let told = asked.into_iter().map(without).collect();
        Told { told, said, is_guided: true, most: spoken_max(state) }
    }

    /// For any other model: what its prompt tells beside the history, for it to play with and not to recite, and what it has said in this
    /// turn and last before it. `None` where it has copied none of that, and where there is nothing to compare: code that improvises has no
    /// such vice, a person may say what they like, and a few words may be a name.
    pub(crate) fn beside_history(
        table: &Table<'_>,
        (seat, purpose): (Seat, Purpose),
        words: &str,
    ) -> Option<Told> {
        let state = table.state();
        state.setup().seats.of(seat).filter(|model| !model.is_embedded() && !state.is_person(seat))?;
        let most = spoken_max(state);
        let is_long = folded(beginning(words, most)).chars().count() > CONTEXT_COPIED_MAX;
        if !is_long {
            return None;
        }
        let mut told = Told {
            told: vec![folded(&table.told_beside(seat, purpose))],
            said: Vec::new(),
            is_guided: false,
            most,
        };
        // What was said is added where it is new in the turn, and the last of what was said before.
        told.told.extend(own_messages(table, seat).take_while(|own| own.is_new).map(|own| own.words));
        told.told.extend(own_messages(table, seat).find(|own| !own.is_new).map(|own| own.words));
        // Few replies hold anything of their prompt, and only those are looked at closely.
        told.copied(words)?;
        if seat == Seat::Dm {
            // What the author has written to be told is not recited by whoever tells it.
            let without = |told: String, text: &String| told.replace(text.as_str(), " ");
            told.told[0] = to_be_told(state).iter().fold(std::mem::take(&mut told.told[0]), without);
        }
        Some(told)
    }

    /// What of these words is copied, if that is more than a little.
    pub(crate) fn copied(&self, words: &str) -> Option<String> {
        let record = || record(beginning(words, self.most)).map(folded);
        let words = folded(beginning(words, self.most));
        let first = |most| copied(&words, &self.told, most).next().map(str::to_owned);
        if !self.is_guided {
            return first(CONTEXT_COPIED_MAX).or_else(record);
        }
        let repeated = || recited(&words, &self.said, &SAID_AGAIN);
        first(COPIED_MAX).or_else(|| recited(&words, &self.told, &RECITED)).or_else(repeated)
    }

    /// Whose words these are. The own part is the longest one of whole sentences.
    pub(crate) fn own(&self, words: &str) -> Own {
        let Some(copied) = self.copied(words) else { return Own::All };
        let mut part = 0..0;
        let mut run = 0..0;
        for (start, sentence) in beginning(words, self.most).split_sentence_bound_indices() {
            run = match self.copied(sentence) {
                None if run.is_empty() => start..start + sentence.len(),
                None => run.start..start + sentence.len(),
                Some(_) => 0..0,
            };
            if run.len() > part.len() {
                part = run.clone();
            }
        }
        let own = &words[part.clone()];
        let is_enough = folded(own).chars().count() >= OWN_MIN && self.copied(own).is_none();
        if is_enough { Own::Part(part, copied) } else { Own::Nothing(copied) }
    }
}

/// Has the seat said all of these words in this turn? A few words may well stand in others; people may repeat themselves.
pub(crate) fn is_said(table: &Table<'_>, seat: Seat, words: &str) -> bool {
    let words = folded(beginning(words, spoken_max(table.state())));
    let is_long = words.chars().count() > CONTEXT_COPIED_MAX;
    let is_in = |said: &str| said == words || (is_long && said.contains(&words));
    let is_quiet = words.is_empty() || table.state().is_person(seat) || table.state().turn().messages == 0;
    !is_quiet && own_messages(table, seat).take_while(|own| own.is_new).any(|own| is_in(&own.words))
}

/// What a seat has said, ready to be compared.
struct OwnWords {
    words: String,
    /// In the turn that is played.
    is_new: bool,
}

/// What a seat has said in the story, or in the dialogue being held, newest first: beside a call that was rejected, models say it once
/// more, and some say their last message in every turn.
fn own_messages<'a>(table: &'a Table<'_>, seat: Seat) -> impl Iterator<Item = OwnWords> + 'a {
    let state = table.state();
    let talk = state.dialogue().and_then(|dialogue| state.npcs().get(&dialogue.npc));
    let window = talk.map_or(&state.history().main, |npc| &npc.history.kept);
    window.iter().rev().filter_map(move |kept| match &kept.event {
        Event::MessageSpoken(word) if word.seat == seat => Some(OwnWords {
            words: folded(words(table.replies(), &word.text)),
            is_new: kept.origin >= state.turn().began,
        }),
        _ => None,
    })
}

/// The texts of the encounter that the DM is to tell as they stand, ready to be compared.
fn to_be_told(state: &State) -> Vec<String> {
    let Some(spec) = state.encounter_spec() else { return Vec::new() };
    let ends = spec.goals.iter().flat_map(GoalSpec::told);
    let seen = spec.checks.iter().flat_map(|check| [&check.scene, &check.again, &check.twice]);
    let texts = ends.chain(seen).chain([&spec.opening]).map(|text| folded(text.trim()));
    texts.filter(|text| !text.is_empty()).collect()
}

/// A line of the table's records, `npc: hanno | name=Old Hanno`: whatever it says, nobody at a table speaks like that.
fn record(words: &str) -> Option<&str> {
    let is_field = |field: &str| {
        let name = field.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    words.lines().find(|line| line.split(" | ").skip(1).any(is_field))
}

fn spoken_max(state: &State) -> usize {
    state.setup().limits.message_bytes_max as usize
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

/// What only a machine says that has left its part, folded.
const ASSISTANT: &[&str] = &[
    "as an ai language model",
    "as a language model",
    "as a large language model",
    "as an ai i ",
    "i can t help with that",
    "i cannot help with that",
    "i can t fulfill that request",
    "i cannot fulfill that request",
    "i cannot fulfill your request",
    "i m not able to generate",
    "let me know if you d like me to",
    "as an ai assistant",
    "i can t assist with that",
    "i cannot assist with that",
    "i m sorry but i can t assist",
    "i m sorry but i cannot assist",
];

/// The words by which a model speaks as the assistant that it was trained to be, if it does.
pub(crate) fn assistant(words: &str, most: usize) -> Option<&'static str> {
    let words = folded(beginning(words, most));
    ASSISTANT.iter().find(|said| words.contains(*said)).copied()
}

/// So many bytes of a text: more than that is not spoken anyway, and every byte is compared with many.
fn beginning(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// The passages of more than so many characters that stand in one of the texts. Each holds a whole block, half as long, of those that the
/// words are made of: only around a block that stands in a text are passages looked for.
fn copied<'a>(words: &'a str, texts: &'a [String], most: usize) -> impl Iterator<Item = &'a str> {
    let (length, block) = (most + 1, (most + 2) / 2);
    let stands = |run: &str| texts.iter().any(|text| memmem::find(text.as_bytes(), run.as_bytes()).is_some());
    let blocks: Vec<bool> = pieces(words, block).step_by(block).map(|(_, run)| stands(run)).collect();
    let may_stand = move |start: usize| blocks.get(start.div_ceil(block)).is_some_and(|found| *found);
    pieces(words, length).filter(move |(start, run)| may_stand(*start) && stands(run)).map(|(_, run)| run)
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
///
/// Every reply is compared with all of its prompt, so this is read byte by byte: only a word with anything but ASCII in it or right behind it
/// is looked at as characters.
fn folded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut folded = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if !byte.is_ascii_alphanumeric() && byte.is_ascii() {
            at += 1;
            continue;
        }
        let run = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let is_plain = bytes.get(at + run).is_none_or(u8::is_ascii);
        let length = if is_plain { run } else { word_bytes(&text[at..]) };
        if length == 0 {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        if !folded.is_empty() {
            folded.push(' ');
        }
        let word = &text[at..at + length];
        if is_plain {
            let from = folded.len();
            folded.push_str(word);
            folded[from..].make_ascii_lowercase();
        } else {
            folded += &word.to_lowercase();
        }
        at += length;
    }
    folded
}

/// How many bytes of letters and digits a text begins with.
fn word_bytes(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copied_passage_is_found_wherever_it_begins_and_where_it_is_just_long_enough() {
        let told = ["the gate of weißenau is shut until the first lantern burns".to_owned()];
        for most in [1, 2, 7, 12] {
            for (from, length) in (0..20).flat_map(|from| [(from, most), (from, most + 1), (from, most + 9)])
            {
                let passage: String = told[0].chars().skip(from).take(length).collect();
                for before in 0..most * 2 {
                    let words = format!("{}{passage}###", "#".repeat(before));
                    let slow = |run: &&str| told[0].contains(*run);
                    let all: Vec<&str> = pieces(&words, most + 1).map(|(_, run)| run).filter(slow).collect();
                    assert_eq!(copied(&words, &told, most).collect::<Vec<_>>(), all, "{words}, {most}");
                }
            }
        }
    }

    #[test]
    fn a_line_of_the_records_is_nobodys_own() {
        let told = Told { told: Vec::new(), said: Vec::new(), is_guided: false, most: 1_000 };
        let line = "check: follow the reeds | ability=WIS | difficulty=10";
        assert_eq!(told.own(line), Own::Nothing(folded(line)));
        let words = format!("The reeds are bent, and you see who bent them.\n{line}\n");
        assert_eq!(told.own(&words), Own::Part(0..47, folded(line)));
        for own in ["Either | or, she says.", "He writes a = b | c.", "Aye."] {
            assert_eq!(told.own(own), Own::All, "{own}");
        }
    }

    #[test]
    fn words_are_compared_in_lower_case_with_one_space_between() {
        assert_eq!(folded("  The BELL—rings,\nÄRGER! ΟΔΟΣ 3x "), "the bell rings ärger οδος 3x");
        assert_eq!(folded("ΟΔΟΣ ΑΣ"), "ΟΔΟΣ ΑΣ".to_lowercase());
        assert_eq!(folded("…"), "");
    }
}
