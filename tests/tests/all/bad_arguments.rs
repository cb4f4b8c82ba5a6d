//! Promise: whatever a model sends to a tool, it is accepted by its rule or rejected with a reason; nothing else can happen.

use serde_json::{Map, Value, json};
use twicetold_event::{ItemAdded, Millis, Number, Seat, Values};
use twicetold_projection::people;
use twicetold_tests::{Moments, decide, rules_that_reject};
use twicetold_tool::TOOLS;
use twicetold_world::setup::known_texts;
use twicetold_world::{State, evolve};

#[test]
fn every_rule_has_words_for_models_and_for_people() {
    for rule in rules_that_reject() {
        assert!(known_texts().get(&format!("rejected.{rule}")).is_some(), "models read nothing of {rule}");
        let unknown = Values::default().with("no such value", "x");
        for words in [people::observed(&rule, &unknown), people::advice(&rule, &unknown)] {
            assert!(!words.contains("no such value"), "people read nothing of {rule}");
        }
    }
}

#[test]
fn every_tool_has_a_call_that_is_accepted() {
    let moments = Moments::played();
    let calls = moments.accepted();
    for tool in TOOLS {
        assert!(calls.iter().any(|(name, ..)| *name == tool.name), "{} has no example here", tool.name);
    }
    for (tool, state, seat, arguments) in calls {
        let decided = decide(state, seat, tool, &arguments.to_string());
        assert!(decided.as_ref().is_ok_and(|events| !events.is_empty()), "{tool} {arguments}: {decided:?}");
    }
}

/// The rule by which a call of these arguments is rejected.
fn rule(state: &State, seat: Seat, tool: &str, arguments: &str) -> &'static str {
    match decide(state, seat, tool, arguments) {
        Ok(_) => "",
        Err(rejection) => {
            let text = known_texts().get(&format!("rejected.{}", rejection.rule));
            let names = text.expect("each rule has a text").template.names();
            for (name, _) in &rejection.values.0 {
                assert!(
                    names.contains(&name.as_str()),
                    "{tool}: nothing tells of {name} for {}",
                    rejection.rule
                );
            }
            let observed = people::observed(rejection.rule, &rejection.values);
            assert!(!observed.is_empty(), "{tool}: {} observes nothing", rejection.rule);
            assert!(observed.len() < 600, "{tool}: a rejection repeats a whole text");
            rejection.rule
        }
    }
}

fn without(arguments: &Value, field: &str) -> String {
    let mut object = arguments.as_object().unwrap().clone();
    object.remove(field);
    Value::Object(object).to_string()
}

fn with(arguments: &Value, field: &str, value: Value) -> String {
    let mut object: Map<String, Value> = arguments.as_object().unwrap().clone();
    object.insert(field.to_owned(), value);
    Value::Object(object).to_string()
}

#[test]
fn a_missing_an_extra_and_a_wrong_field_and_no_json_at_all_are_rejected_by_every_tool() {
    let moments = Moments::played();
    for (tool, state, seat, arguments) in moments.accepted() {
        let rule = |arguments: &str| rule(state, seat, tool, arguments);
        let schema: Value =
            serde_json::from_str(&twicetold_tool::named(tool).unwrap().spec().schema).unwrap();
        for required in schema["required"].as_array().into_iter().flatten() {
            let field = required.as_str().unwrap();
            // There is only one encounter that can be meant.
            if field == "encounterId" {
                assert_eq!(rule(&without(&arguments, field)), "", "{tool} without {field}");
                continue;
            }
            assert_eq!(rule(&without(&arguments, field)), "arguments_not_valid", "{tool} without {field}");
        }
        assert_eq!(rule(&with(&arguments, "whatever", json!(1))), "arguments_not_valid", "{tool} with more");
        for field in schema["properties"].as_object().into_iter().flat_map(Map::keys) {
            for wrong in [json!({"a": 1}), json!([[1]])] {
                let rule = rule(&with(&arguments, field, wrong.clone()));
                assert_eq!(rule, "arguments_not_valid", "{tool} with {field} = {wrong}");
            }
        }
        for text in ["", "null", "[]", "7", "\"x\"", "{", "{\"a\":", "not json", "{}{}", "\u{0}"] {
            let rule = rule(text);
            let none_needed = tool == "end_dialogue" && text.is_empty();
            assert!(
                none_needed || rule.starts_with("arguments_not_") || rule == "nothing_to_update",
                "{tool} {text:?}: {rule}"
            );
        }
    }
}

#[test]
fn texts_that_are_empty_endless_foreign_or_full_of_control_characters_never_break_a_tool() {
    let moments = Moments::played();
    let megabyte = "x".repeat(1_000_000);
    for (tool, state, seat, arguments) in moments.accepted() {
        let fields: Vec<String> = arguments.as_object().unwrap().keys().cloned().collect();
        for field in fields.iter().filter(|field| arguments[field.as_str()].is_string()) {
            let rule = |text: &str| rule(state, seat, tool, &with(&arguments, field, json!(text)));
            assert!(!rule(&megabyte).is_empty(), "{tool} took a megabyte as {field}");
            for strange in ["", " \n ", "\u{1b}[31mred\u{7}", "Ελένη 北京 🦊", "\u{202e}drow", "%s{{x}}<b>"]
            {
                rule(strange);
            }
        }
    }
}

#[test]
fn numbers_out_of_range_are_rejected_or_clamped_where_everybody_sees_it() {
    let moments = Moments::played();
    let (dm, player) = (Seat::Dm, Seat::Player(1));
    let (story, talk) = (&moments.narrative, &moments.dialogue);
    let name = talk.characters()[&player].sheet.name.clone();
    let item = talk.characters()[&player].inventory.values().next().unwrap().0.clone();
    for quantity in [0_i64, -1, 1_000_000_000_000] {
        let exchange =
            json!({"item_name": item, "quantity": quantity, "giver_id": name, "receiver_id": "wren-pellow"});
        assert_eq!(rule(talk, dm, "exchange_item", &exchange.to_string()), "quantity_out_of_range");
        for field in ["item_gained", "item_lost"] {
            let things = json!({"character": name, field: "rope", "quantity": quantity});
            assert_eq!(rule(story, dm, "update_character", &things.to_string()), "quantity_out_of_range");
        }
        let foes = json!({"foes": [{"id": "river-rough", "count": quantity}]});
        assert_eq!(rule(story, dm, "start_combat", &foes.to_string()), "quantity_out_of_range");
        let feeling = json!({"trait": "anger", "change": 5, "duration": quantity});
        assert_eq!(rule(talk, dm, "update_relationship", &feeling.to_string()), "duration_out_of_range");
    }
    let two = json!({"item_name": item, "quantity": 2, "giver_id": name, "receiver_id": "wren-pellow"});
    assert_eq!(rule(talk, dm, "exchange_item", &two.to_string()), "not_enough");
    let trust = json!({"trait": "trust", "change": 1_000_000_000_000_i64});
    assert_eq!(decide(talk, dm, "update_relationship", &trust.to_string()), Ok(vec!["TrustChanged"]));
}

#[test]
fn a_text_of_nothing_but_control_characters_and_spaces_is_empty() {
    let state = &Moments::played().narrative;
    for empty in ["\u{1} \u{2}", "\u{7}", " \u{1b}\t"] {
        let character = state.seat_name(Seat::Player(1));
        let condition = json!({"character": character, "conditions_add": [empty]});
        for (tool, call) in
            [("update_scene", json!({"scene": empty})), ("update_character", condition.clone())]
        {
            assert_eq!(rule(state, Seat::Dm, tool, &call.to_string()), "text_empty", "{empty:?}");
        }
    }
}

#[test]
fn a_note_of_the_dms_is_no_longer_than_any_other_text_and_may_be_empty() {
    let state = &Moments::played().narrative;
    let most = state.setup().limits.argument_bytes_max as usize;
    for (length, expected) in [(0, ""), (most, ""), (most + 1, "text_too_long")] {
        let note = json!({"note": "tide", "note_value": "x".repeat(length)});
        assert_eq!(rule(state, Seat::Dm, "update_scene", &note.to_string()), expected, "{length}");
    }
}

#[test]
fn who_carries_as_many_kinds_as_anybody_may_gains_only_more_of_them() {
    let mut state = Moments::played().narrative.clone();
    let name = state.seat_name(Seat::Player(1));
    let most = state.setup().limits.inventory_kinds_max as usize;
    let carried = |state: &State| state.characters()[&Seat::Player(1)].inventory.len();
    let gained = |state: &State, item: &str| {
        let call = json!({"character": name, "item_gained": item});
        rule(state, Seat::Dm, "update_character", &call.to_string())
    };
    while carried(&state) < most {
        let item = format!("pebble {}", carried(&state));
        assert_eq!(gained(&state, &item), "", "{item}");
        let added = ItemAdded { character: name.clone(), item, quantity: 1 };
        evolve(&mut state, Number(1), Millis(1), &added.into());
    }
    assert_eq!(gained(&state, "feather"), "inventory_kinds_max");
    assert_eq!(gained(&state, &format!("PEBBLE {}", most - 1)), "");
}

#[test]
fn a_tool_is_rejected_to_seats_and_in_modes_that_the_table_of_permissions_does_not_give_it() {
    let moments = Moments::played();
    let states = [
        ("session zero", &moments.session_zero),
        ("narrative", &moments.narrative),
        ("dialogue", &moments.dialogue),
        ("combat", &moments.combat),
    ];
    let mut table = String::new();
    for tool in TOOLS {
        let offered: Vec<String> = states
            .iter()
            .flat_map(|(mode, state)| {
                [Seat::Dm, Seat::Player(1), Seat::Memory]
                    .into_iter()
                    .filter(|seat| tool.is_offered(state, *seat))
                    .map(move |seat| format!("{mode}: {seat}"))
            })
            .collect();
        table += &format!("//! | `{}` | {}\n", tool.name, offered.join(", "));
    }
    let page = include_str!("../../../crates/tool/src/lib.rs");
    let rows = page.lines().filter(|line| line.starts_with("//! | `"));
    let expected: String =
        rows.map(|row| row.splitn(4, " | ").take(3).collect::<Vec<_>>().join(" | ") + "\n").collect();
    assert_eq!(table, expected, "the table of permissions at the head of crates/tool/src/lib.rs");
}

#[test]
fn an_unknown_name_is_rejected_with_the_names_that_exist() {
    let moments = Moments::played();
    let dm = Seat::Dm;
    let rows: &[(&State, &str, Value, &str, &str)] = &[
        (
            &moments.narrative,
            "start_dialogue",
            json!({"character_id": "gandalf"}),
            "unknown_npc",
            "wren-pellow",
        ),
        (
            &moments.narrative,
            "update_npc",
            json!({"id": "nobody", "hp_delta": -1}),
            "unknown_npc",
            "wren-pellow",
        ),
        (
            &moments.narrative,
            "query_campaign",
            json!({"type": "npc", "id": "nobody"}),
            "unknown_id",
            "wren-pellow",
        ),
        (
            &moments.narrative,
            "query_campaign",
            json!({"type": "encounter", "id": "x"}),
            "unknown_id",
            "gone-before-dusk",
        ),
        (
            &moments.narrative,
            "start_combat",
            json!({"foes": [{"id": "river-ruff"}]}),
            "unknown_foe",
            "river-rough",
        ),
        (&moments.narrative, "start_combat", json!({"foes": []}), "no_foes", ""),
        (
            &moments.narrative,
            "create_supporting_npc",
            json!({"name": "Wren Pellow", "role": "ally", "context": "x"}),
            "campaign_character",
            "",
        ),
        (
            &moments.narrative,
            "create_supporting_npc",
            json!({"name": "Tib", "role": "ally", "context": "x", "combat_slug": "river-ruf"}),
            "unknown_monster",
            "river-rough",
        ),
        (
            &moments.dialogue,
            "exchange_item",
            json!({"item_name": "moon", "giver_id": "wren-pellow", "receiver_id": "Player 1"}),
            "unknown_holder",
            "wren-pellow",
        ),
        (
            &moments.dialogue,
            "update_relationship",
            json!({"trait": "anger", "change": -5}),
            "feeling_not_there",
            "",
        ),
        (
            &moments.dialogue,
            "update_relationship",
            json!({"trait": "trust", "change": 0}),
            "nothing_to_update",
            "",
        ),
    ];
    for (state, tool, arguments, rule, advice) in rows {
        let rejection = decide(state, dm, tool, &arguments.to_string()).unwrap_err();
        assert_eq!(rejection.rule, *rule, "{tool} {arguments}");
        let given = people::advice(rejection.rule, &rejection.values);
        assert!(given.contains(advice), "{tool}: {given}");
    }
}
