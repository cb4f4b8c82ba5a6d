//! The part of the `<table_state>` block that speaks of the DM's characters: who they are to the party, a dialogue, a combat.

use twicetold_event::{NpcStatus, Seat};
use twicetold_world::{Combat, Dialogue, Npc, NpcKind, State};

use super::View;

impl View<'_> {
    /// The DM's characters in this encounter, and what else goes on.
    pub(super) fn people_state(&mut self, encounter: &str) {
        let state = self.state;
        let dm = self.seat == Seat::Dm;
        self.line("mode: narrative".into());
        self.line(format!("experience: {}", state.facts().experience));
        let here = state.npcs().all().filter(|npc| npc.encounter == encounter);
        for npc in here {
            let met = state.facts().npcs.contains_key(&npc.id);
            if !dm && !met {
                continue;
            }
            // Those of the specification have a line above.
            if npc.kind != NpcKind::Campaign {
                self.line(format!("npc: {} | name={} | role={}", npc.id, npc.name, npc.description));
            }
            let status = npc.status.name();
            match dm {
                true => self.line(whole(self.state, npc)),
                false if npc.status != NpcStatus::Active => {
                    self.line(format!("person: {} | status={status}", npc.id));
                }
                false => {}
            }
        }
        if dm {
            let limits = &state.setup().limits;
            let held = state.conversations().in_encounter;
            self.line(format!("dialogues: {held} of {}", limits.dialogues_per_encounter_max));
        }
        if let Some(combat) = state.combat() {
            self.combat_state(combat);
        }
    }

    /// Everything that a dialogue asks of this seat.
    pub(super) fn dialogue_state(&mut self, dialogue: &Dialogue) {
        let state = self.state;
        let Some(npc) = state.npcs().get(&dialogue.npc) else { return };
        let most = state.setup().limits.dialogue_exchanges_max;
        self.line("mode: dialogue".into());
        self.line(format!("dialogue: {} | name={} | role={}", npc.id, npc.name, npc.description));
        self.line(format!("exchanges: {} of {most}", dialogue.exchanges));
        let names: Vec<String> = dialogue.joined.keys().map(|seat| state.seat_name(*seat)).collect();
        self.line(format!("with: {}", names.join(", ")));
        if self.companion.is_some() {
            self.line(format!("trust: {}", npc.trust));
            self.line(format!("feelings: {}", feelings(npc)));
            self.line(format!("items: {}", items(npc)));
        }
        let joined = |seat: &Seat| dialogue.joined.contains_key(seat);
        for (seat, character) in state.characters().iter().filter(|(seat, _)| joined(seat)) {
            if self.companion.is_none() && *seat != self.seat {
                continue;
            }
            let carried: Vec<String> =
                character.inventory.values().map(|(name, count, _)| format!("{name} x{count}")).collect();
            self.line(format!("character: {} | items={}", character.sheet.name, carried.join(", ")));
        }
    }

    fn combat_state(&mut self, combat: &Combat) {
        let most = self.state.setup().rules.pack.combat.rounds_max;
        self.line(format!("combat: round {} of {most}", combat.round));
        self.line(format!("acting: {}", combat.acting.join(", ")));
        for foe in &combat.foes {
            let health = match (foe.fled, foe.hit_points, foe.foe.hit_points) {
                (true, ..) => "fled",
                (_, ..=0, _) => "down",
                (_, now, most) if now * 2 < most => "badly hurt",
                (_, now, most) if now < most => "hurt",
                _ => "unhurt",
            };
            let own = if self.seat == Seat::Dm { format!(" | hp={}", foe.hit_points) } else { String::new() };
            self.line(format!("foe: {} | name={} | health={health}{own}", foe.foe.id, foe.foe.name));
        }
    }
}

/// What the DM is told of a character; what is as it always was is left out.
fn whole(state: &State, npc: &Npc) -> String {
    let mut line = format!("person: {} | status={} | trust={}", npc.id, npc.status.name(), npc.trust);
    if !npc.feelings.is_empty() {
        line += &format!(" | feelings={}", feelings(npc));
    }
    if let Some(now) = npc.hit_points {
        line += &format!(" | hp={now}/{}", state.npc_hit_points(npc));
    }
    if !npc.conditions.is_empty() {
        line += &format!(" | conditions={}", npc.conditions.iter().cloned().collect::<Vec<_>>().join(", "));
    }
    line
}

fn feelings(npc: &Npc) -> String {
    let feelings = npc.feelings.iter().map(|(name, feeling)| format!("{name} {}", feeling.strength));
    feelings.collect::<Vec<_>>().join(", ")
}

fn items(npc: &Npc) -> String {
    npc.inventory.values().map(|(name, count, _)| format!("{name} x{count}")).collect::<Vec<_>>().join(", ")
}
