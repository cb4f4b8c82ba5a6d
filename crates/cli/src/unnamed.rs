//! A command without the campaign that it is about: which there are, and what to type next.

use std::path::PathBuf;

use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use twicetold_event::CampaignId;
use twicetold_host::Library;

use crate::failure::{Failure, code};
use crate::terminal::{counted, short};
use crate::told::{Brief, Standing, told};

/// Campaigns that are named, the newest first.
const SHOWN_MAX: usize = 5;
/// Characters of a title.
const TITLE: usize = 60;
/// Commands that only continue a campaign.
const CONTINUE: [&str; 2] = ["play", "resume"];
/// What stands for a campaign in the usage of a command.
const IDS: [&str; 3] = ["ID", "ONE", "OTHER"];

/// What to say where a command line leaves out the campaign; nothing of any other mistake. `again` reads the same command line as far as
/// it goes.
pub fn failure(error: &clap::Error, again: impl FnOnce() -> Option<ArgMatches>) -> Option<Failure> {
    let missing = missing(error)?;
    let matches = again()?;
    let (command, inner) = matches.subcommand()?;
    let data =
        [&matches, inner].into_iter().find_map(|one| one.try_get_one::<PathBuf>("data").ok()?.cloned());
    let listed = crate::data(data).and_then(|data| {
        let library = Library::new(data)?;
        Ok((known(&library, CONTINUE.contains(&command))?, library.name()))
    });
    let (known, place) = match listed {
        Ok(listed) => listed,
        Err(failure) => return Some(failure),
    };
    // What the command line has of the two that `diff` compares.
    let given = inner.try_get_one::<String>("one").ok().flatten().map(String::as_str);
    let what = if given.is_some() { "the second campaign is not named" } else { "no campaign is named" };
    Some(Failure::new(code::USAGE, what, help(command, (given, &missing), &known, &place)))
}

/// The arguments that are missing, as the usage has them, where the first is a campaign.
fn missing(error: &clap::Error) -> Option<Vec<String>> {
    let (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(names))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return None;
    };
    let bare = |name: &String| name.trim_matches(['<', '>', '.', '[', ']']).to_owned();
    let names: Vec<String> = names.iter().map(bare).collect();
    names.first().is_some_and(|name| IDS.contains(&name.as_str())).then_some(names)
}

/// The campaigns, the newest first; with `to_continue` those alone that are not over.
fn known(library: &Library, to_continue: bool) -> Result<Vec<(CampaignId, Brief)>, Failure> {
    let brief = |id: CampaignId| {
        let reader = library.read(id).ok()?;
        let brief = told(&*reader).ok()?.brief(&library.view(id)).ok()?;
        Some((id, brief))
    };
    let mut known: Vec<(CampaignId, Brief)> = library.list()?.into_iter().filter_map(brief).collect();
    known.retain(|(_, brief)| !to_continue || matches!(brief.state, Standing::Paused | Standing::InProgress));
    known.sort_by_key(|(_, brief)| std::cmp::Reverse(brief.opened_ms));
    Ok(known)
}

/// What there is, and the next command.
fn help(
    command: &str,
    (given, missing): (Option<&str>, &[String]),
    known: &[(CampaignId, Brief)],
    place: &str,
) -> String {
    let newest = known.iter().map(|(id, _)| *id).next();
    let is_given = |id: &CampaignId| match given {
        Some("last") => newest == Some(*id),
        given => given.is_some_and(|given| id.to_string().starts_with(given)),
    };
    let mut ids = known.iter().filter(|(id, _)| !is_given(id)).map(|(id, _)| format!("{id:.8}"));
    let mut next = format!("twicetold {command}");
    if let Some(given) = given {
        next += &format!(" {given}");
    }
    for name in missing {
        let id = if IDS.contains(&name.as_str()) { ids.next() } else { None };
        next += &format!(" {}", id.as_ref().unwrap_or(name));
    }
    if known.is_empty() {
        return match CONTINUE.contains(&command) {
            true => format!(
                "no campaign in {place} can be continued; `twicetold run --seat player-1` begins one in which you play"
            ),
            false => format!(
                "there are no campaigns in {place} yet; `twicetold run` plays one, then `{next}` takes its id"
            ),
        };
    }
    let row = |(id, brief): &(CampaignId, Brief)| described(*id, brief);
    let rows: Vec<String> = known.iter().take(SHOWN_MAX).map(row).collect();
    let more = known.len().saturating_sub(SHOWN_MAX) as u64;
    let more = if more == 0 { String::new() } else { format!("and {}\n", counted(more, "older one")) };
    format!("there are\n  {}\n{more}type `{next}`; `twicetold list` lists all", rows.join("\n  "))
}

/// A campaign, by its id, title and length.
pub fn described(id: CampaignId, brief: &Brief) -> String {
    let (title, turns) = (short(&brief.title, TITLE), counted(u64::from(brief.turns), "turn"));
    format!("{id:.8}  {title}, {turns}, {}", brief.state.name())
}
