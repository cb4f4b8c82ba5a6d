//! `schema`: what stands in the JSON that commands print, for programs, and in the files that people write, for their editors.

use std::process::ExitCode;

use clap::CommandFactory;
use serde_json::{Value, json};
use twicetold_host::schemas;

use crate::data::{self, FORMS};
use crate::failure::{Failure, code};
use crate::names::{Name, listed};
use crate::pager::{page, page_as_it_is};
use crate::terminal::{DIM, did_you_mean};

/// Prints the JSON Schema of a form of output or of a file
///
/// Every line and document that commands print as JSON names its form in the field `form`. Without a name it
/// lists the forms and the files. The name of a command stands for the forms that it prints. The schemas of forms are of draft 2020-12; those of files are of draft 7, which more
/// editors read.
#[derive(clap::Args)]
pub struct Arguments {
    /// The name of a form, a file or a command [default: list them]
    name: Option<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Some(name) = &arguments.name else {
        let names: Vec<Name> = FORMS.iter().map(|form| Name::new(form.name, form.about)).collect();
        let files: Vec<Name> = schemas::FILES.iter().map(|file| Name::new(file.name, file.about)).collect();
        page(&format!(
            "Forms of output:\n{}Files that you write:\n{}{DIM}`twicetold schema log` prints the JSON Schema of one of \
             them.{DIM:#}\n",
            listed(&names),
            listed(&files)
        ))?;
        return Ok(ExitCode::SUCCESS);
    };
    if let Some(file) = schemas::FILES.iter().find(|file| file.name == name) {
        page_as_it_is(file.text())?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(schema) =
        FORMS.iter().find(|form| form.name == name).and_then(data::schema).or_else(|| of_command(name))
    else {
        let files = schemas::FILES.iter().map(|file| file.name);
        let near = match files.clone().find(|file| file.strip_suffix(".toml") == Some(name)) {
            Some(file) => format!("did you mean {file:?}? "),
            None => {
                let commands = commands();
                let commands = commands.iter().map(String::as_str);
                did_you_mean(FORMS.iter().map(|form| form.name).chain(files).chain(commands), name)
            }
        };
        let help = format!(
            "{near}`twicetold schema` lists the forms and the files; the name of a command is one, too"
        );
        return Err(Failure::new(code::MISSING, format!("there is no form {name:?}"), help));
    };
    page_as_it_is(&format!("{schema:#}\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// The commands that print forms.
fn commands() -> Vec<String> {
    let program = crate::Arguments::command();
    let names = program.get_subcommands().map(|command| command.get_name().to_owned());
    names.filter(|name| !data::printed_by(name).is_empty()).collect()
}

/// The schema of what a command prints: of its form, or of any of its forms.
fn of_command(command: &str) -> Option<Value> {
    let mut schemas: Vec<Value> = data::printed_by(command).into_iter().filter_map(data::schema).collect();
    match schemas.len() {
        0 => None,
        1 => schemas.pop(),
        _ => Some(json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": format!("urn:twicetold:command:{command}"),
            "title": format!("What {command} prints as JSON"),
            "anyOf": schemas,
        })),
    }
}

/// All names that it knows.
pub fn names() -> Vec<Name> {
    let forms = FORMS.iter().map(|form| Name::new(form.name, form.about));
    forms.chain(schemas::FILES.iter().map(|file| Name::new(file.name, file.about))).collect()
}
