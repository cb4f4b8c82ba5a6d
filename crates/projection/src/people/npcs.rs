//! The DM's characters: those of the encounters so far, those who came up in play, and those whom the party has met.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use twicetold_event::NpcStatus;
use twicetold_world::{Npc, State};

use super::words::remembered;
use crate::{Replies, words};

/// A character of the DM's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NpcLine {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// In a word or two.
    pub role: String,
    /// Voice, want, fear, secret; or what the DM said of it.
    pub persona: String,
    /// What the memory agent wrote of it.
    pub profile: Option<String>,
    /// Where it is usually found.
    pub location: String,
    /// The number at which the party met it.
    pub met: Option<u64>,
    /// `active`, `dead` or `departed`; empty for somebody of whom only the name is known.
    #[schemars(schema_with = "status")]
    pub status: String,
    /// Trust in the party.
    pub trust: i64,
    /// Feelings towards the party, with their strength.
    pub feelings: Vec<(String, i64)>,
    /// What it carries.
    pub items: Vec<(String, u32)>,
    /// Conditions.
    pub conditions: Vec<String>,
    /// Hit points, once something changed them.
    pub hit_points: Option<i64>,
    /// What is kept of dialogues with it: number of the event and text.
    pub dialogues: Vec<(u64, String)>,
    /// What it learned of the party and remembers of encounters.
    pub memories: Vec<(u64, String)>,
}

fn status(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = NpcStatus::ALL.iter().map(|status| status.name()).chain([""]).collect();
    json_schema!({ "type": "string", "enum": names })
}

/// The NPCs of a state.
pub fn npcs(state: &State, replies: &dyn Replies) -> Vec<NpcLine> {
    let met = &state.facts().npcs;
    let known = state.npcs().all().map(|npc| line(state, replies, npc));
    // Somebody whom the DM recorded as met and said nothing more of.
    let names = met.iter().filter(|(id, _)| state.npcs().get(id).is_none()).map(|(id, met)| NpcLine {
        id: id.clone(),
        name: met.name.clone(),
        met: Some(met.met.0.0),
        ..NpcLine::default()
    });
    known.chain(names).collect()
}

fn line(state: &State, replies: &dyn Replies, npc: &Npc) -> NpcLine {
    let text = |text: &twicetold_event::Text| words(replies, text).trim().to_owned();
    let learned = npc.learned.iter().map(|(origin, learned)| (origin.0.0, text(learned)));
    let lived = npc.memories.iter().map(|memory| (memory.origin.0.0, remembered(memory)));
    let saw = state.witnessed(npc).map(|(origin, text)| (origin.0.0, text.clone()));
    let mut memories: Vec<(u64, String)> = learned.chain(lived).chain(saw).collect();
    memories.sort();
    let kept = npc.dialogues.iter().filter_map(|past| Some((past.origin.0.0, text(past.text.as_ref()?))));
    NpcLine {
        id: npc.id.clone(),
        name: npc.name.clone(),
        role: npc.description.clone(),
        persona: npc.persona.clone(),
        profile: npc.profile.as_ref().map(|profile| {
            let wants = profile.motivations.join(", ");
            format!("{} {} Wants {wants}. {}", profile.appearance, profile.personality, profile.notes)
        }),
        location: npc.location.clone(),
        met: state.facts().npcs.get(&npc.id).map(|met| met.met.0.0),
        status: npc.status.name().to_owned(),
        trust: npc.trust,
        feelings: npc.feelings.iter().map(|(name, feeling)| (name.clone(), feeling.strength)).collect(),
        items: npc.inventory.values().map(|(name, count, _)| (name.clone(), *count)).collect(),
        conditions: npc.conditions.iter().cloned().collect(),
        hit_points: npc.hit_points,
        dialogues: kept.collect(),
        memories,
    }
}
