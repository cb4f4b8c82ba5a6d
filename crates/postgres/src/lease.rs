//! Who writes a campaign says so again and again, by the database's clock.

use std::sync::Arc;

use tokio::task::AbortHandle;

use crate::database::{Database, Value, asked};
use crate::limits::{LEASE, LEASE_RENEWED, RELEASE_MAX};

/// A lease on one campaign, renewed until it is dropped and then given back.
pub(crate) struct Lease {
    database: Arc<Database>,
    key: i64,
    epoch: u32,
    renewing: Option<AbortHandle>,
}

/// The time until which a lease lasts that is taken now.
macro_rules! lease_end {
    () => {
        "clock_timestamp() + make_interval(secs => 15)"
    };
}
pub(crate) use lease_end;

const _: () = assert!(LEASE.as_secs() == 15, "the statements name the same time");

impl Lease {
    /// Goes on with a lease that was taken.
    pub fn held(database: Arc<Database>, key: i64, epoch: u32) -> Lease {
        let pool = database.pool();
        let renewing = database.task(async move {
            loop {
                tokio::time::sleep(LEASE_RENEWED).await;
                let values = [Value::Int(key), Value::Int(i64::from(epoch))];
                let renewed = asked(
                    &pool,
                    concat!(
                        "UPDATE twicetold.campaign SET leased_until = ",
                        lease_end!(),
                        " WHERE key = $1 AND epoch = $2 RETURNING key"
                    ),
                    &values,
                );
                match renewed.await {
                    Ok(rows) if rows.is_empty() => return,
                    Ok(_) => {}
                    Err(error) => tracing::debug!(?error, "a lease was not renewed"),
                }
            }
        });
        Lease { database, key, epoch, renewing }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(renewing) = self.renewing.take() {
            renewing.abort();
        }
        // What is not whole yet is nothing without its writer.
        self.database.ask_briefly(
            RELEASE_MAX,
            "WITH gone AS (
                 DELETE FROM twicetold.campaign WHERE key = $1 AND epoch = $2 AND NOT is_whole RETURNING key),
             entries AS (DELETE FROM twicetold.entry e USING gone WHERE e.campaign = gone.key),
             blobs AS (DELETE FROM twicetold.blob b USING gone WHERE b.campaign = gone.key)
             UPDATE twicetold.campaign SET leased_until = NULL, holder = NULL
             WHERE key = $1 AND epoch = $2 AND is_whole",
            vec![Value::Int(self.key), Value::Int(i64::from(self.epoch))],
        );
    }
}
