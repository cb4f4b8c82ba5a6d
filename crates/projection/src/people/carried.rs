//! The party as another campaign takes it in: characters, document, people and what must not be forgotten.

use twicetold_event::{Archetype, CampaignId, Number, Sheet};
use twicetold_world::setup::{CarriedCharacter, CarriedNpc, CarriedParty, CarriedSection};
use twicetold_world::{Inventory, Npc, State};

use crate::{Replies, words, written};

/// Important events that come along: more than a prompt shows, so that a search finds the older ones.
const EVENTS_MAX: usize = 200;

/// What the party of this state brings along. `next` is the number after the campaign's last one.
pub fn carried(id: CampaignId, state: &State, replies: &dyn Replies, next: Number) -> CarriedParty {
    let characters = state.characters().values().map(|character| CarriedCharacter {
        number: character.changed.0.0,
        sheet: Sheet { equipment: Vec::new(), ..character.sheet.clone() },
        hit_points: character.hit_points,
        gold: character.gold,
        items: items(&character.inventory),
        conditions: character.conditions.keys().cloned().collect(),
    });
    let sections = state.document().sections.iter().map(|(section, kept)| CarriedSection {
        number: kept.changed().0.0,
        section: *section,
        text: kept
            .entries
            .iter()
            .map(|entry| words(replies, &entry.text).trim())
            .collect::<Vec<_>>()
            .join("\n\n"),
    });
    let events = state.facts().important.all();
    let skip = events.len().saturating_sub(EVENTS_MAX);
    CarriedParty {
        campaign: id.to_string(),
        title: state.setup().campaign.title.clone(),
        next: next.0,
        rules: state.setup().campaign.rules.clone(),
        characters: characters.collect(),
        sections: sections.collect(),
        npcs: state.npcs().all().map(|npc| person(state, npc, replies)).collect(),
        important_events: events[skip..].iter().map(|(origin, text)| (origin.0.0, text.clone())).collect(),
        experience: state.facts().experience,
    }
}

fn person(state: &State, npc: &Npc, replies: &dyn Replies) -> CarriedNpc {
    // The models of the next campaign read it: in the words of this one's charter.
    let lived = npc.memories.iter().map(|memory| match memory.carried.as_str() {
        "" => written(state, "memory.encounter", &memory.values),
        carried => carried.to_owned(),
    });
    let saw = state.witnessed(npc).map(|(_, text)| text.clone());
    let learned = npc.learned.iter().map(|(_, text)| words(replies, text).trim().to_owned());
    let spoke = npc.dialogues.iter().filter_map(|past| past.text.as_ref());
    let spoke = spoke.map(|text| words(replies, text).trim().to_owned());
    let persona = match &npc.profile {
        Some(profile) => format!("{} {} {}", npc.persona, profile.personality, profile.notes),
        None => npc.persona.clone(),
    };
    CarriedNpc {
        number: npc.changed.0.0,
        npc: npc.id.clone(),
        name: npc.name.clone(),
        memory_key: npc.memory_key.clone(),
        archetype: npc.archetype.unwrap_or(Archetype::Townsperson),
        role: npc.role,
        description: npc.description.clone(),
        persona: persona.trim().to_owned(),
        status: npc.status,
        trust: npc.trust,
        items: items(&npc.inventory),
        memories: lived.chain(saw).chain(learned).chain(spoke).filter(|text| !text.is_empty()).collect(),
    }
}

fn items(inventory: &Inventory) -> Vec<(String, u32)> {
    inventory.values().map(|(name, count, _)| (name.clone(), *count)).collect()
}
