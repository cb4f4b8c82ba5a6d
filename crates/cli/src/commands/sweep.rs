//! `sweep`: many campaigns by one plan, their scores, and what differs between variants.

pub mod bench;
mod run;
mod shown;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use twicetold_host::Library;
use twicetold_host::sweeping::{list, recorded, results};
use twicetold_host::words::near;
use twicetold_sweep::{Condition, SCORES};

use crate::data::{SweepName, Sweeps, document};
use crate::failure::Failure;
use crate::files::is_free;
use crate::terminal::print;
use crate::traced::Traced;

/// Plays many campaigns by a plan and compares their scores
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(Run),
    Show(Show),
    Diff(Diff),
    List(List),
}

/// Plays the campaigns of a plan that are not over, and shows the result
///
/// A plan is a TOML file, for example:
///
///   name = "players"                     # what the sweep is called
///   campaigns = ["the-borrowed-boat"]    # bundled ids, or files
///   seeds = "1..20"                      # or a list: [1, 2, 3]
///   models = ["improv", { dm = "openai:gpt-5.4-mini", players = "improv" }]
///   players = [2, 3]                     # every combination is a variant
///
/// Optional: configurations (folders), repetitions, turns, parallel, per_server,
/// budget, scores, baseline and interval_seed. The same command continues a
/// sweep that was stopped; no campaign is played twice.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
struct Run {
    /// The plan, a TOML file
    plan: PathBuf,

    /// Read models.toml from this folder [default: your configuration folder, otherwise the bundled
    /// models.toml]
    #[arg(long, value_name = "DIR")]
    config: Option<PathBuf>,

    /// Put the campaigns into the queue of the database that --data names, for a `worker` to play, instead of
    /// playing them. `sweep show` shows what they have played
    #[arg(long, conflicts_with_all = ["json", "csv", "html", "fail_if"])]
    queue: bool,

    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    traced: Traced,
}

/// Shows the scores of a sweep, or the events behind one score
#[derive(clap::Args)]
struct Show {
    /// The name of the sweep
    name: String,

    /// List its campaigns with their ids and states
    #[arg(long, conflicts_with_all = ["score", "csv", "fail_if", "html"])]
    campaigns: bool,

    /// Show only this score. With --campaign, list the events behind it
    #[arg(long, value_parser = score)]
    score: Option<String>,

    /// A campaign of the sweep, by a prefix of its id
    #[arg(long, value_name = "ID", requires = "score", conflicts_with_all = ["csv", "fail_if", "html"])]
    campaign: Option<String>,

    #[command(flatten)]
    output: Output,
}

/// Compares two sweeps: the variants that both have, by the campaigns and seeds that both played
#[derive(clap::Args)]
struct Diff {
    /// The sweep that the other is compared with
    a: String,

    /// The other sweep
    b: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Lists the sweeps
#[derive(clap::Args)]
struct List {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How results are printed.
#[derive(clap::Args)]
struct Output {
    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Print a line of comma-separated values for each campaign
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Also write the results as a page with charts into this file; it must not exist, unless --force is given.
    /// The page is self-contained, as that of `report`
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Replace the file of --html if it exists
    #[arg(long, requires = "html")]
    force: bool,

    /// Exit with code 10 if a variant's mean is like this, for example 'accepted < 0.95'; also if the score is
    /// not known. Repeat it for several conditions
    #[arg(long, value_name = "CONDITION", value_parser = condition)]
    fail_if: Vec<Condition>,
}

impl Output {
    /// Says before anything is played that the page could not be written.
    fn page_is_free(&self) -> Result<(), Failure> {
        self.html.as_ref().map_or(Ok(()), |file| is_free(file, self.force))
    }
}

fn suggestion(known: &[&str], typed: &str) -> Option<String> {
    near(known.iter().copied(), typed).map(str::to_owned)
}

fn condition(text: &str) -> Result<Condition, String> {
    Condition::parse(text, suggestion)
}

fn score(text: &str) -> Result<String, String> {
    let names: Vec<&str> = SCORES.iter().map(|score| score.name).collect();
    if names.contains(&text) {
        return Ok(text.to_owned());
    }
    let near = suggestion(&names, text).map(|near| format!("did you mean {near:?}? "));
    Err(format!("{}the scores are {}", near.unwrap_or_default(), names.join(", ")))
}

/// Runs the command.
pub fn run(library: Library, arguments: Arguments) -> Result<ExitCode, Failure> {
    match arguments.command {
        Command::Run(arguments) => run::run(library, &arguments),
        Command::Show(arguments) => shown::show(&library, &arguments),
        Command::Diff(arguments) => shown::diff(&library, &arguments),
        Command::List(arguments) => list_all(&library, &arguments),
    }
}

fn list_all(library: &Library, arguments: &List) -> Result<ExitCode, Failure> {
    let names = list(library);
    if arguments.json {
        let sweeps = names.into_iter().map(|name| SweepName { name }).collect();
        print(&document(Sweeps { sweeps }))?;
    } else if names.is_empty() {
        print("There is no sweep yet. `twicetold sweep run PLAN.toml` runs one.\n")?;
    } else {
        print(&names.iter().map(|name| format!("{name}\n")).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The results of a sweep that was run.
fn found(library: &Library, name: &str) -> Result<shown::Results, Failure> {
    let sweep = recorded(library, name)?;
    let found = results(library, &sweep, BTreeMap::new());
    Ok(shown::Results { sweep: Box::new(sweep), found, flag: library.flag() })
}
