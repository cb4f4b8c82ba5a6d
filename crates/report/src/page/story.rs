//! The story by scenes and turns: what was said, what was done, and why each effect is there.

use std::collections::BTreeSet;

use askama::Template;
use twicetold_event::{Channel, Event, MessageSpoken, Number, Outcome, Seat, Verdict};
use twicetold_projection::people::{self, LineKind};
use twicetold_session::{Cause, Chain, Explainer, LoadError};
use twicetold_world::State;

use super::{Frame, Hint, hint, story};
use crate::text::{cut, grouped, tagged};
use crate::{Record, ReportError, limits, markdown};

/// The section of a page.
#[derive(Template)]
#[template(path = "story.html")]
struct Story<'a> {
    frame: Frame<'a>,
    scenes: &'a [Scene],
    scenes_html: String,
    /// Turns before those that are shown; none where all are shown.
    earlier: Option<u32>,
}

/// Scenes alone, for a page that has the others already.
#[derive(Template)]
#[template(path = "scenes.html")]
struct Scenes<'a> {
    frame: Frame<'a>,
    scenes: &'a [Scene],
}

/// The section of the story, from the entry in this place on. Where there is an explainer, each effect opens to its cause.
pub(super) fn section(
    journal: &Record,
    explainer: Option<&Explainer<'_>>,
    from: usize,
    frame: Frame<'_>,
) -> Result<String, ReportError> {
    let mut scenes = scenes(journal, explainer, from)?;
    // A heading with nothing under it, such as the one before the first encounter's, is only in the way.
    // What comes next may belong under the last one, where a page is read on.
    let last = scenes.len().saturating_sub(1);
    let mut place = 0..;
    scenes.retain(|scene| {
        let is_open = !frame.is_alone() && place.next() == Some(last);
        is_open || !scene.turns.is_empty()
    });
    let earlier = journal.entries.get(from).filter(|_| from > 0);
    let earlier = earlier.map(|entry| entry.turn_of(entry.header.first).saturating_sub(1));
    let scenes_html = Scenes { frame, scenes: &scenes }.render()?;
    Ok(Story { frame, scenes: &scenes, scenes_html, earlier }.render()?)
}

/// The scenes of the entries from this place on, to be put after those before.
pub(super) fn more(journal: &Record, from: usize, frame: Frame<'_>) -> Result<String, ReportError> {
    Ok(Scenes { frame, scenes: &scenes(journal, None, from)? }.render()?)
}

/// Lines that somebody heard, as scenes: all in one turn, since a listener is not told of turns.
pub(super) fn heard(state: &State, lines: &[people::Line]) -> Result<String, ReportError> {
    let mut scenes: Vec<Scene> = Vec::new();
    for line in lines {
        if line.kind == LineKind::Heading || scenes.is_empty() {
            let title = if line.kind == LineKind::Heading { line.text.clone() } else { String::new() };
            scenes.push(Scene {
                number: line.number,
                title,
                turns: vec![Turn { turn: 0, items: Vec::new() }],
            });
        }
        let Some(turn) = scenes.last_mut().and_then(|scene| scene.turns.last_mut()) else { continue };
        match line.kind {
            LineKind::Heading => {}
            LineKind::Speech => turn.items.push(Item::Speech(said(state, line))),
            _ => turn.items.push(Item::Line(shown(line))),
        }
    }
    // A heading that another one follows at once says nothing.
    let last = scenes.len().saturating_sub(1);
    let mut place = 0..;
    scenes
        .retain(|scene| place.next() == Some(last) || scene.turns.iter().any(|turn| !turn.items.is_empty()));
    Ok(Scenes { frame: Frame::default(), scenes: &scenes }.render()?)
}

/// A line of speech with nothing about it but what the line itself says.
fn said(state: &State, line: &people::Line) -> Speech {
    let mut seats = std::iter::once(Seat::Dm).chain(state.setup().players());
    let seat = seats.find(|seat| state.seat_name(*seat) == line.speaker || seat.to_string() == line.speaker);
    Speech {
        number: line.number,
        speaker: line.speaker.clone(),
        class: seat.map_or_else(|| "npc".to_owned(), |seat| seat.slug()),
        apart: String::new(),
        html: markdown::html(&line.text),
    }
}

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
    /// The number that answers for it.
    pub(super) number: u64,
    pub(super) lines: Vec<Shown>,
    /// Does it tell of a hidden goal?
    pub(super) spoiler: bool,
    /// None where another page says it.
    pub(super) why: Option<Why>,
}

/// The chain behind an effect, as the page shows it.
pub(super) struct Why {
    pub(super) chain: Chain,
    /// What the request showed: the last of it, and how much more there was.
    pub(super) sources: Vec<Hint>,
    pub(super) more: usize,
}

fn scenes(journal: &Record, explainer: Option<&Explainer<'_>>, from: usize) -> Result<Vec<Scene>, LoadError> {
    let mut scenes: Vec<Scene> = Vec::new();
    let entries = journal.entries.get(from..).unwrap_or_default();
    let mut turn = entries.first().map_or(0, |entry| entry.turn_of(entry.header.first));
    for entry in entries {
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
                    let why = why(journal, explainer, number)?;
                    let spoiler = matches!(event, Event::GoalRegistered(_));
                    let (number, lines) = (number.0, vec![shown_line(journal, number.0)]);
                    Item::Effect(Box::new(Group { number, lines, spoiler, why }))
                }
                _ => Item::Line(shown_line(journal, number.0)),
            };
            shown.push((number.0, item));
        }
        flush(&mut scenes, turn, &mut shown, u64::MAX);
    }
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

fn speech(journal: &Record, number: u64, word: &MessageSpoken) -> Speech {
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

fn shown_line(journal: &Record, number: u64) -> Shown {
    let Some(line) = journal.lines.get(&number) else {
        let (name, text) = journal.hint(number).unwrap_or_default();
        return Shown { number, class: "note", tag: name.to_owned(), text };
    };
    shown(line)
}

fn shown(line: &people::Line) -> Shown {
    let class = match line.kind {
        LineKind::Goal => "goal",
        LineKind::Trouble => "trouble",
        LineKind::Note => "note",
        _ => "effect",
    };
    let (tag, rest) = tagged(&line.text);
    Shown { number: line.number, class, tag: tag.to_owned(), text: rest.to_owned() }
}

/// A tool call with all that people are shown of it; none where its only effect is speech.
fn group(
    journal: &Record,
    explainer: Option<&Explainer<'_>>,
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
    let (number, spoiler) = (outcome.number.0, outcome.tool() == "goal_register");
    Ok(Some((first, Item::Effect(Box::new(Group { number, lines, spoiler, why })))))
}

/// The chain behind a number.
pub(super) fn why(
    journal: &Record,
    explainer: Option<&Explainer<'_>>,
    number: Number,
) -> Result<Option<Why>, LoadError> {
    let Some(explainer) = explainer else { return Ok(None) };
    let Some(chain) = explainer.why(number, 1)? else { return Ok(None) };
    Ok(Some(of_chain(journal, chain)))
}

/// A chain as a page shows it.
pub(super) fn of_chain(journal: &Record, mut chain: Chain) -> Why {
    // The words of a prompt are in the journal; the page names where the last of them come from.
    let spans = chain.request.as_mut().map(|request| std::mem::take(&mut request.spans));
    let sources: BTreeSet<u64> = spans.into_iter().flatten().map(|span| span.number).collect();
    let more = sources.len().saturating_sub(limits::SOURCES_SHOWN_MAX);
    let sources = sources.into_iter().skip(more).filter_map(|number| hint(journal, number)).collect();
    Why { chain, sources, more }
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
