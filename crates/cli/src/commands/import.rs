//! `import`: an exported campaign, or a transcript of another program, becomes one of the library's.

use std::path::PathBuf;
use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_host::importing::{Imported, import, import_by};

use crate::failure::Failure;
use crate::terminal::{counted, print, safe};

/// Verifies and replays an exported campaign and adds it to the data folder. With --from, imports a transcript of another
/// program
#[derive(clap::Args)]
pub struct Arguments {
    /// The file is a transcript of another program: autogen, openai-chat, sillytavern, or a mapping of your own
    #[arg(long, value_name = "MAPPING")]
    from: Option<String>,

    /// Import a campaign that contradicts itself, or that this build replays otherwise, without replaying it
    #[arg(long, conflicts_with = "from")]
    trust: bool,

    /// The file
    file: PathBuf,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let text = match &arguments.from {
        Some(mapping) => {
            let read = import_by(library, mapping, &arguments.file)?;
            let id = read.id;
            format!(
                "{id:.8} imported by the mapping {}: {}, chain {:.16}\n  twicetold audit {id:.8}\n  twicetold show {id:.8} transcript\n",
                safe(&read.mapping),
                counted(read.records as u64, "record"),
                read.head.chain
            )
        }
        None => match import(library, &arguments.file, arguments.trust)? {
            Imported::New(id, head) => {
                format!("{id:.8} imported: {}, chain {:.16}\n", counted(head.entries, "entry"), head.chain)
            }
            Imported::Same(id) => {
                format!("{id:.8} exists already with identical content; nothing was imported\n")
            }
        },
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
