//! Reads the `<table_state>` block that every prompt ends with.

/// A line `head | key=value | flag` of the block.
#[derive(Default, Clone, Debug)]
pub(super) struct Row {
    pub(super) head: String,
    pub(super) fields: Vec<(String, String)>,
    flags: Vec<String>,
}

impl Row {
    pub(super) fn read(text: &str) -> Row {
        let mut parts = text.split('|').map(str::trim);
        let mut row = Row { head: parts.next().unwrap_or("").to_owned(), ..Row::default() };
        for part in parts {
            match part.split_once('=') {
                Some((key, value)) => row.fields.push((key.trim().to_owned(), value.trim().to_owned())),
                None => row.flags.push(part.to_owned()),
            }
        }
        row
    }

    /// The value of this field; empty when absent.
    pub(super) fn get(&self, key: &str) -> &str {
        self.fields.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value)
    }

    /// The field as a number.
    pub(super) fn number(&self, key: &str) -> Option<i64> {
        self.get(key).parse().ok()
    }

    /// Whether this flag stands in the row.
    pub(super) fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|name| name.eq_ignore_ascii_case(flag))
    }

    /// The flag at this position; empty when absent.
    pub(super) fn flag(&self, index: usize) -> &str {
        self.flags.get(index).map_or("", String::as_str)
    }
}

/// One player at the table.
#[derive(Default, Clone, Debug)]
pub(super) struct Player {
    pub(super) seat: String,
    /// Empty until the sheet is accepted.
    pub(super) name: String,
    pub(super) class: String,
    pub(super) waited: i64,
    pub(super) spoken: bool,
}

impl Player {
    /// The name that people use: the character's, else the seat's.
    pub(super) fn called(&self) -> &str {
        if self.name.is_empty() { &self.seat } else { &self.name }
    }
}

/// How far something is: `done` of `all`.
#[derive(Default, Clone, Copy, Debug)]
pub(super) struct Progress {
    pub(super) done: i64,
    pub(super) all: i64,
}

/// The block; what it does not say is empty.
#[derive(Default, Debug)]
pub(super) struct TableState {
    pub(super) phase: String,
    pub(super) role: String,
    pub(super) you: String,
    pub(super) turns_left: Option<i64>,
    pub(super) players: Vec<Player>,
    pub(super) marker: String,
    pub(super) may_close: bool,
    pub(super) round: Progress,
    pub(super) missing: Vec<String>,
    pub(super) abilities: Vec<Row>,
    pub(super) classes: Vec<Row>,
    pub(super) equipment: Vec<Row>,
    pub(super) armor_class_base: i64,
    pub(super) sheet: String,
    pub(super) problems: Vec<String>,
    pub(super) encounter: Row,
    pub(super) messages: Progress,
    pub(super) objective: String,
    pub(super) location: String,
    pub(super) time_of_day: String,
    pub(super) npcs: Vec<Row>,
    pub(super) goals: Vec<Row>,
    /// What must not happen.
    pub(super) failures: Vec<Row>,
    /// The failure that has happened and is to be told.
    pub(super) struck: String,
    /// How each goal ends whose end is at hand.
    pub(super) endings: Vec<(String, String)>,
    /// Those of the party who can do nothing.
    pub(super) fallen: Vec<Row>,
    /// How many goals may still be registered.
    pub(super) registrations: i64,
    pub(super) checks: Vec<Row>,
    pub(super) passed: i64,
    pub(super) failed: i64,
    pub(super) last_checks: Vec<Row>,
    pub(super) characters: Vec<Row>,
    pub(super) party_document: String,
    /// `narrative` or `dialogue`; empty before play.
    pub(super) mode: String,
    /// Who is spoken to in a dialogue.
    pub(super) dialogue: Row,
    /// Answers that the dialogue has had, and how many it may have.
    pub(super) exchanges: Progress,
    /// What the material lets a player say in the dialogue.
    pub(super) asks: Vec<Row>,
    /// The characters who take part in the dialogue.
    pub(super) company: Vec<String>,
    /// What the person who is spoken to feels towards the party.
    pub(super) trust: i64,
    /// What the person carries who is spoken to, as that person knows.
    pub(super) items: Vec<String>,
    /// What the DM's people are to the party.
    pub(super) persons: Vec<Row>,
    /// The round of a combat.
    pub(super) combat: Progress,
    /// Who acts now in the combat.
    pub(super) acting: Vec<String>,
    pub(super) foes: Vec<Row>,
    /// Tools that may not be used now.
    pub(super) not_now: Vec<String>,
    /// Every line as it stands: its key and its row.
    pub(super) rows: Vec<(String, Row)>,
}

impl TableState {
    /// The block in this text; unknown lines are passed over.
    pub(super) fn read(text: &str) -> TableState {
        let mut state = TableState { armor_class_base: 10, ..TableState::default() };
        for line in text.lines().map(str::trim) {
            if line.starts_with("</table_state") {
                break;
            }
            if let Some((key, value)) = line.split_once(':') {
                state.take(key.trim(), value.trim());
            }
        }
        state
    }

    /// Takes what the block leaves out, because it stays the same, from rows of the instructions.
    pub(super) fn take_missing(&mut self, material: &str) {
        let missing = |rows: &[Row]| rows.is_empty();
        let keys = [
            ("npc", missing(&self.npcs)),
            ("check", missing(&self.checks)),
            ("goal", missing(&self.goals)),
            ("ability", missing(&self.abilities)),
            ("class", missing(&self.classes)),
            ("equipment", missing(&self.equipment)),
            ("armor_class_base", true),
        ];
        for line in material.lines() {
            let Some((key, value)) = line.split_once(": ") else { continue };
            if keys.iter().any(|(known, is_missing)| *known == key && *is_missing) {
                self.take(key, value.trim());
            }
        }
    }

    fn take(&mut self, key: &str, value: &str) {
        let owned = || value.to_owned();
        self.rows.push((key.to_owned(), Row::read(value)));
        match key {
            "phase" => self.phase = owned(),
            "role" => self.role = owned(),
            "you" => self.you = owned(),
            "turns_left" => self.turns_left = value.parse().ok(),
            "player" => self.players.push(player(&Row::read(value))),
            "marker" => self.marker = owned(),
            "may_close" => self.may_close = value.eq_ignore_ascii_case("yes"),
            "round" => self.round = progress(value),
            "missing" => self.missing.push(owned()),
            "ability" => self.abilities.push(Row::read(value)),
            "class" => self.classes.push(Row::read(value)),
            "equipment" => self.equipment.push(Row::read(value)),
            "armor_class_base" => self.armor_class_base = value.parse().unwrap_or(10),
            "sheet" => self.sheet = owned(),
            "problem" => self.problems.push(owned()),
            "encounter" => self.encounter = Row::read(value),
            "messages" => self.messages = progress(value),
            "objective" => self.objective = owned(),
            "location" => self.location = owned(),
            "time_of_day" => self.time_of_day = owned(),
            "npc" => self.npcs.push(Row::read(value)),
            "goal" => {
                let row = Row::read(value);
                if row.has("failure") { self.failures.push(row) } else { self.goals.push(row) }
            }
            "failure" => self.struck = owned(),
            "ending" => {
                self.endings.extend(value.split_once(" | ").map(|(goal, text)| (goal.into(), text.into())));
            }
            "fallen" => self.fallen.push(Row::read(value)),
            "goals_open_for_registration" => self.registrations = i64::from(value.trim() == "yes"),
            "check" => self.checks.push(Row::read(value)),
            "checks" => {
                let row = Row::read(&format!("|{value}"));
                self.passed = row.number("passed").unwrap_or(0);
                self.failed = row.number("failed").unwrap_or(0);
            }
            "last_check" => self.last_checks.push(Row::read(value)),
            "character" => self.characters.push(Row::read(value)),
            "party_document" => self.party_document = owned(),
            _ => self.take_people(key, value),
        }
    }

    /// Lines about the DM's people: what they are to the party, a dialogue, a combat.
    fn take_people(&mut self, key: &str, value: &str) {
        match key {
            "not_now" => self.not_now = listed(value),
            "mode" => self.mode = value.to_owned(),
            "dialogue" => self.dialogue = Row::read(value),
            "ask" => self.asks.push(Row::read(value)),
            "exchanges" => self.exchanges = progress(value),
            "with" => self.company = listed(value),
            "trust" => self.trust = value.parse().unwrap_or(0),
            "items" => self.items = things(value),
            "person" => self.persons.push(Row::read(value)),
            "combat" => self.combat = progress(value),
            "acting" => self.acting = listed(value),
            "foe" => self.foes.push(Row::read(value)),
            _ => {}
        }
    }

    /// Everybody whose words may stand in the history, under every name.
    pub(super) fn speakers(&self) -> Vec<String> {
        let mut names = vec!["DM".to_owned()];
        for player in &self.players {
            names.push(player.seat.clone());
            names.push(player.name.clone());
        }
        names.extend(self.characters.iter().map(|row| row.head.clone()));
        names.push(self.you.clone());
        names.push(self.dialogue.get("name").to_owned());
        names.retain(|name| !name.is_empty());
        names
    }

    /// The player with this seat or character name.
    pub(super) fn player(&self, name: &str) -> Option<&Player> {
        self.players.iter().find(|player| player.seat == name || player.name == name)
    }

    /// The seat that is asked, which keeps its name when the character gets one.
    pub(super) fn seat(&self) -> &str {
        self.me().map_or(&self.you, |me| &me.seat)
    }

    /// What this character carries, as far as the table says.
    pub(super) fn carried(&self, name: &str) -> Vec<String> {
        let row = self.characters.iter().find(|row| row.head == name);
        row.map(|row| things(row.get("items"))).unwrap_or_default()
    }

    /// The foes who still stand.
    pub(super) fn standing(&self) -> Vec<&Row> {
        self.foes.iter().filter(|foe| !["down", "fled"].contains(&foe.get("health"))).collect()
    }

    /// The number of the turn; nothing where the table does not count.
    pub(super) fn turn(&self) -> Option<usize> {
        let (_, row) = self.rows.iter().find(|(key, _)| key == "turn")?;
        row.head.parse().ok()
    }

    /// About how often players have spoken so far, or in this encounter where the table does not count turns.
    pub(super) fn spoken(&self) -> usize {
        self.turn().unwrap_or_else(|| usize::try_from(self.messages.done).unwrap_or(0)) / 2
    }

    /// The player whose seat is asked.
    pub(super) fn me(&self) -> Option<&Player> {
        self.player(&self.you)
    }
}

fn player(row: &Row) -> Player {
    Player {
        seat: row.head.clone(),
        name: row.get("name").to_owned(),
        class: row.get("class").to_owned(),
        waited: row.number("waited").unwrap_or(0),
        spoken: row.get("spoken").eq_ignore_ascii_case("yes"),
    }
}

fn listed(value: &str) -> Vec<String> {
    value.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// The names of things in a list with numbers: "rope x1, Comfrey salve x2".
pub(super) fn things(value: &str) -> Vec<String> {
    let bare = |part: String| match part.rsplit_once(" x") {
        Some((name, count)) if count.parse::<u32>().is_ok() => name.to_owned(),
        _ => part,
    };
    let parts = value.split(';').map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty()).map(bare).collect()
}

fn progress(value: &str) -> Progress {
    let mut numbers = value.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok());
    Progress { done: numbers.next().unwrap_or(0), all: numbers.next().unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_is_read() {
        let state = TableState::read(
            "<table_state version=\"1\">\nphase: play\nrole: dm\nyou: DM\nturns_left: 68\n\
             player: Player 1 | name=Kira Ashford | class=warden | spoken=yes | waited=2\n\
             messages: 14 of 44\ngoal: recover-quietly | primary | label=It is back.\n\
             goals_open_for_registration: closed\nchecks: passed=3 | failed=1\n\
             last_check: Kira Ashford | slip away | success | total=14\n</table_state>\nphase: no",
        );
        assert_eq!(state.phase, "play");
        assert_eq!(state.me().map(|player| player.seat.as_str()), None);
        assert_eq!(state.player("Player 1").map(Player::called), Some("Kira Ashford"));
        assert_eq!((state.messages.done, state.messages.all), (14, 44));
        assert!(state.goals[0].has("primary"));
        assert_eq!(state.goals[0].get("label"), "It is back.");
        assert_eq!((state.registrations, state.passed, state.failed), (0, 3, 1));
        assert_eq!(state.last_checks[0].flag(1), "success");
    }

    #[test]
    fn a_dialogue_and_a_combat_are_read() {
        let state = TableState::read(
            "mode: dialogue\ndialogue: old-tam | name=Old Tam | role=fence\nexchanges: 2 of 10\nwith: Kira Ashford, Sam Reed\n\
             items: a long rope, wet x2; x-ray x1\ncombat: round 2 of 12\nacting: rough-1, rough-2\n\
             foe: rough-1 | name=Rough 1 | health=down\nfoe: rough-2 | name=Rough 2 | health=hurt | hp=2",
        );
        assert_eq!((state.dialogue.get("name"), state.exchanges.done), ("Old Tam", 2));
        assert_eq!(state.company, ["Kira Ashford", "Sam Reed"]);
        assert_eq!(state.items, ["a long rope, wet", "x-ray"]);
        assert_eq!((state.combat.done, state.acting.len()), (2, 2));
        assert_eq!(state.standing().iter().map(|foe| foe.head.as_str()).collect::<Vec<_>>(), ["rough-2"]);
    }

    #[test]
    fn nonsense_in_a_line_is_nothing() {
        let state = TableState::read("messages: x\nplayer:\nround: 99999999999999999999 of 3\n: :\n|=|");
        assert_eq!(state.messages.all, 0);
        assert_eq!(state.players.len(), 1);
        assert_eq!(state.round.done, 3);
    }
}
