//! `export`: a campaign as one self-contained file, or in a format for something else.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use twicetold_event::CampaignId;
use twicetold_host::{Library, whole};

use crate::data::{self, Written};
use crate::failure::{Failure, code};
use crate::files::{STANDARD_OUTPUT, unwritable, write};
use crate::terminal::counted;
use crate::told::{Format, told};

/// Writes a campaign to one file, or in another format
///
/// The file can be verified and replayed elsewhere. `--as` writes a format of other programs.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, or `last`; with --as also a file
    id: String,

    /// The file to write; it must not exist, unless --force is given
    #[arg(required_unless_present_any = ["format", "output"])]
    file: Option<PathBuf>,

    /// The format [default: the journal itself]
    #[arg(long = "as", value_enum, value_name = "FORMAT")]
    format: Option<Format>,

    /// The file to write (same as FILE). With --as and no file, or with -, the text is printed
    #[arg(long, short, value_name = "FILE", conflicts_with = "file")]
    output: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(long)]
    force: bool,

    /// Print JSON; it needs a file to write
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    match (arguments.format, arguments.file.as_ref().or(arguments.output.as_ref())) {
        (Some(format), file) => {
            written(library, arguments, format, file.filter(|file| *file != Path::new(STANDARD_OUTPUT)))
        }
        (None, Some(file)) if file == Path::new(STANDARD_OUTPUT) => {
            let help = "name a file, or a format by --as, which is printed";
            Err(Failure::new(code::USAGE, "a journal is no text to print", help))
        }
        (None, Some(file)) => journal(library, arguments, file),
        (None, None) => {
            Err(Failure::new(code::USAGE, "no file to write to", "name one, or a format by --as"))
        }
    }
}

fn written(
    library: &Library,
    arguments: &Arguments,
    format: Format,
    file: Option<&PathBuf>,
) -> Result<ExitCode, Failure> {
    if file.is_none() && arguments.json {
        let help = "name a file with -o FILE; without one, the format itself is printed";
        return Err(Failure::new(code::USAGE, "--json needs a file to write to", help));
    }
    let source = library.source(&arguments.id)?;
    let text = told(source.as_ref())?.export(format, library.prices(source.as_ref()))?;
    let campaign = if arguments.json { Some(data::campaign_of(source.as_ref())?) } else { None };
    give(arguments, file, text, campaign.map(|campaign| (campaign, format)))
}

/// Writes a text to a file, or prints it. What it is of is said for programs.
fn give(
    arguments: &Arguments,
    file: Option<&PathBuf>,
    text: String,
    of: Option<(CampaignId, Format)>,
) -> Result<ExitCode, Failure> {
    let Some(file) = file else {
        // A terminal obeys what stands in a text; a file and a program do not.
        let shown = if std::io::IsTerminal::is_terminal(&std::io::stdout()) {
            crate::terminal::safe(&text)
        } else {
            text
        };
        crate::pager::page_as_it_is(&shown)?;
        return Ok(ExitCode::SUCCESS);
    };
    write(file, text.as_bytes(), arguments.force)?;
    let file = file.display().to_string();
    crate::terminal::print(&match of {
        Some((campaign, format)) => {
            data::of(campaign, Written { file, format: format.name(), entries: None, chain: None })
        }
        None => format!("{}\n", crate::terminal::safe(&file)),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the journal itself. A file that is to be replaced stays as it is until all of the new one is written.
fn journal(library: &Library, arguments: &Arguments, path: &Path) -> Result<ExitCode, Failure> {
    let (campaign, replace) = (library.find(&arguments.id)?, arguments.force);
    let reader = library.read(campaign)?;
    if replace && path.metadata().is_ok_and(|known| !known.is_file()) {
        let message = format!("{} is no file, and nothing was written", path.display());
        return Err(Failure::new(code::USAGE, message, "name a file"));
    }
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            let message = format!("{} exists already, and nothing was written", path.display());
            Failure::new(code::USAGE, message, "choose another name, or use --force to replace the file")
        }
        _ => unwritable(path, &error),
    };
    if !replace && path.symlink_metadata().is_ok() {
        return Err(failed(std::io::ErrorKind::AlreadyExists.into()));
    }
    whole::remove_left_of(path);
    let fresh = whole::beside(path);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let file = std::fs::File::create_new(&fresh).map_err(failed)?;
    let mut out = std::io::BufWriter::new(file);
    let written = twicetold_journal::write_export(&*reader, &mut out);
    let written = written.map_err(Failure::from).and_then(|head| {
        out.flush().and_then(|()| out.get_ref().sync_all()).map_err(failed)?;
        whole::publish(&fresh, path, replace).map_err(failed)?;
        Ok(head)
    });
    let head = written.inspect_err(|_| drop(std::fs::remove_file(&fresh)))?;
    let (id, file) = (campaign, path.display().to_string());
    crate::terminal::print(&match arguments.json {
        true => {
            let (entries, chain) = (Some(head.entries), Some(head.chain.to_string()));
            data::of(id, Written { file, format: "journal".to_owned(), entries, chain })
        }
        false => format!(
            "{id:.8} written to {file}: {}, chain {:.16}\n",
            counted(head.entries, "entry"),
            head.chain
        ),
    })?;
    Ok(ExitCode::SUCCESS)
}
