//! `log`: everything that is in the journal, number by number; and the transcript.

use std::process::ExitCode;

use twicetold_event::Number;
use twicetold_host::Library;

use crate::failure::Failure;
use crate::following::follow;
use crate::listing::told_in;
use crate::pager::Output;
use crate::told::told;

/// Lists every input and event with its sequence number
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, `last`, or a file
    id: String,

    /// Keep printing what another process appends, until the campaign ends
    #[arg(long)]
    follow: bool,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if arguments.follow {
        let each = told_in(arguments.json, library.find(&arguments.id)?);
        return follow(library, &arguments.id, Number(0), None, arguments.json, each);
    }
    let source = library.source(&arguments.id)?;
    let mut out = Output::new();
    let mut result = Ok(());
    let told = told(source.as_ref())?.log(arguments.json, &mut |text| {
        result = out.write(text);
        result.is_ok()
    });
    out.finish(result)?;
    told?;
    Ok(ExitCode::SUCCESS)
}
