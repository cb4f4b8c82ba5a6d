//! `preview`: shows what the encounters of a campaign will be.

use std::process::ExitCode;

use twicetold_event::Seat;
use twicetold_host::Library;
use twicetold_host::preview::{Preview, preview};

use crate::data::{Previews, document};
use crate::failure::{Failure, code};
use crate::pager::page;
use crate::terminal::{BOLD, DIM, counted, did_you_mean, paragraphs, safe};

/// Shows the encounters of a campaign without playing it
///
/// It shows what the seed draws, what is noticed, and what the models are asked first.
///
/// No model is asked and nothing is written.
#[derive(clap::Args)]
pub struct Arguments {
    /// A campaign file, or the id of a bundled campaign [default: one-lantern-short]
    campaign: Option<String>,

    /// Only this encounter
    #[arg(long, value_name = "ID")]
    encounter: Option<String>,

    /// Random seed, as for `run`
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Number of players
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=6))]
    players: Option<u8>,

    /// Print the whole prompts
    #[arg(long, short)]
    prompts: bool,

    /// Print one JSON object with all of it
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut found = preview(library, arguments.campaign.as_deref(), arguments.seed, arguments.players)?;
    if let Some(wanted) = &arguments.encounter {
        let known: Vec<String> = found.iter().map(|one| one.encounter.clone()).collect();
        found.retain(|one| one.encounter == *wanted);
        if found.is_empty() {
            let message = format!("the campaign has no encounter {wanted:?}");
            let near = did_you_mean(known.iter().map(String::as_str), wanted);
            return Err(Failure::new(code::USAGE, message, format!("{near}it has {}", known.join(", "))));
        }
    }
    if arguments.json {
        page(&document(Previews { seed: arguments.seed, encounters: found }))?;
    } else {
        let texts: Vec<String> = found.iter().map(|one| text(one, arguments)).collect();
        page(&texts.join("\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(one: &Preview, arguments: &Arguments) -> String {
    let title = format!("{} ({}), seed {}", safe(&one.title), safe(&one.encounter), arguments.seed);
    let mut out = format!("{BOLD}{title}{BOLD:#}\n");
    let mut part = |heading: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            out += &format!("\n  {heading}\n");
            lines.iter().for_each(|line| out += &format!("{}\n", paragraphs(line, "    ")));
        }
    };
    part("Drawn by the seed", one.draws.iter().map(|(key, value)| format!("{key}: {value}")).collect());
    part("Noticed without trying, by the improviser's party", one.noticed.clone());
    let asked = |question: &twicetold_host::preview::Question| {
        let (tools, tokens) = (counted(question.tools.len() as u64, "tool"), question.tokens);
        format!("{}: {tokens} tokens, {tools}: {}", role(question.seat), question.tools.join(", "))
    };
    part("What the seats are asked first", one.questions.iter().map(asked).collect());
    if arguments.prompts {
        for question in &one.questions {
            out += &format!("\n{DIM}── {} ──{DIM:#}\n{}\n", role(question.seat), safe(question.text.trim()));
        }
    }
    out
}

/// All players are asked alike.
fn role(seat: Seat) -> String {
    if matches!(seat, Seat::Player(_)) { "player".to_owned() } else { seat.slug() }
}
