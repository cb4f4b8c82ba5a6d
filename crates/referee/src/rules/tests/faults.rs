//! A failed call is made again, given up, or pauses the campaign.

use twicetold_event::{
    CallAbandoned, CallId, CampaignPaused, Event, HistoryShortened, Millis, Purpose, RetryScheduled, Seat,
    SummaryWritten, Text, TurnBegan, TurnEnd,
};
use twicetold_model::{Fault, FaultKind};
use twicetold_world::PendingCall;

use super::{Given, dialogue, given, given_with, in_play, pending, talk, turn};
use crate::rules::faults;
use crate::table::Next;

/// A call of a player's turn of which so many attempts failed before.
fn tried(failed: u32) -> PendingCall {
    PendingCall { failed, ..pending(7, Seat::Player(1), Purpose::Play) }
}

fn fails(
    given: &mut Given,
    pending: &PendingCall,
    kind: FaultKind,
    after_ms: Option<u64>,
) -> (Next, Vec<Event>) {
    let fault = Fault { retry_after_ms: after_ms, ..Fault::new(kind, "no luck") };
    given.when(|table| faults::failed(table, pending, &fault))
}

fn abandoned(fault: FaultKind) -> Event {
    CallAbandoned { call: CallId(7), fault }.into()
}

#[test]
fn a_call_that_failed_is_made_again_after_a_wait_that_doubles() {
    for (failed, wait) in [(0, 500), (1, 1_000), (2, 2_000)] {
        let (next, events) = fails(&mut given([]), &tried(failed), FaultKind::Server, None);
        let (attempt, due, fault) = (failed + 2, Millis(1 + wait), FaultKind::Server);
        assert_eq!(events, [RetryScheduled { call: CallId(7), attempt, due, fault }.into()]);
        assert_eq!(next, Next::Stop);
    }
}

#[test]
fn where_a_server_cannot_read_a_call_the_seat_is_asked_for_words_alone_and_then_as_ever() {
    let kind = FaultKind::CallsUnread;
    let mut given =
        given(in_play())
            .and(turn(1, Seat::Dm, "Fog."))
            .and([TurnBegan { turn: 2, seat: Seat::Player(1) }.into()]);
    assert!(!given.state().wants_words());
    let (next, events) = fails(&mut given, &tried(0), kind, None);
    assert_eq!((next, events), (Next::Ask(Seat::Player(1), Purpose::Play), vec![abandoned(kind)]));
    assert!(given.state().wants_words());
    let (next, events) = fails(&mut given, &tried(0), kind, None);
    assert!(next == Next::Stop && matches!(events.as_slice(), [Event::RetryScheduled(_)]), "{events:?}");
    // In the next turn it may call again.
    let given = given.and([TurnBegan { turn: 3, seat: Seat::Player(1) }.into()]);
    assert!(!given.state().wants_words());
}

#[test]
fn a_server_says_how_long_to_wait_within_the_limit() {
    // One that says "at once" is asked as late as one that says nothing.
    for (asked, wait) in [(0, 500), (500, 500), (3_000, 3_000), (60_000, 60_000)] {
        let (_, events) = fails(&mut given([]), &tried(0), FaultKind::RateLimited, Some(asked));
        let (due, fault) = (Millis(1 + wait), FaultKind::RateLimited);
        assert_eq!(events, [RetryScheduled { call: CallId(7), attempt: 2, due, fault }.into()]);
    }
}

#[test]
fn a_wait_beyond_the_limit_pauses_the_campaign_at_once_and_says_until_when() {
    for (asked, until) in [(60_001, 60_002), (36_617_000, 36_617_001), (u64::MAX, u64::MAX)] {
        for kind in [FaultKind::RateLimited, FaultKind::Server] {
            let (next, events) = fails(&mut given([]), &tried(0), kind, Some(asked));
            let (fault, reason, until) = (Some(kind), "no luck".into(), Some(Millis(until)));
            assert_eq!(events, [CampaignPaused { fault, reason, until }.into()]);
            assert_eq!(next, Next::Stop);
        }
    }
}

#[test]
fn a_server_that_is_away_pauses_the_campaign_and_takes_nobodys_turn() {
    for (status, pauses) in [(500, false), (502, true), (503, true), (504, true), (529, true)] {
        let fault = Fault { status: Some(status), ..Fault::new(FaultKind::Server, "loading") };
        let (_, events) = given([]).when(|table| faults::failed(table, &tried(3), &fault));
        let is_paused = matches!(events.as_slice(), [Event::CampaignPaused(_)]);
        assert_eq!(is_paused, pauses, "{status}: {events:?}");
    }
}

#[test]
fn after_the_last_attempt_the_call_is_given_up_and_its_turn_is_over() {
    let (next, events) = fails(&mut given([]), &tried(3), FaultKind::Server, None);
    assert_eq!(events, [abandoned(FaultKind::Server)]);
    assert_eq!(next, Next::EndTurn(TurnEnd::Abandoned));
    let (_, events) = fails(&mut given([]), &tried(0), FaultKind::TooLarge, None);
    assert_eq!(events, [abandoned(FaultKind::TooLarge)], "the same request would fail again");
}

#[test]
fn a_history_that_cannot_become_shorter_is_not_asked_with_again() {
    // A player in a talk is told of the table and of the talk, each within the limit: half of both may be as much as either.
    let (call, table) = (pending(7, Seat::Player(1), Purpose::Dialogue), "A bell rings. ".repeat(200));
    for more in 0..4 {
        let talked = table.clone() + &"#".repeat(80 * more);
        let given = given(in_play()).and(turn(1, Seat::Player(1), &table)).and([dialogue(0)]);
        let given = given.and(talk(2, Seat::Player(1), &talked));
        let mut given = given.and([TurnBegan { turn: 3, seat: Seat::Player(1) }.into()]);
        let mut failed = || fails(&mut given, &call, FaultKind::ContextTooLong, None).0;
        assert!((0..10).any(|_| failed() == Next::Stop), "with {} bytes it is asked for ever", talked.len());
    }
}

#[test]
fn what_no_other_request_would_cure_pauses_the_campaign_and_the_call_stays_pending() {
    for (failed, kind) in [(0, FaultKind::Unauthorized), (3, FaultKind::Unreachable)] {
        let (next, events) = fails(&mut given([]), &tried(failed), kind, None);
        assert!(matches!(events.as_slice(), [Event::CampaignPaused(_)]), "{events:?}");
        assert_eq!(next, Next::Stop);
    }
}

#[test]
fn calls_given_up_one_after_the_other_pause_the_campaign_at_their_limit() {
    let mut given = given_with(|limits| limits.abandoned_calls_max = 2, []);
    let (_, events) = fails(&mut given, &tried(3), FaultKind::Unreadable, None);
    assert_eq!(events, [abandoned(FaultKind::Unreadable)]);
    let (_, events) = fails(&mut given, &tried(3), FaultKind::Unreadable, None);
    assert!(matches!(events.as_slice(), [Event::CampaignPaused(_)]), "{events:?}");
}

#[test]
fn what_the_memory_seat_cannot_do_is_done_by_rule() {
    let mut given = given(in_play()).and(turn(1, Seat::Dm, "The bell rings."));
    let call = PendingCall { failed: 3, ..pending(7, Seat::Memory, Purpose::Summary { from: 0, to: 1 }) };
    let (next, events) = fails(&mut given, &call, FaultKind::Server, None);
    let text = Text::Written("DM: The bell rings.".into());
    let written = SummaryWritten { from: 0, to: 1, text, fallback: true };
    assert_eq!(events, [abandoned(FaultKind::Server), written.into()]);
    assert_eq!(next, Next::CloseTurn);
}

#[test]
fn a_memory_seat_that_cannot_be_reached_stops_nothing() {
    let given = given(in_play()).and(turn(1, Seat::Dm, "The bell rings."));
    let call = PendingCall { failed: 3, ..pending(7, Seat::Memory, Purpose::Summary { from: 0, to: 1 }) };
    for kind in [FaultKind::Unreachable, FaultKind::Unauthorized, FaultKind::ContextTooLong] {
        let (next, events) = fails(&mut given.clone(), &call, kind, Some(u64::MAX));
        assert_eq!(events[0], abandoned(kind));
        assert_eq!((events.len(), next), (2, Next::CloseTurn), "{events:?}");
    }
}

#[test]
fn a_prompt_that_is_too_long_is_asked_again_with_half_of_its_history_while_that_is_worth_it() {
    let mut given = given(in_play());
    for number in 1..=20 {
        given = given.and(turn(number, Seat::Dm, &"A bell rings. ".repeat(50)));
    }
    given = given.and(turn(21, Seat::Player(1), "I listen."));
    for bytes in [7_084, 1_754] {
        let (next, events) = fails(&mut given, &tried(0), FaultKind::ContextTooLong, None);
        let (call, seat) = (CallId(7), Seat::Player(1));
        assert_eq!(events, [HistoryShortened { call, seat, bytes }.into()]);
        assert_eq!(next, Next::Ask(seat, Purpose::Play));
        assert_eq!(given.state().calls().shown[&seat], bytes);
    }
    let (next, events) = fails(&mut given, &tried(0), FaultKind::ContextTooLong, None);
    assert!(matches!(events.as_slice(), [Event::CampaignPaused(_)]), "{events:?}");
    assert_eq!(next, Next::Stop);
}
