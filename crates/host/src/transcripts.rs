//! Transcripts of other programs: by which mapping one is read, and what becomes of it, a journal of the library or one in memory.

use std::io::ErrorKind;
use std::path::Path;

use twicetold_dialect::visible;
use twicetold_event::CampaignId;
use twicetold_foreign::{
    MAPPING_BYTES_MAX, Mapping, Record, RecordError, TRANSCRIPT_BYTES_MAX, Told, detect, journal, records,
    write,
};
use twicetold_journal::{FileKind, Head, Source, sniff};
use twicetold_world::setup::plain_message;

use crate::bundle::BUNDLED;
use crate::configuration::README;
use crate::words::did_you_mean;
use crate::{Error, Kind, Library, bounded, build, now, random};

/// How a transcript is to be read.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The mapping: a bundled one by its name, or a file. Absent: the one that fits.
    pub mapping: Option<String>,
    /// Who is who.
    pub told: Told,
}

/// A transcript of another program that was taken in.
pub struct Transcript {
    /// Its id here.
    pub id: CampaignId,
    /// The name of the mapping by which it was read.
    pub mapping: String,
    /// How its journal ends.
    pub head: Head,
}

/// Is this file no journal? Then it may be a transcript of another program.
pub fn is_foreign(file: &Path) -> bool {
    file.is_file() && sniff(file).is_ok_and(|kind| kind == FileKind::Neither)
}

/// Takes a transcript into the library.
///
/// # Errors
/// The mapping or the transcript cannot be read; nothing was imported.
pub fn import_transcript(library: &Library, asked: &Asked, file: &Path) -> Result<Transcript, Error> {
    let (mapping, records) = read(asked, file)?;
    let id = CampaignId(random()?);
    let head = write((id, build(), now()), &mapping, file, records, library.ready()?)?;
    Ok(Transcript { id, mapping: mapping.name().to_owned(), head })
}

/// A transcript as a journal in memory: whoever only looks at it needs no copy.
///
/// # Errors
/// The mapping or the transcript cannot be read.
pub fn open_transcript(asked: &Asked, file: &Path) -> Result<Box<dyn Source>, Error> {
    let (mapping, records) = read(asked, file)?;
    Ok(Box::new(journal((CampaignId(random()?), build(), now()), &mapping, file, records)?))
}

fn read(asked: &Asked, file: &Path) -> Result<(Mapping, Vec<Record>), Error> {
    let mappings = match &asked.mapping {
        Some(name) => vec![mapping_named(name)?],
        None => bundled()?,
    };
    let text = text(file, asked.mapping.is_none())?;
    let found = match &asked.mapping {
        Some(_) => 0,
        None => {
            let found =
                detect(file, &text, &mappings).map_err(|error| neither(file, error))?.name().to_owned();
            mappings.iter().position(|mapping| mapping.name() == found).unwrap_or(0)
        }
    };
    let mapping = mappings
        .into_iter()
        .nth(found)
        .ok_or_else(|| Error::new(Kind::Failed, "no mapping is bundled", ""))?;
    let records = records(file, &text, &mapping, &asked.told)?;
    Ok((mapping, records))
}

/// A file that nobody said to be a transcript, and that is no journal either.
fn neither(file: &Path, error: RecordError) -> Error {
    let RecordError::Unknown { looked, formats, .. } = error else { return error.into() };
    let shown = visible(&file.display().to_string(), SHOWN_MAX);
    let looked = visible(&looked, SHOWN_MAX);
    let message =
        format!("{shown} is not an export of a campaign, nor a transcript in a known format: {looked}");
    let help = format!(
        "known are {formats}; `twicetold import --from MAPPING FILE` reads another one by a mapping of your own (config/README.md, `mappings`)"
    );
    Error::new(Kind::Damaged, message, help)
}

/// The text of a transcript; a pipe would be waited for, and what is no text has no place to begin.
fn text(file: &Path, guessed: bool) -> Result<String, Error> {
    let shown = visible(&file.display().to_string(), SHOWN_MAX);
    if std::fs::metadata(file).is_ok_and(|found| !found.is_file()) {
        let what = if file.is_dir() { "a folder" } else { "a pipe or a device" };
        return Err(Error::new(Kind::Usage, format!("{shown} is {what}; name a file"), ""));
    }
    bounded::text(file, TRANSCRIPT_BYTES_MAX).map_err(|error| {
        if guessed && matches!(error.kind(), ErrorKind::FileTooLarge | ErrorKind::InvalidData) {
            let message = format!(
                "{shown} is not an export of a campaign that this version can read, and no transcript either: {error}"
            );
            let help = "`twicetold export ID FILE` writes an export; a transcript is UTF-8 text of at most 64 MiB";
            return Error::new(Kind::Damaged, message, help);
        }
        let help = match error.kind() {
            ErrorKind::FileTooLarge => "divide it, and read it in parts",
            ErrorKind::InvalidData => "a transcript is text: save it as UTF-8",
            _ => "name the file of the transcript; one that was imported keeps the mapping and the roles that it has",
        };
        Error::new(Kind::of_named_file(&error), format!("{shown} cannot be read: {error}"), help)
    })
}

/// Characters of a file's name in a message.
const SHOWN_MAX: usize = 200;
/// What all mappings share.
const COMMON: &str = "mappings/common.toml";

/// The names of all bundled mappings.
fn names() -> Vec<&'static str> {
    let files = BUNDLED.below("mappings").filter_map(|(path, _)| path.strip_suffix(".toml"));
    let mut names: Vec<&str> = files.filter(|name| format!("mappings/{name}.toml") != COMMON).collect();
    // Not as their paths: `autogen-0.2.toml` comes before `autogen.toml`.
    names.sort_unstable();
    names
}

fn bundled() -> Result<Vec<Mapping>, Error> {
    names().into_iter().map(mapping_named).collect()
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
        let text = BUNDLED.text(&place).filter(|_| place != COMMON).ok_or_else(|| {
            let help = format!(
                "{}the bundled mappings are {}; for your own mapping, give a file path",
                did_you_mean(names(), name),
                names().join(", ")
            );
            Error::new(Kind::Usage, format!("there is no mapping {name:?}"), help)
        })?;
        (place, text.to_owned())
    };
    Mapping::read(text.clone(), BUNDLED.text(COMMON).unwrap_or_default()).map_err(|error| {
        let span = error.span().map(|span| (span.start, span.end));
        Error::at(&plain_message(error.message()), &place, &text, span, README)
    })
}
