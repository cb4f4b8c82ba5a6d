//! The block that every prompt ends with: what is so at the table. Its words stand in `table-state.toml` of the charter.

use twicetold_event::{Audience, Fate, Missing, Phase, Seat, Source};
use twicetold_world::setup::{ItemKind, SeatSetup};

use super::View;
use super::events::{missing_items, problem_items};
use super::fill::{at, carried};
use crate::template::Facts;

impl View<'_> {
    /// What is so at the table, and nothing more particular.
    pub(super) fn so(&self) -> Facts {
        Facts::new(Source::State, Audience::Seats([self.seat].into()))
    }

    pub(super) fn table_state(&mut self) {
        let state = self.state;
        let role = match (self.seat, self.companion) {
            (Seat::Dm, None) => "dm",
            (Seat::Dm, Some(_)) => "companion",
            _ => "player",
        };
        let you = self.companion.map_or_else(|| self.seat_name(self.seat), |npc| npc.name.clone());
        let turn = state.turn().number;
        let facts = self
            .so()
            .term("phase", "phases", state.phase().name())
            .term("role", "roles", role)
            .say("you", you)
            .say("turn", turn)
            .say("turns_left", state.setup().limits.turns_max.saturating_sub(turn))
            .list("players", state.setup().players().map(|seat| self.player(seat)).collect())
            .flag("asked", self.seat != Seat::Dm);
        self.text("state.table", &facts);
        match (state.phase(), state.dialogue()) {
            (Phase::Play, Some(dialogue)) => self.dialogue_state(dialogue),
            (Phase::Play, None) => self.play_state(),
            _ => self.session_zero_state(),
        }
        let not_now = self.asking.not_now.iter().map(|tool| self.so().say("tool", tool));
        let end = facts.fresh().list("not_now", not_now.collect());
        self.text("state.end", &self.calls_wanted(end));
    }

    /// For a seat that writes its calls as text: small models tell what they do and leave the calls out, unless what is done by a call
    /// stands at the end of the prompt.
    fn calls_wanted(&self, facts: Facts) -> Facts {
        let state = self.state;
        let is_scene = state.phase() == Phase::Play && state.dialogue().is_none();
        let writes = is_scene && state.setup().seats.of(self.seat).is_some_and(SeatSetup::writes_calls);
        let may = |tool: &str| {
            let allowed = state.encounter_spec().is_none_or(|spec| spec.allows(tool));
            allowed && !self.asking.not_now.contains(&tool)
        };
        facts
            .flag("writes_calls", writes)
            .flag("dm", self.seat == Seat::Dm)
            .say("you", self.seat_name(self.seat))
            .flag("ability_check", may("ability_check"))
            .flag("encounter_resolve", may("encounter_resolve"))
    }

    /// The same for the memory seat, by what it is asked.
    pub(super) fn memory_state(&mut self, task: &str, facts: Facts) {
        self.text("state.memory", &facts.term("task", "tasks", task));
    }

    fn player(&self, seat: Seat) -> Facts {
        let state = self.state;
        let sheet = state.characters().get(&seat).map(|character| &character.sheet);
        self.so()
            .say("seat", self.reading.seat(seat))
            .say("name", sheet.map_or("", |sheet| &sheet.name))
            .say("class", sheet.map_or("", |sheet| &sheet.class))
            .flag("play", state.phase() == Phase::Play)
            .flag("spoken", state.table().spoken.contains(&seat))
            .say("waited", state.waited(seat))
    }

    fn session_zero_state(&mut self) {
        let state = self.state;
        let missing = crate::missing(state);
        let facts = self
            .so()
            .say("round", state.table().rounds + 1)
            .say("rounds", state.setup().limits.session_zero_rounds_max)
            .flag("dm", self.seat == Seat::Dm)
            .term("marker", "markers", state.phase().name())
            .flag(
                "may_close",
                missing.iter().all(|what| matches!(what, Missing::Scenario | Missing::PartyDocument)),
            )
            .list("missing", missing_items(&self.teller(), &self.so(), &missing));
        let facts = if self.seat == Seat::Dm { facts } else { self.sheet_state(facts) };
        self.text("state.session_zero", &facts);
    }

    /// What a legal sheet may say.
    pub(super) fn sheet_rules(&self) -> Facts {
        let rules = &self.state.setup().rules;
        let abilities = &rules.pack.abilities;
        let ability =
            |name| self.so().say("ability", name).say("min", abilities.min).say("max", abilities.max);
        let class = |class: &twicetold_world::setup::Class| {
            self.so()
                .say("id", &class.id)
                .say("name", &class.name)
                .say("die", class.hit_die)
                .say("prime", &class.prime_ability)
                .say("equipment", class.equipment.join(", "))
        };
        let item = |item: &twicetold_world::setup::Item| {
            let kind = match item.kind {
                ItemKind::Weapon => "weapon",
                ItemKind::Armor => "armor",
                ItemKind::Shield => "shield",
                ItemKind::Gear => "gear",
            };
            let bonus = item.armor_bonus.filter(|_| item.armor_class.is_none());
            self.so()
                .say("id", &item.id)
                .say("name", &item.name)
                .term("kind", "things", kind)
                .say_some("armor_class", item.armor_class)
                .say_some("armor_bonus", bonus)
        };
        self.so()
            .list("abilities", abilities.names.iter().map(ability).collect())
            .list("classes", rules.classes.iter().map(class).collect())
            .list("equipment", rules.items.iter().map(item).collect())
            .say("armor_class_base", rules.pack.armor_class.base)
    }

    /// How it stands with a player's sheet.
    fn sheet_state(&self, facts: Facts) -> Facts {
        let state = self.state;
        let problems = state.session_zero().reasons.get(&self.seat).cloned().unwrap_or_default();
        let accepted = state.characters().contains_key(&self.seat);
        facts
            .and(self.sheet_rules())
            .flag("lock", state.phase() == Phase::Lock)
            .flag("accepted", accepted)
            .flag("rejected", !accepted && !problems.is_empty())
            .flag("needed", !accepted && problems.is_empty())
            .list("problems", problem_items(&self.so(), &problems))
    }

    fn play_state(&mut self) {
        let state = self.state;
        let Some((encounter, spec)) = state.encounter().zip(state.encounter_spec()) else { return };
        let dm = self.seat == Seat::Dm;
        let facts = state.facts();
        // A player is told of those whom the party has met.
        let known = spec.npcs.iter().filter(|npc| dm || facts.npcs.contains_key(&npc.id));
        let npc = |npc: &twicetold_world::setup::NpcSpec| {
            self.so().say("id", &npc.id).say("name", npc.name()).say("role", &npc.role)
        };
        let check = |check: &twicetold_world::setup::CheckSpec| {
            self.so()
                .say("name", &check.name)
                .say("ability", &check.ability)
                .say("difficulty", check.difficulty)
        };
        let last = |(origin, check): &(twicetold_world::Origin, twicetold_event::AbilityChecked)| {
            let what = if check.check.is_empty() { &check.ability } else { &check.check };
            Facts::new(at(*origin), Audience::All)
                .say("character", &check.character)
                .say("what", what)
                .flag("success", check.success)
                .say("total", check.total)
        };
        let passed = |check: &twicetold_world::setup::CheckSpec| {
            let origin = encounter.achieved.get(&check.name)?;
            Some(Facts::new(at(*origin), Audience::All).say("name", &check.name))
        };
        let mut so = self
            .so()
            .flag("dm", dm)
            .say("encounter", &spec.id)
            .say("title", &spec.title)
            .flag("opening", encounter.narrations == 0)
            .flag("last", dm && encounter.index + 1 == state.setup().encounters.len())
            .say("messages", encounter.messages)
            .say("messages_max", state.messages_max())
            .say("experience", facts.experience)
            .flag("experienced", facts.experience != 0);
        for (name, fact) in [
            ("objective", &facts.objective),
            ("location", &facts.location),
            ("time_of_day", &facts.time_of_day),
            ("scene", &facts.scene),
        ] {
            if let Some((origin, text)) = fact {
                so = so.say_of(name, one_line(text), at(*origin));
            }
        }
        let so = so
            .list("npcs", known.map(npc).collect())
            .list("people", self.people(&spec.id))
            .list(
                "checks",
                spec.checks.iter().filter(|check| !encounter.is_overtaken(check)).map(check).collect(),
            )
            .list("passed_checks", spec.checks.iter().filter_map(passed).collect())
            .list("last_checks", encounter.recent_checks.iter().map(last).collect())
            .list("fallen", self.fallen())
            .list("characters", self.characters(dm))
            .list("combat", state.combat().map(|combat| self.combat(combat)).into_iter().collect());
        let so = if dm { self.dm_state(so, encounter) } else { so };
        self.text("state.play", &so);
    }

    /// What the DM alone is told of an encounter.
    fn dm_state(&self, so: Facts, encounter: &twicetold_world::Encounter) -> Facts {
        let state = self.state;
        let limits = &state.setup().limits;
        let needs = |id: &str| {
            let goals = state.encounter_spec().map_or(&[][..], |spec| &spec.goals);
            let goal = goals.iter().find(|goal| goal.id == id && !goal.needs.is_empty());
            goal.map(|goal| goal.needs.join("; "))
        };
        let goal = |goal: twicetold_world::Goal| {
            let source = goal.registered.unwrap_or(encounter.began);
            Facts::new(at(source), Audience::Dm)
                .say("id", &goal.id)
                .flag("primary", goal.primary)
                .flag("failure", goal.failure)
                .say_some("needs", needs(&goal.id))
                .say("label", one_line(&goal.label))
        };
        // What another check has made impossible is no goal any more.
        let can_be_reached = |goal: &twicetold_world::Goal| {
            let spec = state.encounter_spec();
            let last = spec.and_then(|spec| {
                let goal = spec.goals.iter().find(|known| known.id == goal.id)?;
                let last = goal.needs.last()?;
                spec.checks.iter().find(|check| check.name == *last)
            });
            last.is_none_or(|last| {
                encounter.achieved.contains_key(&last.name) || !encounter.is_overtaken(last)
            })
        };
        let struck = |struck: &twicetold_world::Struck| {
            Facts::new(at(struck.origin), Audience::Dm).say("id", &struck.goal)
        };
        // Of goals whose checks have all passed, and of what has gone wrong: until then they would only be read in vain.
        let specs = state.encounter_spec().map_or(&[][..], |spec| &spec.goals);
        let near = specs.iter().filter(|goal| match goal.failure {
            true => encounter.struck.as_ref().is_some_and(|struck| struck.goal == goal.id),
            false => !goal.needs.is_empty() && encounter.has_achieved(&goal.needs),
        });
        let near = near.filter(|goal| !goal.ending.is_empty());
        let ending = |goal: &twicetold_world::setup::GoalSpec| {
            let facts = Facts::new(at(encounter.began), Audience::Dm).say("id", &goal.id);
            facts.say("text", one_line(&state.ending_of(goal)))
        };
        let left = limits.dynamic_goals_max.saturating_sub(encounter.registered.len() as u32);
        so.say("dialogues", state.conversations().in_encounter)
            .say("dialogues_max", limits.dialogues_per_encounter_max)
            .list("goals", state.goals().into_iter().filter(can_be_reached).map(goal).collect())
            .list("endings", near.map(ending).collect())
            .list("struck", encounter.struck.iter().map(struck).collect())
            .flag("registration", encounter.messages < limits.goal_messages_max && left > 0)
            .say("passed", encounter.passed)
            .say("failed", encounter.failed)
            .flag("stale", crate::is_document_stale(state))
    }

    /// Those of the party who can do nothing.
    fn fallen(&self) -> Vec<Facts> {
        let fallen = self.state.characters().values().filter(|character| !character.stands());
        let facts = |character: &twicetold_world::Character| {
            Facts::new(at(character.changed), Audience::All)
                .say("name", &character.sheet.name)
                .flag("down", character.lost.is_none())
                .flag("dead", character.lost == Some(Fate::Dies))
                .flag("captured", character.lost == Some(Fate::Captured))
        };
        fallen.map(facts).collect()
    }

    fn characters(&self, dm: bool) -> Vec<Facts> {
        let shown = self.state.characters().iter().filter(|(seat, _)| dm || **seat == self.seat);
        let character = |(seat, character): (&Seat, &twicetold_world::Character)| {
            Facts::new(at(character.accepted), Audience::All)
                .say("name", &character.sheet.name)
                .say("seat", self.reading.seat(*seat))
                .say("class", &character.sheet.class)
                .say_of("hit_points", character.hit_points, at(character.hit_points_changed))
                .say("hit_points_max", character.sheet.hit_points)
                .say_of("gold", character.gold, at(character.gold_changed))
                .list("items", carried(&character.inventory, true))
        };
        shown.map(character).collect()
    }
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
