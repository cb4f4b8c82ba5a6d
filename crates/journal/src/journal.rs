//! A journal in redb that this process appends to.
//!
//! Every append is one commit with one flush; see `flush.rs`. Quick repair is off: it costs a quarter more time and up to half more
//! file per append, and saves 1 to 3 ms per MB on the first open after a crash.

use std::path::{Path, PathBuf};

use redb::{ConcurrencyMode, Database, DatabaseError, WriteTransaction};
use twicetold_event::{BlobId, Number};

use crate::file::{Fresh, opener};
use crate::flush::{Flushes, OneFlush};
use crate::guard::guarded;
use crate::snapshot::{LAYOUT, Meta, Snapshot};
use crate::stream::{BLOBS, ENTRIES, Tail};
use crate::witness::Witness;
use crate::{AppendError, Batch, Blob, Blobs, Entries, Head, OpenError, Source, Store, StoreError, admit};

/// Bytes of pages that redb keeps in memory for one campaign. Appending touches the newest pages only, reading goes
/// through once; 16 MiB hold the whole of most campaigns.
pub(crate) const CACHE_BYTES: usize = 16 * 1024 * 1024;

/// Opens the database of a journal, again and again.
pub(crate) struct Opener {
    open: Box<dyn Fn() -> Result<Database, DatabaseError> + Send>,
    /// Those of every database that it opens.
    flushes: Flushes,
}

impl Opener {
    /// `open` must give `flushes` to the storage of each database if that can leave one out.
    pub fn new(
        flushes: Flushes,
        open: impl Fn() -> Result<Database, DatabaseError> + Send + 'static,
    ) -> Opener {
        Opener { open: Box::new(open), flushes }
    }

    /// Opens it; what redb makes of a damaged one is an error.
    pub fn open(&self) -> Result<Database, Begin> {
        open_guarded(&self.open)
    }

    /// The flushes of the databases that it opens.
    pub fn flushes(&self) -> &Flushes {
        &self.flushes
    }
}

/// What went wrong between a name and a journal.
pub(crate) enum Begin {
    /// redb could not open it.
    Database(DatabaseError),
    /// It is no journal.
    NotAJournal,
    /// It is a journal of another layout.
    Layout(u8),
    /// The storage failed.
    Storage(StoreError),
}

impl Begin {
    /// The error for a store that has no path.
    pub fn named(self, name: &str) -> OpenError {
        let path = name.into();
        match self {
            Begin::Database(DatabaseError::DatabaseAlreadyOpen) => {
                OpenError::Locked { path, by: "another writer of this process".into() }
            }
            Begin::Database(error) => OpenError::Storage { path, error: StoreError::of(error) },
            Begin::NotAJournal => OpenError::NotACampaign { path, why: "it holds other tables".into() },
            Begin::Layout(found) => OpenError::Layout { path, found, known: LAYOUT },
            Begin::Storage(error) => OpenError::Storage { path, error },
        }
    }

    /// The same where no path is known.
    fn into_storage(self) -> StoreError {
        match self {
            Begin::Database(error) => StoreError::of(error),
            Begin::Storage(error) => error,
            Begin::NotAJournal | Begin::Layout(_) => StoreError::Damaged("its tables are gone".into()),
        }
    }
}

/// The single writer of one campaign.
pub struct Journal {
    open: Opener,
    database: Option<Database>,
    meta: Meta,
    tails: Tails,
    /// Dropped after the database. A journal in memory has none.
    witness: Option<Witness>,
    unnamed: Option<Unnamed>,
}

/// A file under a temporary name, which is removed unless it gets its own.
struct Unnamed {
    fresh: Fresh,
    path: PathBuf,
    from: NamedFrom,
}

/// When a new file gets its name.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum NamedFrom {
    /// With the first entry that is appended.
    FirstEntry,
    /// When it is closed without a failure.
    Closing,
}

#[derive(Clone, Copy, Default)]
struct Tails {
    entries: Tail,
    blobs: Tail,
}

/// Why a write ended without a commit.
enum WriteError {
    Fenced(u32),
    Storage(StoreError),
}

impl From<StoreError> for WriteError {
    fn from(error: StoreError) -> WriteError {
        WriteError::Storage(error)
    }
}

impl Journal {
    /// Takes a new fencing epoch in a durable commit. With `fresh` a database without tables becomes an empty journal.
    /// After a failure the journal is opened again by `open`.
    pub(crate) fn begin(database: Database, open: Opener, fresh: bool) -> Result<Journal, Begin> {
        let taken = guarded(|| {
            let transaction = begin_write(&database)?;
            let found = match Meta::of_write(&transaction)? {
                None if fresh => Meta { layout: LAYOUT, epoch: 0, process: 0, head: Head::EMPTY },
                None => return Ok(Err(Begin::NotAJournal)),
                Some(meta) if meta.layout != LAYOUT => return Ok(Err(Begin::Layout(meta.layout))),
                Some(meta) => meta,
            };
            let epoch = found.epoch.max(found.head.epoch).saturating_add(1);
            let meta = Meta { epoch, process: std::process::id(), ..found };
            let tails = prepare(&transaction)?;
            meta.write(&transaction)?;
            transaction.commit().map_err(StoreError::of)?;
            Ok(Ok((meta, tails)))
        });
        let (meta, tails) = match taken {
            Ok(taken) => taken?,
            Err(error) => return Err(Begin::Storage(error)),
        };
        let journal = Journal { open, database: Some(database), meta, tails, witness: None, unnamed: None };
        // Whether head and entries agree, before anybody appends to them.
        journal.snapshot().map_err(Begin::Storage)?;
        Ok(journal)
    }

    /// Opens a journal on a storage of the caller's as a file is opened: for simulations of faults. `backend` is called
    /// once for each opening, must give the same bytes every time and grant redb's locks; an empty storage becomes an empty journal.
    pub fn open_with_backend<B: redb::StorageBackend>(
        backend: impl Fn() -> B + Send + 'static,
    ) -> Result<Journal, OpenError> {
        let flushes = Flushes::default();
        Journal::open_in(Opener::new(flushes.clone(), move || {
            shared().create_with_backend(OneFlush::of(backend(), flushes.clone()))
        }))
    }

    /// Opens a journal on bytes that nobody else can see.
    pub(crate) fn open_alone<B: redb::StorageBackend>(
        backend: impl Fn() -> B + Send + 'static,
    ) -> Result<Journal, OpenError> {
        let open = move || builder().create_with_backend(backend());
        Journal::open_in(Opener::new(Flushes::default(), open))
    }

    fn open_in(open: Opener) -> Result<Journal, OpenError> {
        open.open()
            .and_then(|database| Journal::begin(database, open, true))
            .map_err(|error| error.named("memory"))
    }

    /// From now on nothing is committed unless the file at `path` is what the commit before it left.
    pub(crate) fn witnessed(mut self, path: &Path) -> Result<Journal, StoreError> {
        self.witness = Some(Witness::of(path)?);
        Ok(self)
    }

    /// Has a name of its own from then on.
    pub(crate) fn named_later(mut self, fresh: Fresh, path: &Path, from: NamedFrom) -> Journal {
        self.unnamed = Some(Unnamed { fresh, path: path.to_owned(), from });
        self
    }

    /// After the first entry. What cannot be named has no entry.
    fn publish(&mut self) -> Result<(), AppendError> {
        let first = self.unnamed.take_if(|unnamed| unnamed.from == NamedFrom::FirstEntry);
        let Some(Unnamed { fresh, path, .. }) = first else { return Ok(()) };
        let named = fresh.publish(&path).and_then(|()| {
            let failed =
                |error: std::io::Error| OpenError::Storage { path: path.clone(), error: error.into() };
            self.witness = Some(Witness::of(&path).map_err(failed)?);
            self.open = opener(&path, self.open.flushes().clone());
            Ok(())
        });
        named.map_err(|error| {
            self.give_up();
            AppendError::NotWritten(unnameable(error))
        })
    }

    fn snapshot(&self) -> Result<Snapshot, StoreError> {
        let database = self.database.as_ref().ok_or(StoreError::GivenUp)?;
        Snapshot::take(database)?.map_err(|_| StoreError::Damaged("its tables are gone".into()))
    }

    /// Adds entries that were checked already, in one commit. The epochs in their headers are their writers'.
    pub(crate) fn restore(&mut self, batch: &Batch) -> Result<(), StoreError> {
        let rows = batch.entries.iter().map(|copied| (copied.first.0, copied.entry.as_slice()));
        match self.write(rows, &batch.blobs, &batch.after) {
            Ok(tails) => {
                (self.tails, self.meta.head) = (tails, batch.after);
                Ok(())
            }
            Err(WriteError::Storage(error)) => Err(error),
            Err(WriteError::Fenced(_)) => Err(StoreError::GivenUp),
        }
    }

    fn write<'r>(
        &self,
        entries: impl Iterator<Item = (u64, &'r [u8])>,
        blobs: &[Blob],
        after: &Head,
    ) -> Result<Tails, WriteError> {
        let database = self.database.as_ref().ok_or(StoreError::GivenUp)?;
        guarded(|| {
            let transaction = begin_write(database)?;
            let current = Meta::epoch_of_write(&transaction)?;
            if current != self.meta.epoch {
                return Ok(Err(WriteError::Fenced(current)));
            }
            let first = self.meta.head.blobs;
            let rows: Vec<Vec<u8>> = blobs.iter().map(blob_row).collect();
            let keyed = (u64::from(first)..).zip(rows.iter().map(Vec::as_slice));
            let tails = Tails {
                entries: ENTRIES.write(&transaction, self.tails.entries, entries)?,
                blobs: BLOBS.write(&transaction, self.tails.blobs, keyed)?,
            };
            Meta::write_head(&transaction, after)?;
            self.open.flushes().once(|| transaction.commit().map_err(StoreError::of))?;
            Ok(Ok(tails))
        })?
    }

    /// After a failed write nobody knows what the storage holds: opens it again and looks.
    fn settle(&mut self, after: Head, failure: StoreError) -> Result<Head, AppendError> {
        tracing::warn!(%failure, next = after.next.0, "a commit failed; opening the journal again to see what it holds");
        self.give_up();
        let reopened = match self.open.open() {
            Ok(database) => database,
            Err(error) => return Err(AppendError::Unknown(error.into_storage())),
        };
        self.database = Some(reopened);
        let found = self.snapshot().and_then(|snapshot| Ok((*snapshot.meta(), self.measure()?)));
        let (meta, tails) = match found {
            Ok(found) => found,
            Err(error) => {
                self.give_up();
                return Err(AppendError::Unknown(error));
            }
        };
        if meta.epoch != self.meta.epoch {
            self.give_up();
            return Err(AppendError::Fenced { stated: self.meta.epoch, current: meta.epoch });
        }
        self.tails = tails;
        self.look();
        if meta.head == after {
            self.meta.head = after;
            self.publish()?;
            Ok(after)
        } else if meta.head == self.meta.head {
            Err(AppendError::NotWritten(failure))
        } else {
            self.give_up();
            Err(AppendError::Unknown(StoreError::Damaged(
                "it holds neither the head before nor the one after".into(),
            )))
        }
    }

    /// What the file is like now that something was committed to it. Where it cannot be seen, the check before the next commit says so.
    fn look(&mut self) {
        if let Some(Err(error)) = self.witness.as_mut().map(Witness::look) {
            tracing::warn!(%error, "the file was written and cannot be looked at");
        }
    }

    fn measure(&self) -> Result<Tails, StoreError> {
        let database = self.database.as_ref().ok_or(StoreError::GivenUp)?;
        guarded(|| {
            let transaction = begin_write(database)?;
            let tails = prepare(&transaction)?;
            transaction.abort().map_err(StoreError::of)?;
            Ok(tails)
        })
    }

    fn give_up(&mut self) {
        if let Some(database) = self.database.take() {
            // A handle that has seen damage may stumble over it once more while it closes.
            let _ = guarded(|| {
                drop(database);
                Ok(())
            });
        }
    }

    /// See [`Store::close`].
    pub(crate) fn finish(mut self) -> Result<(), StoreError> {
        let Some(mut database) = self.database.take() else { return Err(StoreError::GivenUp) };
        guarded(|| {
            // A reader in another process keeps its pages; then the file stays as it is until the next time.
            let compacted = database.compact().map_err(redb::Error::from);
            if let Err(error) = &compacted {
                tracing::debug!(%error, "the file was not made smaller");
            }
            match (database.close().map_err(redb::Error::from), compacted) {
                // Of what failed before, redb remembers that it did, and the compaction says what it was.
                (Err(redb::Error::PreviousIo), Err(cause)) => Err(StoreError::of(cause)),
                (closed, _) => closed.map_err(StoreError::of),
            }
        })?;
        match self.unnamed.take_if(|unnamed| unnamed.from == NamedFrom::Closing) {
            Some(Unnamed { fresh, path, .. }) => fresh.publish(&path).map_err(unnameable),
            None => Ok(()),
        }
    }
}

fn unnameable(error: OpenError) -> StoreError {
    match error {
        OpenError::Storage { error, .. } => error,
        error => StoreError::Io(std::io::Error::other(error.to_string())),
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.give_up();
    }
}

impl Source for Journal {
    fn head(&self) -> Head {
        self.meta.head
    }

    fn entries(&self, from: Number) -> Result<Entries<'_>, StoreError> {
        self.snapshot()?.into_entries(from)
    }

    fn entry_holding(&self, number: Number) -> Result<Option<Vec<u8>>, StoreError> {
        self.snapshot()?.entry_holding(number)
    }

    fn blobs(&self) -> Result<Blobs<'_>, StoreError> {
        self.snapshot()?.into_blobs()
    }

    fn blob(&self, id: BlobId) -> Result<Option<Blob>, StoreError> {
        self.snapshot()?.blob(id)
    }
}

impl Store for Journal {
    fn epoch(&self) -> u32 {
        self.meta.epoch
    }

    fn append(&mut self, entry: &[u8], blobs: &[Blob]) -> Result<Head, AppendError> {
        if self.database.is_none() {
            return Err(AppendError::Unknown(StoreError::GivenUp));
        }
        let (header, after) = admit(&self.meta.head, self.meta.epoch, entry, blobs)?;
        self.witness.as_ref().map_or(Ok(()), Witness::check).map_err(AppendError::NotWritten)?;
        match self.write(std::iter::once((header.first.0, entry)), blobs, &after) {
            Ok(tails) => {
                (self.tails, self.meta.head) = (tails, after);
                self.look();
                self.publish()?;
                Ok(after)
            }
            Err(WriteError::Fenced(current)) => Err(AppendError::Fenced { stated: self.meta.epoch, current }),
            Err(WriteError::Storage(failure)) => self.settle(after, failure),
        }
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        self.finish()
    }
}

/// How a journal is opened that other processes may read.
pub(crate) fn shared() -> redb::Builder {
    let mut builder = builder();
    builder.set_concurrency_mode(ConcurrencyMode::SingleWriter);
    builder
}

/// How every journal is opened, before the mode in which it is shared.
pub(crate) fn builder() -> redb::Builder {
    let mut builder = redb::Builder::new();
    // A writer trusts nothing: what it adds to damaged pages would be lost with them. Costs 1 to 3 ms per MB.
    builder.set_cache_size(CACHE_BYTES).set_check_integrity_on_open(true);
    builder
}

/// Opens a database; what redb makes of a damaged one is an error.
pub(crate) fn open_guarded(
    open: impl FnOnce() -> Result<Database, DatabaseError>,
) -> Result<Database, Begin> {
    match guarded(|| Ok(open())) {
        Ok(opened) => opened.map_err(Begin::Database),
        Err(error) => Err(Begin::Storage(error)),
    }
}

fn begin_write(database: &Database) -> Result<WriteTransaction, StoreError> {
    let mut transaction = database.begin_write().map_err(StoreError::of)?;
    // Shared files always commit like this; memory does too, so that both are the same in tests.
    transaction.set_two_phase_commit(true);
    Ok(transaction)
}

fn prepare(transaction: &WriteTransaction) -> Result<Tails, StoreError> {
    Ok(Tails { entries: ENTRIES.prepare(transaction)?, blobs: BLOBS.prepare(transaction)? })
}

fn blob_row(blob: &Blob) -> Vec<u8> {
    [blob.digest.0.as_slice(), &blob.content].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;
    use crate::conformance::{append_sample, entry};
    use crate::{create, verify};

    #[test]
    fn a_new_file_is_found_again_under_its_own_name_after_a_failed_commit() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = create(&folder.path().join("x.redb")).unwrap();
        append_sample(&mut journal, 0).unwrap();
        let bytes = entry(&journal.head(), journal.epoch(), &[b"input"], &[]);
        let (header, body) = check(&journal.meta.head, &bytes).unwrap();
        let after = journal.head().after(&header, &body);
        let settled = journal.settle(after, StoreError::Full);
        assert!(matches!(settled, Err(AppendError::NotWritten(StoreError::Full))), "{settled:?}");
        assert_eq!(journal.append(&bytes, &[]).unwrap(), after);
        assert_eq!(verify(&journal).unwrap().entries, 2);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_campaign_is_not_seen_before_its_first_entry_and_leaves_nothing_without_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.redb");
        let names = || {
            let names = std::fs::read_dir(folder.path()).unwrap();
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
        };
        drop(create(&path).unwrap());
        assert_eq!(names(), [""; 0]);
        let mut journal = create(&path).unwrap();
        assert!(!path.exists() && names()[0].ends_with(".new"), "{:?}", names());
        append_sample(&mut journal, 0).unwrap();
        assert_eq!(names(), ["x.redb"]);
        assert!(matches!(create(&path), Err(OpenError::Exists(_))));
        // Somebody makes another of the same name in between.
        let other = folder.path().join("y.redb");
        let mut late = create(&other).unwrap();
        std::fs::write(&other, "mine").unwrap();
        assert!(matches!(append_sample(&mut late, 0), Err(AppendError::NotWritten(_))));
        drop(late);
        assert_eq!(std::fs::read(&other).unwrap(), b"mine");
    }

    #[test]
    fn a_writer_whose_epoch_was_taken_writes_nothing_more() {
        let mut journal = crate::Memory::new().open().unwrap();
        let head = append_sample(&mut journal, 0).unwrap().2;
        let transaction = begin_write(journal.database.as_ref().unwrap()).unwrap();
        Meta { epoch: journal.meta.epoch + 1, ..journal.meta }.write(&transaction).unwrap();
        transaction.commit().unwrap();
        let fenced = append_sample(&mut journal, 1);
        assert!(matches!(fenced, Err(AppendError::Fenced { stated: 1, current: 2 })), "{fenced:?}");
        assert_eq!(journal.snapshot().unwrap().head(), head);
    }

    #[test]
    fn a_commit_that_arrived_although_it_failed_is_acknowledged() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = create(&folder.path().join("x.redb")).unwrap();
        let before = journal.meta.head;
        let after = append_sample(&mut journal, 0).unwrap().2;
        journal.meta.head = before;
        assert_eq!(journal.settle(after, StoreError::Full).unwrap(), after);
        assert_eq!(journal.head(), after);
    }
}
