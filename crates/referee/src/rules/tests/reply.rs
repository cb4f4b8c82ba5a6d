//! Replies: what is spoken, which tool calls are accepted, and what follows.

use twicetold_event::{
    Audience, CallId, Channel, ClosedBy, CutRule, Event, GoldChanged, MessageSpoken, Phase, PhaseBegan,
    PhaseClosed, Purpose, ReplyRejected, SceneChanged, Seat, SeatReleased, SeatTaken, SpeechCut,
    SummaryWritten, Text, ToolAccepted, ToolRejected, TurnBegan, TurnEnd, TurnEnded, Values,
};
use twicetold_model::Usage;
use twicetold_tool::fingerprint;
use twicetold_world::setup::{Limits, Setup};

use super::{Given, dialogue, given, given_by, given_with, in_play, pending, spoken, turn};
use crate::rules::reply;
use crate::table::Next;

pub(super) const DM: Seat = Seat::Dm;
pub(super) const FIRST: Seat = Seat::Player(1);
pub(super) const ASKED_AGAIN: Next = Next::Ask(DM, Purpose::Play);

pub(super) fn began(seat: Seat) -> Event {
    TurnBegan { turn: 2, seat }.into()
}

/// A seat's turn in play, under other limits.
pub(super) fn turn_of(seat: Seat, change: impl FnOnce(&mut Limits)) -> Given {
    given_with(change, in_play()).and(turn(1, FIRST, "I listen.")).and([began(seat)])
}

/// A turn of the DM in an encounter whose goals need no checks.
fn turn_of_the_dm() -> Given {
    let free = |setup: &mut Setup| setup.encounters[0].goals.iter_mut().for_each(|goal| goal.needs.clear());
    given_by(free, in_play()).and(turn(1, FIRST, "I listen.")).and([began(DM)])
}

/// A turn in an encounter in which every tool may be used.
fn with_all_tools(seat: Seat) -> Given {
    let all = given_by(|setup| setup.encounters[0].allowed_tools.clear(), in_play());
    all.and(turn(1, FIRST, "I listen.")).and([began(seat)])
}

/// The pending reply came, to a call of this number.
pub(super) fn comes(given: &mut Given, call: u32) -> (Next, Vec<Event>) {
    let pending = pending(call, given.state().turn().seat.unwrap(), Purpose::Play);
    given.when(|table| reply::replied(table, &pending, CallId(call)))
}

/// What follows when call 1 brings these words and tool calls.
pub(super) fn says(given: Given, text: &str, calls: &[(&str, &str)]) -> (Next, Vec<Event>) {
    comes(&mut given.replied(1, text, calls), 1)
}

/// What follows, and what follows when the next call of the turn brings the same.
pub(super) fn says_twice(given: Given, text: &str, calls: &[(&str, &str)]) -> [(Next, Vec<Event>); 2] {
    let mut given = given.replied(1, text, calls);
    let first = comes(&mut given, 1);
    let mut given = given.replied(2, text, calls);
    [first, comes(&mut given, 2)]
}

fn said(seat: Seat, channel: Channel, audience: Audience, start: u32, end: u32) -> Event {
    MessageSpoken { seat, channel, audience, text: Text::Reply { call: CallId(1), start, end } }.into()
}

fn unusable(rule: &str) -> Event {
    ReplyRejected { call: CallId(1), rule: rule.into(), values: Values::default() }.into()
}

fn accepted(call: u32, index: u16, tool: &str, arguments: &str) -> Event {
    let fingerprint = fingerprint(tool, arguments);
    let (call, tool, checks) = (CallId(call), tool.to_owned(), Vec::new());
    ToolAccepted { call, index, tool, fingerprint, checks, effects: 1 }.into()
}

fn rejected(call: u32, index: u16, tool: &str, arguments: &str, rule: &str, values: Values) -> Event {
    let fingerprint = fingerprint(tool, arguments);
    let (call, tool, rule) = (CallId(call), tool.to_owned(), rule.to_owned());
    ToolRejected { call, index, tool, fingerprint, rule, values }.into()
}

pub(super) const UPDATE: &str = "update_scene";

pub(super) fn scene(text: &str) -> (String, Event) {
    (format!("{{\"scene\":{text:?}}}"), SceneChanged { text: text.into() }.into())
}

#[test]
fn words_are_spoken_where_the_seat_is_and_end_its_turn() {
    let spoken = Next::EndTurn(TurnEnd::Spoken);
    let main = says(turn_of(FIRST, |_| {}), "I run.", &[]);
    assert_eq!(main, (spoken, vec![said(FIRST, Channel::Main, Audience::All, 0, 6)]));
    let (channel, those) = (Channel::Dialogue("tilda".into()), vec![DM, FIRST, Seat::Memory]);
    let apart = says(turn_of(FIRST, |_| {}).and([dialogue(1)]), "Why?", &[]);
    assert_eq!(apart, (spoken, vec![said(FIRST, channel, Audience::Seats(those.into()), 0, 4)]));
    let before = given([PhaseBegan { phase: Phase::Pitch }.into(), began(FIRST)]);
    let all = said(FIRST, Channel::SessionZero, Audience::All, 0, 4);
    assert_eq!(says(before, "Odo.", &[]), (spoken, vec![all]));
}

#[test]
fn a_sheet_is_heard_by_its_player_and_the_dm_alone() {
    let text = "Here: [CHARACTER]x[/CHARACTER] Bye.";
    let before = given([PhaseBegan { phase: Phase::Converge }.into(), began(FIRST)]);
    let (_, events) = says(before, text, &[]);
    let part = |audience, start, end| said(FIRST, Channel::SessionZero, audience, start, end);
    let those = Audience::Seats([DM, FIRST].into());
    assert_eq!(events, [part(Audience::All, 0, 5), part(those, 5, 30), part(Audience::All, 30, 35)]);
    let before = given([PhaseBegan { phase: Phase::Converge }.into(), began(DM)]);
    let own = said(DM, Channel::SessionZero, Audience::Dm, 0, 12);
    assert_eq!(says(before, "[SCENARIO] s", &[]).1, [own], "the DM's own is the DM's alone");
    let (_, events) = says(turn_of(FIRST, |_| {}), text, &[]);
    let part = |audience, start, end| said(FIRST, Channel::Main, audience, start, end);
    let those = Audience::Seats([DM, FIRST].into());
    let parts = [part(Audience::All, 0, 5), part(those, 5, 30), part(Audience::All, 30, 35)];
    assert_eq!(events, parts, "in play, too");
}

#[test]
fn a_whisper_is_heard_by_the_one_it_is_for() {
    let arguments = "{\"to\":\"DM\",\"text\":\"I saw her.\"}";
    let (next, events) = says(with_all_tools(FIRST), "I nod.", &[("whisper", arguments)]);
    let (channel, audience) = (Channel::Whisper(FIRST, DM), Audience::Seats([FIRST, DM].into()));
    let text = Text::Written("I saw her.".into());
    let whispered = MessageSpoken { seat: FIRST, channel, audience, text }.into();
    let nod = said(FIRST, Channel::Main, Audience::All, 0, 6);
    assert_eq!(events, [nod, accepted(1, 0, "whisper", arguments), whispered]);
    assert_eq!(next, Next::EndTurn(TurnEnd::Spoken));
}

#[test]
fn a_reply_without_anything_of_use_is_charged_and_asked_for_again() {
    let unread = comes(&mut turn_of(DM, |_| {}), 1);
    assert_eq!(unread, (ASKED_AGAIN, vec![unusable("unreadable_reply")]));
    assert_eq!(says(turn_of(DM, |_| {}), " \n", &[]), (ASKED_AGAIN, vec![unusable("empty_reply")]));
    let (next, events) = says(turn_of(DM, |_| {}), "Bettany: I run!", &[]);
    assert!(
        matches!(events.as_slice(), [Event::SpeechCut(cut), rejected]
            if cut.rule == CutRule::SpokeForAnother && cut.at == 0 && *rejected == unusable("spoke_for_another")),
        "{events:?}"
    );
    assert_eq!(next, ASKED_AGAIN);
}

#[test]
fn a_call_among_the_words_that_nobody_could_read_is_not_spoken_but_by_a_person() {
    let words = "I roll.\n{'tool': 'roll_dice', 'arguments': {}}";
    let values =
        Values::default().with("written", "'tool': 'roll_dice', 'arguments': {}}").with("writes", "");
    let rejected = ReplyRejected { call: CallId(1), rule: "unread_call".into(), values };
    assert_eq!(says(turn_of(DM, |_| {}), words, &[]), (ASKED_AGAIN, vec![rejected.into()]));
    let person = SeatTaken { seat: DM, person: "Ada".into() };
    let (_, events) = says(turn_of(DM, |_| {}).and([person.into()]), words, &[]);
    assert!(matches!(events.as_slice(), [Event::MessageSpoken(_)]), "{events:?}");
}

#[test]
fn the_text_of_a_call_beside_calls_of_the_servers_own_is_not_spoken_and_the_calls_are_decided() {
    let (arguments, changed) = scene("Fog.");
    let raw = "{\"tool\": \"update_scene\", \"arguments\": {";
    let cut = |at: u32| {
        let values = Values::default().with("bytes", raw.len());
        Event::from(SpeechCut { seat: DM, call: CallId(1), rule: CutRule::CallText, at, values })
    };
    let (next, events) = says(turn_of(DM, |_| {}), raw, &[(UPDATE, &arguments)]);
    let decided = accepted(1, 0, UPDATE, &arguments);
    assert_eq!((next, events), (ASKED_AGAIN, vec![cut(0), decided.clone(), changed.clone()]));
    let told = format!("It grows cold.\n\n{raw}");
    let (next, events) = says(turn_of(DM, |_| {}), &told, &[(UPDATE, &arguments)]);
    let words = said(DM, Channel::Main, Audience::All, 0, 14);
    assert_eq!(events, [words, cut(16), decided, changed]);
    assert_eq!(next, Next::EndTurn(TurnEnd::Spoken), "it has told, and only writes down");
}

#[test]
fn a_model_that_is_asked_for_words_alone_and_writes_calls_in_vain_has_had_its_turn() {
    let (arguments, changed) = scene("Fog.");
    let wish = [("grant_wish", "{}")];
    let three = || turn_of(DM, |_| {}).replied(1, "", &wish).replied(2, "", &wish);
    let mut given = three().wrote(3, &wish);
    assert_eq!([comes(&mut given, 1).0, comes(&mut given, 2).0], [ASKED_AGAIN, ASKED_AGAIN]);
    let (next, events) = comes(&mut given, 3);
    assert_eq!(next, Next::EndTurn(TurnEnd::Unusable));
    let [Event::ReplyRejected(word)] = events.as_slice() else { panic!("no tool was offered: {events:?}") };
    assert_eq!(word.rule, "words_wanted");
    let mut given = three().wrote(3, &[(UPDATE, &arguments)]);
    comes(&mut given, 1);
    comes(&mut given, 2);
    let fog = (ASKED_AGAIN, vec![accepted(3, 0, UPDATE, &arguments), changed]);
    assert_eq!(comes(&mut given, 3), fog, "what does something is done");
}

#[test]
fn after_too_many_replies_of_no_use_the_turn_is_over() {
    let mut given = turn_of(DM, |limits| limits.unusable_replies_max = 2);
    let rejected = vec![unusable("unreadable_reply")];
    assert_eq!(comes(&mut given, 1), (ASKED_AGAIN, rejected.clone()));
    assert_eq!(comes(&mut given, 1), (ASKED_AGAIN, rejected.clone()));
    assert_eq!(comes(&mut given, 1), (Next::EndTurn(TurnEnd::Unusable), rejected));
}

#[test]
fn a_reply_of_no_use_in_the_last_round_ends_the_turn() {
    let rounds =
        |replies| turn_of(DM, |limits| limits.tool_rounds_max = 3).charged(replies, Usage::default());
    assert_eq!(comes(&mut rounds(2), 1).0, ASKED_AGAIN);
    assert_eq!(comes(&mut rounds(3), 1).0, Next::EndTurn(TurnEnd::Unusable));
}

#[test]
fn an_accepted_tool_call_does_what_it_says_after_the_words() {
    let (arguments, changed) = scene("Fog.");
    let (next, events) = says(turn_of(DM, |_| {}), "It grows cold.", &[(UPDATE, &arguments)]);
    let words = said(DM, Channel::Main, Audience::All, 0, 14);
    assert_eq!(events, [words, accepted(1, 0, UPDATE, &arguments), changed.clone()]);
    assert_eq!(next, Next::EndTurn(TurnEnd::Spoken), "it has told, and only writes down");
    let (next, events) = says(turn_of(DM, |_| {}), "", &[(UPDATE, &arguments)]);
    assert_eq!((next, events), (ASKED_AGAIN, vec![accepted(1, 0, UPDATE, &arguments), changed]));
    let roll = r#"{"dice":"2d6","reason":"the wind"}"#;
    let asks = says(turn_of(DM, |_| {}), "It grows cold.", &[(UPDATE, &arguments), ("roll_dice", roll)]).0;
    assert_eq!(asks, ASKED_AGAIN, "it wants to know what the dice show");
}

#[test]
fn a_tool_is_known_with_the_word_for_it_before_its_name() {
    let (arguments, changed) = scene("Fog.");
    for before in ["function_", "functions.", "default_api."] {
        let written = format!("{before}{UPDATE}");
        let (next, events) = says(turn_of(DM, |_| {}), "", &[(&written, &arguments)]);
        let Event::ToolAccepted(word) = &events[0] else { panic!("{events:?}") };
        assert_eq!((word.tool.as_str(), word.fingerprint), (UPDATE, fingerprint(&written, &arguments)));
        assert_eq!((next, &events[1..]), (ASKED_AGAIN, &[changed.clone()][..]));
    }
    for other in ["function_grant_wish", "my_update_scene"] {
        let (_, events) = says(turn_of(DM, |_| {}), "", &[(other, &arguments)]);
        let [Event::ToolRejected(word)] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!((word.tool.as_str(), word.rule.as_str()), (other, "unknown_tool"));
    }
}

#[test]
fn nothing_ends_without_a_word_but_for_a_model_that_has_none() {
    let resolve = r#"{"encounterId":"the-landing-stage","outcomeId":"boat-back-in-time","summary":"Back.","because":[1]}"#;
    let calls = [("encounter_resolve", resolve)];
    let [(next, events), again] = says_twice(turn_of_the_dm(), "", &calls);
    let [Event::ToolRejected(word)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((next, word.rule.as_str()), (ASKED_AGAIN, "nothing_told"));
    assert_eq!((again.0, again.1.len()), (Next::EndTurn(TurnEnd::Tool), 3), "{again:?}");
    let (next, events) = says(turn_of_the_dm(), "It bumps against the stage.", &calls);
    assert_eq!((next, events.len()), (Next::EndTurn(TurnEnd::Tool), 4), "{events:?}");
}

#[test]
fn a_person_who_is_shown_no_labels_need_not_cite_any() {
    let resolve = r#"{"encounterId":"the-landing-stage","outcomeId":"boat-back-in-time","summary":"Back."}"#;
    let person = SeatTaken { seat: DM, person: "Ada".into() };
    let (next, events) =
        says(turn_of(DM, |_| {}).and([person.into()]), "It is.", &[("encounter_resolve", resolve)]);
    assert_eq!(next, Next::EndTurn(TurnEnd::Tool), "{events:?}");
    assert!(events.iter().any(|event| matches!(event, Event::EvidenceCited(word) if !word.supported)));
}

#[test]
fn what_is_ended_without_evidence_is_asked_for_it_once() {
    let because = |because: &str| {
        let known = r#""encounterId":"the-landing-stage","outcomeId":"boat-back-in-time","summary":"Back.""#;
        format!("{{{known},\"because\":{because}}}")
    };
    let cited = |events: &[Event]| {
        let word = events.iter().find_map(|event| match event {
            Event::EvidenceCited(word) => Some(word),
            _ => None,
        });
        word.map(|word| (word.evidence.iter().map(|one| one.label).collect::<Vec<_>>(), word.supported))
    };
    for (labels, first, second) in [
        ("[1]", Some((vec![1], true)), None),
        ("\"#1\"", Some((vec![1], true)), None),
        ("[]", None, Some((vec![], false))),
        ("[1, 77]", None, Some((vec![1], false))),
    ] {
        let arguments = because(labels);
        let calls = [("encounter_resolve", arguments.as_str())];
        let [(_, events), (_, again)] = says_twice(turn_of_the_dm(), "It is back.", &calls);
        assert_eq!(cited(&events), first, "{labels}: {events:?}");
        if first.is_none() {
            let Some(Event::ToolRejected(word)) = events.last() else { panic!("{events:?}") };
            assert_eq!(word.rule, "evidence_missing");
            assert_eq!(cited(&again), second, "{labels}: {again:?}");
        }
    }
}

#[test]
fn a_tool_that_its_own_rule_refuses_changes_nothing_and_the_seat_goes_on() {
    let (next, events) = says(turn_of(DM, |_| {}), "", &[(UPDATE, "{}")]);
    assert_eq!(events, [rejected(1, 0, UPDATE, "{}", "nothing_to_update", Values::default())]);
    assert_eq!(next, ASKED_AGAIN);
}

#[test]
fn a_tool_that_is_not_offered_and_one_that_does_not_exist_are_refused_with_those_on_offer() {
    let refused = |seat, tool: &str| {
        let (_, events) = says(turn_of(seat, |_| {}), "", &[(tool, "{}")]);
        events
    };
    let values = |tool: &str, seat: &str, offered: &str| {
        let values = Values::default().with("tool", tool).with("seat", seat);
        values.with("mode", "play").with("offered", offered)
    };
    let seen = values(UPDATE, "Player 1", "ability_check");
    assert_eq!(refused(FIRST, UPDATE), [rejected(1, 0, UPDATE, "{}", "not_offered", seen)]);
    let of_the_dm = "ability_check, update_scene, update_character, record_event, record_quest, record_met, update_party_document, goal_register, encounter_resolve, start_dialogue";
    let seen = values("roll_dice", "DM", of_the_dm);
    let beyond_the_encounter = rejected(1, 0, "roll_dice", "{}", "not_offered", seen);
    assert_eq!(refused(DM, "roll_dice"), [beyond_the_encounter]);
    let seen = values("grant_wish", "DM", of_the_dm);
    assert_eq!(refused(DM, "grant_wish"), [rejected(1, 0, "grant_wish", "{}", "unknown_tool", seen)]);
}

#[test]
fn a_tool_that_does_not_exist_is_refused_with_those_on_offer_once_and_then_as_a_repetition() {
    let wish = [("grant_wish", "{}")];
    let mut given = turn_of(DM, |_| {}).replied(1, "", &wish).replied(2, "", &wish);
    let rules = |events: Vec<Event>| -> Vec<String> {
        let rule = |event: &Event| match event {
            Event::ToolRejected(word) => word.rule.clone(),
            other => panic!("{other:?}"),
        };
        events.iter().map(rule).collect()
    };
    assert_eq!(rules(comes(&mut given, 1).1), ["unknown_tool"]);
    assert!(!given.state().wants_words());
    let again = comes(&mut given, 2).1;
    let values = Values::default().with("accepted", "");
    assert_eq!(again, [rejected(2, 0, "grant_wish", "{}", "repeated_call", values)]);
    assert!(given.state().wants_words(), "the rest of the turn is words");
}

#[test]
fn who_has_repeated_a_look_up_is_asked_for_words_after_the_first_one_of_a_later_turn() {
    let page = [("lookup_rules", "{\"path\":\"classes/warden\"}")];
    let looks = |given: Given| given.replied(1, "", &page).replied(2, "", &page).replied(3, "", &page);
    let mut given = looks(with_all_tools(DM));
    comes(&mut given, 1);
    assert!(!given.state().wants_words(), "another page may be wanted");
    comes(&mut given, 2);
    assert!(given.state().wants_words());
    let mut given = given.and([TurnBegan { turn: 9, seat: DM }.into()]);
    assert!(!given.state().wants_words(), "another turn");
    comes(&mut given, 3);
    assert!(given.state().wants_words());
    let mut given = given.and([TurnBegan { turn: 10, seat: FIRST }.into()]).replied(4, "", &page);
    comes(&mut given, 4);
    assert!(!given.state().wants_words(), "another seat");
    // A person who does so says nothing of the model that plays after them.
    let sits = SeatTaken { seat: DM, person: "Robin".into() };
    let mut given = looks(with_all_tools(DM).and([sits.into()]));
    comes(&mut given, 1);
    comes(&mut given, 2);
    let mut given = given.and([SeatReleased { seat: DM }.into(), TurnBegan { turn: 9, seat: DM }.into()]);
    comes(&mut given, 3);
    assert!(!given.state().wants_words());
}

#[test]
fn a_player_who_has_repeated_a_check_is_asked_for_words_after_the_one_of_a_later_turn() {
    let roll = "{\"character\":\"Bettany\",\"check\":\"follow the bent reeds\",\"reason\":\"to see\"}";
    let check = [("ability_check", roll)];
    let mut given =
        turn_of(FIRST, |_| {}).replied(1, "", &check).replied(2, "", &check).replied(3, "", &check);
    comes(&mut given, 1);
    assert!(!given.state().wants_words(), "something may be used as well");
    comes(&mut given, 2);
    assert!(given.state().wants_words());
    let mut given = given
        .and([TurnBegan { turn: 8, seat: DM }.into(), TurnEnded { turn: 8, why: TurnEnd::Spoken }.into()])
        .and([TurnBegan { turn: 9, seat: FIRST }.into()]);
    assert!(!given.state().wants_words(), "another turn");
    comes(&mut given, 3);
    assert!(given.state().wants_words());
}

#[test]
fn the_name_of_a_tool_that_a_model_made_up_is_kept_short() {
    let long = "é".repeat(60);
    let (_, events) = says(turn_of(DM, |_| {}), "", &[(&long, "{}")]);
    let [Event::ToolRejected(word)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((word.tool.as_str(), word.fingerprint), ("é".repeat(32).as_str(), fingerprint(&long, "{}")));
}

fn repeated(call: u32, index: u16, tool: &str, arguments: &str) -> Event {
    let values = Values::default().with("accepted", "true");
    rejected(call, index, tool, arguments, "repeated_call", values)
}

#[test]
fn the_same_change_twice_in_one_reply_adds_up_and_in_the_next_one_it_is_a_repetition() {
    const GIFT: &str = "update_character";
    let five = "{\"character\":\"Bettany Oake\",\"gold_delta\":5}";
    let mut given =
        turn_of(DM, |_| {}).replied(1, "", &[(GIFT, five), (GIFT, five)]).replied(2, "", &[(GIFT, five)]);
    let gold = |now| {
        let character = "Bettany Oake".into();
        Event::from(GoldChanged { character, asked: 5, applied: 5, now })
    };
    let twice = [accepted(1, 0, GIFT, five), gold(20), accepted(1, 1, GIFT, five), gold(25)];
    assert_eq!(comes(&mut given, 1).1, twice);
    assert_eq!(comes(&mut given, 2).1, [repeated(2, 0, GIFT, five)]);
    let mut given = given.and([began(DM)]);
    assert_eq!(comes(&mut given, 2).1, [accepted(2, 0, GIFT, five), gold(30)], "in another turn it is meant");
}

#[test]
fn dice_are_not_thrown_until_they_please() {
    let roll = ("roll_dice", "{\"dice\":\"d20\",\"reason\":\"luck\"}");
    let spaced = ("roll_dice", "{ \"dice\": \"d20\", \"reason\": \"luck\" }");
    let (_, events) = says(with_all_tools(DM), "", &[roll, roll, spaced]);
    let [first, Event::DiceRolled(_), again @ ..] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(*first, accepted(1, 0, roll.0, roll.1));
    assert_eq!(again, [repeated(1, 1, roll.0, roll.1), repeated(1, 2, roll.0, roll.1)]);
}

#[test]
fn a_thousand_tool_calls_in_one_reply_are_refused_once_for_all() {
    let given = turn_of(DM, |limits| limits.tool_calls_per_reply_max = 2);
    let changes: Vec<(String, Event)> = (0..1_000).map(|number| scene(&number.to_string())).collect();
    let calls: Vec<(&str, &str)> = changes.iter().map(|(call, _)| (UPDATE, call.as_str())).collect();
    let (next, events) = says(given, "", &calls);
    let most = Values::default().with("most", 2);
    let third = rejected(1, 2, UPDATE, calls[2].1, "tool_calls_per_reply_max", most);
    let accepted = |place: u16| accepted(1, place, UPDATE, calls[usize::from(place)].1);
    let [(_, first), (_, second), ..] = changes.as_slice() else { panic!("there are a thousand") };
    assert_eq!(events, [accepted(0), first.clone(), accepted(1), second.clone(), third]);
    assert_eq!(next, ASKED_AGAIN);
}

#[test]
fn a_call_for_which_a_reply_had_no_room_may_be_made_in_the_next_one() {
    let given = turn_of(DM, |limits| limits.tool_calls_per_reply_max = 1);
    let [(first, _), (second, event)] = [scene("Fog."), scene("Rain.")];
    let mut given = given.replied(1, "", &[(UPDATE, &first), (UPDATE, &second)]);
    comes(&mut given, 1);
    let mut given = given.replied(2, "", &[(UPDATE, &second)]);
    assert_eq!(comes(&mut given, 2), (ASKED_AGAIN, vec![accepted(2, 0, UPDATE, &second), event]));
}

#[test]
fn after_its_last_round_of_tools_a_turn_is_over() {
    let (change, _) = scene("Fog.");
    let after = |replies| {
        let given = turn_of(DM, |limits| limits.tool_rounds_max = 3).charged(replies, Usage::default());
        says(given, "", &[(UPDATE, &change)]).0
    };
    assert_eq!(after(2), ASKED_AGAIN);
    assert_eq!(after(3), Next::EndTurn(TurnEnd::RoundLimit));
}

#[test]
fn a_tool_that_ends_the_turn_ends_it_whatever_else_the_reply_calls() {
    let resolve = |summary: &str| {
        format!(
            "{{\"encounterId\":\"the-landing-stage\",\"outcomeId\":\"boat-back-in-time\",\"summary\":{summary:?},\"because\":[1]}}"
        )
    };
    let (once, again) = (resolve("It is back."), resolve("Again."));
    let (tool, ends) = ("encounter_resolve", Next::EndTurn(TurnEnd::Tool));
    let (next, events) = says(turn_of_the_dm(), "Ah.", &[(tool, &once), (tool, &again)]);
    let names: Vec<&str> = events.iter().map(Event::name).collect();
    let all = vec!["MessageSpoken", "ToolAccepted", "EvidenceCited", "EncounterResolved", "ToolRejected"];
    assert_eq!((next, names), (ends, all));
    let Some(Event::ToolRejected(word)) = events.last() else { panic!("{events:?}") };
    assert_eq!((word.rule.as_str(), word.index), ("not_offered", 1), "what is over is not ended twice");
    let (change, _) = scene("Fog.");
    assert_eq!(says(turn_of_the_dm(), "Ah.", &[(UPDATE, &change), (tool, &once)]).0, ends);
}

#[test]
fn a_refused_tool_that_would_end_the_turn_does_not() {
    assert_eq!(says(turn_of(DM, |_| {}), "", &[("encounter_resolve", "{}")]).0, ASKED_AGAIN);
}

#[test]
fn nothing_of_a_reply_is_done_after_the_words_that_close_a_phase() {
    let pitches = [FIRST, Seat::Player(2)].map(|seat| spoken(seat, Channel::SessionZero, "I am Odo."));
    let before = given([PhaseBegan { phase: Phase::Pitch }.into()]).and(pitches).and([began(DM)]);
    let (next, events) = says(before, "PITCH COMPLETE", &[("lookup_rules", "{\"path\":\"classes/warden\"}")]);
    let words = said(DM, Channel::SessionZero, Audience::All, 0, 14);
    let closed = PhaseClosed { phase: Phase::Pitch, by: ClosedBy::Marker, rounds: 1 }.into();
    assert_eq!(events, [words, closed, PhaseBegan { phase: Phase::Converge }.into()]);
    assert_eq!(next, Next::EndTurn(TurnEnd::Spoken));
}

#[test]
fn what_the_memory_seat_writes_is_not_spoken() {
    let mut given = turn_of(FIRST, |_| {}).replied(1, "They listened.", &[]);
    let pending = pending(1, Seat::Memory, Purpose::Summary { from: 0, to: 1 });
    let (next, events) = given.when(|table| reply::replied(table, &pending, CallId(1)));
    let text = Text::Reply { call: CallId(1), start: 0, end: 14 };
    assert_eq!(events, [SummaryWritten { from: 0, to: 1, text, fallback: false }.into()]);
    assert_eq!(next, Next::CloseTurn);
}

#[test]
fn a_copied_reply_in_play_still_makes_its_calls() {
    let ending = given_with(|_| {}, in_play()).state().encounter_spec().unwrap().goals[0].ending.clone();
    let model = |setup: &mut twicetold_world::setup::Setup| {
        setup.encounters[0].allowed_tools.clear();
        setup.seats.seat.values_mut().for_each(|seat| seat.protocol = "chat-completions".into());
    };
    let before = || given_by(model, in_play()).and(turn(1, FIRST, "I listen.")).and([began(DM)]);
    // The author's ending is to be told as it stands.
    let (next, events) = says(before(), &ending, &[]);
    assert_eq!(next, Next::EndTurn(TurnEnd::Spoken), "{events:?}");
    assert!(matches!(events.as_slice(), [Event::MessageSpoken(_)]), "{events:?}");
    // What is told beside the story is not recited, and the call beside it counts.
    let given = before();
    let goal = given.state().encounter_spec().unwrap().goals[0].clone();
    let record =
        format!("goal: {} | primary | needs={} | label={}", goal.id, goal.needs.join("; "), goal.label);
    let (arguments, changed) = scene("On the planks");
    let (_, events) = says(given, &record, &[(UPDATE, &arguments)]);
    assert!(events.contains(&changed), "{events:?}");
    let is_cut = |event: &Event| matches!(event, Event::SpeechCut(cut) if cut.rule == CutRule::Copied);
    let is_said = |event: &Event| matches!(event, Event::MessageSpoken(_));
    assert!(events.iter().any(is_cut) && !events.iter().any(is_said), "{events:?}");
    assert!(
        matches!(says(before(), &record, &[]).1.as_slice(), [Event::ReplyRejected(_)]),
        "without a call it says nothing"
    );
}

#[test]
fn a_tool_is_known_in_other_letters_and_its_arguments_in_other_forms() {
    let (_, changed) = scene("On the planks");
    for (tool, arguments) in [
        ("updateScene", r#"{"scene": "On the planks"}"#),
        ("update-scene", r#"{"Scene": "On the planks", "note": ""}"#),
        ("functions.update_scene", r#"{"arguments": {"scene": "On the planks"}}"#),
    ] {
        let (_, events) = says(with_all_tools(DM), "", &[(tool, arguments)]);
        assert!(events.contains(&changed), "{tool} {arguments}: {events:?}");
    }
}
