//! Combat: whose turn it is, when courage fails, and that it always ends.

use twicetold_event::{
    Check, CombatEnded, CombatOutcome, CombatTurnBegan, Seat, SpeakerChosen, SpeakerRule, Values,
};
use twicetold_tool::combat::morale;

use crate::table::Table;

/// Chooses who acts next in the combat being fought; none when it is over, so that the story goes on.
pub(super) fn next(table: &mut Table<'_>) -> Option<Seat> {
    if end_if_decided(table) {
        return None;
    }
    try_morale(table);
    if end_if_decided(table) {
        return None;
    }
    let Some((round, combatants)) = next_combatants(table) else {
        end(table, CombatOutcome::BrokenOff, Check::new("nobody_able"));
        return None;
    };
    let most = table.state().setup().rules.pack.combat.rounds_max;
    if round > most {
        let reason = Check::new("rounds_max").with("rounds", most).with("most", most);
        end(table, CombatOutcome::BrokenOff, reason);
        return None;
    }
    let seat = combatants.first().and_then(|name| table.state().character_named(name)).map(|(seat, _)| seat);
    let seat = seat.unwrap_or(Seat::Dm);
    let values = Values::default().with("round", round).with("combatants", combatants.join(", "));
    table.emit(CombatTurnBegan { round, combatants });
    table.emit(SpeakerChosen { seat, rule: SpeakerRule::Initiative, values });
    Some(seat)
}

/// The round and who acts next: a character, or all foes up to the next character.
fn next_combatants(table: &Table<'_>) -> Option<(u32, Vec<String>)> {
    let combat = table.state().combat()?;
    let able: Vec<Seat> = table.state().able().collect();
    let is_able = |name: &str| match combat.foe(name) {
        Some(foe) => foe.stands(),
        None => table.state().character_named(name).is_some_and(|(seat, _)| able.contains(&seat)),
    };
    let count = combat.order.len();
    let first = if combat.acting.is_empty() { 0 } else { combat.place + 1 };
    let mut acting: Vec<String> = Vec::new();
    let mut round = combat.round;
    for step in first..first + count {
        let wrapped = step >= count;
        let name = &combat.order.get(step % count)?.combatant;
        if !is_able(name) {
            continue;
        }
        // A round's end is everybody's: foes of two rounds do not act together.
        if !acting.is_empty() && wrapped && first < count {
            break;
        }
        if combat.foe(name).is_none() {
            if acting.is_empty() {
                round += u32::from(wrapped);
                acting.push(name.clone());
            }
            break;
        }
        if acting.is_empty() {
            round += u32::from(wrapped);
        }
        acting.push(name.clone());
    }
    (!acting.is_empty()).then_some((round, acting))
}

fn end_if_decided(table: &mut Table<'_>) -> bool {
    let Some(combat) = table.state().combat() else { return true };
    let fled = combat.foes.iter().filter(|foe| foe.fled).count();
    let standing = combat.standing().count();
    let able = table.state().able().count();
    let (outcome, reason) = match (standing, able) {
        (0, _) if fled > 0 => (CombatOutcome::FoesFled, "no_foe_left"),
        (0, _) => (CombatOutcome::Victory, "no_foe_left"),
        (_, 0) => (CombatOutcome::Defeat, "no_character_standing"),
        _ => return false,
    };
    end(table, outcome, Check::new(reason));
    true
}

/// The combat being fought, if any, is over.
pub(super) fn end(table: &mut Table<'_>, outcome: CombatOutcome, reason: Check) {
    let Some(rounds) = table.state().combat().map(|combat| combat.round) else { return };
    table.emit(CombatEnded { outcome, rounds, reason });
}

/// Once, when half of the foes are down or gone, the others ask themselves whether it is worth it.
fn try_morale(table: &mut Table<'_>) {
    let Some(combat) = table.state().combat() else { return };
    let standing: Vec<String> = combat.standing().map(|foe| foe.foe.id.clone()).collect();
    if combat.tried || standing.len() * 2 > combat.foes.len() {
        return;
    }
    for foe in standing {
        if let Some(checked) = morale(table.state(), &foe) {
            table.emit(checked);
        }
    }
}
