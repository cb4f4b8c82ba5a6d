//! The card at the end: outcome, goals, what to try next.

use twicetold_event::{CampaignId, Seat};
use twicetold_host::mapping::Mapping;
use twicetold_host::seats::{key_refused, unreachable};
use twicetold_model::FaultKind;
use twicetold_projection::people::{self, why_over, why_paused};
use twicetold_referee::Campaign;
use twicetold_report::{Ending, models, models_text};
use twicetold_session::Card;
use twicetold_world::{Life, State};

use crate::data::{self, End};
use crate::documents::mark;
use crate::failure::Failure;
use crate::play::Show;
use crate::terminal::{self, BOLD, DIM, counted, hanging, paragraphs, safe, short, when};
use crate::told::Standing;

/// Characters of a goal's label.
const LABEL_CHARS_MAX: usize = 200;

/// Prints the card, as `seat` may know it where a person played: hidden goals stay hidden. `endings` are those of the encounters
/// that are over, as far as they are known; `mapping` are the models that play.
pub fn print(
    campaign: &Campaign,
    id: CampaignId,
    show: Show,
    seat: Option<Seat>,
    endings: &[Ending],
    mapping: &Mapping,
    (flag, again): (&str, &str),
) -> Result<(), Failure> {
    let state = campaign.state();
    let (reason, next) = match state.life() {
        Life::Ended { reason, .. } => (why_over(reason), false),
        Life::Paused { fault, reason, .. } => (why_paused(*fault, reason), true),
        _ => (String::new(), true),
    };
    let (standing, card) = (Standing::of(state.life()), Card::of(state, campaign.story(), seat));
    terminal::print(&match show {
        Show::Json => data::of(id, End { state: standing, reason, card }),
        Show::Story | Show::Card => {
            // The story's last line says why it is paused.
            let is_said = reason.is_empty() || (show == Show::Story && standing == Standing::Paused);
            let why = if is_said { String::new() } else { format!(": {}", safe(&reason)) };
            let life = format!("{}{why}", standing.name());
            let advice = advice(state, id, mapping, flag);
            as_text(state, &card, (&format!("{id:.8}{flag}"), again), (&life, &advice), next, seat, endings)
        }
    })
}

/// What to do where a model's server does not answer.
fn advice(state: &State, id: CampaignId, mapping: &Mapping, flag: &str) -> String {
    match (state.life(), &state.calls().pending) {
        (Life::Paused { fault: Some(FaultKind::Unreachable), .. }, Some(pending)) => {
            unreachable(mapping, pending.seat, &format!("twicetold resume {id:.8}{flag}"))
        }
        (Life::Paused { fault: Some(FaultKind::Unauthorized), .. }, Some(pending)) => {
            key_refused(mapping, pending.seat)
        }
        _ => String::new(),
    }
}

fn as_text(
    state: &State,
    card: &Card,
    (id, again): (&str, &str),
    (life, advice): (&str, &str),
    next: bool,
    seat: Option<Seat>,
    endings: &[Ending],
) -> String {
    let title = safe(&card.title);
    let mut out = format!("\n{}\n", hanging(&format!("is {life}"), &format!("{BOLD}{title}{BOLD:#} "), "  "));
    if !advice.is_empty() {
        out += &format!("{}\n", paragraphs(advice, "  "));
    }
    if let Life::Paused { until: Some(until), .. } = state.life() {
        out += &format!(
            "{}\n",
            paragraphs(&format!("The server wants no request before {}.", when(until.0)), "  ")
        );
    }
    for (place, page) in card.goals.iter().enumerate() {
        out += &goals(page, endings.get(place));
    }
    let figures = format!(
        "{}, {}, {} tokens; {}; seed {}; story digest {:.12}",
        counted(u64::from(card.turns), "turn"),
        counted(u64::from(card.calls), "call"),
        thousands(card.tokens()),
        played_by(state),
        card.seed,
        card.story
    );
    out += &format!("\n{DIM}{}{DIM:#}\n", paragraphs(&figures, "  "));
    out + &commands(card, (id, again), next, seat)
}

/// `model improv`, or the seats of each model.
fn played_by(state: &State) -> String {
    let seats = &state.setup().seats;
    let word = if models(seats).len() == 1 { "model" } else { "models" };
    format!("{word} {}", safe(&models_text(seats)))
}

/// Columns that words beside a command need.
const WORDS_MIN: usize = 28;

/// What can be done with the campaign now: commands, and beside them what they do.
fn commands(card: &Card, (id, again): (&str, &str), next: bool, seat: Option<Seat>) -> String {
    let player = matches!(seat, Some(Seat::Player(_)));
    let mut rows: Vec<(String, &str)> = Vec::new();
    if next {
        rows.push((format!("twicetold resume {id}{again}"), "continues the campaign"));
    }
    if let Some(seat) = seat.filter(|_| next) {
        rows.push((format!("twicetold play {id} --seat {}", seat.slug()), "continues, and you play"));
    }
    rows.push((format!("twicetold replay {id}"), "replays it and compares every event and request"));
    let documents = match player {
        true => "the party document (`show goals` prints the goals that were hidden from you)",
        false => "the party document (also goals, npcs, characters, memory, transcript, cost)",
    };
    rows.push((format!("twicetold show {id} party"), documents));
    let width = rows.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    // On a narrow terminal what a command does stands below it.
    let is_narrow = terminal::width() < width + WORDS_MIN;
    let mut out = String::new();
    for (place, (command, what)) in rows.iter().enumerate() {
        // What goes on stands apart from what looks back.
        if place == 0 || command.starts_with("twicetold replay") {
            out.push('\n');
        }
        let rest = " ".repeat(if is_narrow { 4 } else { width + 4 });
        let first = if is_narrow { rest.clone() } else { format!("  {command:<width$}  ") };
        if is_narrow {
            out += &format!("  {command}\n");
        }
        out += &format!("{}\n", hanging(what, &first, &rest));
    }
    // How it ended is asked before how a goal came to be.
    let goals = || card.goals.iter().flat_map(|page| &page.goals).rev();
    let registered = || goals().find(|goal| goal.registered.is_some());
    if let Some(goal) = goals().find(|goal| goal.reached).or_else(registered) {
        out += &format!("  twicetold why {id} goal {}\n", safe(&goal.id));
    }
    out
}

/// The goals of an encounter, and how it ended.
fn goals(page: &people::Goals, ending: Option<&Ending>) -> String {
    let mut out = format!("\n{BOLD}{}{BOLD:#}\n", paragraphs(&page.title, "  "));
    for goal in page.goals.iter().filter(|goal| !goal.is_averted()) {
        let mark = mark(goal);
        let how = if goal.registered.is_some() { " (registered during play)" } else { "" };
        let line = format!("{}{how}", short(&goal.label, LABEL_CHARS_MAX));
        out += &format!("{}\n", hanging(&line, &format!("  {mark} "), "    "));
        if goal.reached {
            out += &format!("{}\n", paragraphs(&Ending::how(ending, page.messages, when), "    "));
        }
    }
    match &page.ended {
        Some(ended) => format!("{out}{}\n", paragraphs(ended, "    ")),
        None => out,
    }
}

/// `34.1k`, without floats.
pub fn thousands(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => format!("{}.{}k", number / 1_000, number % 1_000 / 100),
        _ => format!("{}.{}M", number / 1_000_000, number % 1_000_000 / 100_000),
    }
}
