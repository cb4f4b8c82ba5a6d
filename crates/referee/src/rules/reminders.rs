//! Reminders of housekeeping that the DM gets at the beginning of its turn.

use twicetold_event::{Event, Nudge, NudgeGiven, Purpose, Seat, Values};
use twicetold_projection::{is_document_stale, words};
use twicetold_world::State;
use twicetold_world::setup::GoalSpec;

use super::speaker::longest_wait;
use crate::question::is_guided;
use crate::table::Table;

/// Reminders of housekeeping: one mechanism, several reminders, each with a cooldown. A model that is guided has no tools for it.
pub(super) fn give(table: &mut Table<'_>) {
    if is_guided(table.state(), Seat::Dm, Purpose::Play) && !table.state().is_person(Seat::Dm) {
        return;
    }
    if let Some(dialogue) = table.state().dialogue() {
        let (had, most) = (dialogue.exchanges, table.state().setup().limits.dialogue_exchanges_max);
        if had.saturating_mul(3) >= most.saturating_mul(2) {
            let values = Values::default().with("had", had).with("most", most);
            remind_once(table, Nudge::DialogueLeftOpen, values);
        }
        return;
    }
    if let Some(struck) = table.state().encounter().and_then(|encounter| encounter.struck.as_ref()) {
        let values = Values::default().with("label", &struck.label).with("goal", &struck.goal);
        table.emit(NudgeGiven { nudge: Nudge::FailureStruck, values });
        return;
    }
    if let Some(goal) = reached(table.state()) {
        let values = Values::default().with("goal", &goal.id).with("label", &goal.label);
        remind_once(table, Nudge::GoalReached, values);
    }
    let (seat, turns) = longest_wait(table.state());
    if turns > table.state().wait_max() {
        let values = Values::default().with("name", table.state().seat_name(seat)).with("turns", turns);
        remind_once(table, Nudge::PlayerWaits, values);
    }
    if is_document_stale(table.state()) {
        remind_once(table, Nudge::PartyDocumentStale, Values::default());
    }
    if let Some(name) = unrecorded_npc(table).filter(|_| is_listed(table, "record_met")) {
        remind_once(table, Nudge::NpcNotRecorded, Values::default().with("name", name));
    }
}

/// The goal of the encounter whose checks have all passed.
fn reached(state: &State) -> Option<&GoalSpec> {
    let encounter = state.encounter().filter(|_| state.combat().is_none())?;
    let mut goals = state.encounter_spec()?.goals.iter();
    goals.find(|goal| !goal.failure && !goal.needs.is_empty() && encounter.has_achieved(&goal.needs))
}

fn remind_once(table: &mut Table<'_>, nudge: Nudge, values: Values) {
    let cooldown = table.state().setup().limits.nudge_cooldown_turns;
    let last = table.state().table().nudged.get(&(nudge as u8)).copied();
    if last.is_none_or(|last| table.state().turn().number.saturating_sub(last) >= cooldown) {
        table.emit(NudgeGiven { nudge, values });
    }
}

/// An NPC of the encounter whom the DM has named lately and nobody has recorded.
fn unrecorded_npc(table: &Table<'_>) -> Option<String> {
    let spec = table.state().encounter_spec()?;
    let recent = table.state().history().main.iter().rev().take(12);
    let spoken: Vec<&str> = recent
        .filter_map(|kept| match &kept.event {
            Event::MessageSpoken(word) if word.seat == Seat::Dm => Some(words(table.replies(), &word.text)),
            _ => None,
        })
        .collect();
    let unmet = spec.npcs.iter().filter(|npc| !table.state().facts().npcs.contains_key(&npc.id));
    // A name that is a player's as well may have meant the player's character.
    let party: Vec<&str> =
        table.state().characters().values().map(|character| character.sheet.name.as_str()).collect();
    let is_theirs = |name: &str| party.iter().any(|character| character.contains(name));
    let named = |name: &&str| !is_theirs(name) && spoken.iter().any(|text| text.contains(name));
    unmet.map(|npc| npc.name()).find(named).map(str::to_owned)
}

/// Has the DM this tool here?
fn is_listed(table: &Table<'_>, name: &str) -> bool {
    twicetold_tool::named(name).is_some_and(|tool| tool.is_listed(table.state(), Seat::Dm))
}
