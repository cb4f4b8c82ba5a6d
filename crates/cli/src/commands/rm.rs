//! `rm`: removes campaigns.

use std::io::{BufRead, IsTerminal};
use std::process::ExitCode;

use twicetold_event::CampaignId;
use twicetold_host::Library;

use crate::data;
use crate::failure::{Failure, code};
use crate::terminal::{counted, print, short};
use crate::told::told;

/// Deletes campaigns permanently
///
/// On a terminal it shows the campaigns and asks first. Use `export` first to keep a copy.
#[derive(clap::Args)]
pub struct Arguments {
    /// Prefixes of campaigns' ids (`last` is not accepted)
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,

    /// Delete without a question
    #[arg(long, short)]
    yes: bool,

    /// Print JSON, one object per campaign
    #[arg(long, requires = "yes")]
    json: bool,
}

/// Characters of a title.
const TITLE: usize = 60;

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if arguments.ids.iter().any(|id| id == "last") {
        let message = "`rm` does not accept `last`, to avoid removing the wrong campaign";
        return Err(Failure::new(
            code::USAGE,
            message,
            "give a prefix of the campaign's id; `twicetold list` shows the ids",
        ));
    }
    // All of them are found before the first one is removed.
    let mut ids = Vec::new();
    for name in &arguments.ids {
        let id = library.find(name)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    if !arguments.yes && !is_meant(library, &ids)? {
        print("Nothing was deleted.\n")?;
        return Ok(ExitCode::SUCCESS);
    }
    for id in ids {
        let title = if arguments.json { title(library, id) } else { None };
        library.remove(id)?;
        print(&match arguments.json {
            true => data::of(id, data::Removed { title }),
            false => format!("{id:.8} removed.\n"),
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a campaign is called; nothing where it cannot be read.
fn title(library: &Library, id: CampaignId) -> Option<String> {
    let reader = library.read(id).ok()?;
    Some(told(&*reader).ok()?.brief(&library.view(id)).ok()?.title)
}

/// Asks whoever sits at the terminal.
fn is_meant(library: &Library, ids: &[CampaignId]) -> Result<bool, Failure> {
    let shown: Vec<String> = ids.iter().map(|id| described(library, *id)).collect();
    if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        let help = format!("`--yes` deletes without a question: {}", shown.join("; "));
        return Err(Failure::new(
            code::USAGE,
            "nothing was deleted, because there is no terminal to ask on",
            help,
        ));
    }
    let all = counted(ids.len() as u64, "campaign");
    print(&format!("  {}\nDelete {all} permanently? [y/N] ", shown.join("\n  ")))?;
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    Ok(read.is_ok() && ["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}

/// A campaign, by its id, title and length.
fn described(library: &Library, id: CampaignId) -> String {
    let reader = library.read(id).map_err(Failure::from);
    let brief = reader.and_then(|reader| told(&*reader)?.brief(&library.view(id)));
    match brief {
        Ok(brief) => crate::unnamed::described(id, &brief),
        Err(why) => format!("{id:.8}  cannot be read: {}", short(&why.line(), TITLE)),
    }
}
