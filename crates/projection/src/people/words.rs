//! Words for people about events and what rules observed: sentences of the program, apart from those that models read.

use std::sync::{Arc, OnceLock};

use twicetold_event::{Audience, Check, Missing, NudgeGiven, Source, SpeakerChosen, Values};
use twicetold_model::FaultKind;
use twicetold_world::Memory;
use twicetold_world::setup::{TextFile, Texts, known_texts};

use crate::template::{Facts, render};

/// What a rule observed that rejected something.
pub fn observed(rule: &str, values: &Values) -> String {
    said("rejected", rule, values)
}

/// What to do instead.
pub fn advice(rule: &str, values: &Values) -> String {
    said("advice", rule, values)
}

/// What a rule observed that was passed.
pub fn passed(check: &Check) -> String {
    said("passed", &check.rule, &check.values)
}

/// A number with this sign between its thousands.
pub fn grouped(number: u64, sign: char) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3 * sign.len_utf8());
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(sign);
        }
        out.push(digit);
    }
    out
}

/// What the DM is reminded of.
pub fn reminder(word: &NudgeGiven) -> String {
    said("reminder", word.nudge.name(), &word.values)
}

/// What a phase of Session Zero lacks.
pub fn missing(missing: &[Missing]) -> String {
    let said = |missing: &Missing| {
        let values = missing.seat().map(|seat| Values::default().with("name", seat));
        said("missing", missing.name(), &values.unwrap_or_default())
    };
    missing.iter().map(said).collect::<Vec<_>>().join("; ")
}

/// What is wrong with a sheet.
pub fn problems(reasons: &[Check]) -> String {
    let said = |reason: &Check| said("sheet", &reason.rule, &reason.values);
    reasons.iter().map(said).collect::<Vec<_>>().join("; ")
}

/// Why somebody speaks next.
pub fn chosen(word: &SpeakerChosen) -> String {
    let mut values = word.values.clone();
    for (_, value) in values.0.iter_mut() {
        *value = without_closing_mark(value).to_owned();
    }
    said("speaker", word.rule.name(), &values)
}

/// A sentence that follows a speech begins with the mark that closes that, and a space. One that opens a speech is kept whole.
fn without_closing_mark(sentence: &str) -> &str {
    let behind = sentence.strip_prefix(['"', '”']).filter(|rest| rest.starts_with(char::is_whitespace));
    behind.unwrap_or(sentence).trim_start()
}

/// Why a campaign, an encounter or a combat is over.
pub fn why_over(reason: &Check) -> String {
    said("over", &reason.rule, &reason.values)
}

/// Why a profile stays as it was.
pub fn kept(reason: &Check) -> String {
    said("profile", &reason.rule, &reason.values)
}

/// What a character keeps in mind of an encounter.
pub fn lived(values: &Values) -> String {
    said("memory", "encounter", values)
}

/// The same, or what it brought along.
pub(super) fn remembered(kept: &Memory) -> String {
    if kept.carried.is_empty() { lived(&kept.values) } else { kept.carried.clone() }
}

/// Why a campaign is paused.
pub fn why_paused(fault: Option<FaultKind>, reason: &str) -> String {
    fault.map_or_else(|| reason.to_owned(), |fault| format!("{}: {reason}", fault.describe()))
}

/// The text of this key with its names filled in.
pub(crate) fn worded(key: &str, facts: &Facts) -> String {
    otherwise(render(texts(), key, facts).into_iter().map(|line| line.text).collect())
}

/// A sentence for people: another one where a build is to show that nothing but people reads it.
fn otherwise(sentence: String) -> String {
    if cfg!(feature = "new-sentence") { format!("In other words: {sentence}") } else { sentence }
}

/// The sentence; the values as they are where this build does not know the rule.
fn said(table: &str, rule: &str, values: &Values) -> String {
    let key = format!("{table}.{rule}");
    if texts().get(&key).is_none() {
        return values.to_string();
    }
    worded(&key, &Facts::new(Source::State, Audience::All).observed(values))
}

/// The words for people; for what they do not have, the program's own for models.
pub(crate) fn texts() -> &'static Texts {
    static TEXTS: OnceLock<Texts> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let mut texts = Texts::default();
        let content = Arc::from(include_str!("../../words/en.toml"));
        texts
            .add("words/en.toml", TextFile::Program, &content)
            .expect("the words can be read: words_are_read");
        texts.or(known_texts())
    })
}

/// What follows when a call was given up for this. Of calls that could not be read, the seat is asked for words without any.
pub(crate) fn after_giving_up(fault: FaultKind) -> &'static str {
    match fault {
        FaultKind::CallsUnread => "the call is given up",
        _ => "the turn is skipped",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        let values = Values::default().with("registered", 2).with("most", 2);
        assert_eq!(observed("dynamic_goals_max", &values), "2 registered, at most 2");
        assert_eq!(advice("dynamic_goals_max", &values), "resolve the encounter by a goal that exists");
        assert_eq!(observed("of_a_later_build", &values), "registered 2, most 2");
    }

    #[test]
    fn a_mark_that_closes_the_speech_before_is_no_part_of_a_sentence() {
        assert_eq!(without_closing_mark("\" And you, Ada?"), "And you, Ada?");
        assert_eq!(without_closing_mark("” Ada?"), "Ada?");
        assert_eq!(without_closing_mark("\"And you, Ada?\""), "\"And you, Ada?\"");
        assert_eq!(without_closing_mark(""), "");
    }
}
