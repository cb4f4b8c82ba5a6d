//! `history`: every value that a fact had, and since when. `bisect`: the first number at which it had a certain one.

use std::collections::BTreeSet;
use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_journal::Source;
use twicetold_session::{Change, FactValue, facts, history, load_to};

use crate::data::{self, Bisect, Fields, History, campaign_of};
use crate::failure::{Failure, code};
use crate::pager::page;
use crate::terminal::{BOLD, EFFECT, did_you_mean, print, short};

/// Lists every value of a state field
///
/// Each value stands with the sequence number of the event that set it.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, `last`, or a file
    id: String,

    /// A state field or a path prefix, for example npcs.wren-pellow.trust or trust:wren-pellow [default: list
    /// all fields]
    path: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Finds the first number at which a condition on a field holds
#[derive(clap::Args)]
pub struct BisectArguments {
    /// A prefix of a campaign's id, `last`, or a file
    id: String,

    /// A state field, one of = (or ==) != < <= > >=, and a value, for example 'npcs.wren-pellow.trust >= 10'
    predicate: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `history`.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let source = library.source(&arguments.id)?;
    let Some(path) = &arguments.path else {
        let known = facts(&load_to(source.as_ref(), None)?.campaign);
        let line = |(path, value): (&String, &FactValue)| {
            format!("{path} = {BOLD}{}{BOLD:#}\n", short(&value.to_string(), 60))
        };
        let text = match arguments.json {
            true => data::of(campaign_of(source.as_ref())?, Fields { fields: known }),
            false => known.iter().map(line).collect(),
        };
        page(&text)?;
        return Ok(ExitCode::SUCCESS);
    };
    let path = known_path(source.as_ref(), path)?;
    let changes = history(source.as_ref(), &path, |_| false)?;
    if changes.is_empty() {
        return Err(unknown(source.as_ref(), &path));
    }
    let text = match arguments.json {
        true => data::of(campaign_of(source.as_ref())?, History { path, changes }),
        false => changes.iter().map(line).collect(),
    };
    page(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The path of a fact that may be written the other way round, the field before its owner: `trust:wren-pellow`, `gold:Merrin`.
fn known_path(source: &dyn Source, path: &str) -> Result<String, Failure> {
    let Some((field, owner)) = path.split_once(':') else { return Ok(path.to_owned()) };
    let known = facts(&load_to(source, None)?.campaign);
    let (field, owner) = (spelled(field), spelled(owner));
    // Who has a name may be meant by it, or by the first word of it.
    let named = |(path, value): (&String, &FactValue)| {
        let value = &value.to_string();
        let holder = path.strip_suffix(".name")?;
        (spelled(value) == owner || first_word(value) == owner).then(|| format!("{holder}."))
    };
    let holders: Vec<String> = known.iter().filter_map(named).collect();
    let is_meant = |path: &&String| {
        let parts: Vec<&str> = path.split('.').collect();
        let is_field = |place: usize| parts.get(place + 1).is_some_and(|part| spelled(part) == field);
        let by_key = parts.iter().position(|part| spelled(part) == owner).is_some_and(is_field);
        let rest = || holders.iter().find_map(|holder| path.strip_prefix(holder.as_str()));
        by_key || rest().is_some_and(|rest| spelled(rest.split('.').next().unwrap_or(rest)) == field)
    };
    let found = known.keys().find(is_meant).ok_or_else(|| unknown(source, path))?;
    // All below the field, where it has parts of its own.
    let parts: Vec<&str> = found.split('.').collect();
    let place = parts.iter().rposition(|part| spelled(part) == field).unwrap_or(parts.len() - 1);
    Ok(parts[..=place].join("."))
}

/// A name without what people write differently.
fn spelled(name: &str) -> String {
    let name: String = name.trim().to_lowercase().replace([' ', '_'], "-");
    if name == "hp" { "hit-points".to_owned() } else { name }
}

fn first_word(name: &str) -> String {
    name.split_whitespace().next().unwrap_or_default().to_lowercase()
}

fn line(change: &Change) -> String {
    let value =
        change.value.as_ref().map_or_else(|| "gone".to_owned(), |value| short(&value.to_string(), 160));
    format!("{EFFECT}#{:<7}{EFFECT:#} {} = {BOLD}{value}{BOLD:#}\n", change.number, change.path)
}

fn unknown(source: &dyn Source, path: &str) -> Failure {
    let known = load_to(source, None).map(|loaded| facts(&loaded.campaign)).unwrap_or_default();
    // As many parts of each path as were typed.
    let parts = path.split('.').count();
    let front = |path: &String| path.split('.').take(parts).collect::<Vec<_>>().join(".");
    let fronts: BTreeSet<String> = known.keys().map(front).collect();
    let near = did_you_mean(fronts.iter().map(String::as_str), path);
    let message = format!("no state field is named {path:?}, and none lies below it");
    Failure::new(code::MISSING, message, format!("{near}`twicetold history ID` lists the state fields"))
}

/// Runs `bisect`.
pub fn bisect(library: &Library, arguments: &BisectArguments) -> Result<ExitCode, Failure> {
    let source = library.source(&arguments.id)?;
    let mut predicate = Predicate::read(&arguments.predicate)?;
    predicate.path = known_path(source.as_ref(), &predicate.path)?;
    let changes = history(source.as_ref(), &predicate.path, |change| predicate.holds(change))?;
    let Some(found) = changes.last().filter(|change| predicate.holds(change)) else {
        if changes.is_empty() {
            return Err(unknown(source.as_ref(), &predicate.path));
        }
        predicate.compares(&changes)?;
        let message = format!("the condition {} is never true", arguments.predicate.trim());
        let help = format!("`twicetold history {} {}` shows what it was", arguments.id, predicate.path);
        return Err(Failure::new(code::MISSING, message, help));
    };
    print(&match arguments.json {
        true => data::of(campaign_of(source.as_ref())?, Bisect(found.clone())),
        false => line(found),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// `PATH OPERATOR VALUE`.
struct Predicate {
    path: String,
    operator: &'static str,
    value: String,
}

impl Predicate {
    fn read(text: &str) -> Result<Predicate, Failure> {
        // The longer ones first: `<=` is no `<` with a value that begins with an equals sign.
        let operators = ["==", "!=", "<=", ">=", "=", "<", ">"];
        let place = |operator: &'static str| text.find(operator).map(|at| (at, operator));
        let found =
            operators.into_iter().filter_map(place).min_by_key(|(at, operator)| (*at, 2 - operator.len()));
        let parts =
            found.map(|(at, operator)| (text[..at].trim(), operator, text[at + operator.len()..].trim()));
        // A value in quotation marks may be empty, or begin as an operator does.
        let is_value = |value: &str| !value.is_empty() && !value.starts_with(['=', '<', '>', '!']);
        let whole = parts.filter(|(path, _, value)| !path.is_empty() && is_value(value));
        let read = whole.map(|(path, operator, value)| Predicate {
            path: path.to_owned(),
            operator: if operator == "==" { "=" } else { operator },
            value: value.trim_matches('"').to_owned(),
        });
        read.ok_or_else(|| {
            let message = format!("{text:?} is not understood");
            Failure::new(code::USAGE, message, "write a state field, one of = != < <= > >=, and a value")
        })
    }

    /// Says so where a number is to be less or more than what is no number.
    fn compares(&self, changes: &[Change]) -> Result<(), Failure> {
        let of_path = changes.iter().filter(|change| change.path == self.path);
        let mut values = of_path.filter_map(|change| change.value.as_ref()).peekable();
        let is_order = self.operator.starts_with(['<', '>']);
        let are_numbers =
            values.peek().is_some() && values.all(|value| matches!(value, FactValue::Number(_)));
        if !is_order || !are_numbers || self.value.parse::<i64>().is_ok() {
            return Ok(());
        }
        let message = format!("{} is a number, and {:?} is none", self.path, self.value);
        Err(Failure::new(code::USAGE, message, "compare it with a number"))
    }

    fn holds(&self, change: &Change) -> bool {
        let Some(value) = change.value.as_ref().filter(|_| change.path == self.path) else { return false };
        // Words are neither less nor more than a number.
        let is_order = self.operator.starts_with(['<', '>']);
        if is_order && matches!(value, FactValue::Number(_)) && self.value.parse::<i64>().is_err() {
            return false;
        }
        let value = value.to_string();
        let order = match (value.parse::<i64>(), self.value.parse::<i64>()) {
            (Ok(value), Ok(wanted)) => value.cmp(&wanted),
            _ => value.as_str().cmp(self.value.as_str()),
        };
        match self.operator {
            "=" => order.is_eq(),
            "!=" => order.is_ne(),
            "<" => order.is_lt(),
            "<=" => order.is_le(),
            ">" => order.is_gt(),
            _ => order.is_ge(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_predicate_is_a_fact_a_comparison_and_a_value() {
        let change = |value: &str| Change {
            number: 3,
            path: "npcs.a.trust".into(),
            value: Some(FactValue::Text(value.into())),
        };
        let holds =
            |text: &str, value: &str| Predicate::read(text).is_ok_and(|read| read.holds(&change(value)));
        assert!(holds("npcs.a.trust >= 10", "10") && !holds("npcs.a.trust>=10", "9"));
        assert!(holds("npcs.a.trust < 10", "-9") && holds("npcs.a.trust != 1", "2"));
        assert!(holds("npcs.a.trust = \"dead\"", "dead") && !holds("npcs.b.trust = 1", "1"));
        assert!(holds("npcs.a.trust == 10", "10") && !holds("npcs.a.trust==10", "9"));
        for junk in ["nothing", " = 1", "npcs.a.trust =", "npcs.a.trust === 1", "npcs.a.trust =< 1"] {
            assert!(Predicate::read(junk).is_err(), "{junk}");
        }
    }
}
