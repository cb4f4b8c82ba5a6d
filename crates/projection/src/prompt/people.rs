//! What templates say of the DM's characters: to the DM, to the players who met them, and to themselves.

use twicetold_event::{Audience, Event, MessageSpoken, Seat, Source};
use twicetold_world::setup::EncounterSpec;
use twicetold_world::{Npc, NpcKind, Origin};

use super::View;
use super::fill::at;
use crate::answers::role;
use crate::template::{Facts, Line, render};

/// An action and what the narrator made of it.
const JUST_NOW_MESSAGES: usize = 2;

impl View<'_> {
    /// The characters of the encounter for the DM.
    pub(super) fn npcs(&self, spec: &EncounterSpec, began: Source) -> Vec<Line> {
        let mut lines = Vec::new();
        for known in &spec.npcs {
            let facts = Facts::new(began, Audience::Dm).say("name", known.name()).say("role", &known.role);
            let facts = facts.say("id", &known.id).say("persona", &known.persona);
            let tells = Some(&known.says.tells).filter(|tells| !tells.is_empty());
            lines.extend(self.say("npc", facts.say_some("tells", tells)));
        }
        lines
    }

    /// What they remember, as far as the history does not tell it.
    fn npcs_remember(&self) -> Vec<Line> {
        let Some(spec) = self.state.encounter_spec() else { return Vec::new() };
        let here = spec.npcs.iter().filter_map(|known| self.state.npcs().get(&known.id));
        let remembered = |npc: &Npc| {
            let mut lines = self.memories(npc, |origin| self.is_old(origin));
            if !lines.is_empty() {
                let facts = Facts::new(at(npc.entered), Audience::Dm).say("name", &npc.name);
                lines.splice(0..0, self.say("met", facts));
            }
            lines
        };
        here.flat_map(remembered).collect()
    }

    /// Names that speak of people.
    pub(super) fn filled_people(&self, name: &str) -> Option<Vec<Line>> {
        Some(match name {
            "npcs_remember" => self.npcs_remember(),
            "supporting_npcs" => self.supporting(),
            "dialogues" => self.dialogues(),
            "whispers" => self.whispers(),
            "dialogue_with" => self.partner().map(|npc| self.introduced(npc)).unwrap_or_default(),
            _ => return None,
        })
    }

    /// What a character knows, and nothing else: its own prompt is made of this alone.
    pub(super) fn filled_companion(&self, npc: &Npc, name: &str) -> Vec<Line> {
        let state = self.state;
        let dm = |text: String| vec![Line::dm(text, at(npc.entered))];
        let changed = |text: String| vec![Line::dm(text, at(npc.changed))];
        match name {
            "title" => {
                vec![Line::written(state.setup().campaign.title.clone(), twicetold_event::Source::Charter)]
            }
            "tone" => {
                vec![Line::written(state.setup().campaign.tone.clone(), twicetold_event::Source::Charter)]
            }
            "you" => dm(npc.name.clone()),
            "role" => {
                let facts = role(Facts::new(at(npc.entered), Audience::Dm), npc);
                self.say("role", facts)
            }
            "persona" => self.own_persona(npc),
            "trust" => changed(npc.trust.to_string()),
            "feelings" => {
                let feeling = |(name, feeling): (&String, &twicetold_world::Feeling)| {
                    let left = feeling.until.map(|until| until.saturating_sub(state.turn().number));
                    let facts = Facts::new(at(feeling.origin), Audience::Dm).say("feeling", name);
                    self.say("feeling", facts.say("strength", feeling.strength).say_some("left", left))
                };
                npc.feelings.iter().flat_map(feeling).collect()
            }
            "items" => {
                let item = |(name, count, origin): &(String, u32, twicetold_world::Origin)| {
                    let facts = Facts::new(at(*origin), Audience::Dm);
                    self.say("item", facts.say("item", name).say("count", count))
                };
                npc.inventory.values().flat_map(item).collect()
            }
            "conditions" if !npc.conditions.is_empty() => {
                let item = |name| Facts::new(at(npc.changed), Audience::Dm).say("item", name);
                let facts = Facts::new(at(npc.changed), Audience::Dm);
                self.say("list", facts.list("items", npc.conditions.iter().map(item).collect()))
            }
            "memories" => {
                let saw = state.witnessed(npc).flat_map(|(origin, text)| {
                    let facts = Facts::new(at(*origin), Audience::Dm).say("text", text);
                    self.say("remembers", facts)
                });
                let most = state.setup().limits.npc_memories_shown_max as usize;
                let mut saw: Vec<Line> = saw.collect();
                saw.drain(..saw.len().saturating_sub(most));
                self.memories(npc, |_| true).into_iter().chain(saw).collect()
            }
            "dialogues" => self.past_dialogues(npc, |_| true),
            "company" => self.company(),
            "reminders" => self.dialogue_reminders(npc),
            "scenario_public" => self.scenario(false),
            "location" => match (&state.facts().location, state.encounter().zip(state.encounter_spec())) {
                (None, Some((encounter, spec))) => {
                    vec![Line::written(spec.setting.location.clone(), at(encounter.began))]
                }
                _ => self.filled_facts(name).unwrap_or_default(),
            },
            "scene" => self.filled_facts(name).unwrap_or_default(),
            "just_now" => self.just_now(),
            _ => Vec::new(),
        }
    }

    /// The last words of the main story: why a character is spoken to.
    fn just_now(&self) -> Vec<Line> {
        let spoken = self.state.history().main.iter().rev().filter_map(|kept| match &kept.event {
            Event::MessageSpoken(word) if word.audience == Audience::All => Some((kept.origin, word)),
            _ => None,
        });
        let mut last: Vec<_> = spoken.take(JUST_NOW_MESSAGES).collect();
        last.reverse();
        let line = |(origin, word): (Origin, &MessageSpoken)| {
            render(self.texts, "history.speech", &self.said(word, at(origin)))
        };
        last.into_iter().flat_map(line).collect()
    }

    fn partner(&self) -> Option<&Npc> {
        self.state.dialogue().and_then(|dialogue| self.state.npcs().get(&dialogue.npc))
    }

    fn introduced(&self, npc: &Npc) -> Vec<Line> {
        let facts = Facts::new(at(npc.entered), Audience::All).say("name", &npc.name);
        self.say("partner", role(facts, npc))
    }

    fn own_persona(&self, npc: &Npc) -> Vec<Line> {
        let mut lines = vec![Line::dm(npc.persona.clone(), at(npc.entered))];
        lines.extend(self.looks(npc));
        let spec = self.state.encounter_spec();
        if let Some(known) = spec.and_then(|spec| spec.npcs.iter().find(|known| known.id == npc.id)) {
            for (field, text) in known.says.named().into_iter().filter(|(_, text)| !text.is_empty()) {
                let facts = Facts::new(at(npc.entered), Audience::Dm).say("field", field).say("text", text);
                lines.extend(self.say("own_words", facts));
            }
        }
        lines
    }

    /// What a character remembers of other encounters and learned of the party, the newest.
    fn memories(&self, npc: &Npc, is_meant: impl Fn(Origin) -> bool) -> Vec<Line> {
        let mut lines: Vec<(Origin, Vec<Line>)> = Vec::new();
        for memory in npc.memories.iter().filter(|memory| is_meant(memory.origin)) {
            let facts = Facts::new(at(memory.origin), Audience::Dm);
            let facts = match memory.carried.as_str() {
                "" => facts.text("text", "memory", "encounter", &memory.values),
                carried => facts.say("text", carried),
            };
            lines.push((memory.origin, self.say("remembers", facts)));
        }
        for (origin, text) in npc.learned.iter().filter(|(origin, _)| is_meant(*origin)) {
            if let Some(line) = self.text_line(text, *origin, Audience::Dm) {
                let facts = Facts::new(at(*origin), Audience::Dm).lines("text", vec![line]);
                lines.push((*origin, self.say("knows", facts)));
            }
        }
        lines.sort_by_key(|(origin, _)| *origin);
        let most = self.state.setup().limits.npc_memories_shown_max as usize;
        let skip = lines.len().saturating_sub(most);
        lines.into_iter().skip(skip).flat_map(|(_, line)| line).collect()
    }

    fn past_dialogues(&self, npc: &Npc, is_meant: impl Fn(Origin) -> bool) -> Vec<Line> {
        let most = self.state.setup().limits.dialogues_shown_max as usize;
        let meant = npc.dialogues.iter().filter(|past| is_meant(past.origin));
        let summed = meant.filter_map(|past| Some((past, past.text.as_ref()?)));
        let shown: Vec<_> = summed.rev().take(most).collect();
        let mut lines = Vec::new();
        for (past, text) in shown.into_iter().rev() {
            let audience =
                Audience::Seats([Seat::Dm].into_iter().chain(past.seats.iter().copied()).collect());
            if !audience.includes(self.seat) {
                continue;
            }
            if let Some(line) = self.text_line(text, past.origin, audience.clone()) {
                let facts = Facts::new(at(past.origin), audience).say("name", &npc.name);
                lines.extend(self.say("talk", facts.lines("text", vec![line])));
            }
        }
        lines
    }

    /// What is kept of dialogues that this seat was part of.
    fn dialogues(&self) -> Vec<Line> {
        self.state
            .npcs()
            .all()
            .flat_map(|npc| self.past_dialogues(npc, |origin| self.is_old(origin)))
            .collect()
    }

    fn whispers(&self) -> Vec<Line> {
        let most = self.state.setup().limits.whispers_shown_max as usize;
        let heard = |whisper: &&twicetold_world::Whisper| {
            (whisper.from == self.seat || whisper.to == self.seat) && self.is_old(whisper.origin)
        };
        let whispers = self.state.conversations().whispers.iter().rev().filter(heard).take(most);
        let line = |whisper: &twicetold_world::Whisper| {
            let (from, to) = (self.seat_name(whisper.from), self.seat_name(whisper.to));
            let facts = Facts::new(at(whisper.origin), Audience::Seats([whisper.from, whisper.to].into()));
            self.say("whisper", facts.say("from", from).say("to", to).say("text", &whisper.text))
        };
        let shown: Vec<Vec<Line>> = whispers.map(line).collect();
        shown.into_iter().rev().flatten().collect()
    }

    /// Characters who entered the story during play: whole for the DM, for players as far as they met them.
    fn supporting(&self) -> Vec<Line> {
        let most = self.state.setup().limits.npcs_shown_max as usize;
        let entered = self.state.npcs().all().filter(|npc| npc.kind != NpcKind::Campaign);
        let mut lines = Vec::new();
        for npc in entered.rev().take(most) {
            if self.seat == Seat::Dm {
                let facts = Facts::new(at(npc.entered), Audience::Dm)
                    .say("name", &npc.name)
                    .say("id", &npc.id)
                    .say("monster", &npc.monster)
                    .say("place", &npc.location)
                    .say("about", &npc.persona);
                lines.extend(self.say("supporting", role(facts, npc)));
                lines.extend(self.looks(npc));
                lines.extend(self.memories(npc, |origin| self.is_old(origin)));
            } else if self.state.facts().npcs.contains_key(&npc.id) {
                let facts = Facts::new(at(npc.entered), Audience::All).say("name", &npc.name);
                lines.extend(self.say("seen", role(facts, npc)));
            }
        }
        lines
    }

    /// The players' characters who take part in a dialogue, as they are seen.
    fn company(&self) -> Vec<Line> {
        let state = self.state;
        let Some(dialogue) = state.dialogue() else { return Vec::new() };
        let seen = |seat: &Seat| {
            let character = state.characters().get(seat)?;
            let class = state.setup().rules.class(&character.sheet.class);
            let class = class.map_or(character.sheet.class.as_str(), |class| &class.name);
            let facts = Facts::new(at(character.accepted), Audience::All).say("name", &character.sheet.name);
            Some(self.say("company", facts.say("class", class)))
        };
        dialogue.joined.keys().filter_map(seen).flatten().collect()
    }

    /// Reminders in a character's own history.
    fn dialogue_reminders(&self, npc: &Npc) -> Vec<Line> {
        let turn = self.state.turn().number;
        let recent = npc.history.kept.iter().filter(|kept| kept.turn == turn);
        recent.flat_map(|kept| self.reminder(kept)).collect()
    }

    fn looks(&self, npc: &Npc) -> Vec<Line> {
        let Some(profile) = &npc.profile else { return Vec::new() };
        let facts = Facts::new(at(profile.origin), Audience::Dm)
            .say("appearance", &profile.appearance)
            .say("personality", &profile.personality)
            .say("motivations", profile.motivations.join(", "))
            .say("notes", &profile.notes);
        self.say("profile", facts)
    }
}
