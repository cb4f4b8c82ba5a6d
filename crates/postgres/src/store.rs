//! One campaign that this process writes.

use std::sync::Arc;

use tokio_postgres::Row;
use twicetold_event::{BlobId, CampaignId, Number};
use twicetold_journal::{AppendError, Batch, Blob, Blobs, Entries, Head, Source, Store, StoreError, admit};
use twicetold_model::Digest;

use crate::database::{Database, Failed, Value};
use crate::lease::{Lease, lease_end};
use crate::limits::ATTEMPTS_MAX;
use crate::records::{Records, int};

/// The campaign's entries and blobs of one append, from the arrays of its values.
macro_rules! rows_follow {
    () => {
        ", entries AS (
             INSERT INTO twicetold.entry (campaign, first, next, bytes)
             SELECT head.key, e.first, e.next, e.bytes
             FROM head, unnest($8::bigint[], $9::bigint[], $10::bytea[]) AS e(first, next, bytes)),
         blobs AS (
             INSERT INTO twicetold.blob (campaign, id, digest, content)
             SELECT head.key, b.id, b.digest, b.content
             FROM head, unnest($11::bigint[], $12::bytea[], $13::bytea[]) AS b(id, digest, content))
         SELECT key FROM head"
    };
}

/// Goes on after a head that the writer knows. Whoever lost the campaign finds no such row.
const APPEND: &str = concat!(
    "WITH head AS (
         UPDATE twicetold.campaign SET next = $1, chain = $2, at = $3, blobs = $4, entries = $5, last_epoch = $6,
             last_campaign = $7, leased_until = ",
    lease_end!(),
    " WHERE key = $14 AND epoch = $15 AND next = $16 AND chain = $17 RETURNING key)",
    rows_follow!()
);

/// Begins a campaign with its first entry.
const BEGIN: &str = concat!(
    "WITH head AS (
         INSERT INTO twicetold.campaign (next, chain, at, blobs, entries, last_epoch, last_campaign, id, is_whole,
             epoch, holder, leased_until)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $14, true, $15, $16, ",
    lease_end!(),
    ") ON CONFLICT (id) DO NOTHING RETURNING key)",
    rows_follow!()
);

/// The single writer of one campaign in a database.
pub(crate) struct Writer {
    records: Records,
    id: CampaignId,
    holder: String,
    epoch: u32,
    /// None before the first entry.
    lease: Option<Lease>,
    /// Is it a branch that nobody sees yet?
    is_hidden: bool,
    is_lost: bool,
}

impl Writer {
    /// Of a campaign that is there from its first entry on.
    pub fn new(database: Arc<Database>, id: CampaignId, holder: String) -> Writer {
        let records = Records { database, key: None, head: Head::EMPTY };
        Writer { records, id, holder, epoch: 1, lease: None, is_hidden: false, is_lost: false }
    }

    /// Of one that was leased.
    pub fn leased(database: Arc<Database>, id: CampaignId, key: i64, head: Head, epoch: u32) -> Writer {
        let lease = Lease::held(database.clone(), key, epoch);
        let records = Records { database, key: Some(key), head };
        Writer {
            records,
            id,
            holder: String::new(),
            epoch,
            lease: Some(lease),
            is_hidden: false,
            is_lost: false,
        }
    }

    /// Hidden until it is closed.
    pub fn hidden(self) -> Writer {
        Writer { is_hidden: true, ..self }
    }

    /// Adds entries that were checked already, as their writers wrote them.
    pub fn restore(&mut self, batch: &Batch) -> Result<(), StoreError> {
        let rows = batch.entries.iter().map(|copied| (copied.first, copied.next, copied.entry.clone()));
        let values = self.appended(rows, batch.before.blobs, &batch.blobs, &batch.after);
        match self.write(values, &batch.after) {
            Ok(()) => Ok(()),
            Err(AppendError::NotWritten(error) | AppendError::Unknown(error)) => Err(error),
            Err(error) => Err(StoreError::Lost(error.to_string())),
        }
    }

    /// Takes the epoch after the last one of the entries that were copied.
    pub fn begin_anew(&mut self) -> Result<(), StoreError> {
        let epoch = self.records.head.epoch.saturating_add(1);
        let rows = self.records.database.ask(
            "UPDATE twicetold.campaign SET epoch = $3 WHERE key = $1 AND (epoch = $2 OR epoch = $3) RETURNING key",
            vec![self.key(), Value::Int(i64::from(self.epoch)), Value::Int(i64::from(epoch))],
        )?;
        if rows.is_empty() {
            return Err(self.lost());
        }
        self.epoch = epoch;
        let key = self.records.key.unwrap_or_default();
        // The old one is for an epoch that is over, and finds no row to give back.
        self.lease = Some(Lease::held(self.records.database.clone(), key, epoch));
        Ok(())
    }

    fn key(&self) -> Value {
        Value::Int(self.records.key.unwrap_or_default())
    }

    fn lost(&self) -> StoreError {
        StoreError::Lost("it was removed, or another process took it".into())
    }

    /// The values of an append that both statements share.
    fn appended(
        &self,
        entries: impl Iterator<Item = (Number, Number, Vec<u8>)>,
        first_blob: u32,
        blobs: &[Blob],
        after: &Head,
    ) -> Vec<Value> {
        let (mut firsts, mut nexts, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
        let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        for (first, next, entry) in entries {
            firsts.push(signed(first.0));
            nexts.push(signed(next.0));
            bytes.push(entry);
        }
        let ids = (i64::from(first_blob)..).take(blobs.len()).collect();
        vec![
            int(after.next.0),
            Value::Bytes(after.chain.0.to_vec()),
            int(after.at.0),
            int(u64::from(after.blobs)),
            int(after.entries),
            int(u64::from(after.epoch)),
            Value::Bytes(after.campaign.map(|id| id.0.to_vec()).unwrap_or_default()),
            Value::Ints(firsts),
            Value::Ints(nexts),
            Value::Lists(bytes),
            Value::Ints(ids),
            Value::Lists(blobs.iter().map(|blob| blob.digest.0.to_vec()).collect()),
            Value::Lists(blobs.iter().map(|blob| blob.content.clone()).collect()),
        ]
    }

    /// One commit. When its outcome is unknown, the database is asked what it holds, and the commit is tried again only where it is not
    /// there.
    fn write(&mut self, values: Vec<Value>, after: &Head) -> Result<(), AppendError> {
        let database = self.records.database.clone();
        let mut values = values;
        let statement = self.addressed(&mut values);
        let values = Arc::new(values);
        for _ in 0..ATTEMPTS_MAX {
            match database.ask_once(statement, values.clone()) {
                Ok(rows) if !rows.is_empty() => {
                    self.written(rows[0].get(0), after);
                    return Ok(());
                }
                Ok(_) => return self.refused(after),
                Err(Failed::Refused(error)) => return Err(AppendError::NotWritten(error)),
                Err(Failed::Unanswered(error)) => {
                    tracing::warn!(%error, next = after.next.0, "a commit was not answered; asking what is there");
                }
            }
            match self.look() {
                Err(error) => {
                    self.is_lost = true;
                    return Err(AppendError::Unknown(error));
                }
                Ok(Some(found)) if found.chain == after.chain => {
                    self.written(found.key, after);
                    return Ok(());
                }
                Ok(Some(found)) if self.is_before(&found) => {}
                Ok(None) if self.records.key.is_none() => {}
                Ok(_) => return self.refused(after),
            }
        }
        Err(AppendError::NotWritten(StoreError::Io(std::io::Error::other(
            "the connection to the database breaks again and again",
        ))))
    }

    /// The statement for an append, which is told to which campaign.
    fn addressed(&self, values: &mut Vec<Value>) -> &'static str {
        let head = &self.records.head;
        let epoch = Value::Int(i64::from(self.epoch));
        match self.records.key {
            Some(key) => {
                values.extend([
                    Value::Int(key),
                    epoch,
                    int(head.next.0),
                    Value::Bytes(head.chain.0.to_vec()),
                ]);
                APPEND
            }
            None => {
                values.extend([Value::Bytes(self.id.0.to_vec()), epoch, Value::Text(self.holder.clone())]);
                BEGIN
            }
        }
    }

    fn written(&mut self, key: i64, after: &Head) {
        self.records.head = *after;
        self.records.key = Some(key);
        if self.lease.is_none() {
            self.lease = Some(Lease::held(self.records.database.clone(), key, self.epoch));
        }
    }

    /// The campaign's row, locked: a statement of this writer that is being carried out is waited for. One that has not arrived yet
    /// finds another head, or is the entry that is wanted.
    fn look(&self) -> Result<Option<Found>, StoreError> {
        let database = &self.records.database;
        let rows = match self.records.key {
            Some(key) => database.ask(
                "SELECT key, epoch, next, chain FROM twicetold.campaign WHERE key = $1 FOR UPDATE",
                vec![Value::Int(key)],
            ),
            None => database.ask(
                "SELECT key, epoch, next, chain FROM twicetold.campaign WHERE id = $1 FOR UPDATE",
                vec![Value::Bytes(self.id.0.to_vec())],
            ),
        }?;
        let found = |row: &Row| {
            let chain: Vec<u8> = row.get(3);
            Found {
                key: row.get(0),
                epoch: row.get(1),
                next: row.get(2),
                chain: chain.try_into().map_or(Digest::ZERO, Digest),
            }
        };
        Ok(rows.first().map(found))
    }

    fn is_before(&self, found: &Found) -> bool {
        let head = &self.records.head;
        found.epoch == i64::from(self.epoch)
            && found.chain == head.chain
            && u64::try_from(found.next) == Ok(head.next.0)
    }

    /// Why a commit changed no row. A commit whose connection broke may have come through late.
    fn refused(&mut self, after: &Head) -> Result<(), AppendError> {
        let found = self.look().map_err(AppendError::Unknown)?;
        match found {
            Some(found) if found.chain == after.chain && found.epoch == i64::from(self.epoch) => {
                self.written(found.key, after);
                return Ok(());
            }
            _ => self.is_lost = true,
        }
        match found {
            Some(found) if found.epoch != i64::from(self.epoch) => {
                let current = u32::try_from(found.epoch).unwrap_or(u32::MAX);
                Err(AppendError::Fenced { stated: self.epoch, current })
            }
            Some(_) if self.records.key.is_none() => {
                Err(AppendError::NotWritten(StoreError::Lost("another campaign got its id".into())))
            }
            Some(_) => Err(AppendError::Unknown(StoreError::Damaged(
                "it holds neither the head before nor the one after".into(),
            ))),
            None => Err(AppendError::NotWritten(StoreError::Lost("it was removed".into()))),
        }
    }
}

/// What a campaign's row says.
struct Found {
    key: i64,
    epoch: i64,
    next: i64,
    chain: Digest,
}

impl Source for Writer {
    fn head(&self) -> Head {
        self.records.head()
    }

    fn entries(&self, from: Number) -> Result<Entries<'_>, StoreError> {
        self.records.entries(from)
    }

    fn entry_holding(&self, number: Number) -> Result<Option<Vec<u8>>, StoreError> {
        self.records.entry_holding(number)
    }

    fn blobs(&self) -> Result<Blobs<'_>, StoreError> {
        self.records.blobs()
    }

    fn blob(&self, id: BlobId) -> Result<Option<Blob>, StoreError> {
        self.records.blob(id)
    }

    fn blob_digests(&self) -> Result<Vec<Digest>, StoreError> {
        self.records.blob_digests()
    }
}

impl Store for Writer {
    fn epoch(&self) -> u32 {
        self.epoch
    }

    fn append(&mut self, entry: &[u8], blobs: &[Blob]) -> Result<Head, AppendError> {
        if self.is_lost {
            return Err(AppendError::Unknown(StoreError::GivenUp));
        }
        let before = self.records.head;
        let (header, after) = admit(&before, self.epoch, entry, blobs)?;
        let row = (header.first, header.next(), entry.to_vec());
        let values = self.appended(std::iter::once(row), before.blobs, blobs, &after);
        self.write(values, &after)?;
        Ok(after)
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        if self.is_lost {
            return Err(StoreError::GivenUp);
        }
        if self.is_hidden {
            let rows = self.records.database.ask(
                "UPDATE twicetold.campaign SET is_whole = true WHERE key = $1 AND epoch = $2 RETURNING key",
                vec![self.key(), Value::Int(i64::from(self.epoch))],
            )?;
            if rows.is_empty() {
                return Err(self.lost());
            }
        }
        Ok(())
    }
}
