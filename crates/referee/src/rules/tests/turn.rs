//! The turn protocol: who is asked, what ends a turn, what ends a campaign.

use twicetold_event::{
    CallId, DialogueEnd, DialogueEnded, EncounterBegan, EncounterResolved, Ending, Event, Phase, PhaseBegan,
    Purpose, Seat, SpeakerRule, TurnBegan, TurnEnd, TurnEnded,
};
use twicetold_model::Usage;
use twicetold_world::setup::{EncounterSpec, Limits, Setup};

use super::{dialogue, given, given_by, given_with, in_play, talk, turn as spoken_turn};
use crate::rules::{memory, turn};
use crate::table::{Next, Table};

/// Who was chosen, and by which rule.
pub(super) fn chosen(events: &[Event]) -> Option<(Seat, SpeakerRule)> {
    events.iter().find_map(|event| match event {
        Event::SpeakerChosen(word) => Some((word.seat, word.rule)),
        _ => None,
    })
}

#[test]
fn a_turn_begins_with_its_number_and_asks_its_seat() {
    let mut given = given(in_play());
    let (next, events) = given.when(|table| turn::begin(table, Seat::Player(1)));
    assert_eq!(events, [Event::from(TurnBegan { turn: 1, seat: Seat::Player(1) })]);
    assert_eq!(next, Next::Ask(Seat::Player(1), Purpose::Play));
}

#[test]
fn before_play_a_seat_is_asked_for_session_zero() {
    let mut given = given([PhaseBegan { phase: Phase::Pitch }.into()]);
    let (next, _) = given.when(|table| turn::begin(table, Seat::Dm));
    assert_eq!(next, Next::Ask(Seat::Dm, Purpose::SessionZero));
}

#[test]
fn the_dm_speaks_after_a_player_and_a_player_after_the_dm() {
    let mut given = given(in_play()).and(spoken_turn(1, Seat::Dm, "The bell rings.")).and(spoken_turn(
        2,
        Seat::Player(1),
        "I listen.",
    ));
    let (next, events) = given.when(turn::next);
    assert_eq!(chosen(&events), Some((Seat::Dm, SpeakerRule::DmSpeaksLast)));
    assert_eq!(next, Next::Ask(Seat::Dm, Purpose::Play));
    let mut given = given.and(spoken_turn(3, Seat::Dm, "Player 2, what do you do?"));
    let (next, events) = given.when(turn::next);
    assert_eq!(chosen(&events), Some((Seat::Player(2), SpeakerRule::AskedByName)));
    assert_eq!(next, Next::Ask(Seat::Player(2), Purpose::Play));
}

#[test]
fn the_dm_opens_a_phase_and_an_encounter() {
    let mut given = given([PhaseBegan { phase: Phase::Pitch }.into()]);
    assert_eq!(chosen(&given.when(turn::next).1), Some((Seat::Dm, SpeakerRule::DmOpensPhase)));
    let mut given = super::given(in_play());
    assert_eq!(chosen(&given.when(turn::next).1), Some((Seat::Dm, SpeakerRule::DmOpensPhase)));
}

/// The turn ends, and nothing has to be summed up before what follows.
fn ended(table: &mut Table<'_>, why: TurnEnd) -> Next {
    assert_eq!(turn::end(table, why), Next::SumUp);
    assert_eq!(memory::sum_up(table), Next::CloseTurn);
    turn::close(table)
}

#[test]
fn the_end_of_a_turn_is_recorded_with_the_digest_of_the_state() {
    let mut given = given(in_play()).and(spoken_turn(1, Seat::Dm, "The bell rings."));
    let (next, events) = given.when(|table| ended(table, TurnEnd::Spoken));
    assert_eq!(events[0], TurnEnded { turn: 1, why: TurnEnd::Spoken }.into());
    assert!(
        matches!(events.as_slice(), [_, Event::StateDigested(word)] if word.digest == given.state().digest())
    );
    assert_eq!(next, Next::AfterTurn);
}

#[test]
fn at_its_limit_of_turns_the_campaign_is_over_and_its_encounter_unresolved() {
    let mut given =
        given_with(|limits| limits.turns_max = 1, in_play()).and(spoken_turn(1, Seat::Dm, "The bell rings."));
    let (next, events) = given.when(|table| ended(table, TurnEnd::Spoken));
    assert_eq!(next, Next::Stop);
    assert!(matches!(
        events.as_slice(),
        [Event::TurnEnded(_), Event::EncounterUnresolved(_), .., Event::StateDigested(_), Event::CampaignEnded(word)]
            if word.ending == Ending::TurnLimit
    ));
}

/// How a campaign ended, when it did.
fn ending(events: &[Event]) -> Option<Ending> {
    match events.last() {
        Some(Event::CampaignEnded(word)) => Some(word.ending),
        _ => None,
    }
}

#[test]
fn at_its_limit_of_calls_or_of_tokens_read_and_written_the_campaign_is_over() {
    let over = |change: fn(&mut Limits), replies| {
        let usage = Usage { input_tokens: 6, output_tokens: 4, ..Usage::default() };
        let given = given_with(change, in_play()).and(spoken_turn(1, Seat::Dm, "The bell rings."));
        ending(&given.charged(replies, usage).when(|table| ended(table, TurnEnd::Spoken)).1)
    };
    let calls: fn(&mut Limits) = |limits| limits.calls_max = 2;
    assert_eq!((over(calls, 1), over(calls, 2)), (None, Some(Ending::CallLimit)));
    let tokens: fn(&mut Limits) = |limits| limits.tokens_max = 20;
    assert_eq!((over(tokens, 1), over(tokens, 2)), (None, Some(Ending::TokenLimit)));
}

#[test]
fn tokens_that_no_call_can_have_are_recorded_and_not_counted() {
    let impossible = Usage { input_tokens: u64::MAX, output_tokens: 3, ..Usage::default() };
    let given = given(in_play()).and(spoken_turn(1, Seat::Dm, "The bell rings.")).charged(2, impossible);
    let spent = given.state().calls().total();
    assert_eq!((spent.input_tokens, spent.output_tokens, spent.calls), (0, 6, 2));
}

#[test]
fn a_campaign_whose_last_encounter_is_over_is_finished_and_its_people_remember() {
    let (encounter, outcome) = ("the-landing-stage".into(), "boat-back-in-time".into());
    let resolved =
        EncounterResolved { encounter, outcome, summary: "Done.".into(), messages: 1, call: CallId(1) };
    let parted = DialogueEnded { dialogue: 1, npc: "tilda".into(), why: DialogueEnd::Tool, exchanges: 1 };
    let given = given(in_play()).and([dialogue(1)]).and(talk(1, Seat::Dm, "Yes?"));
    let mut given = given.and([parted.into(), resolved.into()]);
    let (next, events) = given.when(|table| ended(table, TurnEnd::Tool));
    let names: Vec<&str> = events.iter().map(Event::name).collect();
    assert_eq!(names, ["TurnEnded", "NpcRemembered", "StateDigested", "CampaignEnded"]);
    assert_eq!((next, ending(&events)), (Next::Stop, Some(Ending::Finished)));
}

#[test]
fn after_one_encounter_the_next_one_begins_with_the_dm() {
    let again = |setup: &mut Setup| {
        let again = EncounterSpec { id: "again".into(), randoms: Vec::new(), ..setup.encounters[0].clone() };
        setup.encounters.push(again);
        setup.limits.encounter_messages_max = 1;
    };
    let mut given = given_by(again, in_play()).and(spoken_turn(1, Seat::Dm, "The bell rings."));
    let (next, events) = given.when(|table| ended(table, TurnEnd::Spoken));
    assert_eq!(next, Next::AfterTurn);
    let began = EncounterBegan { encounter: "again".into(), draws: Vec::new() }.into();
    assert_eq!(events.iter().rev().nth(1), Some(&began), "{events:?}");
    assert_eq!(chosen(&given.when(turn::next).1), Some((Seat::Dm, SpeakerRule::DmOpensPhase)));
}

#[test]
fn what_is_left_of_an_encounter_stands_before_the_opening_of_the_next_one() {
    let again = |setup: &mut Setup| {
        let again = EncounterSpec { id: "again".into(), randoms: Vec::new(), ..setup.encounters[0].clone() };
        setup.encounters.push(again);
        setup.encounters[0].goals[0].later = "There is mud on every boot.".into();
    };
    for (place, left) in [(0, "There is mud on every boot.\n\n"), (1, "")] {
        let given = given_by(again, in_play());
        let spec = given.state().encounter_spec().expect("the first encounter is played").clone();
        let (encounter, outcome, opening) = (spec.id, spec.goals[place].id.clone(), spec.opening);
        let resolved =
            EncounterResolved { encounter, outcome, summary: "Done.".into(), messages: 1, call: CallId(1) };
        let began = EncounterBegan { encounter: "again".into(), draws: Vec::new() };
        let given = given.and([resolved.into(), began.into()]);
        let next = given.state().encounter_spec().expect("the next encounter is played");
        assert_eq!(next.opening, format!("{left}{opening}"), "{place}");
    }
}

#[test]
fn session_zero_is_never_cut_by_the_limit_of_turns() {
    let mut given = given_with(|limits| limits.turns_max = 1, [PhaseBegan { phase: Phase::Pitch }.into()])
        .and([TurnBegan { turn: 1, seat: Seat::Dm }.into()]);
    let (next, events) = given.when(|table| ended(table, TurnEnd::Spoken));
    assert_eq!(next, Next::AfterTurn);
    assert!(!events.iter().any(|event| matches!(event, Event::CampaignEnded(_))));
}
