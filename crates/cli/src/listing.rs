//! Entries as they are listed: a row or a JSON object for each input and event.

use twicetold_event::family::Family;
use twicetold_event::{CampaignId, Entry, Event, Input, Number};
use twicetold_projection::people::{Line, lines};
use twicetold_projection::{describe, recorded};
use twicetold_referee::Campaign;
use twicetold_report::JsonLines;

use crate::data;
use crate::terminal::{DIM, EFFECT, GOOD, TROUBLE, columns, short, speaker, with_outcome};

/// How an entry of a campaign is listed, given the campaign as it stands after it.
pub fn told_in(json: bool, id: CampaignId) -> impl FnMut(&Campaign, &Entry) -> String {
    let mut made = JsonLines::default();
    move |campaign, entry| match json {
        true => self::json(&mut made, id, campaign, entry),
        false => {
            let shown = lines(campaign.state(), campaign.replies(), entry);
            rows(&shown, entry, |event| described(campaign, event).unwrap_or_default())
        }
    }
}

/// The input and the events of an entry, a JSON object a line, as `export --as jsonl` writes them.
pub fn json(made: &mut JsonLines, id: CampaignId, campaign: &Campaign, entry: &Entry) -> String {
    let spoken = lines(campaign.state(), campaign.replies(), entry);
    let text =
        |number: Number| spoken.iter().find(|line| line.number == number.0).map(|line| line.text.clone());
    made.of(entry, text).into_iter().map(|line| data::of(id, line)).collect()
}

/// Columns before the text: number, turn, name.
const BEFORE: usize = 38;

/// Columns that a text needs beside them.
const TEXT_MIN: usize = 30;

/// The input and the events of an entry, a row each: number, turn, name, and what people are shown of it or else `detail`.
pub fn rows(shown: &[Line], entry: &Entry, detail: impl Fn(&Event) -> String) -> String {
    // Whoever pipes it looks for words in it.
    let width = columns().map_or(200, |columns| columns.clamp(20, 200));
    let row = |number: Number, name: &str, text: &str| {
        let (turn, number) = (entry.turn_of(number), number.to_string());
        let row = match width.checked_sub(BEFORE).filter(|rest| *rest >= TEXT_MIN) {
            Some(rest) => format!("{number:<7} {turn:>4}  {name:<23} {}", short(text, rest - 1)),
            // A narrow terminal has the text in a line of its own.
            None if text.trim().is_empty() => format!("{number} {name}"),
            None => format!("{number} {name}\n  {}", short(text, width - 3)),
        };
        row.trim_end().to_owned()
    };
    // The name stands behind the number and the turn, which have no letters.
    let styled = |row: String, event: &Event| match (style(event), row.find(event.name())) {
        (Some(style), Some(at)) => {
            let (before, rest) = row.split_at(at);
            let (name, after) = rest.split_at(event.name().len());
            format!("{before}{style}{name}{style:#}{}", with_outcome(after, anstyle::Style::new()))
        }
        _ => row,
    };
    let first = entry.header.first;
    let said = row(first, &format!("< {}", entry.input.name()), &input(&entry.input));
    let mut out = format!("{DIM}{said}{DIM:#}\n");
    for (number, event) in entry.numbered() {
        // The transcript's line for a marker that does not count is older than its words and has to stay as it was.
        let is_shown = |line: &&Line| line.number == number.0 && !matches!(event, Event::MarkerIgnored(_));
        let text = match shown.iter().find(is_shown) {
            Some(line) if line.speaker.is_empty() => line.text.clone(),
            Some(line) => format!("{}: {}", line.speaker, line.text),
            None => detail(event),
        };
        out += &format!("{}\n", styled(row(number, event.name(), &text), event));
    }
    out
}

/// The colour of an event's name: of what tools did, of what was said, and of what went wrong.
fn style(event: &Event) -> Option<anstyle::Style> {
    Some(match event.family() {
        _ if matches!(event, Event::ToolRejected(_)) => TROUBLE,
        Family::Speech(_) | Family::Dialogue(_) => speaker(None),
        Family::Tools(_)
        | Family::Facts(_)
        | Family::Characters(_)
        | Family::People(_)
        | Family::Combat(_) => EFFECT,
        Family::Encounter(_) | Family::SessionZero(_) | Family::Party(_) => GOOD,
        Family::Table(_) | Family::Calls(_) | Family::Foreign(_) | Family::Unknown(_) => return None,
    })
}

fn input(input: &Input) -> String {
    match input {
        Input::ModelReplied(word) => format!("{}, {} bytes", word.call, word.body.len()),
        Input::ModelFailed(word) => format!("{}: {}", word.call, word.fault.message),
        Input::PauseAsked(word) => word.reason.clone(),
        Input::ForeignLine(word) => format!("line {}, {} bytes", word.line, word.text.len()),
        _ => String::new(),
    }
}

/// What an event is that has no line in the transcript.
fn described(campaign: &Campaign, event: &Event) -> Option<String> {
    recorded(event).or_else(|| describe(campaign.state(), campaign.replies(), event))
}
