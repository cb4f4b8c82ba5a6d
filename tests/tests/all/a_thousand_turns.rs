//! Promise: however long a campaign is, its prompts stay within their budget, and nothing that was to be remembered is lost.

use serde_json::Value;
use twicetold_event::{Event, Seat};
use twicetold_improv::improvise;
use twicetold_tests::Game;
use twicetold_tests::reply_body;

/// A DM that records something of every kind in every turn, and a party that talks.
/// So many people come up: more than a prompt lists, and as many as a campaign takes.
const PEOPLE: u32 = 40;

#[test]
fn a_campaign_of_a_thousand_turns_asks_no_longer_questions_at_its_end_than_at_its_beginning() {
    let game = Game::new(91)
        .with("limits.toml", "turns_max = 200", "turns_max = 1030")
        .with("limits.toml", "calls_max = 1200", "calls_max = 12000")
        .with("limits.toml", "encounter_messages_max = 60", "encounter_messages_max = 6000")
        .with("encounters/gone-before-dusk.toml", "messages_max = 44", "messages_max = 6000")
        .without_failures();
    let mut longest: Vec<(u32, u64)> = Vec::new();
    let mut recorded = 0_u32;
    let mut last = String::new();
    let played = game.answered(&mut |seat, body| {
        if body.contains("role: memory") {
            return reply_body(&"What came before is kept in these words. ".repeat(40), &[]);
        }
        if !body.contains("phase: play") {
            return improvise(body);
        }
        let turn =
            body.rsplit("\\nturn: ").next().and_then(|rest| rest.split("\\n").next()).unwrap_or_default();
        let turn: u32 = turn.parse().unwrap_or_default();
        longest.push((turn, body.len() as u64));
        if seat == Seat::Dm {
            body.clone_into(&mut last);
        }
        let words = format!(
            "In turn {turn} this happened. {}",
            "More was said of it than anybody needed. ".repeat(14)
        );
        if seat != Seat::Dm || body.contains(&format!("in turn {turn} number")) {
            return reply_body(&words, &[]);
        }
        recorded += 1;
        let met = recorded.min(PEOPLE);
        let event = |kind: &str, what: &str| {
            format!("{{\"kind\":{kind:?},\"text\":\"{what} in turn {turn} number {recorded}.\"}}")
        };
        let person = format!("{{\"name\":\"Person {met}\",\"role\":\"neutral\",\"context\":\"Was there.\"}}");
        let ask = "{\"query_type\":\"important_events\",\"text\":\"number 1.\"}";
        let mut calls = vec![
            ("create_supporting_npc", person),
            ("record_event", event("important", "Sworn")),
            ("record_event", event("notable", "Seen")),
            ("record_event", event("milestone", "Reached")),
            ("record_met", format!("{{\"people\":\"Person {met}\"}}")),
            ("record_quest", format!("{{\"quest\":\"Quest {recorded}\"}}")),
            ("update_scene", format!("{{\"note\":\"note {recorded}\",\"note_value\":\"x\"}}")),
        ];
        if let 90..=93 = turn % 100 {
            calls.push(("query_session_memory", ask.to_owned()));
        }
        let calls: Vec<(&str, &str)> =
            calls.iter().map(|(tool, arguments)| (*tool, arguments.as_str())).collect();
        reply_body(&words, &calls)
    });
    let state = played.session.campaign().state();
    assert!(state.turn().number >= 1_000, "{}", state.turn().number);
    let most = |from: u32, to: u32| {
        let within = longest.iter().filter(|(turn, _)| (from..to).contains(turn));
        within.map(|(_, bytes)| *bytes).max().expect("somebody was asked")
    };
    let (early, late) = (most(100, 200), most(900, 1_000));
    assert!(late <= early + early / 10, "the longest request grew from {early} to {late} bytes");
    let answers: Vec<String> = played
        .events
        .iter()
        .filter_map(|event| {
            if let Event::MemoryQueried(word) = event { Some(format!("{:?}", word.answer)) } else { None }
        })
        .collect();
    assert!(answers.len() >= 9);
    for answer in answers {
        assert!(answer.contains("number 1."), "the first important event is found: {answer}");
    }
    lists_stay_within_their_caps(&last);
}

fn lists_stay_within_their_caps(body: &str) {
    let request: Value = serde_json::from_str(body).unwrap();
    let texts = request["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "user");
    let text: String = texts.filter_map(|message| message["content"].as_str()).collect();
    let memory = text.split("<memory>").nth(1).and_then(|rest| rest.split("</memory>").next()).unwrap();
    let count = |lead: &str| memory.lines().filter(|line| line.starts_with(lead)).count();
    let caps = [
        ("- Sworn", 50),
        ("- Seen", 10),
        ("- Reached", 20),
        ("- Person", 30),
        ("- Quest", 50),
        ("- note", 50),
    ];
    for (lead, most) in caps {
        let shown = count(lead);
        assert!(shown > 0 && shown <= most, "{lead}: {shown} shown, at most {most}");
    }
}
