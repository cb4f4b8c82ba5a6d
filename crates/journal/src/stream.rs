//! Rows with rising keys: the newest each on its own, older ones packed together and compressed.
//!
//! A row of its own fills its share of a 4 KiB page, which redb leaves half empty when keys only rise: 1,390 to 2,000
//! bytes of file for an entry of 1,100. In packs of 64 the same entry takes about 520, because what repeats from entry
//! to entry is stored once. Packing happens in the commit that fills the pack, so no reader ever sees a row
//! twice or not at all, and each entry is rewritten once.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use redb::{ReadOnlyTable, ReadTransaction, ReadableTable, TableDefinition, WriteTransaction};

use crate::{StoreError, codec, guard::guarded};

/// The tables of one stream and the size of its packs.
pub(crate) struct Layout {
    /// Rows of their own.
    pub tail: TableDefinition<'static, u64, &'static [u8]>,
    /// `[codec][rows]`, by the first row's key.
    pub packs: TableDefinition<'static, u64, &'static [u8]>,
    /// A tail of so many rows is packed.
    pub rows_max: usize,
    /// A tail of so many bytes is packed.
    pub bytes_max: usize,
}

/// Entries, by their first number. Packs are read from end to end; 64 entries unpack in some 60 µs.
pub(crate) const ENTRIES: Layout = Layout {
    tail: TableDefinition::new("entries"),
    packs: TableDefinition::new("entry_packs"),
    rows_max: 64,
    bytes_max: 256 * 1024,
};

/// Blobs, by their ids: digest, then plain content. Smaller packs, because blobs are also read one by one.
pub(crate) const BLOBS: Layout = Layout {
    tail: TableDefinition::new("blobs"),
    packs: TableDefinition::new("blob_packs"),
    rows_max: 64,
    bytes_max: 32 * 1024,
};

/// So many bytes of unpacked packs are kept for whoever reads rows one by one: the blobs of an evening, which `why` and reports read in no
/// order. Unpacking one for each row was half of their time.
const OPENED_BYTES_MAX: usize = 1024 * 1024;

/// How much lies in a tail.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tail {
    rows: usize,
    bytes: usize,
}

impl Layout {
    /// Adds `rows`, packing the tail whenever it is full, and returns how much the tail holds then.
    pub fn write<'r>(
        &self,
        transaction: &WriteTransaction,
        mut tail: Tail,
        rows: impl Iterator<Item = (u64, &'r [u8])>,
    ) -> Result<Tail, StoreError> {
        let mut table = transaction.open_table(self.tail).map_err(StoreError::of)?;
        for (key, row) in rows {
            table.insert(key, row).map_err(StoreError::of)?;
            tail.rows += 1;
            tail.bytes += row.len();
            if tail.rows < self.rows_max && tail.bytes < self.bytes_max {
                continue;
            }
            let mut first = key;
            let mut plain = Vec::with_capacity(tail.bytes + tail.rows * ROW_HEAD);
            for stored in table.iter().map_err(StoreError::of)? {
                let (key, row) = stored.map_err(StoreError::of)?;
                first = first.min(key.value());
                push_row(&mut plain, key.value(), row.value());
            }
            table.retain(|_, _| false).map_err(StoreError::of)?;
            let mut pack = vec![0];
            pack[0] = codec::encode(&plain, &mut pack)?;
            let mut packs = transaction.open_table(self.packs).map_err(StoreError::of)?;
            packs.insert(first, pack.as_slice()).map_err(StoreError::of)?;
            tail = Tail::default();
        }
        Ok(tail)
    }

    /// Makes both tables, so that readers find them in an empty journal too, and measures the tail.
    pub fn prepare(&self, transaction: &WriteTransaction) -> Result<Tail, StoreError> {
        transaction.open_table(self.packs).map_err(StoreError::of)?;
        let table = transaction.open_table(self.tail).map_err(StoreError::of)?;
        let mut tail = Tail::default();
        for row in table.iter().map_err(StoreError::of)? {
            tail.rows += 1;
            tail.bytes += row.map_err(StoreError::of)?.1.value().len();
        }
        Ok(tail)
    }

    /// The stream as `transaction` sees it.
    pub fn open(&self, transaction: &ReadTransaction) -> Result<Stream, StoreError> {
        Ok(Stream {
            tail: transaction.open_table(self.tail).map_err(StoreError::of)?,
            packs: transaction.open_table(self.packs).map_err(StoreError::of)?,
            opened: Mutex::default(),
        })
    }
}

/// Both tables as one transaction sees them.
pub(crate) struct Stream {
    tail: ReadOnlyTable<u64, &'static [u8]>,
    packs: ReadOnlyTable<u64, &'static [u8]>,
    opened: Mutex<Opened>,
}

/// Packs by their first keys, the one that was used last at the end. A transaction sees no pack change.
#[derive(Default)]
struct Opened {
    packs: VecDeque<(u64, Arc<Pack>)>,
    bytes: usize,
}

impl Opened {
    fn pack(&mut self, first: u64, stored: &[u8]) -> Result<Arc<Pack>, StoreError> {
        if let Some(place) = self.packs.iter().position(|(known, _)| *known == first)
            && let Some((_, pack)) = self.packs.remove(place)
        {
            self.packs.push_back((first, pack.clone()));
            return Ok(pack);
        }
        let pack = Arc::new(Pack::open(stored)?);
        self.bytes += pack.plain.len();
        self.packs.push_back((first, pack.clone()));
        while self.bytes > OPENED_BYTES_MAX
            && let Some((_, oldest)) = self.packs.pop_front()
        {
            self.bytes -= oldest.plain.len();
        }
        Ok(pack)
    }
}

impl Stream {
    /// The row with the largest key that is at most `key`.
    pub fn at_or_before(&self, key: u64) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
        guarded(|| {
            let mut range = self.tail.range(..=key).map_err(StoreError::of)?;
            if let Some(row) = range.next_back() {
                let (key, row) = row.map_err(StoreError::of)?;
                return Ok(Some((key.value(), row.value().to_vec())));
            }
            let mut range = self.packs.range(..=key).map_err(StoreError::of)?;
            let Some(pack) = range.next_back() else { return Ok(None) };
            let (first, stored) = pack.map_err(StoreError::of)?;
            let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
            let pack = opened.pack(first.value(), stored.value())?;
            let row = pack.rows.iter().rev().find(|(first, _)| *first <= key);
            Ok(row.map(|(first, place)| (*first, pack.plain[place.clone()].to_vec())))
        })
    }

    /// All rows from the one at or before `key`.
    pub fn rows(&self, key: u64) -> Result<Rows, StoreError> {
        guarded(|| {
            let mut before = self.packs.range(..=key).map_err(StoreError::of)?;
            let first = match before.next_back() {
                Some(pack) => pack.map_err(StoreError::of)?.0.value(),
                None => key,
            };
            Ok(Rows {
                packs: self.packs.range_owned(first..).map_err(StoreError::of)?,
                // Rows of the tail that lie before `key` are left out by the reader of the rows: at most a pack's worth.
                tail: self.tail.range_owned::<u64>(..).map_err(StoreError::of)?,
                pack: Pack::default(),
                next: 0,
                over: false,
            })
        })
    }
}

/// Rows in order of their keys; ends after the first error.
pub(crate) struct Rows {
    packs: redb::OwnedRange<u64, &'static [u8]>,
    tail: redb::OwnedRange<u64, &'static [u8]>,
    pack: Pack,
    next: usize,
    over: bool,
}

impl Iterator for Rows {
    type Item = Result<Vec<u8>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        if self.next == self.pack.rows.len() {
            let refilled = guarded(|| match self.packs.next() {
                Some(pack) => Pack::open(pack.map_err(StoreError::of)?.1.value()).map(Some),
                None => Ok(None),
            });
            match refilled {
                Ok(Some(pack)) => (self.pack, self.next) = (pack, 0),
                Ok(None) => return self.next_of_tail(),
                Err(error) => {
                    self.over = true;
                    return Some(Err(error));
                }
            }
        }
        let (_, place) = self.pack.rows.get(self.next)?;
        self.next += 1;
        Some(Ok(self.pack.plain[place.clone()].to_vec()))
    }
}

impl Rows {
    fn next_of_tail(&mut self) -> Option<Result<Vec<u8>, StoreError>> {
        let row = guarded(|| match self.tail.next() {
            Some(row) => Ok(Some(row.map_err(StoreError::of)?.1.value().to_vec())),
            None => Ok(None),
        });
        self.over = !matches!(row, Ok(Some(_)));
        row.transpose()
    }
}

const ROW_HEAD: usize = 12;

/// Rows that were packed together: for each its key, its length and its bytes.
#[derive(Default)]
struct Pack {
    plain: Vec<u8>,
    rows: Vec<(u64, Range<usize>)>,
}

impl Pack {
    fn open(stored: &[u8]) -> Result<Pack, StoreError> {
        let damaged = || StoreError::Damaged("a pack of rows is cut".into());
        let (codec, data) = stored.split_first().ok_or_else(damaged)?;
        let plain = codec::decode(*codec, data)?;
        let mut rows = Vec::new();
        let mut at = 0;
        while at < plain.len() {
            let head = plain[at..].first_chunk::<ROW_HEAD>().ok_or_else(damaged)?;
            let (key, length) = head.split_first_chunk::<8>().ok_or_else(damaged)?;
            let length = u32::from_le_bytes(length.try_into().map_err(|_| damaged())?) as usize;
            let place = at + ROW_HEAD..at + ROW_HEAD + length;
            at = place.end;
            if at > plain.len() {
                return Err(damaged());
            }
            rows.push((u64::from_le_bytes(*key), place));
        }
        if rows.is_empty() {
            return Err(damaged());
        }
        Ok(Pack { plain, rows })
    }
}

fn push_row(plain: &mut Vec<u8>, key: u64, row: &[u8]) {
    plain.extend_from_slice(&key.to_le_bytes());
    let length =
        u32::try_from(row.len()).expect("a row is at most 32 MiB: Journal::append refuses larger ones");
    plain.extend_from_slice(&length.to_le_bytes());
    plain.extend_from_slice(row);
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Layout = Layout { rows_max: 4, bytes_max: usize::MAX, ..BLOBS };

    #[test]
    fn a_row_is_the_same_however_many_packs_were_read_before_it() {
        let database =
            redb::Database::builder().create_with_backend(redb::backends::InMemoryBackend::new()).unwrap();
        // Three times what is kept unpacked.
        let (count, bytes) = (48_u64, OPENED_BYTES_MAX / 16);
        let rows: Vec<(u64, Vec<u8>)> = (0..count).map(|key| (2 * key, vec![key as u8; bytes])).collect();
        let transaction = database.begin_write().unwrap();
        let tail = SMALL.prepare(&transaction).unwrap();
        SMALL.write(&transaction, tail, rows.iter().map(|(key, row)| (*key, row.as_slice()))).unwrap();
        transaction.commit().unwrap();
        let stream = SMALL.open(&redb::ReadableDatabase::begin_read(&database).unwrap()).unwrap();
        for step in [1, 5, 11] {
            for key in (0..count).map(|place| 2 * (place * step % count) + place % 2) {
                let wanted = &rows[usize::try_from(key / 2).unwrap()];
                assert_eq!(stream.at_or_before(key).unwrap().as_ref(), Some(wanted), "{key}");
                let opened = stream.opened.lock().unwrap();
                let kept: usize = opened.packs.iter().map(|(_, pack)| pack.plain.len()).sum();
                assert!(opened.bytes == kept && kept <= OPENED_BYTES_MAX, "{kept} bytes are kept");
            }
        }
    }
}
