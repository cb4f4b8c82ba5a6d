//! A journal in redb as one read transaction sees it: a prefix that nothing changes any more.

use redb::{
    ReadTransaction, ReadableDatabase, ReadableTable, TableDefinition, TableError, TableHandle,
    WriteTransaction,
};
use twicetold_event::entry::Header;
use twicetold_event::{BlobId, CampaignId, Millis, Number};
use twicetold_model::Digest;

use crate::guard::guarded;
use crate::stream::{BLOBS, ENTRIES, Stream};
use crate::{Blob, Blobs, Entries, Head, Source, StoreError};

/// The layout of the tables that this build reads and writes.
pub(crate) const LAYOUT: u8 = 1;
const META: TableDefinition<&str, &[u8]> = TableDefinition::new("meta");
const HEAD_LENGTH: usize = 81;

/// What one commit keeps beside rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meta {
    pub layout: u8,
    /// The epoch of the writer that opened the journal last.
    pub epoch: u32,
    /// The process of that writer, so that others can say who it is.
    pub process: u32,
    pub head: Head,
}

impl Meta {
    /// Writes all of it.
    pub fn write(&self, transaction: &WriteTransaction) -> Result<(), StoreError> {
        let mut table = transaction.open_table(META).map_err(StoreError::of)?;
        let mut put = |key: &str, value: &[u8]| table.insert(key, value).map(drop).map_err(StoreError::of);
        put("layout", &[self.layout])?;
        put("epoch", &self.epoch.to_le_bytes())?;
        put("process", &self.process.to_le_bytes())?;
        put("head", &encode_head(&self.head))
    }

    /// Writes the head alone: the rest changes only when a writer opens the journal.
    pub fn write_head(transaction: &WriteTransaction, head: &Head) -> Result<(), StoreError> {
        let mut table = transaction.open_table(META).map_err(StoreError::of)?;
        table.insert("head", encode_head(head).as_slice()).map(drop).map_err(StoreError::of)
    }

    /// The epoch of the writer that opened a journal last, read within a write.
    pub fn epoch_of_write(transaction: &WriteTransaction) -> Result<u32, StoreError> {
        let table = transaction.open_table(META).map_err(StoreError::of)?;
        Ok(u32::from_le_bytes(fixed(&table, "epoch")?))
    }

    /// Reads it within a write; none if the database is not a journal.
    pub fn of_write(transaction: &WriteTransaction) -> Result<Option<Meta>, StoreError> {
        let mut tables = transaction.list_tables().map_err(StoreError::of)?;
        if !tables.any(|table| table.name() == META.name()) {
            return Ok(None);
        }
        match transaction.open_table(META) {
            Ok(table) => Meta::of_table(&table).map(Some),
            Err(TableError::TableTypeMismatch { .. }) => Ok(None),
            Err(error) => Err(StoreError::of(error)),
        }
    }

    /// Reads it; none if the database is not a journal.
    pub fn of_read(transaction: &ReadTransaction) -> Result<Option<Meta>, StoreError> {
        match transaction.open_table(META) {
            Ok(table) => Meta::of_table(&table).map(Some),
            Err(TableError::TableDoesNotExist(_) | TableError::TableTypeMismatch { .. }) => Ok(None),
            Err(error) => Err(StoreError::of(error)),
        }
    }

    fn of_table(table: &impl ReadableTable<&'static str, &'static [u8]>) -> Result<Meta, StoreError> {
        let layout = fixed::<1>(table, "layout")?[0];
        if layout != LAYOUT {
            // What a later layout keeps here is not for this build to read.
            return Ok(Meta { layout, epoch: 0, process: 0, head: Head::EMPTY });
        }
        Ok(Meta {
            layout,
            epoch: u32::from_le_bytes(fixed(table, "epoch")?),
            process: u32::from_le_bytes(fixed(table, "process")?),
            head: decode_head(&fixed(table, "head")?),
        })
    }
}

fn fixed<const N: usize>(
    table: &impl ReadableTable<&'static str, &'static [u8]>,
    key: &str,
) -> Result<[u8; N], StoreError> {
    let value = table.get(key).map_err(StoreError::of)?;
    let bytes = value.as_ref().and_then(|value| value.value().try_into().ok());
    bytes.ok_or_else(|| StoreError::Damaged(format!("its {key} is missing or cut")))
}

fn encode_head(head: &Head) -> [u8; HEAD_LENGTH] {
    let mut bytes = [0; HEAD_LENGTH];
    bytes[0..8].copy_from_slice(&head.next.0.to_le_bytes());
    bytes[8..40].copy_from_slice(&head.chain.0);
    bytes[40..48].copy_from_slice(&head.at.0.to_le_bytes());
    bytes[48..52].copy_from_slice(&head.blobs.to_le_bytes());
    bytes[52..60].copy_from_slice(&head.entries.to_le_bytes());
    bytes[60..64].copy_from_slice(&head.epoch.to_le_bytes());
    if let Some(campaign) = head.campaign {
        bytes[64] = 1;
        bytes[65..81].copy_from_slice(&campaign.0);
    }
    bytes
}

fn decode_head(bytes: &[u8; HEAD_LENGTH]) -> Head {
    Head {
        next: Number(u64::from_le_bytes(part(bytes, 0))),
        chain: Digest(part(bytes, 8)),
        at: Millis(u64::from_le_bytes(part(bytes, 40))),
        blobs: u32::from_le_bytes(part(bytes, 48)),
        entries: u64::from_le_bytes(part(bytes, 52)),
        epoch: u32::from_le_bytes(part(bytes, 60)),
        campaign: (bytes[64] != 0).then(|| CampaignId(part(bytes, 65))),
    }
}

fn part<const N: usize>(bytes: &[u8; HEAD_LENGTH], at: usize) -> [u8; N] {
    let mut part = [0; N];
    part.copy_from_slice(&bytes[at..at + N]);
    part
}

/// One read transaction over a whole journal. While it lives, redb keeps the pages that it sees.
pub(crate) struct Snapshot {
    meta: Meta,
    entries: Stream,
    blobs: Stream,
}

impl Snapshot {
    /// The journal as it stands now. The inner error: the database is no journal (none), or one of another layout (which).
    pub fn take(database: &impl ReadableDatabase) -> Result<Result<Snapshot, Option<u8>>, StoreError> {
        guarded(|| {
            let transaction = database.begin_read().map_err(StoreError::of)?;
            let Some(meta) = Meta::of_read(&transaction)? else { return Ok(Err(None)) };
            if meta.layout != LAYOUT {
                return Ok(Err(Some(meta.layout)));
            }
            let (entries, blobs) = (ENTRIES.open(&transaction)?, BLOBS.open(&transaction)?);
            let snapshot = Snapshot { meta, entries, blobs };
            snapshot.compare_head()?;
            Ok(Ok(snapshot))
        })
    }

    /// Who opened the journal for writing last.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The head is kept beside the entries; that both agree costs one read and finds a lost row at once.
    fn compare_head(&self) -> Result<(), StoreError> {
        let head = &self.meta.head;
        let last = self.entries.at_or_before(u64::MAX)?;
        let agrees = match last {
            None => head.entries == 0 && head.next == Number(0),
            Some((_, entry)) => Header::decode(&entry)
                .is_ok_and(|header| header.next() == head.next && header.chain() == head.chain),
        };
        if agrees {
            Ok(())
        } else {
            Err(StoreError::Damaged("its head is not that of its last entry".into()))
        }
    }

    /// The entries from the one that holds `from`. Owns all that it needs.
    pub fn into_entries(self, from: Number) -> Result<Entries<'static>, StoreError> {
        entries(&self.entries, from)
    }

    /// All blobs. Owns all that it needs.
    pub fn into_blobs(self) -> Result<Blobs<'static>, StoreError> {
        blobs(&self.blobs)
    }
}

impl Source for Snapshot {
    fn head(&self) -> Head {
        self.meta.head
    }

    fn entries(&self, from: Number) -> Result<Entries<'_>, StoreError> {
        entries(&self.entries, from)
    }

    fn entry_holding(&self, number: Number) -> Result<Option<Vec<u8>>, StoreError> {
        if number >= self.meta.head.next {
            return Ok(None);
        }
        Ok(self.entries.at_or_before(number.0)?.map(|(_, entry)| entry))
    }

    fn blobs(&self) -> Result<Blobs<'_>, StoreError> {
        blobs(&self.blobs)
    }

    fn blob(&self, id: BlobId) -> Result<Option<Blob>, StoreError> {
        match self.blobs.at_or_before(u64::from(id.0))? {
            Some((key, row)) if key == u64::from(id.0) => blob_of(row).map(Some),
            _ => Ok(None),
        }
    }
}

fn entries(stream: &Stream, from: Number) -> Result<Entries<'static>, StoreError> {
    let rows = stream.rows(from.0)?;
    let before = move |entry: &Result<Vec<u8>, StoreError>| {
        let header = entry.as_ref().ok().and_then(|entry| Header::decode(entry).ok());
        header.is_some_and(|header: Header| header.next() <= from)
    };
    Ok(Box::new(rows.skip_while(before)))
}

fn blobs(stream: &Stream) -> Result<Blobs<'static>, StoreError> {
    Ok(Box::new(stream.rows(0)?.map(|row| blob_of(row?))))
}

fn blob_of(mut row: Vec<u8>) -> Result<Blob, StoreError> {
    let Some(digest) = row.first_chunk::<32>().copied() else {
        return Err(StoreError::Damaged("a blob is cut".into()));
    };
    row.drain(..32);
    Ok(Blob { digest: Digest(digest), content: row })
}
