//! What the names in a prompt template stand for.

use twicetold_event::{Audience, CallId, Event, Seat, Section, Source, Text};
use twicetold_world::setup::EncounterSpec;
use twicetold_world::{Character, Origin, State};

use super::View;
use crate::words;

/// One sourced piece of text.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) text: String,
    /// Where it lies when it is a model's own words.
    pub(super) reply: Option<(CallId, u32)>,
    pub(super) source: Source,
    pub(super) audience: Audience,
}

impl Line {
    pub(super) fn written(text: String, source: Source) -> Line {
        Line { text, reply: None, source, audience: Audience::All }
    }

    pub(super) fn dm(text: String, source: Source) -> Line {
        Line { audience: Audience::Dm, ..Line::written(text, source) }
    }
}

pub(super) fn at(origin: Origin) -> Source {
    Source::Event(origin.0)
}

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
            "you" => vec![Line::written(self.state.seat_name(self.seat), Source::State)],
            "player_names" => self.player_names(),
            "guides" => self.page_paths("guides/"),
            "classes" => self.page_paths("classes/"),
            "scenario_public" => self.scenario(false),
            "scenario_dm" => self.scenario(true),
            "party_document" => self.document(false),
            "party_secrets" => self.document(true),
            "characters" => {
                self.state.characters().iter().map(|(seat, c)| self.character(*seat, c)).collect()
            }
            "character_secrets" => self.character_secrets(),
            "own_character" => self.own_character(),
            "story_so_far" => self.story_so_far(),
            "reminders" => self.reminders(),
            _ => self
                .filled_facts(name)
                .or_else(|| self.filled_people(name))
                .or_else(|| self.filled_encounter(name))
                .unwrap_or_default(),
        }
    }

    fn player_names(&self) -> Vec<Line> {
        let names: Vec<String> =
            self.state.setup().players().map(|seat| self.state.seat_name(seat)).collect();
        vec![Line::written(names.join(", "), Source::State)]
    }

    fn page_paths(&self, prefix: &str) -> Vec<Line> {
        let paths = self.state.setup().rules.pages.keys().filter(|path| path.starts_with(prefix));
        let paths: Vec<&str> = paths.map(String::as_str).collect();
        vec![Line::written(paths.join(", "), Source::Charter)]
    }

    /// The scenario as it stands: that of Session Zero, or before it the campaign's own.
    fn scenario(&self, dm: bool) -> Vec<Line> {
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
        let reply = match text {
            Text::Reply { call, start, .. } => Some((*call, *start)),
            Text::Written(_) => None,
        };
        Some(Line { text: shown.to_owned(), reply, source: at(origin), audience })
    }

    fn document(&self, secrets: bool) -> Vec<Line> {
        let mut lines = Vec::new();
        for (section, kept) in &self.state.document().sections {
            if (*section == Section::Secrets) != secrets {
                continue;
            }
            let audience = Event::section_audience(*section);
            if let Some(line) = self.text_line(&kept.text, kept.origin, audience.clone()) {
                let around =
                    |text: String| Line { audience: audience.clone(), ..Line::written(text, Source::State) };
                lines.extend([around(format!("### {}\n", section.name())), line, around("\n".into())]);
            }
        }
        lines
    }

    fn character(&self, seat: Seat, character: &Character) -> Line {
        let rules = &self.state.setup().rules;
        let sheet = &character.sheet;
        let abilities: Vec<String> = rules
            .pack
            .abilities
            .names
            .iter()
            .zip(&sheet.abilities)
            .map(|(name, score)| format!("{name} {score}"))
            .collect();
        let class = rules.class(&sheet.class).map_or(sheet.class.as_str(), |class| &class.name);
        let carried: Vec<String> = character
            .inventory
            .values()
            .map(|(name, count, _)| if *count == 1 { name.clone() } else { format!("{name} ×{count}") })
            .collect();
        let conditions: Vec<&str> = character.conditions.iter().map(String::as_str).collect();
        let conditions =
            if conditions.is_empty() { String::new() } else { format!(" Now: {}.", conditions.join(", ")) };
        let text = format!(
            "- {} ({seat}), {class}. {}. HP {}/{}, AC {}, gold {}. Carries {}.{conditions} {}\n",
            sheet.name,
            abilities.join(", "),
            character.hit_points,
            sheet.hit_points,
            sheet.armor_class,
            character.gold,
            carried.join(", "),
            sheet.background,
        );
        Line::written(text, at(character.changed))
    }

    fn own_character(&self) -> Vec<Line> {
        let Some(character) = self.state.characters().get(&self.seat) else { return Vec::new() };
        let mut lines = vec![self.character(self.seat, character)];
        if !character.sheet.secret.is_empty() {
            let text = format!("Your secret, known to you and the DM: {}\n", character.sheet.secret);
            let line = Line::written(text, at(character.accepted));
            lines.push(Line { audience: Event::secret_audience(self.seat), ..line });
        }
        lines
    }

    fn character_secrets(&self) -> Vec<Line> {
        let secret = |(seat, character): (&Seat, &Character)| {
            let sheet = &character.sheet;
            let line = Line::written(format!("- {}: {}\n", sheet.name, sheet.secret), at(character.accepted));
            (!sheet.secret.is_empty()).then(|| Line { audience: Event::secret_audience(*seat), ..line })
        };
        self.state.characters().iter().filter_map(secret).collect()
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
        let mut lines: Vec<Line> = recent
            .filter_map(|kept| match &kept.event {
                Event::NudgeGiven(word) => Some(Line::dm(format!("- {}\n", word.text), at(kept.origin))),
                _ => None,
            })
            .collect();
        lines.reverse();
        lines
    }

    fn filled_facts(&self, name: &str) -> Option<Vec<Line>> {
        let facts = self.state.facts();
        let limits = &self.state.setup().limits;
        let bullet = |(origin, text): &(Origin, String)| Line::written(format!("- {text}\n"), at(*origin));
        Some(match name {
            "notable_events" => {
                facts.notable.last(limits.notable_events_shown_max).iter().map(bullet).collect()
            }
            "important_events" => {
                facts.important.last(limits.important_events_shown_max).iter().map(bullet).collect()
            }
            "milestones" => facts.milestones.last(limits.milestones_shown_max).iter().map(bullet).collect(),
            "quests" => facts
                .quests
                .iter()
                .rev()
                .take(limits.important_events_shown_max as usize)
                .map(|(origin, text, done)| {
                    let done = if *done { " (done)" } else { "" };
                    Line::written(format!("- {text}{done}\n"), at(*origin))
                })
                .collect(),
            "npcs_met" => facts
                .npcs
                .values()
                .rev()
                .take(limits.npcs_shown_max as usize)
                .map(|npc| Line::written(format!("- {}\n", npc.name), at(npc.met)))
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

    /// The DM's notes; when there are many, those that changed last.
    fn notes(&self) -> Vec<Line> {
        let flags = &self.state.facts().flags;
        let mut shown: Vec<_> = flags.iter().collect();
        let most = self.state.setup().limits.notes_shown_max as usize;
        if shown.len() > most {
            shown.sort_by_key(|(_, (origin, _))| std::cmp::Reverse(*origin));
            shown.truncate(most);
            shown.sort();
        }
        let line = |(flag, (origin, value)): (&String, &(Origin, String))| {
            Line::dm(format!("- {flag}: {value}\n"), at(*origin))
        };
        shown.into_iter().map(line).collect()
    }

    fn filled_encounter(&self, name: &str) -> Option<Vec<Line>> {
        let (encounter, spec) = self.state.encounter().zip(self.state.encounter_spec())?;
        let began = at(encounter.began);
        let bullets = |texts: &[String]| -> Vec<Line> {
            texts.iter().map(|text| Line::dm(format!("- {text}\n"), began)).collect()
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
            "hidden_goals" => hidden_goals(self.state, began),
            "checks" => checks(spec, began),
            "noticed" => encounter
                .revealed
                .iter()
                .map(|(origin, word)| {
                    Line::written(format!("- {} noticed: {}\n", word.character, word.text), at(*origin))
                })
                .collect(),
            _ => return None,
        })
    }
}

fn hidden_goals(state: &State, began: Source) -> Vec<Line> {
    let line = |goal: &twicetold_world::Goal| {
        let kind = if goal.primary { "primary" } else { "secondary" };
        let source = goal.registered.map_or(began, at);
        Line::dm(format!("- {}: {} ({kind})\n", goal.id, goal.label), source)
    };
    state.goals().iter().map(line).collect()
}

fn checks(spec: &EncounterSpec, began: Source) -> Vec<Line> {
    let line = |check: &twicetold_world::setup::CheckSpec| {
        let text = format!("- {} ({}, {}): {}\n", check.name, check.ability, check.difficulty, check.note);
        Line::dm(text, began)
    };
    spec.checks.iter().map(line).collect()
}
