//! Questions that both a prompt and the referee ask of a state.

use twicetold_event::{Channel, Event, MessageSpoken, Missing, Phase, Seat, Section};
use twicetold_world::{Remembered, State};

/// What is missing before the phase of Session Zero may close; empty if nothing is.
pub fn missing(state: &State) -> Vec<Missing> {
    let mut missing = Vec::new();
    for seat in state.setup().players() {
        match state.phase() {
            Phase::Lock if !state.characters().contains_key(&seat) => {
                missing.push(Missing::Character(seat));
            }
            Phase::Pitch | Phase::Converge if !state.table().spoken.contains(&seat) => {
                missing.push(Missing::Silent(seat));
            }
            _ => {}
        }
    }
    if state.phase() == Phase::Lock {
        if state.session_zero().scenario.is_none() {
            missing.push(Missing::Scenario);
        }
        if !state.document().sections.keys().any(|section| *section != Section::Secrets) {
            missing.push(Missing::PartyDocument);
        }
    }
    missing
}

/// Who is heard: in a dialogue the DM's voice is the character's.
pub fn speaker(state: &State, word: &MessageSpoken) -> String {
    match &word.channel {
        Channel::Dialogue(npc) if word.seat == Seat::Dm => {
            state.npcs().get(npc).map_or_else(|| npc.clone(), |npc| npc.name.clone())
        }
        _ => state.seat_name(word.seat),
    }
}

/// Is the party document older than the last major event?
pub fn is_document_stale(state: &State) -> bool {
    let (changed, major) = (state.document().turn, state.facts().major_event_turn);
    let grace = state.setup().limits.party_document_stale_turns;
    state.phase() == Phase::Play && major > changed && state.turn().number.saturating_sub(changed) >= grace
}

/// So many of the newest are offered to a model that is guided: it chooses well among few.
const CITABLE_SHOWN_MAX: usize = 5;

/// What a model that is guided can point to: labels of what players last did and said, as far as the history holds it. A check that
/// failed shows nothing.
pub fn citable(state: &State) -> Vec<(u32, &Remembered)> {
    let Some(encounter) = state.encounter() else { return Vec::new() };
    let has_failed = |event: &Event| matches!(event, Event::AbilityChecked(word) if !word.success);
    let kept = state.history().main.iter().rev().filter(|kept| !has_failed(&kept.event));
    let labelled = kept.filter_map(|kept| Some((encounter.label(kept.origin)?, kept)));
    let mut last: Vec<_> = labelled.take(CITABLE_SHOWN_MAX).collect();
    last.reverse();
    last
}
