//! `why-not`: what was asked for and rejected, or never asked for.

use std::process::ExitCode;

use clap::ValueEnum;
use twicetold_host::Library;
use twicetold_host::at_once::has_secrets;
use twicetold_journal::Source;
use twicetold_session::{Appearance, Explainer, Loaded, why_not_goal};

use super::tree;
use crate::data::{self, WhyNames, WhyNot, WhyNotNames, campaign_of};
use crate::failure::{Failure, code};
use crate::names::{Name, listed};
use crate::pager::page;
use crate::terminal::{DIM, paragraphs, with_numbers};

/// Explains why a goal does not exist
///
/// It lists each rejected proposal, or reports that there was none.
#[derive(clap::Args)]
pub struct NotArguments {
    /// A prefix of a campaign's id, `last`, or a file
    id: String,

    /// The kind of thing to explain [default: list what can be asked about]
    #[arg(value_enum)]
    what: Option<NotWhat>,

    /// Its id, with or without the prefix of goals that are registered during play [default: list those that were
    /// rejected]
    name: Option<String>,

    /// Do not truncate texts
    #[arg(long)]
    full: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What can be missing.
#[derive(Clone, Copy, clap::ValueEnum)]
enum NotWhat {
    /// A hidden goal
    Goal,
}

/// Runs `why-not`.
pub fn not(library: &Library, arguments: &NotArguments) -> Result<ExitCode, Failure> {
    let (source, loaded) = library.load(&arguments.id)?;
    let explainer = Explainer::new(source.as_ref(), &loaded)?;
    let Some(name) = &arguments.name else {
        let rejected = rejected(&explainer)?;
        let id = &arguments.id;
        let text = match (arguments.what, arguments.json) {
            (None, true) => {
                data::of(campaign_of(source.as_ref())?, WhyNames { names: kinds(rejected.len()) })
            }
            (None, false) => kinds_told(id, rejected.len()),
            (Some(NotWhat::Goal), true) => {
                data::of(campaign_of(source.as_ref())?, WhyNotNames { names: rejected })
            }
            (Some(NotWhat::Goal), false) => goals_told(id, &rejected),
        };
        page(&text)?;
        return Ok(ExitCode::SUCCESS);
    };
    if let Some(goal) = explainer.goal(name, 1)? {
        let help = format!("`twicetold why {} goal {}` says why", arguments.id, goal.goal);
        return Err(Failure::new(code::MISSING, format!("the goal {} exists", goal.goal), help));
    }
    let why_not = why_not_goal(&explainer, name)?;
    page(&match arguments.json {
        true => data::of(campaign_of(source.as_ref())?, WhyNot(why_not)),
        false => with_numbers(&tree::of_missing(&why_not, arguments.full)),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The goals that were proposed and rejected.
fn rejected(explainer: &Explainer<'_>) -> Result<Vec<Name>, Failure> {
    let steps = explainer.goal_history()?.into_iter().filter_map(|step| match step.step {
        Appearance::Rejected { rule, observed } => {
            Some(Name::new(step.goal, format!("rejected at #{} by {rule}: {observed}", step.number)))
        }
        _ => None,
    });
    Ok(steps.collect())
}

/// The same for a shell that completes them; none in a campaign that a person plays, who may not know what was proposed.
pub fn suggested(source: &dyn Source, loaded: &Loaded) -> Result<Vec<Name>, Failure> {
    match has_secrets(source, loaded) {
        true => Ok(Vec::new()),
        false => rejected(&Explainer::new(source, loaded)?),
    }
}

/// The kinds of things that can be missing.
fn kinds(rejected: usize) -> Vec<Name> {
    let kind = |what: &NotWhat| {
        let value = what.to_possible_value()?;
        let about = value.get_help().map(ToString::to_string).unwrap_or_default();
        Some(Name::new(value.get_name(), format!("{about} ({rejected} rejected)")))
    };
    NotWhat::value_variants().iter().filter_map(kind).collect()
}

/// The same for people, with what to type next.
fn kinds_told(id: &str, rejected: usize) -> String {
    let next = format!("`twicetold why-not {id} goal` lists the goals that were proposed and rejected.");
    format!("What can be explained:\n{}{}", listed(&kinds(rejected)), said(&next))
}

/// The goals that were rejected, with what to type next.
fn goals_told(id: &str, rejected: &[Name]) -> String {
    if rejected.is_empty() {
        let next = format!(
            "`twicetold why-not {id} goal NAME` says what is known of a goal that you expected; `twicetold why {id} goal` lists the goals \
             that there are."
        );
        return format!("No proposed goal was rejected.\n{}", said(&next));
    }
    let next = format!("`twicetold why-not {id} goal NAME` explains one.");
    format!("Goals that were proposed and rejected:\n{}{}", listed(rejected), said(&next))
}

fn said(next: &str) -> String {
    format!("{DIM}{}{DIM:#}\n", paragraphs(next, ""))
}
