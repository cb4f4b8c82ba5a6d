//! The story by scenes and turns: what was said, what was done, and why each effect is there.

use std::collections::BTreeSet;

use twicetold_event::{Channel, Event, MessageSpoken, Number, Outcome, Seat, Verdict};
use twicetold_projection::people::LineKind;
use twicetold_session::{Chain, Explainer, LoadError};

use super::{Hint, hint};
use crate::text::{cut, grouped, tagged};
use crate::{LoadedJournal, limits, markdown};

/// A part of the story with a heading.
pub(super) struct Scene {
    pub(super) number: u64,
    pub(super) title: String,
    pub(super) turns: Vec<Turn>,
}

/// What happened in one turn.
pub(super) struct Turn {
    pub(super) turn: u32,
    pub(super) items: Vec<Item>,
}

pub(super) enum Item {
    Speech(Speech),
    /// A tool call or a step of the rules, with its effects.
    Effect(Box<Group>),
    Line(Shown),
}

pub(super) struct Speech {
    pub(super) number: u64,
    pub(super) speaker: String,
    /// The seat, for its colour.
    pub(super) class: String,
    /// With whom it was said apart from the others; empty at the table.
    pub(super) apart: String,
    pub(super) html: String,
}

/// A line that is not speech.
pub(super) struct Shown {
    pub(super) number: u64,
    pub(super) class: &'static str,
    pub(super) tag: String,
    pub(super) text: String,
}

/// Lines that one effect made, with what lies behind them.
pub(super) struct Group {
    pub(super) lines: Vec<Shown>,
    pub(super) why: Why,
}

/// The chain behind an effect, as the page shows it.
pub(super) struct Why {
    pub(super) chain: Chain,
    /// What the request showed: the last of it, and how much more there was.
    pub(super) sources: Vec<Hint>,
    pub(super) more: usize,
}

pub(super) fn scenes(
    journal: &LoadedJournal<'_>,
    explainer: &Explainer<'_>,
) -> Result<Vec<Scene>, LoadError> {
    let mut scenes: Vec<Scene> = Vec::new();
    let mut turn = 0;
    for entry in &journal.entries {
        let mut shown: Vec<(u64, Item)> = Vec::new();
        for outcome in entry.tool_calls() {
            shown.extend(group(journal, explainer, &outcome)?);
        }
        for (number, event) in entry.numbered() {
            if let Event::TurnBegan(word) = event {
                flush(&mut scenes, turn, &mut shown, number.0);
                turn = word.turn;
            }
            let Some(line) = journal.lines.get(&number.0) else { continue };
            if line.kind == LineKind::Heading {
                flush(&mut scenes, turn, &mut shown, number.0);
                scenes.push(Scene { number: number.0, title: line.text.clone(), turns: Vec::new() });
                continue;
            }
            let item = match event {
                Event::MessageSpoken(word) => Item::Speech(speech(journal, number.0, word)),
                _ if entry.tool_calls().any(|outcome| outcome.holds(number)) => continue,
                _ if line.kind == LineKind::Effect || line.kind == LineKind::Goal => {
                    let Some(why) = why(journal, explainer, number)? else { continue };
                    Item::Effect(Box::new(Group { lines: vec![shown_line(journal, number.0)], why }))
                }
                _ => Item::Line(shown_line(journal, number.0)),
            };
            shown.push((number.0, item));
        }
        flush(&mut scenes, turn, &mut shown, u64::MAX);
    }
    // A heading with nothing under it, such as the one before the first encounter's, is only in the way.
    scenes.retain(|scene| !scene.turns.is_empty());
    Ok(scenes)
}

/// Puts what comes before `until` into the last scene, in order of the numbers.
fn flush(scenes: &mut Vec<Scene>, turn: u32, shown: &mut Vec<(u64, Item)>, until: u64) {
    shown.sort_by_key(|(number, _)| *number);
    let rest = shown.split_off(shown.partition_point(|(number, _)| *number < until));
    let items = std::mem::replace(shown, rest);
    if items.is_empty() {
        return;
    }
    if scenes.is_empty() {
        scenes.push(Scene { number: items[0].0, title: String::new(), turns: Vec::new() });
    }
    let Some(scene) = scenes.last_mut() else { return };
    if scene.turns.last().is_none_or(|last| last.turn != turn) {
        scene.turns.push(Turn { turn, items: Vec::new() });
    }
    if let Some(last) = scene.turns.last_mut() {
        last.items.extend(items.into_iter().map(|(_, item)| item));
    }
}

fn speech(journal: &LoadedJournal, number: u64, word: &MessageSpoken) -> Speech {
    let line = journal.lines.get(&number);
    let apart = match &word.channel {
        Channel::Dialogue(npc) => {
            let known = journal.state().npcs().get(npc);
            let name = known.map_or(npc.as_str(), |npc| &npc.name);
            format!("apart, with {name}")
        }
        Channel::Whisper(..) => "whispered".to_owned(),
        _ => String::new(),
    };
    let class = match (&word.channel, word.seat) {
        (Channel::Dialogue(_), Seat::Dm) => "npc".to_owned(),
        (_, seat) => seat.slug(),
    };
    Speech {
        number,
        speaker: line.map_or_else(String::new, |line| line.speaker.clone()),
        class,
        apart,
        html: line.map_or_else(String::new, |line| markdown::html(&line.text)),
    }
}

fn shown_line(journal: &LoadedJournal, number: u64) -> Shown {
    let Some(line) = journal.lines.get(&number) else {
        let (name, text) = journal.hint(number).unwrap_or_default();
        return Shown { number, class: "note", tag: name.to_owned(), text };
    };
    let class = match line.kind {
        LineKind::Goal => "goal",
        LineKind::Trouble => "trouble",
        LineKind::Note => "note",
        _ => "effect",
    };
    let (tag, rest) = tagged(&line.text);
    Shown { number, class, tag: tag.to_owned(), text: rest.to_owned() }
}

/// A tool call with all that people are shown of it; none where its only effect is speech.
fn group(
    journal: &LoadedJournal<'_>,
    explainer: &Explainer<'_>,
    outcome: &Outcome<'_>,
) -> Result<Option<(u64, Item)>, LoadError> {
    let effects = (outcome.number.0 + 1..).zip(outcome.effects);
    let mut lines: Vec<Shown> = effects
        .filter(|(number, event)| {
            journal.lines.contains_key(number) && !matches!(event, Event::MessageSpoken(_))
        })
        .map(|(number, _)| shown_line(journal, number))
        .collect();
    if let Verdict::Rejected(_) = outcome.verdict {
        lines.insert(0, shown_line(journal, outcome.number.0));
    }
    let Some(first) = lines.first().map(|line| line.number) else { return Ok(None) };
    let why = why(journal, explainer, outcome.number)?;
    Ok(why.map(|why| (first, Item::Effect(Box::new(Group { lines, why })))))
}

/// The chain behind a number.
pub(super) fn why(
    journal: &LoadedJournal<'_>,
    explainer: &Explainer<'_>,
    number: Number,
) -> Result<Option<Why>, LoadError> {
    let Some(mut chain) = explainer.why(number, 1)? else { return Ok(None) };
    // The words of a prompt are in the journal; the page names where the last of them come from.
    let spans = chain.request.as_mut().map(|request| std::mem::take(&mut request.spans));
    let sources: BTreeSet<u64> = spans.into_iter().flatten().map(|span| span.number).collect();
    let more = sources.len().saturating_sub(limits::SOURCES_SHOWN_MAX);
    let sources = sources.into_iter().skip(more).filter_map(|number| hint(journal, number)).collect();
    Ok(Some(Why { chain, sources, more }))
}

impl Why {
    /// Estimated tokens of the request.
    pub(super) fn tokens(&self) -> String {
        self.chain.request.as_ref().map_or_else(String::new, |request| grouped(u64::from(request.tokens)))
    }

    /// Tokens read and written, as the server counted them; none where it did not.
    pub(super) fn counted(&self) -> Option<(String, String)> {
        let usage = self.chain.request.as_ref()?.usage?;
        Some((grouped(usage.input_tokens), grouped(usage.output_tokens)))
    }

    /// Bytes of templates and of the table's state in the request.
    pub(super) fn bytes(&self) -> (String, String) {
        let request = self.chain.request.as_ref();
        let templates: usize =
            request.iter().flat_map(|request| &request.templates).map(|(_, bytes)| bytes).sum();
        (grouped(templates as u64), grouped(request.map_or(0, |request| request.state_bytes) as u64))
    }
}

/// Arguments as lines, where they are JSON.
pub(super) fn arguments(arguments: &str) -> String {
    let value: Result<serde_json::Value, _> = serde_json::from_str(arguments);
    let pretty = value.and_then(|value| serde_json::to_string_pretty(&value));
    beside(&pretty.unwrap_or_else(|_| arguments.to_owned()))
}

/// The words beside a tool call.
pub(super) fn beside(words: &str) -> String {
    cut(words.trim(), limits::ARGUMENTS_CHARACTERS_MAX)
}
