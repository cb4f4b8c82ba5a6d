//! What can be played, and was probably meant otherwise.

use super::Step::{At, Key};
use super::encounter::ON_A_FAILURE;
use super::finding::Notes;
use super::rules::HIT_POINTS_ABILITY;
use super::{EncounterSpec, GoalSpec, Rules};

/// The tool that brings back somebody who is down.
const HELP: &str = "help_up";

/// What an encounter says that has no effect, or another one than it seems.
pub(super) fn in_an_encounter(notes: &mut Notes<'_>, encounter: &EncounterSpec) {
    for (place, goal) in encounter.goals.iter().enumerate() {
        in_a_goal(notes, place, goal);
    }
    let tools = &encounter.allowed_tools;
    let harms = encounter.checks.iter().any(|check| check.harm.is_some());
    if harms && !tools.is_empty() && !tools.iter().any(|tool| tool == HELP) {
        let message = "checks of this encounter can bring a character down, and nobody may help one up";
        let help = format!("add {HELP:?} to the list");
        notes.warning("no_help", &[Key("allowed_tools")], message, help);
    }
    for (place, check) in encounter.checks.iter().enumerate() {
        let way = |field| [Key("check"), At(place), Key(field)];
        if check.until.contains(&check.name) {
            let message = format!("the check {:?} is tried until it has passed itself", check.name);
            notes.warning(
                "until_itself",
                &way("until"),
                message,
                "every check is: name others, or leave `until` out",
            );
        }
        let is_answered = !check.answers.success.is_empty() || !check.answers.failure.is_empty();
        if is_answered && check.person.is_none() {
            let message =
                format!("the check {:?} has answers, and nobody is there who gives them", check.name);
            notes.warning(
                "answers_of_nobody",
                &way("answers"),
                message,
                "name the NPC in `person`, or leave `answers` out",
            );
        }
        let is_split = check.note.contains(ON_A_FAILURE);
        let tells_failure = ["on failure", "on a failure"].iter().any(|words| check.note.contains(words));
        if tells_failure && !is_split {
            let message = format!(
                "the note of {:?} tells of a failure, and all of it is told after a success",
                check.name
            );
            let help = format!(
                "write {ON_A_FAILURE:?} between the two: only what stands before it is told after a success"
            );
            notes.warning("on_failure", &way("note"), message, help);
        }
    }
    for (place, npc) in encounter.npcs.iter().enumerate() {
        let way = [Key("npc"), At(place), Key("name")];
        match (&npc.name, &npc.name_key) {
            (Some(name), _) if name.trim().is_empty() => {
                let message = format!("the npc {:?} has an empty name", npc.id);
                notes.warning("empty_name", &way, message, "write a name, or a `name_key` in its place");
            }
            (Some(name), Some(key)) => {
                let message =
                    format!("the npc {:?} has the name {name:?}, and takes one from {key:?}", npc.id);
                notes.warning("two_names", &way, message, "keep one of the two");
            }
            _ => {}
        }
    }
}

fn in_a_goal(notes: &mut Notes<'_>, place: usize, goal: &GoalSpec) {
    let way = |field| [Key("goal"), At(place), Key(field)];
    if goal.primary && goal.failure {
        let message = format!("the goal {:?} is primary and a failure", goal.id);
        notes.warning(
            "primary_failure",
            &way("primary"),
            message,
            "keep one of the two: nobody aims at a failure",
        );
    }
    if !goal.worsens.is_empty() && !goal.failure {
        let message = format!("the goal {:?} has `worsens` and is no failure", goal.id);
        notes.warning(
            "worsens_no_failure",
            &way("worsens"),
            message,
            "write `failure = true`, or leave `worsens` out",
        );
    }
    if goal.strikes.messages == Some(0) || goal.strikes.failed_checks == Some(0) {
        let message = format!("the failure {:?} happens before anybody has done anything", goal.id);
        notes.warning("strikes_at_once", &way("strikes"), message, "write at least 1");
    }
}

/// What the file of a pack says of abilities that it does not have.
pub(super) fn in_a_pack(notes: &mut Notes<'_>, rules: &Rules) {
    let pack = &rules.pack;
    let known = pack.abilities.names.join(", ");
    let is_usual = pack.hit_points.ability == HIT_POINTS_ABILITY;
    if !is_usual && rules.ability_index(&pack.hit_points.ability).is_none() {
        let message = format!(
            "hit points use the ability {:?}, which this pack does not have",
            pack.hit_points.ability
        );
        notes.warning(
            "no_such_ability",
            &[Key("hit_points"), Key("ability")],
            message,
            format!("use one of {known}"),
        );
    }
    for ability in pack.abilities.full.keys().filter(|name| rules.ability_index(name).is_none()) {
        let message = format!("{ability:?} has a full name, and is no ability of this pack");
        notes.warning(
            "no_such_ability",
            &[Key("abilities"), Key("full"), Key(ability)],
            message,
            format!("use one of {known}"),
        );
    }
    let rows = &pack.modifiers;
    for (place, pair) in rows.windows(2).enumerate() {
        if let [before, row] = pair
            && row.up_to <= before.up_to
        {
            let message = format!("the row up to {} comes after the one up to {}", row.up_to, before.up_to);
            let way = [Key("modifier"), At(place + 1), Key("up_to")];
            notes.warning(
                "modifier_order",
                &way,
                message,
                "order the rows by `up_to`: the first that fits counts",
            );
        }
    }
    if let Some(last) = rows.last().filter(|last| last.up_to < pack.abilities.max) {
        let message = format!(
            "no row says what a score above {} gets, and scores go up to {}",
            last.up_to, pack.abilities.max
        );
        let way = [Key("modifier"), At(rows.len() - 1), Key("up_to")];
        notes.warning("modifier_missing", &way, message, "add a row: until then the last one counts");
    }
}

/// The same of its classes.
pub(super) fn in_classes(notes: &mut Notes<'_>, rules: &Rules) {
    for (place, class) in rules.classes.iter().enumerate() {
        let ability = &class.prime_ability;
        if !ability.is_empty() && rules.ability_index(ability).is_none() {
            let message = format!(
                "the class {:?} has the prime ability {ability:?}, which the pack does not have",
                class.id
            );
            let help = format!("use one of {}", rules.pack.abilities.names.join(", "));
            notes.warning("no_such_ability", &[Key("class"), At(place), Key("prime_ability")], message, help);
        }
    }
}

/// And of the characters that are ready.
pub(super) fn in_the_ready(notes: &mut Notes<'_>, rules: &Rules) {
    let names = &rules.pack.abilities.names;
    for (place, ready) in rules.pregenerated.iter().enumerate() {
        let missing: Vec<&str> =
            names.iter().filter(|name| !ready.abilities.contains_key(*name)).map(String::as_str).collect();
        let unknown: Vec<&str> =
            ready.abilities.keys().filter(|name| !names.contains(name)).map(String::as_str).collect();
        let said =
            |what: &str, list: &[&str]| (!list.is_empty()).then(|| format!("{what} {}", list.join(", ")));
        let said = [said("has no", &missing), said("has", &unknown)];
        let said: Vec<String> = said.into_iter().flatten().collect();
        if !said.is_empty() {
            let message =
                format!("{} {}; the pack has {}", ready.name, said.join(", and "), names.join(", "));
            let help = "write every ability of the pack; one that is missing has the lowest score";
            notes.warning(
                "abilities_of_another_pack",
                &[Key("character"), At(place), Key("abilities")],
                message,
                help,
            );
        }
    }
}
