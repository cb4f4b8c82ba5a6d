//! What the names in a prompt template stand for.

use std::collections::BTreeMap;

use twicetold_event::{Audience, Event, Seat, Section, Source, Text};
use twicetold_world::setup::{EncounterSpec, TextFile};
use twicetold_world::{Character, Inventory, Origin, Remembered, SectionEntry};

use super::View;
use crate::template::{Facts, Lies, Line, render};
use crate::words;

pub(super) fn at(origin: Origin) -> Source {
    Source::Event(origin.0)
}

/// What the names of tools begin with.
const TOOL: &str = "tools.";

impl View<'_> {
    /// The lines that a name stands for; none when there is nothing to say, or nothing that the seat may know.
    pub(super) fn filled(&self, name: &str) -> Vec<Line> {
        let mut lines = self.named(name);
        lines.retain(|line| line.audience.includes(self.seat));
        lines
    }

    fn named(&self, name: &str) -> Vec<Line> {
        if let Some(npc) = self.companion {
            return self.filled_companion(npc, name);
        }
        let setup = self.state.setup();
        let charter = |text: &str| match text.trim() {
            "" => Vec::new(),
            text => vec![Line::written(text.to_owned(), Source::Charter)],
        };
        match name {
            "title" => charter(&setup.campaign.title),
            "tone" => charter(&setup.campaign.tone),
            "party_name_hint" => charter(&setup.campaign.party_name_hint),
            "rules_title" => charter(&setup.rules.pack.title),
            "you" => vec![Line::written(self.seat_name(self.seat), Source::State)],
            "player_names" => self.player_names(),
            "people" => self.people_here(),
            "guides" => self.page_paths("guides/"),
            "classes" => self.page_paths("classes/"),
            "scenario_public" => self.scenario(false),
            "scenario_dm" => self.scenario(true),
            "party_document" => self.document(false),
            "party_secrets" => self.document(true),
            "characters" => {
                self.state.characters().iter().flat_map(|(seat, c)| self.character(*seat, c)).collect()
            }
            "character_secrets" => self.character_secrets(),
            "own_character" => self.own_character(),
            "own_secret" => self.own_secret(),
            "own_story" => self.own_story(),
            "story_so_far" => self.story_so_far(),
            "reminders" => self.reminders(),
            "sheet_rules" => render(self.texts, "state.sheet_rules", &self.sheet_rules()),
            name if name.starts_with(TOOL) => self.tool(&name[TOOL.len()..]),
            name if name.contains('.') => self.read_word(name).into_iter().collect(),
            _ => self
                .filled_facts(name)
                .or_else(|| self.filled_people(name))
                .or_else(|| self.filled_encounter(name))
                .unwrap_or_default(),
        }
    }

    /// A tool by its name, where the encounter allows it: no prompt speaks of one that its seat does not have.
    fn tool(&self, tool: &str) -> Vec<Line> {
        let allowed = self.state.encounter_spec().is_none_or(|spec| spec.allows(tool));
        allowed.then(|| Line::written(tool.to_owned(), Source::Charter)).into_iter().collect()
    }

    /// The word of `reading.toml` that is shown.
    fn read_word(&self, key: &str) -> Option<Line> {
        let text = self.texts.get(key)?;
        let word = self.reading.first(key);
        let start = text.range.start + text.content[text.range.clone()].find(word)?;
        let lies = match text.file {
            TextFile::Charter(index) => Lies::File(index, start as u32),
            TextFile::Program => Lies::Here,
        };
        Some(Line { text: word.to_owned(), lies, source: Source::Charter, audience: Audience::All })
    }

    fn player_names(&self) -> Vec<Line> {
        let names: Vec<String> = self.state.setup().players().map(|seat| self.seat_name(seat)).collect();
        vec![Line::written(names.join(", "), Source::State)]
    }

    /// The DM's people of the encounter, in a few words each.
    fn people_here(&self) -> Vec<Line> {
        let Some((encounter, spec)) = self.state.encounter().zip(self.state.encounter_spec()) else {
            return Vec::new();
        };
        let began = at(encounter.began);
        let known = |npc: &twicetold_world::setup::NpcSpec| {
            self.seat == Seat::Dm || self.state.facts().npcs.contains_key(&npc.id)
        };
        let person = |npc: &twicetold_world::setup::NpcSpec| {
            Facts::new(began, Audience::All).say("name", npc.name()).say("role", &npc.role)
        };
        let people: Vec<Facts> = spec.npcs.iter().filter(|npc| known(npc)).map(person).collect();
        match people.is_empty() {
            true => Vec::new(),
            false => self.say("people", Facts::new(began, Audience::All).list("people", people)),
        }
    }

    fn page_paths(&self, prefix: &str) -> Vec<Line> {
        let paths = self.state.setup().rules.pages.keys().filter(|path| path.starts_with(prefix));
        let paths: Vec<&str> = paths.map(String::as_str).collect();
        vec![Line::written(paths.join(", "), Source::Charter)]
    }

    /// The scenario as it stands: that of Session Zero, or before it the campaign's own.
    pub(super) fn scenario(&self, dm: bool) -> Vec<Line> {
        let Some((origin, scenario)) = &self.state.session_zero().scenario else {
            let draft = &self.state.setup().campaign.scenario;
            let text = if dm { &draft.dm } else { &draft.public };
            let line = Line::written(text.trim().to_owned(), Source::Charter);
            let audience = if dm { Audience::Dm } else { Audience::All };
            return vec![Line { audience, ..line }];
        };
        let text = if dm { &scenario.dm } else { &scenario.public };
        let audience = if dm { Audience::Dm } else { Audience::All };
        self.text_line(text, *origin, audience).into_iter().collect()
    }

    pub(super) fn text_line(&self, text: &Text, origin: Origin, audience: Audience) -> Option<Line> {
        let shown = words(self.replies, text);
        if shown.trim().is_empty() {
            return None;
        }
        let lies = match text {
            Text::Reply { call, start, .. } => Lies::Reply(*call, *start),
            Text::Written(_) => Lies::Here,
        };
        Some(Line { text: shown.to_owned(), lies, source: at(origin), audience })
    }

    /// What of it the history does not tell.
    fn document(&self, secrets: bool) -> Vec<Line> {
        self.sections(secrets, |origin| self.is_old(origin))
    }

    fn sections(&self, secrets: bool, is_meant: impl Fn(Origin) -> bool) -> Vec<Line> {
        let mut lines = Vec::new();
        for (section, kept) in &self.state.document().sections {
            if (*section == Section::Secrets) != secrets {
                continue;
            }
            let audience = Event::section_audience(*section);
            let entry = |(place, entry): (usize, &SectionEntry)| {
                if !is_meant(entry.origin) {
                    return None;
                }
                let line = self.text_line(&entry.text, entry.origin, audience.clone())?;
                let facts = Facts::new(at(entry.origin), audience.clone()).lines("text", vec![line]);
                let facts = facts.flag("dm", self.seat == Seat::Dm).say("entry", place + 1);
                Some(facts.flag("later", place > 0).say("turn", entry.turn))
            };
            let entries: Vec<Facts> = kept.entries.iter().enumerate().filter_map(entry).collect();
            if !entries.is_empty() {
                let changed =
                    kept.entries.iter().map(|entry| entry.origin).filter(|origin| is_meant(*origin));
                let changed = changed.max().unwrap_or_default();
                let facts = Facts::new(at(changed), audience.clone());
                let facts = facts.term("section", "sections", section.name());
                lines.extend(self.say("section", facts.list("entries", entries)));
            }
        }
        lines
    }

    fn character(&self, seat: Seat, character: &Character) -> Vec<Line> {
        let rules = &self.state.setup().rules;
        let sheet = &character.sheet;
        let class = rules.class(&sheet.class).map_or(sheet.class.as_str(), |class| &class.name);
        let facts = Facts::new(at(character.accepted), Audience::All);
        let abilities = rules.pack.abilities.names.iter().zip(&sheet.abilities);
        let abilities = abilities.map(|(name, score)| facts.fresh().say("ability", name).say("score", score));
        let abilities = abilities.collect();
        let facts = facts
            .say("name", &sheet.name)
            .say("seat", self.reading.seat(seat))
            .say("class", class)
            .list("abilities", abilities)
            .say_of("hit_points", character.hit_points, at(character.hit_points_changed))
            .say("hit_points_max", sheet.hit_points)
            .say("armor_class", sheet.armor_class)
            .say_of("gold", character.gold, at(character.gold_changed))
            .list("items", carried(&character.inventory, false))
            .list("conditions", conditions(&character.conditions))
            .say("background", &sheet.background);
        self.say("character", facts)
    }

    fn own_character(&self) -> Vec<Line> {
        let Some(character) = self.state.characters().get(&self.seat) else { return Vec::new() };
        let mut lines = self.character(self.seat, character);
        lines.extend(self.own_secret());
        lines
    }

    fn own_secret(&self) -> Vec<Line> {
        let character = self.state.characters().get(&self.seat);
        let Some(character) = character.filter(|character| !character.sheet.secret.is_empty()) else {
            return Vec::new();
        };
        let facts = Facts::new(at(character.accepted), Event::secret_audience(self.seat));
        self.say("own_secret", facts.say("secret", &character.sheet.secret))
    }

    fn own_story(&self) -> Vec<Line> {
        let Some(character) = self.state.characters().get(&self.seat) else { return Vec::new() };
        let background = character.sheet.background.trim();
        vec![Line::written(background.to_owned(), at(character.accepted))]
    }

    fn character_secrets(&self) -> Vec<Line> {
        // Session Zero writes them into the party document too, and nothing stands twice.
        let written = self.sections(true, |_| true);
        let is_told =
            |secret: &str| secret.is_empty() || written.iter().any(|line| line.text.contains(secret));
        let characters = self.state.characters().iter();
        let kept = characters.filter(|(_, character)| !is_told(&character.sheet.secret));
        kept.flat_map(|(seat, character)| {
            let facts = Facts::new(at(character.accepted), Event::secret_audience(*seat));
            let sheet = &character.sheet;
            self.say("secret", facts.say("name", &sheet.name).say("secret", &sheet.secret))
        })
        .collect()
    }

    fn story_so_far(&self) -> Vec<Line> {
        let summary = self.state.history().summary.as_ref();
        summary
            .and_then(|summary| self.text_line(&summary.text, summary.origin, Audience::All))
            .into_iter()
            .collect()
    }

    /// Reminders of this turn.
    fn reminders(&self) -> Vec<Line> {
        let history = &self.state.history().main;
        let recent = history.iter().rev().take_while(|kept| kept.turn + 1 >= self.state.turn().number);
        let recent: Vec<&Remembered> = recent.collect();
        recent.into_iter().rev().flat_map(|kept| self.reminder(kept)).collect()
    }

    /// A reminder; nothing for another event.
    pub(super) fn reminder(&self, kept: &Remembered) -> Vec<Line> {
        let Event::NudgeGiven(word) = &kept.event else { return Vec::new() };
        let facts = Facts::new(at(kept.origin), Audience::Dm);
        self.say("reminder", facts.text("text", "reminder", word.nudge.name(), &word.values))
    }

    /// A line of `lines.toml`.
    pub(super) fn say(&self, name: &str, facts: Facts) -> Vec<Line> {
        render(self.texts, &format!("lines.{name}"), &facts)
    }

    pub(super) fn filled_facts(&self, name: &str) -> Option<Vec<Line>> {
        let facts = self.state.facts();
        let limits = &self.state.setup().limits;
        let all = |origin: Origin| Facts::new(at(origin), Audience::All);
        let bullet = |(origin, text): &(Origin, String)| match self.is_old(*origin) {
            true => self.say("event", all(*origin).say("text", text)),
            false => Vec::new(),
        };
        Some(match name {
            "notable_events" => {
                facts.notable.last(limits.notable_events_shown_max).iter().flat_map(bullet).collect()
            }
            "important_events" => {
                facts.important.last(limits.important_events_shown_max).iter().flat_map(bullet).collect()
            }
            "milestones" => {
                facts.milestones.last(limits.milestones_shown_max).iter().flat_map(bullet).collect()
            }
            "quests" => facts
                .quests
                .iter()
                .filter(|(origin, ..)| self.is_old(*origin))
                .rev()
                .take(limits.important_events_shown_max as usize)
                .flat_map(|(origin, text, done)| {
                    self.say("quest", all(*origin).say("text", text).flag("done", *done))
                })
                .collect(),
            "npcs_met" => facts
                .npcs
                .values()
                .filter(|npc| self.is_old(npc.met))
                .rev()
                .take(limits.npcs_shown_max as usize)
                .flat_map(|npc| self.say("met", all(npc.met).say("name", &npc.name)))
                .collect(),
            "notes" => self.notes(),
            "scene" => {
                facts.scene.iter().map(|(origin, text)| Line::written(text.clone(), at(*origin))).collect()
            }
            "location" => {
                facts.location.iter().map(|(origin, text)| Line::written(text.clone(), at(*origin))).collect()
            }
            _ => return None,
        })
    }

    /// Is it left out of the history that prompts show? What stands there is not told twice, and what a server has read of a prompt stays
    /// the same until the history is cut.
    pub(super) fn is_old(&self, origin: Origin) -> bool {
        self.state.history().main.binary_search_by_key(&origin, |kept| kept.origin).is_err()
    }

    /// The DM's notes; when there are many, those that changed last.
    fn notes(&self) -> Vec<Line> {
        let flags = &self.state.facts().flags;
        let mut shown: Vec<_> = flags.iter().filter(|(_, (origin, _))| self.is_old(*origin)).collect();
        let most = self.state.setup().limits.notes_shown_max as usize;
        if shown.len() > most {
            shown.sort_by_key(|(_, (origin, _))| std::cmp::Reverse(*origin));
            shown.truncate(most);
            shown.sort();
        }
        let line = |(flag, (origin, value)): (&String, &(Origin, String))| {
            let facts = Facts::new(at(*origin), Audience::Dm);
            self.say("note", facts.say("note", flag).say("value", value))
        };
        shown.into_iter().flat_map(line).collect()
    }

    fn filled_encounter(&self, name: &str) -> Option<Vec<Line>> {
        let (encounter, spec) = self.state.encounter().zip(self.state.encounter_spec())?;
        let began = at(encounter.began);
        let bullets = |texts: &[String]| -> Vec<Line> {
            let line = |text| self.say("detail", Facts::new(began, Audience::Dm).say("text", text));
            texts.iter().flat_map(line).collect()
        };
        let dm = |text: &String| vec![Line::dm(text.clone(), began)];
        Some(match name {
            "encounter_title" => vec![Line::written(spec.title.clone(), began)],
            "encounter_tone" => dm(&spec.tone),
            "opening" if encounter.narrations == 0 => dm(&spec.opening),
            "mood" => dm(&spec.setting.mood),
            "ambient" => bullets(&spec.setting.ambient),
            "house_rules" => bullets(&spec.house_rules),
            "dm_notes" if !spec.dm_notes.is_empty() => dm(&spec.dm_notes),
            "npcs" => self.npcs(spec, began),
            "hidden_goals" => self.hidden_goals(began),
            "checks" => self.checks(spec, began),
            "checks_known" => self.checks_known(spec, began),
            "noticed" => encounter
                .revealed
                .iter()
                .filter(|(origin, _)| self.is_old(*origin))
                .flat_map(|(origin, word)| {
                    let facts = Facts::new(at(*origin), Audience::All);
                    self.say("noticed", facts.say("character", &word.character).say("text", &word.text))
                })
                .collect(),
            _ => return None,
        })
    }

    fn hidden_goals(&self, began: Source) -> Vec<Line> {
        let line = |goal: twicetold_world::Goal| {
            let facts = Facts::new(goal.registered.map_or(began, at), Audience::Dm);
            let facts = facts.say("id", &goal.id).say("label", &goal.label).flag("primary", goal.primary);
            let spec = self.state.encounter_spec();
            let spec = spec.and_then(|spec| spec.goals.iter().find(|known| known.id == goal.id));
            let strikes = spec.map(|spec| spec.strikes).unwrap_or_default();
            let needs = spec.map(|spec| spec.needs.join("; ")).filter(|needs| !needs.is_empty());
            let ending = spec.map(|spec| spec.ending.as_str()).filter(|ending| !ending.is_empty());
            // Told when the goal can be reached: see `table_state`.
            let later = goal.failure || spec.is_some_and(|spec| !spec.needs.is_empty());
            let worsens = spec.map(|spec| spec.worsens.as_slice()).unwrap_or_default();
            let worsens = worsens.iter().map(|text| facts.fresh().say("text", text)).collect();
            let facts = facts
                .list("worsens", worsens)
                .say_some("needs", needs)
                .say_some("ending", ending)
                .flag("later", later)
                .flag("failure", goal.failure)
                .say_some("messages", strikes.messages)
                .say_some("failed_checks", strikes.failed_checks)
                .flag("party_down", strikes.party_down);
            self.say("goal", facts)
        };
        let is_known =
            |goal: &twicetold_world::Goal| goal.registered.is_none_or(|origin| self.is_old(origin));
        self.state.goals().into_iter().filter(is_known).flat_map(line).collect()
    }

    fn checks(&self, spec: &EncounterSpec, began: Source) -> Vec<Line> {
        let line = |check: &twicetold_world::setup::CheckSpec| {
            let facts =
                Facts::new(began, Audience::Dm).say("name", &check.name).say("ability", &check.ability);
            let person = check.person.as_deref();
            let person = person.and_then(|id| spec.npcs.iter().find(|npc| npc.id == id));
            let facts = facts.say("difficulty", check.difficulty).say("note", &check.note);
            let facts = facts.say_some("person", person.map(|npc| npc.name()));
            let facts = facts.say_some("harm", check.harm.as_deref());
            let said = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            let facts = facts.say_some("scene", said(&check.scene)).say_some("again", said(&check.again));
            let facts = facts.say_some("twice", said(&check.twice));
            let facts = facts.say_some("success", said(&check.answers.success));
            self.say("check", facts.say_some("failure", said(&check.answers.failure)))
        };
        spec.checks.iter().flat_map(line).collect()
    }

    /// What a player is told of the checks: how hard one is, the DM knows.
    fn checks_known(&self, spec: &EncounterSpec, began: Source) -> Vec<Line> {
        let line = |check: &twicetold_world::setup::CheckSpec| {
            let facts = Facts::new(began, Audience::All).say("name", &check.name);
            let texts = |texts: &[String]| texts.iter().map(|text| facts.fresh().say("text", text)).collect();
            let (tries, remarks) = (texts(&check.tries), texts(&check.remarks));
            let facts = facts.say("ability", &check.ability).say_some("harm", check.harm.as_deref());
            let facts = facts.list("tries", tries).list("remarks", remarks);
            let said = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            let facts = facts.say_some("scene", said(&check.scene)).say_some("again", said(&check.again));
            self.say("check_known", facts)
        };
        spec.checks.iter().flat_map(line).collect()
    }
}

/// What somebody carries; with the number of single things too, where every number is shown.
pub(super) fn carried(inventory: &Inventory, single: bool) -> Vec<Facts> {
    let item = |(name, count, origin): &(String, u32, Origin)| {
        let facts = Facts::new(at(*origin), Audience::All).say("item", name);
        facts.say_some("count", (single || *count != 1).then_some(count)).flag("many", *count != 1)
    };
    inventory.values().map(item).collect()
}

/// Conditions with what brought them.
pub(super) fn conditions(conditions: &BTreeMap<String, Origin>) -> Vec<Facts> {
    let condition =
        |(name, origin): (&String, &Origin)| Facts::new(at(*origin), Audience::All).say("condition", name);
    conditions.iter().map(condition).collect()
}
