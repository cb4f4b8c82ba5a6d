//! `fork`: a branch of a campaign, from any moment on, with something changed or nothing. `undo`: one from before the last turn.

use std::path::PathBuf;
use std::process::ExitCode;

use twicetold_event::Number;
use twicetold_host::Library;
use twicetold_host::branching::{self, Branched, Change, reply_in};

use crate::failure::Failure;
use crate::terminal::{BOLD, print};
use crate::{data, play};

/// Creates a branch that shares the entries up to a number
///
/// A branch is a new campaign that starts with a copy of the entries up to a sequence number.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, `last`, or a file
    id: String,

    /// The last sequence number that the branch shares with its parent (`log` lists the numbers) [default: the
    /// end]
    #[arg(long, value_name = "N")]
    at: Option<u64>,

    /// Use this random seed in the branch
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Assign another model (a name in models.toml) to a seat: dm, memory, player-1 … or players
    #[arg(long, value_name = "[SEAT=]NAME")]
    model: Vec<String>,

    /// Read models.toml from this folder [default: your configuration folder, otherwise the bundled models.toml]
    #[arg(long, value_name = "DIR", requires = "model")]
    config: Option<PathBuf>,

    /// Set a limit, for example turns_max=40
    #[arg(long, value_name = "KEY=VALUE")]
    limit: Vec<String>,

    /// Replace a file of the charter (the campaign's frozen configuration), for example
    /// prompts/dm-play.md=mine.md
    #[arg(long, value_name = "PATH=FILE")]
    file: Vec<String>,

    /// Set the result of one random draw, for example 'player-1 check DEX:3=20' (`log --json` shows streams and
    /// counters)
    #[arg(long, value_name = "STREAM:COUNTER=FACES")]
    draw: Vec<String>,

    /// Replace the model reply at --at by this file, which contains plain text or a complete response body
    #[arg(long, value_name = "FILE", requires = "at")]
    reply: Option<PathBuf>,

    /// Call the model even if the parent campaign has a recorded reply to an identical request
    #[arg(long)]
    resample: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Creates a branch that ends before the campaign's last turn
///
/// The campaign itself does not change.
#[derive(clap::Args)]
pub struct UndoArguments {
    /// A prefix of a campaign's id, or `last`
    id: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `fork`.
pub fn run(library: &Library, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { id, at, seed, model, config, limit, file, draw, reply, resample, json } = arguments;
    let at = at.map(Number);
    let reply = reply.as_deref().map(reply_in).transpose()?;
    let change = Change { at, seed, model, config, limit, file, draw, reply, resample };
    tell(&branching::fork(library, &id, &change)?, at, json, &library.flag())
}

/// Runs `undo`.
pub fn undo(library: &Library, arguments: &UndoArguments) -> Result<ExitCode, Failure> {
    tell(&branching::undo(library, &arguments.id)?, None, arguments.json, &library.flag())
}

/// Says where the branch begins; also why not at the number that was asked for, where that is within an entry.
fn tell(
    Branched { id, until, said }: &Branched,
    at: Option<Number>,
    json: bool,
    flag: &str,
) -> Result<ExitCode, Failure> {
    said.iter().for_each(|said| play::say(said));
    let last = until.0.saturating_sub(1);
    let why = match at.filter(|at| at.0 < last) {
        Some(at) => format!(", the end of the entry that holds {at}"),
        None => String::new(),
    };
    let text = match json {
        true => data::of(*id, data::Branch { shared: until.0 }),
        false => format!(
            "{BOLD}{id:.8}{BOLD:#} is a new branch that shares everything up to #{last}{why}\n\n  twicetold resume {id:.8}{flag}    continues it\n  twicetold tree{flag}               shows the branches\n"
        ),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
