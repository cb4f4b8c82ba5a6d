//! One campaign's records, up to a head: what readers and writers read alike. Entries are only ever added, so that a head alone is a
//! moment.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio_postgres::Row;
use twicetold_event::{BlobId, CampaignId, Millis, Number};
use twicetold_journal::{Blob, Blobs, Entries, Head, Live, Source, StoreError};
use twicetold_model::Digest;

use crate::database::{Database, Value};
use crate::limits::{BLOBS_READ, ENTRIES_READ};

/// The columns of a campaign's row that are its head.
macro_rules! head_columns {
    () => {
        "next, chain, at, blobs, entries, last_epoch, last_campaign"
    };
}
pub(crate) use head_columns;

/// The head in a row, whose columns are from `from` on those of [`head_columns`].
pub(crate) fn head(row: &Row, from: usize) -> Result<Head, StoreError> {
    let number = |column: usize| -> Result<u64, StoreError> {
        u64::try_from(row.get::<_, i64>(from + column)).map_err(|_| damaged())
    };
    let small = |column: usize| u32::try_from(number(column)?).map_err(|_| damaged());
    let campaign: Option<Vec<u8>> = row.get(from + 6);
    let campaign = campaign.map(|id| id.try_into().map(CampaignId).map_err(|_| damaged())).transpose()?;
    Ok(Head {
        next: Number(number(0)?),
        chain: digest(row.get(from + 1))?,
        at: Millis(number(2)?),
        blobs: small(3)?,
        entries: number(4)?,
        epoch: small(5)?,
        campaign,
    })
}

fn digest(bytes: Vec<u8>) -> Result<Digest, StoreError> {
    bytes.try_into().map(Digest).map_err(|_| damaged())
}

fn damaged() -> StoreError {
    StoreError::Damaged("a row holds what no version writes".into())
}

/// A number as a value. What does not fit is past the end of every journal.
pub(crate) fn int(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// The records of one campaign that lies in a database.
pub(crate) struct Records {
    pub database: Arc<Database>,
    /// The campaign's key; none before its first entry.
    pub key: Option<i64>,
    pub head: Head,
}

impl Records {
    /// Rows in pages: `ask` asks for those from a place on, `step` says where the next page begins.
    fn paged<'a, T: 'a>(
        first: i64,
        ask: impl Fn(i64) -> Result<Vec<Row>, StoreError> + 'a,
        read: impl Fn(&Row) -> Result<(i64, T), StoreError> + 'a,
    ) -> impl Iterator<Item = Result<T, StoreError>> + 'a {
        let mut page: VecDeque<Row> = VecDeque::new();
        let mut from = Some(first);
        std::iter::from_fn(move || {
            if page.is_empty() {
                match ask(from?) {
                    Ok(rows) => page.extend(rows),
                    Err(error) => {
                        from = None;
                        return Some(Err(error));
                    }
                }
            }
            let Some(row) = page.pop_front() else {
                from = None;
                return None;
            };
            match read(&row) {
                Ok((next, item)) => {
                    from = Some(next);
                    Some(Ok(item))
                }
                Err(error) => {
                    from = None;
                    page.clear();
                    Some(Err(error))
                }
            }
        })
    }
}

impl Source for Records {
    fn head(&self) -> Head {
        self.head
    }

    fn entries(&self, from: Number) -> Result<Entries<'_>, StoreError> {
        let Some(key) = self.key else { return Ok(Box::new(std::iter::empty())) };
        let end = self.head.next.0;
        // A page goes on where the one before it ended.
        Ok(Box::new(Records::paged(
            i64::try_from(from.0).unwrap_or(i64::MAX),
            move |from| {
                self.database.ask(
                    "SELECT next, bytes FROM twicetold.entry
                     WHERE campaign = $1 AND first < $2 AND next > $3 AND first >= coalesce(
                         (SELECT max(first) FROM twicetold.entry WHERE campaign = $1 AND first <= $3), 0)
                     ORDER BY first LIMIT $4",
                    vec![Value::Int(key), int(end), Value::Int(from), Value::Int(ENTRIES_READ)],
                )
            },
            |row| Ok((row.get(0), row.get(1))),
        )))
    }

    fn entry_holding(&self, number: Number) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(key) = self.key.filter(|_| number < self.head.next) else { return Ok(None) };
        let rows = self.database.ask(
            "SELECT bytes FROM twicetold.entry WHERE campaign = $1 AND first <= $2 AND next > $2
             ORDER BY first DESC LIMIT 1",
            vec![Value::Int(key), int(number.0)],
        )?;
        Ok(rows.first().map(|row| row.get(0)))
    }

    fn blobs(&self) -> Result<Blobs<'_>, StoreError> {
        let Some(key) = self.key else { return Ok(Box::new(std::iter::empty())) };
        let end = u64::from(self.head.blobs);
        Ok(Box::new(Records::paged(
            0,
            move |from| {
                self.database.ask(
                    "SELECT id, digest, content FROM twicetold.blob
                     WHERE campaign = $1 AND id < $2 AND id >= $3 ORDER BY id LIMIT $4",
                    vec![Value::Int(key), int(end), Value::Int(from), Value::Int(BLOBS_READ)],
                )
            },
            |row| {
                let id: i64 = row.get(0);
                Ok((id + 1, Blob { digest: digest(row.get(1))?, content: row.get(2) }))
            },
        )))
    }

    fn blob(&self, id: BlobId) -> Result<Option<Blob>, StoreError> {
        let Some(key) = self.key.filter(|_| id.0 < self.head.blobs) else { return Ok(None) };
        let rows = self.database.ask(
            "SELECT digest, content FROM twicetold.blob WHERE campaign = $1 AND id = $2",
            vec![Value::Int(key), int(u64::from(id.0))],
        )?;
        let blob = |row: &Row| Ok(Blob { digest: digest(row.get(0))?, content: row.get(1) });
        rows.first().map(blob).transpose()
    }

    fn blob_digests(&self) -> Result<Vec<Digest>, StoreError> {
        let Some(key) = self.key else { return Ok(Vec::new()) };
        let rows = self.database.ask(
            "SELECT digest FROM twicetold.blob WHERE campaign = $1 AND id < $2 ORDER BY id",
            vec![Value::Int(key), int(u64::from(self.head.blobs))],
        )?;
        rows.iter().map(|row| digest(row.get(0))).collect()
    }
}

impl Live for Records {
    fn refresh(&mut self) -> Result<Head, StoreError> {
        let rows = self.database.ask(
            concat!("SELECT ", head_columns!(), " FROM twicetold.campaign WHERE key = $1 AND is_whole"),
            vec![Value::Int(self.key.unwrap_or_default())],
        )?;
        let row = rows.first().ok_or_else(|| StoreError::Lost("it was removed".into()))?;
        self.head = head(row, 0)?;
        Ok(self.head)
    }
}
