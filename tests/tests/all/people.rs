//! Promise: the DM's characters are remembered: who they are, what they carry and feel, what they live through.

use twicetold_event::{Event, NpcStatus, Seat};
use twicetold_tests::{Game, Performance, Script, Who};

const MARTA: &str =
    "{\"name\":\"Old Marta\",\"role\":\"informant\",\"context\":\"Sells fish and saw the boat go.\"}";
const START: (&str, &str) = ("start_dialogue", "{\"character_id\":\"wren-pellow\"}");

fn npc<'a>(play: &'a Performance, id: &str) -> &'a twicetold_world::Npc {
    play.played.session.campaign().state().npcs().get(id).unwrap_or_else(|| panic!("nobody is {id}"))
}

#[test]
fn a_supporting_character_is_there_at_once_and_gets_a_profile_at_the_turns_end() {
    let profile = "{\"appearance\":\"Small, in oilskins.\",\"personality\":\"Dry.\",\"motivations\":[\"a new boat\"],\"location\":\"the fish steps\",\"notes\":\"Counts aloud.\"}";
    let play = Script::of(Game::new(61))
        .line(Who::Dm, "", &[("create_supporting_npc", MARTA)])
        .line(Who::Dm, "A woman watches you.", &[])
        .line(Who::Memory, profile, &[])
        .line(Who::Dm, "", &[("query_session_memory", "{\"query_type\":\"supporting_npcs\"}")])
        .play();
    let marta = npc(&play, "old-marta");
    assert_eq!((marta.name.as_str(), marta.location.as_str()), ("Old Marta", "the fish steps"));
    assert!(marta.profile.is_some());
    let after =
        play.asked(Who::Dm).find(|body| body.contains("Small, in oilskins.")).expect("the DM is told");
    assert!(after.contains("Sells fish and saw the boat go."));
    assert!(
        play.asked(Who::Player).all(|body| !body.contains("saw the boat go")),
        "players have not met her"
    );
}

#[test]
fn only_people_who_are_there_can_be_met_and_nobody_twice() {
    let named = "{\"name\":\"Dr. O'Hara\",\"role\":\"ally\",\"context\":\"Sets bones.\"}";
    let met = "{\"people\":[\"Dr. O'Hara\",\"dr-o-hara\",\"wren-pellow\",\"Wren Pellow\"]}";
    let unknown = "{\"people\":[\"ottilie-brack\",\"Zorblax the Unknown\"]}";
    let play = Script::of(Game::new(64))
        .line(Who::Dm, "", &[("create_supporting_npc", named), ("record_met", met)])
        .line(Who::Dm, "", &[("record_met", unknown)])
        .play();
    let first: Vec<String> = play
        .all(|event| if let Event::NpcMet(word) = event { Some(word.npc.clone()) } else { None })
        .into_iter()
        .take(2)
        .collect();
    assert_eq!(first, ["dr-o-hara", "wren-pellow"], "each once, under the id that it has");
    assert_eq!(play.rejections(), ["unknown_npc"]);
    let state = play.played.session.campaign().state();
    assert!(!state.facts().npcs.contains_key("ottilie-brack"), "all of a call or nothing");
    assert!(state.npcs().all().all(|npc| !npc.name.contains("Zorblax")));
}

#[test]
fn where_people_are_has_its_keys_filled_in() {
    let stage = "encounters/the-landing-stage.toml";
    let game =
        Game::of("the-borrowed-boat", 5).with(stage, "location = \"", "location = \"Under {{weather}}: ");
    let played = game.improvised();
    let npcs = played.session.campaign().state().npcs();
    assert!(npcs.count() > 0);
    for npc in npcs.all() {
        assert!(!npc.location.contains("{{"), "{}: {}", npc.name, npc.location);
    }
}

#[test]
fn the_same_name_again_is_an_update_and_no_twin() {
    let again = "{\"name\":\"  OLD  marta\",\"role\":\"ally\",\"context\":\"Lends the party her boat.\"}";
    let play = Script::of(Game::new(63))
        .line(Who::Dm, "", &[("create_supporting_npc", MARTA)])
        .line(Who::Dm, "", &[("create_supporting_npc", again)])
        .play();
    let state = play.played.session.campaign().state();
    assert_eq!(state.npcs().all().filter(|npc| npc.name.to_lowercase().contains("marta")).count(), 1);
    let marta = npc(&play, "old-marta");
    assert_eq!((marta.name.as_str(), marta.persona.as_str()), ("Old Marta", "Lends the party her boat."));
}

#[test]
fn two_important_events_of_one_turn_both_survive_and_are_found_again() {
    let [lied, swore] = ["The reeve lied about the ledger.", "Kira swore to the heron."]
        .map(|text| format!("{{\"kind\":\"important\",\"text\":{text:?}}}"));
    let ask = "{\"query_type\":\"important_events\",\"text\":\"heron\"}";
    let play = Script::of(Game::new(64))
        .line(Who::Dm, "", &[("record_event", &lied), ("record_event", &swore)])
        .line(Who::Dm, "So it stands.", &[("query_session_memory", ask)])
        .play();
    let answers = play.all(|event| {
        if let Event::MemoryQueried(word) = event { Some(format!("{:?}", word.answer)) } else { None }
    });
    assert!(answers[0].contains("Kira swore to the heron.") && !answers[0].contains("ledger"), "{answers:?}");
    let state = play.played.session.campaign().state();
    assert_eq!(state.facts().important.all().len(), 2);
    assert!(play.asked(Who::Player).any(|body| body.contains("The reeve lied about the ledger.")));
}

#[test]
fn only_who_was_part_of_an_event_remembers_it() {
    let told = "{\"kind\":\"important\",\"text\":\"Wren Pellow gave the seal to old Brack's cousin; the market saw it.\"}";
    let play = Script::of(Game::new(64))
        .line(Who::Dm, "So be it.", &[("record_event", told)])
        .line(Who::Dm, "She waits.", &[("start_dialogue", "{\"character_id\":\"wren-pellow\"}")])
        .play();
    let recorded = |event: &Event| match event {
        Event::ImportantEventRecorded(word) => Some(word.witnesses.clone()),
        _ => None,
    };
    assert_eq!(play.all(recorded), [["wren-pellow", "ottilie-brack"]]);
    let saw = |id: &str| play.played.session.campaign().state().witnessed(npc(&play, id)).count();
    assert_eq!((saw("wren-pellow"), saw("augustin-marchpane")), (1, 0));
    let companion = play.asked(Who::Companion).next().expect("she is asked");
    assert!(companion.contains("remembers: Wren Pellow gave the seal"), "{companion}");
}

#[test]
fn what_has_not_begun_is_not_told() {
    let mut game = Game::new(65);
    // The landing stage comes after the market.
    game = game.with(
        "campaign.toml",
        "encounters = [\"gone-before-dusk\"]",
        "encounters = [\"gone-before-dusk\", \"the-landing-stage\"]",
    );
    let stage = std::fs::read_to_string(
        twicetold_tests::repository().join("config/encounters/the-landing-stage.toml"),
    )
    .unwrap();
    let stage_id = toml_id(&stage);
    game.files.push(twicetold_world::setup::SourceFile {
        path: "encounters/the-landing-stage.toml".into(),
        text: stage.into(),
    });
    let ask = |kind: &str, id: &str| format!("{{\"type\":{kind:?},\"id\":{id:?}}}");
    let (encounter, npc) = (ask("encounter", "the-landing-stage"), ask("npc", &stage_id));
    let play = Script::of(game)
        .line(Who::Dm, "", &[("query_campaign", &encounter)])
        .line(Who::Dm, "", &[("query_campaign", &npc)])
        .line(Who::Dm, "", &[("query_campaign", "{\"type\":\"encounter\",\"id\":\"gone-before-dusk\"}")])
        .play();
    assert_eq!(play.rejections(), ["spoiler", "spoiler"]);
}

/// The id of the first npc of an encounter.
fn toml_id(text: &str) -> String {
    let npc = text.split("[[npc]]").nth(1).expect("an npc");
    let id = npc.lines().find_map(|line| line.strip_prefix("id = ")).expect("an id");
    id.trim_matches('"').to_owned()
}

#[test]
fn trust_feelings_and_things_change_in_a_dialogue_and_feelings_fade() {
    let play = Script::of(Game::new(66))
        .line(Who::Dm, "She puts the brush down. Player 1, what do you do?", &[])
        .line(Who::Seat(1), "I go to her.", &[])
        .line(Who::Dm, "Wren waits.", &[START])
        .line(
            Who::Companion,
            "You again.",
            &[("update_relationship", "{\"trait\":\"anger\",\"change\":40,\"duration\":6}")],
        )
        .line(Who::Companion, "Fine.", &[("update_relationship", "{\"trait\":\"trust\",\"change\":300}")])
        .line(Who::Companion, "Go.", &[("end_dialogue", "{}")])
        .play();
    let wren = npc(&play, "wren-pellow");
    assert_eq!(wren.trust, 100, "clamped, and the event says what was asked");
    let changed =
        play.all(
            |event| {
                if let Event::TrustChanged(word) = event { Some((word.asked, word.applied)) } else { None }
            },
        );
    assert_eq!(changed, [(300, 100)]);
    assert!(wren.feelings.is_empty(), "six turns later it is over");
    assert_eq!(play.all(|event| matches!(event, Event::FeelingExpired(_)).then_some(())).len(), 1);
    let angry = play.asked(Who::Companion).nth(1).unwrap();
    assert!(angry.contains("anger 40, for "), "the character is told what it feels");
}

#[test]
fn a_thing_that_is_given_leaves_one_and_reaches_the_other() {
    let game = Game::new(67);
    let probe = Script::of(Game::new(67)).play();
    let state = probe.played.session.campaign().state();
    let kira = &state.characters()[&Seat::Player(1)];
    let (item, count, _) = kira.inventory.values().next().unwrap().clone();
    let name = kira.sheet.name.clone();
    let give = format!(
        "{{\"item_name\":{:?},\"giver_id\":{name:?},\"receiver_id\":\"wren-pellow\"}}",
        item.to_uppercase()
    );
    let play = Script::of(game)
        .line(Who::Dm, "She puts the brush down. Player 1, what do you do?", &[])
        .line(Who::Seat(1), "I go to her.", &[])
        .line(Who::Dm, "Wren waits.", &[START])
        .line(Who::Companion, "I'll take that.", &[("exchange_item", &give)])
        .line(Who::Companion, "Go.", &[("end_dialogue", "{}")])
        .play();
    let state = play.played.session.campaign().state();
    let left = state.characters()[&Seat::Player(1)].inventory.get(&item).map_or(0, |(_, count, _)| *count);
    assert_eq!(left, count - 1);
    assert_eq!(npc(&play, "wren-pellow").inventory.get(&item).map(|(_, count, _)| *count), Some(1));
}

#[test]
fn what_becomes_of_somebody_is_recorded_and_a_dead_man_does_not_talk() {
    let dead = "{\"id\":\"augustin-marchpane\",\"hp_delta\":-50,\"status\":\"dead\"}";
    let play = Script::of(Game::new(68))
        .line(Who::Dm, "", &[("update_npc", dead)])
        .line(Who::Dm, "He falls. Player 1, what do you do?", &[])
        .line(Who::Seat(1), "I ask him why.", &[])
        .line(Who::Dm, "", &[("start_dialogue", "{\"character_id\":\"augustin-marchpane\"}")])
        .play();
    let him = npc(&play, "augustin-marchpane");
    assert_eq!((him.status, him.hit_points), (NpcStatus::Dead, Some(0)));
    assert_eq!(play.rejections(), ["npc_not_active"]);
}

#[test]
fn a_whisper_reaches_its_listener_and_nobody_else() {
    let play = Script::of(Game::new(69))
        .line(Who::Dm, "Player 1, what do you do?", &[])
        .line(Who::Seat(1), "I wait.", &[("whisper", "{\"to\":\"Player 2\",\"text\":\"the plum is stone\"}")])
        .play();
    let told = |who: Who| play.asked(who).filter(|body| body.contains("the plum is stone")).count();
    assert!(told(Who::Seat(2)) > 0 && told(Who::Seat(1)) > 0);
    assert_eq!((told(Who::Seat(3)), told(Who::Dm), told(Who::Memory)), (0, 0, 0));
}

#[test]
fn what_somebody_lived_through_is_there_at_the_next_meeting() {
    let mut game = Game::new(70).with(
        "campaign.toml",
        "encounters = [\"gone-before-dusk\"]",
        "encounters = [\"gone-before-dusk\", \"the-day-after\"]",
    );
    let first = std::fs::read_to_string(
        twicetold_tests::repository().join("config/encounters/gone-before-dusk.toml"),
    )
    .unwrap();
    let second = first
        .replace("id = \"gone-before-dusk\"", "id = \"the-day-after\"")
        .replace("id = \"wren-pellow\"", "id = \"wren\"");
    game.files.push(twicetold_world::setup::SourceFile {
        path: "encounters/the-day-after.toml".into(),
        text: second.into(),
    });
    let resolve = "{\"encounterId\":\"gone-before-dusk\",\"outcomeId\":\"shelf-full-and-quiet\",\"summary\":\"Quietly done.\",\"because\":[1]}";
    let play = Script::of(game)
        .line(Who::Dm, "Player 1, what do you do?", &[])
        .line(Who::Player, "I go to her.", &[])
        .line(Who::Dm, "Wren waits.", &[START])
        .line(Who::Companion, "So.", &[("update_relationship", "{\"trait\":\"trust\",\"change\":7}")])
        .line(Who::Companion, "Go.", &[("end_dialogue", "{}")])
        .line(Who::Dm, "It is over.", &[("encounter_resolve", resolve)])
        .play();
    let wren = npc(&play, "wren");
    assert_eq!(wren.trust, 7, "who has another id and the same memory key is the same person");
    assert_eq!(wren.memories[0].values.get("trust"), Some("7"));
    let second: Vec<&str> =
        play.asked(Who::Dm).filter(|body| body.contains("encounter: the-day-after")).collect();
    assert!(
        second[0].contains("[remembers] Wren Pellow: Gone Before Dusk"),
        "the DM is told what she remembers"
    );
}
