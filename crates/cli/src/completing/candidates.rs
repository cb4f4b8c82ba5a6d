//! What can stand for an argument.

use std::ffi::OsStr;

use clap_complete::engine::{CompletionCandidate, PathCompleter, ValueCompleter};
use twicetold_event::{CampaignId, Seat, limits};
use twicetold_host::bundle::BUNDLED;
use twicetold_host::configuration::Configuration;
use twicetold_host::seats::Models;
use twicetold_host::{Library, at_once, seats_at, sweeping};

use super::typed::Typed;
use crate::names::Name;
use crate::terminal::short;

/// Campaigns that are looked at: more than a screen holds, and few enough that nobody notices that their files are opened.
const CAMPAIGNS_MAX: usize = 50;
/// Names that are offered of one kind.
const NAMES_MAX: usize = 200;
/// Digits of an id that lists show.
const DIGITS: usize = 8;
/// Characters of a text beside a candidate.
const TEXT: usize = 80;

/// Makes candidates of what was typed and of the word that is completed.
pub type Values = fn(&Typed, &OsStr) -> Vec<CompletionCandidate>;

/// How the values of an argument of a command are found; nothing where clap knows them, or nobody does.
pub fn of(command: &str, argument: &str) -> Option<Values> {
    Some(match (command, argument) {
        ("audit", "id") => |typed, current| with_files(ids(typed, current), current, |_| true),
        ("rm" | "label" | "play" | "resume" | "undo" | "watch" | "rebuild", "id" | "ids") => ids,
        (_, "ids") | ("run", "party") | ("mcp" | "show", "campaign") => ids,
        (_, "id" | "one" | "other") => |typed, current| with_files(ids(typed, current), current, is_journal),
        (_, "campaign") => |_, current| with_files(bundled(current), current, has_end("toml")),
        ("lint", "path") | (_, "plan") => |_, current| with_files(Vec::new(), current, has_end("toml")),
        ("list", "model") | ("models", "name") | ("bench", "models" | "with") => models,
        (_, "model") => models_of_seats,
        (_, "rules") => packs,
        ("play", "seat") => |typed, current| seats(typed, current, true),
        (_, "seat") => |typed, current| seats(typed, current, false),
        ("why" | "why-not", "names" | "name") => explained,
        ("schema", "name") => |typed, current| named((typed.known.forms)(), current),
        ("list", "label") => labels,
        ("history", "path") | ("bisect", "predicate") => fields,
        (_, "output" | "file") => |_, current| files(current),
        ("show", "name") | ("diff", "a" | "b") => sweeps,
        (_, "data" | "config" | "against" | "attest" | "to" | "folder") => |_, current| folders(current),
        _ => return None,
    })
}

/// Those of the names that begin as it was typed.
fn named(names: impl IntoIterator<Item = Name>, current: &OsStr) -> Vec<CompletionCandidate> {
    let typed = current.to_string_lossy();
    let begins = |name: &Name| name.name.starts_with(&*typed) && !name.name.contains(char::is_control);
    let names = names.into_iter().filter(begins).take(NAMES_MAX);
    names.map(|name| CompletionCandidate::new(name.name).help(text(&name.about))).collect()
}

fn text(about: &str) -> Option<clap::builder::StyledStr> {
    Some(short(about, TEXT)).filter(|text| !text.is_empty()).map(Into::into)
}

/// The campaigns, those first that were written last, and `last`.
fn ids(typed: &Typed, current: &OsStr) -> Vec<CompletionCandidate> {
    let Some(library) = typed.library() else { return Vec::new() };
    let digits = current.len().max(DIGITS);
    let known_at_all = at_once::newest(&library, CAMPAIGNS_MAX);
    let known = known_at_all.iter().map(|id| (*id, id.to_string().chars().take(digits).collect::<String>()));
    let begins = |name: &str| name.starts_with(&*current.to_string_lossy());
    let known: Vec<(CampaignId, String)> = known.filter(|(_, name)| begins(name)).collect();
    let title = |id: CampaignId| match typed.has_texts {
        true => titled(&library, id),
        false => String::new(),
    };
    let last = Name::new("last", "the newest campaign");
    // To delete a campaign needs its id.
    let takes_last = typed.command() != "rm" && !known_at_all.is_empty();
    let last = Some(last).filter(|_| takes_last);
    named(last.into_iter().chain(known.into_iter().map(|(id, name)| Name::new(name, title(id)))), current)
}

fn titled(library: &Library, id: CampaignId) -> String {
    let title = at_once::title(library, id).unwrap_or_default();
    let label = library.label(id).read();
    label.map_or_else(|| title.clone(), |label| format!("{title} [{label}]"))
}

/// The same with files, whose names are offered below those of folders only once something was typed.
fn with_files(
    mut others: Vec<CompletionCandidate>,
    current: &OsStr,
    is_wanted: impl Fn(&std::path::Path) -> bool + Send + Sync + 'static,
) -> Vec<CompletionCandidate> {
    let files = PathCompleter::any().filter(move |path| path.is_file() && is_wanted(path)).complete(current);
    let is_folder =
        |file: &CompletionCandidate| file.get_value().to_string_lossy().ends_with(std::path::is_separator);
    others.extend(files.into_iter().filter(|file| !current.is_empty() || !is_folder(file)).take(NAMES_MAX));
    others
}

fn files(current: &OsStr) -> Vec<CompletionCandidate> {
    PathCompleter::file().complete(current).into_iter().take(NAMES_MAX).collect()
}

fn folders(current: &OsStr) -> Vec<CompletionCandidate> {
    PathCompleter::dir().complete(current).into_iter().take(NAMES_MAX).collect()
}

fn has_end(end: &'static str) -> impl Fn(&std::path::Path) -> bool + Send + Sync + 'static {
    move |path| path.extension().is_some_and(|own| own == end)
}

fn is_journal(path: &std::path::Path) -> bool {
    has_end("twicetold")(path) || has_end("redb")(path)
}

fn bundled(current: &OsStr) -> Vec<CompletionCandidate> {
    let bundled = Configuration::bundled();
    named(bundled.campaigns().into_iter().map(|id| Name::new(&id, bundled.title(&id))), current)
}

/// The models of models.toml.
fn known_models(typed: &Typed) -> Vec<Name> {
    let Ok(models) = Models::of(typed.config().as_deref()) else { return Vec::new() };
    let about = |name: &str| match models.profile(name) {
        Ok(profile) if profile.setup.model.is_empty() || profile.setup.model == profile.provider => {
            profile.provider
        }
        Ok(profile) => format!("{}, {}", profile.provider, profile.setup.model),
        Err(_) => String::new(),
    };
    models.names().map(|name| Name::new(name, about(name))).collect()
}

fn models(typed: &Typed, current: &OsStr) -> Vec<CompletionCandidate> {
    named(known_models(typed), current)
}

/// Models, and with the front of a seat the models of that seat.
fn models_of_seats(typed: &Typed, current: &OsStr) -> Vec<CompletionCandidate> {
    let models = known_models(typed);
    let of_seat = |seat: &String| {
        let of = |model: &Name| Name::new(format!("{seat}={}", model.name), &model.about);
        models.iter().map(of).collect::<Vec<_>>()
    };
    let seats = [Seat::Dm, Seat::Memory].into_iter().chain((1..=limits::PLAYERS_MAX).map(Seat::Player));
    let seats: Vec<String> = seats.map(|seat| seat.slug()).chain(["players".to_owned()]).collect();
    // Seven times as many would bury those that most people want.
    let of_seats = if current.is_empty() { Vec::new() } else { seats.iter().flat_map(of_seat).collect() };
    let mut found = named(of_seats, current);
    found.splice(0..0, named(models, current));
    found
}

/// The rules packs.
fn packs(typed: &Typed, current: &OsStr) -> Vec<CompletionCandidate> {
    let name = |path: &std::path::Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let own =
        BUNDLED.below("rules").filter_map(|(path, _)| Some(path.strip_suffix("/pack.toml")?.to_owned()));
    let imported = typed.library().and_then(|library| std::fs::read_dir(library.data().join("rules")).ok());
    let imported = imported.into_iter().flatten().flatten().filter_map(|folder| name(&folder.path()));
    let imported = imported.filter(|name| !name.starts_with('.')).take(NAMES_MAX);
    let own = own.map(|name| Name::new(name, "in the program"));
    named(own.chain(imported.map(|name| Name::new(name, "imported"))), current)
}

/// The seats that a person can take: of a campaign those that it has, with their characters.
fn seats(typed: &Typed, current: &OsStr, of_campaign: bool) -> Vec<CompletionCandidate> {
    let loaded = || {
        let library = typed.library().filter(|_| of_campaign)?;
        at_once::load(&library, typed.text("id")?, CAMPAIGNS_MAX)
    };
    let any = || {
        let seats = [Seat::Dm].into_iter().chain((1..=limits::PLAYERS_MAX).map(Seat::Player));
        seats.map(|seat| seat.slug()).collect()
    };
    let seats: Vec<String> = loaded().map_or_else(any, |(_, loaded)| seats_at(loaded.campaign.state()));
    let name = |seat: &String| {
        let (slug, character) = seat.split_once(" (").unwrap_or((seat, ""));
        Name::new(slug, character.trim_end_matches(')'))
    };
    named(seats.iter().map(name), current)
}

/// What can be explained of the campaign that is named.
fn explained(typed: &Typed, current: &OsStr) -> Vec<CompletionCandidate> {
    let found = || {
        let library = typed.library().filter(|_| !typed.has("names") && !typed.has("name"))?;
        let (source, loaded) = at_once::load(&library, typed.text("id")?, CAMPAIGNS_MAX)?;
        match typed.command() {
            "why-not" => (typed.known.rejected)(&*source, &loaded).ok(),
            _ => (typed.known.causes)(typed.kind()?, &*source, &loaded).ok(),
        }
    };
    named(found().unwrap_or_default(), current)
}

/// The state fields of the campaign that is named, a part of their paths at a time; none in a campaign that a person plays, where the mere
/// names of goals and people may be secrets.
fn fields(typed: &Typed, current: &OsStr) -> Vec<CompletionCandidate> {
    let found = || {
        let library = typed.library()?;
        let (source, loaded) = at_once::load(&library, typed.text("id")?, CAMPAIGNS_MAX)?;
        let is_hidden = at_once::has_secrets(&*source, &loaded);
        (!is_hidden).then(|| twicetold_session::facts(&loaded.campaign))
    };
    let typed = current.to_string_lossy();
    let known = found().unwrap_or_default();
    let matching = known.keys().filter(|path| path.starts_with(&*typed));
    // As far as the next dot behind what was typed.
    let part = |path: &String| match path[typed.len()..].find('.') {
        Some(dot) => path[..=typed.len() + dot].to_owned(),
        None => path.clone(),
    };
    let mut parts: Vec<String> = matching.map(part).collect();
    parts.dedup();
    let value = |part: &String| known.get(part).map(ToString::to_string).unwrap_or_default();
    named(parts.iter().map(|part| Name::new(part, value(part))), current)
}

/// The labels of the campaigns.
fn labels(typed: &Typed, current: &OsStr) -> Vec<CompletionCandidate> {
    let Some(library) = typed.library() else { return Vec::new() };
    let known = at_once::newest(&library, CAMPAIGNS_MAX).into_iter();
    let mut labels: Vec<String> = known.filter_map(|id| library.label(id).read()).collect();
    labels.sort();
    labels.dedup();
    named(labels.into_iter().map(|label| Name::new(label, "")), current)
}

/// The sweeps that were run.
fn sweeps(typed: &Typed, current: &OsStr) -> Vec<CompletionCandidate> {
    let sweeps = typed.library().map(|library| sweeping::list(&library)).unwrap_or_default();
    named(sweeps.into_iter().map(|name| Name::new(name, "")), current)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, CommandFactory};

    /// Each command's arguments that take a value, by the command's name.
    fn arguments(command: &Command) -> Vec<(String, clap::Arg)> {
        let own = command.get_arguments().filter(|one| one.get_action().takes_values());
        let own = own.map(|one| (command.get_name().to_owned(), one.clone()));
        own.chain(command.get_subcommands().flat_map(arguments)).collect()
    }

    #[test]
    fn every_argument_that_names_a_campaign_a_model_or_a_folder_is_completed() {
        for (command, argument) in arguments(&crate::Arguments::command()) {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default().to_lowercase();
            let is_folder = argument.get_value_names().is_some_and(|names| names[0] == "DIR");
            let is_named = [
                "prefix of",
                "prefixes of",
                "bundled campaign",
                "name in models.toml",
                "names in models.toml",
            ];
            if is_folder || is_named.iter().any(|words| help.contains(words)) {
                let name = argument.get_id().as_str();
                assert!(of(&command, name).is_some(), "{command} {name}: {help}");
            }
        }
    }
}
