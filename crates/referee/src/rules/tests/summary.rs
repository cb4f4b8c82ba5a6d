//! The running summary: when it is due, and what it is made of.

use twicetold_event::{
    Audience, CallId, Channel, MessageSpoken, Purpose, Seat, SummaryWritten, Text, TurnBegan,
};

use super::{Given, given, given_with, in_play, turn};
use crate::rules::summary;
use crate::table::Next;

fn three_messages(given: Given) -> Given {
    given
        .and(turn(1, Seat::Dm, "The bell rings. Loudly."))
        .and(turn(2, Seat::Player(1), "I listen."))
        .and(turn(3, Seat::Dm, "It stops."))
}

#[test]
fn no_summary_is_due_while_all_messages_fit() {
    let two = || given_with(|limits| limits.history_messages_max = 2, in_play());
    // What a turn adds is looked at in the next one.
    let full = three_messages(two());
    assert_eq!(summary::due(full.state()), None);
    let next = full.and(turn(4, Seat::Player(2), "I wait."));
    assert_eq!(summary::due(next.state()), Some(Purpose::Summary { from: 0, to: 1 }));
}

#[test]
fn what_is_summed_up_is_certain_as_soon_as_the_turn_has_begun() {
    let given = three_messages(given_with(|limits| limits.history_messages_max = 2, in_play()));
    let began = TurnBegan { turn: 4, seat: Seat::Player(2) };
    let mut given = given.and([began.into()]);
    let ahead = summary::due(given.state());
    assert_eq!(ahead, Some(Purpose::Summary { from: 0, to: 1 }));
    given = given.and(turn(4, Seat::Player(2), "I wait, and I wait, and nothing rings."));
    assert_eq!(summary::due(given.state()), ahead);
}

#[test]
fn the_older_half_of_long_messages_is_summarised_and_the_last_one_never() {
    let few_bytes = |bytes| given_with(|limits| limits.history_bytes_max = bytes, in_play());
    let long = three_messages(few_bytes(40)).and(turn(4, Seat::Player(2), "I wait."));
    let long = long.and(turn(5, Seat::Dm, "It rings."));
    assert_eq!(summary::due(long.state()), Some(Purpose::Summary { from: 0, to: 2 }));
    let single = few_bytes(10).and(turn(1, Seat::Dm, "The bell rings."));
    let single = single.and([TurnBegan { turn: 2, seat: Seat::Player(1) }.into()]);
    assert_eq!(summary::due(single.state()), None);
}

#[test]
fn a_summary_is_the_words_of_the_reply_within_its_limit_and_the_window_begins_behind_it() {
    let mut given = three_messages(given_with(|limits| limits.summary_bytes_max = 11, in_play())).replied(
        5,
        " \nA bell rang, and stopped. ",
        &[],
    );
    let call = CallId(5);
    let (next, events) = given.when(|table| summary::replied(table, call, 2, table.replies().reply(call)));
    let text = Text::Reply { call, start: 2, end: 13 };
    assert_eq!(events, [SummaryWritten { from: 0, to: 2, text, fallback: false }.into()]);
    assert_eq!(next, Next::CloseTurn);
    assert_eq!(given.state().history().main.front().map(|kept| kept.message), Some(2));
}

#[test]
fn without_words_a_summary_is_made_by_rule_of_what_stands_and_what_was_said() {
    let mut given = three_messages(given(in_play())).replied(5, " \n", &[]);
    let (_, events) =
        given.when(|table| summary::replied(table, CallId(5), 1, table.replies().reply(CallId(5))));
    let text = Text::Written("DM: The bell rings. Loudly.".into());
    assert_eq!(events, [SummaryWritten { from: 0, to: 1, text, fallback: true }.into()]);
    let (next, events) = given.when(|table| summary::replied(table, CallId(6), 3, None));
    let text = "DM: The bell rings. Loudly. Bettany Oake: I listen. DM: It stops.";
    let text = Text::Written(text.into());
    assert_eq!(events, [SummaryWritten { from: 1, to: 3, text, fallback: true }.into()]);
    assert_eq!(next, Next::CloseTurn);
}

#[test]
fn a_whisper_in_the_turn_changes_nothing_of_what_is_due() {
    let given = three_messages(given_with(|limits| limits.history_messages_max = 2, in_play()));
    let given = given.and([TurnBegan { turn: 4, seat: Seat::Player(2) }.into()]);
    let due = summary::due(given.state());
    assert!(due.is_some());
    let whispered = MessageSpoken {
        seat: Seat::Player(2),
        channel: Channel::Whisper(Seat::Player(2), Seat::Player(1)),
        text: Text::Written("Look at his hands.".into()),
        audience: Audience::All,
    };
    assert_eq!(summary::due(given.and([whispered.into()]).state()), due);
}
