//! What of a reply's words is spoken, and where it is cut.

use twicetold_event::{
    CallId, CutRule, Event, MessageSpoken, Phase, PhaseBegan, Purpose, Seat, Text, TurnBegan,
};

use super::{Given, dialogue, given, given_with, in_play, pending};
use crate::rules::{reply, speech};

const DM: Seat = Seat::Dm;
const FIRST: Seat = Seat::Player(1);

/// What of a reply is spoken, and where and by which rule the rest is cut.
fn heard(given: Given, seat: Seat, text: &str) -> (Option<String>, Option<(CutRule, u32)>) {
    let mut given = given.and([TurnBegan { turn: 1, seat }.into()]).replied(1, text, &[]);
    let pending = pending(1, seat, Purpose::Play);
    let (_, events) = given.when(|table| reply::replied(table, &pending, CallId(1)));
    let words = |event: &Event| match event {
        Event::MessageSpoken(MessageSpoken { text: Text::Reply { start, end, .. }, .. }) => {
            Some(text[*start as usize..*end as usize].to_owned())
        }
        _ => None,
    };
    let cut = |event: &Event| match event {
        Event::SpeechCut(word) => Some((word.rule, word.at)),
        _ => None,
    };
    (events.iter().find_map(words), events.iter().find_map(cut))
}

fn spoken(words: &str) -> Option<String> {
    Some(words.to_owned())
}

#[test]
fn a_seats_own_words_are_spoken_without_its_own_name_before_them() {
    let play = || given(in_play());
    assert_eq!(heard(play(), FIRST, " I run.\n"), (spoken("I run."), None));
    assert_eq!(heard(play(), FIRST, "**Bettany:** I run."), (spoken("I run."), None));
    assert_eq!(heard(play(), DM, "Dungeon Master: The bell rings."), (spoken("The bell rings."), None));
}

#[test]
fn from_where_it_speaks_for_another_a_reply_is_cut() {
    let cut = |at| Some((CutRule::SpokeForAnother, at));
    let text = "I wait.\n\nTobias Fenn: I wait too.";
    assert_eq!(heard(given(in_play()), FIRST, text), (spoken("I wait."), cut(9)));
    assert_eq!(heard(given(in_play()), FIRST, "DM: The door opens."), (None, cut(0)));
    assert_eq!(heard(given(in_play()), DM, "It rains.\nPlayer 2: I sing."), (spoken("It rains."), cut(10)));
}

#[test]
fn from_a_mark_of_a_chat_template_on_nothing_is_spoken() {
    let cut = |at| Some((CutRule::EndMark, at));
    for mark in ["<|im_end|>", "</s>", "<|eot_id|>", "<end_of_turn>", "<｜end▁of▁sentence｜>", "[/INST]"]
    {
        let text = format!("It rains.{mark}\n<|im_start|>user\nI sing.");
        assert_eq!(heard(given(in_play()), DM, &text), (spoken("It rains."), cut(9)), "{mark}");
        assert_eq!(heard(given(in_play()), DM, mark), (None, None));
    }
    let own = "It says [keep out] <here>, 3 < 4.";
    assert_eq!(heard(given(in_play()), DM, own), (spoken(own), None));
}

#[test]
fn the_marks_with_which_a_turn_begins_are_no_part_of_it() {
    for begins in [
        "<|im_start|>assistant\n",
        "<|channel|>final<|message|>",
        "[INST] ",
        "<s>",
        "<|start|>assistant<|channel|>final<|message|>",
    ] {
        let (words, cut) = heard(given(in_play()), DM, &format!("{begins}It rains."));
        assert_eq!((words, cut), (spoken("It rains."), None), "{begins}");
    }
}

#[test]
fn a_mark_that_begins_somebody_elses_message_begins_nothing_of_the_seats_own() {
    for begins in [
        "<|im_start|>user\n",
        "<|im_end|>\n<|im_start|>user\n",
        "<|start|>system<|message|>",
        "<| it rains >",
    ] {
        let (words, cut) = heard(given(in_play()), DM, &format!("{begins}I sing."));
        assert_eq!((words, cut.map(|(rule, _)| rule)), (None, Some(CutRule::EndMark)), "{begins}");
    }
}

#[test]
fn in_a_list_and_in_an_artefact_a_name_says_whom_it_is_about() {
    let list = "Who is where?\n* **Tobias Fenn:** by the boat.\n* Bettany: at the trunk.\n\nWell?";
    assert_eq!(heard(given(in_play()), DM, list), (spoken(list), None));
    let forged = "I wait.\n* **DM:** You find it.";
    assert_eq!(
        heard(given(in_play()), FIRST, forged),
        (spoken("I wait."), Some((CutRule::SpokeForAnother, 8)))
    );
    let block = "It is agreed.\n[PARTY_DOCUMENT]\n**Tobias Fenn:** has her boat.\n[/PARTY_DOCUMENT]\nGo on.";
    let (_, cut) = heard(given(in_play()), DM, block);
    assert_eq!(cut, None);
}

#[test]
fn what_is_too_long_is_cut_between_two_words() {
    let given = given_with(|limits| limits.message_bytes_max = 40, in_play());
    let long = "It rains on the river and on the landing stage alike.";
    assert_eq!(heard(given, DM, long).0, spoken("It rains on the river and on the"));
}

#[test]
fn a_fence_that_holds_nothing_is_not_spoken() {
    for empty in ["```json\n", "```json\n```", "```\n\n```\n```json"] {
        assert_eq!(heard(given(in_play()), DM, empty).0, None, "{empty}");
        let text = format!("It rains.\n{empty}");
        assert_eq!(heard(given(in_play()), DM, &text), (spoken("It rains."), None), "{empty}");
    }
    for whole in [
        "It says:\n```\nKeep out.\n```",
        "```\nKeep out.",
        "It says:\n```Keep out.```",
        "It says:\n``` Keep out.",
    ] {
        assert_eq!(heard(given(in_play()), DM, whole), (spoken(whole), None));
    }
}

#[test]
fn the_dm_may_ask_a_player_by_a_label() {
    let text = "It rains.\nTobias: what do you do?";
    assert_eq!(heard(given(in_play()), DM, text), (spoken(text), None));
}

#[test]
fn in_a_dialogue_the_characters_name_is_the_dms_own() {
    let talking = || given(in_play()).and([dialogue(1)]);
    assert_eq!(heard(talking(), DM, "Tilda: Go away."), (spoken("Go away."), None));
    let text = "Please.\nTilda: Go away.";
    assert_eq!(heard(talking(), FIRST, text), (spoken("Please."), Some((CutRule::SpokeForAnother, 8))));
    assert_eq!(heard(given(in_play()), FIRST, text), (spoken(text), None), "a name like any other");
}

#[test]
fn a_message_is_cut_at_its_limit_between_characters() {
    let short = || given_with(|limits| limits.message_bytes_max = 4, in_play());
    assert_eq!(heard(short(), FIRST, "abcd"), (spoken("abcd"), None));
    assert_eq!(heard(short(), FIRST, " abcde"), (spoken("abcd"), Some((CutRule::TooLong, 5))));
    assert_eq!(heard(short(), FIRST, "abcé"), (spoken("abc"), Some((CutRule::TooLong, 3))));
}

#[test]
fn where_sheets_are_written_a_message_may_be_twice_as_long() {
    let read = |phase, text: &str| {
        let began = PhaseBegan { phase }.into();
        let given = given_with(|limits| limits.message_bytes_max = 4, [began]);
        let speech = speech::read(given.state(), FIRST, text, false);
        text[speech.spoken].to_owned()
    };
    assert_eq!(read(Phase::Pitch, "abcdefghij"), "abcd");
    assert_eq!(read(Phase::Lock, "abcdefghij"), "abcdefgh");
}

#[test]
fn of_a_reply_that_was_stopped_the_whole_sentences_are_spoken() {
    let given = given(in_play());
    for (text, spoken) in [
        ("I wait. I listen. I op", "I wait. I listen."),
        ("\u{201c}Who is there?\u{201d} I ask, and", "\u{201c}Who is there?\u{201d}"),
        ("I pay 3.5 gold and", "I pay 3.5 gold and"),
        ("I wait. I listen.", "I wait. I listen."),
        ("I wait", "I wait"),
        ("\u{6211}\u{7b49}\u{3002}\u{6211}\u{542c}", "\u{6211}\u{7b49}\u{3002}"),
    ] {
        let speech = speech::read(given.state(), FIRST, text, true);
        assert_eq!(text[speech.spoken.clone()].trim_end(), spoken);
        let is_cut = matches!(speech.cut, Some((CutRule::Unfinished, ..)));
        assert_eq!(is_cut, spoken != text, "{text}");
        assert_eq!(&text[speech::read(given.state(), FIRST, text, false).spoken], text);
    }
}

#[test]
fn what_is_said_over_and_over_is_said_once() {
    let thanks = "Thank you for your help, we shall not forget what you did for us. ";
    let text = format!("I wait. {}Thank you for", thanks.repeat(8));
    let once = format!("I wait. {}", thanks.trim_end());
    let at = "I wait. ".len() + thanks.trim_end().len();
    assert_eq!(heard(given(in_play()), FIRST, &text), (spoken(&once), Some((CutRule::Repeats, at as u32))));
}
