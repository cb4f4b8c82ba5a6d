//! What of a reply's words is spoken: the seat's own, within the limit, and nothing in another's name.

use std::ops::Range;

use twicetold_event::{Audience, Channel, CutRule, Event, Phase, Seat, Values};
use twicetold_model::{Plain, lines, repeats_from};
use twicetold_projection::prompt;
use twicetold_world::State;

use super::speaker;
use crate::table::Table;

/// The words that are spoken, and the first that are not.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Speech {
    pub(crate) spoken: Range<usize>,
    pub(crate) cut: Option<(CutRule, usize, Values)>,
}

impl Speech {
    /// The same, of words that stand behind so many bytes of the reply.
    pub(super) fn behind(self, bytes: usize) -> Speech {
        let spoken = self.spoken.start + bytes..self.spoken.end + bytes;
        Speech { spoken, cut: self.cut.map(|(rule, at, values)| (rule, at + bytes, values)) }
    }
}

/// Reads a reply's words as the speech of a seat. `is_stopped`: the model was stopped at its limit of tokens.
pub(super) fn read(state: &State, seat: Seat, text: &str, is_stopped: bool) -> Speech {
    let reading = state.setup().reading_of(seat);
    let mut names: Vec<(Seat, String)> = speaker::names(state, reading);
    names.extend(reading.names(Seat::Dm).into_iter().map(|name| (Seat::Dm, name)));
    // In a dialogue the DM's voice is the character's.
    if let Some(npc) = state.dialogue().and_then(|dialogue| state.npcs().get(&dialogue.npc)) {
        names.push((Seat::Dm, npc.name.clone()));
    }
    names.iter_mut().for_each(|(_, name)| *name = Plain::of(name).text.into_owned());
    let start = if state.is_person(seat) { 0 } else { prompt::behind_marks(text) };
    let start = start + own_words_from(&names, seat, &text[start..]);
    let most = state.setup().limits.message_bytes_max as usize;
    let mut end = start + without_empty_fences(&text[start..]).len();
    let mut cut = None;
    if let Some(mark) = prompt::mark_in(&text[start..end]).filter(|_| !state.is_person(seat)) {
        let at = start + mark;
        cut = Some((CutRule::EndMark, at, Values::default().with("bytes", end - at)));
        end = start + text[start..at].trim_end().len();
    }
    let artefacts = reading.blocks(&text[start..end]).unwrap_or_default();
    if let Some((at, name)) = another_voice(&names, seat, &text[start..end], artefacts) {
        let at = start + at;
        cut = Some((CutRule::SpokeForAnother, at, Values::default().with("name", name)));
        end = start + text[start..at].trim_end().len();
    }
    if let Some(repeated) = repeats_from(&text[start..end]) {
        let at = start + repeated;
        cut = Some((CutRule::Repeats, at, Values::default().with("bytes", end - at)));
        end = start + text[start..at].trim_end().len();
    }
    // Artefacts are long by nature, and are parsed from what is spoken.
    let most = if state.phase() == Phase::Lock { most * 2 } else { most };
    if end - start > most {
        let at = text.floor_char_boundary(start + most);
        // A word is not cut in two, where there are words.
        let at = text[start..at]
            .rfind(char::is_whitespace)
            .filter(|space| *space > most / 2)
            .map_or(at, |space| start + space);
        let length = Values::default().with("bytes", end - start).with("most", most);
        cut = Some((CutRule::TooLong, at, length));
        end = at;
    }
    if is_stopped
        && cut.is_none()
        && let Some(whole) = whole_sentences(&text[start..end])
    {
        let at = start + whole;
        cut = Some((CutRule::Unfinished, at, Values::default().with("bytes", end - at)));
        end = at;
    }
    Speech { spoken: start..end, cut }
}

/// Where words are spoken now, and who hears them.
pub(super) fn channel(table: &Table<'_>) -> (Channel, Audience) {
    match (table.state().phase(), table.state().dialogue()) {
        (Phase::Play, Some(dialogue)) => {
            let audience = Event::dialogue_audience(dialogue.joined.keys().copied());
            (Channel::Dialogue(dialogue.npc.clone()), audience)
        }
        (Phase::Play, None) => (Channel::Main, Audience::All),
        _ => (Channel::SessionZero, Audience::All),
    }
}

/// The text without fences at its end that hold nothing: a server that takes a call out of a reply leaves what was written around it.
fn without_empty_fences(text: &str) -> &str {
    let mut text = text.trim_end();
    let mut fences = text.lines().filter(|line| is_fence(line)).count();
    while let Some(last) = text.lines().next_back().filter(|line| is_fence(line)) {
        let before = text[..text.len() - last.len()].trim_end();
        let is_open = fences % 2 == 1;
        if !is_open && !before.lines().next_back().is_some_and(is_fence) {
            break;
        }
        text = before;
        fences -= 1;
    }
    text
}

/// Backticks and at most one word that names a language: whatever else stands in the line is said.
fn is_fence(line: &str) -> bool {
    let language = line.trim().trim_start_matches('`');
    line.trim().starts_with("```") && !language.contains(|c: char| c == '`' || c.is_whitespace())
}

/// Where the last whole sentence ends, when something stands behind it that is none.
fn whole_sentences(text: &str) -> Option<usize> {
    let marks: Vec<(usize, char)> = text.char_indices().collect();
    let is_closing = |c: char| matches!(c, '"' | '”' | '’' | '»' | '\'' | ')' | '*' | '_' | '」' | '』');
    let ends = marks.iter().enumerate().filter(|(_, (_, mark))| SENTENCE_ENDS.contains(mark));
    let mut whole = None;
    for (place, _) in ends {
        let after = &marks[place + 1..];
        let behind = after.iter().find(|(_, mark)| !is_closing(*mark) && !SENTENCE_ENDS.contains(mark));
        // A dot within a number or a name ends no sentence.
        match behind {
            None => return None,
            Some((at, mark)) if mark.is_whitespace() || marks[place].1 > '\u{3000}' => whole = Some(*at),
            Some(_) => {}
        }
    }
    whole
}

/// Where the name of a label is looked for: names have at most 80 bytes.
const LABEL_BYTES_MAX: usize = 80;

/// What ends a sentence.
const SENTENCE_ENDS: [char; 7] = ['.', '!', '?', '…', '。', '！', '？'];

/// Models like to begin with their own name: `Kira: "Wait."`. The name is no part of what they say.
fn own_words_from(names: &[(Seat, String)], seat: Seat, text: &str) -> usize {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let start = text.len() - text.trim_start().len();
    let plain = Plain::of(line);
    match label(names, &plain.text) {
        Some((labelled, after)) if labelled == seat => {
            let rest = &text[start + plain.place(after)..];
            text.len() - rest.trim_start().len()
        }
        _ => start,
    }
}

/// The first line that goes on in another's name, as it looks: what nobody sees hides no name. In an artefact, and in an item of a list
/// of the DM's, a name with a colon says whom it is about.
fn another_voice(
    names: &[(Seat, String)],
    seat: Seat,
    text: &str,
    artefacts: Range<usize>,
) -> Option<(usize, String)> {
    let mut at = 0;
    for line in lines(text) {
        let plain = Plain::of(line);
        let shown = plain.text.trim();
        let indent = plain.text.len() - plain.text.trim_start().len();
        if let Some((labelled, after)) = label(names, shown)
            && labelled != seat
            && !artefacts.contains(&at)
            && !(seat == Seat::Dm && ITEMS.iter().any(|item| shown.starts_with(item)))
            // A colon after a name at the end of a line introduces a list or a question: `Kira:` and a new line is a label too.
            && (after < shown.len() || shown.ends_with(':'))
            && !asks_by_label(seat, shown)
        {
            let name = shown.split(':').next().unwrap_or_default().trim_matches(['*', '_', ' ']).to_owned();
            return Some((at + plain.place(indent), name));
        }
        at += line.len();
    }
    None
}

/// What an item of a list begins with.
const ITEMS: [&str; 4] = ["* ", "- ", "+ ", "• "];

/// The DM may ask by label: `Kira: what do you do?` is a question to Kira and not her speech.
fn asks_by_label(seat: Seat, line: &str) -> bool {
    seat == Seat::Dm && line.trim_end().trim_end_matches(['*', '_', '"', '”']).ends_with('?')
}

/// A name with a colon at the start of a line, with or without markdown: whose, and where the words after it begin.
fn label(names: &[(Seat, String)], line: &str) -> Option<(Seat, usize)> {
    let start = line.len() - line.trim_start_matches(['*', '_', '#', ' ', '[']).len();
    let beginning = &line[start..line.floor_char_boundary(start + LABEL_BYTES_MAX)];
    let (seat, _, end) = speaker::mentions(names, beginning).into_iter().find(|(_, at, _)| *at == 0)?;
    let after = &line[start + end..];
    let trimmed = after.trim_start_matches(['*', '_', ']', ' ']);
    let colon = trimmed.strip_prefix(':')?;
    let words = colon.trim_start_matches(['*', '_', ' ']);
    Some((seat, line.len() - words.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<(Seat, String)> {
        vec![
            (Seat::Player(1), "Kira Ashford".into()),
            (Seat::Player(2), "Marcus".into()),
            (Seat::Player(1), "Kira".into()),
            (Seat::Dm, "DM".into()),
        ]
    }

    #[test]
    fn a_players_voice_puts_no_words_into_anothers_mouth() {
        let voice = |seat, text| another_voice(&names(), seat, text, 0..0);
        assert_eq!(voice(Seat::Player(1), "I wait.\nMarcus: \"I wait too.\""), Some((8, "Marcus".into())));
        assert_eq!(voice(Seat::Player(1), "I wait.\n**DM**: The door opens."), Some((8, "DM".into())));
        assert_eq!(voice(Seat::Player(1), "I say to Marcus: wait."), None);
        for hidden in [
            "\u{200b}Marcus: No.",
            "Marcus\u{200b}: No.",
            "Ｍａｒｃｕｓ： No.",
            "**Маrсus**\u{2060}: No.",
            "\u{202e}Marcus: No.",
        ] {
            let text = format!("I wait.\n{hidden}");
            let found = another_voice(&names(), Seat::Player(1), &text, 0..0);
            assert_eq!(
                found.map(|(at, name)| (at - 8 <= 3, name)),
                Some((true, "Marcus".into())),
                "{hidden:?}"
            );
        }
        assert_eq!(
            voice(Seat::Player(1), "I wait.\n\u{ff24}\u{ff2d}: The door opens."),
            Some((8, "DM".into()))
        );
        assert_eq!(voice(Seat::Dm, "The bell rings.\nKira: what do you do?"), None);
        assert_eq!(voice(Seat::Dm, "The bell rings.\nKira: I run!\n"), Some((16, "Kira".into())));
    }

    #[test]
    fn ones_own_name_at_the_front_is_not_spoken() {
        let from = |text: &str| text[own_words_from(&names(), Seat::Player(1), text)..].to_owned();
        assert_eq!(from("Kira: I run."), "I run.");
        assert_eq!(from("**Kira Ashford:** I run."), "I run.");
        assert_eq!(from("  I run."), "I run.");
        assert_eq!(from("Marcus: I run."), "Marcus: I run.");
    }
}
