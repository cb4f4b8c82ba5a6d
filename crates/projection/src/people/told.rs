//! The transcript as one seat may know it: for a person who plays, and must not read what their character cannot know.

use twicetold_event::{Entry, Event, Seat, TurnEnd};
use twicetold_world::{Remembered, State};

use super::transcript::line;
use super::words::{advice, observed};
use super::{Line, LineKind};
use crate::{Replies, describe, words};

/// The lines of an entry as `seat` may know them, given the state after it. `own` says that the entry answers that very seat:
/// rejections, and tool results, are their caller's affair.
pub fn heard(state: &State, replies: &dyn Replies, entry: &Entry, seat: Seat, own: bool) -> Vec<Line> {
    let told = |(number, event): (twicetold_event::Number, &Event)| {
        let (kind, speaker, text) = told(state, replies, event, seat, own)?;
        Some(Line { number: number.0, kind, speaker, text })
    };
    entry.numbered().filter_map(told).collect()
}

/// The last lines that `seat` knows, with at most `messages` messages among them: for whoever sits down in the middle.
pub fn recent(state: &State, replies: &dyn Replies, seat: Seat, messages: usize) -> Vec<Line> {
    let history = state.history();
    let main = if history.main.is_empty() { &history.session_zero } else { &history.main };
    let dialogue = state.dialogue().and_then(|open| state.npcs().get(&open.npc));
    let mut kept: Vec<&Remembered> =
        main.iter().chain(dialogue.into_iter().flat_map(|npc| &npc.history.kept)).collect();
    kept.sort_by_key(|kept| kept.origin);
    let line = |kept: &Remembered| {
        let (kind, speaker, text) = told(state, replies, &kept.event, seat, kept.seat == Some(seat))?;
        Some(Line { number: kept.origin.0.0, kind, speaker, text })
    };
    let mut lines: Vec<Line> = kept.into_iter().filter_map(line).collect();
    let spoken = lines.iter().enumerate().rev().filter(|(_, line)| line.kind == LineKind::Speech);
    let from = spoken.map(|(place, _)| place).nth(messages.saturating_sub(1)).unwrap_or(0);
    lines.drain(..from);
    lines
}

fn told(
    state: &State,
    replies: &dyn Replies,
    event: &Event,
    seat: Seat,
    own: bool,
) -> Option<(LineKind, String, String)> {
    let plain = |kind: LineKind, text: String| Some((kind, String::new(), text));
    if let Event::EncounterBegan(_) = event {
        // What the seed drew for it is the DM's; that it begins is not.
        return line(state, replies, event);
    }
    if !event.audience().includes(seat) {
        return None;
    }
    match event {
        Event::MessageSpoken(word) => {
            let (kind, speaker, text) = line(state, replies, event)?;
            let whole = seat == Seat::Dm || seat == word.seat;
            let text = if whole { text } else { without_artefacts(&text) };
            (!text.is_empty()).then_some((kind, speaker, text))
        }
        Event::ToolRejected(word) if own => plain(
            LineKind::Trouble,
            format!(
                "{} rejected ({}): {}. {}.",
                word.tool,
                word.rule,
                observed(&word.rule, &word.values),
                sentence(&advice(&word.rule, &word.values))
            ),
        ),
        Event::ToolAccepted(word) if own && word.effects == 0 => plain(LineKind::Effect, "done".into()),
        Event::RulesLookedUp(_)
        | Event::RulesSearched(_)
        | Event::MemoryQueried(_)
        | Event::CampaignQueried(_)
            if own =>
        {
            plain(LineKind::Effect, describe(state, replies, event)?)
        }
        Event::ReplyRejected(_) if own => line(state, replies, event),
        Event::TurnEnded(word) if own && word.why == TurnEnd::RoundLimit => {
            let most = state.setup().limits.tool_rounds_max;
            plain(LineKind::Note, format!("The turn is over: tools were used {most} times in it."))
        }
        Event::ToolRejected(_)
        | Event::ToolAccepted(_)
        | Event::RulesLookedUp(_)
        | Event::RulesSearched(_)
        | Event::MemoryQueried(_)
        | Event::CampaignQueried(_)
        | Event::ReplyRejected(_) => None,
        Event::SpeechCut(word) if word.seat != seat => None,
        Event::MarkerIgnored(word) if word.seat != seat => None,
        Event::ScenarioSet(word) => {
            plain(LineKind::Effect, format!("[scenario] {}", words(replies, &word.public).trim()))
        }
        // The label of the goal stays hidden until somebody looks back at the campaign.
        Event::EncounterResolved(word) if seat != Seat::Dm => {
            plain(LineKind::Goal, format!("The encounter is over. {}", word.summary))
        }
        _ => line(state, replies, event),
    }
}

/// Advice begins in lower case where a model reads it in the middle of a line.
fn sentence(advice: &str) -> String {
    let mut letters = advice.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str().trim_end_matches('.')
}

/// A message of Session Zero without the blocks that it brings: a scenario has a part for the DM alone, a party document and a
/// sheet have secrets. What of them is for everybody has lines and pages of its own.
fn without_artefacts(text: &str) -> String {
    const BLOCKS: [&str; 4] = ["SCENARIO", "PARTY_DOCUMENT", "CHARACTER", "DM_ONLY"];
    let mut kept = String::new();
    let mut rest = text;
    while let Some((start, end, name)) = next_tag(rest, &BLOCKS) {
        kept += rest[..start].trim_end_matches(['*', '_', '`', '#', ' ']);
        let after = &rest[end..];
        // Without an end tag nobody knows where the secret ends: nothing after it is shown.
        rest = closing_tag(after, name).map_or("", |end| after[end..].trim_start_matches(['*', '_', '`']));
    }
    kept += rest;
    // Where a block stood there is now one gap, not two.
    while kept.contains("\n\n\n") {
        kept = kept.replace("\n\n\n", "\n\n");
    }
    kept.trim().to_owned()
}

/// The first opening or stray closing tag of one of these blocks: where it starts, where it ends, and its name.
fn next_tag<'a>(text: &str, names: &[&'a str]) -> Option<(usize, usize, &'a str)> {
    text.match_indices('[').find_map(|(open, _)| {
        let close = text[open..].find(']')?;
        let name = tag_name(&text[open + 1..open + close]);
        let found = names.iter().find(|known| name.eq_ignore_ascii_case(known))?;
        Some((open, open + close + 1, *found))
    })
}

/// The end of the closing tag of a block.
fn closing_tag(text: &str, name: &str) -> Option<usize> {
    text.match_indices('[').find_map(|(open, _)| {
        let close = text[open..].find(']')?;
        let inner = tag_name(&text[open + 1..open + close]);
        let inner = inner.strip_prefix('/')?.trim_start_matches('_');
        inner.eq_ignore_ascii_case(name).then_some(open + close + 1)
    })
}

fn tag_name(inner: &str) -> String {
    inner.trim().trim_matches(['*', '_', '`']).trim().replace([' ', '-'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_left_out_however_their_tags_are_written() {
        for text in [
            "Mine: [CHARACTER]\nName: A\nSecret: s\n[/CHARACTER] Done.",
            "Mine: **[character]** Secret: s **[/ Character]** Done.",
            "Mine: [DM ONLY] s [/DM-only] Done.",
            "Mine: [SCENARIO]a [DM ONLY] s [/DM ONLY] b[/SCENARIO] Done.",
        ] {
            let shown = without_artefacts(text);
            assert!(shown.starts_with("Mine:") && shown.ends_with("Done."), "{shown:?}");
            assert!(!shown.contains(" s") && !shown.contains('['), "{shown:?}");
        }
    }

    #[test]
    fn a_block_without_an_end_hides_the_rest() {
        assert_eq!(without_artefacts("Here.\n\n[PARTY_DOCUMENT]\nSecrets:\n- all"), "Here.");
        assert_eq!(without_artefacts("I go [slowly] on."), "I go [slowly] on.");
        assert_eq!(without_artefacts("A.\n\n[SCENARIO]\ns\n[/SCENARIO]\n\nB."), "A.\n\nB.");
    }
}
