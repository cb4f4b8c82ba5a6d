//! What a structured reply is held to: the calls that are legal now.

use serde_json::{Value, json};
use twicetold_event::{CallId, Channel, DialogueEnd, DialogueEnded, Event, Seat, ToolAccepted, TurnBegan};
use twicetold_model::{Message, Part, Request, Role, ToolCall, ToolChoice};
use twicetold_tool::fingerprint;

use super::{Given, dialogue, given_by, in_play, spoken, talk, turn};
use crate::structured::held;

const CHECK: (&str, &str) =
    ("ability_check", r#"{"character":"Wilmot","check":"read the tracks","reason":"x"}"#);

/// The DM's turn, in an encounter that allows every tool.
fn dm_turn() -> Given {
    let all = |setup: &mut twicetold_world::setup::Setup| setup.encounters[0].allowed_tools.clear();
    let told = given_by(all, in_play()).and(turn(1, Seat::Dm, "Fog."));
    told.and(turn(2, Seat::Player(1), "I look.")).and([TurnBegan { turn: 3, seat: Seat::Dm }.into()])
}

/// A request that lists every tool, in whose messages these calls were made.
fn request(given: &Given, calls: &[(&str, &str)]) -> Request {
    let call = |(name, arguments): &(&str, &str)| {
        let (id, name, arguments) = (String::new(), (*name).to_owned(), (*arguments).to_owned());
        Part::ToolCall(ToolCall { id, name, arguments })
    };
    let message = Message { role: Role::Assistant, parts: calls.iter().map(call).collect() };
    let tools = given.tools.iter().map(|tool| tool.spec.clone()).collect();
    Request { messages: vec![message], tools, ..Request::default() }
}

fn accepted((tool, arguments): (&str, &str)) -> Event {
    let (tool, fingerprint) = (tool.to_owned(), fingerprint(tool, arguments));
    ToolAccepted { call: CallId(1), index: 0, tool, fingerprint, checks: Vec::new(), effects: 0 }.into()
}

/// The ways of calling a tool that a schema has.
fn ways(schema: &str, tool: &str) -> Vec<Value> {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let all = schema["properties"]["calls"]["items"]["anyOf"].as_array().cloned().unwrap_or_default();
    let of = all.into_iter().map(|one| one["properties"].clone());
    of.filter(|one| one["tool"]["enum"] == json!([tool])).map(|one| one["arguments"].clone()).collect()
}

#[test]
fn only_what_is_legal_now_can_be_called() {
    let given = dm_turn();
    let schema = held(given.state(), Seat::Dm, &request(&given, &[])).schema;
    let checks = ways(&schema, "ability_check");
    let spec = &given.state().setup().encounters[0];
    let known: Vec<&str> = spec.checks.iter().map(|check| check.name.as_str()).collect();
    let named = checks.iter().find(|way| way["properties"].get("check").is_some()).expect("a named check");
    assert_eq!(named["properties"]["check"]["enum"], json!(known));
    // Only one of the two has acted.
    let acted = &given.state().characters()[&Seat::Player(1)].sheet.name;
    assert_eq!(named["properties"]["character"]["enum"], json!([acted]));
    for tool in ["attack", "end_combat", "end_dialogue"] {
        assert_eq!(ways(&schema, tool), Vec::<Value>::new(), "{tool}");
    }
    assert!(!schema.contains("maxLength") && !schema.contains("minimum"), "{schema}");
}

#[test]
fn what_was_accepted_in_this_turn_cannot_be_called_again() {
    let given = dm_turn().and([accepted(CHECK)]);
    let schema = |calls: &[(&str, &str)]| held(given.state(), Seat::Dm, &request(&given, calls)).schema;
    let after = schema(&[CHECK]);
    assert_eq!(ways(&after, CHECK.0), Vec::<Value>::new());
    assert_ne!(ways(&after, "roll_dice"), Vec::<Value>::new());
    // A call that was rejected may be made in another way.
    let other = ("ability_check", r#"{"character":"Nobody"}"#);
    assert_ne!(ways(&schema(&[other]), CHECK.0).len(), 0);
}

#[test]
fn where_no_call_is_allowed_there_are_words_alone() {
    let given = dm_turn();
    let mut request = request(&given, &[]);
    request.parameters.tool_choice = ToolChoice::None;
    let words = json!({"type": "object", "properties": {"say": {"type": "string"}}, "required": ["say"], "additionalProperties": false});
    let schema: Value = serde_json::from_str(&held(given.state(), Seat::Dm, &request).schema).unwrap();
    assert_eq!(schema, words);
}

#[test]
fn a_list_that_is_too_long_for_a_grammar_is_left_to_the_model() {
    let given = dm_turn();
    let schema = held(given.state(), Seat::Dm, &request(&given, &[])).schema;
    let pages = &ways(&schema, "lookup_rules")[0]["properties"];
    assert!(given.state().setup().rules.pages.len() > 40, "the rules have many pages");
    assert!(
        pages.as_object().unwrap().values().all(|page| page.get("enum").is_none_or(|all| all
            .as_array()
            .unwrap()
            .len()
            <= 40))
    );
}

/// For whom the DM may roll.
fn rollers(given: &Given) -> Value {
    let schema = held(given.state(), Seat::Dm, &request(given, &[])).schema;
    let checks = ways(&schema, "ability_check");
    checks.first().map_or(Value::Null, |way| way["properties"]["character"]["enum"].clone())
}

#[test]
fn what_the_dm_says_beside_a_call_changes_nothing_of_who_has_acted() {
    let words = |given: Given| given.and([spoken(Seat::Dm, Channel::Main, "Bettany tries it.")]);
    let given = dm_turn();
    let acted = json!([given.state().characters()[&Seat::Player(1)].sheet.name]);
    assert_eq!((rollers(&given), rollers(&words(dm_turn()))), (acted.clone(), acted));
    // In the next turn of the DM it was an answer, and in the first one nobody has acted.
    let next = words(dm_turn()).and([TurnBegan { turn: 4, seat: Seat::Dm }.into()]);
    let all = |setup: &mut twicetold_world::setup::Setup| setup.encounters[0].allowed_tools.clear();
    let first = given_by(all, in_play()).and([TurnBegan { turn: 1, seat: Seat::Dm }.into()]);
    assert_eq!((rollers(&next), rollers(&words(first))), (Value::Null, Value::Null));
    // What the DM said as somebody who was talked to was an answer.
    let talked =
        dm_turn().and([dialogue(1)]).and(talk(4, Seat::Player(1), "Well?")).and(talk(5, Seat::Dm, "Well."));
    let ended = DialogueEnded { dialogue: 1, npc: "tilda".into(), why: DialogueEnd::Tool, exchanges: 1 };
    let talked = talked.and([ended.into(), TurnBegan { turn: 6, seat: Seat::Dm }.into()]);
    assert_eq!(rollers(&words(talked)), Value::Null);
}
