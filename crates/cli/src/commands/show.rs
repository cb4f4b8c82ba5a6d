//! `show`: a campaign's documents, as they stand or as they stood.

use std::process::ExitCode;

use clap::ValueEnum;
use twicetold_event::{CampaignId, Number};
use twicetold_host::Library;
use twicetold_host::reading::ledger;
use twicetold_projection::people;
use twicetold_session::{Explainer, Loaded, load_to};

use crate::cost::cost;
use crate::data::{self, Characters, Costs, Documents, GoalHistory, Goals, Memory, Npcs, Party, campaign_of};
use crate::documents::{characters, goal_history, goals, memory, npcs, party};
use crate::failure::{Failure, code};
use crate::names::{Name, listed};
use crate::pace::{Alone, Paced};
use crate::pager::page;
use crate::play::say;
use crate::story::Spoilers;
use crate::terminal::{DIM, counted, printed};

/// Prints a document of a campaign: party, goals, transcript, cost …
///
/// It also works while another process plays the campaign. Without the name of a document it lists the
/// documents.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, `last`, or a file
    id: String,

    /// Which document [default: list the documents]
    #[arg(value_enum)]
    what: Option<What>,

    /// Show the document as of this sequence number (`log` lists the numbers)
    #[arg(long, value_name = "N")]
    at: Option<u64>,

    /// For goals: print the history of each goal, including rejections, instead of its current state
    #[arg(long, conflicts_with = "at")]
    history: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    paced: Paced,

    #[command(flatten)]
    spoilers: Spoilers,
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
    let Some(what) = arguments.what else { return list(library, arguments) };
    let text = match (what, at) {
        (What::Goals, None) if arguments.history => {
            let (source, loaded) = library.load(&arguments.id)?;
            let steps = Explainer::new(source.as_ref(), &loaded)?.goal_history()?;
            match arguments.json {
                true => data::of(campaign_of(source.as_ref())?, GoalHistory { steps }),
                false => goal_history(&steps),
            }
        }
        _ if arguments.history => {
            let help = "`twicetold history ID FIELD` lists the values of any other state field";
            return Err(Failure::new(code::USAGE, "--history works only with `goals`", help));
        }
        (What::Transcript, _) => {
            let source = library.source(&arguments.id)?;
            let text = crate::told::told(source.as_ref())?.lines(at, arguments.json, &arguments.spoilers)?;
            let pace = if arguments.json { None } else { Alone::of(&arguments.paced)? };
            let Some(mut pace) = pace else { return page(&text).map(|()| ExitCode::SUCCESS) };
            return match pace.show(&text) {
                Ok(false) => Ok(ExitCode::from(code::INTERRUPTED)),
                shown => printed(shown.map(drop)).map(|()| ExitCode::SUCCESS),
            };
        }
        _ if arguments.spoilers.spoilers => {
            let help = format!("`twicetold show {} transcript --spoilers`", arguments.id);
            return Err(Failure::new(code::USAGE, "--spoilers works only with `transcript`", help));
        }
        _ if arguments.paced.pace.is_some() => {
            let help = format!("`twicetold show {} transcript --pace 40`", arguments.id);
            return Err(Failure::new(code::USAGE, "--pace works only with `transcript`", help));
        }
        (What::Cost, _) => {
            let source = library.source(&arguments.id)?;
            let (ledger, prices) = (ledger(source.as_ref(), at)?, library.prices(source.as_ref()));
            let loaded = as_of(load_to(source.as_ref(), at)?, at);
            let costs = people::cost(loaded.campaign.state(), &ledger, &prices);
            match arguments.json {
                true => data::of(campaign_of(source.as_ref())?, Costs { costs }),
                false => cost(&costs),
            }
        }
        (what, None) => {
            let (source, loaded) = library.load(&arguments.id)?;
            document(campaign_of(source.as_ref())?, &loaded, what, arguments.json)
        }
        (what, Some(_)) => {
            let source = library.source(&arguments.id)?;
            document(
                campaign_of(source.as_ref())?,
                &as_of(load_to(source.as_ref(), at)?, at),
                what,
                arguments.json,
            )
        }
    };
    page(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Says where a state stands that was asked for within an entry: what was decided together is folded together.
fn as_of(loaded: Loaded, at: Option<Number>) -> Loaded {
    let last = loaded.campaign.next().0.saturating_sub(1);
    if let Some(at) = at.filter(|at| at.0 < last) {
        say(&format!("As of #{last}, the end of the entry that holds {at}."));
    }
    loaded
}

/// Lists the documents that a campaign has, with what is in them.
fn list(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if arguments.history || arguments.at.is_some() {
        let help = format!("`twicetold show {}` lists the documents", arguments.id);
        return Err(Failure::new(code::USAGE, "--at and --history need the name of a document", help));
    }
    let source = library.source(&arguments.id)?;
    let is_foreign = twicetold_session::foreign(source.as_ref())?.is_some();
    let loaded = if is_foreign { None } else { Some(library.load(&arguments.id)?.1) };
    // Of a transcript of another program nothing else is known.
    let documents =
        What::value_variants().iter().filter(|what| !is_foreign || matches!(what, What::Transcript));
    let named = |what: &What| {
        let value = what.to_possible_value()?;
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        let count = loaded.as_ref().map_or_else(String::new, |loaded| holds(loaded, *what));
        let about = if count.is_empty() { help } else { format!("{help} ({count})") };
        Some(Name::new(value.get_name(), about))
    };
    let documents: Vec<Name> = documents.filter_map(named).collect();
    page(&match arguments.json {
        true => data::of(campaign_of(source.as_ref())?, Documents { documents }),
        false => format!(
            "Documents:\n{}{DIM}`twicetold show {} transcript` prints one of them.{DIM:#}\n",
            listed(&documents),
            arguments.id
        ),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// How much there is in a document, where that can be counted.
fn holds(loaded: &Loaded, what: What) -> String {
    let (state, replies) = (loaded.campaign.state(), loaded.campaign.replies());
    let count = |count: usize, what| counted(count as u64, what);
    match what {
        What::Party => count(people::party(state, replies).sections.len(), "section"),
        What::Goals => count(people::goals(state).iter().map(|page| page.goals.len()).sum(), "goal"),
        What::Npcs => count(people::npcs(state, replies).len(), "NPC"),
        What::Characters => count(people::characters(state).len(), "character"),
        What::Memory => String::new(),
        What::Transcript => counted(u64::from(state.turn().number), "turn"),
        What::Cost => counted(u64::from(state.calls().total().calls), "call"),
    }
}

fn document(campaign: CampaignId, loaded: &Loaded, what: What, json: bool) -> String {
    let (state, replies) = (loaded.campaign.state(), loaded.campaign.replies());
    match (what, json) {
        (What::Party, true) => data::of(campaign, Party(people::party(state, replies))),
        (What::Party, false) => party(&people::party(state, replies)),
        (What::Goals, true) => data::of(campaign, Goals { encounters: people::goals(state) }),
        (What::Goals, false) => goals(&people::goals(state)),
        (What::Npcs, true) => data::of(campaign, Npcs { npcs: people::npcs(state, replies) }),
        (What::Npcs, false) => npcs(&people::npcs(state, replies)),
        (What::Characters, true) => data::of(campaign, Characters { characters: people::characters(state) }),
        (What::Characters, false) => characters(&people::characters(state)),
        (What::Memory, true) => data::of(campaign, Memory(people::memory(state, replies))),
        (What::Memory, false) => memory(&people::memory(state, replies)),
        (What::Cost | What::Transcript, _) => String::new(),
    }
}
