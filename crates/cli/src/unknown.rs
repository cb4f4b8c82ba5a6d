//! A command that does not exist: which one was probably meant, in the words of other programs too, and what this build is without. And a
//! number that cannot be: which can.

use std::num::{IntErrorKind, ParseIntError};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command};
use twicetold_host::words::near;

use crate::failure::{Failure, code};

/// Words that other programs have for something, and the commands that do it here.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("begin", &["run"]),
    ("browser", &["serve"]),
    ("branch", &["fork"]),
    ("campaigns", &["list"]),
    ("cat", &["show"]),
    ("check", &["lint"]),
    ("characters", &["show"]),
    ("clone", &["copy", "fork"]),
    ("compare", &["diff"]),
    ("config", &["init", "models"]),
    ("continue", &["resume"]),
    ("cost", &["show"]),
    ("create", &["new"]),
    ("del", &["rm"]),
    ("delete", &["rm"]),
    ("events", &["log"]),
    ("experiment", &["sweep"]),
    ("explain", &["why"]),
    ("follow", &["watch"]),
    ("goals", &["show", "why"]),
    ("html", &["report"]),
    ("info", &["show", "list"]),
    ("join", &["play"]),
    ("load", &["import"]),
    ("logs", &["log"]),
    ("ls", &["list"]),
    ("memory", &["show"]),
    ("npcs", &["show"]),
    ("open", &["show", "serve"]),
    ("party", &["show"]),
    ("print", &["show"]),
    ("ps", &["list"]),
    ("rank", &["bench"]),
    ("remove", &["rm"]),
    ("rename", &["label"]),
    ("save", &["export"]),
    ("server", &["serve"]),
    ("sign", &["attest"]),
    ("start", &["run"]),
    ("stats", &["show"]),
    ("status", &["show", "list"]),
    ("tail", &["watch", "log"]),
    ("tag", &["label"]),
    ("transcript", &["show"]),
    ("ui", &["serve"]),
    ("validate", &["lint"]),
    ("view", &["show"]),
    ("web", &["serve"]),
];

/// Commands that a build may be without, and the feature that brings each.
const FEATURES: [(&str, &str); 3] = [("trace", "otel"), ("serve", "serve"), ("mcp", "mcp")];

/// The command that was typed, where there is none of this name.
fn typed(error: &clap::Error) -> Option<&str> {
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(typed))) => Some(typed),
        _ => None,
    }
}

/// What to say of a command that another build has; nothing of any other mistake.
pub fn failure(error: &clap::Error, program: &Command) -> Option<Failure> {
    let typed = typed(error)?;
    let (command, feature) = FEATURES.into_iter().find(|(command, _)| *command == typed)?;
    if program.find_subcommand(command).is_some() {
        return None;
    }
    let message = format!(
        "this build is without `{command}`; `cargo install --path crates/cli --features {feature}` installs one that has it"
    );
    Some(Failure::new(code::USAGE, message, ""))
}

/// The same error with the commands that were probably meant. `again` reads the same command line as far as it goes.
pub fn with_tips(
    mut error: clap::Error,
    program: &Command,
    again: impl FnOnce() -> Option<ArgMatches>,
) -> clap::Error {
    let Some(typed) = typed(&error).map(str::to_owned) else { return error };
    // Below which command it was typed.
    let (mut at, matches) = (program, again());
    let mut level = matches.as_ref();
    while let Some((name, below)) = level.and_then(ArgMatches::subcommand) {
        let Some(command) = at.find_subcommand(name) else { break };
        (at, level) = (command, Some(below));
    }
    let names: Vec<&str> = at.get_subcommands().map(Command::get_name).collect();
    let is_near = near(names.iter().copied(), &typed).is_some();
    if let Some(line) = without_its_command(at.get_name(), &typed).filter(|_| !is_near) {
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![line.into()]));
        return error;
    }
    let meant = SYNONYMS.iter().find(|(word, _)| *word == typed).map(|(_, meant)| *meant);
    let meant: Vec<&str> =
        meant.unwrap_or_default().iter().copied().filter(|one| names.contains(one)).collect();
    let has_near = error.get(ContextKind::SuggestedSubcommand).is_some();
    let meant = match (meant.is_empty(), has_near) {
        (false, _) => meant,
        (true, true) => return error,
        (true, false) => near(names, &typed).into_iter().collect(),
    };
    if !meant.is_empty() {
        let meant = meant.into_iter().map(str::to_owned).collect();
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(meant));
    }
    error
}

/// What to type where the name of a campaign or of a plan stands in the place of a command.
fn without_its_command(above: &str, typed: &str) -> Option<String> {
    match above {
        "new" => Some(format!("to write a campaign of this name, type 'twicetold new campaign {typed}'")),
        "sweep" if typed.ends_with(".toml") => {
            Some(format!("to play the campaigns of this plan, type 'twicetold sweep run {typed}'"))
        }
        _ => None,
    }
}

/// An error about a number, with what it has to be and not with what its parser met.
pub fn with_plain_reason(error: clap::Error) -> clap::Error {
    let texts = [ContextKind::InvalidValue, ContextKind::InvalidArg].map(|kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    });
    let ([Some(value), Some(argument)], ErrorKind::ValueValidation) = (texts, error.kind()) else {
        return error;
    };
    let Some(source) = std::error::Error::source(&error) else { return error };
    let reason = match source.downcast_ref::<ParseIntError>() {
        Some(why) if *why.kind() == IntErrorKind::PosOverflow => "it is too large".to_owned(),
        Some(_) => "it has to be a whole number, 0 or more".to_owned(),
        None => {
            match source.to_string().split_once(" is not in ").and_then(|(_, range)| range.split_once("..")) {
                Some((least, "")) => format!("it has to be a whole number from {least} on"),
                Some((least, most)) => {
                    format!("it has to be a whole number from {least} to {}", most.trim_start_matches('='))
                }
                None => return error,
            }
        }
    };
    let message = format!(
        "invalid value '{value}' for '{argument}': {reason}\n\nFor more information, try '--help'.\n"
    );
    clap::Error::raw(error.kind(), message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn a_synonym_is_no_command_itself_and_means_one() {
        let program = crate::Arguments::command();
        for (word, meant) in SYNONYMS {
            assert!(program.find_subcommand(word).is_none(), "{word}");
            for command in *meant {
                let is_left_out = FEATURES.iter().any(|(name, _)| name == command);
                assert!(is_left_out || program.find_subcommand(command).is_some(), "{command}");
            }
        }
        assert!(SYNONYMS.iter().all(|(_, meant)| (1..=2).contains(&meant.len())));
    }

    #[test]
    fn a_build_says_which_command_it_is_without_and_how_to_get_it() {
        let without = Command::new("twicetold").subcommand(Command::new("tree")).subcommand_required(true);
        let error = without.clone().try_get_matches_from(["twicetold", "trace", "last"]).unwrap_err();
        let said = failure(&error, &without).expect("a failure").line();
        assert!(said.contains("without `trace`") && said.contains("--features otel"), "{said}");
        let error = without.clone().try_get_matches_from(["twicetold", "tre"]).unwrap_err();
        assert!(failure(&error, &without).is_none());
        let with = without.clone().subcommand(Command::new("trace"));
        let error = without.try_get_matches_from(["twicetold", "trace"]).unwrap_err();
        assert!(failure(&error, &with).is_none());
    }
}
