//! Campaigns in a database, by their ids.

use std::sync::Arc;

use twicetold_event::{CampaignId, Number};
use twicetold_journal::{
    Head, ImportError, Live, OpenError, Queue, Shelf, Source, Store, StoreError, each_batch, verify,
};

use crate::address::Address;
use crate::database::{ConnectError, Database, Value};
use crate::lease::lease_end;
use crate::records::{Records, head, head_columns};
use crate::store::Writer;

/// A shelf of campaigns in a PostgreSQL database.
pub struct Postgres {
    pub(crate) database: Arc<Database>,
    pub(crate) holder: String,
}

impl Postgres {
    /// Connects to a database, and makes the tables in its schema `twicetold` where they are not there yet. `holder` tells others who
    /// writes a campaign.
    ///
    /// # Errors
    /// It cannot be reached or entered, would not keep what it confirms, or its schema `twicetold` is another program's or of a later
    /// build.
    pub fn connect(address: Address, holder: &str) -> Result<Postgres, ConnectError> {
        let database = Arc::new(Database::connect(address)?);
        let postgres = Postgres { database, holder: holder.to_owned() };
        postgres.tidy();
        Ok(postgres)
    }

    /// Its address, for people.
    pub fn name(&self) -> &str {
        self.database.name()
    }

    /// Removes what writers left that died before it was whole.
    fn tidy(&self) {
        let left = self.database.ask(
            "WITH gone AS (
                 DELETE FROM twicetold.campaign WHERE NOT is_whole AND leased_until < clock_timestamp()
                 RETURNING key),
             entries AS (DELETE FROM twicetold.entry e USING gone WHERE e.campaign = gone.key),
             blobs AS (DELETE FROM twicetold.blob b USING gone WHERE b.campaign = gone.key)
             SELECT key FROM gone",
            Vec::new(),
        );
        if let Err(error) = left {
            tracing::debug!(%error, "what was left was not removed");
        }
    }

    pub(crate) fn path(&self, id: CampaignId) -> std::path::PathBuf {
        self.place(id).into()
    }

    pub(crate) fn storage(&self, id: CampaignId, error: StoreError) -> OpenError {
        OpenError::Storage { path: self.path(id), error }
    }

    fn row(&self, id: CampaignId) -> Result<Option<tokio_postgres::Row>, OpenError> {
        let rows = self.database.ask(
            concat!(
                "SELECT key, is_whole, holder, ceil(extract(epoch FROM leased_until - clock_timestamp()))::bigint, ",
                head_columns!(),
                " FROM twicetold.campaign WHERE id = $1"
            ),
            vec![Value::Bytes(id.0.to_vec())],
        );
        Ok(rows.map_err(|error| self.storage(id, error))?.into_iter().next())
    }

    /// Why a campaign cannot be had for writing.
    fn unavailable(&self, id: CampaignId) -> OpenError {
        let row = match self.row(id) {
            Ok(Some(row)) if row.get(1) => row,
            Ok(_) => return OpenError::Missing(self.path(id)),
            Err(error) => return error,
        };
        let holder: Option<String> = row.get(2);
        let seconds: Option<i64> = row.get(3);
        let who = holder.unwrap_or_else(|| "another process".to_owned());
        let by = format!("{who}, whose lease ends in {} s unless it is renewed", seconds.unwrap_or(0).max(0));
        OpenError::Locked { path: self.path(id), by }
    }

    /// A campaign whose lease was taken: its key, its epoch and its head.
    pub(crate) fn opened(
        &self,
        id: CampaignId,
        row: &tokio_postgres::Row,
    ) -> Result<Box<dyn Store>, OpenError> {
        let epoch: i64 = row.get(1);
        let epoch = u32::try_from(epoch)
            .map_err(|_| self.storage(id, StoreError::Damaged("its epoch is too large".into())))?;
        let head = head(row, 2).map_err(|error| self.storage(id, error))?;
        Ok(Box::new(Writer::leased(self.database.clone(), id, row.get(0), head, epoch)))
    }

    /// A campaign that nobody sees yet, with the entries of `source` before `until`.
    fn copied(
        &self,
        source: &dyn Source,
        until: Option<Number>,
        id: CampaignId,
    ) -> Result<Writer, ImportError> {
        if until.is_none() {
            verify(source)?;
        }
        self.tidy();
        let failed = |error| ImportError::Open(self.storage(id, error));
        let rows = self.database.ask(
            concat!(
                "INSERT INTO twicetold.campaign (id, is_whole, epoch, holder, leased_until, next, chain, at, blobs, entries,
                     last_epoch)
                 VALUES ($1, false, 0, $2, ",
                lease_end!(),
                ", 0, $3, 0, 0, 0, 0) ON CONFLICT (id) DO NOTHING RETURNING key"
            ),
            vec![
                Value::Bytes(id.0.to_vec()),
                Value::Text(self.holder.clone()),
                Value::Bytes(Head::EMPTY.chain.0.to_vec()),
            ],
        );
        let rows = rows.map_err(failed)?;
        let Some(key) = rows.first().map(|row| row.get(0)) else {
            return Err(OpenError::Exists(self.path(id)).into());
        };
        let mut writer = Writer::leased(self.database.clone(), id, key, Head::EMPTY, 0).hidden();
        each_batch(source, until, &mut |batch| writer.restore(batch))?;
        writer.begin_anew()?;
        Ok(writer)
    }
}

impl Shelf for Postgres {
    fn list(&self) -> Result<Vec<CampaignId>, OpenError> {
        let failed = |error| OpenError::Storage { path: self.name().into(), error };
        let rows = self.database.ask("SELECT id FROM twicetold.campaign WHERE is_whole", Vec::new());
        let ids = rows.map_err(failed)?.into_iter().filter_map(|row| {
            let id: Vec<u8> = row.get(0);
            id.try_into().ok().map(CampaignId)
        });
        Ok(ids.collect())
    }

    fn place(&self, id: CampaignId) -> String {
        format!("{} campaign {id}", self.name())
    }

    fn create(&self, id: CampaignId) -> Result<Box<dyn Store>, OpenError> {
        match self.row(id)? {
            Some(_) => Err(OpenError::Exists(self.path(id))),
            None => Ok(Box::new(Writer::new(self.database.clone(), id, self.holder.clone()))),
        }
    }

    fn open(&self, id: CampaignId) -> Result<Box<dyn Store>, OpenError> {
        let rows = self.database.ask(
            concat!(
                "UPDATE twicetold.campaign SET epoch = greatest(epoch, last_epoch) + 1, holder = $2, leased_until = ",
                lease_end!(),
                " WHERE id = $1 AND is_whole AND coalesce(leased_until < clock_timestamp(), true)
                 RETURNING key, epoch, ",
                head_columns!()
            ),
            vec![Value::Bytes(id.0.to_vec()), Value::Text(self.holder.clone())],
        );
        let rows = rows.map_err(|error| self.storage(id, error))?;
        let Some(row) = rows.first() else { return Err(self.unavailable(id)) };
        self.opened(id, row)
    }

    fn read(&self, id: CampaignId) -> Result<Box<dyn Live>, OpenError> {
        let row = self.row(id)?.filter(|row| row.get(1)).ok_or_else(|| OpenError::Missing(self.path(id)))?;
        let head = head(&row, 4).map_err(|error| self.storage(id, error))?;
        Ok(Box::new(Records { database: self.database.clone(), key: Some(row.get(0)), head }))
    }

    fn branch(
        &self,
        source: &dyn Source,
        until: Number,
        id: CampaignId,
    ) -> Result<Box<dyn Store>, ImportError> {
        Ok(Box::new(self.copied(source, Some(until), id)?))
    }

    fn import(&self, source: &dyn Source, id: CampaignId) -> Result<Head, ImportError> {
        let writer = self.copied(source, None, id)?;
        let head = writer.head();
        Box::new(writer).close()?;
        Ok(head)
    }

    fn remove(&self, id: CampaignId) -> Result<(), OpenError> {
        let rows = self.database.ask(
            "WITH gone AS (
                 DELETE FROM twicetold.campaign
                 WHERE id = $1 AND is_whole AND coalesce(leased_until < clock_timestamp(), true) RETURNING key),
             entries AS (DELETE FROM twicetold.entry e USING gone WHERE e.campaign = gone.key),
             blobs AS (DELETE FROM twicetold.blob b USING gone WHERE b.campaign = gone.key),
             waiting AS (DELETE FROM twicetold.queue q USING gone WHERE q.campaign = gone.key)
             SELECT key FROM gone",
            vec![Value::Bytes(id.0.to_vec())],
        );
        match rows.map_err(|error| self.storage(id, error))?.is_empty() {
            true => Err(self.unavailable(id)),
            false => Ok(()),
        }
    }

    fn queue(&self) -> Option<&dyn Queue> {
        Some(self)
    }
}
