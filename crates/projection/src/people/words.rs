//! Words for people about what rules observed: sentences of the program, apart from those that models read.

use std::sync::{Arc, OnceLock};

use twicetold_event::{Answer, Audience, Check, Detail, Source, Values};
use twicetold_world::setup::{Page, TextFile, Texts};

use crate::answers;
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

/// The text of this key with its names filled in.
fn worded(key: &str, facts: &Facts) -> String {
    otherwise(render(texts(), key, facts).into_iter().map(|line| line.text).collect())
}

/// A sentence for people: another one where a build is to show that nothing but people reads it.
pub(crate) fn otherwise(sentence: String) -> String {
    if cfg!(feature = "new-sentence") { format!("In other words: {sentence}") } else { sentence }
}

/// The sentence; the values as they are where this build does not know the rule.
fn said(table: &str, rule: &str, values: &Values) -> String {
    let key = format!("{table}.{rule}");
    if texts().get(&key).is_none() {
        let values: Vec<String> = values.0.iter().map(|(name, value)| format!("{name} {value}")).collect();
        return values.join(", ");
    }
    worded(&key, &Facts::new(Source::State, Audience::All).observed(values))
}

/// A page of the rules.
pub(crate) fn page(page: &Page, detail: Detail) -> String {
    worded("pages.page", &answers::page(Facts::new(Source::State, Audience::All), page, detail))
}

/// What was found when the campaign's memory was asked.
pub(crate) fn answer(answer: &[Answer]) -> String {
    let facts = Facts::new(Source::State, Audience::All);
    answers::answer(texts(), &facts, Source::State, answer).into_iter().map(|line| line.text).collect()
}

fn texts() -> &'static Texts {
    static TEXTS: OnceLock<Texts> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let mut texts = Texts::default();
        let content = Arc::from(include_str!("../../words/en.toml"));
        texts
            .add("words/en.toml", TextFile::Program, &content)
            .expect("the words can be read: words_are_read");
        texts
    })
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
}
