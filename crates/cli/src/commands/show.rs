//! `show`: a campaign's documents, as they stand or as they stood.

use std::process::ExitCode;

use twicetold_event::Number;
use twicetold_host::Library;
use twicetold_host::reading::walk;
use twicetold_projection::people;
use twicetold_session::{Explainer, Loaded, load_to};

use crate::cost::cost;
use crate::documents::{characters, goal_history, goals, memory, npcs, party};
use crate::failure::{Failure, code};
use crate::terminal::{json_line, print};

/// Prints a document of a campaign, also while another process plays it
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, `last`, or a file
    id: String,

    /// Which document
    #[arg(value_enum)]
    what: What,

    /// Show the document as of this sequence number (`log` lists the numbers)
    #[arg(long, value_name = "N")]
    at: Option<u64>,

    /// For goals: print the history of each goal, including rejections, instead of its current state
    #[arg(long, conflicts_with = "at")]
    history: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The documents.
#[derive(Clone, Copy, clap::ValueEnum)]
enum What {
    /// The scenario and the party document
    Party,
    /// Goals, hidden ones included
    Goals,
    /// The NPCs
    Npcs,
    /// The player characters
    Characters,
    /// The stored memory: place, time, objective, summaries and important events
    Memory,
    /// Messages, dice rolls and effects, in order
    Transcript,
    /// Calls and tokens by seat and purpose
    Cost,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let at = arguments.at.map(Number);
    let text = match (arguments.what, at) {
        (What::Goals, None) if arguments.history => {
            let (source, loaded) = library.load(&arguments.id)?;
            let steps = Explainer::new(source.as_ref(), &loaded)?.goal_history()?;
            written(arguments.json, &steps, |steps| goal_history(steps))
        }
        _ if arguments.history => {
            let help = "`twicetold history ID FIELD` lists the values of any other state field";
            return Err(Failure::new(code::USAGE, "--history works only with `goals`", help));
        }
        (What::Transcript, _) => {
            let source = library.source(&arguments.id)?;
            crate::told::told(source.as_ref())?.lines(at, arguments.json)?
        }
        (What::Cost, _) => {
            let source = library.source(&arguments.id)?;
            let (mut ledger, prices) = (people::Ledger::default(), library.prices(source.as_ref()));
            walk(source.as_ref(), at, |campaign, entry| {
                ledger.entry(campaign.state(), entry);
                true
            })?;
            let loaded = load_to(source.as_ref(), at)?;
            let costs = people::cost(loaded.campaign.state(), &ledger, &prices);
            written(arguments.json, &costs, |costs| cost(costs))
        }
        (what, None) => document(&library.load(&arguments.id)?.1, what, arguments.json),
        (what, Some(_)) => {
            let source = library.source(&arguments.id)?;
            document(&load_to(source.as_ref(), at)?, what, arguments.json)
        }
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn document(loaded: &Loaded, what: What, json: bool) -> String {
    let (state, replies) = (loaded.campaign.state(), loaded.campaign.replies());
    match what {
        What::Party => written(json, &people::party(state, replies), party),
        What::Goals => written(json, &people::goals(state), |pages| goals(pages)),
        What::Npcs => written(json, &people::npcs(state, replies), |list| npcs(list)),
        What::Characters => written(json, &people::characters(state), |pages| characters(pages)),
        What::Memory => written(json, &people::memory(state, replies), memory),
        What::Cost | What::Transcript => String::new(),
    }
}

fn written<T: serde::Serialize>(json: bool, document: &T, text: impl Fn(&T) -> String) -> String {
    if json { json_line(document) } else { text(document) }
}
