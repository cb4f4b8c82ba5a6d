//! Campaigns that wait for somebody to play them.

use twicetold_event::CampaignId;
use twicetold_journal::{OpenError, Queue, Taken, Waiting};

use crate::database::Value;
use crate::lease::lease_end;
use crate::limits::{
    FAILURE_CHARS_MAX, GIVEN_UP_SHOWN_MAX, QUEUE_ATTEMPTS_MAX, QUEUE_PAUSE_SECONDS, QUEUE_PUT_OFF_SECONDS,
};
use crate::records::head_columns;
use crate::shelf::Postgres;

impl Queue for Postgres {
    fn put(&self, id: CampaignId) -> Result<(), OpenError> {
        let rows = self.database.ask(
            "INSERT INTO twicetold.queue (campaign)
             SELECT key FROM twicetold.campaign WHERE id = $1 AND is_whole
             ON CONFLICT (campaign) DO UPDATE SET attempts = 0, not_before = clock_timestamp(), failure = NULL
             RETURNING campaign",
            vec![Value::Bytes(id.0.to_vec())],
        );
        match rows.map_err(|error| self.storage(id, error))?.is_empty() {
            true => Err(OpenError::Missing(self.path(id))),
            false => Ok(()),
        }
    }

    fn take(&self, but: &[CampaignId]) -> Result<Option<Taken>, OpenError> {
        // What somebody else is taking at this moment is passed over, not waited for.
        let rows = self.database.ask(
            concat!(
                "WITH first AS (
                     SELECT c.key FROM twicetold.campaign c JOIN twicetold.queue q ON q.campaign = c.key
                     WHERE c.is_whole AND coalesce(c.leased_until < clock_timestamp(), true)
                         AND q.attempts < $2 AND q.not_before <= clock_timestamp()
                         AND NOT c.id = ANY($3)
                     ORDER BY q.place LIMIT 1 FOR UPDATE OF c, q SKIP LOCKED)
                 UPDATE twicetold.campaign c SET epoch = greatest(c.epoch, c.last_epoch) + 1, holder = $1, leased_until = ",
                lease_end!(),
                " FROM first WHERE c.key = first.key RETURNING c.key, c.epoch, ",
                head_columns!(),
                ", c.id"
            ),
            vec![Value::Text(self.holder.clone()), Value::Int(QUEUE_ATTEMPTS_MAX), ids(but)],
        );
        let rows = rows.map_err(|error| OpenError::Storage { path: self.name().into(), error })?;
        let Some(row) = rows.first() else { return Ok(None) };
        let id: Vec<u8> = row.get(9);
        let id = CampaignId(id.try_into().unwrap_or_default());
        Ok(Some((id, self.opened(id, row)?)))
    }

    fn leave(&self, id: CampaignId, epoch: Option<u32>) -> Result<(), OpenError> {
        // The row is locked first: a statement that takes the campaign at this moment is waited for, and its epoch seen.
        let rows = self.database.ask(
            "WITH held AS (SELECT key FROM twicetold.campaign WHERE id = $1 AND $2 IN (epoch, 0) FOR UPDATE)
             DELETE FROM twicetold.queue q USING held WHERE q.campaign = held.key",
            vec![Value::Bytes(id.0.to_vec()), Value::Int(epoch.map_or(0, i64::from))],
        );
        rows.map(drop).map_err(|error| self.storage(id, error))
    }

    fn put_off(&self, id: CampaignId) -> Result<(), OpenError> {
        // Whoever says so has given the lease back; a campaign that somebody plays meanwhile is not taken anyway.
        let rows = self.database.ask(
            "WITH held AS (SELECT key FROM twicetold.campaign WHERE id = $1 FOR UPDATE)
             UPDATE twicetold.queue q SET
                 not_before = clock_timestamp() + make_interval(secs => $2::double precision)
             FROM held WHERE q.campaign = held.key",
            vec![Value::Bytes(id.0.to_vec()), Value::Int(QUEUE_PUT_OFF_SECONDS)],
        );
        rows.map(drop).map_err(|error| self.storage(id, error))
    }

    fn failed(&self, id: CampaignId, epoch: u32, moved: bool, why: &str) -> Result<(), OpenError> {
        let why: String = why.chars().filter(|c| *c != '\0').take(FAILURE_CHARS_MAX).collect();
        let rows = self.database.ask(
            "WITH held AS (SELECT key FROM twicetold.campaign WHERE id = $1 AND epoch = $4 FOR UPDATE)
             UPDATE twicetold.queue q SET attempts = attempts * $5 + 1, failure = $2,
                 not_before = clock_timestamp() + make_interval(secs => ($3 * (attempts * $5 + 1))::double precision)
             FROM held WHERE q.campaign = held.key",
            vec![
                Value::Bytes(id.0.to_vec()),
                Value::Text(why),
                Value::Int(QUEUE_PAUSE_SECONDS),
                Value::Int(i64::from(epoch)),
                Value::Int(i64::from(!moved)),
            ],
        );
        rows.map(drop).map_err(|error| self.storage(id, error))
    }

    fn waiting(&self, but: &[CampaignId]) -> Result<Waiting, OpenError> {
        let failed = |error| OpenError::Storage { path: self.name().into(), error };
        let rows = self.database.ask(
            "SELECT count(*) FILTER (WHERE attempts < $1 AND NOT c.id = ANY($2)), count(*) FILTER (WHERE attempts >= $1)
             FROM twicetold.queue q JOIN twicetold.campaign c ON c.key = q.campaign",
            vec![Value::Int(QUEUE_ATTEMPTS_MAX), ids(but)],
        );
        let rows = rows.map_err(failed)?;
        let given_up = self.database.ask(
            "SELECT c.id, coalesce(failure, '') FROM twicetold.queue q JOIN twicetold.campaign c ON c.key = q.campaign
             WHERE attempts >= $1 ORDER BY q.place LIMIT $2",
            vec![Value::Int(QUEUE_ATTEMPTS_MAX), Value::Int(GIVEN_UP_SHOWN_MAX)],
        );
        let reason = |row: &tokio_postgres::Row| {
            let id: Vec<u8> = row.get(0);
            (CampaignId(id.try_into().unwrap_or_default()), row.get(1))
        };
        let reasons: Vec<(CampaignId, String)> = given_up.map_err(failed)?.iter().map(reason).collect();
        let count = |row: &tokio_postgres::Row, column| u64::try_from(row.get::<_, i64>(column)).unwrap_or(0);
        let waiting =
            rows.first().map(|row| Waiting { queued: count(row, 0), given_up: count(row, 1), reasons });
        Ok(waiting.unwrap_or_default())
    }
}

fn ids(campaigns: &[CampaignId]) -> Value {
    Value::Lists(campaigns.iter().map(|id| id.0.to_vec()).collect())
}
