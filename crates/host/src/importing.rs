//! Takes in what comes from elsewhere: exported campaigns, and transcripts of other programs.

use std::io::ErrorKind;
use std::path::Path;

use twicetold_dialect::visible;
use twicetold_event::CampaignId;
use twicetold_foreign::{MAPPING_BYTES_MAX, Mapping, TRANSCRIPT_BYTES_MAX, records, write};
use twicetold_journal::{Export, Head, OpenError, Part, Source};
use twicetold_session::{Verdict, replay};

use crate::configuration::{BUNDLED, README};
use crate::{Error, Kind, Library, bounded, build, now, random};

/// What became of an export.
pub enum Imported {
    /// It is one of the library's now, and ends so.
    New(CampaignId, Head),
    /// The very same was there already.
    Same(CampaignId),
}

/// Takes an exported campaign into the library, after verifying all of it. Unless it is trusted it is replayed as well: whoever knows the
/// format can seal a journal whose events do not follow from its inputs.
///
/// # Errors
/// It cannot be read, contradicts itself, or another one of its id is there; nothing was imported.
pub fn import(library: &Library, file: &Path, trust: bool) -> Result<Imported, Error> {
    let export = Export::open(file).map_err(|error| unreadable(file, error))?;
    let Some(id) = export.head().campaign else {
        return Err(Error::new(Kind::Damaged, format!("{} holds no campaign", file.display()), ""));
    };
    // What no build could make anything of is of no use to anybody.
    if twicetold_session::foreign(&export)?.is_none() {
        match trust {
            true => drop(twicetold_session::load(&export)?),
            false => replayed(file, &export)?,
        }
    }
    if library.list().contains(&id) {
        // One that went on elsewhere must not be lost by it.
        if library.read(id)?.head().chain == export.head().chain {
            return Ok(Imported::Same(id));
        }
        let message =
            format!("a different campaign with the id {id:.8} exists already; nothing was imported");
        let help = format!(
            "`twicetold export {id:.8} FILE` keeps what is here, `twicetold rm {id:.8}` makes room for the other"
        );
        return Err(Error::new(Kind::Usage, message, help));
    }
    // What this machine's models once played under this id is not what comes in under it now.
    library.mapping(id).remove();
    Ok(Imported::New(id, library.ready()?.import(&export, id)?))
}

/// A journal from elsewhere says what its inputs lead to.
fn replayed(file: &Path, export: &Export) -> Result<(), Error> {
    let Verdict::Diverged(drift) = replay(export, None)?.verdict else { return Ok(()) };
    let found = &drift.divergence;
    let values = match found.fields.first() {
        Some((journal, here)) => (journal, here),
        None => (&found.journal, &found.build),
    };
    let (journal, here) = (visible(values.0, SHOWN_MAX), visible(values.1, SHOWN_MAX));
    let message = format!(
        "{} contradicts itself at {}: it says `{journal}` where its inputs lead to `{here}`; nothing was imported",
        file.display(),
        found.number
    );
    let help = "`twicetold replay FILE` says more; with --trust it is imported all the same";
    Err(Error::new(Kind::Diverged, message, help))
}

/// Characters of each value in which a journal contradicts itself.
const SHOWN_MAX: usize = 120;

/// Why a file is not imported, for whoever named it.
fn unreadable(file: &Path, error: OpenError) -> Error {
    let shown = file.display();
    match &error {
        OpenError::Missing(_) => {
            let help = "`twicetold export ID FILE` writes such a file; check its name and folder";
            Error::new(Kind::Missing, format!("there is no file {shown}"), help)
        }
        _ if file.is_dir() => {
            let help = "name the file that `twicetold export` wrote";
            Error::new(Kind::Usage, format!("{shown} is a folder"), help)
        }
        OpenError::Damage { damage, .. } if damage.part == Part::Header => {
            let message = format!("{shown} is not an export of a campaign that this version can read");
            let help = "`twicetold export ID FILE` writes one; `twicetold import --from MAPPING FILE` reads the transcript of another program";
            Error::new(Kind::Damaged, message, help)
        }
        _ => error.into(),
    }
}

/// A transcript of another program that was taken in.
pub struct Transcript {
    /// Its id here.
    pub id: CampaignId,
    /// The name of the mapping by which it was read.
    pub mapping: String,
    /// How many records it has.
    pub records: usize,
    /// How its journal ends.
    pub head: Head,
}

/// Takes a transcript into the library by a mapping: a bundled one by its name, or a file.
///
/// # Errors
/// The mapping or the transcript cannot be read; nothing was imported.
pub fn import_by(library: &Library, mapping: &str, file: &Path) -> Result<Transcript, Error> {
    let mapping = mapping_named(mapping)?;
    let text = bounded::text(file, TRANSCRIPT_BYTES_MAX).map_err(|error| {
        let help = match error.kind() {
            ErrorKind::FileTooLarge => "import it in parts",
            _ => "check its name",
        };
        Error::new(Kind::Usage, format!("{} cannot be read: {error}", file.display()), help)
    })?;
    let records = records(file, &text, &mapping)?;
    let count = records.len();
    let id = CampaignId(random()?);
    let head = write((id, build(), now()), &mapping, file, records, library.ready()?)?;
    Ok(Transcript { id, mapping: mapping.name().to_owned(), records: count, head })
}

/// A bundled mapping by its name, or a file.
fn mapping_named(name: &str) -> Result<Mapping, Error> {
    let path = Path::new(name);
    let (place, text) = if path.components().count() > 1 || path.is_file() {
        let text = bounded::text(path, MAPPING_BYTES_MAX).map_err(|error| {
            let message = format!("the mapping {name} cannot be read: {error}");
            let help = "give a bundled one by its name, or a file; the transcript comes last";
            Error::new(Kind::Usage, message, help)
        })?;
        (name.to_owned(), text)
    } else {
        let place = format!("mappings/{name}.toml");
        let file = BUNDLED.get_file(&place);
        let text = file.and_then(include_dir::File::contents_utf8).ok_or_else(|| {
            let files = BUNDLED.get_dir("mappings").into_iter().flat_map(include_dir::Dir::files);
            let names: Vec<&str> = files.filter_map(|file| file.path().file_stem()?.to_str()).collect();
            let message = format!("there is no mapping {name:?}");
            let help = format!(
                "the bundled mappings are {}; for your own mapping, give a file path",
                names.join(", ")
            );
            Error::new(Kind::Usage, message, help)
        })?;
        (place, text.to_owned())
    };
    Mapping::read(text.clone()).map_err(|error| {
        let span = error.span().map(|span| (span.start, span.end));
        Error::at(error.message(), &place, &text, span, README)
    })
}
