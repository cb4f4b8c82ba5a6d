//! A journal becomes a campaign: the charter is read from its blobs, the entries are folded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use thiserror::Error;
use twicetold_event::{
    BlobId, CampaignId, Charter, Entry, Event, ForeignOpened, Input, Millis, Number, Unknown, body,
};
use twicetold_journal::{Blob, Damage, Head, Source, StoreError};
use twicetold_referee::Campaign;
use twicetold_world::setup::{Setup, SetupError, SourceFile};

use crate::cursor::JournalCursor;
use crate::rebuild::rebuild_in;
use crate::snapshot::restore;

/// Why a journal does not become a campaign.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something was changed, lost or reordered.
    #[error("the journal is damaged: {0}")]
    Damage(#[from] Damage),
    /// An entry cannot be read.
    #[error("entry {number}: {why}")]
    Entry {
        /// Its first number.
        number: Number,
        /// What is wrong with it.
        why: String,
    },
    /// A word of a later build stands in the way.
    #[error(
        "entry {number} contains an event of type {kind}, version {version}, that this build does not know; use a newer build"
    )]
    Unknown {
        /// The entry.
        number: Number,
        /// The word's type number.
        kind: u16,
        /// Its version.
        version: u8,
    },
    /// The charter cannot be read.
    #[error("the campaign's charter cannot be used: {0}")]
    Setup(#[from] SetupError),
    /// The journal holds what another program told.
    #[error(
        "this journal is an imported transcript of another program ({format}, from {file}); this command works only on campaigns that this program played"
    )]
    Foreign {
        /// The file that it was read from.
        file: String,
        /// The mapping by which it was read.
        format: String,
    },
    /// There is no charter.
    #[error("the first entry of the journal is not OpeningAsked, so the campaign has no charter")]
    NotOpened,
    /// A number past the end.
    #[error("there is no {asked}; the journal ends at {last}")]
    PastTheEnd {
        /// What was asked for.
        asked: Number,
        /// The last number.
        last: Number,
    },
}

/// A campaign as folded from its journal.
pub struct Loaded {
    /// The campaign.
    pub campaign: Campaign,
    /// Its charter.
    pub charter: Charter,
    /// Its id.
    pub id: CampaignId,
    /// Time of its opening.
    pub opened: Millis,
    /// Entries that were folded.
    pub entries: u64,
    /// The first word that this build does not know: a reader passes it over, an executor must not go on.
    pub unknown: Option<LoadError>,
}

/// Decoded entries in order, each checked to follow from the one before; damage is reported by the entry's number.
///
/// # Errors
/// The storage failed. Damage is an error of the entry that it is found in.
pub fn entries(
    source: &dyn Source,
) -> Result<impl Iterator<Item = Result<Entry, LoadError>> + '_, LoadError> {
    Ok(entries_after(source, Head::EMPTY)?.map(|recorded| recorded.map(|recorded| recorded.entry)))
}

/// A decoded entry with the bytes that it was decoded from.
struct Recorded {
    entry: Entry,
    bytes: Vec<u8>,
    /// Where in them the frames begin.
    frames: usize,
}

/// The same after those that `head` is the end of.
fn entries_after(
    source: &dyn Source,
    mut head: Head,
) -> Result<impl Iterator<Item = Result<Recorded, LoadError>> + '_, LoadError> {
    Ok(source.entries(head.next)?.map(move |bytes| {
        let bytes = bytes?;
        let damage = |why: String| LoadError::Entry { number: head.next, why };
        let (header, parts) =
            twicetold_journal::check(&head, &bytes).map_err(|rejection| damage(rejection.to_string()))?;
        let entry = Entry::of_parts(header, &parts).map_err(|why| damage(why.to_string()))?;
        head = head.after(&header, &parts);
        let frames = bytes.len() - parts.frames.len();
        Ok(Recorded { entry, bytes, frames })
    }))
}

/// The charter of a journal, and the setup that its blobs hold.
///
/// # Errors
/// There is none, or this build cannot play by it.
pub fn charter_of(source: &dyn Source) -> Result<(Charter, Arc<Setup>), LoadError> {
    let charter = recorded_charter(source)?;
    let blobs = blobs_of(source, &charter)?;
    let mut files = Vec::with_capacity(charter.files.len());
    for file in &charter.files {
        let missing =
            || LoadError::Entry { number: Number(0), why: format!("the blob of {} is missing", file.path) };
        let blob = blobs.get(&file.blob).ok_or_else(missing)?;
        if body::blob_digest(&blob.content) != file.digest {
            let why = format!("blob {}, the charter's {}, was changed", file.blob.0, file.path);
            return Err(LoadError::Entry { number: Number(0), why });
        }
        let text = std::str::from_utf8(&blob.content).map_err(|_| missing())?;
        files.push(SourceFile { path: file.path.clone(), text: Arc::from(text) });
    }
    let setup = Setup::read(charter.seed, charter.rules, files)?;
    Ok((charter, Arc::new(setup)))
}

/// The charter of a journal as it was recorded.
///
/// # Errors
/// There is none.
pub fn recorded_charter(source: &dyn Source) -> Result<Charter, LoadError> {
    let first = entries(source)?.next().ok_or(LoadError::NotOpened)??;
    if let Some(Event::ForeignOpened(word)) = first.events.into_iter().next() {
        return Err(LoadError::Foreign { file: word.file, format: word.format });
    }
    match first.input {
        Input::OpeningAsked(opening) => Ok(opening.charter),
        _ => Err(LoadError::NotOpened),
    }
}

/// The contents of a charter's files. They lie together, and a store may unpack all of them or ask a server for each that is read alone.
fn blobs_of(source: &dyn Source, charter: &Charter) -> Result<BTreeMap<BlobId, Blob>, LoadError> {
    let wanted: BTreeSet<BlobId> = charter.files.iter().map(|file| file.blob).collect();
    let mut found = BTreeMap::new();
    let Some(last) = wanted.last() else { return Ok(found) };
    for (id, blob) in (0..=last.0).map(BlobId).zip(source.blobs()?) {
        let blob = blob?;
        if wanted.contains(&id) {
            found.insert(id, blob);
        }
    }
    Ok(found)
}

/// How a foreign transcript begins; none for a campaign.
///
/// # Errors
/// The journal is damaged from its first entry on.
pub fn foreign(source: &dyn Source) -> Result<Option<ForeignOpened>, LoadError> {
    let first = entries(source)?.next().ok_or(LoadError::NotOpened)??;
    let opened = first.events.into_iter().next();
    Ok(opened.and_then(|event| if let Event::ForeignOpened(word) = event { Some(word) } else { None }))
}

/// Folds a whole journal, its chain checked on the way.
///
/// # Errors
/// The journal is damaged, or its charter cannot be read.
pub fn load(source: &dyn Source) -> Result<Loaded, LoadError> {
    load_to(source, None)
}

/// Folds a journal from where a snapshot of it was taken, its chain checked from there on. A snapshot that does not fit is
/// passed over; it never changes what comes out.
///
/// # Errors
/// As [`load`].
pub fn load_with(source: &dyn Source, snapshot: Option<&[u8]>) -> Result<Loaded, LoadError> {
    let Some((loaded, head)) = snapshot.and_then(|bytes| restore(source, bytes)) else { return load(source) };
    // A history that was rewritten after the snapshot does not follow from it.
    go_on(source, loaded, head, None).or_else(|_| load(source))
}

/// Folds a journal up to the entry that holds `last`.
///
/// # Errors
/// As [`load`]; also when there is no such number.
pub fn load_to(source: &dyn Source, last: Option<Number>) -> Result<Loaded, LoadError> {
    within(source, last)?;
    let (charter, setup) = charter_of(source)?;
    let campaign = Campaign::new(charter.clone(), setup)?;
    let (id, opened) = (CampaignId([0; 16]), Millis(0));
    let loaded = Loaded { campaign, charter, id, opened, entries: 0, unknown: None };
    go_on(source, loaded, Head::EMPTY, last)
}

fn go_on(
    source: &dyn Source,
    mut loaded: Loaded,
    head: Head,
    last: Option<Number>,
) -> Result<Loaded, LoadError> {
    let mut next = head.next;
    for recorded in entries_after(source, head)? {
        let Recorded { entry, bytes, frames } = recorded?;
        let header = entry.header;
        loaded.unknown = loaded.unknown.or_else(|| known(&entry).err());
        // A branch bears its own name from its first own entry on.
        if loaded.entries == 0 || loaded.id != header.campaign {
            (loaded.id, loaded.opened) = (header.campaign, header.at);
        }
        let folded = loaded.campaign.fold_recorded(&entry, &bytes[frames..]);
        folded.map_err(|why| LoadError::Entry { number: header.first, why: why.to_string() })?;
        next = header.next();
        loaded.entries += 1;
        if last.is_some_and(|last| last < next) {
            break;
        }
    }
    let settled = loaded.campaign.settle();
    settled.map_err(|why| LoadError::Entry { number: next, why: why.to_string() })?;
    recall(source, &mut loaded.campaign);
    Ok(loaded)
}

/// A request that went on from another of its turn cannot be rendered anew from the state: the journal has it. One that this build would
/// ask otherwise is not recalled, so that whoever goes on finds out.
pub fn recall(source: &dyn Source, campaign: &mut Campaign) {
    let Some(pending) = campaign.state().calls().pending.clone() else { return };
    let Some(rendered) = campaign.pending_request() else { return };
    if rendered.digest() == pending.digest {
        campaign.recall(rendered);
    } else if campaign.state().turn().rounds > 0
        && let Ok(cursor) = JournalCursor::new(source, campaign.amended())
        && let Ok(Some(rebuilt)) = rebuild_in(&cursor, pending.call)
        && rebuilt.is_exact()
    {
        campaign.recall(Arc::new(rebuilt.request));
    }
}

/// A number that is asked for has to be there.
pub(crate) fn within(source: &dyn Source, last: Option<Number>) -> Result<(), LoadError> {
    let next = source.head().next;
    match last.filter(|asked| *asked >= next) {
        Some(asked) => Err(LoadError::PastTheEnd { asked, last: Number(next.0.saturating_sub(1)) }),
        None => Ok(()),
    }
}

/// An executor must not go past a word that it does not know.
pub(crate) fn known(entry: &Entry) -> Result<(), LoadError> {
    let unknown = |unknown: &Unknown| LoadError::Unknown {
        number: entry.header.first,
        kind: unknown.kind,
        version: unknown.version,
    };
    if let Input::Unknown(word) = &entry.input {
        return Err(unknown(word));
    }
    match entry
        .events
        .iter()
        .find_map(|event| if let Event::Unknown(word) = event { Some(word) } else { None })
    {
        Some(word) => Err(unknown(word)),
        None => Ok(()),
    }
}
