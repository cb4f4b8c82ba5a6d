//! The part of the table's state that speaks of the DM's characters: who they are to the party, a dialogue, a combat.

use twicetold_event::{Audience, NpcStatus, Seat};
use twicetold_world::{Combat, Dialogue, Npc, NpcKind};

use super::View;
use super::fill::{at, carried};
use crate::answers::role;
use crate::template::Facts;

impl View<'_> {
    /// The DM's characters in this encounter, as far as this seat may know them.
    pub(super) fn people(&self, encounter: &str) -> Vec<Facts> {
        let state = self.state;
        let dm = self.seat == Seat::Dm;
        let here = state.npcs().all().filter(|npc| npc.encounter == encounter);
        let known = here.filter(|npc| dm || state.facts().npcs.contains_key(&npc.id));
        let person = |npc: &Npc| {
            let facts = Facts::new(at(npc.changed), Audience::Seats([self.seat].into()));
            let condition = |name| facts.fresh().say("condition", name);
            let facts = role(facts.fresh(), npc)
                .say("id", &npc.id)
                .say("name", &npc.name)
                // Those of the specification have a line of their own.
                .flag("introduced", npc.kind != NpcKind::Campaign)
                .flag("whole", dm)
                .flag("changed", !dm && npc.status != NpcStatus::Active)
                .term("status", "statuses", npc.status.name());
            if !dm {
                return facts.flag("marked", npc.status != NpcStatus::Active);
            }
            let is_changed = npc.status != NpcStatus::Active || npc.trust != 0 || npc.hit_points.is_some();
            let is_marked = is_changed || !npc.feelings.is_empty() || !npc.conditions.is_empty();
            let facts = facts
                .flag("marked", is_marked)
                .say("trust", npc.trust)
                .list("feelings", feelings(npc))
                .list("conditions", npc.conditions.iter().map(condition).collect());
            match npc.hit_points {
                Some(now) => facts.say("hit_points", now).say("hit_points_max", state.npc_hit_points(npc)),
                None => facts,
            }
        };
        known.map(person).collect()
    }

    /// Everything that a dialogue asks of this seat.
    pub(super) fn dialogue_state(&mut self, dialogue: &Dialogue) {
        let state = self.state;
        let Some(npc) = state.npcs().get(&dialogue.npc) else { return };
        let joined = |seat: &Seat| dialogue.joined.contains_key(seat);
        let shown = state.characters().iter().filter(|(seat, _)| joined(seat));
        let shown = shown.filter(|(seat, _)| self.companion.is_some() || **seat == self.seat);
        let character = |(_, character): (&Seat, &twicetold_world::Character)| {
            Facts::new(at(character.accepted), Audience::All)
                .say("name", &character.sheet.name)
                .list("items", carried(&character.inventory, true))
        };
        let company = dialogue.joined.keys().map(|seat| self.so().say("name", self.seat_name(*seat)));
        let facts = role(self.so(), npc)
            .say("id", &npc.id)
            .say("name", &npc.name)
            .say("exchanges", dialogue.exchanges)
            .say("exchanges_max", state.setup().limits.dialogue_exchanges_max)
            .list("company", company.collect())
            .list("characters", shown.map(character).collect());
        let facts = match self.companion {
            None => facts.list("asks", self.asks(npc)),
            Some(_) => facts
                .flag("companion", true)
                .say_of("trust", npc.trust, at(npc.changed))
                .list("feelings", feelings(npc))
                .list("carried", carried(&npc.inventory, true)),
        };
        self.text("state.dialogue", &facts);
    }

    /// What their author has written for a player to say to them.
    fn asks(&self, npc: &Npc) -> Vec<Facts> {
        let spec = self.state.encounter_spec();
        let known = spec.and_then(|spec| spec.npcs.iter().find(|known| known.id == npc.id));
        let written = known.into_iter().flat_map(|known| known.asked.named());
        let written = written.filter(|(_, text)| !text.trim().is_empty());
        written.map(|(field, text)| self.so().say("field", field).say("text", text.trim())).collect()
    }

    pub(super) fn combat(&self, combat: &Combat) -> Facts {
        let foe = |foe: &twicetold_world::FoeState| {
            let (now, most) = (foe.hit_points, foe.foe.hit_points);
            let stands = !foe.fled && now > 0;
            Facts::new(at(foe.changed), Audience::Seats([self.seat].into()))
                .say("id", &foe.foe.id)
                .say("name", &foe.foe.name)
                .flag("fled", foe.fled)
                .flag("down", !foe.fled && now <= 0)
                .flag("badly", stands && now * 2 < most)
                .flag("hurt", stands && now * 2 >= most && now < most)
                .flag("unhurt", stands && now >= most)
                .say("hit_points", now)
        };
        let acting = combat.acting.iter().map(|name| self.so().say("name", name));
        self.so()
            .say("round", combat.round)
            .say("rounds_max", self.state.setup().rules.pack.combat.rounds_max)
            .list("acting", acting.collect())
            .list("foes", combat.foes.iter().map(foe).collect())
    }
}

fn feelings(npc: &Npc) -> Vec<Facts> {
    let feeling = |(name, feeling): (&String, &twicetold_world::Feeling)| {
        Facts::new(at(feeling.origin), Audience::Dm).say("feeling", name).say("strength", feeling.strength)
    };
    npc.feelings.iter().map(feeling).collect()
}
