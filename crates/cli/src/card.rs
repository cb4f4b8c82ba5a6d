//! The card at the end: outcome, goals, what to try next.

use std::io::Write;

use twicetold_event::Seat;
use twicetold_projection::people;
use twicetold_referee::Campaign;
use twicetold_world::{Life, State};

use crate::terminal::{BOLD, DIM, GOOD, json_line, paragraphs, safe, short};

/// Prints the card, as `seat` may know it where a person played: hidden goals stay hidden.
pub fn print(campaign: &Campaign, id: &str, json: bool, seat: Option<Seat>) {
    let state = campaign.state();
    let (life, next) = match state.life() {
        Life::Ended { observed, .. } => (format!(": {observed}"), false),
        Life::Parked { reason } => (format!(": {}", safe(reason)), true),
        _ => (String::new(), true),
    };
    let life = format!("{}{life}", crate::story::standing(state.life()));
    let text = match json {
        true => as_json(campaign, id, &life),
        false => as_text(campaign, id, &life, next, seat),
    };
    let _ = anstream::stdout().write_all(text.as_bytes());
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

fn as_text(campaign: &Campaign, id: &str, life: &str, next: bool, seat: Option<Seat>) -> String {
    let state = campaign.state();
    let total = state.calls().total();
    let id = &id[..8];
    let title = safe(&state.setup().campaign.title);
    let mut out = format!("\n{BOLD}{title}{BOLD:#} is {life}\n");
    let player = matches!(seat, Some(Seat::Player(_)));
    if !player {
        out += &goals(state);
    }
    let tokens = thousands(total.input_tokens + total.output_tokens);
    let (turns, calls, seed) = (state.turn().number, total.calls, state.setup().seed);
    let story = campaign.story();
    out += &format!(
        "\n  {DIM}{turns} turns, {calls} calls, {tokens} tokens; seed {seed}; story {story:.12}{DIM:#}\n"
    );
    if next {
        out += &format!("\n  twicetold resume {id}            goes on\n");
    }
    if next && let Some(seat) = seat {
        out += &format!("  twicetold play {id} --seat {}  goes on with you\n", seat.slug());
    }
    out += &format!(
        "\n  twicetold replay {id}            tells it again and compares every event and request\n"
    );
    let documents = match player {
        true => "party        the party document (`show goals` tells what was hidden from you)",
        false => "party        the party document (also goals, npcs, characters, memory, transcript, cost)",
    };
    out += &format!("  twicetold show {id} {documents}\n");
    let known = people::goals(state);
    let goals = known.iter().flat_map(|page| &page.goals).rev();
    let goal = goals.filter(|_| !player).find(|goal| goal.registered.is_some() || goal.reached);
    if let Some(goal) = goal {
        out += &format!("  twicetold why {id} goal {}\n", goal.id);
    }
    out
}

fn goals(state: &State) -> String {
    let mut out = String::new();
    for page in people::goals(state) {
        out += &format!("\n  {BOLD}{}{BOLD:#}\n", safe(&page.title));
        for goal in &page.goals {
            let mark = if goal.reached { format!("{GOOD}✔{GOOD:#}") } else { "·".to_owned() };
            let how = if goal.registered.is_some() { " (registered during play)" } else { "" };
            out += &format!("  {mark} {}{how}\n", short(&goal.label, 100));
        }
        if let Some(ended) = &page.ended {
            out += &format!("{}\n", paragraphs(&format!("{ended} ({} messages)", page.messages), "    "));
        }
    }
    out
}

/// `34.1k`, without floats.
pub fn thousands(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => format!("{}.{}k", number / 1_000, number % 1_000 / 100),
        _ => format!("{}.{}M", number / 1_000_000, number % 1_000_000 / 100_000),
    }
}
