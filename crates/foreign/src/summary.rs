//! What was taken from a transcript, and what was passed over.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::{Entry, Event, ForeignAnswered, ForeignRole, Input};

/// What was taken from a transcript of another program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Summary {
    /// The file.
    pub file: String,
    /// The name of the mapping.
    pub format: String,
    /// Records of the file.
    pub records: usize,
    /// Messages with words.
    pub messages: usize,
    /// Whoever speaks, in order of appearance.
    pub speakers: Vec<Speaker>,
    /// Tool calls.
    pub calls: usize,
    /// Their results.
    pub results: usize,
    /// Of these, failures.
    pub failures: usize,
    /// Rolls.
    pub rolls: usize,
    /// Of these, those that only words tell of.
    pub rolls_in_text: usize,
    /// What was passed over.
    pub passed_over: Vec<PassedOver>,
}

/// Somebody who speaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Speaker {
    /// The name, as written.
    pub name: String,
    /// What they are to the game.
    pub role: ForeignRole,
    /// How many messages.
    pub messages: usize,
}

/// Something that was passed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PassedOver {
    /// What it is.
    pub what: String,
    /// Why.
    pub why: String,
    /// How often.
    pub times: u64,
    /// The line of the first.
    pub line: u64,
}

/// What was taken from the transcript of these entries.
pub fn summary<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> Summary {
    let mut summary = Summary::default();
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    for entry in entries {
        let line = match &entry.input {
            Input::ForeignLine(word) => {
                summary.records += 1;
                word.line
            }
            _ => 0,
        };
        for event in &entry.events {
            match event {
                Event::ForeignOpened(word) => {
                    summary.file.clone_from(&word.file);
                    summary.format.clone_from(&word.format);
                }
                Event::ForeignSpoke(word) if !word.text.is_empty() => {
                    summary.messages += 1;
                    match summary.speakers.iter_mut().find(|speaker| speaker.name == word.speaker) {
                        Some(speaker) => speaker.messages += 1,
                        None => summary.speakers.push(Speaker {
                            name: word.speaker.clone(),
                            role: word.role,
                            messages: 1,
                        }),
                    }
                }
                Event::ForeignCalled(_) => summary.calls += 1,
                Event::ForeignAnswered(ForeignAnswered { failed, roll, .. }) => {
                    summary.results += 1;
                    summary.failures += usize::from(*failed == Some(true));
                    summary.rolls += usize::from(roll.is_some());
                }
                Event::ForeignRolled(_) => {
                    summary.rolls += 1;
                    let answered =
                        entry.events.iter().any(|event| matches!(event, Event::ForeignAnswered(_)));
                    summary.rolls_in_text += usize::from(!answered);
                }
                Event::ForeignPassedOver(word) => {
                    let known = (word.what.clone(), word.why.clone());
                    let place = *places.entry(known).or_insert_with(|| {
                        let (what, why) = (word.what.clone(), word.why.clone());
                        summary.passed_over.push(PassedOver { what, why, times: 0, line });
                        summary.passed_over.len() - 1
                    });
                    if let Some(passed) = summary.passed_over.get_mut(place) {
                        passed.times += u64::from(word.times);
                    }
                }
                _ => {}
            }
        }
    }
    summary
}
