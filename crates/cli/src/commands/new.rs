//! `new`: writes the files of a campaign of one's own.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use twicetold_host::schemas::{FileSchema, headed};
use twicetold_host::{Error, whole};

use crate::failure::{Failure, code};
use crate::terminal::print;

const CAMPAIGN: &str = include_str!("new/campaign.toml");
const ENCOUNTER: &str = include_str!("new/encounter.toml");
/// A longer name is a sentence.
const NAME_BYTES_MAX: usize = 60;
/// The front of the `$id` of every schema of a file.
const SCHEMA_ID: &str = "urn:twicetold:file:";

/// Writes a small campaign of your own, to change as you like
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Campaign(Campaign),
}

/// Writes a campaign with one encounter that can be played as it is
///
/// Rules, prompts and models are those of the program, until you put files of your own beside them (`init` writes them all).
#[derive(clap::Args)]
struct Campaign {
    /// Its name: lower-case letters, digits and single hyphens, for example the-cold-oven
    name: String,

    /// The folder for campaigns/NAME.toml and encounters/NAME.toml [default: ./NAME]
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Command::Campaign(Campaign { name, to }) = &arguments.command;
    if !is_name(name) {
        let message = format!("{name:?} cannot be the name of a campaign");
        let help = match suggested(name) {
            name if is_name(&name) => format!("use lower-case letters, digits and single hyphens: {name}"),
            _ => "use lower-case letters, digits and single hyphens".to_owned(),
        };
        return Err(Failure::new(code::USAGE, message, help));
    }
    let folder = to.clone().unwrap_or_else(|| PathBuf::from(name));
    // The campaign last: once it is there, all is.
    let files = [("encounters", ENCOUNTER), ("campaigns", CAMPAIGN)].map(|(kind, text)| {
        let below = format!("{kind}/{name}.toml");
        let text = headed(&below, named(text, name).as_bytes()).into_owned();
        (folder.join(&below), String::from_utf8_lossy(&text).into_owned())
    });
    let schemas = ["encounters/NAME.toml", "campaigns/NAME.toml"].into_iter().filter_map(FileSchema::at);
    let schemas: Vec<(PathBuf, &str)> =
        schemas.map(|schema| (folder.join(schema.path()), schema.text())).collect();
    for (path, _) in &schemas {
        // Another campaign's, or that of another version, is the program's own and is written again.
        let is_foreign = |text: std::io::Result<String>| text.map_or(true, |text| !text.contains(SCHEMA_ID));
        if path.exists() && is_foreign(std::fs::read_to_string(path)) {
            let message = format!("{} is another file: nothing was written", path.display());
            return Err(Failure::new(code::USAGE, message, "choose another folder with --to"));
        }
    }
    for (path, text) in &files {
        // What another `new` wrote before it was stopped is gone on with.
        if path.exists() && std::fs::read_to_string(path).ok().as_ref() != Some(text) {
            let message = format!("{} exists already: nothing was written", path.display());
            return Err(Failure::new(
                code::USAGE,
                message,
                "choose another name, or another folder with --to",
            ));
        }
    }
    for (path, text) in &schemas {
        write(path, text)?;
    }
    for (path, text) in &files {
        write(path, text)?;
    }
    let [(encounter, _), (campaign, _)] = &files;
    print(&format!(
        "{name} is written:\n  {}  what it is about\n  {}  its people, goals and checks\n  {}  for an editor that reads \
         #:schema lines\n\nNext:\n  twicetold lint {}  \
         finds mistakes, with file and line\n  twicetold run {}  plays it\n",
        campaign.display(),
        encounter.display(),
        folder.join("schemas").display(),
        folder.display(),
        campaign.display(),
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = std::fs::create_dir_all(folder).and_then(|()| whole::write(path, text.as_bytes()));
    written.map_err(|error| Error::unwritable(path, &error, "choose another folder with --to").into())
}

/// A text of the template with the campaign's own name and title.
fn named(text: &str, name: &str) -> String {
    let mut words = name.replace('-', " ");
    words.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
    text.replace("my-campaign", name).replace("My Campaign", &words)
}

fn is_name(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    name.len() <= NAME_BYTES_MAX && name.split('-').all(is_part)
}

/// What was probably meant.
fn suggested(name: &str) -> String {
    let lower = name.trim_end_matches(".toml").to_lowercase();
    let parts = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}
