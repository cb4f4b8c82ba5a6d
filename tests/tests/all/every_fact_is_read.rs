//! Promise: every fact that can be written is shown by a later prompt, long after the words that wrote it have left the window.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use twicetold_event::{
    CallId, Event, Holder, ImportantEventRecorded, ItemAdded, ItemExchanged, Number, Purpose, Seat, Section,
    samples,
};
use twicetold_model::{Part, Reply};
use twicetold_projection::prompt::{Asking, render};
use twicetold_projection::{Replies, describe, people, recorded};
use twicetold_session::{Explainer, Subject, load};
use twicetold_tests::{Game, Moments, Script, Who};
use twicetold_tool::{Caller, TOOLS};
use twicetold_world::{State, evolve};

/// For each field of each tool that writes facts: a call with it, and what a later prompt of the DM's shows of it.
fn rows(name: &str) -> Vec<(&'static str, &'static str, Value, String)> {
    let mut rows = Vec::new();
    let mut scene = |field: &'static str, value: &str, shown: &str| {
        rows.push(("update_scene", field, json!({ field: value }), shown.to_owned()));
    };
    scene("location", "Marker Alley", "Marker Alley");
    scene("time_of_day", "Marker o'clock", "Marker o'clock");
    scene("scene", "A marker on the wall.", "A marker on the wall.");
    scene("objective", "Find the marker.", "Find the marker.");
    scene("note_delete", "REMOVEDMARK", "-REMOVEDMARK");
    for field in ["note", "note_value"] {
        let note = json!({"note": "marker", "note_value": "blue marker"});
        rows.push(("update_scene", field, note, "marker: blue marker".into()));
    }
    let mut own = |field: &'static str, mut value: Value, shown: &str| {
        value["character"] = json!(name);
        rows.push(("update_character", field, value, shown.to_owned()));
    };
    own("item_gained", json!({"item_gained": "Marker rope"}), "Marker rope");
    own("quantity", json!({"item_gained": "Marker rope", "quantity": 3}), "Marker rope ×3");
    own("item_lost", json!({"item_lost": "TAKENMARK"}), "-TAKENMARK");
    own("hp_delta", json!({"hp_delta": -1}), "HP");
    own("gold_delta", json!({"gold_delta": 4321}), "4336");
    own("xp_gained", json!({"xp_gained": 7654}), "experience: 7654");
    own("conditions_add", json!({"conditions_add": ["markerish"]}), "Now: markerish");
    own("conditions_remove", json!({"conditions_remove": "REMOVEDMARK"}), "-REMOVEDMARK");
    for (kind, text) in [
        ("notable", "A marker fell."),
        ("important", "A marker was sworn."),
        ("milestone", "The marker was reached."),
    ] {
        for field in ["kind", "text"] {
            rows.push(("record_event", field, json!({"kind": kind, "text": text}), text.to_owned()));
        }
    }
    let quest = "Carry the marker home.";
    rows.push(("record_quest", "quest", json!({"quest": quest}), quest.to_owned()));
    rows.push(("record_quest", "done", json!({"quest": "DONE", "done": true}), "DONE".into()));
    let people = json!({"people": ["augustin-marchpane"]});
    rows.push(("record_met", "people", people, "- Augustin Marchpane".into()));
    let npc = |field: &str, value: Value| json!({"id": "wren-pellow", field: value});
    let mut person = |field: &'static str, value: Value, shown: &str| {
        rows.push(("update_npc", field, npc(field, value), shown.to_owned()));
    };
    person("id", json!("wren-pellow"), "");
    person("hp_delta", json!(-1), "hp=3/4");
    person("conditions_add", json!(["markerish"]), "conditions=markerish");
    person("conditions_remove", json!(["REMOVEDMARK"]), "-conditions=removedmark");
    person("status", json!("departed"), "status=departed");
    rows
}

/// Schemas whose every field must be in the rows.
const WRITERS: [&str; 6] =
    ["update_scene", "update_character", "record_event", "record_quest", "record_met", "update_npc"];

/// Words of the last prompt that the DM was given, without what it called itself.
fn last_prompt(calls: &[(&str, &str)]) -> String {
    let game = Game::new(81)
        .with("limits.toml", "history_messages_max = 32", "history_messages_max = 4")
        .with("limits.toml", "nudge_cooldown_turns = 8", "nudge_cooldown_turns = 80");
    let mut script = Script::of(game);
    for call in calls {
        script = script.line(Who::Dm, "", &[*call]);
    }
    let play = script.play();
    assert!(play.rejections().is_empty(), "{:?} {:?}", play.rejections(), calls);
    let body = play.asked(Who::Dm).last().unwrap().to_owned();
    let request: Value = serde_json::from_str(&body).unwrap();
    let shown = |message: &&Value| message["role"] == "user" || message["role"] == "system";
    let texts = request["messages"].as_array().unwrap().iter().filter(shown);
    texts.filter_map(|message| message["content"].as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_field_of_every_tool_that_writes_facts_is_shown_later() {
    let probe = Script::of(Game::new(81)).play();
    let state = probe.played.session.campaign().state();
    let name = state.characters()[&twicetold_event::Seat::Player(1)].sheet.name.clone();
    let rows = rows(&name);
    for tool in WRITERS {
        let schema: Value =
            serde_json::from_str(&twicetold_tool::named(tool).unwrap().spec().schema).unwrap();
        for field in schema["properties"].as_object().unwrap().keys() {
            let known =
                field == "character" || rows.iter().any(|(of, name, ..)| *of == tool && name == field);
            assert!(known, "{tool} writes {field}, and nothing here shows who reads it");
        }
    }
    let before = last_prompt(&[]);
    for (tool, field, arguments, shown) in &rows {
        // Whoever is named needs no reader; a character is named by every call of its tool.
        if *tool == "update_npc" && *field == "id" {
            continue;
        }
        let text = arguments.to_string();
        let first: Option<Value> = match *field {
            "item_lost" => Some(json!({"character": name, "item_gained": "TAKENMARK"})),
            "conditions_remove" if *tool == "update_npc" => {
                Some(json!({"id": "wren-pellow", "conditions_add": ["removedmark"]}))
            }
            "conditions_remove" => Some(json!({"character": name, "conditions_add": ["REMOVEDMARK"]})),
            "note_delete" => Some(json!({"note": "REMOVEDMARK", "note_value": "x"})),
            "done" => Some(json!({"quest": "DONE"})),
            _ => None,
        };
        let first = first.map(|arguments| (*tool, arguments.to_string()));
        let mut calls: Vec<(&str, &str)> = Vec::new();
        if let Some((tool, text)) = &first {
            calls.push((tool, text));
            let during = last_prompt(&calls);
            let wanted = shown.trim_start_matches('-').to_lowercase();
            assert!(
                during.to_lowercase().contains(&wanted),
                "{field}: {wanted:?} is not shown before it is gone"
            );
        }
        calls.push((tool, &text));
        let after = last_prompt(&calls);
        match (shown.strip_prefix('-'), *field) {
            (Some(gone), _) if first.is_some() => {
                assert!(
                    !after.to_lowercase().contains(&gone.to_lowercase()),
                    "{field}: {gone:?} is still shown"
                );
            }
            (_, "hp_delta") if *tool == "update_character" => {
                assert_ne!(hit_points(&before, &name), hit_points(&after, &name), "{field}");
            }
            (_, "done") => assert!(after.contains("- DONE (done)"), "{field}"),
            _ => assert!(after.contains(shown.as_str()), "{tool} {field}: {shown:?} is not shown"),
        }
    }
}

fn hit_points(prompt: &str, name: &str) -> String {
    let line = prompt
        .lines()
        .find(|line| line.starts_with(&format!("- {name} (")))
        .expect("a line about the character");
    line.split("HP ").nth(1).unwrap_or_default().split(',').next().unwrap_or_default().to_owned()
}

struct NoReplies;

impl Replies for NoReplies {
    fn reply(&self, _: CallId) -> Option<&Reply> {
        None
    }
}

#[test]
fn people_read_words_of_every_event() {
    let probe = Script::of(Game::new(81)).play();
    let state = probe.played.session.campaign().state();
    for event in samples::events() {
        // A message has its own words, and a page of the rules those of the charter.
        if matches!(event, Event::MessageSpoken(_) | Event::RulesLookedUp(_)) {
            continue;
        }
        let text = describe(state, &NoReplies, &event).or_else(|| recorded(&event));
        assert!(text.is_some_and(|text| text.len() > 8 && !text.contains("{{")), "{}", event.name());
    }
}

/// All that can be read after a call: what the table is told of it, every document, and the DM's next prompt.
fn readings(state: &State, seat: Seat, tool: &str, arguments: &Value) -> Result<String, String> {
    let caller = Caller { seat, call: CallId(900) };
    let decided = twicetold_tool::named(tool).unwrap().decide(state, caller, &arguments.to_string());
    let events = decided.map_err(|rejection| format!("{rejection:?}"))?.events;
    let mut after = state.clone();
    let mut read = String::new();
    for (number, event) in (90_000..).map(Number).zip(&events) {
        evolve(&mut after, number, state.at(), event);
        read += &describe(&after, &NoReplies, event).unwrap_or_default();
    }
    read += &json!([
        people::party(&after, &NoReplies),
        people::characters(&after),
        people::goals(&after),
        people::npcs(&after, &NoReplies),
        people::memory(&after, &NoReplies),
    ])
    .to_string();
    let prompt = render(&after, &NoReplies, (Seat::Dm, Purpose::Play), Asking::default());
    Ok(prompt.messages.iter().flat_map(|message| &message.parts).fold(read, |read, part| match part {
        Part::Text(text) => read + text,
        _ => read,
    }))
}

/// Two calls that differ in one field alone have to read differently afterwards. For each field of each tool: the fields of
/// one call and of another; what is not given is as in the call that [`Moments::accepted`] has.
fn pairs(moments: &Moments) -> Vec<(&'static str, &'static str, Value, Value)> {
    let state = &moments.narrative;
    let own = &state.characters()[&Seat::Player(1)];
    let name = own.sheet.name.as_str();
    let carried: Vec<&str> = own.inventory.values().map(|(name, ..)| name.as_str()).collect();
    let talker = &moments.dialogue.characters()[&Seat::Player(1)].sheet.name;
    let given = |item: &str, quantity: u32| json!({"item_name": item, "quantity": quantity, "giver_id": talker, "receiver_id": "wren-pellow"});
    let taken =
        json!({"item_name": "Marker lamp", "quantity": 1, "giver_id": "wren-pellow", "receiver_id": talker});
    let others = moments.combat.characters()[&Seat::Player(2)].sheet.name.clone();
    let one = |tool, field: &'static str, value: Value| (tool, field, json!({}), json!({field: value}));
    vec![
        one("lookup_rules", "path", json!("guides/interesting-campaigns")),
        one("lookup_rules", "detail", json!("full")),
        one("search_rules", "query", json!("shield")),
        one("roll_dice", "dice", json!("3d6")),
        one("roll_dice", "reason", json!("the rain")),
        one("roll_dice", "character", json!(name)),
        one("ability_check", "ability", json!("STR")),
        ("ability_check", "difficulty", json!({"difficulty": 5}), json!({"difficulty": 29})),
        one("ability_check", "check", json!("look somebody in the eye and wait")),
        one("ability_check", "reason", json!("the rope")),
        one("update_party_document", "section", json!("hooks")),
        one("update_party_document", "text", json!("It snowed.")),
        (
            "update_party_document",
            "entry",
            json!({"section": "goals"}),
            json!({"section": "goals", "entry": 1}),
        ),
        one("goal_register", "id", json!("cry")),
        one("goal_register", "label", json!("The reeve cries.")),
        one("goal_register", "isPrimary", json!(true)),
        one("encounter_resolve", "outcomeId", json!("name-read-from-the-bridge")),
        one("encounter_resolve", "summary", json!("Done at last.")),
        one("query_session_memory", "query_type", json!("important_events")),
        one("query_session_memory", "text", json!("snow")),
        one("query_campaign", "id", json!("ottilie-brack")),
        ("query_campaign", "type", json!({}), json!({"type": "encounter", "id": "gone-before-dusk"})),
        one("create_supporting_npc", "name", json!("Old Berta")),
        one("create_supporting_npc", "role", json!("ally")),
        one("create_supporting_npc", "context", json!("Sells bread and saw the boat.")),
        one("create_supporting_npc", "combat_slug", json!("river-rough")),
        one("create_character", "archetype", json!("foe")),
        one("create_character", "location", json!("Under the bridge")),
        one("create_character", "name_hint", json!("Zub")),
        one("start_dialogue", "character_id", json!("ottilie-brack")),
        ("exchange_item", "quantity", given("Marker rope", 1), given("Marker rope", 2)),
        ("exchange_item", "item_name", given("Marker rope", 1), given("Marker lamp", 1)),
        ("exchange_item", "giver_id", given("Marker lamp", 1), taken.clone()),
        ("exchange_item", "receiver_id", given("Marker lamp", 1), taken),
        one("update_relationship", "change", json!(7)),
        one("update_relationship", "trait", json!("anger")),
        (
            "update_relationship",
            "duration",
            json!({"trait": "anger", "change": 5, "duration": 2}),
            json!({"trait": "anger", "change": 5, "duration": 6}),
        ),
        one("start_combat", "foes", json!([{"id": "river-rough", "count": 2}])),
        one("attack", "target", json!("river-rough-2")),
        one("attack", "with", json!("bare hands")),
        one("saving_throw", "character", json!(others)),
        one("saving_throw", "ability", json!("WIS")),
        one("saving_throw", "difficulty", json!(19)),
        one("saving_throw", "reason", json!("the heat")),
        one("end_combat", "outcome", json!("foes_fled")),
        one("use_item", "item", json!(carried[1])),
        one("whisper", "to", json!("Player 2")),
        one("whisper", "text", json!("I saw him.")),
    ]
}

/// Fields that only say again what is settled already: every other value is refused.
fn settled() -> [(&'static str, &'static str, Value); 4] {
    [
        ("help_up", "character", json!("somebody else")),
        ("ability_check", "character", json!("somebody else")),
        ("attack", "attacker", json!("somebody else")),
        ("encounter_resolve", "encounterId", json!("another-encounter")),
    ]
}

/// Fields that `why` reads: see the last test.
const REASONS: [(&str, &str); 4] = [
    ("goal_register", "reason"),
    ("goal_register", "because"),
    ("encounter_resolve", "because"),
    ("update_party_document", "reason"),
];

/// Whoever talks has things to give, and so has who is talked to.
fn prepare(talk: &mut State) {
    let talker = talk.characters()[&Seat::Player(1)].sheet.name.clone();
    let (giver, receiver) = (Holder::Character(talker.clone()), Holder::Npc("wren-pellow".into()));
    let found = |item: &str| ItemAdded { character: talker.clone(), item: item.into(), quantity: 3 };
    let events: [Event; 3] = [
        found("Marker rope").into(),
        found("Marker lamp").into(),
        ItemExchanged { item: "Marker lamp".into(), quantity: 1, giver, receiver }.into(),
    ];
    for (number, event) in (80_000..).map(Number).zip(&events) {
        evolve(talk, number, talk.at(), event);
    }
}

/// Whoever acts carries a weapon, so that bare hands are another choice.
fn arm(fight: &mut State) {
    let weapon =
        fight.setup().rules.items.iter().find(|item| item.damage.is_some()).expect("there are weapons");
    let character = fight.combat().expect("they fight").acting[0].clone();
    let given = ItemAdded { character, item: weapon.name.clone(), quantity: 1 };
    evolve(fight, Number(80_000), fight.at(), &given.into());
}

/// Tools that write nothing but what the first test follows field by field.
#[test]
fn whatever_else_a_tool_is_told_can_be_read_afterwards() {
    let mut moments = Moments::played().clone();
    prepare(&mut moments.dialogue);
    let remembered = ImportantEventRecorded { text: "It rained for a week.".into(), witnesses: vec![] };
    let at = moments.narrative.at();
    evolve(&mut moments.narrative, Number(80_000), at, &remembered.into());
    arm(&mut moments.combat);
    let accepted = moments.accepted();
    let pairs = pairs(&moments);
    let mut unread = BTreeSet::new();
    for tool in TOOLS.iter().filter(|tool| !WRITERS.contains(&tool.name)) {
        let schema: Value = serde_json::from_str(&tool.spec().schema).unwrap();
        let (_, state, seat, base) = accepted.iter().find(|(name, ..)| *name == tool.name).unwrap();
        for field in schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys()) {
            if REASONS.contains(&(tool.name, field)) {
                continue;
            }
            let settled = settled();
            if let Some((.., other)) = settled.iter().find(|(of, name, _)| *of == tool.name && name == field)
            {
                let mut arguments = base.clone();
                arguments[field] = other.clone();
                assert!(readings(state, *seat, tool.name, &arguments).is_err(), "{arguments}");
                continue;
            }
            let pair = pairs.iter().find(|(of, name, ..)| *of == tool.name && name == field);
            // Any two texts will do where nothing else is said of a field.
            let text = |text: &str| json!({ field.as_str(): text });
            let free = schema["properties"][field]["type"] == "string";
            let (one, other) = match pair {
                Some((.., one, other)) => (one.clone(), other.clone()),
                None if free => (text("It snows."), text("It thaws.")),
                None => {
                    unread.insert(format!("{}.{field}", tool.name));
                    continue;
                }
            };
            let call = |changed: &Value| {
                let mut arguments = base.clone();
                for (name, value) in changed.as_object().unwrap() {
                    arguments[name] = value.clone();
                }
                readings(state, *seat, tool.name, &arguments)
            };
            match (call(&one), call(&other)) {
                (Ok(one), Ok(other)) if one != other => {}
                (Ok(_), Ok(_)) => drop(unread.insert(format!("{}.{field} is read by nobody", tool.name))),
                (Err(rejection), _) | (_, Err(rejection)) => {
                    unread.insert(format!("{}.{field}: {rejection}", tool.name));
                }
            }
        }
    }
    assert_eq!(unread, BTreeSet::new(), "fields of which nothing here shows who reads them");
}

#[test]
fn a_check_that_failed_grants_nothing() {
    let moments = Moments::played();
    let state = &moments.narrative;
    let name = &state.characters()[&Seat::Player(1)].sheet.name;
    let documents = |state: &State| {
        let (party, characters) = (people::party(state, &NoReplies), people::characters(state));
        json!([
            party,
            characters,
            people::goals(state),
            people::npcs(state, &NoReplies),
            people::memory(state, &NoReplies)
        ])
    };
    let arguments = json!({"character": name, "ability": "DEX", "difficulty": 40, "reason": "the purse"});
    let caller = Caller { seat: Seat::Dm, call: CallId(900) };
    let tool = twicetold_tool::named("ability_check").unwrap();
    let events = tool.decide(state, caller, &arguments.to_string()).unwrap().events;
    let [Event::AbilityChecked(check)] = events.as_slice() else {
        panic!("one check, nothing else: {events:?}")
    };
    assert!(!check.success);
    let mut after = state.clone();
    evolve(&mut after, Number(90_000), state.at(), &events[0]);
    assert_eq!(documents(&after), documents(state));
    assert_eq!(after.encounter().unwrap().failed, state.encounter().unwrap().failed + 1);
}

#[test]
fn the_reasons_that_are_given_are_read_by_why() {
    let goal = "{\"id\":\"laugh\",\"label\":\"The reeve laughs.\",\"isPrimary\":true,\"reason\":\"Nobody planned it.\",\"because\":[1]}";
    let resolve = "{\"encounterId\":\"gone-before-dusk\",\"outcomeId\":\"dynamic_laugh\",\"summary\":\"She laughs.\",\"because\":[2]}";
    let document = "{\"section\":\"hooks\",\"text\":\"It rained.\",\"reason\":\"Somebody looked up.\"}";
    let play = Script::of(Game::new(81))
        .line(Who::Dm, "Player 1, what do you do?", &[])
        .line(Who::Player, "I tickle the reeve.", &[])
        .line(Who::Dm, "Player 2?", &[("goal_register", goal), ("update_party_document", document)])
        .line(Who::Player, "I hold her hat.", &[])
        .line(Who::Dm, "She laughs.", &[("encounter_resolve", resolve)])
        .play();
    let source = play.played.source();
    let loaded = load(source).unwrap();
    let explainer = Explainer::new(source, &loaded).unwrap();
    let goal = explainer.goal("laugh", 1).unwrap().expect("it is registered");
    let told = serde_json::to_string(&goal).unwrap();
    assert!(told.contains("Nobody planned it.") && told.contains("I tickle the reeve."), "{told}");
    let resolved = explainer.why(Number(goal.resolved.expect("it ended by it")), 1).unwrap().unwrap();
    assert!(serde_json::to_string(&resolved.cause).unwrap().contains("I hold her hat."));
    let number = explainer.number_of(&Subject::Party(Section::Hooks)).unwrap().expect("it is written");
    let why = explainer.why(number, 1).unwrap().expect("there is such a number");
    assert!(serde_json::to_string(&why).unwrap().contains("Somebody looked up."));
}
