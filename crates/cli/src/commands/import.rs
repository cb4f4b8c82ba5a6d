//! `import`: an exported campaign, or a transcript of another program, becomes one of the library's.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use twicetold_event::CampaignId;
use twicetold_journal::{Export, OpenError, Part, Source};

use crate::failure::{Failure, code};
use crate::terminal::{counted, print};
use crate::told::told;
use twicetold_host::Library;

/// Reads an exported campaign into the library, after verifying all of it; or, with --from, another program's transcript
#[derive(clap::Args)]
pub struct Arguments {
    /// The file is a transcript of another program: autogen, openai-chat, sillytavern, or a mapping of your own
    #[arg(long, value_name = "MAPPING")]
    from: Option<String>,

    /// The file
    file: PathBuf,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if let Some(mapping) = &arguments.from {
        return crate::told::import(library, mapping, &arguments.file);
    }
    let export = Export::open(&arguments.file).map_err(|error| unreadable(&arguments.file, error))?;
    let Some(id) = export.head().campaign else {
        return Err(Failure::new(
            code::DAMAGED,
            format!("{} holds no campaign", arguments.file.display()),
            "",
        ));
    };
    // What no build could make anything of is of no use to anybody.
    told(&export)?.check()?;
    if library.list().contains(&id) {
        return here_already(library, id, &export);
    }
    // What this machine's models once played under this id is not what comes in under it now.
    library.mapping(id).remove();
    let head = library.ready()?.import(&export, id)?;
    print(&format!("{id:.8} imported: {}, chain {:.16}\n", counted(head.entries, "entry"), head.chain))?;
    Ok(ExitCode::SUCCESS)
}

/// The campaign is in the library. The very same one needs nothing to be done; one that went on elsewhere must not be lost by it.
fn here_already(library: &Library, id: CampaignId, export: &Export) -> Result<ExitCode, Failure> {
    if library.read(id)?.head().chain == export.head().chain {
        print(&format!("{id:.8} is here already, the very same: there is nothing to do\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let message = format!("{id:.8} is here already, and is not the same; nothing was imported");
    let help = format!(
        "`twicetold export {id:.8} FILE` keeps what is here, `twicetold rm {id:.8}` makes room for the other"
    );
    Err(Failure::new(code::USAGE, message, help))
}

/// Why a file is not imported, for whoever named it.
fn unreadable(file: &Path, error: OpenError) -> Failure {
    let shown = file.display();
    match &error {
        OpenError::Missing(_) => {
            let help = "`twicetold export ID FILE` writes such a file; check its name and folder";
            Failure::new(code::MISSING, format!("there is no file {shown}"), help)
        }
        _ if file.is_dir() => {
            let help = "name the file that `twicetold export` wrote";
            Failure::new(code::USAGE, format!("{shown} is a folder"), help)
        }
        OpenError::Damage { damage, .. } if damage.part == Part::Header => {
            let message = format!("{shown} is not an export of a campaign that this version can read");
            let help = "`twicetold export ID FILE` writes one; `twicetold import --from MAPPING FILE` reads the transcript of another program";
            Failure::new(code::DAMAGED, message, help)
        }
        _ => error.into(),
    }
}
