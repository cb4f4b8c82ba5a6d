//! Two campaigns or branches side by side: where they part, what was changed there, what came of it, and what differs in the end.

mod change;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::{Entry, Event, Number};
use twicetold_journal::Source;
use twicetold_projection::people::{Line, LineKind, lines};

pub use self::change::{Branched, Nothing};

use self::change::{Used, change};
use crate::{FactValue, Follower, LoadError, entries, facts};

/// A number and the name of its input or event.
pub type Place = (u64, String);

/// Where two campaigns part, and what differs after that and at their ends.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Difference {
    /// Numbers that both have, with the very same input and events.
    pub shared: u64,
    /// What each side has first that the other has not: number and line.
    pub parting: (Option<Place>, Option<Place>),
    /// What was changed on a side that branches off where they part.
    pub changed: (Option<Branched>, Option<Branched>),
    /// What happens on one side and not on the other, or otherwise, in order: the first of it.
    pub told: Vec<(Option<Line>, Option<Line>)>,
    /// How much of that there is, in as much of the two as was compared.
    pub told_differing: u64,
    /// Facts that differ: path, and the value of either side.
    pub facts: Vec<(String, Option<FactValue>, Option<FactValue>)>,
}

/// Lines after the parting that are compared at most. Comparing takes the square of it in memory, and once two tables have gone apart for
/// so long, hardly anything happens twice.
const COMPARED_MAX: usize = 1_000;

/// Differences that are handed out at most: who wants to read on reads both transcripts.
const TOLD_MAX: usize = 200;

/// Compares two journals entry by entry, then line by line as they are told, and their ends fact by fact.
///
/// # Errors
/// One of them is damaged.
pub fn diff(one: &dyn Source, other: &dyn Source) -> Result<Difference, LoadError> {
    let (mut left, mut right) = (entries(one)?, entries(other)?);
    let mut shared = 0;
    let parting = loop {
        match (left.next().transpose()?, right.next().transpose()?) {
            (Some(left), Some(right)) if left.input == right.input && left.events == right.events => {
                shared = left.header.next().0;
            }
            (left, right) => break (left, right),
        }
    };
    let (left, right) = (Rest::read(one, Number(shared))?, Rest::read(other, Number(shared))?);
    let mut told = differing(&left.told, &right.told);
    let told_differing = told.len() as u64;
    told.truncate(TOLD_MAX);
    let same = told.is_empty() && left.facts == right.facts;
    let sides = ((left.follower.campaign(), &left.used), (right.follower.campaign(), &right.used));
    let changed = (
        parting.0.as_ref().and_then(|entry| change(entry, same, sides.0, sides.1)),
        parting.1.as_ref().and_then(|entry| change(entry, same, sides.1, sides.0)),
    );
    let parting =
        (place(parting.0.as_ref(), parting.1.as_ref()), place(parting.1.as_ref(), parting.0.as_ref()));
    let ends = (left.facts, right.facts);
    let paths: BTreeSet<&String> = ends.0.keys().chain(ends.1.keys()).collect();
    let differ = paths.into_iter().filter(|path| ends.0.get(*path) != ends.1.get(*path));
    let facts =
        differ.map(|path| (path.clone(), ends.0.get(path).cloned(), ends.1.get(path).cloned())).collect();
    Ok(Difference { shared, parting, changed, told, told_differing, facts })
}

/// The first input or event of an entry that another one has not.
fn place(entry: Option<&Entry>, other: Option<&Entry>) -> Option<Place> {
    let entry = entry?;
    let same = |place: usize| other.and_then(|other| other.events.get(place)) == entry.events.get(place);
    let place = match other.is_none_or(|other| other.input != entry.input) {
        true => 0,
        false => (0..entry.events.len()).find(|place| !same(*place)).map_or(0, |place| place + 1),
    };
    let name = match place {
        0 => entry.input.name(),
        place => entry.events[place - 1].name(),
    };
    Some((entry.header.first.0 + place as u64, name.to_owned()))
}

/// What one side has after the parting.
struct Rest {
    told: Vec<Line>,
    facts: crate::Facts,
    used: Used,
    follower: Follower,
}

impl Rest {
    fn read(source: &dyn Source, from: Number) -> Result<Rest, LoadError> {
        let (mut told, mut used) = (Vec::new(), Used::default());
        let mut follower = Follower::new(source)?;
        follower.read(source, |campaign, entry| {
            used.add(campaign, entry, entry.header.first >= from);
            if entry.header.first >= from && told.len() < COMPARED_MAX {
                told.extend(lines(campaign.state(), campaign.replies(), entry).into_iter().filter(|line| {
                    !entry.numbered().any(|(number, event)| number.0 == line.number && is_interruption(event))
                }));
            }
            true
        })?;
        told.truncate(COMPARED_MAX);
        Ok(Rest { told, facts: facts(follower.campaign()), used, follower })
    }
}

/// Does it only say when, and how often, the playing was interrupted? That is no part of a story.
fn is_interruption(event: &Event) -> bool {
    matches!(event, Event::CampaignPaused(_) | Event::CampaignResumed(_) | Event::RetryScheduled(_))
}

/// The lines that are not the same, in order, a line of one side beside the line of the other that stands in its place.
fn differing(one: &[Line], other: &[Line]) -> Vec<(Option<Line>, Option<Line>)> {
    let is_same = |one: &Line, other: &Line| {
        (one.kind, &one.speaker, &one.text) == (other.kind, &other.speaker, &other.text)
    };
    // The length of the longest common rest from each pair of places on.
    let width = other.len() + 1;
    let mut common = vec![0_u16; (one.len() + 1) * width];
    for left in (0..one.len()).rev() {
        for right in (0..other.len()).rev() {
            common[left * width + right] = match is_same(&one[left], &other[right]) {
                true => common[(left + 1) * width + right + 1] + 1,
                false => common[(left + 1) * width + right].max(common[left * width + right + 1]),
            };
        }
    }
    let (mut left, mut right) = (0, 0);
    let mut rows = Vec::new();
    let mut gap: (Vec<Line>, Vec<Line>) = Default::default();
    while left < one.len() || right < other.len() {
        let same = left < one.len() && right < other.len() && is_same(&one[left], &other[right]);
        if same {
            beside(&mut gap, &mut rows);
            (left, right) = (left + 1, right + 1);
        } else if right == other.len()
            || left < one.len() && common[(left + 1) * width + right] >= common[left * width + right + 1]
        {
            gap.0.push(one[left].clone());
            left += 1;
        } else {
            gap.1.push(other[right].clone());
            right += 1;
        }
    }
    beside(&mut gap, &mut rows);
    rows
}

/// Puts the lines of a gap beside each other: a line of one side by the next one of its sort on the other.
fn beside(gap: &mut (Vec<Line>, Vec<Line>), rows: &mut Vec<(Option<Line>, Option<Line>)>) {
    let mut right = std::mem::take(&mut gap.1).into_iter().peekable();
    for left in gap.0.drain(..) {
        let place = right.clone().position(|right| sort(&right) == sort(&left));
        rows.extend(right.by_ref().take(place.unwrap_or(0)).map(|right| (None, Some(right))));
        let other = if place.is_some() { right.next() } else { None };
        rows.push((Some(left), other));
    }
    rows.extend(right.map(|right| (None, Some(right))));
}

/// What sort of line it is: speech, a check, a fact that was written down.
fn sort(line: &Line) -> (LineKind, &str) {
    let tag = line.text.split_once(']').map_or("", |(tag, _)| tag);
    (line.kind, if tag.starts_with('[') { tag } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(texts: &[&str]) -> Vec<Line> {
        let line = |text: &&str| Line {
            number: 0,
            kind: LineKind::Speech,
            speaker: "DM".into(),
            text: (*text).to_owned(),
        };
        texts.iter().map(line).collect()
    }

    #[test]
    fn what_both_sides_tell_is_left_out_and_the_rest_stands_side_by_side() {
        let rows = differing(&told(&["a", "b", "c", "d"]), &told(&["a", "x", "c", "d", "e"]));
        let texts: Vec<_> = rows
            .iter()
            .map(|(one, other)| {
                (one.as_ref().map(|line| line.text.as_str()), other.as_ref().map(|line| line.text.as_str()))
            })
            .collect();
        assert_eq!(texts, [(Some("b"), Some("x")), (None, Some("e"))]);
        assert!(differing(&told(&["a"]), &told(&["a"])).is_empty());
    }
}
