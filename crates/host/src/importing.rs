//! Takes in exported campaigns; for transcripts of other programs see [`transcripts`](crate::transcripts).

use std::path::Path;

use twicetold_dialect::visible;
use twicetold_event::CampaignId;
use twicetold_journal::{Export, Head, OpenError, Part, Source};
use twicetold_session::{Verdict, replay};

use crate::copying::is_ahead;
use crate::{Error, Kind, Library};

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
    if library.list()?.contains(&id) {
        // One that went on elsewhere must not be lost by it.
        let here = library.read(id)?;
        if here.head().chain == export.head().chain {
            return Ok(Imported::Same(id));
        }
        let flag = library.flag();
        let keeps = format!(
            "`twicetold export {id:.8} FILE{flag}` keeps what is here, `twicetold rm {id:.8}{flag}` makes room for the other"
        );
        let (message, help) = match (is_ahead(&*here, &export.head())?, is_ahead(&export, &here.head())?) {
            (true, _) => {
                let message =
                    format!("{id:.8} is here in a newer state than in the file; nothing was imported");
                (message, format!("nothing is missing; {keeps}"))
            }
            (_, true) => {
                let message =
                    format!("{id:.8} is here in an older state than in the file; nothing was imported");
                (
                    message,
                    format!("the file holds all of it and more: `twicetold rm {id:.8}{flag}` makes room"),
                )
            }
            _ => {
                let message =
                    format!("a different campaign with the id {id:.8} exists already; nothing was imported");
                (message, keeps)
            }
        };
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
