//! A pretended table: a referee that plays whole campaigns against the improviser alone.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::super::improvise;

const SCENARIO: &str = "Saltby lives by salt, and by one bell that brings the boats in through the fog. Last night \
    the bell was taken from the tower on the mole. The harbour council has sent for people with no cousin in town.";
const OPENING: &str = "Fog lies on the harbour, and under it the boats knock against the long jetty. Mistress Amity \
    Rook stands in the empty tower, beside the cut rope. \"It was here at six,\" she says.";
const NPCS: &str = "amity-rook: Amity Rook, harbour mistress. Speaks slowly. She wants the bell back before the fleet \
    turns for home, and fears being blamed.\nold-tam: Old Tam, fence. He wants to be left out of it, and fears the sea. \
    He took the bell and hid it under the ice-house floor.\nbrother-lark: Brother Lark, hermit. He wants the fog \
    to be listened to, and fears noise.";
const NOTES: &str = "Clues: no lock was broken, the rope was cut by a left-handed person, salt on the third step. \
    Around message 14 the fog thickens until nobody can see the end of the jetty. If left alone, boats are lost.";

pub(super) struct Table {
    pub(super) seed: u64,
    pub(super) phase: &'static str,
    pub(super) said: Vec<(String, String)>,
    pub(super) names: Vec<String>,
    pub(super) sheets: Vec<bool>,
    pub(super) spoken: Vec<bool>,
    pub(super) waited: Vec<i64>,
    pub(super) last_checks: Vec<String>,
    pub(super) passed: i64,
    pub(super) failed: i64,
    pub(super) goals: Vec<String>,
    pub(super) messages: i64,
    pub(super) resolved: Option<(String, String)>,
    pub(super) calls: BTreeMap<String, usize>,
    pub(super) papers: bool,
    pub(super) document: String,
}

const MARKERS: [(&str, &str, &str); 3] = [
    ("pitch", "PITCH COMPLETE", "converge"),
    ("converge", "CONVERGENCE COMPLETE", "lock"),
    ("lock", "SESSION ZERO LOCKED", "play"),
];

impl Table {
    pub(super) fn new(seed: u64) -> Table {
        Table {
            seed,
            phase: "pitch",
            said: Vec::new(),
            names: vec![String::new(); 3],
            sheets: vec![false; 3],
            spoken: vec![false; 3],
            waited: vec![0; 3],
            last_checks: Vec::new(),
            passed: 0,
            failed: 0,
            goals: [
                "bell-back | primary | label=The bell hangs in the tower again before the fleet turns for home.",
                "bell-forgiven | primary | label=Old Tam rings the bell himself, in front of the council.",
                "tam-in-chains | secondary | label=Somebody is in chains for it, guilty or not.",
            ]
            .map(str::to_owned)
            .to_vec(),
            messages: 0,
            resolved: None,
            calls: BTreeMap::new(),
            papers: false,
            document: String::new(),
        }
    }

    fn called(&self, seat: usize) -> String {
        if self.names[seat].is_empty() { format!("Player {}", seat + 1) } else { self.names[seat].clone() }
    }

    /// The block for a seat; `None` is the DM.
    fn state(&self, seat: Option<usize>) -> String {
        let you = seat.map_or("DM".to_owned(), |seat| self.called(seat));
        let role = if seat.is_some() { "player" } else { "dm" };
        let mut block = format!(
            "<table_state version=\"1\">\nphase: {}\nrole: {role}\nyou: {you}\nturn: 3\nturns_left: 70\n",
            self.phase
        );
        for index in 0..3 {
            let class = if self.names[index].is_empty() { "" } else { "warden" };
            let spoken = if self.spoken[index] { "yes" } else { "no" };
            block += &format!(
                "player: Player {} | name={} | class={class} | spoken={spoken} | waited={}\n",
                index + 1,
                self.names[index],
                self.waited[index]
            );
        }
        if self.phase != "play" {
            let marker =
                MARKERS.iter().find(|(phase, ..)| *phase == self.phase).map_or("", |(_, marker, _)| marker);
            let close =
                if self.phase != "lock" && self.spoken.iter().all(|spoken| *spoken) { "yes" } else { "no" };
            block += &format!("marker: {marker}\nmay_close: {close}\nround: 1 of 6\n");
            for index in (0..3).filter(|index| self.phase == "lock" && !self.sheets[*index]) {
                block += &format!("missing: character of {}\n", self.called(index));
            }
            for ability in ["STR", "DEX", "CON", "INT", "WIS", "CHA"] {
                block += &format!("ability: {ability} | min=3 | max=18\n");
            }
            block += "class: warden | name=Warden | hit_die=10 | prime=CON | equipment=chain-coat, leather, round-shield, staff, rope\n\
                      class: river-thief | name=River-thief | hit_die=6 | prime=DEX | equipment=leather, knife, rope, hook\n\
                      class: ballad-singer | name=Ballad-singer | hit_die=6 | prime=CHA | equipment=leather, fiddle, knife\n\
                      equipment: chain-coat | name=Chain coat | kind=armor | armor_class=15\n\
                      equipment: leather | name=Leather jack | kind=armor | armor_class=12\n\
                      equipment: round-shield | name=Round shield | kind=shield | armor_bonus=1\n\
                      armor_class_base: 10\nsheet: needed\n";
        } else {
            block += &format!(
                "encounter: the-fog-bell | title=The Fog Bell | opening={}\nmessages: {} of 44\n",
                if self.messages == 0 { "needed" } else { "given" },
                self.messages
            );
            block += "objective: Find the fog bell and bring it back to the tower before the fleet turns for home.\n\
                      location: The harbour of Saltby\ntime_of_day: Early morning\n\
                      npc: amity-rook | name=Amity Rook | role=harbour mistress\nnpc: old-tam | name=Old Tam | role=fence\nnpc: brother-lark | name=Brother Lark | role=hermit\n";
            for (check, ability) in CHECKS {
                block += &format!(
                    "check: {check} | ability={ability}{}\n",
                    if seat.is_none() { " | difficulty=12" } else { "" }
                );
            }
            if seat.is_none() {
                for goal in &self.goals {
                    block += &format!("goal: {goal}\n");
                }
                block += &format!(
                    "goals_open_for_registration: yes\nchecks: passed={} | failed={}\nparty_document: {}\n",
                    self.passed,
                    self.failed,
                    if self.messages % 8 == 2 { "stale" } else { "fresh" }
                );
            }
            for check in &self.last_checks {
                block += &format!("last_check: {check}\n");
            }
        }
        block + "</table_state>"
    }

    pub(super) fn request(&self, seat: Option<usize>, results: &[(Value, String)]) -> String {
        let system = format!(
            "You sit at a table.\n<scenario>\n{SCENARIO}\n</scenario>\n<opening>\n{OPENING}\n</opening>\n<npcs>\n{NPCS}\n</npcs>\n<dm_notes>\n{}\n</dm_notes>\n<party_document>\n{}\n</party_document>",
            if seat.is_none() { NOTES } else { "" },
            self.document
        );
        let mut messages = vec![json!({"role": "system", "content": system})];
        let mut heard: Vec<String> = Vec::new();
        let start = self.said.len().saturating_sub(30);
        for (index, (speaker, text)) in self.said.iter().enumerate() {
            if index < start && self.phase == "play" {
                continue;
            }
            let own = seat.map_or(speaker == "DM", |seat| {
                *speaker == self.called(seat) || *speaker == format!("Player {}", seat + 1)
            });
            if own {
                if !heard.is_empty() {
                    messages.push(json!({"role": "user", "content": heard.join("\n\n")}));
                    heard.clear();
                }
                messages.push(json!({"role": "assistant", "content": text}));
            } else {
                heard.push(format!("{speaker}: {text}"));
            }
        }
        heard.push(self.state(seat));
        messages.push(json!({"role": "user", "content": heard.join("\n\n")}));
        for (call, result) in results {
            messages.push(json!({"role": "assistant", "content": null, "tool_calls": [call]}));
            messages.push(json!({"role": "tool", "tool_call_id": call["id"], "content": result}));
        }
        let seed = self.seed * 10 + seat.map_or(9, |seat| seat as u64);
        json!({"model": "improv", "messages": messages, "tools": tools(self.phase, seat.is_some()), "seed": seed}).to_string()
    }

    /// Lets a seat speak, with all its tool calls.
    fn speak(&mut self, seat: Option<usize>) {
        let mut results: Vec<(Value, String)> = Vec::new();
        for _ in 0..4 {
            let request = self.request(seat, &results);
            let reply: Value = serde_json::from_str(&improvise(&request)).expect("the reply is JSON");
            let message = &reply["choices"][0]["message"];
            let text = message["content"].as_str().unwrap_or("").to_owned();
            let mut ended = true;
            for call in message["tool_calls"].as_array().into_iter().flatten() {
                let (result, goes_on) = self.perform(call, seat);
                ended = !goes_on;
                results.push((call.clone(), result));
            }
            if !text.is_empty() {
                self.heard(seat, &text);
            }
            if ended {
                assert!(!text.is_empty(), "a reply without calls has words");
                return;
            }
        }
        panic!("the seat never stops calling tools");
    }

    fn perform(&mut self, call: &Value, seat: Option<usize>) -> (String, bool) {
        let name = call["function"]["name"].as_str().expect("a name").to_owned();
        let arguments: Value = serde_json::from_str(call["function"]["arguments"].as_str().expect("text"))
            .expect("arguments are JSON");
        let tools = tools(self.phase, seat.is_some());
        let tool = tools.iter().find(|tool| tool["function"]["name"] == *name).expect("an offered tool");
        for (key, _) in arguments.as_object().expect("an object") {
            assert!(tool["function"]["parameters"]["properties"].get(key).is_some(), "{name} knows {key}");
        }
        for key in tool["function"]["parameters"]["required"].as_array().into_iter().flatten() {
            assert!(arguments.get(key.as_str().expect("text")).is_some(), "{name} needs {key}");
        }
        *self.calls.entry(name.clone()).or_default() += 1;
        match name.as_str() {
            "ability_check" => {
                // Players try what the encounter lists; the DM asks for a look as well, which is on no list.
                let tried = if seat.is_some() { "check" } else { "reason" };
                let check = arguments[tried].as_str().expect("something to try").to_owned();
                let good = (self.seed * 31 + self.messages as u64 * 17 + check.len() as u64 * 7) % 10 < 6;
                if good {
                    self.passed += 1
                } else {
                    self.failed += 1
                }
                let outcome = if good { "success" } else { "failure" };
                let named = || arguments["character"].as_str().expect("a character").to_owned();
                let who = seat.map_or_else(named, |seat| self.called(seat));
                self.last_checks.push(format!("{who} | {check} | {outcome} | total=14"));
                (format!("[dice] {who}: {check} 14 against 12: {outcome}"), true)
            }
            "goal_register" => {
                let id = arguments["id"].as_str().expect("an id");
                assert!(
                    id.bytes().all(|byte| byte.is_ascii_lowercase()
                        || byte.is_ascii_digit()
                        || b"-_".contains(&byte))
                );
                self.goals.push(format!(
                    "dynamic_{id} | primary | label={}",
                    arguments["label"].as_str().unwrap_or("")
                ));
                ("[TOOL] New hidden goal registered".to_owned(), true)
            }
            "encounter_resolve" => {
                let outcome = arguments["outcomeId"].as_str().expect("an outcome").to_owned();
                assert!(self.goals.iter().any(|goal| goal.starts_with(&format!("{outcome} |"))));
                self.resolved = Some((outcome, arguments["summary"].as_str().expect("a summary").to_owned()));
                ("resolved".to_owned(), false)
            }
            _ => ("done".to_owned(), true),
        }
    }

    fn heard(&mut self, seat: Option<usize>, text: &str) {
        let speaker = seat.map_or("DM".to_owned(), |seat| self.called(seat));
        for waited in &mut self.waited {
            *waited += 1;
        }
        match seat {
            Some(seat) => {
                self.spoken[seat] = true;
                self.waited[seat] = 0;
                if let Some(sheet) = text.split_once("[CHARACTER]").map(|(_, sheet)| sheet) {
                    assert_legal(sheet);
                    self.names[seat] = sheet
                        .lines()
                        .find_map(|line| line.strip_prefix("Name: "))
                        .expect("a name")
                        .to_owned();
                    self.sheets[seat] = true;
                }
            }
            None => {
                self.last_checks.clear();
                if let Some((_, document)) = text.split_once("[PARTY_DOCUMENT]") {
                    self.document = document.to_owned();
                }
                self.papers |= text.contains("[PARTY_DOCUMENT]") && text.contains("[/SCENARIO]");
            }
        }
        self.messages += i64::from(self.phase == "play");
        self.said.push((speaker, text.to_owned()));
        if seat.is_none()
            && let Some((_, _, then)) =
                MARKERS.iter().find(|(phase, marker, _)| *phase == self.phase && text.contains(marker))
        {
            self.phase = then;
            self.spoken = vec![false; 3];
        }
    }

    fn asked(&self) -> Option<usize> {
        let last = &self.said.last()?.1;
        let end = super::super::read::sentences(last).last().copied().unwrap_or("").to_owned();
        (0..3)
            .filter(|seat| end.contains(&self.called(*seat)))
            .max_by_key(|seat| end.rfind(&self.called(*seat)))
    }

    pub(super) fn play(seed: u64) -> Table {
        let mut table = Table::new(seed);
        for _ in 0..70 {
            table.speak(None);
            if table.resolved.is_some() || (table.phase == "play" && table.messages >= 44) {
                break;
            }
            if let Some(seat) = table.asked() {
                table.speak(Some(seat));
            } else {
                assert!(
                    table
                        .said
                        .last()
                        .is_some_and(|(_, text)| MARKERS.iter().any(|(_, marker, _)| text.contains(marker))),
                    "the DM asks somebody: {:?}",
                    table.said.last()
                );
            }
        }
        table
    }
}

fn assert_legal(sheet: &str) {
    let field =
        |name: &str| sheet.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("").trim().to_owned();
    let die = if field("Class:") == "Warden" { 10 } else { 6 };
    assert!((1..=die).contains(&field("HP:").parse::<i64>().expect("a number")));
    let gear = field("Equipment:");
    let worn = if gear.contains("Chain coat") {
        15
    } else if gear.contains("Leather jack") {
        12
    } else {
        10
    };
    let shield = i64::from(gear.contains("Round shield"));
    assert_eq!(field("AC:").parse::<i64>().ok(), Some(worn + shield), "{sheet}");
    assert_eq!(field("Stats:").matches(char::is_numeric).count().min(9), 9);
    assert!(!field("Background:").is_empty() && !field("Secret:").is_empty());
}

const CHECKS: [(&str, &str); 6] = [
    ("slip through the fog", "DEX"),
    ("read the tide book", "INT"),
    ("win somebody over", "CHA"),
    ("shift the heavy thing", "STR"),
    ("stand the cold water", "CON"),
    ("tell what is not being said", "WIS"),
];

fn tools(phase: &str, player: bool) -> Vec<Value> {
    let tool = |name: &str, fields: &[&str], required: &[&str]| {
        let properties: serde_json::Map<String, Value> =
            fields.iter().map(|field| ((*field).to_owned(), json!({}))).collect();
        json!({"type": "function", "function": {"name": name, "description": "…",
            "parameters": {"type": "object", "properties": properties, "required": required}}})
    };
    let mut tools = vec![
        tool("lookup_rules", &["path", "detail"], &["path"]),
        tool("search_rules", &["query"], &["query"]),
    ];
    if phase == "play" {
        tools.push(tool(
            "ability_check",
            &["character", "ability", "check", "difficulty", "reason"],
            &["character", "ability", "reason"],
        ));
        tools.push(tool("roll_dice", &["dice", "reason"], &["dice", "reason"]));
    }
    if phase == "play" && !player {
        tools.push(tool("update_scene", &["scene", "note", "note_value"], &[]));
        tools.push(tool("update_character", &["character", "hp_delta", "item_gained"], &["character"]));
        tools.push(tool("record_event", &["kind", "text"], &["kind", "text"]));
        tools.push(tool("record_met", &["people"], &["people"]));
        tools.push(tool(
            "update_party_document",
            &["section", "text", "reason"],
            &["section", "text", "reason"],
        ));
        tools.push(tool(
            "goal_register",
            &["id", "label", "isPrimary", "reason"],
            &["id", "label", "isPrimary", "reason"],
        ));
        tools.push(tool(
            "encounter_resolve",
            &["encounterId", "outcomeId", "summary"],
            &["encounterId", "outcomeId", "summary"],
        ));
    }
    tools
}
