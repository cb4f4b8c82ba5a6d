//! What is kept of a dialogue, with a reply and without one.

use twicetold_event::{
    CallId, DialogueEnd, DialogueEnded, DialogueSummarised, Event, FactLearned, Seat, Text,
};
use twicetold_world::setup::Limits;

use super::{Given, dialogue, given, given_with, in_play, talk};
use crate::rules::dialogue_summary;
use crate::table::Next;

fn ended(dialogue: u32) -> Event {
    DialogueEnded { dialogue, npc: "tilda".into(), why: DialogueEnd::Tool, exchanges: 1 }.into()
}

/// Player 1 talked with Tilda.
fn talked(change: impl FnOnce(&mut Limits)) -> Given {
    given_with(change, in_play())
        .and([dialogue(1)])
        .and(talk(1, Seat::Player(1), "Why? Tell me."))
        .and(talk(2, Seat::Dm, "Because of the letters."))
        .and([ended(1)])
}

fn summed_up(dialogue: u32, text: Text, fallback: bool) -> Event {
    let (npc, seats) = ("tilda".into(), vec![Seat::Player(1)]);
    DialogueSummarised { dialogue, npc, seats, text, fallback }.into()
}

fn part(start: u32, end: u32) -> Text {
    Text::Reply { call: CallId(5), start, end }
}

fn replied(given: &mut Given) -> (Next, Vec<Event>) {
    given.when(|table| dialogue_summary::replied(table, CallId(5), table.replies().reply(CallId(5))))
}

#[test]
fn a_reply_is_the_summary_and_the_facts_that_the_character_learned() {
    let text = " They spoke.\n- She writes.\n* He knows.\n- A third.";
    let mut given = talked(|limits| limits.facts_learned_max = 2).replied(5, text, &[]);
    let (next, events) = replied(&mut given);
    let fact = |text| FactLearned { dialogue: 1, npc: "tilda".into(), text }.into();
    assert_eq!(events, [summed_up(1, part(1, 12), false), fact(part(15, 26)), fact(part(29, 38))]);
    assert_eq!(next, Next::AfterTurn);
}

#[test]
fn a_long_summary_is_cut_at_its_limit() {
    let mut given = talked(|limits| limits.dialogue_summary_bytes_max = 6).replied(5, "They spoke.", &[]);
    assert_eq!(replied(&mut given).1, [summed_up(1, part(0, 6), false)]);
}

#[test]
fn without_a_summary_one_is_made_by_rule_of_what_was_said() {
    let by_rule = Text::Written("Bettany Oake: Why? Tell me. Tilda: Because of the letters.".into());
    for text in [" ", "- A fact without a summary."] {
        let mut given = talked(|_| {}).replied(5, text, &[]);
        assert_eq!(replied(&mut given).1, [summed_up(1, by_rule.clone(), true)], "{text:?}");
    }
    let (_, events) = replied(&mut talked(|_| {}));
    assert_eq!(events, [summed_up(1, by_rule, true)], "no reply came");
}

#[test]
fn a_summary_by_rule_tells_of_its_own_dialogue_alone() {
    let mut given = talked(|_| {});
    replied(&mut given);
    let mut given = given.and([dialogue(2)]).and(talk(3, Seat::Dm, "Again?")).and([ended(2)]);
    let by_rule = Text::Written("Tilda: Again?".into());
    assert_eq!(replied(&mut given).1, [summed_up(2, by_rule, true)]);
}

#[test]
fn a_summary_that_nobody_waits_for_changes_nothing() {
    let mut given = given(in_play()).replied(5, "They spoke.", &[]);
    assert_eq!(replied(&mut given), (Next::Stop, Vec::new()));
}
