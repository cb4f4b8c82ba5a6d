//! Who speaks after the DM: rules in order, the first that sees something decides.

use twicetold_event::{Event, Phase, Seat, SpeakerRule, Values};
use twicetold_projection::words;
use twicetold_world::State;
use twicetold_world::reading::Reading;

use crate::table::Table;

/// The next player, the rule, and what the rule saw. Where sheets are agreed on, whoever has one has nothing to answer while others have
/// none.
pub(super) fn choose(state: &State, message: &str) -> (Seat, SpeakerRule, Values) {
    let chosen = by_rule(state, message);
    if state.phase() != Phase::Lock || !state.characters().contains_key(&chosen.0) {
        return chosen;
    }
    let without = |seat: &Seat| !state.characters().contains_key(seat);
    let Some((seat, turns)) = longest_wait_of(state, without) else { return chosen };
    (seat, SpeakerRule::WaitedLongest, Values::default().with("turns", turns.to_string()))
}

fn by_rule(state: &State, message: &str) -> (Seat, SpeakerRule, Values) {
    let saw = |name: &str, value: String| Values::default().with(name, value);
    let mut names = names(state, state.setup().reading_of(Seat::Dm));
    names.retain(|(seat, _)| can_speak(state, *seat));
    if let Some((seat, sentence)) = asked(&names, message) {
        return (seat, SpeakerRule::AskedByName, saw("sentence", sentence));
    }
    let (longest_seat, longest) = longest_wait(state);
    if longest > state.wait_max() {
        return (longest_seat, SpeakerRule::Overdue, saw("turns", longest.to_string()));
    }
    if let Some((seat, sentence)) = addressed(&names, message) {
        return (seat, SpeakerRule::AddressedFirst, saw("sentence", sentence));
    }
    if let Some((seat, name)) = only_in_bold(&names, message) {
        return (seat, SpeakerRule::OnlyNameInBold, saw("name", name));
    }
    (longest_seat, SpeakerRule::WaitedLongest, saw("turns", longest.to_string()))
}

/// Can a player do anything now? Whoever is down is passed over.
fn can_speak(state: &State, seat: Seat) -> bool {
    state.phase() != Phase::Play || state.characters().get(&seat).is_none_or(|character| character.stands())
}

/// The player whom a message asks by name at its end, or addresses at its beginning.
pub(super) fn asked_or_addressed(state: &State, message: &str) -> Option<(Seat, String)> {
    let names = names(state, state.setup().reading_of(Seat::Dm));
    asked(&names, message).or_else(|| addressed(&names, message))
}

/// What the DM said in the last turn, in all its replies.
pub(super) fn last_words_of_the_dm(table: &Table<'_>) -> String {
    let turn = table.state().turn().number;
    let history = table.state().history();
    // Before a dialogue's first question, they stand where the DM let it begin.
    let dialogue = table.state().dialogue().filter(|dialogue| dialogue.exchanges > 0);
    let dialogue = dialogue.and_then(|dialogue| table.state().npcs().get(&dialogue.npc));
    let window = match (table.state().phase(), dialogue) {
        (Phase::Play, Some(npc)) => &npc.history.kept,
        (Phase::Play, None) => &history.main,
        _ => &history.session_zero,
    };
    let spoken = window.iter().rev().take_while(|kept| kept.turn == turn);
    let mut texts: Vec<&str> = spoken
        .filter_map(|kept| match &kept.event {
            Event::MessageSpoken(word) => Some(words(table.replies(), &word.text)),
            _ => None,
        })
        .collect();
    texts.reverse();
    texts.join("\n")
}

/// The player who has waited longest, the first seat of several, and for how many turns.
pub(super) fn longest_wait(state: &State) -> (Seat, u32) {
    longest_wait_of(state, |seat| can_speak(state, *seat)).unwrap_or((Seat::Player(1), 0))
}

fn longest_wait_of(state: &State, is_meant: impl Fn(&Seat) -> bool) -> Option<(Seat, u32)> {
    let waits = state.setup().players().filter(is_meant).map(|seat| (seat, state.waited(seat)));
    waits.max_by_key(|(seat, wait)| (*wait, std::cmp::Reverse(*seat)))
}

/// Every name that a player answers to, longest first.
pub(super) fn names(state: &State, reading: &Reading) -> Vec<(Seat, String)> {
    let mut names = Vec::new();
    for seat in state.setup().players() {
        names.extend(reading.names(seat).into_iter().map(|name| (seat, name)));
        if let Some(character) = state.characters().get(&seat) {
            names.push((seat, character.sheet.name.clone()));
            if character.first_name().chars().count() > 2 {
                names.push((seat, character.first_name().to_owned()));
            }
        }
    }
    names.sort_by_key(|(_, name)| std::cmp::Reverse(name.len()));
    names
}

/// The last question of the message, when it ends with one: whom does it name? A name before a comma is spoken to; other
/// names in the sentence are spoken of.
fn asked(names: &[(Seat, String)], message: &str) -> Option<(Seat, String)> {
    let sentences = sentences(message);
    let last = sentences.iter().rposition(|sentence| sentence.contains('?'))?;
    if sentences.len() - last > 3 {
        return None;
    }
    let question = sentences[last];
    let seat = spoken_to(names, question)
        .or_else(|| first_named(names, question))
        .or_else(|| last.checked_sub(1).and_then(|before| last_named(names, sentences[before])))?;
    Some((seat, question.trim().to_owned()))
}

fn spoken_to(names: &[(Seat, String)], sentence: &str) -> Option<Seat> {
    let calls = mentions(names, sentence).into_iter().filter(|(_, start, end)| {
        let after = sentence[*end..].trim_start_matches(['*', '_']);
        let before = sentence[..*start].trim_end_matches(['*', '_', '"', '“', ' ']);
        after.starts_with([',', ':', '—', '–'])
            || (before.ends_with(',') && after.trim_start().starts_with('?'))
    });
    calls.map(|(seat, ..)| seat).next()
}

fn first_named(names: &[(Seat, String)], sentence: &str) -> Option<Seat> {
    mentions(names, sentence).first().map(|(seat, ..)| *seat)
}

fn last_named(names: &[(Seat, String)], sentence: &str) -> Option<Seat> {
    mentions(names, sentence).last().map(|(seat, ..)| *seat)
}

/// Whom the last sentence addresses before all else, and nobody beside; else whom the message addresses so.
fn addressed(names: &[(Seat, String)], message: &str) -> Option<(Seat, String)> {
    let last = sentences(message).pop().filter(|sentence| {
        let mut seats: Vec<Seat> = mentions(names, sentence).into_iter().map(|(seat, ..)| seat).collect();
        seats.dedup();
        seats.len() == 1
    });
    let of = |text: &str| addressed_first(names, text).map(|seat| (seat, beginning(text)));
    last.and_then(of).or_else(|| of(message))
}

fn addressed_first(names: &[(Seat, String)], message: &str) -> Option<Seat> {
    let start = message.trim_start_matches(|c: char| c.is_whitespace() || "*_\"“".contains(c));
    let (seat, _, end) = mentions(names, start).into_iter().find(|(_, at, _)| *at == 0)?;
    let after = start[end..].trim_start_matches(['*', '_']);
    after.starts_with([',', ':', '—', '–', '!']).then_some(seat)
}

fn only_in_bold(names: &[(Seat, String)], message: &str) -> Option<(Seat, String)> {
    let bold: Vec<&str> = message.split("**").skip(1).step_by(2).collect();
    let mut named: Vec<(Seat, String)> = bold
        .iter()
        .flat_map(|text| mentions(names, text).into_iter().map(|(seat, ..)| (seat, (*text).to_owned())))
        .collect();
    named.dedup_by_key(|(seat, _)| *seat);
    match named.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// Where names stand in a text, in order; whole words, any case, the longest name at a place.
pub(super) fn mentions(names: &[(Seat, String)], text: &str) -> Vec<(Seat, usize, usize)> {
    let mut found: Vec<(Seat, usize, usize)> = Vec::new();
    for (seat, name) in names {
        let Some(first) = name.bytes().next() else { continue };
        // Most places are ruled out by one byte.
        let (small, large) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
        for start in memchr::memchr2_iter(small, large, text.as_bytes()) {
            let end = start + name.len();
            let Some(candidate) = text.get(start..end) else { continue };
            let whole = !text[..start].ends_with(char::is_alphanumeric)
                && !text[end..].starts_with(char::is_alphanumeric);
            let free = found.iter().all(|(_, from, to)| end <= *from || start >= *to);
            if whole && free && candidate.eq_ignore_ascii_case(name) {
                found.push((*seat, start, end));
            }
        }
    }
    found.sort_by_key(|(_, start, _)| *start);
    found
}

fn sentences(text: &str) -> Vec<&str> {
    text.split_inclusive(['.', '!', '?', '\n'])
        .filter(|sentence| sentence.chars().any(char::is_alphanumeric))
        .collect()
}

fn beginning(message: &str) -> String {
    message.trim().chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<(Seat, String)> {
        let name = |number, name: &str| (Seat::Player(number), name.to_owned());
        vec![
            name(1, "Player 1"),
            name(1, "Kira"),
            name(2, "Player 2"),
            name(2, "Marcus"),
            name(3, "Player 3"),
            name(3, "Ash"),
        ]
    }

    #[test]
    fn the_one_who_is_asked_is_not_the_one_who_is_spoken_of() {
        let asked = |text| asked(&names(), text).map(|(seat, _)| seat);
        assert_eq!(asked("Player 2, how does your character know Player 1's?"), Some(Seat::Player(2)));
        assert_eq!(asked("Kira nods. How do you answer her, Marcus?"), Some(Seat::Player(2)));
        assert_eq!(
            asked("Where is Ash? Nobody knows.\nThen the bell. Marcus: what do you do?"),
            Some(Seat::Player(2))
        );
        assert_eq!(asked("Marcus. What do you do?"), Some(Seat::Player(2)));
        assert_eq!(asked("Is Kira here? One. Two. Three. Four."), None);
    }

    #[test]
    fn a_name_inside_a_word_is_not_a_name() {
        assert!(mentions(&names(), "The ashes of Kirana").is_empty());
        assert_eq!(mentions(&names(), "ASH, Ash's and ash").len(), 3);
    }

    #[test]
    fn addressed_first_and_bold_come_after_the_question() {
        assert_eq!(addressed_first(&names(), "**Kira**, the door opens."), Some(Seat::Player(1)));
        assert_eq!(addressed_first(&names(), "Kira opens the door."), None);
        assert_eq!(only_in_bold(&names(), "Then **Ash** it is").map(|found| found.0), Some(Seat::Player(3)));
        assert_eq!(only_in_bold(&names(), "**Ash** or **Kira**"), None);
    }
}
