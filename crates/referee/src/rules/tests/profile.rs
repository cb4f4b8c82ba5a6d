//! Profiles of new characters: kept, cut, or left as they were.

use twicetold_event::{CallId, Event, NpcProfiled, Purpose};

use super::{Given, created, given, in_play};
use crate::rules::{memory, profile};
use crate::table::Next;

/// The memory seat says this of Ida, whose place was given as the mill.
fn written(text: &str) -> (Given, Next, Vec<Event>) {
    let mut given = given(in_play()).and([created("ida", "Ida")]).replied(1, text, &[]);
    let (next, events) =
        given.when(|table| profile::replied(table, CallId(1), table.replies().reply(CallId(1))));
    (given, next, events)
}

fn profiled(appearance: &str, personality: &str, motivations: &[&str], location: &str) -> NpcProfiled {
    NpcProfiled {
        npc: "ida".into(),
        call: CallId(1),
        appearance: appearance.into(),
        personality: personality.into(),
        motivations: motivations.iter().map(|text| (*text).to_owned()).collect(),
        location: location.into(),
        notes: String::new(),
    }
}

#[test]
fn a_profile_is_kept_with_its_words_on_one_line() {
    let text = "Gladly: {\"appearance\": \"Tall,\\n  thin\", \"personality\": \"dry\", \"motivations\": [\"tea\", \" \"], \"location\": \"The inn\"} Anything else?";
    let (_, next, events) = written(text);
    assert_eq!(events, [profiled("Tall, thin", "dry", &["tea"], "The inn").into()]);
    assert_eq!(next, Next::AfterTurn);
}

#[test]
fn whoever_has_no_place_in_a_profile_stays_where_it_was() {
    let (_, _, events) = written("{\"personality\": \"dry\"}");
    assert_eq!(events, [profiled("", "dry", &[], "The mill").into()]);
}

#[test]
fn a_long_profile_is_cut_to_three_motivations_and_a_few_hundred_bytes_a_field() {
    let long = "é".repeat(250);
    let text = format!("{{\"appearance\": \"{long}\", \"motivations\": [\"a\", \"b\", \"c\", \"d\"]}}");
    let (_, _, events) = written(&text);
    assert_eq!(events, [profiled(&"é".repeat(200), "", &["a", "b", "c"], "The mill").into()]);
}

#[test]
fn without_a_profile_a_character_stays_as_it_was_and_is_not_asked_for_again() {
    for text in ["no object", "{\"appearance\": 7}", "{\"notes\": \"n\"}", "{\"appearance\": \"cut o"] {
        let (mut given, next, events) = written(text);
        assert!(matches!(events.as_slice(), [Event::NpcProfileKept(word)] if word.npc == "ida"), "{text}");
        assert_eq!(next, Next::AfterTurn);
        let ida = given.state().npcs().get("ida").unwrap();
        assert_eq!((ida.location.as_str(), ida.profile.is_none()), ("The mill", true));
        assert_eq!(given.when(memory::after_turn), (Next::NewTurn, Vec::new()));
    }
}

#[test]
fn a_profile_that_nobody_waits_for_changes_nothing() {
    let mut given = given(in_play()).replied(1, "{\"personality\": \"dry\"}", &[]);
    let purpose = Purpose::Profile { npc: 0 };
    let replied =
        given.when(|table| memory::replied(table, purpose, CallId(1), table.replies().reply(CallId(1))));
    assert_eq!(replied, (Next::Stop, Vec::new()));
}
