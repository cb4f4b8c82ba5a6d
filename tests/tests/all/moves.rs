//! Promise: the menu of a model that is guided is sound. Whatever it offers is accepted, wherever a campaign stands.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use twicetold_event::{CallId, Seat};
use twicetold_referee::Campaign;
use twicetold_tests::{CAMPAIGNS, Game, Played};
use twicetold_tool::{Caller, Move, TOOLS, moves};
use twicetold_world::State;

/// The tool call of a move, its open texts at their least or at their most.
fn arguments(one: &Move, longest: bool) -> String {
    let mut arguments = one.arguments.clone();
    for ask in one.asks {
        let length = if longest { ask.length.1 } else { ask.length.0 };
        arguments.insert(ask.name.into(), "x".repeat(length as usize).into());
    }
    if one.tells {
        arguments.insert("summary".into(), "x".repeat(if longest { 420 } else { 40 }).into());
    }
    if one.cites {
        arguments.insert("because".into(), "#1".into());
    }
    if let Some(name) = one.intent {
        arguments.insert(name.into(), "to see".into());
    }
    Value::Object(arguments).to_string()
}

/// Each move of each seat is accepted; how often each kind was offered.
fn check(state: &State, offered: &mut BTreeMap<&'static str, u32>) {
    for seat in [Seat::Dm, Seat::Player(1), Seat::Player(2)] {
        let moves = moves(state, seat);
        let keys: BTreeSet<&str> = moves.iter().map(|one| one.key.as_str()).collect();
        assert_eq!(keys.len(), moves.len(), "two moves are chosen by the same words: {keys:?}");
        assert!(moves.len() <= 5, "{keys:?}");
        let is_over =
            seat == Seat::Dm && moves.iter().all(|one| one.tool == "encounter_resolve" && !one.cites);
        let speaks = moves.last().is_none_or(|last| last.tool.is_empty());
        let chooses = seat != Seat::Dm && moves.len() > 1;
        assert!(speaks || chooses || is_over, "one can always do one thing or another: {keys:?}");
        for one in &moves {
            *offered.entry(one.text).or_default() += 1;
            let Some(tool) = TOOLS.iter().find(|tool| tool.name == one.tool) else { continue };
            assert!(tool.is_offered(state, seat), "{seat}: {}", one.key);
            for longest in [false, true] {
                let arguments = arguments(one, longest);
                let decided = tool.decide(state, Caller { seat, call: CallId(9_999) }, &arguments);
                if let Err(rejection) = decided {
                    panic!("turn {}, {seat}: {} {arguments}: {rejection:?}", state.turn().number, one.tool);
                }
            }
        }
    }
}

fn at_every_turn(played: &Played, offered: &mut BTreeMap<&'static str, u32>) {
    let state = played.session.campaign().state();
    let entries: Vec<_> = twicetold_session::entries(played.source()).unwrap().map(Result::unwrap).collect();
    let charter = entries.iter().find_map(|entry| match &entry.input {
        twicetold_event::Input::OpeningAsked(word) => Some(word.charter.clone()),
        _ => None,
    });
    let mut campaign = Campaign::new(charter.unwrap(), state.shared_setup()).unwrap();
    let mut turn = 0;
    for entry in &entries {
        campaign.fold(entry).unwrap();
        let state = campaign.state();
        if state.turn().number != turn {
            turn = state.turn().number;
            check(state, offered);
        }
    }
}

#[test]
fn whatever_the_menu_offers_is_accepted() {
    let mut offered = BTreeMap::new();
    for seed in 0..32 {
        let game = Game::of(CAMPAIGNS[seed as usize % CAMPAIGNS.len()], 700 + seed);
        let played = if seed % 3 == 0 { game.improvised() } else { game.chaotic() };
        at_every_turn(&played, &mut offered);
    }
    let kinds = [
        "reached",
        "talk",
        "new_plan",
        "go_on",
        "foe_attacks",
        "attack",
        "use_item",
        "check",
        "speak_with",
        "speak",
    ];
    for kind in kinds {
        assert!(offered.get(kind).copied().unwrap_or_default() > 0, "{kind} was never offered: {offered:?}");
    }
}

/// The game, with a model that is guided on every seat.
fn guided(game: Game) -> Game {
    let seats = game.files.iter().find(|file| file.path == "seats.toml").unwrap().text.clone();
    let slugs = seats.lines().filter_map(|line| line.strip_prefix("[seat.")?.strip_suffix(']'));
    let guide = |slug: &str| format!("\n[seat.{slug}.compat]\ntool_calls = \"guided\"\n");
    let compat: String = slugs.filter(|slug| !slug.contains('.')).map(guide).collect();
    let kept = seats.lines().filter(|line| !line.ends_with(".compat]")).collect::<Vec<_>>().join("\n");
    game.with("seats.toml", &seats, &(kept + &compat))
}

#[test]
fn a_person_at_the_seat_of_a_guided_model_has_the_tools_that_the_model_is_not_told_of() {
    let (mut session, _memory, opening) = guided(Game::new(5)).session();
    session.commit(twicetold_event::Millis(1), opening).unwrap();
    let campaign = session.campaign();
    let request = campaign.pending_request().expect("somebody is asked");
    assert!(request.tools.is_empty() && request.reply_schema.is_some());
    let offered: Vec<String> = campaign.offered().into_iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!(offered, ["lookup_rules", "search_rules"]);
}
