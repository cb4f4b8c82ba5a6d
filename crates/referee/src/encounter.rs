//! An encounter begins: the seed draws its details, and attentive characters notice things.

use twicetold_event::*;
use twicetold_tool::{dice, stream};

use crate::Campaign;

impl Campaign {
    /// Begins the encounter number `index`.
    pub(crate) fn begin_encounter(&mut self, index: usize) {
        let setup = self.state.setup();
        let Some(spec) = setup.encounters.get(index) else { return };
        let draw = |random: &twicetold_world::setup::RandomSpec| {
            let list = random.vocabulary.as_ref().and_then(|name| setup.vocabulary.get(name));
            let choices = list.filter(|_| random.table.is_empty()).unwrap_or(&random.table);
            let stream = stream::detail(&spec.id, &random.key);
            let drawn = choices.get(dice::pick(setup, &stream, 0, choices.len()));
            Draw { key: random.key.clone(), value: drawn.unwrap_or(&random.fallback).clone() }
        };
        let draws = spec.randoms.iter().map(draw).collect();
        let encounter = spec.id.clone();
        self.emit(EncounterBegan { encounter, draws });
        self.reveal();
    }

    /// Passive reveals go to the character with the highest passive score: 10 and the modifier.
    fn reveal(&mut self) {
        let setup = self.state.setup();
        let Some(spec) = self.state.encounter_spec() else { return };
        let mut revealed = Vec::new();
        for (place, reveal) in spec.reveals.iter().enumerate() {
            let Some(ability) = setup.rules.ability_index(&reveal.ability) else { continue };
            let score = |character: &twicetold_world::Character| {
                10 + setup.rules.modifier(character.sheet.abilities.get(ability).copied().unwrap_or(10))
            };
            // The first seat wins a tie.
            let best = self.state.characters().values().rev().max_by_key(|character| score(character));
            let Some(best) = best.filter(|best| score(best) >= reveal.threshold) else { continue };
            revealed.push(DetailRevealed {
                reveal: place as u16,
                text: reveal.text.clone(),
                character: best.sheet.name.clone(),
                score: score(best),
                threshold: reveal.threshold,
            });
        }
        for detail in revealed {
            self.emit(detail);
        }
    }
}
