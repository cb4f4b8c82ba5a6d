//! What is wrong with `models.toml`.

use twicetold_event::Seat;
use twicetold_world::setup::{Finding, Severity, Step, locate, plain_message};

use crate::configuration::{Configuration, MODELS};
use crate::seats::Models;
use crate::words::did_you_mean;

/// What the help of most findings points at.
const HELP: &str = "the README.md in the configuration folder describes every field; `twicetold init DIR` writes a models.toml that works";

/// All findings in the file: whatever `run` and `models` would refuse, and names that lead nowhere.
pub fn findings(configuration: &Configuration) -> Vec<Finding> {
    let text = configuration.text(MODELS).cloned().unwrap_or_default();
    let table = match text.parse::<toml::Table>() {
        Ok(table) => table,
        Err(parse) => return vec![unreadable(&parse, "fix the line")],
    };
    let entries = table.get("model").and_then(toml::Value::as_table);
    let is_entry = |name: &str| entries.is_some_and(|entries| entries.contains_key(name));
    match Models::parse(&text) {
        Ok(models) => {
            let mut found = unusable(&models, &text);
            found.extend(names(&table, &text, |name| is_entry(name) || models.find(name).is_ok()));
            found
        }
        Err(parse) => {
            let mut found = vec![unreadable(&parse, HELP)];
            found.extend(names(&table, &text, is_entry));
            found
        }
    }
}

fn unreadable(parse: &toml::de::Error, help: &str) -> Finding {
    let span = parse.span().map(|span| (span.start, span.end));
    let (severity, path, rule) = (Severity::Error, MODELS.to_owned(), "unreadable");
    Finding { severity, rule, path, span, message: plain_message(parse.message()), help: help.to_owned() }
}

fn finding(rule: &'static str, text: &str, steps: &[Step<'_>], message: String, help: String) -> Finding {
    let (severity, path, span) = (Severity::Error, MODELS.to_owned(), locate(text, steps));
    Finding { severity, rule, path, span, message, help }
}

/// Models that no seat could be played by. Whether a key is set is the environment's concern.
fn unusable(models: &Models, text: &str) -> Vec<Finding> {
    let problem = |name: &str| match models.profile(name) {
        Ok(profile) => crate::seats::problem(&profile),
        Err(problem) => Some(problem),
    };
    let found = models.names().filter_map(|name| {
        let message = format!("the model {name:?} cannot be used: {}", problem(name)?);
        let steps = [Step::Key("model"), Step::Key(name)];
        Some(finding("unusable_model", text, &steps, message, HELP.to_owned()))
    });
    found.collect()
}

/// Names of models and seats that do not exist.
fn names(table: &toml::Table, text: &str, is_model: impl Fn(&str) -> bool) -> Vec<Finding> {
    let inner = |name: &str| table.get(name).and_then(toml::Value::as_table).cloned().unwrap_or_default();
    let (models, seats) = (inner("model"), inner("seat"));
    let known = || models.keys().map(String::as_str);
    let help = |name: &str| {
        format!("{}the models are {}", did_you_mean(known(), name), known().collect::<Vec<_>>().join(", "))
    };
    let mut found = Vec::new();
    // A name that is missing or no text was told of where the file was read.
    if let Some(default) = table.get("default").and_then(toml::Value::as_str)
        && !is_model(default)
    {
        let message = format!("default names the model {default:?}, which does not exist");
        found.push(finding("unknown_model", text, &[Step::Key("default")], message, help(default)));
    }
    let chairs = chairs();
    for (seat, model) in &seats {
        let steps = [Step::Key("seat"), Step::Key(seat)];
        if let Some(model) = model.as_str()
            && !is_model(model)
        {
            let message = format!("the seat {seat:?} names the model {model:?}, which does not exist");
            found.push(finding("unknown_model", text, &steps, message, help(model)));
        }
        if !chairs.contains(seat) {
            let message = format!("there is no seat {seat:?}");
            let help = format!("the seats are {}", chairs.join(", "));
            found.push(finding("unknown_seat", text, &steps, message, help));
        }
    }
    found
}

/// The seats that `[seat]` may name.
pub(crate) fn chairs() -> Vec<String> {
    let players = (1..=twicetold_event::limits::PLAYERS_MAX).map(Seat::Player);
    let chairs = [Seat::Dm, Seat::Memory].into_iter().chain(players).map(|seat| seat.slug());
    chairs.chain(["players".to_owned()]).collect()
}
