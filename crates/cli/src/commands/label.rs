//! `label`: a private note that tells campaigns apart in lists.

use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_host::label::label;

use crate::data;
use crate::failure::Failure;
use crate::terminal::{print, safe};

/// Shows, changes or removes the label of a campaign
///
/// A label is a note of your own for `list`. It is not part of the journal and is not exported.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, or `last`
    id: String,

    /// The new label [default: show the label]
    #[arg(value_name = "LABEL", value_parser = label)]
    label: Option<String>,

    /// Remove the label
    #[arg(long, conflicts_with = "label")]
    remove: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let id = library.find(&arguments.id)?;
    let file = library.label(id);
    match &arguments.label {
        Some(label) => file.write(label)?,
        None if arguments.remove => file.remove()?,
        None => {}
    }
    let label = file.read();
    print(&match arguments.json {
        true => data::of(id, data::Label { label }),
        false => {
            let label = label.map_or_else(|| "no label".to_owned(), |label| safe(&label));
            format!("{id:.8}  {label}\n")
        }
    })?;
    Ok(ExitCode::SUCCESS)
}
