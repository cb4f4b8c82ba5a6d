//! What the engine says for a DM that is guided.

use serde_json::json;
use twicetold_event::{
    AbilityChecked, Channel, CharacterAccepted, ClosedBy, Event, MessageSpoken, Phase, PhaseBegan,
    PhaseClosed, Provenance, Purpose, Seat, Text, TurnBegan, TurnEnd, TurnEnded,
};
use twicetold_world::setup::{RULES_VERSION, Setup};

use super::guided::{ending_of, guide, long, tried, turn_of, when};
use super::{Given, checked, dialogue, files, given, given_by, in_play, spoken, talk, turn};
use crate::rules::narrator;
use crate::table::Next;

const DM: Seat = Seat::Dm;
const FIRST: Seat = Seat::Player(1);

/// Player 1 has the first of the ready characters, Player 2 the second.
fn accepted(player: u8) -> Event {
    let setup = Setup::read(7, RULES_VERSION, files()).unwrap();
    let ready = &setup.rules.pregenerated[usize::from(player) - 1];
    let (seat, sheet) = (Seat::Player(player), setup.rules.sheet(ready));
    CharacterAccepted { seat, sheet, origin: Provenance::Pregenerated }.into()
}

fn begins(phase: Phase) -> Given {
    given([PhaseBegan { phase }.into(), TurnBegan { turn: 1, seat: DM }.into()])
}

/// What is said, and what else happens.
fn said(given: &mut Given) -> (bool, Vec<String>, Vec<Event>) {
    let (done, events) = given.when(|table| narrator::acts(table).is_some());
    let (mut said, mut others) = (Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::MessageSpoken(word) => match word.text {
                Text::Written(text) => said.push(text),
                Text::Reply { .. } => panic!("nobody replied"),
            },
            other => others.push(other),
        }
    }
    (done, said, others)
}

#[test]
fn it_tells_the_premise_and_asks_whoever_has_not_spoken() {
    let mut given = begins(Phase::Pitch);
    let (done, texts, others) = said(&mut given);
    assert!(done && others.is_empty());
    assert!(texts[0].starts_with("Old Hanno's ferry is gone"), "{texts:?}");
    assert!(texts[0].ends_with("Player 1, who do you play?"), "{texts:?}");
    let mut given = given.and([accepted(1)]).and(turn(2, Seat::Player(1), "Me.")).and(turn(3, DM, "Well."));
    assert_eq!(said(&mut given).1, ["Player 2, who do you play?"]);
}

#[test]
fn a_phase_in_which_nothing_is_missing_is_closed_and_the_next_one_asked_for() {
    let spoke = |given: Given| {
        let given = given.and(turn(2, Seat::Player(1), "Me.")).and(turn(3, Seat::Player(2), "And me."));
        given.and([TurnBegan { turn: 4, seat: DM }.into()])
    };
    let mut given = spoke(begins(Phase::Pitch).and([accepted(1), accepted(2)]));
    let (done, texts, others) = said(&mut given);
    let [Event::PhaseClosed(PhaseClosed { phase: Phase::Pitch, by: ClosedBy::NothingMissing, .. }), _] =
        others.as_slice()
    else {
        panic!("{others:?}")
    };
    assert!(done && texts[0].contains("Bettany Oake, Tobias Fenn"), "{texts:?}");
    assert!(texts[1].starts_with("Bettany Oake, how do you know the others"), "{texts:?}");
    // What the last phase wants is for the DM's model to write.
    let (done, texts, _) = said(&mut spoke(given));
    assert_eq!((done, texts), (false, Vec::new()));
}

#[test]
fn it_asks_for_a_character_that_is_missing_in_the_last_phase() {
    let (done, texts, _) = said(&mut begins(Phase::Lock));
    assert_eq!((done, texts), (true, vec!["Player 1, send your character sheet.".to_owned()]));
}

#[test]
fn an_encounter_is_opened_in_the_words_of_its_author_and_goes_on_with_what_can_be_tried() {
    let mut given = given(in_play()).and([TurnBegan { turn: 1, seat: DM }.into()]);
    let (done, texts, _) = said(&mut given);
    assert!(done && texts[0].contains("A rope end floats where the ferry was"), "{texts:?}");
    let (_, first) = texts[0].rsplit_once("\n\n").expect("what can be tried first");
    assert!(first.starts_with("A stone's throw below the landing stage"), "{texts:?}");
    let mut given = given.and([spoken(Seat::Player(1), Channel::Main, "I look.")]);
    let (_, texts, others) = said(&mut given);
    assert!(texts[0].starts_with("Whoever wants Tilda has only to follow the drips"), "{texts:?}");
    assert_eq!((texts.len(), others.len()), (1, 0));
    let spec = given.state().encounter_spec().unwrap();
    let (shown, around) = (spec.checks.len(), spec.setting.ambient.clone());
    let told: Vec<String> = (0..shown).flat_map(|_| said(&mut given).1).collect();
    assert!(!told.contains(&texts[0]), "each of them once: {told:?}");
    assert_eq!(said(&mut given), (false, Vec::new(), Vec::new()), "then the model chooses");
    let goes_on = |given: Given, turn: u32| {
        let given = given.and([TurnBegan { turn, seat: DM }.into()]);
        when(given, DM, Purpose::Play, "", &json!({"intent": "nothing new", "do": "go on"}))
    };
    for (turn, text) in (50..).zip(&around) {
        let (next, events, after) = goes_on(given, turn);
        assert_eq!(next, Next::EndTurn(TurnEnd::Spoken));
        assert!(
            matches!(events.last(), Some(Event::MessageSpoken(word)) if word.text == Text::Written(text.clone())),
            "what goes on around them is told: {events:?}"
        );
        given = after;
    }
    assert_eq!(goes_on(given, 70).0, Next::Ask(DM, Purpose::Play), "then the model has to say something");
}

fn written(event: &Event) -> Option<String> {
    match event {
        Event::MessageSpoken(MessageSpoken { text: Text::Written(text), .. }) => Some(text.clone()),
        _ => None,
    }
}

/// What the engine says for the DM when its turn begins, and what follows.
fn begun(given: &mut Given) -> (Next, Vec<String>, Vec<Event>) {
    let (next, events) = given.when(|table| crate::rules::turn::begin(table, DM));
    (next, events.iter().filter_map(written).collect(), events)
}

/// Whoever is talked with thinks as before, and the talk is over.
fn takes(given: Given) -> (Next, Vec<Event>, Given) {
    let given = given.and([TurnBegan { turn: 95, seat: DM }.into()]);
    when(given, DM, Purpose::Dialogue, "", &json!({"intent": "no change", "do": "as before"}))
}

#[test]
fn nobody_is_asked_for_the_only_ending_that_is_left() {
    let mut given = tried(long(turn_of(FIRST)), "get the wedding held on this bank", true);
    let ending = ending_of(&given, "wedding-on-this-bank");
    let (next, said, events) = begun(&mut given);
    assert_eq!(next, Next::EndTurn(TurnEnd::Tool), "{events:?}");
    assert!(said[0].starts_with("The bride gets up on her trunk"), "{said:?}");
    assert_eq!(said[1..], [ending]);
    assert!(given.state().encounter().is_none(), "{events:?}");
}

#[test]
fn what_comes_of_a_check_is_told_as_it_is_written_and_once() {
    let check = |given: Given, success: bool| {
        let before = given.state().turn().number;
        let next = before + 1;
        let check = AbilityChecked {
            character: "Bettany Oake".into(),
            ability: "WIS".into(),
            check: "follow the bent reeds".into(),
            stream: "checks".into(),
            counter: next,
            faces: vec![11],
            modifier: 0,
            total: 11,
            difficulty: 10,
            success,
            reason: String::new(),
        };
        let tried = [TurnBegan { turn: next, seat: FIRST }.into(), check.into()];
        given.and(tried).and([TurnEnded { turn: next, why: TurnEnd::Spoken }.into()])
    };
    let mut given = check(turn_of(FIRST), false);
    let (next, said, _) = begun(&mut given);
    assert!(said[0].starts_with("The reeds let out a single oar"), "{said:?}");
    assert!(
        said[0].contains("Whoever wants Tilda has only to follow the drips"),
        "there is another way: {said:?}"
    );
    assert_eq!(next, Next::Ask(DM, Purpose::Play), "whether somebody begins to talk is the model's to say");
    // Who goes on has spoken.
    let answer = json!({"intent": "wait and see", "do": "go on"});
    let (next, events, given) = when(given, DM, Purpose::Play, "", &answer);
    assert_eq!(
        (next, events.iter().map(Event::name).collect::<Vec<_>>()),
        (Next::EndTurn(TurnEnd::Spoken), vec!["MoveChosen"])
    );
    let given = given.and([TurnEnded { turn: 5, why: TurnEnd::Spoken }.into()]);
    let mut given = check(given, false);
    let (_, said, _) = begun(&mut given);
    assert!(said[0].starts_with("The reeds have closed over the place."), "{said:?}");
    let mut given = check(given.and([TurnEnded { turn: 7, why: TurnEnd::Spoken }.into()]), false);
    let (_, said, _) = begun(&mut given);
    assert!(!said.concat().contains("The reeds"), "both were told: {said:?}");
    let mut given = check(given.and([TurnEnded { turn: 9, why: TurnEnd::Spoken }.into()]), true);
    let (_, said, _) = begun(&mut given);
    assert!(said[0].starts_with("Behind the reeds you come upon the ferry"), "{said:?}");
    let scene = given.state().encounter_spec().unwrap().checks.iter();
    let scene = scene.clone().find(|check| check.name == "bring the ferry back before the bell").unwrap();
    assert!(said[0].ends_with(scene.scene.trim()), "the next step is in sight: {said:?}");
}

#[test]
fn whoever_is_talked_with_answers_as_it_is_written() {
    let begins = turn_of(FIRST).and([dialogue(1)]).and(talk(4, FIRST, "Tilda?"));
    let (next, said, _) = begun(&mut begins.clone());
    assert_eq!(next, Next::EndTurn(TurnEnd::Spoken));
    assert!(said[0].starts_with("If it's about plums") && said[0].contains("stop this wedding"), "{said:?}");
    let goes_on =
        |given: Given| given.and([dialogue(1)]).and(talk(90, DM, "Plums?")).and(talk(91, FIRST, "Well?"));
    let won = tried(turn_of(FIRST), "talk gently to Tilda", true);
    for (mut given, says) in [
        (goes_on(turn_of(FIRST)), "You look at the bride"),
        (won.and([dialogue(1)]).and(talk(90, FIRST, "Tilda?")), "I stood next to the bride"),
    ] {
        assert_eq!(begun(&mut given).0, Next::Ask(DM, Purpose::Dialogue), "how does she take it?");
        let (next, events, _) = takes(given);
        let said: Vec<String> = events.iter().filter_map(written).collect();
        assert_eq!(next, Next::EndTurn(TurnEnd::Tool));
        assert!(said[0].starts_with(says) && said[0].ends_with("if it helps."), "{said:?}");
        assert_eq!(events.last().unwrap().name(), "DialogueEnded");
    }
}

#[test]
fn whoever_has_been_won_by_a_check_tells_what_they_told_nobody_before() {
    let began = |events: &[Event]| {
        events.iter().any(|event| matches!(event, Event::DialogueBegan(begun) if begun.npc == "tilda"))
    };
    let mut failed = tried(turn_of(FIRST), "talk gently to Tilda", false);
    assert!(!began(&begun(&mut failed).2), "nobody was won");
    let mut won = tried(turn_of(FIRST), "talk gently to Tilda", true);
    let (next, said, events) = begun(&mut won);
    assert_eq!(next, Next::EndTurn(TurnEnd::Tool), "{events:?}");
    assert!(said[0].contains("Tilda shows you"), "what came of the check is told first: {said:?}");
    let failures = [checked("talk gently to Tilda", false), checked("talk gently to Tilda", false)];
    let (_, twice, _) = begun(&mut turn_of(FIRST).and(failures));
    assert_eq!(
        twice[0].matches("Tilda looks past you").count(),
        1,
        "of two failures the second is told otherwise: {twice:?}"
    );
    assert!(began(&events), "{events:?}");
    let exchange = won.state().exchange().unwrap();
    assert!(exchange.is_last && exchange.said[0].starts_with("I stood next to the bride"), "{exchange:?}");
    let told = won.and(talk(90, FIRST, "What has been the worst of it?"));
    let (_, _, told) = takes(told);
    assert!(told.state().dialogue().is_none());
    let again = tried(told, "help Tilda tell the bride about the letters", false);
    let again = again.and([checked("follow the bent reeds", true)]);
    let mut hers = again.and([TurnBegan { turn: 92, seat: FIRST }.into()]);
    hers = hers.and([TurnEnded { turn: 92, why: TurnEnd::Spoken }.into()]);
    assert!(!began(&begun(&mut hers).2), "it is told once");
}

#[test]
fn a_ready_character_says_how_it_knows_the_others_and_any_other_is_asked() {
    let begins =
        given_by(guide, [PhaseBegan { phase: Phase::Pitch }.into(), TurnBegan { turn: 1, seat: DM }.into()]);
    let asked = |given: Given| {
        let mut given = given.and([PhaseBegan { phase: Phase::Converge }.into()]);
        let (next, events) = given.when(|table| crate::rules::turn::begin(table, FIRST));
        (next, events.last().cloned())
    };
    let setup = Setup::read(7, RULES_VERSION, files()).unwrap();
    let ties = setup.rules.pregenerated[0].ties.clone();
    let (next, last) = asked(begins.clone().and([accepted(1)]));
    assert_eq!(next, Next::EndTurn(TurnEnd::Spoken));
    assert!(matches!(last, Some(Event::MessageSpoken(word)) if word.text == Text::Written(ties.clone())));
    let Event::CharacterAccepted(mut own) = accepted(1) else { panic!() };
    own.sheet.name = "Kira Voss".into();
    let (next, _) = asked(begins.and([own.into()]));
    assert_eq!(next, Next::Ask(FIRST, Purpose::SessionZero));
}
