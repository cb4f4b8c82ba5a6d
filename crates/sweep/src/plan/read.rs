//! Reads a plan and finds all that is wrong with it at once.

use std::collections::BTreeSet;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{CELLS_MAX, LIST_MAX, Mistake, PARALLEL_MAX, PLAN_BYTES_MAX, Plan, Team, Variant, Word, seeds};
use crate::scores::{SCORES, SHOWN_FIRST, Score};

/// Finds the known name that somebody meant.
pub type Near<'n> = &'n dyn Fn(&[&str], &str) -> Option<String>;

/// What a plan may hold.
pub(super) const KEYS: [&str; 14] = [
    "name",
    "campaigns",
    "models",
    "configurations",
    "players",
    "seeds",
    "repetitions",
    "turns",
    "parallel",
    "per_server",
    "budget",
    "scores",
    "baseline",
    "interval_seed",
];

/// What an entry of `models` may hold.
pub(super) const SEATS: [&str; 10] = [
    "name", "dm", "memory", "players", "player-1", "player-2", "player-3", "player-4", "player-5", "player-6",
];

/// Letters of a name: it becomes the name of a file.
pub(super) const NAME_CHARS_MAX: usize = 40;
/// Campaigns side by side where the plan says nothing.
pub(super) const PARALLEL: u64 = 4;
/// Repetitions of one seed: more of them tell less than more seeds.
pub(super) const REPETITIONS_MAX: u64 = 1_000;
/// Players at a table.
pub(super) const PLAYERS_MAX: u64 = twicetold_event::limits::PLAYERS_MAX as u64;

type Value<'v> = Spanned<DeValue<'v>>;

impl Plan {
    /// Reads a plan, and finds everything that is wrong with it, in the order of the file. `near` suggests names for those that do not
    /// exist. Of a plan with mistakes there is what could be read, so that more of it can be checked; it is not to be played.
    pub fn read(text: &str, near: Near<'_>) -> (Option<Plan>, Vec<Mistake>) {
        if text.len() > PLAN_BYTES_MAX {
            let message = format!("a plan has at most {PLAN_BYTES_MAX} bytes, and this one {}", text.len());
            return (None, vec![Mistake::at(&(0..0), message, "")]);
        }
        let (table, errors) = DeTable::parse_recoverable(text);
        let unread = |error: &toml::de::Error| {
            let span = error.span().unwrap_or(0..0);
            Mistake::at(&span, error.message(), "")
        };
        if !errors.is_empty() {
            return (None, errors.iter().map(unread).collect());
        }
        let mut reader = Reader { near, mistakes: Vec::new() };
        let plan = reader.plan(table.get_ref());
        reader.mistakes.sort_by_key(|mistake| mistake.span.start);
        (Some(plan), reader.mistakes)
    }
}

struct Reader<'n> {
    near: Near<'n>,
    mistakes: Vec<Mistake>,
}

impl Reader<'_> {
    fn wrong(&mut self, span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.mistakes.push(Mistake::at(span, message, help));
    }

    fn unknown(&mut self, span: &Range<usize>, what: &str, typed: &str, known: &[&str]) {
        let near = (self.near)(known, typed).map(|near| format!("did you mean {near:?}? "));
        let help = format!("{}known: {}", near.unwrap_or_default(), known.join(", "));
        self.wrong(span, format!("there is no {what} {typed:?}"), help);
    }

    fn plan(&mut self, table: &DeTable<'_>) -> Plan {
        for (key, _) in table {
            if !KEYS.contains(&key.get_ref().as_ref()) {
                self.unknown(&key.span(), "setting", key.get_ref(), &KEYS);
            }
        }
        let name = self.name(table.get("name"));
        let campaigns =
            self.needed(table, "campaigns", "which campaigns are played", "[\"the-borrowed-boat\"]");
        let campaigns = campaigns.map(|value| self.words("campaigns", value)).unwrap_or_default();
        let teams = self.teams(table.get("models"));
        let configurations = match table.get("configurations") {
            Some(value) => self.words("configurations", value),
            None => vec![Word { text: String::new(), span: 0..0 }],
        };
        let players = self.players(table.get("players"));
        let seeds = self.needed(table, "seeds", "which seeds are played", "\"1..20\"");
        let seeds = seeds.map(|value| self.seeds(value)).unwrap_or_default();
        let repetitions = self.number(table, "repetitions", 1..=REPETITIONS_MAX).unwrap_or(1);
        let turns = self.number(table, "turns", 1..=u64::from(u32::MAX));
        let parallel = self.number(table, "parallel", 1..=PARALLEL_MAX).unwrap_or(PARALLEL);
        let per_server = self.number(table, "per_server", 1..=PARALLEL_MAX).unwrap_or(parallel);
        let budget = table.get("budget").and_then(|value| self.word("budget", value));
        let scores = self.scores(table.get("scores"));
        let variants = variants(&teams, &configurations, &players);
        let baseline = self.baseline(table.get("baseline"), &variants);
        let interval_seed = self.number(table, "interval_seed", 0..=u64::MAX).unwrap_or(1);
        let plan = Plan {
            name: name.unwrap_or_default(),
            campaigns,
            teams,
            configurations,
            variants,
            baseline,
            seeds,
            repetitions: u32::try_from(repetitions).unwrap_or(1),
            turns: turns.and_then(|turns| u32::try_from(turns).ok()),
            parallel: usize::try_from(parallel).unwrap_or(1),
            per_server: usize::try_from(per_server).unwrap_or(1),
            budget,
            scores,
            interval_seed,
        };
        if plan.count() > CELLS_MAX {
            let span = table.get("seeds").map_or(0..0, Spanned::span);
            let message = format!(
                "{} campaigns × {} variants × {} seeds × {} repetitions are {}; a sweep has at most {CELLS_MAX}",
                plan.campaigns.len(),
                plan.variants.len(),
                plan.seeds.len(),
                plan.repetitions,
                plan.count()
            );
            self.wrong(&span, message, "make several sweeps of it");
        }
        plan
    }

    /// A setting without which there is no sweep.
    fn needed<'t, 'v>(
        &mut self,
        table: &'t DeTable<'v>,
        key: &str,
        what: &str,
        example: &str,
    ) -> Option<&'t Value<'v>> {
        let value = table.get(key);
        if value.is_none() {
            self.wrong(
                &(0..0),
                format!("{key} is missing: {what}"),
                format!("for example {key} = {example}"),
            );
        }
        value
    }

    fn name(&mut self, value: Option<&Value<'_>>) -> Option<String> {
        let Some(value) = value else {
            self.wrong(
                &(0..0),
                "name is missing: what the sweep is called",
                "for example name = \"players\"",
            );
            return None;
        };
        let word = self.word("name", value)?;
        let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        let is_name = word.text.chars().all(fits) && word.text.len() <= NAME_CHARS_MAX;
        if !is_name || word.text.starts_with('-') {
            let message = format!("the name {:?} cannot be that of a file", word.text);
            let help = format!("use at most {NAME_CHARS_MAX} of a to z, 0 to 9, - and _");
            self.wrong(&word.span, message, help);
            return None;
        }
        Some(word.text)
    }

    /// A text that is not empty.
    fn word(&mut self, key: &str, value: &Value<'_>) -> Option<Word> {
        match value.get_ref() {
            DeValue::String(text) if !text.trim().is_empty() => {
                Some(Word { text: text.to_string(), span: value.span() })
            }
            DeValue::String(_) => {
                self.wrong(&value.span(), format!("{key} holds an empty text"), "");
                None
            }
            other => {
                self.wrong(&value.span(), format!("{key} wants a text, and this is {}", kind(other)), "");
                None
            }
        }
    }

    /// A list, or one thing without brackets.
    fn list<'t, 'v>(&mut self, key: &str, value: &'t Value<'v>) -> Vec<&'t Value<'v>> {
        let DeValue::Array(array) = value.get_ref() else { return vec![value] };
        if array.is_empty() {
            self.wrong(&value.span(), format!("{key} is empty: there would be nothing to play"), "");
        }
        if array.len() > LIST_MAX {
            let message = format!("{key} has {} entries; at most {LIST_MAX} are possible", array.len());
            self.wrong(&value.span(), message, "");
        }
        array.iter().take(LIST_MAX).collect()
    }

    /// A list of texts, each once. In `configurations` the empty text is the bundled configuration.
    fn words(&mut self, key: &str, value: &Value<'_>) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        for one in self.list(key, value) {
            let empty = key == "configurations" && one.get_ref().as_str() == Some("");
            let word = match empty {
                true => Some(Word { text: String::new(), span: one.span() }),
                false => self.word(key, one),
            };
            let Some(word) = word else { continue };
            match words.iter().any(|known| known.text == word.text) {
                true => self.wrong(&word.span, format!("{key} names {:?} twice", word.text), "remove one"),
                false => words.push(word),
            }
        }
        words
    }

    fn teams(&mut self, value: Option<&Value<'_>>) -> Vec<Team> {
        let Some(value) = value else {
            return vec![Team { name: "default".to_owned(), models: Vec::new(), span: 0..0 }];
        };
        let mut teams: Vec<Team> = Vec::new();
        for one in self.list("models", value) {
            let team = match one.get_ref() {
                DeValue::Table(table) => self.by_seat(table, one.span()),
                _ => self.word("models", one).map(|word| Team {
                    name: word.text.clone(),
                    span: word.span.clone(),
                    models: vec![word],
                }),
            };
            let Some(team) = team else { continue };
            if let Some(same) = teams.iter().find(|known| known.name != team.name && known.is_like(&team)) {
                let message = format!("{:?} and {:?} are played by the same models", same.name, team.name);
                let help = "remove one: their campaigns would be the same. `repetitions` plays each seed several times";
                self.wrong(&team.span, message, help);
                continue;
            }
            match teams.iter().any(|known| known.name == team.name) {
                true => {
                    let message = format!("two entries of models are called {:?}", team.name);
                    self.wrong(&team.span, message, "remove one, or give it another name");
                }
                false => teams.push(team),
            }
        }
        teams
    }

    /// `{ name = "…", dm = "…", players = "…" }`.
    fn by_seat(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<Team> {
        let mut team = Team { name: String::new(), models: Vec::new(), span };
        for (key, value) in table {
            let seat = key.get_ref().as_ref();
            if !SEATS.contains(&seat) {
                self.unknown(&key.span(), "seat", seat, &SEATS[1..]);
                continue;
            }
            let Some(word) = self.word(seat, value) else { continue };
            match seat {
                "name" => team.name = word.text,
                _ => team.models.push(Word { text: format!("{seat}={}", word.text), span: word.span }),
            }
        }
        if team.models.is_empty() {
            self.wrong(&team.span.clone(), "no seat has a model here", "for example { dm = \"improv\" }");
            return None;
        }
        if team.name.is_empty() {
            let models: Vec<&str> = team.models.iter().map(|word| word.text.as_str()).collect();
            team.name = models.join(",");
        }
        Some(team)
    }

    fn players(&mut self, value: Option<&Value<'_>>) -> Vec<Option<u8>> {
        let Some(value) = value else { return vec![None] };
        let mut players = Vec::new();
        for one in self.list("players", value) {
            let number =
                self.whole("players", one, 1..=PLAYERS_MAX).and_then(|number| u8::try_from(number).ok());
            if number.is_some() && players.contains(&number) {
                self.wrong(&one.span(), "players holds the same number twice", "remove one");
            } else if number.is_some() {
                players.push(number);
            }
        }
        players
    }

    fn seeds(&mut self, value: &Value<'_>) -> Vec<u64> {
        let found = match value.get_ref() {
            DeValue::String(text) => match seeds::range(text) {
                Ok(seeds) => seeds,
                Err(message) => {
                    self.wrong(&value.span(), message, "");
                    Vec::new()
                }
            },
            DeValue::Array(array) if array.is_empty() => {
                self.wrong(&value.span(), "seeds is empty: there would be nothing to play", "");
                Vec::new()
            }
            DeValue::Array(array) => {
                // What is too much is told of by the number of campaigns.
                let first = array.iter().take(CELLS_MAX as usize + 1);
                first.filter_map(|one| self.whole("seeds", one, 0..=u64::MAX)).collect()
            }
            _ => self.whole("seeds", value, 0..=u64::MAX).into_iter().collect(),
        };
        let mut known = BTreeSet::new();
        if let Some(twice) = found.iter().find(|seed| !known.insert(**seed)) {
            let help = "to play a seed several times, write repetitions = 2";
            self.wrong(&value.span(), format!("seeds holds {twice} twice"), help);
        }
        found
    }

    fn scores(&mut self, value: Option<&Value<'_>>) -> Vec<&'static Score> {
        let Some(value) = value else {
            return SCORES.iter().filter(|score| SHOWN_FIRST.contains(&score.name)).collect();
        };
        let mut scores: Vec<&'static Score> = Vec::new();
        for word in self.words("scores", value) {
            match SCORES.iter().find(|score| score.name == word.text) {
                Some(score) => scores.push(score),
                None => {
                    let known: Vec<&str> = SCORES.iter().map(|score| score.name).collect();
                    self.unknown(&word.span, "score", &word.text, &known);
                }
            }
        }
        scores
    }

    fn baseline(&mut self, value: Option<&Value<'_>>, variants: &[Variant]) -> usize {
        let Some(word) = value.and_then(|value| self.word("baseline", value)) else { return 0 };
        let place = variants.iter().position(|variant| variant.name == word.text);
        if place.is_none() {
            let known: Vec<&str> = variants.iter().map(|variant| variant.name.as_str()).collect();
            self.unknown(&word.span, "variant", &word.text, &known);
        }
        place.unwrap_or_default()
    }

    fn number(
        &mut self,
        table: &DeTable<'_>,
        key: &str,
        within: std::ops::RangeInclusive<u64>,
    ) -> Option<u64> {
        self.whole(key, table.get(key)?, within)
    }

    fn whole(&mut self, key: &str, value: &Value<'_>, within: std::ops::RangeInclusive<u64>) -> Option<u64> {
        let number = match value.get_ref() {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        let number = number.filter(|number| within.contains(number));
        if number.is_none() {
            let most =
                if *within.end() == u64::MAX { String::new() } else { format!(" to {}", within.end()) };
            let message = format!("{key} wants a whole number from {}{most}", within.start());
            self.wrong(&value.span(), message, "");
        }
        number
    }
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// Every combination. A variant is called by what differs between variants, and by its models where nothing does.
fn variants(teams: &[Team], configurations: &[Word], players: &[Option<u8>]) -> Vec<Variant> {
    let mut variants = Vec::new();
    for (team, who) in teams.iter().enumerate() {
        for (configuration, folder) in configurations.iter().enumerate() {
            for players_here in players {
                let folder = if folder.text.is_empty() { "bundled" } else { folder.text.as_str() };
                let count = players_here
                    .map(|count| if count == 1 { "1 player".to_owned() } else { format!("{count} players") });
                let mut parts: Vec<&str> = Vec::new();
                parts.extend((teams.len() > 1).then_some(who.name.as_str()));
                parts.extend((configurations.len() > 1).then_some(folder));
                parts.extend(count.as_deref().filter(|_| players.len() > 1));
                let name = if parts.is_empty() { who.name.clone() } else { parts.join(", ") };
                variants.push(Variant { name, team, configuration, players: *players_here });
            }
        }
    }
    variants
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
