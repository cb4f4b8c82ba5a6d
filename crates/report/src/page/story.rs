//! The story by scenes and turns: what was said, what was done, and why each effect is there.

use std::collections::BTreeMap;

use twicetold_event::{Channel, Event, MessageSpoken, Seat};
use twicetold_projection::people::LineKind;

use super::{Hint, hint};
use crate::chain::{Deed, Step, Verdict, triggers};
use crate::text::{cut, grouped, tagged};
use crate::{Telling, limits, markdown};

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
    Deed(Box<Group>),
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

/// Lines that one deed made, with what lies behind them.
pub(super) struct Group {
    pub(super) lines: Vec<Shown>,
    pub(super) why: Why,
}

/// The chain behind an effect.
pub(super) struct Why {
    /// What decided it: `tool`, or the rules in answer to an input.
    pub(super) tool: String,
    pub(super) verdict: u64,
    pub(super) place: u16,
    pub(super) arguments: String,
    pub(super) words: String,
    pub(super) checks: Vec<(String, String)>,
    /// Rule, what was observed, and what to do instead, for a rejection.
    pub(super) rejected: Option<(String, String, String)>,
    pub(super) request: Option<Request>,
    pub(super) triggers: Vec<(u64, String)>,
}

/// The request whose reply it was.
pub(super) struct Request {
    pub(super) number: u64,
    pub(super) reply: Option<u64>,
    pub(super) seat: String,
    pub(super) model: String,
    pub(super) tokens: String,
    pub(super) settings: String,
    /// Tokens read and written, as the server counted them; none where it did not.
    pub(super) counted: Option<(String, String)>,
    pub(super) digest: String,
    pub(super) exact: bool,
    pub(super) sources: Vec<Hint>,
    pub(super) more: usize,
    pub(super) bytes: (String, String),
}

pub(super) fn scenes(telling: &Telling, steps: &BTreeMap<u64, Step>) -> Vec<Scene> {
    let mut scenes: Vec<Scene> = Vec::new();
    let mut turn = 0;
    for entry in &telling.entries {
        let Some(step) = steps.get(&entry.header.first.0) else { continue };
        let mut shown: Vec<(u64, Item)> =
            step.deeds.iter().filter_map(|deed| group(telling, steps, deed)).collect();
        let taken: Vec<u64> =
            step.deeds.iter().flat_map(|deed| deed.effects.iter().copied().chain([deed.number])).collect();
        for (number, event) in entry.numbered() {
            if let Event::TurnBegan(word) = event {
                flush(&mut scenes, turn, &mut shown, number.0);
                turn = word.turn;
            }
            let Some(line) = telling.lines.get(&number.0) else { continue };
            if line.kind == LineKind::Heading {
                flush(&mut scenes, turn, &mut shown, number.0);
                scenes.push(Scene { number: number.0, title: line.text.clone(), turns: Vec::new() });
                continue;
            }
            let item = match event {
                Event::MessageSpoken(word) => Item::Speech(speech(telling, number.0, word)),
                _ if taken.contains(&number.0) => continue,
                _ if line.kind == LineKind::Effect || line.kind == LineKind::Goal => {
                    Item::Deed(Box::new(Group {
                        lines: vec![shown_line(telling, number.0)],
                        why: by_rule(telling, steps, step),
                    }))
                }
                _ => Item::Line(shown_line(telling, number.0)),
            };
            shown.push((number.0, item));
        }
        flush(&mut scenes, turn, &mut shown, u64::MAX);
    }
    // A heading with nothing under it, such as the one before the first encounter's, is only in the way.
    scenes.retain(|scene| !scene.turns.is_empty());
    scenes
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

fn speech(telling: &Telling, number: u64, word: &MessageSpoken) -> Speech {
    let line = telling.lines.get(&number);
    let apart = match &word.channel {
        Channel::Dialogue(npc) => {
            let known = telling.state().npcs().get(npc);
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

fn shown_line(telling: &Telling, number: u64) -> Shown {
    let Some(line) = telling.lines.get(&number) else {
        let (name, text) = telling.hint(number).unwrap_or_default();
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
fn group(telling: &Telling, steps: &BTreeMap<u64, Step>, deed: &Deed) -> Option<(u64, Item)> {
    let rejected = matches!(deed.verdict, Verdict::Rejected { .. });
    let spoken = |number: &&u64| !matches!(telling.at(**number), Some((_, Some(Event::MessageSpoken(_)))));
    let numbers = deed.effects.iter().filter(spoken);
    let mut lines: Vec<Shown> = numbers
        .filter(|number| telling.lines.contains_key(number))
        .map(|number| shown_line(telling, *number))
        .collect();
    if rejected {
        lines.insert(0, shown_line(telling, deed.number));
    }
    let first = lines.first()?.number;
    Some((first, Item::Deed(Box::new(Group { lines, why: why(telling, steps, deed) }))))
}

/// The chain behind a tool call.
pub(super) fn why(telling: &Telling, steps: &BTreeMap<u64, Step>, deed: &Deed) -> Why {
    let (checks, rejected) = match &deed.verdict {
        Verdict::Accepted(checks) => (checks.clone(), None),
        Verdict::Rejected { rule, observed, advice } => {
            (Vec::new(), Some((rule.clone(), observed.clone(), advice.clone())))
        }
    };
    Why {
        tool: deed.tool.clone(),
        verdict: deed.number,
        place: deed.index + 1,
        arguments: cut(&pretty(&deed.arguments), limits::ARGUMENTS_CHARACTERS_MAX),
        words: cut(&deed.words, limits::ARGUMENTS_CHARACTERS_MAX),
        checks,
        rejected,
        request: request(telling, deed.call),
        triggers: triggers(telling, steps, deed.call, limits::TRIGGERS_SHOWN_MAX),
    }
}

/// What the rules decided by themselves when something came in.
fn by_rule(telling: &Telling, steps: &BTreeMap<u64, Step>, step: &Step) -> Why {
    let call = step.answers;
    Why {
        tool: String::new(),
        verdict: step.input,
        place: 0,
        arguments: String::new(),
        words: String::new(),
        checks: Vec::new(),
        rejected: None,
        request: call.and_then(|call| request(telling, call)),
        triggers: call
            .map_or_else(Vec::new, |call| triggers(telling, steps, call, limits::TRIGGERS_SHOWN_MAX)),
    }
}

fn request(telling: &Telling, call: twicetold_event::CallId) -> Option<Request> {
    let call = telling.calls.get(&call)?;
    let more = call.sources.len().saturating_sub(limits::SOURCES_SHOWN_MAX);
    Some(Request {
        number: call.number,
        reply: call.reply,
        seat: call.seat.to_string(),
        model: call.model.clone(),
        tokens: grouped(u64::from(call.tokens)),
        settings: call.settings.clone(),
        counted: (call.spent != (0, 0)).then(|| (grouped(call.spent.0), grouped(call.spent.1))),
        digest: format!("{:.16}", call.digest),
        exact: call.exact,
        sources: call.sources.iter().skip(more).filter_map(|number| hint(telling, *number)).collect(),
        more,
        bytes: (grouped(call.bytes.0 as u64), grouped(call.bytes.1 as u64)),
    })
}

/// Arguments as lines, where they are JSON.
fn pretty(arguments: &str) -> String {
    let value: Result<serde_json::Value, _> = serde_json::from_str(arguments);
    value.and_then(|value| serde_json::to_string_pretty(&value)).unwrap_or_else(|_| arguments.to_owned())
}
