//! The memory seat: what it is asked first, and where its replies go.

use twicetold_event::{CallId, DialogueEnd, DialogueEnded, Event, Purpose, Seat};

use twicetold_world::setup::Setup;

use super::{created, dialogue, given, given_by, given_with, in_play, talk, turn};
use crate::rules::memory;
use crate::table::Next;

fn dialogue_ended() -> Event {
    DialogueEnded { dialogue: 1, npc: "tilda".into(), why: DialogueEnd::Tool, exchanges: 1 }.into()
}

#[test]
fn without_work_the_next_turn_begins() {
    let mut given = given(in_play()).and(turn(1, Seat::Dm, "The bell rings."));
    assert_eq!(given.when(memory::sum_up), (Next::CloseTurn, Vec::new()));
    assert_eq!(given.when(memory::after_turn), (Next::NewTurn, Vec::new()));
}

#[test]
fn the_summary_comes_before_what_follows_from_the_turn() {
    let mut given = given_with(|limits| limits.history_messages_max = 1, in_play())
        .and(turn(1, Seat::Dm, "The bell rings."))
        .and(turn(2, Seat::Player(1), "I go to Tilda."))
        .and(turn(3, Seat::Dm, "She nods."));
    let purpose = Purpose::Summary { from: 0, to: 1 };
    assert_eq!(given.when(memory::sum_up), (Next::Ask(Seat::Memory, purpose), Vec::new()));
    let (next, events) = given.when(|table| memory::replied(table, purpose, CallId(3), None));
    assert_eq!((next, events.len(), events[0].name()), (Next::CloseTurn, 1, "SummaryWritten"));
    assert_eq!(given.when(memory::sum_up), (Next::CloseTurn, Vec::new()));
}

#[test]
fn the_oldest_work_comes_first() {
    let mut given = given(in_play())
        .and(turn(1, Seat::Dm, "The bell rings."))
        .and(turn(2, Seat::Player(1), "I go to Tilda."))
        .and([dialogue(1)])
        .and(talk(3, Seat::Dm, "Yes?"))
        .and([dialogue_ended(), created("ida", "Ida")]);
    let asked = |purpose| (Next::Ask(Seat::Memory, purpose), Vec::new());
    assert_eq!(given.when(memory::after_turn), asked(Purpose::DialogueSummary { dialogue: 1 }));
    given.when(|table| memory::replied(table, Purpose::DialogueSummary { dialogue: 1 }, CallId(1), None));
    // The encounter lists two people; whoever is created is the third.
    assert_eq!(given.when(memory::after_turn), asked(Purpose::Profile { npc: 2 }));
    given.when(|table| memory::replied(table, Purpose::Profile { npc: 2 }, CallId(2), None));
    assert_eq!(given.when(memory::after_turn), (Next::NewTurn, Vec::new()));
}

#[test]
fn what_quotes_a_call_is_no_summary() {
    let quoting = "They rested.\n{\"tool\": \"end_dialogue\", \"arguments\": {}}";
    for (text, fallback) in [("They rested.", false), (quoting, true)] {
        let mut given = given_with(|limits| limits.history_messages_max = 1, in_play())
            .and(turn(1, Seat::Dm, "The bell rings."))
            .and(turn(2, Seat::Player(1), "I go to Tilda."))
            .replied(3, text, &[]);
        let purpose = Purpose::Summary { from: 0, to: 1 };
        let (_, events) = given.when(|table| {
            let reply = table.replies().reply(CallId(3));
            memory::replied(table, purpose, CallId(3), reply)
        });
        let Some(Event::SummaryWritten(word)) = events.first() else { panic!("{events:?}") };
        assert_eq!(word.fallback, fallback, "{text}");
    }
}

#[test]
fn a_memory_seat_that_is_guided_is_not_asked() {
    let guide = |setup: &mut Setup| {
        setup.limits.history_messages_max = 1;
        setup.seats.seat.values_mut().for_each(|seat| {
            seat.compat.insert("tool_calls".into(), "guided".into());
        });
    };
    let mut given = given_by(guide, in_play())
        .and(turn(1, Seat::Dm, "The bell rings."))
        .and(turn(2, Seat::Player(1), "I go to Tilda."))
        .and([dialogue(1)])
        .and(talk(3, Seat::Dm, "Yes?"))
        .and([dialogue_ended(), created("ida", "Ida")]);
    let summed = given.when(memory::sum_up);
    let done = [summed, given.when(memory::after_turn), given.when(memory::after_turn)];
    for ((after, events), (next, does)) in done.into_iter().zip([
        (Next::CloseTurn, "SummaryWritten"),
        (Next::AfterTurn, "DialogueSummarised"),
        (Next::AfterTurn, "NpcProfileKept"),
    ]) {
        assert_eq!((after, events.len(), events[0].name()), (next, 1, does));
    }
}

#[test]
fn a_dialogue_in_which_nobody_answered_leaves_nothing_to_sum_up() {
    let mut given =
        given(in_play()).and([dialogue(1)]).and(talk(1, Seat::Player(1), "Hello?")).and([dialogue_ended()]);
    assert_eq!(given.when(memory::after_turn), (Next::NewTurn, Vec::new()));
}

#[test]
fn the_reply_of_a_turn_is_none_of_its_work() {
    let mut given = given(in_play()).and([created("ida", "Ida")]);
    let replied = given.when(|table| memory::replied(table, Purpose::Play, CallId(1), None));
    assert_eq!(replied, (Next::Stop, Vec::new()));
}
