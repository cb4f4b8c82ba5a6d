//! The timeline: dice and effects in order, and a strip on which all of it is seen at a glance.

use std::collections::BTreeMap;
use std::fmt::Write;

use askama::Template;
use twicetold_event::{Channel, Event, Seat};
use twicetold_projection::people::LineKind;

use crate::text::tagged;
use crate::{Record, ReportError};

/// The section of a page.
#[derive(Template)]
#[template(path = "timeline.html")]
struct Timeline {
    strip_html: String,
    moments: Vec<Moment>,
    /// How many came before those that are shown.
    earlier: usize,
}

/// The section of dice and effects; at most so many of the last ones.
pub(super) fn section(journal: &Record, most: usize) -> Result<String, ReportError> {
    let mut moments = moments(journal);
    let earlier = moments.len().saturating_sub(most);
    moments.drain(..earlier);
    Ok(Timeline { strip_html: strip(journal), moments, earlier }.render()?)
}

/// A row of the timeline.
struct Moment {
    number: u64,
    turn: u32,
    /// `dice`, `effect` or `goal`, for the filter.
    kind: &'static str,
    tag: String,
    text: String,
    /// What the dice showed, for dice.
    faces: Vec<u16>,
    /// `success`, `failure` or nothing.
    outcome: &'static str,
}

fn moments(journal: &Record) -> Vec<Moment> {
    let mut moments = Vec::new();
    let mut turn = 0;
    for (number, event) in journal.entries.iter().flat_map(|entry| entry.numbered()) {
        if let Event::TurnBegan(word) = event {
            turn = word.turn;
        }
        let Some(line) = journal.lines.get(&number.0) else { continue };
        let (faces, outcome) = dice(event).unwrap_or_default();
        let kind = match line.kind {
            _ if !faces.is_empty() => "dice",
            LineKind::Effect => "effect",
            LineKind::Goal => "goal",
            _ => continue,
        };
        let (tag, text) = tagged(&line.text);
        moments.push(Moment {
            number: number.0,
            turn,
            kind,
            tag: tag.into(),
            text: text.into(),
            faces,
            outcome,
        });
    }
    moments
}

/// What dice showed, and what came of it.
fn dice(event: &Event) -> Option<(Vec<u16>, &'static str)> {
    let outcome = |good: bool| if good { "success" } else { "failure" };
    Some(match event {
        Event::DiceRolled(word) => (word.faces.clone(), ""),
        Event::AbilityChecked(word) => (word.faces.clone(), outcome(word.success)),
        Event::SavingThrowMade(word) => (word.faces.clone(), outcome(word.success)),
        Event::AttackMade(word) => {
            (word.faces.iter().chain(&word.damage_faces).copied().collect(), outcome(word.hit))
        }
        Event::MoraleChecked(word) => (word.faces.clone(), outcome(word.stays)),
        _ => return None,
    })
}

/// Height of a lane and width of the picture, in its own units.
const LANE: usize = 22;
const WIDTH: u64 = 1_000;
/// How far apart marks of one kind in one lane are at least: a nearer one would lie under its neighbour, and a long campaign has thousands.
const APART: u64 = 4;

/// A strip: a lane for each seat, one for dice and one for effects; time runs to the right. It repeats what the table says, so
/// readers that cannot see it are told of the table only.
fn strip(journal: &Record) -> String {
    let players = journal.state().setup().players();
    let seats: Vec<Seat> = [Seat::Dm].into_iter().chain(players).collect();
    let height = (seats.len() + 2) * LANE;
    let (mut marks, mut last) = (String::new(), BTreeMap::new());
    let x = |number: u64| number * WIDTH / journal.next.max(1);
    for (number, event) in journal.entries.iter().flat_map(|entry| entry.numbered()) {
        let Some(line) = journal.lines.get(&number.0) else { continue };
        let (lane, class) = match event {
            Event::MessageSpoken(word) => {
                let Some(lane) = seats.iter().position(|seat| *seat == word.seat) else { continue };
                let apart = matches!(word.channel, Channel::Dialogue(_) | Channel::Whisper(..));
                (lane, if apart { "apart".to_owned() } else { format!("c-{}", word.seat.slug()) })
            }
            _ if dice(event).is_some() => {
                let class = dice(event).map_or("", |(_, outcome)| outcome);
                (seats.len(), format!("dice {class}"))
            }
            _ if line.kind == LineKind::Heading => {
                let _ = write!(
                    marks,
                    r#"<rect class="scene" x="{}" y="0" width="1" height="{height}"/>"#,
                    x(number.0)
                );
                continue;
            }
            _ if line.kind == LineKind::Goal => (seats.len() + 1, "goal".to_owned()),
            _ if line.kind == LineKind::Trouble => (seats.len() + 1, "trouble".to_owned()),
            _ if line.kind == LineKind::Effect => (seats.len() + 1, "effect".to_owned()),
            _ => continue,
        };
        let (x, y, n) = (x(number.0), lane * LANE + 3, number.0);
        let before = last.get(&(lane, class.clone())).copied();
        if before.is_some_and(|before: u64| x < before + APART) {
            continue;
        }
        last.insert((lane, class.clone()), x);
        let _ = write!(
            marks,
            r##"<a href="#n{n}" tabindex="-1"><rect class="{class}" x="{x}" y="{y}" width="3" height="{}"/></a>"##,
            LANE - 6
        );
    }
    format!(
        r#"<svg class="strip" viewBox="0 0 {WIDTH} {height}" preserveAspectRatio="none" aria-hidden="true" focusable="false">{marks}</svg>"#
    )
}
