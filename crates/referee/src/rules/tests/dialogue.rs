//! Dialogues: who speaks in one, who may join, and how it ends.

use twicetold_event::{
    ConditionAdded, DialogueEnd, DialogueEnded, DialogueJoined, Event, FeelingChanged, FeelingExpired,
    HitPointsChanged, Seat, SpeakerRule, TurnBegan,
};

use super::{Given, dialogue as began, given, given_with, in_play, talk, turn};
use crate::rules::dialogue;

const DM: Seat = Seat::Dm;
const FIRST: Seat = Seat::Player(1);
const SECOND: Seat = Seat::Player(2);

/// Player 1 talks with Tilda; the DM has just begun it.
fn begun() -> Given {
    given(in_play()).and(turn(1, DM, "She looks up.")).and([began(1)])
}

/// The same after so many answers of Tilda's, the last of them these words.
fn answered(answers: u32, words: &str) -> Given {
    let before = (1..answers).fold(begun(), |given, place| given.and(talk(1 + place, DM, "Hm.")));
    before.and(talk(1 + answers, DM, words))
}

/// Who speaks next, by which rule, and what else happens.
fn next(given: &mut Given) -> (Seat, SpeakerRule, Vec<Event>) {
    let (seat, mut events) = given.when(dialogue::next);
    let others = events.split_off(1);
    let [Event::SpeakerChosen(chosen)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(Some(chosen.seat), seat);
    (chosen.seat, chosen.rule, others)
}

fn ended(why: DialogueEnd, exchanges: u32) -> Event {
    DialogueEnded { dialogue: 1, npc: "tilda".into(), why, exchanges }.into()
}

#[test]
fn whoever_is_in_a_dialogue_begins_and_the_character_answers() {
    let mut given = begun();
    assert_eq!(next(&mut given), (FIRST, SpeakerRule::BeginsDialogue, Vec::new()));
    let mut given = given.and(talk(2, FIRST, "Why?"));
    assert_eq!(next(&mut given), (DM, SpeakerRule::CompanionAnswers, Vec::new()));
}

#[test]
fn whom_the_dm_asks_as_a_dialogue_begins_is_the_first_to_speak_in_it() {
    let begins = |words| next(&mut given(in_play()).and(turn(1, DM, words)).and([began(1)]));
    let joined = DialogueJoined { dialogue: 1, seat: SECOND }.into();
    assert_eq!(begins("He nods to you, Tobias?"), (SECOND, SpeakerRule::AskedByName, vec![joined]));
    assert_eq!(begins("Bettany, he nods to you."), (FIRST, SpeakerRule::BeginsDialogue, Vec::new()));
}

#[test]
fn another_who_is_asked_by_name_joins_after_two_answers() {
    let question = "Tobias, what do you say?";
    assert_eq!(next(&mut answered(1, question)), (FIRST, SpeakerRule::InDialogue, Vec::new()));
    let joined = DialogueJoined { dialogue: 1, seat: SECOND }.into();
    assert_eq!(next(&mut answered(2, question)), (SECOND, SpeakerRule::AskedByName, vec![joined]));
    assert_eq!(next(&mut answered(2, "So it is.")), (FIRST, SpeakerRule::InDialogue, Vec::new()));
}

#[test]
fn whoever_cannot_act_does_not_join() {
    let away = ConditionAdded { character: "Tobias Fenn".into(), condition: "absent".into() };
    let mut given = answered(2, "Tobias, what do you say?").and([away.into()]);
    assert_eq!(next(&mut given), (FIRST, SpeakerRule::InDialogue, Vec::new()));
}

#[test]
fn of_those_who_are_part_of_it_the_one_who_has_waited_longest_speaks() {
    let joined = DialogueJoined { dialogue: 1, seat: SECOND };
    let mut given = begun().and([joined.into()]).and(talk(2, FIRST, "Why?")).and(talk(3, DM, "Because."));
    assert_eq!(next(&mut given).0, SECOND);
    let mut given = given.and(talk(4, SECOND, "Hm.")).and(talk(5, DM, "Yes."));
    assert_eq!(next(&mut given).0, FIRST);
}

#[test]
fn a_dialogue_ends_at_its_limit_of_answers() {
    let held = |answers| {
        let given = given_with(|limits| limits.dialogue_exchanges_max = 2, in_play()).and([began(1)]);
        (1..=answers).fold(given, |given, place| given.and(talk(place, DM, "Hm.")))
    };
    assert_eq!(held(1).when(dialogue::end_at_limit).1, []);
    assert_eq!(held(2).when(dialogue::end_at_limit).1, [ended(DialogueEnd::ExchangeLimit, 2)]);
}

#[test]
fn whoever_is_down_says_nothing_and_a_dialogue_of_nobody_else_is_over() {
    let falls = |name: &str| -> Event {
        HitPointsChanged { character: name.into(), asked: -9, applied: -9, now: 0 }.into()
    };
    let first = given(in_play()).state.seat_name(FIRST);
    let joined: Event = DialogueJoined { dialogue: 1, seat: SECOND }.into();
    let mut given = answered(2, "So it is.").and([joined.clone(), falls(&first)]);
    assert_eq!(given.when(dialogue::end_without_speakers).1, []);
    assert_eq!(next(&mut given), (SECOND, SpeakerRule::InDialogue, Vec::new()));
    let mut given = answered(1, "So it is.").and([falls(&first)]);
    assert_eq!(given.when(dialogue::end_without_speakers).1, [ended(DialogueEnd::NobodyAble, 1)]);
    assert_eq!(given.when(dialogue::end_without_speakers).1, []);
    assert_eq!(begun().when(dialogue::end_without_speakers).1, [], "its first question is still to come");
}

#[test]
fn a_dialogue_ends_once() {
    let mut given = answered(1, "Farewell.");
    let end = |given: &mut Given| given.when(|table| dialogue::end(table, DialogueEnd::EncounterOver)).1;
    assert_eq!(end(&mut given), [ended(DialogueEnd::EncounterOver, 1)]);
    assert_eq!(end(&mut given), []);
    assert_eq!(given.when(dialogue::next), (None, Vec::new()));
}

#[test]
fn a_feeling_is_over_when_its_turns_are_and_one_without_turns_stays() {
    let feels = |feeling: &str, turns| {
        let (npc, feeling) = ("tilda".into(), feeling.into());
        FeelingChanged { npc, feeling, asked: 40, now: 40, turns }.into()
    };
    let began = |turn| TurnBegan { turn, seat: DM }.into();
    let mut given = given(in_play()).and([began(1), feels("anger", Some(2)), feels("grief", None), began(2)]);
    assert_eq!(given.when(dialogue::expire_feelings).1, []);
    let mut given = given.and([began(3)]);
    let over = FeelingExpired { npc: "tilda".into(), feeling: "anger".into() };
    assert_eq!(given.when(dialogue::expire_feelings).1, [over.into()]);
    assert_eq!(given.when(dialogue::expire_feelings).1, []);
}
