//! Promise: a tool does what its rule says or nothing, and a rejection names the rule and what was observed.

use std::cell::Cell;

use serde_json::{Value, json};
use twicetold_event::{CallId, Event, Seat, ToolRejected, Values};
use twicetold_improv::improvise;
use twicetold_projection::people;
use twicetold_tests::{Game, Moments, Played, Script, Who, decide, reply_body};
use twicetold_tool::Caller;

/// The DM makes these calls, one a reply, in its first turn of play; everything else is improvised.
fn dm_calls(calls: &[(&str, &str)]) -> Played {
    calls_of(Seat::Dm, calls)
}

fn calls_of(seat: Seat, calls: &[(&str, &str)]) -> Played {
    let next = Cell::new(0);
    Game::new(21).answered(&mut |asked, body| {
        let place = next.get();
        if asked == seat && body.contains("phase: play") && place < calls.len() {
            next.set(place + 1);
            return reply_body("", &[calls[place]]);
        }
        improvise(body)
    })
}

fn rejections(played: &Played) -> Vec<&ToolRejected> {
    played
        .events
        .iter()
        .filter_map(|event| if let Event::ToolRejected(word) = event { Some(word) } else { None })
        .collect()
}

fn goal(id: &str) -> String {
    format!(
        "{{\"id\":{id:?},\"label\":\"The reeve laughs.\",\"isPrimary\":true,\"reason\":\"Nobody planned for it.\",\"because\":[1]}}"
    )
}

#[test]
fn every_outcome_of_goal_register_names_its_rule_and_what_was_observed() {
    let rows: &[(&str, &str, &str)] = &[
        (&goal("Not Legal"), "goal_id", "\"Not Legal\""),
        (&goal("dynamic_"), "goal_id", "\"dynamic_\""),
        (&goal(""), "goal_id", "\"\""),
        ("{\"id\":\"a\",\"label\":\" \",\"isPrimary\":true,\"reason\":\"r\"}", "text_empty", "label"),
        ("{\"id\":\"a\",\"label\":\"l\",\"isPrimary\":true,\"reason\":\"\"}", "text_empty", "reason"),
        (
            "{\"id\":\"a\",\"label\":\"l\",\"isPrimary\":\"yes\",\"reason\":\"r\"}",
            "arguments_not_valid",
            "isPrimary",
        ),
        ("{\"id\":\"a\",\"label\":\"l\",\"reason\":\"r\"}", "arguments_not_valid", "isPrimary"),
        (
            "{\"id\":\"a\",\"label\":\"l\",\"isPrimary\":true,\"reason\":\"r\",\"x\":1}",
            "arguments_not_valid",
            "x",
        ),
        ("{\"id\":\"a\"", "arguments_not_json", "{"),
    ];
    for (arguments, rule, observed) in rows {
        let played = dm_calls(&[("goal_register", arguments)]);
        let rejected = rejections(&played)[0];
        assert_eq!(rejected.rule, *rule, "{arguments}");
        let seen = people::observed(&rejected.rule, &rejected.values);
        assert!(seen.contains(observed), "{arguments}: {seen}");
        assert!(!people::advice(&rejected.rule, &rejected.values).is_empty());
    }
}

#[test]
fn two_goals_are_registered_and_the_third_is_one_too_many() {
    let goals = [goal("one"), goal("dynamic_two"), goal("one"), goal("three")];
    let calls: Vec<(&str, &str)> = goals.iter().map(|goal| ("goal_register", goal.as_str())).collect();
    let played = dm_calls(&calls[..]);
    let registered: Vec<&str> = played
        .events
        .iter()
        .filter_map(
            |event| if let Event::GoalRegistered(word) = event { Some(word.id.as_str()) } else { None },
        )
        .collect();
    assert_eq!(registered, ["dynamic_one", "dynamic_two"]);
    let rejected = rejections(&played);
    // The very same call again in one turn is a repetition before it is anything else.
    assert_eq!(rejected[0].rule, "repeated_call");
    assert_eq!(rejected[1].rule, "dynamic_goals_max");
    assert_eq!(rejected[1].values, Values::default().with("registered", 2).with("most", 2));
}

#[test]
fn after_twenty_messages_no_goal_is_registered() {
    let late = goal("late");
    let done = Cell::new(false);
    let played = Game::new(22).without_failures().answered(&mut |seat, body| {
        let past = (20..44).any(|messages| body.contains(&format!("messages: {messages} of 44")));
        if seat == Seat::Dm && past && !done.get() {
            done.set(true);
            return reply_body("", &[("goal_register", &late)]);
        }
        // Nobody resolves anything.
        reply_body("Something happens, and goes on happening.", &[])
    });
    let rejected = rejections(&played)[0];
    assert_eq!(rejected.rule, "goal_messages_max");
    assert_eq!(rejected.values.get("fewer_than"), Some("20"));
    let unresolved = played.events.iter().any(|event| matches!(event, Event::EncounterUnresolved(_)));
    assert!(unresolved, "an encounter that reaches its limit of messages ends as unresolved");
}

#[test]
fn a_registered_goal_is_in_the_next_prompt_of_the_dm_and_in_no_players() {
    let (registered, shown) = (Cell::new(false), Cell::new(false));
    let call = goal("laughing");
    Game::new(23).answered(&mut |seat, body| {
        let has = body.contains("dynamic_laughing: The reeve laughs. (primary)");
        match seat {
            Seat::Dm if registered.get() && body.contains("phase: play") => shown.set(shown.get() | has),
            Seat::Player(_) => assert!(!has, "players do not know hidden goals"),
            _ => {}
        }
        if seat == Seat::Dm && body.contains("phase: play") && !registered.get() {
            registered.set(true);
            return reply_body("", &[("goal_register", &call)]);
        }
        improvise(body)
    });
    assert!(shown.get());
}

#[test]
fn an_encounter_is_resolved_by_one_of_its_goals_and_only_once() {
    let resolve = |encounter: &str, outcome: &str| {
        format!(
            "{{\"encounterId\":{encounter:?},\"outcomeId\":{outcome:?},\"summary\":\"It is done.\",\"because\":[1]}}"
        )
    };
    let calls = [
        ("encounter_resolve", resolve("another", "shelf-full-and-quiet")),
        ("encounter_resolve", resolve("gone-before-dusk", "a-miracle")),
    ];
    let calls: Vec<(&str, &str)> =
        calls.iter().map(|(name, arguments)| (*name, arguments.as_str())).collect();
    let played = dm_calls(&calls);
    let rules: Vec<&str> = rejections(&played).iter().map(|word| word.rule.as_str()).collect();
    assert_eq!(rules[..2], ["unknown_encounter", "unknown_outcome"]);
    let good = resolve("gone-before-dusk", "shelf-full-and-quiet");
    let early = dm_calls(&[("encounter_resolve", &good)]);
    assert_eq!(rejections(&early)[0].rule, "nobody_has_acted");
    let asked = Cell::new(false);
    let twice = Game::new(24).answered(&mut |seat, body| {
        if seat == Seat::Dm && body.contains("messages: 2 of 44") && !asked.get() {
            asked.set(true);
            // Asked once whether it is meant although the checks have not passed, it counts the second time.
            let calls = ["It is done.", "It is done again.", "It is over."];
            let calls = calls.map(|summary| good.replace("It is done.", summary));
            return reply_body(
                "The end.",
                &calls.each_ref().map(|call| ("encounter_resolve", call.as_str())),
            );
        }
        improvise(body)
    });
    assert_eq!(twice.events.iter().filter(|event| matches!(event, Event::EncounterResolved(_))).count(), 1);
    // With the encounter over, the tool is not on offer any more.
    let rules = rejections(&twice).iter().map(|word| word.rule.as_str()).collect::<Vec<_>>();
    assert_eq!(rules[..2], ["needs_open", "not_offered"]);
}

#[test]
fn numbers_are_clamped_in_the_open_and_two_facts_of_one_turn_both_survive() {
    let name =
        |played: &Played| played.session.campaign().state().characters()[&Seat::Player(1)].sheet.name.clone();
    let who = name(&Game::new(21).improvised());
    let hurt = |by: i64| ("update_character", format!("{{\"character\":{who:?},\"hp_delta\":{by}}}"));
    let sworn = |text| ("record_event", format!("{{\"kind\":\"important\",\"text\":{text:?}}}"));
    let calls = [hurt(-3), hurt(-300), sworn("First."), sworn("Second.")];
    let calls: Vec<(&str, &str)> = calls.iter().map(|(tool, text)| (*tool, text.as_str())).collect();
    let played = Script::of(Game::new(21)).line(Who::Dm, "", &calls).play().played;
    let changes: Vec<_> = played
        .events
        .iter()
        .filter_map(|event| {
            if let Event::HitPointsChanged(word) = event {
                Some((word.asked, word.applied, word.now))
            } else {
                None
            }
        })
        .collect();
    let most = i64::from(played.session.campaign().state().characters()[&Seat::Player(1)].sheet.hit_points);
    assert_eq!(changes[..2], [(-3, -3, most - 3), (-300, 3 - most, 0)]);
    let important: Vec<&str> = played
        .session
        .campaign()
        .state()
        .facts()
        .important
        .all()
        .iter()
        .map(|(_, text)| text.as_str())
        .collect();
    assert_eq!(important[..2], ["First.", "Second."]);
}

#[test]
fn one_wrong_field_of_an_update_leaves_the_state_untouched() {
    let moments = Moments::played();
    let name = &moments.narrative.characters()[&Seat::Player(1)].sheet.name;
    let hurt = |field: &str, value: Value| {
        ("update_character", json!({"character": name, "hp_delta": -1, field: value}))
    };
    let moved = |field: &str, value: Value| ("update_scene", json!({"location": "The moon", field: value}));
    let rows = [
        (hurt("item_lost", json!("The moon")), "item_not_there"),
        (hurt("conditions_remove", json!(["moonstruck"])), "condition_not_there"),
        (hurt("conditions_add", json!(["cold", ""])), "text_empty"),
        (hurt("conditions_add", json!(vec!["cold"; 21])), "list_too_long"),
        (hurt("xp_gained", json!("many")), "arguments_not_valid"),
        (moved("note_delete", json!("no such note")), "flag_not_there"),
        (moved("note_value", json!("a note without a name")), "text_empty"),
        (moved("objective", json!("")), "text_empty"),
        (("record_met", json!({"people": ["wren-pellow", "Nobody"]})), "unknown_npc"),
        (("record_met", json!({"people": []})), "nothing_to_update"),
        (("record_quest", json!({"quest": "A quest that nobody gave", "done": true})), "unknown_quest"),
    ];
    for ((tool, arguments), rule) in rows {
        // A rejection holds no events: nothing of the call can happen.
        let rejection = decide(&moments.narrative, Seat::Dm, tool, &arguments.to_string()).unwrap_err();
        assert_eq!(rejection.rule, rule, "{tool} {arguments}");
    }
    let played =
        dm_calls(&[("update_scene", "{\"location\":\"The moon\",\"note_delete\":\"no such note\"}")]);
    assert_eq!(rejections(&played)[0].rule, "flag_not_there");
    let moon = |event: &Event| matches!(event, Event::LocationChanged(word) if word.text == "The moon");
    assert!(!played.events.iter().any(moon));
    let one = decide(&moments.narrative, Seat::Dm, "record_met", "{\"people\":\"wren-pellow\"}");
    assert_eq!(one, Ok(vec!["NpcMet"]), "a single text is a list of one");
    let both = hurt("item_gained", json!("moon")).1;
    let both = both.to_string().replace('}', ",\"item_lost\":\"Moon\"}");
    let events = ["ItemAdded", "ItemRemoved", "HitPointsChanged"];
    assert_eq!(decide(&moments.narrative, Seat::Dm, "update_character", &both), Ok(events.to_vec()));
}

#[test]
fn a_seat_rolls_only_for_itself_and_nobody_for_one_who_has_not_acted() {
    let base = Game::new(21).improvised();
    let names: Vec<String> = base
        .session
        .campaign()
        .state()
        .characters()
        .values()
        .map(|character| character.sheet.name.clone())
        .collect();
    let check = |name: &str| {
        format!("{{\"character\":{name:?},\"ability\":\"DEX\",\"difficulty\":5,\"reason\":\"to see\"}}")
    };
    let by_dm = check(&names[2]);
    let played = dm_calls(&[("ability_check", &by_dm)]);
    assert_eq!(rejections(&played)[0].rule, "character_has_not_acted");
    let by_player = check(&names[1]);
    let played = calls_of(Seat::Player(1), &[("ability_check", &by_player)]);
    assert_eq!(rejections(&played)[0].rule, "not_your_character");
}

#[test]
fn a_check_may_be_named_in_what_is_tried_where_nothing_else_says_what_is_thrown() {
    let moments = Moments::played();
    let state = &moments.narrative;
    let name = &state.characters()[&Seat::Player(1)].sheet.name;
    let checks: Vec<&str> = state.encounter_spec().unwrap().checks.iter().map(|check| &*check.name).collect();
    let tries = |more: Value| {
        let mut asked = json!({"character": name, "reason": "I go."});
        asked.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
        decide(state, Seat::Player(1), "ability_check", &asked.to_string())
            .map_err(|rejection| rejection.rule)
    };
    let loud = format!("I want to {}, now", checks[0].to_uppercase());
    assert_eq!(tries(json!({"reason": loud, "difficulty": 3})), Ok(vec!["AbilityChecked"]));
    assert_eq!(tries(json!({})), Err("ability_missing"));
    assert_eq!(tries(json!({"reason": checks.join(" and ")})), Err("ability_missing"), "which of them?");
    assert_eq!(tries(json!({"reason": checks[0], "check": "fly"})), Err("unknown_check"));
    // As a small model names one: "follow somebody through the stalls".
    assert_eq!(tries(json!({"reason": "She follows somebody at the stalls."})), Ok(vec!["AbilityChecked"]));
    assert_eq!(tries(json!({"check": "follows somebody in the stall"})), Ok(vec!["AbilityChecked"]));
    assert_eq!(tries(json!({"reason": "Somebody follows."})), Err("ability_missing"), "that is too little");
    let rolled = |more: Value| {
        let mut asked = json!({"character": name, "reason": "I go."});
        asked.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
        let caller = Caller { seat: Seat::Player(1), call: CallId(900) };
        let tool = twicetold_tool::named("ability_check").unwrap();
        let accepted = tool.decide(state, caller, &asked.to_string()).unwrap();
        let Some(Event::AbilityChecked(word)) = accepted.events.first() else {
            panic!("{:?}", accepted.events)
        };
        (word.check.clone(), word.ability.clone(), word.difficulty)
    };
    let spec = &state.encounter_spec().unwrap().checks[0];
    let other = if spec.ability == "STR" { "DEX" } else { "STR" };
    for field in ["ability", "check"] {
        let own = json!({"reason": spec.name, field: spec.ability, "difficulty": 3});
        assert_eq!(tries(own), Ok(vec!["AbilityChecked"]), "{field}");
        let free = json!({"reason": spec.name, field: other, "difficulty": 3});
        assert_eq!(tries(free.clone()), Ok(vec!["AbilityChecked"]), "{field}");
        assert_eq!(
            rolled(free),
            (String::new(), other.to_owned(), 12),
            "{field}: it is another one, and the DM says how hard"
        );
    }
}

#[test]
fn a_goal_may_be_named_by_its_label_and_an_encounter_by_its_title() {
    let moments = Moments::played();
    let state = &moments.narrative;
    let (spec, goal) = (state.encounter_spec().unwrap(), state.goals().remove(0));
    let resolved = |encounter: &str, outcome: &str| {
        let arguments = json!({"encounterId": encounter, "outcomeId": outcome, "summary": "It is done.", "because": ["#1"]});
        decide(state, Seat::Dm, "encounter_resolve", &arguments.to_string())
            .map_err(|rejection| rejection.rule)
    };
    let told = goal.label.to_uppercase();
    assert_eq!(resolved(&spec.title, told.trim_end_matches('.')), resolved(&spec.id, &goal.id));
    assert!(resolved(&spec.id, &goal.id).is_ok());
    assert_eq!(resolved(&spec.id, "they all went home"), Err("unknown_outcome"));
    assert_eq!(resolved("elsewhere", &goal.id), Err("unknown_encounter"));
}

#[test]
fn prose_changes_nothing() {
    let base = Game::new(21).improvised();
    let before = base.session.campaign().state().characters()[&Seat::Player(1)].sheet.hit_points;
    let played = Game::new(21).answered(&mut |_, body| {
        if body.contains("phase: play") {
            return reply_body("You rolled a natural 20 and gain 900 gold. Everybody else is dead.", &[]);
        }
        improvise(body)
    });
    let character = &played.session.campaign().state().characters()[&Seat::Player(1)];
    assert_eq!((character.hit_points, character.gold), (i64::from(before), 15));
    assert!(!played.events.iter().any(|event| matches!(event, Event::DiceRolled(_) | Event::GoldChanged(_))));
}

#[test]
fn look_ups_of_a_turn_have_a_limit_and_a_miss_names_the_nearest_page() {
    let look = |path: &str| format!("{{\"path\":{path:?}}}");
    let paths = [
        look("classes/wardn"),
        look("classes/warden"),
        look("guides/interesting-campaigns"),
        look("classes/bonesetter"),
        look("classes/hedge-witch"),
    ];
    let calls: Vec<(&str, &str)> = paths.iter().map(|path| ("lookup_rules", path.as_str())).collect();
    let played = dm_calls(&calls);
    let rejected = rejections(&played);
    assert_eq!(rejected[0].rule, "unknown_page");
    assert!(rejected[0].values.get("near").is_some_and(|near| near.contains("classes/warden")));
    assert_eq!(rejected[1].rule, "lookups_per_turn_max");
    assert_eq!(rejected[1].values, Values::default().with("used", 3).with("most", 3));
}

#[test]
fn a_goal_of_the_same_name_is_rejected_in_a_later_turn_too() {
    let goal = goal("one");
    let play = Script::of(Game::new(24))
        .line(Who::Dm, "A.", &[("goal_register", &goal)])
        .line(Who::Dm, "B.", &[])
        .line(Who::Dm, "C.", &[("goal_register", &goal)])
        .play();
    assert_eq!(play.rejections(), ["goal_exists"]);
}

#[test]
fn a_failed_check_costs_the_hit_points_that_its_harm_names_and_nothing_else_does() {
    let harmful = ["shove barrels and bargemen aside", "hide in the cold water and listen"];
    let (mut failed, mut passed) = (0, 0);
    for seed in 1..=12 {
        let played = Game::new(seed).improvised();
        for (place, event) in played.events.iter().enumerate() {
            let Event::AbilityChecked(check) = event else { continue };
            let follows = &played.events[place + 1..];
            let is_harm =
                |event: &Event| matches!(event, Event::DiceRolled(dice) if dice.stream.contains(" harm "));
            if check.success || !harmful.contains(&check.check.as_str()) {
                assert!(!is_harm(&follows[0]), "{check:?}");
                passed += u32::from(harmful.contains(&check.check.as_str()));
                continue;
            }
            let [Event::DiceRolled(dice), Event::HitPointsChanged(lost), ..] = follows else {
                panic!("{check:?} cost nothing")
            };
            assert_eq!((dice.dice.as_str(), &dice.character), ("1d4", &check.character));
            assert_eq!(dice.stream, check.stream.replace(" check ", " harm "));
            assert_eq!((lost.asked, &lost.character), (-i64::from(dice.total), &check.character));
            failed += 1;
        }
    }
    assert!(failed > 0 && passed > 0, "{failed} failed, {passed} passed");
}
