//! The transcript as one seat may know it: for a person who plays, and must not read what their character cannot know.

use twicetold_event::family::{Calls, Encounter, Family, SessionZero, Speech, Table, Tools};
use twicetold_event::{Channel, Entry, Event, Seat, TurnEnd};
use twicetold_world::{Remembered, State};

use super::transcript::{line, without_blocks};
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
    if let Event::MessageSpoken(word) = event
        && word.channel == Channel::SessionZero
        && word.seat != seat
    {
        // What the blocks of others became is told by events of its own.
        let (kind, speaker, text) = line(state, replies, event)?;
        let text = without_blocks(state.setup().reading_of(word.seat), &text);
        return (!text.is_empty()).then_some((kind, speaker, text));
    }
    match event.family() {
        Family::Tools(word) => match word {
            Tools::ToolRejected(word) if own => {
                let observed = observed(&word.rule, &word.values);
                let advice = sentence(&advice(&word.rule, &word.values));
                let text = format!("{} rejected ({}): {observed}. {advice}.", word.tool, word.rule);
                plain(LineKind::Trouble, text)
            }
            Tools::ToolAccepted(word) if own && word.effects == 0 => plain(LineKind::Effect, "done".into()),
            Tools::RulesLookedUp(_)
            | Tools::RulesSearched(_)
            | Tools::MemoryQueried(_)
            | Tools::CampaignQueried(_)
                if own =>
            {
                plain(LineKind::Effect, describe(state, replies, event)?)
            }
            Tools::ToolRejected(_)
            | Tools::ToolAccepted(_)
            | Tools::MoveChosen(_)
            | Tools::EvidenceCited(_)
            | Tools::RulesLookedUp(_)
            | Tools::RulesSearched(_)
            | Tools::MemoryQueried(_)
            | Tools::CampaignQueried(_) => None,
            Tools::DiceRolled(_) | Tools::AbilityChecked(_) | Tools::ItemUsed(_) => {
                line(state, replies, event)
            }
        },
        Family::Table(Table::TurnEnded(word)) if own && word.why == TurnEnd::RoundLimit => {
            let most = state.setup().limits.tool_rounds_max;
            plain(LineKind::Note, format!("The turn is over: tools were used {most} times in it."))
        }
        Family::Calls(Calls::ReplyRejected(_)) if !own => None,
        Family::Speech(Speech::SpeechCut(word)) if word.seat != seat => None,
        Family::SessionZero(SessionZero::MarkerIgnored(word)) if word.seat != seat => None,
        Family::SessionZero(SessionZero::ScenarioSet(word)) => {
            plain(LineKind::Effect, format!("[scenario] {}", words(replies, &word.public).trim()))
        }
        // The label of the goal stays hidden until somebody looks back at the campaign.
        Family::Encounter(Encounter::EncounterResolved(word)) if seat != Seat::Dm => {
            plain(LineKind::Goal, format!("The encounter is over. {}", word.summary))
        }
        Family::Table(_)
        | Family::Calls(_)
        | Family::Speech(_)
        | Family::Dialogue(_)
        | Family::SessionZero(_)
        | Family::Encounter(_)
        | Family::Facts(_)
        | Family::Characters(_)
        | Family::People(_)
        | Family::Combat(_)
        | Family::Party(_)
        | Family::Foreign(_)
        | Family::Unknown(_) => line(state, replies, event),
    }
}

/// Advice begins in lower case where a model reads it in the middle of a line.
fn sentence(advice: &str) -> String {
    let mut letters = advice.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str().trim_end_matches('.')
}
