//! What the files of a configuration must not say to one another: everything for which a campaign is refused.

use std::collections::BTreeSet;

use twicetold_event::limits::PLAYERS_MAX;

use super::encounter::keys;
use super::finding::{Finding, Notes, Severity};
use super::{EncounterSpec, Setup, Step, TextEntry, TextFile, known_texts, wrong_limits};
use crate::reading::{NUMBER, TABLES, folded, tag_name};
use Step::{At, Key};

impl Setup {
    /// All contradictions between the files, and all that a single file must not say; empty when the campaign can be played.
    pub(crate) fn contradictions(&self) -> Vec<Finding> {
        let mut found = self.of_the_campaign();
        for encounter in &self.encounters {
            found.extend(self.of_an_encounter(encounter));
        }
        found.extend(self.rules.contradictions(self));
        found.extend(self.of_the_texts());
        found.extend(self.of_the_reading());
        found
    }

    /// Texts that the program would ask for in vain, or never asks for, and names that they do not have.
    fn of_the_texts(&self) -> Vec<Finding> {
        let known = known_texts();
        let mut found = Vec::new();
        let finding = |rule, path: &str, span, message: String, help: String| {
            let (severity, path) = (Severity::Error, path.to_owned());
            Finding { severity, rule, path, span, message, help }
        };
        for (key, _) in known.iter().filter(|(key, _)| self.texts.get(key).is_none()) {
            let table = key.split('.').next().unwrap_or(key);
            let beside = self.texts.iter().find(|(other, _)| other.split('.').next() == Some(table));
            let path = beside.map_or("prompts/results.toml", |(_, text)| self.file_of(text));
            let message = format!("the text {key} is missing: the prompts need it");
            let help =
                "take it from the prompts/ that `twicetold init DIR` writes; a text may be empty".to_owned();
            found.push(finding("missing_text", path, None, message, help));
        }
        for (key, text) in self.texts.iter() {
            let span = Some((text.range.start, text.range.end));
            let Some(meant) = known.get(key) else {
                let message = format!("the text {key} is not used");
                let help =
                    "remove it, or fix its name; the prompts/ folder that `twicetold init DIR` writes contains every text".to_owned();
                found.push(finding("unknown_text", self.file_of(text), span, message, help));
                continue;
            };
            let bare = |name: &str| name.trim_end_matches('?').to_owned();
            let names: BTreeSet<String> = meant.template.names().into_iter().map(bare).collect();
            let unknown = text.template.names().into_iter().map(bare);
            for name in unknown.filter(|name| !names.contains(name)).collect::<BTreeSet<_>>() {
                let message =
                    format!("the text {key} uses {{{{{name}}}}}, which is not available in this text");
                let have = names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                let help =
                    if have.is_empty() { "it has no names".to_owned() } else { format!("it has {have}") };
                found.push(finding("unknown_name", self.file_of(text), span, message, help));
            }
        }
        found
    }

    /// Words by which replies could not be read: empty ones, and two that could not be told apart.
    fn of_the_reading(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        let may_be_empty = |key: &str| key.starts_with("lists.");
        let mut read: Vec<(&str, String)> = Vec::new();
        for (key, text) in self.texts.iter() {
            let table = key.split('.').next().unwrap_or(key);
            if !TABLES.contains(&table) || known_texts().get(key).is_none() {
                continue;
            }
            let mut finding = |rule, message: String, help: &str| {
                let span = Some((text.range.start, text.range.end));
                let (severity, path) = (Severity::Error, self.file_of(text).to_owned());
                found.push(Finding { severity, rule, path, span, message, help: help.to_owned() });
            };
            let words = self.reading.all(key);
            if words.is_empty() && !may_be_empty(key) {
                let message = format!("{key} is empty: nothing of that kind would be found in a reply");
                finding("empty_text", message, "write at least one word; with commas between, several");
            }
            if key == "seats.player" && !words.iter().all(|name| name.contains(NUMBER)) {
                let message = format!("{key} calls all players the same");
                finding("nameless_seats", message, "write {{number}} where the number of the seat belongs");
            }
            for word in words {
                // A marker within another one would close a phase that nobody meant.
                let is_same = |known: &str| match table {
                    "markers" => known.contains(word.as_str()) || word.contains(known),
                    "tags" => tag_name(known) == tag_name(word),
                    _ => folded(known) == folded(word),
                };
                let other = read.iter().find(|(known, of)| {
                    *known != key && known.split('.').next() == Some(table) && is_same(of)
                });
                if let Some((other, _)) = other {
                    let message = format!("{key} cannot be told from {other} by {word:?}");
                    finding("same_words", message, "choose another word for one of the two");
                }
                read.push((key, word.clone()));
            }
        }
        found
    }

    fn file_of(&self, text: &TextEntry) -> &str {
        match text.file {
            TextFile::Charter(index) => self.files.get(index).map_or("", |file| &file.path),
            TextFile::Program => "",
        }
    }

    fn of_the_campaign(&self) -> Vec<Finding> {
        let campaign = &self.campaign;
        let mut notes = Notes::of(self, "campaign.toml");
        if campaign.encounters.is_empty() {
            let message = "encounters is empty: a campaign needs at least one";
            notes.error("no_encounters", &[Key("encounters")], message, "list the ids of encounters");
        }
        let (least, most) = (campaign.players_min, campaign.players_max);
        if least < 1 || most > PLAYERS_MAX || least > most {
            let message = format!("players_min is {least} and players_max is {most}");
            let help =
                format!("both must be 1 to {PLAYERS_MAX}, and players_min must not exceed players_max");
            notes.error("players_range", &[Key("players_min")], message, help);
        } else if !(least..=most).contains(&self.seats.players) {
            let message = format!(
                "{} players were asked for; this campaign is for {least} to {most}",
                self.seats.players
            );
            let help = format!("give --players or players_default within {least} to {most}");
            notes.error("players", &[Key("players_default")], message, help);
        }
        for (name, message) in wrong_limits(campaign) {
            let help = "limits.toml lists the limits that there are, with the reason for each number";
            let way = [Key("limits"), Key(name)];
            notes.error("wrong_limit", &way, format!("[limits]: {message}"), help);
        }
        for (place, act) in campaign.acts.iter().enumerate() {
            let way = [Key("act"), At(place)];
            if campaign.acts[..place].iter().any(|earlier| earlier.id == act.id) {
                let message = format!("the act {:?} is defined twice", act.id);
                notes.error(
                    "duplicate_id",
                    &[way[0], way[1], Key("id")],
                    message,
                    "give each act its own id",
                );
            }
            for (number, id) in act.encounters.iter().enumerate() {
                let here = [way[0], way[1], Key("encounters"), At(number)];
                if !campaign.encounters.contains(id) {
                    let message =
                        format!("the act {:?} holds {id:?}, which is no encounter of this campaign", act.id);
                    let help = "list the encounter in encounters as well, or take it out of the act";
                    notes.error("unknown_encounter", &here, message, help);
                }
            }
        }
        notes.into_findings()
    }

    fn of_an_encounter(&self, encounter: &EncounterSpec) -> Vec<Finding> {
        let mut notes = Notes::of(self, &self.path_of(encounter));
        goals(&mut notes, encounter);
        people_of_checks(&mut notes, encounter);
        self.abilities(&mut notes, encounter);
        self.people(&mut notes, encounter);
        let lower = |name: &str| name.trim().to_lowercase();
        for (place, check) in encounter.checks.iter().enumerate() {
            if encounter.checks[..place].iter().any(|earlier| lower(&earlier.name) == lower(&check.name)) {
                let message = format!("the check {:?} is defined twice", check.name);
                let way = [Key("check"), At(place), Key("name")];
                notes.error(
                    "duplicate_check",
                    &way,
                    message,
                    "a check is called for by its name: give it another",
                );
            }
        }
        for (place, random) in encounter.randoms.iter().enumerate() {
            if encounter.randoms[..place].iter().any(|earlier| earlier.key == random.key) {
                let message = format!("the key {:?} is drawn twice", random.key);
                let way = [Key("random"), At(place), Key("key")];
                notes.error("duplicate_key", &way, message, "give one of the two another key");
            }
        }
        for (way, text) in encounter.texts() {
            for key in keys(text).filter(|key| !encounter.randoms.iter().any(|random| random.key == **key)) {
                let message = format!("{{{{{key}}}}} is undefined: no [[random]] has that key");
                let help =
                    "add a [[random]] with this key, or write what you mean; no spaces within the braces";
                notes.error_at_word("unknown_key", &way, &format!("{{{{{key}}}}}"), message, help);
            }
        }
        notes.into_findings()
    }

    /// Where an encounter's file lies: under its place in the campaign, whatever it says of itself.
    pub fn path_of(&self, encounter: &EncounterSpec) -> String {
        let place = self.encounters.iter().position(|known| std::ptr::eq(known, encounter));
        let id = place.and_then(|place| self.campaign.encounters.get(place)).unwrap_or(&encounter.id);
        format!("encounters/{id}.toml")
    }

    fn abilities(&self, notes: &mut Notes<'_>, encounter: &EncounterSpec) {
        for (place, check) in encounter.checks.iter().enumerate() {
            if let Some(harm) = &check.harm {
                super::rules::dice(notes, &[Key("check"), At(place), Key("harm")], harm);
            }
        }
        let checks = encounter.checks.iter().enumerate().map(|(place, check)| {
            (&check.ability, format!("the check {:?}", check.name), [Key("check"), At(place), Key("ability")])
        });
        let reveals = encounter.reveals.iter().enumerate().map(|(place, reveal)| {
            (&reveal.ability, "a reveal".to_owned(), [Key("reveal"), At(place), Key("ability")])
        });
        for (ability, what, way) in checks.chain(reveals) {
            if self.rules.ability_index(ability).is_none() {
                let known = self.rules.pack.abilities.names.join(", ");
                let message = format!("{what} asks for the ability {ability:?}; the rules pack has {known}");
                notes.error("unknown_ability", &way, message, format!("use one of {known}"));
            }
        }
    }

    fn people(&self, notes: &mut Notes<'_>, encounter: &EncounterSpec) {
        for (place, npc) in encounter.npcs.iter().enumerate() {
            let way = |field| [Key("npc"), At(place), Key(field)];
            if encounter.npcs[..place].iter().any(|earlier| earlier.id == npc.id) {
                let message = format!("the npc {:?} is defined twice", npc.id);
                notes.error("duplicate_id", &way("id"), message, "give each its own id");
            }
            let known_key = |key: &String| encounter.randoms.iter().any(|random| random.key == *key);
            match (&npc.name, &npc.name_key) {
                (Some(_), _) => {}
                (None, Some(key)) if known_key(key) => {}
                (None, Some(key)) => {
                    let message = format!(
                        "the npc {:?} takes its name from {key:?}, and no [[random]] has that key",
                        npc.id
                    );
                    notes.error(
                        "unknown_key",
                        &way("name_key"),
                        message,
                        "add the [[random]], or give a name",
                    );
                }
                (None, None) => {
                    let message = format!("the npc {:?} has neither a name nor a name_key", npc.id);
                    notes.error("nameless_npc", &way("id"), message, "give it one of the two");
                }
            }
            if let Some(monster) = npc.monster.as_ref().filter(|id| self.rules.monster(id).is_none()) {
                let known: Vec<&str> = self.rules.monsters.iter().map(|known| known.id.as_str()).collect();
                let message =
                    format!("the npc {:?} fights as {monster:?}, which the rules pack does not have", npc.id);
                let help = match known.is_empty() {
                    true => "this pack has no monsters.toml: leave the field out".to_owned(),
                    false => format!("use one of {}", known.join(", ")),
                };
                notes.error("unknown_monster", &way("monster"), message, help);
            }
        }
    }
}

fn goals(notes: &mut Notes<'_>, encounter: &EncounterSpec) {
    if !encounter.goals.iter().any(|goal| goal.primary) {
        let message = "no goal is primary: an encounter needs at least one primary goal";
        notes.error("no_primary_goal", &[Key("goal"), At(0)], message, "write primary = true at one of them");
    }
    for (place, goal) in encounter.goals.iter().enumerate() {
        if encounter.goals[..place].iter().any(|earlier| earlier.id == goal.id) {
            let message = format!("the goal {:?} is defined twice", goal.id);
            let way = [Key("goal"), At(place), Key("id")];
            notes.error("duplicate_id", &way, message, "give each goal its own id: it is resolved by it");
        }
        let said = format!("the goal {:?} needs", goal.id);
        named_checks(notes, encounter, &[Key("goal"), At(place), Key("needs")], &said, &goal.needs);
        for (part, epilogue) in goal.epilogue.iter().enumerate() {
            let way = [Key("goal"), At(place), Key("epilogue"), At(part), Key("failed")];
            let said = format!("an epilogue of the goal {:?} has as failed", goal.id);
            named_checks(notes, encounter, &way, &said, &epilogue.failed);
        }
    }
    for (place, check) in encounter.checks.iter().enumerate() {
        let said = format!("the check {:?} is tried until", check.name);
        named_checks(notes, encounter, &[Key("check"), At(place), Key("until")], &said, &check.until);
    }
}

/// What a list names must be checks of the encounter.
fn named_checks(
    notes: &mut Notes<'_>,
    encounter: &EncounterSpec,
    list: &[Step<'_>],
    said: &str,
    names: &[String],
) {
    let known: Vec<&str> = encounter.checks.iter().map(|check| check.name.as_str()).collect();
    for (place, name) in names.iter().enumerate().filter(|(_, name)| !known.contains(&name.as_str())) {
        let help = match known.is_empty() {
            true => "add a [[check]] of that name".to_owned(),
            false => format!("use one of {}", known.join(", ")),
        };
        let way = [list, &[At(place)]].concat();
        notes.error(
            "unknown_check",
            &way,
            format!("{said} {name:?}, which is no check of the encounter"),
            help,
        );
    }
}

/// Who is there when a check is tried must be one of the encounter's people.
fn people_of_checks(notes: &mut Notes<'_>, encounter: &EncounterSpec) {
    for (place, check) in encounter.checks.iter().enumerate() {
        let Some(person) = &check.person else { continue };
        if encounter.npcs.iter().any(|npc| npc.id == *person) {
            continue;
        }
        let known: Vec<&str> = encounter.npcs.iter().map(|npc| npc.id.as_str()).collect();
        let message =
            format!("the check {:?} names the person {person:?}, who is no NPC of the encounter", check.name);
        let help = match known.is_empty() {
            true => "leave the field out, or add an [[npc]] of that id".to_owned(),
            false => format!("use one of {}", known.join(", ")),
        };
        notes.error("unknown_npc", &[Key("check"), At(place), Key("person")], message, help);
    }
}
