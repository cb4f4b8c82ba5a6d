//! The two halves of a store: reading one campaign's journal, and appending to it.

use twicetold_event::body::{Body, blob_digest};
use twicetold_event::entry::Header;
use twicetold_event::{BlobId, CampaignId, Millis, Number};
use twicetold_model::Digest;

use crate::{AppendError, StoreError};

/// Where a journal ends: all that the next entry must follow from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number that the next input takes.
    pub next: Number,
    /// The chain digest of the last entry; zero before the first.
    pub chain: Digest,
    /// The last entry's time in milliseconds since 1970.
    pub at: Millis,
    /// The id of the next blob, which is how many there are.
    pub blobs: u32,
    /// How many entries there are.
    pub entries: u64,
    /// The fencing epoch of the last entry; zero before the first.
    pub epoch: u32,
    /// Whose journal it is; the first entry decides.
    pub campaign: Option<CampaignId>,
}

impl Head {
    /// The head of a journal without entries.
    pub const EMPTY: Head = Head {
        next: Number(0),
        chain: Digest::ZERO,
        at: Millis(0),
        blobs: 0,
        entries: 0,
        epoch: 0,
        campaign: None,
    };

    /// The head after an entry that [`check`](fn@crate::check) accepted.
    pub fn after(&self, header: &Header, body: &Body<'_>) -> Head {
        Head {
            next: header.next(),
            chain: header.chain(),
            at: header.at,
            blobs: self.blobs.saturating_add(u32::try_from(body.blobs.len()).unwrap_or(u32::MAX)),
            entries: self.entries + 1,
            epoch: header.epoch,
            campaign: Some(header.campaign),
        }
    }
}

/// A text or file that entries refer to by its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// The digest of the content.
    pub digest: Digest,
    /// The plain content.
    pub content: Vec<u8>,
}

impl Blob {
    /// A blob of this content.
    pub fn new(content: impl Into<Vec<u8>>) -> Blob {
        let content = content.into();
        Blob { digest: blob_digest(&content), content }
    }
}

/// Entries as bytes, in order. Ends after the first error.
pub type Entries<'a> = Box<dyn Iterator<Item = Result<Vec<u8>, StoreError>> + 'a>;
/// Blobs in order of their ids. Ends after the first error.
pub type Blobs<'a> = Box<dyn Iterator<Item = Result<Blob, StoreError>> + 'a>;

/// The reading half: one campaign's journal as it stood at one moment. Bytes are handed out as they are stored; whoever
/// must know that nobody changed them asks [`verify`](fn@crate::verify).
pub trait Source {
    /// Where the journal ends.
    fn head(&self) -> Head;

    /// The entries from the one that holds `from` (or is the first after it) to the last.
    fn entries(&self, from: Number) -> Result<Entries<'_>, StoreError>;

    /// The entry whose numbers include `number`; none past the end.
    fn entry_holding(&self, number: Number) -> Result<Option<Vec<u8>>, StoreError>;

    /// All blobs from id 0.
    fn blobs(&self) -> Result<Blobs<'_>, StoreError>;

    /// One blob; none past the end.
    fn blob(&self, id: BlobId) -> Result<Option<Blob>, StoreError>;

    /// The digests of all blobs; a blob's id is its place.
    fn blob_digests(&self) -> Result<Vec<Digest>, StoreError> {
        self.blobs()?.map(|blob| Ok(blob?.digest)).collect()
    }

    /// The byte of a file at which an entry's or a blob's record begins, where that helps a person.
    fn place(&self, _part: crate::Part) -> Option<u64> {
        None
    }
}

/// A source that this process alone may append to.
pub trait Store: Source + Send {
    /// The fencing epoch that was taken when the store was opened; every entry's header must state it.
    fn epoch(&self) -> u32;

    /// Adds one entry and the blobs that it is the first to use, in one durable commit: when it returns the new head, a
    /// loss of power changes nothing any more.
    fn append(&mut self, entry: &[u8], blobs: &[Blob]) -> Result<Head, AppendError>;

    /// Gives the storage back and makes the file as small as it can be. Dropping a store is safe too, the file is
    /// then larger until somebody closes it.
    fn close(self: Box<Self>) -> Result<(), StoreError>;
}
