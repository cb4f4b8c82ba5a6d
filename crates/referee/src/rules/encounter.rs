//! An encounter begins: the seed draws its details, and attentive characters notice things.

use twicetold_event::{
    Check, CombatOutcome, DetailRevealed, DialogueEnd, Draw, EncounterBegan, EncounterUnresolved,
    NpcRemembered, Values,
};
use twicetold_tool::{dice, stream};

use super::{combat, dialogue, fate};
use crate::table::Table;

/// Begins the encounter number `index`.
pub(super) fn begin(table: &mut Table<'_>, index: usize) {
    let setup = table.state().setup();
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
    fate::between_encounters(table);
    table.emit(EncounterBegan { encounter, draws });
    reveal(table);
}

/// Passive reveals go to the character with the highest passive score: 10 and the modifier.
fn reveal(table: &mut Table<'_>) {
    let setup = table.state().setup();
    let Some(spec) = table.state().encounter_spec() else { return };
    let mut revealed = Vec::new();
    for (place, reveal) in spec.reveals.iter().enumerate() {
        let Some(ability) = setup.rules.ability_index(&reveal.ability) else { continue };
        let score = |character: &twicetold_world::Character| {
            10 + setup.rules.modifier(character.sheet.abilities.get(ability).copied().unwrap_or(10))
        };
        // The first seat wins a tie.
        let best = table.state().characters().values().rev().max_by_key(|character| score(character));
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
        table.emit(detail);
    }
}

/// An encounter that has had as many messages as it may have is over, unresolved.
pub(super) fn end_at_limit(table: &mut Table<'_>) {
    // What has been lost has a turn in which it is told.
    let Some(encounter) = table.state().encounter().filter(|encounter| encounter.struck.is_none()) else {
        return;
    };
    let (id, messages, most) = (encounter.id.clone(), encounter.messages, table.state().messages_max());
    if messages >= most {
        let reason = Check::new("messages_max").with("messages", messages).with("most", most);
        end_what_is_open(table, reason.clone());
        table.emit(EncounterUnresolved { encounter: id, reason, messages });
    }
}

/// With an encounter ends what goes on in it.
pub(super) fn end_what_is_open(table: &mut Table<'_>, reason: Check) {
    dialogue::end(table, DialogueEnd::EncounterOver);
    combat::end(table, CombatOutcome::BrokenOff, reason);
}

/// What each character of the encounter that is over keeps in mind of it: whom it talked with. What it was part of, it
/// remembers already, and of the rest, how it ended included, it knows nothing.
pub(super) fn remember(table: &mut Table<'_>) {
    let [before @ .., over] = table.state().encounters_over() else { return };
    let began = before.last().map_or_else(Default::default, |before| before.ended);
    let setup = table.state().setup();
    let title = setup.encounters.iter().find(|spec| spec.id == over.id).map_or("", |spec| &spec.title);
    let here = table.state().npcs().all().filter(|npc| npc.encounter == over.id);
    let fresh = here.filter(|npc| npc.memories.iter().all(|memory| memory.encounter != over.id));
    let remembered: Vec<NpcRemembered> = fresh
        .filter_map(|npc| {
            let talks = npc.dialogues.iter().filter(|past| past.origin >= began);
            let mut names: Vec<String> =
                talks.flat_map(|past| &past.seats).map(|seat| table.state().seat_name(*seat)).collect();
            names.sort();
            names.dedup();
            if names.is_empty() {
                return None;
            }
            let values = Values::default().with("title", title).with("talked", names.join(", "));
            let values = values.with("trust", npc.trust);
            let (npc, memory_key) = (npc.id.clone(), npc.memory_key.clone());
            Some(NpcRemembered { npc, memory_key, encounter: over.id.clone(), values })
        })
        .collect();
    remembered.into_iter().for_each(|event| table.emit(event));
}
