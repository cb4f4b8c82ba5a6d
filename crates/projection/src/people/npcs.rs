//! The DM's characters: those of the encounters so far, and those whom the party has met.

use serde::Serialize;
use twicetold_world::State;

/// A character of the DM's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NpcLine {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Role, when an encounter gives one.
    pub role: String,
    /// Voice, want, fear, secret, when an encounter gives them.
    pub persona: String,
    /// The number at which the party met them.
    pub met: Option<u64>,
}

/// The NPCs of a state.
pub fn npcs(state: &State) -> Vec<NpcLine> {
    let met = &state.facts().npcs;
    let mut lines: Vec<NpcLine> = Vec::new();
    if let Some(encounter) = state.encounter()
        && let Some(spec) = state.setup().encounters.get(encounter.index)
    {
        lines.extend(spec.npcs.iter().map(|npc| NpcLine {
            id: npc.id.clone(),
            name: encounter.npc_name(npc),
            role: npc.role.clone(),
            persona: encounter.fill(npc.persona.trim()),
            met: met.get(&npc.id).map(|npc| npc.met.0.0),
        }));
    }
    let known: Vec<String> = lines.iter().map(|line| line.id.clone()).collect();
    lines.extend(met.iter().filter(|(id, _)| !known.contains(id)).map(|(id, npc)| {
        let spec = state.setup().encounters.iter().flat_map(|spec| &spec.npcs).find(|spec| spec.id == *id);
        NpcLine {
            id: id.clone(),
            name: npc.name.clone(),
            role: spec.map_or_else(String::new, |spec| spec.role.clone()),
            persona: String::new(),
            met: Some(npc.met.0.0),
        }
    }));
    lines
}
