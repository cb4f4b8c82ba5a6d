//! The `<table_state>` block: what is asked of a seat right now, in lines that every model can read.

use twicetold_event::{Audience, Phase, Seat, Source};
use twicetold_world::setup::ItemKind;

use super::View;

impl View<'_> {
    pub(super) fn line(&mut self, line: String) {
        self.out.written(line + "\n", Source::State, &Audience::Seats(vec![self.seat]));
    }

    pub(super) fn table_state(&mut self) {
        let state = self.state;
        self.line("<table_state version=\"1\">".into());
        self.line(format!("phase: {}", state.phase().name()));
        let role = match (self.seat, self.companion) {
            (Seat::Dm, None) => "dm",
            (Seat::Dm, Some(_)) => "companion",
            _ => "player",
        };
        self.line(format!("role: {role}"));
        let you = self.companion.map_or_else(|| state.seat_name(self.seat), |npc| npc.name.clone());
        self.line(format!("you: {you}"));
        self.line(format!("turn: {}", state.turn().number));
        let left = state.setup().limits.turns_max.saturating_sub(state.turn().number);
        self.line(format!("turns_left: {left}"));
        for seat in state.setup().players() {
            self.player_line(seat);
        }
        if self.seat != Seat::Dm {
            self.line("asked_by: DM".into());
        }
        match (state.phase(), state.dialogue()) {
            (Phase::Play, Some(dialogue)) => self.dialogue_state(dialogue),
            (Phase::Play, None) => self.play_state(),
            _ => self.session_zero_state(),
        }
        self.line("</table_state>".into());
    }

    pub(super) fn memory_table_state(&mut self, phase: &str, lines: Vec<String>) {
        self.line("<table_state version=\"1\">".into());
        self.line(format!("phase: {phase}"));
        self.line("role: memory".into());
        self.line("you: Memory".into());
        lines.into_iter().for_each(|line| self.line(line));
        self.line("</table_state>".into());
    }

    fn player_line(&mut self, seat: Seat) {
        let state = self.state;
        let sheet = state.characters().get(&seat).map(|character| &character.sheet);
        let name = sheet.map_or("", |sheet| &sheet.name);
        let class = sheet.map_or("", |sheet| &sheet.class);
        let spoken = if state.table().spoken.contains(&seat) { "yes" } else { "no" };
        let last = state.table().last_spoke.get(&seat).copied().unwrap_or(0);
        let waited = state.turn().number.saturating_sub(last);
        self.line(format!(
            "player: {seat} | name={name} | class={class} | spoken={spoken} | waited={waited}"
        ));
    }

    fn session_zero_state(&mut self) {
        let state = self.state;
        let most = state.setup().limits.session_zero_rounds_max;
        self.line(format!("round: {} of {most}", state.table().rounds + 1));
        let missing = crate::missing(state);
        if self.seat == Seat::Dm {
            self.line(format!("marker: {}", state.phase().marker().unwrap_or("")));
            let artefacts = ["scenario", "party document"];
            let closing = missing.iter().all(|what| artefacts.contains(&what.as_str()));
            self.line(format!("may_close: {}", if closing { "yes" } else { "no" }));
        }
        for what in missing {
            self.line(format!("missing: {what}"));
        }
        if self.seat != Seat::Dm {
            self.sheet_state();
        }
    }

    /// What a legal sheet may say.
    fn sheet_state(&mut self) {
        let state = self.state;
        let rules = &state.setup().rules;
        let abilities = &rules.pack.abilities;
        for name in &abilities.names {
            self.line(format!("ability: {name} | min={} | max={}", abilities.min, abilities.max));
        }
        for class in &rules.classes {
            let (id, name, die, prime) = (&class.id, &class.name, class.hit_die, &class.prime_ability);
            let equipment = class.equipment.join(", ");
            self.line(format!(
                "class: {id} | name={name} | hit_die={die} | prime={prime} | equipment={equipment}"
            ));
        }
        if state.phase() != Phase::Lock {
            return;
        }
        for item in &rules.items {
            let armor = match (item.armor_class, item.armor_bonus) {
                (Some(class), _) => format!(" | armor_class={class}"),
                (None, Some(bonus)) => format!(" | armor_bonus={bonus}"),
                _ => String::new(),
            };
            let kind = match item.kind {
                ItemKind::Weapon => "weapon",
                ItemKind::Armor => "armor",
                ItemKind::Shield => "shield",
                ItemKind::Gear => "gear",
            };
            self.line(format!("equipment: {} | name={} | kind={kind}{armor}", item.id, item.name));
        }
        self.line(format!("armor_class_base: {}", rules.pack.armor_class.base));
        let reasons = state.session_zero().reasons.get(&self.seat).cloned().unwrap_or_default();
        let sheet = match (state.characters().contains_key(&self.seat), reasons.is_empty()) {
            (true, _) => "accepted",
            (false, true) => "needed",
            (false, false) => "refused",
        };
        self.line(format!("sheet: {sheet}"));
        for reason in reasons {
            self.line(format!("problem: {reason}"));
        }
    }

    fn play_state(&mut self) {
        let state = self.state;
        let Some((encounter, spec)) = state.encounter().zip(state.encounter_spec()) else { return };
        let dm = self.seat == Seat::Dm;
        let opening = if encounter.narrations == 0 { "needed" } else { "given" };
        self.line(format!("encounter: {} | title={} | opening={opening}", spec.id, spec.title));
        self.line(format!("messages: {} of {}", encounter.messages, crate::messages_max(state)));
        let facts = state.facts();
        for (key, fact) in [
            ("objective", &facts.objective),
            ("location", &facts.location),
            ("time_of_day", &facts.time_of_day),
            ("scene", &facts.scene),
        ] {
            if let Some((_, text)) = fact {
                self.line(format!("{key}: {}", one_line(text)));
            }
        }
        for npc in &spec.npcs {
            // A player is told of those whom the party has met.
            if dm || facts.npcs.contains_key(&npc.id) {
                self.line(format!("npc: {} | name={} | role={}", npc.id, npc.name(), npc.role));
            }
        }
        self.people_state(&spec.id);
        if dm {
            self.goals_state();
        }
        for check in &spec.checks {
            let difficulty = if dm { format!(" | difficulty={}", check.difficulty) } else { String::new() };
            self.line(format!("check: {} | ability={}{difficulty}", check.name, check.ability));
        }
        for (_, check) in &encounter.recent_checks {
            let outcome = if check.success { "success" } else { "failure" };
            let what = if check.check.is_empty() { &check.ability } else { &check.check };
            self.line(format!(
                "last_check: {} | {what} | {outcome} | total={}",
                check.character, check.total
            ));
        }
        self.character_lines(dm);
        if dm {
            let stale = crate::is_document_stale(state);
            self.line(format!("party_document: {}", if stale { "stale" } else { "fresh" }));
        }
    }

    fn goals_state(&mut self) {
        let state = self.state;
        let Some(encounter) = state.encounter() else { return };
        for goal in state.goals() {
            let kind = if goal.primary { "primary" } else { "secondary" };
            self.line(format!("goal: {} | {kind} | label={}", goal.id, one_line(&goal.label)));
        }
        let limits = &state.setup().limits;
        let left = limits.dynamic_goals_max.saturating_sub(encounter.registered.len() as u32);
        let open = encounter.messages < limits.goal_messages_max && left > 0;
        self.line(format!("goals_open_for_registration: {}", if open { "yes" } else { "closed" }));
        self.line(format!("checks: passed={} | failed={}", encounter.passed, encounter.failed));
    }

    fn character_lines(&mut self, dm: bool) {
        let state = self.state;
        for (seat, character) in state.characters() {
            if !dm && *seat != self.seat {
                continue;
            }
            let items: Vec<String> =
                character.inventory.values().map(|(name, count, _)| format!("{name} x{count}")).collect();
            self.line(format!(
                "character: {} | player={seat} | class={} | hp={}/{} | gold={} | items={}",
                character.sheet.name,
                character.sheet.class,
                character.hit_points,
                character.sheet.hit_points,
                character.gold,
                items.join(", ")
            ));
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
