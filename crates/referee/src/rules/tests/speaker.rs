//! Who speaks after the DM, by each rule in its order.

use twicetold_event::{Channel, Phase, PhaseBegan, Seat, SpeakerRule, TurnBegan, TurnEnd, TurnEnded};

use super::{Given, dialogue, given, given_with, in_play, spoken, talk, turn};
use crate::rules::{speaker, turn as turns};

const DM: Seat = Seat::Dm;
const FIRST: Seat = Seat::Player(1);
const SECOND: Seat = Seat::Player(2);

/// Both players have spoken, Player 2 last; then the DM says this.
fn after(words: &str) -> Given {
    given(in_play())
        .and(turn(1, DM, "The bell rings."))
        .and(turn(2, FIRST, "I listen."))
        .and(turn(3, SECOND, "I wait."))
        .and(turn(4, DM, words))
}

fn next(mut given: Given) -> Option<(Seat, SpeakerRule)> {
    super::turn::chosen(&given.when(turns::next).1)
}

#[test]
fn whoever_is_asked_at_the_end_goes_before_whoever_is_addressed_at_the_beginning() {
    let chosen = |words| next(after(words));
    assert_eq!(
        chosen("Bettany, it is dark. Tobias, what do you do?"),
        Some((SECOND, SpeakerRule::AskedByName))
    );
    assert_eq!(chosen("Tobias, it is dark."), Some((SECOND, SpeakerRule::AddressedFirst)));
    assert_eq!(chosen("Player 2: it is dark."), Some((SECOND, SpeakerRule::AddressedFirst)));
    // Whom the last sentence addresses goes before whom the first does; where it names several, it addresses none.
    assert_eq!(
        chosen("Bettany, it is dark. Tobias, tell me what you do."),
        Some((SECOND, SpeakerRule::AddressedFirst))
    );
    assert_eq!(chosen("It is dark. Tobias, the door."), Some((SECOND, SpeakerRule::AddressedFirst)));
    assert_eq!(chosen("It is dark. Tobias, Bettany is waiting."), Some((FIRST, SpeakerRule::WaitedLongest)));
}

#[test]
fn where_sheets_are_agreed_on_nobody_is_asked_who_has_one_while_another_has_none() {
    let accepted = in_play();
    let chosen = |phase, sheets: usize| {
        let phase = PhaseBegan { phase }.into();
        let given = given([phase]).and(accepted.iter().take(sheets).cloned());
        let (seat, rule, _) = speaker::choose(given.state(), "Player 1, is that all?");
        (seat, rule)
    };
    assert_eq!(chosen(Phase::Lock, 1), (SECOND, SpeakerRule::WaitedLongest));
    for (phase, sheets) in [(Phase::Lock, 0), (Phase::Lock, 2), (Phase::Converge, 1)] {
        assert_eq!(chosen(phase, sheets), (FIRST, SpeakerRule::AskedByName), "{phase:?}, {sheets}");
    }
}

#[test]
fn the_only_name_in_bold_is_chosen_and_two_of_them_are_none() {
    let chosen = |words| next(after(words));
    assert_eq!(chosen("It falls to **Tobias Fenn** now."), Some((SECOND, SpeakerRule::OnlyNameInBold)));
    assert_eq!(chosen("**Tobias** or **Bettany** then."), Some((FIRST, SpeakerRule::WaitedLongest)));
}

#[test]
fn without_a_name_whoever_has_waited_longest_is_chosen() {
    assert_eq!(next(after("It is dark.")), Some((FIRST, SpeakerRule::WaitedLongest)));
    let fresh = given(in_play()).and(turn(1, DM, "It is dark."));
    assert_eq!(
        next(fresh),
        Some((FIRST, SpeakerRule::WaitedLongest)),
        "the first seat, where all waited alike"
    );
}

/// The second player has waited since the first turn, while the DM and the first player spoke up to a turn, the DM with these
/// words.
fn second_waits_until(last: u32, words: &str) -> Given {
    let given = given_with(|limits| limits.waiting_rounds_max = 1, in_play());
    let given = given.and(turn(1, SECOND, "I wait."));
    (2..=last).fold(given, |given, number| match number % 2 {
        0 => given.and(turn(number, DM, words)),
        _ => given.and(turn(number, FIRST, "I listen.")),
    })
}

#[test]
fn whoever_has_waited_too_long_goes_before_all_but_whoever_is_asked_by_name() {
    let after = |last, words| next(second_waits_until(last, words));
    assert_eq!(after(4, "Bettany, the door."), Some((FIRST, SpeakerRule::AddressedFirst)), "three turns");
    assert_eq!(after(6, "Bettany, the door."), Some((SECOND, SpeakerRule::Overdue)), "five turns");
    assert_eq!(after(6, "It falls to **Bettany** now."), Some((SECOND, SpeakerRule::Overdue)));
    assert_eq!(after(20, "Bettany, and you?"), Some((FIRST, SpeakerRule::AskedByName)));
}

#[test]
fn turns_of_a_private_dialogue_are_nobody_elses_waiting() {
    let apart = second_waits_until(2, "It is dark.").and([dialogue(1)]);
    let apart = (3..=12).fold(apart, |given, number| match number % 2 {
        0 => given.and(talk(number, DM, "Yes?")),
        _ => given.and(talk(number, FIRST, "Tell me.")),
    });
    assert_eq!(apart.state().waited(SECOND), 1, "since its own turn, the dialogue apart");
    assert!(apart.state().waited(FIRST) <= 1, "who is part of it speaks");
}

#[test]
fn a_seat_that_said_nothing_in_its_turn_has_had_it() {
    let mute = |number| {
        [
            TurnBegan { turn: number, seat: FIRST }.into(),
            TurnEnded { turn: number, why: TurnEnd::Unusable }.into(),
        ]
    };
    let given = given(in_play()).and(turn(1, SECOND, "I wait.")).and(mute(2)).and(turn(3, DM, "It is dark."));
    assert_eq!(next(given), Some((SECOND, SpeakerRule::WaitedLongest)));
}

#[test]
fn the_last_words_of_the_dm_are_those_of_its_turn_where_it_is_spoken_now() {
    let words = |mut given: Given| given.when(|table| speaker::last_words_of_the_dm(table)).0;
    let main = after("It is dark.").and([spoken(DM, Channel::Main, "And cold.")]);
    assert_eq!(words(main), "It is dark.\nAnd cold.");
    let apart = after("She looks up.").and([dialogue(1)]).and(talk(5, DM, "Yes?"));
    assert_eq!(words(apart), "Yes?");
}

#[test]
fn a_player_answers_to_its_seat_and_its_characters_names_the_longest_first() {
    let given = given(in_play());
    let names = speaker::names(given.state(), given.state().setup().reading_of(DM));
    let expected =
        [(FIRST, "Bettany Oake"), (SECOND, "Tobias Fenn"), (FIRST, "Player 1"), (SECOND, "Player 2")];
    let expected = expected.into_iter().chain([(FIRST, "Bettany"), (SECOND, "Tobias")]);
    assert_eq!(names, expected.map(|(seat, name)| (seat, name.to_owned())).collect::<Vec<_>>());
}
