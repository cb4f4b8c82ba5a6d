//! The answers of a model that is guided: what is chosen, filled in and said.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use twicetold_dialect::CHOICE;
use twicetold_event::{
    CallId, Channel, CutRule, DialogueEnd, DialogueEnded, Event, MessageSpoken, MoveChosen, Phase,
    PhaseBegan, Purpose, Seat, Text, TurnBegan, TurnEnd, TurnEnded,
};

use twicetold_tool::Move;
use twicetold_world::setup::Setup;

use super::{Given, dialogue, given, given_by, in_play, pending, spoken, talk, turn};
use crate::question::{Question, question};
use crate::rules::guided;
use crate::table::Next;

const DM: Seat = Seat::Dm;
const FIRST: Seat = Seat::Player(1);
const ASK: Next = Next::Ask(FIRST, Purpose::Play);

/// Every seat is played by a model that is guided, and the encounter allows every tool.
pub(super) fn guide(setup: &mut Setup) {
    setup.encounters[0].allowed_tools.clear();
    // Every check is the step of a goal: the dice that are thrown below fall for these. The wedding has one step.
    let steps = setup.encounters[0].goals.iter_mut();
    steps.for_each(|goal| goal.needs.retain(|need| need != "ask the bride what she wants"));
    let goals = setup.encounters[0].goals.clone();
    let is_step = |name: &String| goals.iter().any(|goal| goal.needs.contains(name));
    setup.encounters[0].checks.retain(|check| is_step(&check.name));
    // Nor is it lost by the many throws that a test makes.
    setup.encounters[0].goals.iter_mut().for_each(|goal| goal.strikes = Default::default());
    setup.seats.seat.values_mut().for_each(|seat| {
        seat.compat.insert("tool_calls".into(), "guided".into());
    });
}

/// The turn of a seat after the opening and one message of a player.
pub(super) fn turn_of(seat: Seat) -> Given {
    turn_by(guide, seat)
}

pub(super) fn turn_by(adapt: impl FnOnce(&mut Setup), seat: Seat) -> Given {
    let told = given_by(adapt, gifted(8)).and(turn(1, DM, "Fog.")).and(turn(2, FIRST, "I look."));
    told.and([TurnBegan { turn: 3, seat }.into()])
}

/// The events before the opening, where the other players have these abilities: none of theirs keeps the first one from trying.
pub(super) fn gifted(others: u8) -> Vec<Event> {
    let with = |event: Event| match event {
        Event::CharacterAccepted(mut word) if word.seat != FIRST => {
            word.sheet.abilities.fill(others);
            word.into()
        }
        other => other,
    };
    in_play().into_iter().map(with).collect()
}

/// The same, where neither an ending is written nor how a check is tried.
pub(super) fn unwritten(setup: &mut Setup) {
    guide(setup);
    setup.encounters[0].goals.iter_mut().for_each(|goal| goal.ending.clear());
    setup.encounters[0].checks.iter_mut().for_each(|check| check.tries.clear());
}

/// The same, where there is nothing to try, so that a player can speak.
pub(super) fn idle(setup: &mut Setup) {
    guide(setup);
    setup.encounters[0].checks.clear();
}

/// A reply, what it says aloud and what else it holds, and what it leads to.
pub(super) fn when(
    given: Given,
    seat: Seat,
    purpose: Purpose,
    words: &str,
    answer: &Value,
) -> (Next, Vec<Event>, Given) {
    let call = CallId(7);
    let arguments = answer.to_string();
    let choice: &[(&str, &str)] = if answer.is_null() { &[] } else { &[(CHOICE, &arguments)] };
    let mut given = given.replied(7, words, choice);
    let (next, events) = given.when(|table| {
        let reply = table.replies().reply(call).unwrap();
        guided::replied(table, &pending(7, seat, purpose), call, reply)
    });
    (next, events, given)
}

fn chosen(events: &[Event]) -> &MoveChosen {
    let found = events.iter().find_map(|event| match event {
        Event::MoveChosen(word) => Some(word),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("nothing was chosen: {events:?}"))
}

pub(super) fn names(events: &[Event]) -> Vec<&str> {
    events.iter().map(Event::name).collect()
}

#[test]
fn a_check_that_is_chosen_is_rolled_and_then_the_player_speaks() {
    let answer = json!({"intent": "find the boat", "do": "talk gently to Tilda"});
    let given = turn_by(unwritten, FIRST);
    let (next, events, given) = when(given, FIRST, Purpose::Play, "", &answer);
    assert_eq!((next, names(&events)), (ASK, vec!["MoveChosen", "ToolAccepted", "AbilityChecked"]));
    let Event::AbilityChecked(check) = &events[2] else { panic!("{events:?}") };
    assert_eq!((check.check.as_str(), check.reason.as_str()), ("talk gently to Tilda", "find the boat"));
    assert_eq!(question(given.state(), FIRST), Question::Speak);
    let (next, events, _) = when(given, FIRST, Purpose::Play, "I kneel at the water.", &Value::Null);
    assert_eq!((next, names(&events)), (Next::EndTurn(TurnEnd::Spoken), vec!["MessageSpoken"]));
}

#[test]
fn a_move_without_a_tool_leads_to_words() {
    let answer = json!({"intent": "be heard", "do": "talk"});
    let (next, events, given) = when(turn_by(idle, FIRST), FIRST, Purpose::Play, "", &answer);
    assert_eq!((next, names(&events)), (ASK, vec!["MoveChosen"]));
    assert!(chosen(&events).complete && chosen(&events).tool.is_empty());
    assert_eq!(question(given.state(), FIRST), Question::Speak);
}

#[test]
fn a_player_who_wishes_to_speak_with_somebody_does_so_in_the_dms_next_turn() {
    let answer = json!({"intent": "hear her side", "do": "speak with Tilda"});
    // With every turn the next one of the people is offered.
    let given = turn_of(FIRST).and([TurnBegan { turn: 6, seat: FIRST }.into()]);
    let (_, _, given) = when(given, FIRST, Purpose::Play, "", &answer);
    let mut given = given.and([spoken(FIRST, Channel::Main, "Tilda, a word.")]);
    let (next, events) = given.when(|table| crate::rules::turn::begin(table, DM));
    assert_eq!(next, Next::EndTurn(TurnEnd::Tool), "nobody is asked for it");
    assert_eq!(names(&events), ["TurnBegan", "NpcMet", "DialogueBegan"]);
    // Once.
    let ended = DialogueEnded { dialogue: 1, npc: "tilda".into(), why: DialogueEnd::Tool, exchanges: 2 };
    let mut given = given.and([ended.into()]);
    let (next, _) = given.when(|table| crate::rules::turn::begin(table, DM));
    assert_eq!(next, Next::Ask(DM, Purpose::Play));
}

#[test]
fn what_a_move_wants_to_be_told_is_asked_for_and_nothing_happens_before() {
    let many = (3..12).flat_map(|number| turn(number, FIRST, "I look again."));
    let given = turn_of(DM).and(many).and([TurnBegan { turn: 12, seat: DM }.into()]);
    let (next, events, given) =
        when(given, DM, Purpose::Play, "", &json!({"intent": "they bargain", "do": "new plan"}));
    assert_eq!((next, names(&events)), (Next::Ask(DM, Purpose::Play), vec!["MoveChosen"]));
    assert!(!chosen(&events).complete);
    assert!(matches!(question(given.state(), DM), Question::Fill(one) if one.tool == "goal_register"));
    for label in ["dialogue_of_hanno_with_bride", "#18 #19", "#3 ferry"] {
        let named = json!({"label": label, "reason": "They offered him a price."});
        let (next, events, _) = when(given.clone(), DM, Purpose::Play, "", &named);
        assert_eq!((next, names(&events)), (Next::Ask(DM, Purpose::Play), vec!["ReplyRejected"]), "{label}");
    }
    let spaceless = json!({"label": "漢諾把渡船賣給新娘，婚禮就在這邊的岸上舉行。", "reason": "他們向他出了一個價錢，他沒有拒絕。"});
    let (next, ..) = when(given.clone(), DM, Purpose::Play, "", &spaceless);
    assert_eq!(next, Next::EndTurn(TurnEnd::Spoken), "not every language has spaces");
    let answer =
        json!({"label": "Hanno sells the ferry to the bride.", "reason": "They offered him a price."});
    let (next, events, given) = when(given, DM, Purpose::Play, "", &answer);
    assert_eq!(next, Next::EndTurn(TurnEnd::Spoken), "the author says what is told with it");
    assert_eq!(
        names(&events),
        ["MoveChosen", "ToolAccepted", "EvidenceCited", "GoalRegistered", "MessageSpoken"]
    );
    assert_eq!(given.state().goals().last().unwrap().id, "dynamic_plan-1");
}

#[test]
fn plans_are_made_in_talks() {
    let planned = |given: &Given| {
        let asked = given.clone().and([TurnBegan { turn: 99, seat: DM }.into()]);
        let Question::Choose(moves) = question(asked.state(), DM) else { panic!("no choice") };
        moves.iter().any(|one| one.tool == "goal_register")
    };
    let given = turn_of(DM);
    assert!(!planned(&given), "nobody has talked");
    let ended = DialogueEnded { dialogue: 1, npc: "tilda".into(), why: DialogueEnd::Tool, exchanges: 2 };
    let given = given.and([dialogue(1)]).and(talk(4, DM, "Hm.")).and([ended.into()]);
    assert!(planned(&given));
    let given = given.and(turn(5, FIRST, "I come back."));
    assert!(planned(&given), "the DM has not spoken since");
    let mut told = given.clone();
    let (next, _) = told.when(|table| crate::rules::turn::begin(table, DM));
    let Question::Choose(moves) = question(told.state(), DM) else { panic!("no choice") };
    let is_offered = moves.iter().any(|one| one.tool == "goal_register");
    assert!(
        next == Next::Ask(DM, Purpose::Play) && is_offered,
        "what the engine tells in this turn takes no plan away"
    );
    let given = given.and(turn(6, DM, "Fog."));
    assert!(!planned(&given), "there is nothing new to plan");
}

#[test]
fn after_the_first_talk_another_is_offered_when_the_player_spoke_and_tried_nothing() {
    let offered = |given: &Given| {
        let asked = given.clone().and([TurnBegan { turn: 99, seat: DM }.into()]);
        match question(asked.state(), DM) {
            Question::Choose(moves) => moves.iter().any(|one| one.tool == "start_dialogue"),
            Question::Speak => false,
            other => panic!("{other:?}"),
        }
    };
    let chosen = |given: Given, key: &str| {
        let (_, _, given) =
            when(given, FIRST, Purpose::Play, "", &json!({"intent": "find the boat", "do": key}));
        given.and([spoken(FIRST, Channel::Main, "Well?")])
    };
    assert!(offered(&chosen(turn_of(FIRST), "talk gently to Tilda")), "nobody has talked yet");
    let ended = DialogueEnded { dialogue: 1, npc: "tilda".into(), why: DialogueEnd::Tool, exchanges: 2 };
    let talked = turn_of(FIRST).and([dialogue(1), ended.into()]).and(turn(5, DM, "Fog."));
    let talked = talked.and([TurnBegan { turn: 6, seat: FIRST }.into()]);
    assert!(!offered(&chosen(talked.clone(), "talk gently to Tilda")));
    assert!(offered(&chosen(talked, "talk")));
}

/// A player tries a check again and again, until it has passed as wished; the dice are those of the bundled campaign.
pub(super) fn tried(mut given: Given, check: &str, wished: bool) -> Given {
    for number in 4..60 {
        let before = given.state().encounter().unwrap().passed;
        let answer = json!({"intent": "find the boat", "do": check});
        given = given.and([TurnBegan { turn: number, seat: FIRST }.into()]);
        given = when(given, FIRST, Purpose::Play, "", &answer).2;
        given = given.and([
            spoken(FIRST, Channel::Main, "I try."),
            TurnEnded { turn: number, why: TurnEnd::Spoken }.into(),
        ]);
        if (given.state().encounter().unwrap().passed > before) == wished {
            return given;
        }
        // The DM tells it, before it is tried again.
        let told = [
            TurnBegan { turn: number, seat: DM }.into(),
            TurnEnded { turn: number, why: TurnEnd::Spoken }.into(),
        ];
        given = given.and(told);
    }
    panic!("the dice never fell so");
}

/// What the DM is offered to end the encounter by.
pub(super) fn ends(given: &Given) -> Vec<Move> {
    let asked = given.clone().and([TurnBegan { turn: 99, seat: DM }.into()]);
    let Question::Choose(moves) = question(asked.state(), DM) else { panic!("no choice") };
    moves.into_iter().filter(|one| one.tool == "encounter_resolve").collect()
}

/// What a player may try.
pub(super) fn checks(given: &Given, turn: u32) -> Vec<String> {
    let asked = given.clone().and([TurnBegan { turn, seat: FIRST }.into()]);
    let Question::Choose(moves) = question(asked.state(), FIRST) else { panic!("no choice") };
    moves.into_iter().filter(|one| one.tool == "ability_check").map(|one| one.key).collect()
}

pub(super) fn long(given: Given) -> Given {
    given.and((60..70).flat_map(|number| turn(number, FIRST, "I look again.")))
}

#[test]
fn a_goal_is_offered_when_the_checks_that_lead_to_it_have_passed_and_they_show_it() {
    let given = long(turn_of(FIRST));
    let offered = |given: &Given| (100..120).flat_map(|turn| checks(given, turn)).collect::<BTreeSet<_>>();
    assert!(
        !offered(&given).contains("bring the ferry back before the bell"),
        "nobody knows yet where it lies"
    );
    let given = tried(given, "follow the bent reeds", true);
    assert!(ends(&given).is_empty(), "it is found, but not back");
    assert!(
        (100..120).all(|turn| checks(&given, turn)[0] == "bring the ferry back before the bell"),
        "it was begun"
    );
    assert!(!offered(&given).contains("follow the bent reeds"), "that is done");
    let given = tried(given, "bring the ferry back before the bell", true);
    let ends = ends(&given);
    assert_eq!(ends.iter().map(|one| one.key.as_str()).collect::<Vec<_>>(), ["reached boat-back-in-time"]);
    let encounter = given.state().encounter().unwrap();
    let shown = ["follow the bent reeds", "bring the ferry back before the bell"]
        .map(|check| format!("#{}", encounter.label(encounter.achieved[check]).unwrap()));
    assert_eq!(ends[0].arguments["because"], json!(shown));
    assert!(!ends[0].cites);
}

#[test]
fn goals_that_name_no_checks_are_offered_after_any_that_passed() {
    let free = |setup: &mut Setup| {
        guide(setup);
        setup.encounters[0].goals.iter_mut().for_each(|goal| goal.needs.clear());
    };
    let given = given_by(free, gifted(8)).and(turn(1, DM, "Fog.")).and(turn(2, FIRST, "I look."));
    let given = long(given.and([TurnBegan { turn: 3, seat: FIRST }.into()]));
    let given = tried(given, "talk gently to Tilda", false);
    assert!(ends(&given).is_empty(), "what has failed ends nothing");
    let given = tried(given, "talk gently to Tilda", true);
    assert_eq!(ends(&given).len(), 3);
    assert!(ends(&given).iter().all(|one| one.cites));
}

#[test]
fn an_ending_is_told_and_the_encounter_resolved_by_one_reply() {
    let given = tried(long(turn_by(unwritten, FIRST)), "get the wedding held on this bank", true);
    let given = given.and([TurnBegan { turn: 12, seat: DM }.into()]);
    let choice = json!({"intent": "it is done", "do": "reached wedding-on-this-bank"});
    let (_, _, given) = when(given, DM, Purpose::Play, "", &choice);
    for silent in ["", "#3"] {
        let (next, events, _) = when(given.clone(), DM, Purpose::Play, silent, &Value::Null);
        assert_eq!((next, names(&events)), (Next::Ask(DM, Purpose::Play), vec!["ReplyRejected"]));
    }
    let told = "They carried the chairs over and rang the bell on this bank.";
    let (next, events, given) = when(given, DM, Purpose::Play, told, &Value::Null);
    assert_eq!(next, Next::EndTurn(TurnEnd::Tool));
    let done = ["MessageSpoken", "MoveChosen", "ToolAccepted", "EvidenceCited", "EncounterResolved"];
    assert_eq!(names(&events), done);
    let Event::EvidenceCited(cited) = &events[3] else { panic!("{events:?}") };
    assert!(cited.supported && cited.evidence.len() == 1, "{cited:?}");
    assert!(matches!(&events[4], Event::EncounterResolved(word) if word.summary == told), "{events:?}");
    assert!(given.state().encounter().is_none());
}

#[test]
fn of_an_ending_that_fills_its_form_the_whole_sentences_are_told() {
    let given = tried(long(turn_by(unwritten, FIRST)), "get the wedding held on this bank", true);
    let given = given.and([TurnBegan { turn: 12, seat: DM }.into()]);
    let choice = json!({"intent": "it is done", "do": "reached wedding-on-this-bank"});
    let (_, _, given) = when(given, DM, Purpose::Play, "", &choice);
    let guests = (11..).map(|guest| format!("Guest {guest} brings chair {guest}. "));
    let told: String = guests.flat_map(|line| line.chars().collect::<Vec<_>>()).take(420).collect();
    assert!(!told.trim_end().ends_with('.'), "it ends within a sentence");
    for (told, is_cut) in [(told.as_str(), true), (&told[..419], false)] {
        let (_, events, _) = when(given.clone(), DM, Purpose::Play, told, &Value::Null);
        let cut = events
            .iter()
            .any(|event| matches!(event, Event::SpeechCut(word) if word.rule == CutRule::Unfinished));
        let summary = events.iter().find_map(|event| match event {
            Event::EncounterResolved(word) => Some(word.summary.trim_end().to_owned()),
            _ => None,
        });
        let summary = summary.unwrap();
        assert_eq!((cut, summary.ends_with('.')), (is_cut, is_cut), "{summary}");
    }
}

#[test]
fn an_ending_that_is_chosen_is_reached_even_if_no_words_for_it_can_be_used() {
    let given = tried(long(turn_by(unwritten, FIRST)), "get the wedding held on this bank", true);
    let given = given.and([TurnBegan { turn: 12, seat: DM }.into()]);
    let choice = json!({"intent": "it is done", "do": "reached wedding-on-this-bank"});
    let (_, _, mut given) = when(given, DM, Purpose::Play, "", &choice);
    let most = given.state().setup().limits.unusable_replies_max;
    for _ in 0..most {
        let (next, _, after) = when(given, DM, Purpose::Play, "", &Value::Null);
        assert_eq!(next, Next::Ask(DM, Purpose::Play));
        given = after;
    }
    let (next, events, given) = when(given, DM, Purpose::Play, "", &Value::Null);
    let done = [
        "ReplyRejected",
        "MessageSpoken",
        "MoveChosen",
        "ToolAccepted",
        "EvidenceCited",
        "EncounterResolved",
    ];
    assert_eq!((next, names(&events)), (Next::EndTurn(TurnEnd::Tool), done.to_vec()), "{events:?}");
    let Event::EncounterResolved(word) = &events[5] else { panic!("{events:?}") };
    assert_eq!(word.summary, "The wedding is held on this bank, without cake and without the boat.");
    let told = Text::Written(word.summary.clone());
    assert!(matches!(&events[1], Event::MessageSpoken(spoken) if spoken.text == told));
    assert!(given.state().encounter().is_none());
}

/// How a goal's end is told as things stand; its encounter is being played.
pub(super) fn ending_of(given: &Given, goal: &str) -> String {
    let goals = &given.state().encounter_spec().unwrap().goals;
    given.state().ending_of(goals.iter().find(|known| known.id == goal).unwrap())
}

#[test]
fn a_written_ending_is_told_as_it_is_written() {
    let free = |setup: &mut Setup| {
        guide(setup);
        setup.encounters[0].goals.iter_mut().for_each(|goal| goal.needs.clear());
    };
    let given = tried(long(turn_by(free, FIRST)), "get the wedding held on this bank", true);
    let given = given.and([TurnBegan { turn: 12, seat: DM }.into()]);
    let choice = json!({"intent": "it is done", "do": "reached wedding-on-this-bank"});
    let (next, _, given) = when(given, DM, Purpose::Play, "", &choice);
    assert_eq!(next, Next::Ask(DM, Purpose::Play), "what shows it is asked for");
    let ending = ending_of(&given, "wedding-on-this-bank");
    assert!(ending.contains(" He puts it away without counting"), "nobody has talked with Tilda: {ending}");
    let (next, events, _) = when(given, DM, Purpose::Play, "", &json!({"because": "#1"}));
    assert_eq!(next, Next::EndTurn(TurnEnd::Tool), "{events:?}");
    assert!(matches!(&events[0], Event::MessageSpoken(word) if word.text == Text::Written(ending.clone())));
    assert!(matches!(events.last(), Some(Event::EncounterResolved(word)) if word.summary == ending));
}

#[test]
fn what_is_tried_is_said_as_its_author_wrote_it_and_each_time_otherwise() {
    let answer = json!({"intent": "find the boat", "do": "talk gently to Tilda"});
    let said = |given: Given| {
        let (next, events, given) = when(given, FIRST, Purpose::Play, "", &answer);
        assert_eq!(next, Next::EndTurn(TurnEnd::Spoken), "nobody is asked for it: {events:?}");
        let Some(Event::MessageSpoken(word)) = events.last() else { panic!("{events:?}") };
        let Text::Written(text) = &word.text else { panic!("{events:?}") };
        (text.clone(), given)
    };
    let (first, given) = said(turn_of(FIRST));
    // Three turns later the same one would be its turn.
    let told = [
        TurnBegan { turn: 8, seat: DM }.into(),
        TurnEnded { turn: 8, why: TurnEnd::Spoken }.into(),
        TurnBegan { turn: 9, seat: FIRST }.into(),
    ];
    let (second, given) = said(given.and(told));
    let spec = given.state().encounter_spec().unwrap();
    let tries = &spec.checks.iter().find(|check| check.name == "talk gently to Tilda").unwrap().tries;
    assert!(first != second && [&first, &second].iter().all(|text| tries.contains(text)), "{first} {second}");
}

#[test]
fn a_model_that_leaves_its_part_is_rejected() {
    let (_, _, given) =
        when(turn_by(idle, FIRST), FIRST, Purpose::Play, "", &json!({"intent": "be heard", "do": "talk"}));
    let words = "I\u{2019}m sorry, but I can\u{2019}t assist with that.";
    let (next, events, _) = when(given, FIRST, Purpose::Play, words, &Value::Null);
    let [Event::ReplyRejected(word)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((next, word.rule.as_str()), (ASK, "left_its_part"));
}

#[test]
fn a_character_is_chosen_from_those_that_are_ready() {
    let given = given([PhaseBegan { phase: Phase::Pitch }.into(), TurnBegan { turn: 2, seat: FIRST }.into()]);
    let Question::Pitch(moves) = question(given.state(), FIRST) else { panic!() };
    let answer = json!({"intent": "somebody quiet", "do": moves[1].key});
    let (next, events, given) = when(given, FIRST, Purpose::SessionZero, "", &answer);
    assert_eq!(next, Next::EndTurn(TurnEnd::Spoken));
    assert_eq!(names(&events), ["MoveChosen", "CharacterAccepted", "MessageSpoken"]);
    assert_eq!(given.state().characters()[&FIRST].sheet.name, moves[1].key);
}

#[test]
fn the_artefacts_of_session_zero_close_it() {
    let phase = PhaseBegan { phase: Phase::Lock };
    let characters = in_play().into_iter().filter(|event| matches!(event, Event::CharacterAccepted(_)));
    let given = given(characters).and([phase.into(), TurnBegan { turn: 2, seat: DM }.into()]);
    assert_eq!(question(given.state(), DM), Question::Artefacts);
    let answer = json!({
        "scenario": "The ferry is gone, and two who know the town set out to find it.",
        "relationships": "They shared a toll bridge once.",
        "goals": "Bring the boat back.",
    });
    let (next, events, given) = when(given, DM, Purpose::SessionZero, "", &answer);
    assert_eq!((next, given.state().phase()), (Next::EndTurn(TurnEnd::Spoken), Phase::Play));
    assert_eq!(
        names(&events)[..4],
        ["ScenarioSet", "PartyDocumentUpdated", "PartyDocumentUpdated", "PhaseClosed"]
    );
    let Event::ScenarioSet(set) = &events[0] else { panic!("{events:?}") };
    let written = &given.state().setup().campaign.scenario.public;
    assert_eq!(set.public, Text::Written(written.trim().to_owned()), "what is written needs no model");
}

#[test]
fn whoever_is_spoken_to_answers_twice_and_then_the_talk_is_over() {
    let talked = |turns: u32| {
        let untold = |setup: &mut Setup| {
            guide(setup);
            setup.encounters[0].npcs.iter_mut().for_each(|npc| npc.says = Default::default());
        };
        let given = turn_by(untold, DM).and([dialogue(1)]);
        let answers = (0..turns).flat_map(|number| talk(4 + number, DM, "Hm."));
        given.and(answers).and([TurnBegan { turn: 20, seat: DM }.into()])
    };
    assert_eq!(question(talked(0).state(), DM), Question::Converse);
    let (next, events, _) = when(talked(0), DM, Purpose::Dialogue, "Ask her.", &Value::Null);
    assert_eq!((next, names(&events)), (Next::EndTurn(TurnEnd::Spoken), vec!["MessageSpoken"]));
    let (next, events, _) = when(talked(1), DM, Purpose::Dialogue, "Farewell.", &Value::Null);
    assert_eq!(next, Next::EndTurn(TurnEnd::Tool));
    assert_eq!(names(&events), ["MessageSpoken", "MoveChosen", "ToolAccepted", "DialogueEnded"]);
}

#[test]
fn what_was_not_offered_copies_the_prompt_or_goes_round_in_circles_is_rejected() {
    let rejected = |given, words: &str, answer: &Value| {
        let (next, events, _) = when(given, FIRST, Purpose::Play, words, answer);
        let [Event::ReplyRejected(word)] = events.as_slice() else { panic!("{events:?}") };
        (next, word.rule.clone())
    };
    let rule = |rule: &str| (ASK, rule.to_owned());
    let elsewhere = json!({"intent": "win", "do": "reached boat-back-in-time"});
    assert_eq!(rejected(turn_of(FIRST), "", &elsewhere), rule("unreadable_reply"));
    assert_eq!(rejected(turn_of(FIRST), "", &Value::Null), rule("unreadable_reply"));
    let (_, _, speaks) =
        when(turn_by(idle, FIRST), FIRST, Purpose::Play, "", &json!({"intent": "be heard", "do": "talk"}));
    let speaks = || speaks.clone();
    let copied = "You speak and act for Bettany Oake alone, in the first person, in one to three sentences.";
    assert_eq!(rejected(speaks(), copied, &Value::Null), rule("echoed_prompt"));
    let round = "The old ferryman counts the ripples again and again. ".repeat(4);
    assert_eq!(rejected(speaks(), &round, &Value::Null), rule("repeated_itself"));
    for silent in ["", " \n", "#10 #11 #12 #13", "Start_talk"] {
        assert_eq!(rejected(speaks(), silent, &Value::Null), rule("empty_reply"));
    }
}

#[test]
fn what_was_said_may_be_taken_up_and_not_said_again() {
    // Nor is a title, or what all are here for, a reply of its own.
    let scene =
        "A few gnats dance over the floating rope end at the landing stage, and nobody looks at anybody.";
    let told = given_by(guide, in_play()).and(turn(1, DM, scene)).and(turn(2, FIRST, "I look."));
    let given = told.and([TurnBegan { turn: 3, seat: FIRST }.into()]);
    let (_, _, given) = when(given, FIRST, Purpose::Play, "", &json!({"intent": "be heard", "do": "talk"}));
    let nearly = scene.replace("looks at", "sees");
    for copied in [scene, &nearly, "The Borrowed Boat", "Bring Hanno's ferry back before the wedding bell!"] {
        let (next, events, _) = when(given.clone(), FIRST, Purpose::Play, copied, &Value::Null);
        assert_eq!((next, names(&events)), (ASK, vec!["ReplyRejected"]), "{copied}");
    }
    let taken_up = scene.replace(
        "and nobody looks at anybody",
        "and I climb down to where it was tied this morning and pull with both hands",
    );
    let (next, events, _) = when(given, FIRST, Purpose::Play, &taken_up, &Value::Null);
    assert_eq!((next, names(&events)), (Next::EndTurn(TurnEnd::Spoken), vec!["MessageSpoken"]));
}

#[test]
fn of_what_is_partly_copied_the_sentences_of_its_own_are_spoken() {
    let copied = "You speak and act for Bettany Oake alone, in the first person, in one to three sentences.";
    let (own, more) = ("I climb down to the wet rope and pull.", "Nobody helps me.");
    let (_, _, given) =
        when(turn_by(idle, FIRST), FIRST, Purpose::Play, "", &json!({"intent": "be heard", "do": "talk"}));
    let spoken = |words: &str| {
        let (next, events, _) = when(given.clone(), FIRST, Purpose::Play, words, &Value::Null);
        assert_eq!(next, Next::EndTurn(TurnEnd::Spoken), "{words}");
        let Event::MessageSpoken(MessageSpoken { text: Text::Reply { start, end, .. }, .. }) = &events[0]
        else {
            panic!("{events:?}")
        };
        let mut cuts = Vec::new();
        for event in &events[1..] {
            let Event::SpeechCut(cut) = event else { panic!("{events:?}") };
            assert_eq!(cut.rule, CutRule::Copied);
            let bytes: usize = cut.values.get("bytes").unwrap().parse().unwrap();
            cuts.push(words[cut.at as usize..][..bytes].to_owned());
        }
        (words[*start as usize..*end as usize].to_owned(), cuts)
    };
    let before = format!("{copied} {own} {more}");
    assert_eq!(spoken(&before), (format!("{own} {more}"), vec![format!("{copied} ")]));
    assert_eq!(spoken(&format!("{own} {copied}")), (own.to_owned(), vec![copied.to_owned()]));
    let both = format!("{more} {copied} {own} {copied}");
    assert_eq!(spoken(&both), (own.to_owned(), vec![format!("{more} {copied} "), copied.to_owned()]));
    let (next, events, _) =
        when(given.clone(), FIRST, Purpose::Play, &format!("Yes. {copied}"), &Value::Null);
    assert_eq!((next, names(&events)), (ASK, vec!["ReplyRejected"]), "one word is no reply");
}

#[test]
fn a_guided_turn_has_requests_of_its_own_number() {
    let limit = |setup: &mut Setup| {
        guide(setup);
        (setup.limits.guided_calls_max, setup.limits.unusable_replies_max) = (1, 9);
    };
    let limited = given_by(limit, in_play());
    let told = limited.and(turn(1, DM, "Fog.")).and([TurnBegan { turn: 2, seat: FIRST }.into()]);
    let given = told.charged(1, twicetold_model::Usage::default());
    let (next, ..) = when(given, FIRST, Purpose::Play, "", &Value::Null);
    assert_eq!(next, Next::EndTurn(TurnEnd::Unusable));
}

#[test]
fn a_model_that_speaks_where_it_should_choose_is_heard() {
    let (next, events, _) =
        when(turn_of(FIRST), FIRST, Purpose::Play, "I wait for the others.", &Value::Null);
    assert_eq!((next, names(&events)), (Next::EndTurn(TurnEnd::Spoken), vec!["MessageSpoken"]));
}

#[test]
fn an_answer_of_a_server_that_holds_to_no_schema_is_bounded() {
    let intent: String = (0..400_000).map(|number| format!("{number} ")).collect();
    let answer = json!({"intent": intent, "do": "talk gently to Tilda"});
    let (_, events, _) = when(turn_of(FIRST), FIRST, Purpose::Play, &intent, &answer);
    let most = given(in_play()).state().setup().limits.argument_bytes_max as usize;
    assert_eq!(chosen(&events).intent.len(), most);
    assert!(chosen(&events).arguments.len() < 2 * most);
}
