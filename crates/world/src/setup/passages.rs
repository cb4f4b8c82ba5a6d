//! Passages behind openings and endings that can never be told.

use super::Step::{self, At, Key};
use super::finding::Notes;
use super::{EncounterSpec, PassageSpec, Setup};

/// Notes each passage of an encounter that names what cannot come about before it.
pub(super) fn note(notes: &mut Notes<'_>, setup: &Setup, encounter: &EncounterSpec) {
    let earlier = setup.encounters.iter().take_while(|known| known.id != encounter.id);
    let earlier: Vec<&str> = earlier
        .flat_map(|known| {
            let goals = known.goals.iter().map(|goal| goal.id.as_str());
            goals.chain(known.checks.iter().map(|check| check.name.as_str()))
        })
        .collect();
    for (place, passage) in encounter.prologue.iter().enumerate() {
        let way = [Key("prologue"), At(place)];
        in_a_passage(notes, &way, passage, &earlier);
        if !passage.failed.is_empty() {
            let message = "this passage is told before anybody has tried a check of the encounter";
            let help = "name in `unless` what has not come about in an earlier encounter";
            notes.warning("passage_never", &[&way[..], &[Key("failed")]].concat(), message, help);
        }
    }
    let own = encounter.checks.iter().map(|check| check.name.as_str());
    let known: Vec<&str> = own.chain(earlier).collect();
    for (place, goal) in encounter.goals.iter().enumerate() {
        for (at, passage) in goal.epilogue.iter().enumerate() {
            let way = [Key("goal"), At(place), Key("epilogue"), At(at)];
            in_a_passage(notes, &way, passage, &known);
            if goal.ending.trim().is_empty() {
                let message = format!("the goal {:?} has an epilogue, and no ending before it", goal.id);
                let help = "write an `ending`: without one the DM finds the end by itself";
                notes.warning("epilogue_alone", &[&way[..], &[Key("text")]].concat(), message, help);
            }
        }
    }
}

fn in_a_passage(notes: &mut Notes<'_>, way: &[Step<'_>], passage: &PassageSpec, known: &[&str]) {
    for (field, names) in [("after", &passage.after), ("unless", &passage.unless)] {
        for (at, name) in names.iter().enumerate().filter(|(_, name)| !known.contains(&name.as_str())) {
            let message = format!(
                "{name:?} is no check and no goal that can have come about before this passage is told"
            );
            let help = match known.is_empty() {
                true => "name a check or the id of a goal of an earlier encounter".to_owned(),
                false => format!("use one of {}", known.join(", ")),
            };
            let way = [way, &[Key(field), At(at)]].concat();
            notes.warning("passage_unknown", &way, message, help);
        }
    }
}
