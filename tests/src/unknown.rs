//! What a seat must not be shown: all that others know, as far as it was not told the seat too.

use std::collections::BTreeSet;

use twicetold_event::{Event, Seat};
use twicetold_journal::Source;
use twicetold_projection::{describe, people, words};
use twicetold_session::{Follower, load};

/// Shorter texts are the same in many places.
const SHORT: usize = 20;
/// So many characters of a text tell it from others.
const FRONT: usize = 50;

/// The front of a text, by which it is known.
fn front(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().trim_end_matches('.').chars().take(FRONT).collect()
}

/// The fronts of all texts of a campaign that `seat` must not be shown: goals, the DM's part of the scenario, what NPCs are, the secrets
/// of others, the DM's instructions, and what every event says that the seat may not know.
///
/// # Panics
/// The journal cannot be read.
pub fn unknown_to(source: &dyn Source, seat: Seat) -> Vec<String> {
    let loaded = load(source).expect("it can be loaded");
    let (state, replies) = (loaded.campaign.state(), loaded.campaign.replies());
    let goals = people::goals(state).into_iter().flat_map(|page| page.goals);
    // What must not happen is announced to everybody when it has happened.
    let goals = goals.filter(|goal| !(goal.failure && goal.reached));
    let mut hidden: Vec<String> = goals.map(|goal| goal.label).collect();
    hidden.push(people::party(state, replies).scenario_for_the_dm);
    hidden.extend(people::npcs(state, replies).into_iter().map(|npc| npc.persona));
    let others = people::characters(state).into_iter().filter(|character| character.seat != seat);
    hidden.extend(others.map(|character| character.secret));
    let prompts = state.setup().files.iter().filter(|file| file.path.starts_with("prompts/dm"));
    hidden.extend(prompts.map(|file| file.text.to_string()));
    // Players know the checks of an encounter by name.
    let checks = state.setup().encounters.iter().flat_map(|spec| &spec.checks);
    let mut told: String = checks.map(|check| check.name.clone() + "\n").collect();
    let mut follower = Follower::new(source).expect("it can be read");
    let read = follower.read(source, |campaign, entry| {
        for event in &entry.events {
            // By whom events are meant to be known, and not by what pages make of that.
            let is_told = event.audience().includes(seat);
            let said = match event {
                Event::MessageSpoken(word) => Some(words(campaign.replies(), &word.text).to_owned()),
                Event::EncounterResolved(word) => Some(word.summary.clone()),
                _ => None,
            };
            let text = said.or_else(|| describe(campaign.state(), campaign.replies(), event));
            match (text, is_told) {
                (Some(text), true) => told += &(text + "\n"),
                (Some(text), false) => hidden.push(text),
                (None, _) => {}
            }
        }
        true
    });
    read.expect("it can be read");
    // What was said aloud in the end is no secret any more.
    let fronts: BTreeSet<String> = hidden.iter().map(|text| front(text)).collect();
    fronts.into_iter().filter(|front| front.len() > SHORT && !told.contains(front.as_str())).collect()
}
