//! What becomes of a character at 0 hit points, by the rules pack.

use twicetold_event::{CharacterLost, CharacterRecovered, Check, Event, Fate};
use twicetold_world::{Character, State};

use crate::table::Table;

/// Who has been down for as long as the pack says gets up, or is lost. In a fight and during a dialogue nobody gets up by themselves.
pub(super) fn at_turn_end(table: &mut Table<'_>) {
    let state = table.state();
    let busy = state.combat().is_some() || state.dialogue().is_some();
    let rule = &state.setup().rules.pack.down;
    let turn = state.turn().number;
    let due = |character: &&Character| {
        let since = character.down.filter(|_| character.lost.is_none());
        since.is_some_and(|since| turn.saturating_sub(since) >= rule.turns)
    };
    let follows = |character: &Character| -> Option<Event> {
        let turns = turn.saturating_sub(character.down.unwrap_or(turn));
        let reason = |rule: &str, most: u32| Check::new(rule).with("turns", turns).with("most", most);
        match rule.fate {
            Fate::Recovers if busy => None,
            Fate::Recovers => Some(recovered(state, character, reason("came_to", rule.turns))),
            fate => {
                let (character, reason) = (character.sheet.name.clone(), reason("nobody_helped", rule.turns));
                Some(CharacterLost { character, fate, reason }.into())
            }
        }
    };
    let events: Vec<Event> = state.characters().values().filter(due).filter_map(follows).collect();
    events.into_iter().for_each(|event| table.emit(event));
}

/// Between two encounters there is time: who was down or taken away is back.
pub(super) fn between_encounters(table: &mut Table<'_>) {
    let state = table.state();
    let back = |character: &&Character| !character.stands() && character.lost != Some(Fate::Dies);
    let away = state.characters().values().filter(back);
    let events: Vec<Event> =
        away.map(|character| recovered(state, character, Check::new("time_passed"))).collect();
    events.into_iter().for_each(|event| table.emit(event));
}

/// Is nobody of the party left alive?
pub(super) fn is_party_dead(state: &State) -> bool {
    !state.characters().is_empty()
        && state.characters().values().all(|character| character.lost == Some(Fate::Dies))
}

fn recovered(state: &State, character: &Character, reason: Check) -> Event {
    let now = i64::from(state.setup().rules.pack.down.hit_points.max(1));
    let (character, helper) = (character.sheet.name.clone(), String::new());
    CharacterRecovered { character, now, helper, reason }.into()
}
