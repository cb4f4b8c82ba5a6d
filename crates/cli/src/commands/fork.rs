//! `fork`: a branch of a campaign, from any moment on, with something changed or nothing. `undo`: one from before the last turn.

use std::path::PathBuf;
use std::process::ExitCode;

use twicetold_event::Number;
use twicetold_host::Library;
use twicetold_host::branching::{self, Branched, Change};

use crate::failure::Failure;
use crate::terminal::{BOLD, json_line, print};

/// Makes a branch of a campaign: the same up to a number, and from there on a campaign by itself
#[derive(clap::Args)]
pub struct Arguments {
    /// The front of a campaign's id, `last`, or a file
    id: String,

    /// The last number that both share (`log` shows numbers); the end when left out
    #[arg(long, value_name = "N")]
    at: Option<u64>,

    /// Dice and draws come from this seed from now on
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Another model for a seat: dm, memory, player-1 …, players; a name in models.toml
    #[arg(long, value_name = "[SEAT=]NAME")]
    model: Vec<String>,

    /// The folder whose models.toml is used [default: your configuration folder, else the bundled one]
    #[arg(long, value_name = "DIR")]
    config: Option<PathBuf>,

    /// Another value of a limit, for example turns_max=40
    #[arg(long, value_name = "KEY=VALUE")]
    limit: Vec<String>,

    /// Another text for a file of the charter, for example prompts/dm-play.md=mine.md
    #[arg(long, value_name = "PATH=FILE")]
    file: Vec<String>,

    /// Other faces for a draw, for example 'player-1 check DEX:3=20' (`log --json` shows streams and counters)
    #[arg(long, value_name = "STREAM:COUNTER=FACES")]
    draw: Vec<String>,

    /// The reply at --at is replaced by this file: words, or the whole body of a model reply
    #[arg(long, value_name = "FILE", requires = "at")]
    reply: Option<PathBuf>,

    /// Ask models anew even where the parent was answered the very same question
    #[arg(long)]
    resample: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Makes a branch from before a campaign's last turn
#[derive(clap::Args)]
pub struct UndoArguments {
    /// The front of a campaign's id, or `last`
    id: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `fork`.
pub fn run(library: &Library, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { id, at, seed, model, config, limit, file, draw, reply, resample, json } = arguments;
    let at = at.map(Number);
    let change = Change { at, seed, model, config, limit, file, draw, reply, resample };
    tell(&branching::fork(library, &id, &change)?, at, json)
}

/// Runs `undo`.
pub fn undo(library: &Library, arguments: &UndoArguments) -> Result<ExitCode, Failure> {
    tell(&branching::undo(library, &arguments.id)?, None, arguments.json)
}

/// Says where the branch begins; also why not at the number that was asked for, where that is within an entry.
fn tell(Branched { id, until }: &Branched, at: Option<Number>, json: bool) -> Result<ExitCode, Failure> {
    let last = until.0.saturating_sub(1);
    let why = match at.filter(|at| at.0 < last) {
        Some(at) => format!(", the end of the entry that holds {at}"),
        None => String::new(),
    };
    let text = match json {
        true => json_line(&serde_json::json!({"campaign": id.to_string(), "shared": until.0})),
        false => format!(
            "{BOLD}{id:.8}{BOLD:#} branches off after #{last}{why}\n\n  twicetold resume {id:.8}    plays it on\n  twicetold tree               shows the branches\n"
        ),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
