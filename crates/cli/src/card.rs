//! The card at the end: outcome, goals, what to try next.

use twicetold_event::Seat;
use twicetold_model::FaultKind;
use twicetold_projection::people;
use twicetold_referee::Campaign;
use twicetold_report::Ending;
use twicetold_world::{Life, State};

use crate::failure::Failure;
use crate::play::Show;
use crate::terminal::{self, BOLD, DIM, GOOD, counted, hanging, json_line, paragraphs, safe, short, when};

/// What to do where a model's server does not answer. A campaign keeps the address that it was opened with.
const UNREACHABLE: &str =
    "Start the server and resume; or mend base_url in models.toml and run a new campaign.";

/// Characters of a goal's label.
const LABEL_CHARS_MAX: usize = 200;

/// Prints the card, as `seat` may know it where a person played: hidden goals stay hidden. `endings` are those of the encounters
/// that are over, as far as they are known.
pub fn print(
    campaign: &Campaign,
    id: &str,
    show: Show,
    seat: Option<Seat>,
    endings: &[Ending],
) -> Result<(), Failure> {
    let state = campaign.state();
    let (life, next) = match state.life() {
        Life::Ended { observed, .. } => (format!(": {observed}"), false),
        // The story's last line says why.
        Life::Parked { .. } if show == Show::Story => (String::new(), true),
        Life::Parked { reason } => (format!(": {}", safe(reason)), true),
        _ => (String::new(), true),
    };
    let life = format!("{}{life}", crate::story::standing(state.life()));
    terminal::print(&match show {
        Show::Json => as_json(campaign, id, &life),
        Show::Story | Show::Card => as_text(campaign, id, &life, next, seat, endings),
    })
}

fn as_json(campaign: &Campaign, id: &str, life: &str) -> String {
    let state = campaign.state();
    let total = state.calls().total();
    json_line(&serde_json::json!({
        "campaign": id, "state": life, "turns": state.turn().number, "calls": total.calls,
        "input_tokens": total.input_tokens, "output_tokens": total.output_tokens,
        "story": campaign.story().to_string(), "seed": state.setup().seed, "goals": people::goals(state),
    }))
}

fn as_text(
    campaign: &Campaign,
    id: &str,
    life: &str,
    next: bool,
    seat: Option<Seat>,
    endings: &[Ending],
) -> String {
    let state = campaign.state();
    let total = state.calls().total();
    let title = safe(&state.setup().campaign.title);
    let mut out = format!("\n{}\n", hanging(&format!("is {life}"), &format!("{BOLD}{title}{BOLD:#} "), "  "));
    let unreachable = FaultKind::Unreachable.describe();
    if matches!(state.life(), Life::Parked { reason } if reason.starts_with(unreachable)) {
        out += &format!("{}\n", paragraphs(UNREACHABLE, "  "));
    }
    if !matches!(seat, Some(Seat::Player(_))) {
        for (place, page) in people::goals(state).iter().enumerate() {
            out += &goals(page, endings.get(place));
        }
    }
    let figures = format!(
        "{}, {}, {} tokens; seed {}; story {:.12}",
        counted(u64::from(state.turn().number), "turn"),
        counted(u64::from(total.calls), "call"),
        thousands(total.input_tokens + total.output_tokens),
        state.setup().seed,
        campaign.story()
    );
    out += &format!("\n{DIM}{}{DIM:#}\n", paragraphs(&figures, "  "));
    out + &commands(state, &id[..8], next, seat)
}

/// What can be done with the campaign now: commands, and beside them what they do.
fn commands(state: &State, id: &str, next: bool, seat: Option<Seat>) -> String {
    let player = matches!(seat, Some(Seat::Player(_)));
    let mut rows: Vec<(String, &str)> = Vec::new();
    if next {
        rows.push((format!("twicetold resume {id}"), "goes on"));
    }
    if let Some(seat) = seat.filter(|_| next) {
        rows.push((format!("twicetold play {id} --seat {}", seat.slug()), "goes on with you"));
    }
    rows.push((format!("twicetold replay {id}"), "tells it again and compares every event and request"));
    let documents = match player {
        true => "the party document (`show goals` tells what was hidden from you)",
        false => "the party document (also goals, npcs, characters, memory, transcript, cost)",
    };
    rows.push((format!("twicetold show {id} party"), documents));
    let width = rows.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    let mut out = String::new();
    for (place, (command, what)) in rows.iter().enumerate() {
        // What goes on stands apart from what looks back.
        if place == 0 || command.starts_with("twicetold replay") {
            out.push('\n');
        }
        out += &format!("{}\n", hanging(what, &format!("  {command:<width$}  "), &" ".repeat(width + 4)));
    }
    let known = people::goals(state);
    let goals = known.iter().flat_map(|page| &page.goals).rev();
    let goal = goals.filter(|_| !player).find(|goal| goal.registered.is_some() || goal.reached);
    if let Some(goal) = goal {
        out += &format!("  twicetold why {id} goal {}\n", safe(&goal.id));
    }
    out
}

/// The goals of an encounter, and how it ended.
fn goals(page: &people::Goals, ending: Option<&Ending>) -> String {
    let mut out = format!("\n{BOLD}{}{BOLD:#}\n", paragraphs(&page.title, "  "));
    for goal in &page.goals {
        let mark = if goal.reached { format!("{GOOD}✔{GOOD:#}") } else { "·".to_owned() };
        let how = if goal.registered.is_some() { " (registered during play)" } else { "" };
        let line = format!("{}{how}", short(&goal.label, LABEL_CHARS_MAX));
        out += &format!("{}\n", hanging(&line, &format!("  {mark} "), "    "));
        if goal.reached {
            out += &format!("{}\n", paragraphs(&how_reached(page, ending), "    "));
        }
    }
    match &page.ended {
        Some(ended) => format!("{out}{}\n", paragraphs(ended, "    ")),
        None => out,
    }
}

/// Who resolved an encounter, when, and how many messages it took.
fn how_reached(page: &people::Goals, ending: Option<&Ending>) -> String {
    let messages = counted(u64::from(page.messages), "message");
    let Some(ending) = ending else { return format!("after {messages}") };
    let by = ending.seat.map_or_else(String::new, |seat| format!("by the {seat} "));
    format!("{by}in turn {}, {}, after {messages}", ending.turn, when(ending.at.0))
}

/// `34.1k`, without floats.
pub fn thousands(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => format!("{}.{}k", number / 1_000, number % 1_000 / 100),
        _ => format!("{}.{}M", number / 1_000_000, number % 1_000_000 / 100_000),
    }
}
