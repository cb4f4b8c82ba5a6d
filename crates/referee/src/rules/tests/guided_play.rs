//! What a guided player is offered, and what the engine says for it.

use std::collections::BTreeSet;

use serde_json::json;
use twicetold_event::{
    Audience, Channel, DialogueEnd, DialogueEnded, Event, MessageSpoken, Purpose, Seat, Text, TurnBegan,
    TurnEnd, TurnEnded,
};
use twicetold_world::setup::Setup;

use super::guided::{checks, ends, gifted, guide, long, names, tried, turn_by, turn_of, when};
use super::{Given, checked, dialogue, given_by, in_play, talk, turn};
use crate::question::{Question, question};
use crate::table::Next;

const DM: Seat = Seat::Dm;
const FIRST: Seat = Seat::Player(1);

#[test]
fn a_player_who_wants_to_speak_with_somebody_says_nothing_to_everybody_before() {
    let answer = json!({"intent": "hear what she knows", "do": "speak with Tilda"});
    let offered = |given: &Given, turn: u32| {
        let asked = given.clone().and([TurnBegan { turn, seat: FIRST }.into()]);
        let Question::Choose(moves) = question(asked.state(), FIRST) else { panic!("no choice") };
        moves.iter().any(|one| one.key == "speak with Tilda")
    };
    let given = turn_of(FIRST);
    let turn = (10..14).find(|turn| offered(&given, *turn)).expect("one of two people each turn");
    let given = given.and([TurnBegan { turn, seat: FIRST }.into()]);
    let (next, events, given) = when(given, FIRST, Purpose::Play, "", &answer);
    assert_eq!(next, Next::EndTurn(TurnEnd::Spoken), "{events:?}");
    let given = given.and([TurnEnded { turn, why: TurnEnd::Spoken }.into()]);
    let mut given = given.and([TurnBegan { turn: turn + 1, seat: DM }.into()]);
    let (_, events) = given.when(crate::rules::narrator::acts);
    assert!(events.iter().any(|event| matches!(event, Event::DialogueBegan(_))), "{events:?}");
    let asked = given.state().exchange().unwrap().asked;
    assert!(asked.starts_with("Nobody has asked you yet"), "{asked}");
    let asked = asked.to_owned();
    let (next, events) = given.when(|table| crate::rules::turn::begin(table, FIRST));
    assert_eq!(next, Next::EndTurn(TurnEnd::Spoken), "nobody is asked for it");
    assert!(matches!(events.last(), Some(Event::MessageSpoken(word)) if word.text == Text::Written(asked)));
}

#[test]
fn a_dm_who_has_no_goal_to_register_is_not_offered_it_for_ever() {
    let many = (3..12).flat_map(|number| turn(number, FIRST, "I look again."));
    let mut given = turn_of(DM).and(many);
    let mut planned = |number: u32| {
        given = given.clone().and([TurnBegan { turn: number, seat: DM }.into()]);
        let Question::Choose(moves) = question(given.state(), DM) else { panic!("no choice") };
        let is_offered = moves.iter().any(|one| one.key == "new plan");
        if is_offered {
            let choice = json!({"intent": "they bargain", "do": "new plan"});
            given = when(given.clone(), DM, Purpose::Play, "", &choice).2;
        }
        given = given.clone().and([TurnEnded { turn: number, why: TurnEnd::Unusable }.into()]);
        is_offered
    };
    assert_eq!((20..24).map(&mut planned).collect::<Vec<_>>(), [true, true, false, false]);
}

#[test]
fn a_story_is_not_won_before_anybody_was_talked_with_or_half_of_it_is_over() {
    let last = "get the wedding held on this bank";
    let offered =
        |given: &Given| (100..120).any(|turn| checks(given, turn).iter().any(|check| check == last));
    let spoken = |messages: u32| {
        turn_of(FIRST).and((60..60 + messages).flat_map(|number| turn(number, FIRST, "I look again.")))
    };
    assert!(!offered(&spoken(5)), "nobody was talked with");
    let ended = DialogueEnded { dialogue: 1, npc: "tilda".into(), why: DialogueEnd::Tool, exchanges: 2 };
    assert!(offered(&spoken(5).and([dialogue(1), ended.into()])));
    assert!(offered(&spoken(10)), "half of the messages are spoken");
}

#[test]
fn a_check_that_another_has_overtaken_is_not_offered_and_counts_as_done() {
    let overtaken = |setup: &mut Setup| {
        guide(setup);
        let mut checks = setup.encounters[0].checks.iter_mut();
        let reeds = checks.find(|check| check.name == "follow the bent reeds").unwrap();
        reeds.until = vec!["talk gently to Tilda".to_owned()];
    };
    let given = given_by(overtaken, gifted(8)).and(turn(1, DM, "Fog.")).and(turn(2, FIRST, "I look."));
    let given = long(given.and([TurnBegan { turn: 3, seat: FIRST }.into()]));
    let offered = |given: &Given| (100..120).flat_map(|turn| checks(given, turn)).collect::<BTreeSet<_>>();
    assert!(offered(&given).contains("follow the bent reeds"));
    let given = tried(given, "talk gently to Tilda", true);
    let after = offered(&given);
    assert!(
        !after.contains("follow the bent reeds") && after.contains("bring the ferry back before the bell")
    );
    let given = tried(given, "bring the ferry back before the bell", true);
    let ends = ends(&given);
    assert_eq!(ends[0].key, "reached boat-back-in-time");
    assert_eq!(ends[0].arguments["because"].as_array().unwrap().len(), 2);
}

#[test]
fn whoever_was_talked_with_says_how_they_take_it_before_the_talk_is_over() {
    let talked = turn_of(DM).and([dialogue(1)]).and(talk(4, DM, "Plums?")).and(talk(5, FIRST, "Well?"));
    let given = talked.and([TurnBegan { turn: 6, seat: DM }.into()]);
    let Question::Choose(moves) = question(given.state(), DM) else { panic!("no choice") };
    let keys: Vec<&str> = moves.iter().map(|one| one.key.as_str()).collect();
    assert_eq!(keys, ["trust more", "trust less", "as before"]);
    for (key, trust) in [("trust more", 10), ("trust less", -10), ("as before", 0)] {
        let answer = json!({"intent": "moved", "do": key});
        let before = given.state().npcs().get("tilda").unwrap().trust;
        let (next, events, after) = when(given.clone(), DM, Purpose::Dialogue, "", &answer);
        assert_eq!(next, Next::EndTurn(TurnEnd::Tool), "{events:?}");
        assert_eq!(after.state().npcs().get("tilda").unwrap().trust, before + trust);
        let said = |event: &Event| matches!(event, Event::MessageSpoken(word) if matches!(word.text, Text::Written(_)));
        assert!(events.iter().any(said) && after.state().dialogue().is_none(), "{events:?}");
    }
}

#[test]
fn a_goal_that_was_registered_ends_no_story_that_can_be_won_as_it_is_written_while_there_is_time() {
    let ends_by_it = |setup: fn(&mut Setup), messages: u32| {
        let plan =
            json!({"label": "Hanno sells the ferry to the bride.", "reason": "They offered him a price."});
        let given = turn_by(setup, DM).and((40..44).flat_map(|number| turn(number, FIRST, "I look again.")));
        let given = given.and([TurnBegan { turn: 50, seat: DM }.into()]);
        let chosen = json!({"intent": "they bargain", "do": "new plan"});
        let (_, _, given) = when(given, DM, Purpose::Play, "", &chosen);
        let (_, events, given) = when(given, DM, Purpose::Play, "", &plan);
        assert!(names(&events).contains(&"GoalRegistered"), "{events:?}");
        let given = tried(given, "talk gently to Tilda", true);
        let given = given.and((60..60 + messages).flat_map(|number| turn(number, FIRST, "I look again.")));
        ends(&given).iter().any(|one| one.key == "reached dynamic_plan-1")
    };
    let roomy = |setup: &mut Setup| {
        guide(setup);
        setup.encounters[0].messages_max = None;
        setup.limits.encounter_messages_max = 60;
    };
    let free = |setup: &mut Setup| {
        guide(setup);
        setup.encounters[0].goals.iter_mut().for_each(|goal| goal.needs.clear());
    };
    assert!(!ends_by_it(roomy, 0));
    assert!(ends_by_it(roomy, 50), "little time is left");
    assert!(ends_by_it(free, 0));
}

#[test]
fn what_has_been_shown_is_offered_where_anything_has() {
    let given = turn_of(FIRST);
    let offered = |given: &Given| (100..120).flat_map(|turn| checks(given, turn)).collect::<BTreeSet<_>>();
    assert!(offered(&given).len() > 1, "nothing has been shown");
    let scene = given.state().encounter_spec().unwrap().checks[0].scene.trim().to_owned();
    let shown = MessageSpoken {
        seat: DM,
        channel: Channel::Main,
        audience: Audience::All,
        text: Text::Written(scene),
    };
    assert_eq!(offered(&given.and([shown.into()])), ["follow the bent reeds".to_owned()].into());
}

#[test]
fn what_has_made_the_last_step_of_a_goal_impossible_does_not_reach_it() {
    let lost = |setup: &mut Setup| {
        guide(setup);
        let checks = &mut setup.encounters[0].checks;
        let last = checks.iter_mut().find(|check| check.name == "get the wedding held on this bank").unwrap();
        last.until = vec!["talk gently to Tilda".to_owned()];
    };
    let given = given_by(lost, in_play()).and(turn(1, DM, "Fog.")).and(turn(2, FIRST, "I look."));
    let given = long(given.and([TurnBegan { turn: 3, seat: FIRST }.into()]));
    let given = tried(given, "talk gently to Tilda", true);
    let offered = (100..120).flat_map(|turn| checks(&given, turn)).collect::<BTreeSet<_>>();
    assert!(!offered.contains("get the wedding held on this bank"), "{offered:?}");
    assert!(ends(&given).is_empty());
}

#[test]
fn whoever_is_best_at_something_tries_it() {
    let offered = |others: u8| {
        let given = given_by(guide, gifted(others)).and(turn(1, DM, "Fog.")).and(turn(2, FIRST, "I look."));
        let spec = given.state().encounter_spec().unwrap().clone();
        let offered = (100..120).flat_map(|turn| checks(&given, turn)).collect::<BTreeSet<_>>();
        let asked = spec.checks.into_iter().filter(|check| offered.contains(&check.name));
        asked.map(|check| check.ability).collect::<BTreeSet<_>>()
    };
    let (all, least) = (offered(8), offered(20));
    assert!(least.len() < all.len(), "what others are ahead in least: {least:?} of {all:?}");
}

#[test]
fn when_it_presses_the_nearest_way_alone_is_offered() {
    let offered = |most: u32| {
        let strikes = |setup: &mut Setup| {
            guide(setup);
            let mut goals = setup.encounters[0].goals.iter_mut();
            goals.find(|goal| goal.failure).unwrap().strikes.failed_checks = Some(most);
        };
        let given = given_by(strikes, gifted(8)).and(turn(1, DM, "Fog.")).and(turn(2, FIRST, "I look."));
        let tried = [
            ("follow the bent reeds", true),
            ("buy plums until the boy talks", false),
            ("ask the bride what she wants", false),
        ];
        let tried = tried.map(|(check, success)| checked(check, success));
        let given = long(given.and(tried));
        let talks = |turn: u32| {
            let asked = given.clone().and([TurnBegan { turn, seat: FIRST }.into()]);
            let Question::Choose(moves) = question(asked.state(), FIRST) else { panic!("no choice") };
            moves.iter().any(|one| one.key.starts_with("speak with"))
        };
        let checks: BTreeSet<_> = (100..120).flat_map(|turn| checks(&given, turn)).collect();
        (checks, (100..120).any(talks))
    };
    let (all, talks) = offered(5);
    assert!(all.contains("talk gently to Tilda") && talks, "two of five failures: {all:?}");
    let one_step = ["bring the ferry back before the bell", "get the wedding held on this bank"];
    assert_eq!(offered(4), (one_step.map(str::to_owned).into(), false), "two of four");
}
