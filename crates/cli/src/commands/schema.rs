//! `schema`: what stands in the JSON that commands print, for programs.

use std::process::ExitCode;

use crate::data::FORMS;
use crate::failure::{Failure, code};
use crate::names::{Name, listed};
use crate::pager::page;
use crate::terminal::{DIM, did_you_mean};

/// Prints the JSON Schema of a form of output
///
/// Every line and document that commands print as JSON names its form in the field `form`. Without a name it
/// lists the forms. The schemas are of draft 2020-12.
#[derive(clap::Args)]
pub struct Arguments {
    /// The name of a form [default: list the forms]
    name: Option<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Some(name) = &arguments.name else {
        let names: Vec<Name> = FORMS.iter().map(|form| Name::new(form.name, form.about)).collect();
        page(&format!(
            "Forms of output:\n{}{DIM}`twicetold schema log` prints the JSON Schema of one of them.{DIM:#}\n",
            listed(&names)
        ))?;
        return Ok(ExitCode::SUCCESS);
    };
    let Some(form) = FORMS.iter().find(|form| form.name == name) else {
        let near = did_you_mean(FORMS.iter().map(|form| form.name), name);
        let help = format!("{near}`twicetold schema` lists the forms");
        return Err(Failure::new(code::MISSING, format!("there is no form {name:?}"), help));
    };
    page(&format!("{:#}\n", (form.schema)()))?;
    Ok(ExitCode::SUCCESS)
}
