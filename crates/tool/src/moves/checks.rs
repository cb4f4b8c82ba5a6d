//! Which of the encounter's checks a guided player is offered, and in which order.

use std::cmp::Reverse;

use twicetold_event::{Event, MessageSpoken, Seat, Text};
use twicetold_world::setup::{CheckSpec, GoalSpec};
use twicetold_world::{Character, Encounter, State};

use super::{ENDING_MESSAGES_MIN, people_here};

/// Checks that a goal needs next, among those that a player is offered: they must not crowd out what else can be tried.
const STEPS_MAX: usize = 2;

/// What a player is offered to try: what has been shown, where anything has, and of that what was shown last first.
pub(super) fn tries(state: &State) -> Vec<&CheckSpec> {
    let mut tries = open_checks(state);
    let is_shown = |check: &&CheckSpec| check.scene.is_empty() || was_shown(state, check.scene.trim());
    if tries.iter().any(is_shown) {
        tries.retain(is_shown);
    }
    let told = told_last(state);
    tries.sort_by_key(|check| check.scene.is_empty() || !told.contains(check.scene.trim()));
    tries
}

/// The encounter's checks that have not passed, those that a goal needs next first; every turn begins with another one, so that all
/// are offered in time. What a goal needs later is not offered yet.
pub(super) fn open_checks(state: &State) -> Vec<&CheckSpec> {
    let (Some(encounter), Some(spec)) = (state.encounter(), state.encounter_spec()) else {
        return Vec::new();
    };
    let turn = state.turn().number as usize / 2;
    let is_open =
        |check: &&CheckSpec| !encounter.achieved.contains_key(&check.name) && !encounter.is_overtaken(check);
    let next: Vec<_> = spec.goals.iter().filter_map(|goal| next_step(encounter, goal)).collect();
    let step = |check: &CheckSpec| {
        next.iter().filter(|(name, _)| *name == check.name).map(|(_, place)| *place).max()
    };
    let is_next = |check: &&CheckSpec| step(check).is_some();
    let is_later = |check: &&CheckSpec| spec.goals.iter().any(|goal| goal.needs.contains(&check.name));
    let others = spec.checks.iter().filter(is_open).filter(|check| !is_next(check) && !is_later(check));
    let mut tries = turned(spec.checks.iter().filter(is_open).filter(is_next), turn);
    // A story that can be won by the next two throws is none: at first, the last step to a goal waits for the others.
    let is_first =
        |check: &&CheckSpec| !spec.goals.iter().any(|goal| is_last_step(encounter, goal, &check.name));
    // And while somebody is there to be talked with, until half of the messages are spoken.
    let may_wait = encounter.messages < state.messages_max() / 2
        && state.conversations().in_encounter == 0
        && !people_here(state).is_empty();
    if (may_wait || encounter.messages + 2 < ENDING_MESSAGES_MIN) && tries.iter().any(is_first) {
        tries.retain(is_first);
    }
    // When it presses, there is the nearest way alone: whoever still looks at everything fails.
    if presses(state) {
        let open = |goal: &GoalSpec| {
            goal.needs.iter().filter(|need| !encounter.achieved.contains_key(*need)).count()
        };
        let way = |check: &&CheckSpec| {
            let goals = spec
                .goals
                .iter()
                .filter(|goal| next_step(encounter, goal).is_some_and(|(name, _)| name == check.name));
            (has_failed(state, check), goals.map(open).min())
        };
        let steps: Vec<_> = spec.checks.iter().filter(is_open).filter(is_next).collect();
        if let Some(nearest) = steps.iter().map(way).min() {
            return steps.into_iter().filter(|check| way(check) == nearest).collect();
        }
    }
    // What was begun comes before what was not, and another way before one that has failed twice.
    tries.sort_by_key(|check| (has_failed(state, check), Reverse(step(check).min(Some(1)))));
    let later = tries.split_off(tries.len().min(STEPS_MAX));
    tries.extend(turned(others, turn));
    tries.extend(later.into_iter().filter(|check| has_failed(state, check)));
    tries
}

/// Is half of the failed checks that lose the encounter used up, or are two thirds of the messages?
pub(super) fn presses(state: &State) -> bool {
    let Some((encounter, spec)) = state.encounter().zip(state.encounter_spec()) else { return false };
    spec.goals.iter().any(|goal| {
        let strikes = &goal.strikes;
        strikes.failed_checks.is_some_and(|most| encounter.failed >= most.div_ceil(2))
            || strikes.messages.is_some_and(|most| encounter.messages >= most - most / 3)
    })
}

/// Has the DM told it, as it is written?
fn was_shown(state: &State, scene: &str) -> bool {
    state.history().main.iter().any(|kept| match &kept.event {
        Event::MessageSpoken(MessageSpoken { seat: Seat::Dm, text: Text::Written(told), .. }) => {
            told.contains(scene)
        }
        _ => false,
    })
}

/// By how much the best of those who stand is better at it.
pub(super) fn behind(state: &State, character: &Character, check: &CheckSpec) -> i32 {
    let rules = &state.setup().rules;
    let Some(place) = rules.ability_index(&check.ability) else { return 0 };
    let modifier = |one: &Character| one.sheet.abilities.get(place).map(|score| rules.modifier(*score));
    let standing = state.characters().values().filter(|one| one.stands());
    let best = standing.filter_map(modifier).max();
    best.zip(modifier(character)).map_or(0, |(best, own)| best - own)
}

/// Failures after which a small model is offered another way first: it would try the same one for ever.
const FAILURES_MAX: usize = 2;

fn has_failed(state: &State, check: &CheckSpec) -> bool {
    let began = state.encounter().map(|encounter| encounter.began);
    let failed = |event: &Event| matches!(event, Event::AbilityChecked(word) if word.check == check.name && !word.success);
    let events = state.history().main.iter().filter(|kept| Some(kept.origin) > began);
    events.filter(|kept| failed(&kept.event)).count() >= FAILURES_MAX
}

/// What the DM told last in the words of the campaign's author: what it shows comes first.
fn told_last(state: &State) -> &str {
    let mut told = state.history().main.iter().rev().filter_map(|kept| match &kept.event {
        Event::MessageSpoken(word) if word.seat == Seat::Dm => Some(&word.text),
        _ => None,
    });
    match told.next() {
        Some(Text::Written(text)) => text,
        _ => "",
    }
}

/// Is this check all that a goal still needs?
fn is_last_step(encounter: &Encounter, goal: &GoalSpec, check: &str) -> bool {
    let mut open = goal.needs.iter().filter(|name| !encounter.achieved.contains_key(*name));
    open.next().is_some_and(|name| name == check) && open.next().is_none()
}

/// The first check that a goal needs and that has not passed, and how many stand before it.
pub(super) fn next_step<'a>(encounter: &Encounter, goal: &'a GoalSpec) -> Option<(&'a str, usize)> {
    let place = goal.needs.iter().position(|name| !encounter.achieved.contains_key(name))?;
    Some((&goal.needs[place], place))
}

/// The same, begun with another one each turn.
fn turned<'a>(checks: impl Iterator<Item = &'a CheckSpec>, turn: usize) -> Vec<&'a CheckSpec> {
    let mut checks: Vec<_> = checks.collect();
    let by = turn % checks.len().max(1);
    checks.rotate_left(by);
    checks
}
