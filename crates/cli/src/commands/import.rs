//! `import`: an exported campaign, or a transcript of another program, becomes one of the library's.

use std::path::PathBuf;
use std::process::ExitCode;

use twicetold_event::CampaignId;
use twicetold_host::Library;
use twicetold_host::importing::{Imported, import};
use twicetold_host::transcripts::{import_transcript, is_foreign};

use crate::data;
use crate::failure::Failure;
use crate::terminal::{counted, print, safe};
use crate::told::{Reading, taken, taken_text};

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

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let is_transcript = arguments.reading.is_asked() || is_foreign(&arguments.file);
    let text = match is_transcript {
        true => transcript(library, arguments)?,
        false => match import(library, &arguments.file, arguments.trust)? {
            Imported::New(id, head) if arguments.json => told(id, false, head.entries),
            Imported::Same(id) if arguments.json => told(id, true, library.read(id)?.head().entries),
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

fn transcript(library: &Library, arguments: &Arguments) -> Result<String, Failure> {
    let read = import_transcript(library, &arguments.reading.asked(), &arguments.file)?;
    let id = read.id;
    let source = library.read(id)?;
    let summary = taken(source.as_ref())?;
    if arguments.json {
        let (mapping, entries) = (Some(read.mapping), read.head.entries);
        return Ok(data::of(id, data::Imported { already_there: false, entries, mapping, read: summary }));
    }
    Ok(format!(
        "{id:.8} imported by the mapping {}: chain {:.16}\n{}  twicetold audit {id:.8}\n  twicetold show {id:.8} transcript\n",
        safe(&read.mapping),
        read.head.chain,
        summary.map_or_else(String::new, |summary| taken_text(&summary)),
    ))
}

fn told(id: CampaignId, already_there: bool, entries: u64) -> String {
    data::of(id, data::Imported { already_there, entries, mapping: None, read: None })
}
