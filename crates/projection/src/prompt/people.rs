//! What templates say of the DM's characters: to the DM, to the players who met them, and to themselves.

use twicetold_event::{Audience, Event, Seat, Source};
use twicetold_world::setup::EncounterSpec;
use twicetold_world::{Npc, NpcKind};

use super::View;
use super::fill::{Line, at};

impl View<'_> {
    /// The characters of the encounter for the DM: persona, and what they remember.
    pub(super) fn npcs(&self, spec: &EncounterSpec, began: Source) -> Vec<Line> {
        let mut lines = Vec::new();
        for known in &spec.npcs {
            let (name, role, id, persona) = (known.name(), &known.role, &known.id, &known.persona);
            lines.push(Line::dm(format!("- {name} ({role}, id {id}): {persona}\n"), began));
            let npc = self.state.npcs().get(&known.id);
            lines.extend(npc.into_iter().flat_map(|npc| self.memories(npc)));
        }
        lines
    }

    /// Names that speak of people.
    pub(super) fn filled_people(&self, name: &str) -> Option<Vec<Line>> {
        Some(match name {
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
            "role" => dm(npc.description.clone()),
            "persona" => self.own_persona(npc),
            "trust" => changed(npc.trust.to_string()),
            "feelings" => {
                let feeling = |(name, feeling): (&String, &twicetold_world::Feeling)| {
                    let left = feeling.until.map(|until| until.saturating_sub(state.turn().number));
                    let left = left.map_or_else(String::new, |left| format!(", for {left} more turns"));
                    Line::dm(format!("- {name} {}{left}\n", feeling.strength), at(feeling.origin))
                };
                npc.feelings.iter().map(feeling).collect()
            }
            "items" => {
                let item = |(name, count, origin): &(String, u32, twicetold_world::Origin)| {
                    Line::dm(format!("- {name} ×{count}\n"), at(*origin))
                };
                npc.inventory.values().map(item).collect()
            }
            "conditions" if !npc.conditions.is_empty() => {
                changed(npc.conditions.iter().cloned().collect::<Vec<_>>().join(", "))
            }
            "memories" => self.memories(npc),
            "dialogues" => self.past_dialogues(npc),
            "company" => self.company(),
            "reminders" => self.dialogue_reminders(npc),
            "location" => state
                .facts()
                .location
                .iter()
                .map(|(origin, text)| Line::written(text.clone(), at(*origin)))
                .collect(),
            _ => Vec::new(),
        }
    }

    fn partner(&self) -> Option<&Npc> {
        self.state.dialogue().and_then(|dialogue| self.state.npcs().get(&dialogue.npc))
    }

    fn introduced(&self, npc: &Npc) -> Vec<Line> {
        vec![Line::written(format!("{} ({})", npc.name, npc.description), at(npc.entered))]
    }

    fn own_persona(&self, npc: &Npc) -> Vec<Line> {
        let mut lines = vec![Line::dm(npc.persona.clone(), at(npc.entered))];
        lines.extend(profile(npc));
        lines
    }

    /// What a character remembers of other encounters and learned of the party, the newest.
    fn memories(&self, npc: &Npc) -> Vec<Line> {
        let mut lines: Vec<(twicetold_world::Origin, Line)> = Vec::new();
        for (origin, _, text) in &npc.memories {
            lines.push((*origin, Line::dm(format!("  - remembers: {text}\n"), at(*origin))));
        }
        for (origin, text) in &npc.learned {
            if let Some(line) = self.text_line(text, *origin, Audience::Dm) {
                let label = Line::dm("  - knows: ".into(), at(*origin));
                let end = Line::dm("\n".into(), at(*origin));
                lines.extend([label, line, end].map(|line| (*origin, line)));
            }
        }
        lines.sort_by_key(|(origin, _)| *origin);
        let most = self.state.setup().limits.npc_memories_shown_max as usize * 3;
        let skip = lines.len().saturating_sub(most);
        lines.into_iter().skip(skip).map(|(_, line)| line).collect()
    }

    fn past_dialogues(&self, npc: &Npc) -> Vec<Line> {
        let most = self.state.setup().limits.dialogues_shown_max as usize;
        let summed = npc.dialogues.iter().filter_map(|past| Some((past, past.text.as_ref()?)));
        let shown: Vec<_> = summed.rev().take(most).collect();
        let mut lines = Vec::new();
        for (past, text) in shown.into_iter().rev() {
            let audience =
                Audience::Seats([Seat::Dm].into_iter().chain(past.seats.iter().copied()).collect());
            if !audience.includes(self.seat) {
                continue;
            }
            if let Some(line) = self.text_line(text, past.origin, audience.clone()) {
                let label = Line::written(format!("- With {}: ", npc.name), at(past.origin));
                lines.extend([label, line, Line::written("\n".into(), at(past.origin))]);
            }
        }
        lines
    }

    /// What is kept of dialogues that this seat was part of.
    fn dialogues(&self) -> Vec<Line> {
        self.state.npcs().all().flat_map(|npc| self.past_dialogues(npc)).collect()
    }

    fn whispers(&self) -> Vec<Line> {
        let most = self.state.setup().limits.whispers_shown_max as usize;
        let heard =
            |whisper: &&twicetold_world::Whisper| whisper.from == self.seat || whisper.to == self.seat;
        let whispers = self.state.conversations().whispers.iter().rev().filter(heard).take(most);
        let line = |whisper: &twicetold_world::Whisper| {
            let (from, to) = (self.state.seat_name(whisper.from), self.state.seat_name(whisper.to));
            let audience = Audience::Seats(vec![whisper.from, whisper.to]);
            let line = Line::written(format!("- {from} to {to}: {}\n", whisper.text), at(whisper.origin));
            Line { audience, ..line }
        };
        let mut lines: Vec<Line> = whispers.map(line).collect();
        lines.reverse();
        lines
    }

    /// Characters who entered the story during play: whole for the DM, for players as far as they met them.
    fn supporting(&self) -> Vec<Line> {
        let most = self.state.setup().limits.npcs_shown_max as usize;
        let entered = self.state.npcs().all().filter(|npc| npc.kind != NpcKind::Campaign);
        let mut lines = Vec::new();
        for npc in entered.rev().take(most) {
            if self.seat == Seat::Dm {
                let monster = if npc.monster.is_empty() {
                    String::new()
                } else {
                    format!(", fights as {}", npc.monster)
                };
                let (name, role, place, about) = (&npc.name, &npc.description, &npc.location, &npc.persona);
                let text = format!("- {name} ({role}, id {}{monster}), {place}: {about}\n", npc.id);
                lines.push(Line::dm(text, at(npc.entered)));
                lines.extend(profile(npc));
                lines.extend(self.memories(npc));
            } else if self.state.facts().npcs.contains_key(&npc.id) {
                let text = format!("- {} ({})\n", npc.name, npc.description);
                lines.push(Line::written(text, at(npc.entered)));
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
            let text = format!("- {}, {class}\n", character.sheet.name);
            Some(Line::written(text, at(character.accepted)))
        };
        dialogue.joined.keys().filter_map(seen).collect()
    }

    /// Reminders in a character's own history.
    fn dialogue_reminders(&self, npc: &Npc) -> Vec<Line> {
        let turn = self.state.turn().number;
        let recent = npc.history.kept.iter().filter(|kept| kept.turn == turn);
        let nudge = |kept: &twicetold_world::Remembered| match &kept.event {
            Event::NudgeGiven(word) => Some(Line::dm(format!("- {}\n", word.text), at(kept.origin))),
            _ => None,
        };
        recent.filter_map(nudge).collect()
    }
}

fn profile(npc: &Npc) -> Option<Line> {
    let profile = npc.profile.as_ref()?;
    let text = format!(
        "  Looks: {} Is: {} Wants: {}. {}\n",
        profile.appearance,
        profile.personality,
        profile.motivations.join(", "),
        profile.notes
    );
    Some(Line::dm(text, at(profile.origin)))
}
