//! How a scenario, a party document and characters come about.

use twicetold_event::family::SessionZero;
use twicetold_event::{CharacterAccepted, Phase};

use super::Keep;
use crate::state::{Character, Origin, SectionEntry, State};

pub(super) fn evolve(state: &mut State, origin: Origin, event: SessionZero<'_>) -> Keep {
    match event {
        SessionZero::PhaseBegan(word) => {
            state.table.phase = word.phase;
            state.table.rounds = 0;
            state.table.spoken.clear();
            state.session_zero.missing.clear();
            if word.phase == Phase::Play {
                // Its artefacts go on; its transcript is in the journal.
                state.history.session_zero.clear();
                state.session_zero.pitches.clear();
            }
            Keep::Here
        }
        SessionZero::PhaseClosed(_) | SessionZero::MarkerIgnored(_) => Keep::Nowhere,
        SessionZero::MarkerRejected(word) => {
            state.session_zero.missing.clone_from(&word.missing);
            Keep::Here
        }
        SessionZero::ScenarioSet(word) => {
            state.session_zero.scenario = Some((origin, word.clone()));
            Keep::Nowhere
        }
        SessionZero::CharacterAccepted(word) => {
            character_accepted(state, origin, word);
            Keep::Nowhere
        }
        SessionZero::CharacterRejected(word) => {
            state.session_zero.refused.insert(word.seat, word.attempt);
            state.session_zero.reasons.insert(word.seat, word.reasons.clone());
            Keep::Here
        }
        SessionZero::PartyDocumentUpdated(word) => {
            let turn = state.turn.number;
            let section = state.document.sections.entry(word.section).or_default();
            section.version = word.version;
            let entry = SectionEntry { text: word.text.clone(), turn, origin };
            match section.entries.get_mut((word.entry as usize).wrapping_sub(1)) {
                Some(earlier) => *earlier = entry,
                None => section.entries.push(entry),
            }
            state.document.turn = turn;
            Keep::Here
        }
    }
}

fn character_accepted(state: &mut State, origin: Origin, word: &CharacterAccepted) {
    let mut character = Character {
        sheet: word.sheet.clone(),
        hit_points: i64::from(word.sheet.hit_points),
        gold: state.setup.rules.pack.starting_gold,
        accepted: origin,
        changed: origin,
        hit_points_changed: origin,
        gold_changed: origin,
        ..Character::default()
    };
    for id in &word.sheet.equipment {
        let name =
            state.setup.rules.items.iter().find(|item| item.id == *id).map_or(id.as_str(), |item| &item.name);
        character.inventory.give(name, 1, origin);
    }
    state.session_zero.reasons.remove(&word.seat);
    state.characters.insert(word.seat, character);
}
