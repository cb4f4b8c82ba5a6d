//! `import`: an exported campaign, or a transcript of another program, becomes one of the library's.

use std::path::PathBuf;
use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_host::importing::{Imported, import};
use twicetold_host::transcripts::{import_transcript, is_foreign};

use crate::failure::Failure;
use crate::terminal::{counted, print, safe};
use crate::told::{Reading, taken};

/// Adds an exported campaign or another program's transcript
///
/// A campaign is verified and replayed before it is added to the data folder.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    reading: Reading,

    /// Import a campaign that contradicts itself, or that this build replays otherwise, without replaying it
    #[arg(long, conflicts_with = "from")]
    trust: bool,

    /// The file
    file: PathBuf,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let text = if arguments.reading.is_asked() || is_foreign(&arguments.file) {
        let read = import_transcript(library, &arguments.reading.asked(), &arguments.file)?;
        let id = read.id;
        let source = library.read(id)?;
        format!(
            "{id:.8} imported by the mapping {}: chain {:.16}\n{}  twicetold audit {id:.8}\n  twicetold show {id:.8} transcript\n",
            safe(&read.mapping),
            read.head.chain,
            taken(source.as_ref())?.map_or_else(String::new, |summary| crate::told::taken_text(&summary)),
        )
    } else {
        match import(library, &arguments.file, arguments.trust)? {
            Imported::New(id, head) => {
                format!("{id:.8} imported: {}, chain {:.16}\n", counted(head.entries, "entry"), head.chain)
            }
            Imported::Same(id) => {
                format!("{id:.8} exists already with identical content; nothing was imported\n")
            }
        }
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
