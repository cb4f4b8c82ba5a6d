//! Campaigns as files: made whole or not at all, written by one process, read by any.
//!
//! Both sides use redb's single-writer mode. The writer holds a lock on a byte far behind the file's end; a reader
//! announces the commit that it reads by a lock on another such byte, so that the writer leaves the pages
//! of that commit alone, and the header says of a commit whether it was flushed. A reader therefore always sees the whole
//! of one durable commit. Copying the file instead would copy pages in the middle of being rewritten; asking the writer
//! over a socket would need the writer to be alive and willing.
//!
//! After a crash a reader finds no writer and a file that is not closed. Then it opens the file for writing once, which
//! repairs it, and reads. Where it may not write, or finds no room to, it repairs a copy in memory and reads that.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use redb::{Database, DatabaseError, ReadOnlyDatabase};
use twicetold_event::{BlobId, Number};

use crate::flush::{self, Flushes};
use crate::guard::guarded;
use crate::journal::{Begin, NamedFrom, Opener, shared};
use crate::snapshot::{LAYOUT, Snapshot};
use crate::{
    Blob, Blobs, EXPORT_MAGIC, Entries, Export, Head, Journal, Memory, OpenError, Source, StoreError,
};

const REDB_MAGIC: &[u8] = b"redb\x1A\x0A\xA9\x0D\x0A";
/// A reader that meets a file in the middle of its repair by somebody else looks again so often, …
const REPAIR_LOOKS_MAX: u32 = 100;
/// … after so long: two seconds in all, the repair of a file of a gigabyte.
const REPAIR_PAUSE: Duration = Duration::from_millis(20);
/// Bytes of a file that is repaired in memory: a campaign of 5,000 turns has seven megabytes.
const COPY_BYTES_MAX: u64 = 1 << 30;

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A redb file; only opening it shows whether it is a campaign.
    Campaign,
    /// An export.
    Export,
    /// Something else.
    Neither,
}

/// Looks at a file's first bytes.
pub fn sniff(path: &Path) -> Result<FileKind, OpenError> {
    let mut front = Vec::new();
    // Opening a pipe waits for somebody to write to it, and a device has no end.
    let about = fs::metadata(path).map_err(|error| failed(path, error))?;
    if !about.is_file() && !about.is_dir() {
        let why = "it is a pipe or a device; name a file".into();
        return Err(OpenError::NotACampaign { path: path.into(), why });
    }
    let file = File::open(path).map_err(|error| failed(path, error))?;
    file.take(EXPORT_MAGIC.len() as u64).read_to_end(&mut front).map_err(|error| failed(path, error))?;
    Ok(if front == EXPORT_MAGIC {
        FileKind::Export
    } else if front.starts_with(REDB_MAGIC) {
        FileKind::Campaign
    } else {
        FileKind::Neither
    })
}

/// Opens a campaign or an export for reading.
pub fn open_source(path: &Path) -> Result<Box<dyn Source>, OpenError> {
    match sniff(path)? {
        FileKind::Campaign => Ok(Box::new(open_read_only(path)?)),
        FileKind::Export => Ok(Box::new(Export::open(path)?)),
        FileKind::Neither => Err(neither(path)),
    }
}

/// Makes a new campaign file and opens it for writing. The file gets its name with its first entry, so that no campaign is ever seen
/// that does not begin. Nothing at `path` is ever replaced, and nothing is left there on failure.
pub fn create(path: &Path) -> Result<Journal, OpenError> {
    let fresh = Fresh::beside(path)?;
    let journal = fresh.journal(path)?;
    Ok(journal.named_later(fresh, path, NamedFrom::FirstEntry))
}

/// Opens an existing campaign file for writing and takes a new fencing epoch. All of the file is checked against redb's
/// checksums first.
pub fn open(path: &Path) -> Result<Journal, OpenError> {
    if sniff(path)? != FileKind::Campaign {
        return Err(neither(path));
    }
    let open = opener(path, Flushes::default());
    let begun = open.open().and_then(|database| Journal::begin(database, open, false));
    let begun = begun.and_then(|journal| journal.witnessed(path).map_err(Begin::Storage));
    begun.map_err(|error| describe(path, error))
}

/// Opens a campaign file for reading, also while another process is playing it.
pub fn open_read_only(path: &Path) -> Result<Reader, OpenError> {
    if sniff(path)? != FileKind::Campaign {
        return Err(neither(path));
    }
    for _ in 0..REPAIR_LOOKS_MAX {
        match open_shared(path) {
            Ok(database) => return Reader::new(path, Held::File(database)),
            Err(Begin::Database(DatabaseError::RepairAborted)) => {}
            Err(error) => return Err(describe(path, error)),
        }
        match repair(path) {
            Ok(()) => {}
            Err(Begin::Database(DatabaseError::DatabaseAlreadyOpen)) => thread::sleep(REPAIR_PAUSE),
            Err(error) => {
                return match describe(path, error) {
                    OpenError::Storage { error: StoreError::Permission | StoreError::Full, .. } => {
                        read_copy(path)
                    }
                    other => Err(other),
                };
            }
        }
    }
    Err(OpenError::Locked { path: path.into(), by: "a process that is repairing it".into() })
}

/// Opens a campaign or an export for reading if that needs no waiting and no writing: a file that was left open by a crash, or is being
/// repaired, is not opened.
pub fn open_at_once(path: &Path) -> Result<Box<dyn Source>, OpenError> {
    match sniff(path)? {
        FileKind::Campaign => {
            let database = open_shared(path).map_err(|error| describe(path, error))?;
            Ok(Box::new(Reader::new(path, Held::File(database))?))
        }
        FileKind::Export => Ok(Box::new(Export::open(path)?)),
        FileKind::Neither => Err(neither(path)),
    }
}

/// Reads a file that was left open by a crash where nothing can be written.
fn read_copy(path: &Path) -> Result<Reader, OpenError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| failed(path, error))?;
    file.take(COPY_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|error| failed(path, error))?;
    if bytes.len() as u64 > COPY_BYTES_MAX {
        return Err(OpenError::NeedsRepair(path.into()));
    }
    let memory = Memory::holding(&bytes).map_err(|error| failed(path, error))?;
    let database = memory.database().map_err(|error| describe(path, error))?;
    Reader::new(path, Held::Copy(database))
}

/// What a reader reads.
enum Held {
    File(ReadOnlyDatabase),
    /// A copy in memory: nobody goes on with the file while it is as it is.
    Copy(Database),
}

impl Held {
    fn snapshot(&self) -> Result<Result<Snapshot, Option<u8>>, StoreError> {
        match self {
            Held::File(database) => Snapshot::take(database),
            Held::Copy(database) => Snapshot::take(database),
        }
    }
}

/// A campaign file at one moment, whoever is playing it. Sees nothing that is appended later until it is told to.
pub struct Reader {
    snapshot: Snapshot,
    held: Held,
}

impl Reader {
    fn new(path: &Path, held: Held) -> Result<Reader, OpenError> {
        let snapshot = match held.snapshot() {
            Ok(Ok(snapshot)) => snapshot,
            Ok(Err(None)) => return Err(describe(path, Begin::NotAJournal)),
            Ok(Err(Some(layout))) => return Err(describe(path, Begin::Layout(layout))),
            Err(error) => return Err(describe(path, Begin::Storage(error))),
        };
        Ok(Reader { snapshot, held })
    }

    /// Moves on to the newest commit and returns its head.
    pub fn refresh(&mut self) -> Result<Head, StoreError> {
        let taken = self.held.snapshot()?;
        self.snapshot = taken.map_err(|_| StoreError::Damaged("its tables are gone".into()))?;
        Ok(self.head())
    }
}

impl Source for Reader {
    fn head(&self) -> Head {
        self.snapshot.head()
    }

    fn entries(&self, from: Number) -> Result<Entries<'_>, StoreError> {
        self.snapshot.entries(from)
    }

    fn entry_holding(&self, number: Number) -> Result<Option<Vec<u8>>, StoreError> {
        self.snapshot.entry_holding(number)
    }

    fn blobs(&self) -> Result<Blobs<'_>, StoreError> {
        self.snapshot.blobs()
    }

    fn blob(&self, id: BlobId) -> Result<Option<Blob>, StoreError> {
        self.snapshot.blob(id)
    }
}

/// A campaign file under a temporary name beside its destination; removed unless it is published.
pub(crate) struct Fresh {
    path: PathBuf,
}

impl Fresh {
    /// Reserves a temporary name.
    pub fn beside(destination: &Path) -> Result<Fresh, OpenError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        if destination.symlink_metadata().is_ok() {
            return Err(OpenError::Exists(destination.into()));
        }
        let name = destination.file_name().unwrap_or_default().to_string_lossy();
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = destination.with_file_name(format!(".{name}.{}-{count}.new", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(_) => return Ok(Fresh { path }),
                // Left behind by a process of the same number that was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(destination.parent().unwrap_or(destination), error)),
            }
        }
    }

    /// Makes it an empty journal. An error names its `destination`.
    pub fn journal(&self, destination: &Path) -> Result<Journal, OpenError> {
        let open = opener(&self.path, Flushes::default());
        let begun = open.open().and_then(|database| Journal::begin(database, open, true));
        begun.map_err(|error| describe(destination, error))
    }

    /// Opens the journal that lies in it once more: for entries of its own, with which it gets its name when it is closed.
    pub fn continued(self, destination: &Path) -> Result<Journal, OpenError> {
        let open = opener(&self.path, Flushes::default());
        let begun = open.open().and_then(|database| Journal::begin(database, open, false));
        let journal = begun.map_err(|error| describe(destination, error))?;
        Ok(journal.named_later(self, destination, NamedFrom::Closing))
    }

    /// Gives it its name, durably, unless something has that name meanwhile.
    pub fn publish(self, destination: &Path) -> Result<(), OpenError> {
        let publish = || {
            // Windows flushes only what is open for writing.
            File::options().write(true).open(&self.path)?.sync_all()?;
            match fs::hard_link(&self.path, destination) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
                Ok(()) => {}
                // A file system without links: the look before the rename leaves a moment open, which is all that it offers.
                Err(_) if destination.symlink_metadata().is_err() => fs::rename(&self.path, destination)?,
                Err(error) => return Err(error),
            }
            sync_folder(destination)
        };
        publish().map_err(|error| failed(destination, error))
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Makes a new name durable. Elsewhere than on Unix a folder cannot be opened, nor need it be.
#[cfg(unix)]
fn sync_folder(destination: &Path) -> io::Result<()> {
    let folder = destination.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_destination: &Path) -> io::Result<()> {
    Ok(())
}

pub(crate) fn opener(path: &Path, flushes: Flushes) -> Opener {
    let path = path.to_owned();
    Opener::new(flushes.clone(), move || shared().create_with_backend(flush::file(&path, &flushes)?))
}

fn open_shared(path: &Path) -> Result<ReadOnlyDatabase, Begin> {
    guarded(|| Ok(shared().open_read_only(path))).map_err(Begin::Storage)?.map_err(Begin::Database)
}

fn repair(path: &Path) -> Result<(), Begin> {
    let database = opener(path, Flushes::default()).open()?;
    guarded(|| database.close().map_err(StoreError::of)).map_err(Begin::Storage)
}

fn describe(path: &Path, error: Begin) -> OpenError {
    match error {
        Begin::Database(DatabaseError::DatabaseAlreadyOpen) => {
            OpenError::Locked { path: path.into(), by: holder(path) }
        }
        Begin::Database(DatabaseError::LockProtocolMismatch) => {
            OpenError::Locked { path: path.into(), by: "a build with another redb".into() }
        }
        Begin::NotAJournal => {
            OpenError::NotACampaign { path: path.into(), why: "it is a redb file with other tables".into() }
        }
        Begin::Layout(found) => OpenError::Layout { path: path.into(), found, known: LAYOUT },
        Begin::Database(error) => match StoreError::of(error) {
            StoreError::Io(error) => failed(path, error),
            error => OpenError::Storage { path: path.into(), error },
        },
        Begin::Storage(error) => OpenError::Storage { path: path.into(), error },
    }
}

/// Who is playing: the writer leaves its process number in its first commit.
fn holder(path: &Path) -> String {
    let snapshot = open_shared(path).ok().and_then(|database| Snapshot::take(&database).ok()?.ok());
    snapshot.map_or("another process".into(), |snapshot| format!("process {}", snapshot.meta().process))
}

fn neither(path: &Path) -> OpenError {
    OpenError::NotACampaign {
        path: path.into(),
        why: "its first bytes are those of neither a campaign nor an export".into(),
    }
}

/// The error for a path that the operating system refuses.
pub(crate) fn failed(path: &Path, error: io::Error) -> OpenError {
    match error.kind() {
        io::ErrorKind::NotFound => OpenError::Missing(path.into()),
        io::ErrorKind::AlreadyExists => OpenError::Exists(path.into()),
        _ => OpenError::Storage { path: path.into(), error: error.into() },
    }
}
