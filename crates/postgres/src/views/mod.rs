//! Tables and views that plain SQL can read. Journals lie in a database as encoded bytes; whoever can decode them hands their rows over here.
//! The tables are a projection: they may be dropped and filled again at any time.

mod rows;
mod tables;

use std::sync::Arc;

use deadpool_postgres::Pool;
use serde::Serialize;
use serde_json::Value as Json;
use tokio::time::timeout;
use tokio_postgres::types::{ToSql, Type};
use twicetold_event::CampaignId;
use twicetold_journal::StoreError;

use crate::address::told;
use crate::database::{Database, failed, pool_told};
use crate::limits::STATEMENT_MAX;
use crate::schema::LOCK;
use crate::shelf::Postgres;

pub use rows::{
    CallRow, CampaignRow, CostRow, GoalRow, OutcomeRow, PaymentRow, ReplyRejectionRow, Rows, ToolCallRow,
};

/// Why there are no tables for analysts.
#[derive(Debug, thiserror::Error)]
pub enum ViewsError {
    /// Their schema belongs to another program.
    #[error("the schema \"twicetold_views\" holds tables of another program")]
    Foreign,
    /// Another version made them.
    #[error("the tables of the schema \"twicetold_views\" are of layout {0}, and this build makes others")]
    Layout(i32),
    /// They cannot be made or read.
    #[error(transparent)]
    Storage(#[from] StoreError),
}

/// A campaign whose rows are not those of its whole journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behind {
    /// Its id.
    pub id: CampaignId,
    /// Its key in the database, which no other campaign ever has.
    pub key: i64,
    /// The sequence number up to which its rows are there.
    pub from: u64,
}

/// The tables and views of the schema `twicetold_views`.
pub struct Views {
    database: Arc<Database>,
}

impl Postgres {
    /// The tables for analysts, made where they are not there yet.
    ///
    /// # Errors
    /// They are another program's or another version's, or cannot be made.
    pub fn views(&self) -> Result<Views, ViewsError> {
        let pool = self.database.pool();
        self.database.wait(None, async move { make(&pool).await })??;
        Ok(Views { database: self.database.clone() })
    }
}

impl Views {
    /// The campaigns whose journals have grown since their rows were written, the oldest first.
    ///
    /// # Errors
    /// The database does not answer.
    pub fn behind(&self) -> Result<Vec<Behind>, StoreError> {
        let rows = self.database.ask(tables::BEHIND, Vec::new())?;
        let behind = |row: &tokio_postgres::Row| {
            let id: Vec<u8> = row.get(0);
            let from = u64::try_from(row.get::<_, i64>(2)).unwrap_or_default();
            Some(Behind { id: CampaignId(id.try_into().ok()?), key: row.get(1), from })
        };
        Ok(rows.iter().filter_map(behind).collect())
    }

    /// Writes a campaign's rows in one transaction. False where it was removed, or another process has written later rows.
    ///
    /// # Errors
    /// The database does not answer; written are all rows or none, and writing them again does no harm.
    pub fn write(&self, rows: &Rows) -> Result<bool, StoreError> {
        let head = json(&rows.campaign)?;
        let added = [json(&rows.calls)?, json(&rows.tool_calls)?, json(&rows.reply_rejections)?];
        let replaced = [json(&rows.goals)?, json(&rows.outcomes)?, json(&rows.costs)?, json(&rows.payments)?];
        let (pool, key) = (self.database.pool(), rows.campaign.campaign);
        self.database.wait(None, async move {
            match timeout(STATEMENT_MAX, write(&pool, key, head, added, replaced)).await {
                Ok(written) => written,
                Err(_) => Err(other(format!("no answer within {} seconds", STATEMENT_MAX.as_secs()))),
            }
        })?
    }

    /// Removes the rows of campaigns that were removed; gives how many these were.
    ///
    /// # Errors
    /// The database does not answer.
    pub fn forget(&self) -> Result<usize, StoreError> {
        Ok(self.database.ask(tables::FORGET, Vec::new())?.len())
    }

    /// Removes all rows. Views stay, and what others made of them.
    ///
    /// # Errors
    /// The database does not answer.
    pub fn empty(&self) -> Result<(), StoreError> {
        self.database.ask(tables::EMPTY, Vec::new()).map(drop)
    }
}

fn other(why: String) -> StoreError {
    StoreError::Io(std::io::Error::other(why))
}

async fn make(pool: &Pool) -> Result<(), ViewsError> {
    let unmade = |error: tokio_postgres::Error| other(told(&error));
    let mut client = pool.get().await.map_err(|error| other(pool_told(&error)))?;
    let transaction = client.transaction().await.map_err(unmade)?;
    transaction.batch_execute(LOCK).await.map_err(unmade)?;
    let look = transaction.query_typed(tables::LOOK, &[]).await.map_err(unmade)?;
    match look.first().map_or((false, false, false), |row| (row.get(0), row.get(1), row.get(2))) {
        (_, true, _) => {
            let form = transaction.query_typed(tables::FORM, &[]).await.map_err(unmade)?;
            let form: i32 = form.first().map_or(0, |row| row.get(0));
            if form != tables::LAYOUT {
                return Err(ViewsError::Layout(form));
            }
        }
        (_, false, true) => return Err(ViewsError::Foreign),
        (is_there, false, false) => {
            if !is_there {
                transaction.batch_execute(tables::SCHEMA).await.map_err(unmade)?;
            }
            transaction.batch_execute(tables::MAKE).await.map_err(unmade)?;
            let layout = format!("INSERT INTO twicetold_views.layout VALUES ({})", tables::LAYOUT);
            transaction.batch_execute(&layout).await.map_err(unmade)?;
        }
    }
    Ok(transaction.commit().await.map_err(unmade)?)
}

async fn write(
    pool: &Pool,
    key: i64,
    head: String,
    added: [String; 3],
    replaced: [String; 4],
) -> Result<bool, StoreError> {
    let refused = |error: tokio_postgres::Error| StoreError::from(failed(&error));
    let mut client = pool.get().await.map_err(|error| other(pool_told(&error)))?;
    let transaction = client.transaction().await.map_err(refused)?;
    let ask = async |statement: &str, value: &(dyn ToSql + Sync), kind: Type| {
        transaction.query_typed(statement, &[(value, kind)]).await.map_err(refused)
    };
    if ask(tables::HEAD, &head, Type::TEXT).await?.is_empty() {
        return Ok(false);
    }
    for (statement, rows) in tables::ADD.iter().zip(&added) {
        ask(statement, rows, Type::TEXT).await?;
    }
    for ((delete, insert), rows) in tables::REPLACE.iter().zip(&replaced) {
        ask(delete, &key, Type::INT8).await?;
        ask(insert, rows, Type::TEXT).await?;
    }
    transaction.commit().await.map_err(refused)?;
    Ok(true)
}

/// Rows as JSON. Texts of models may contain a character that no text of a database can.
fn json(rows: &impl Serialize) -> Result<String, StoreError> {
    let mut value = serde_json::to_value(rows).map_err(|error| other(error.to_string()))?;
    keep(&mut value);
    Ok(value.to_string())
}

fn keep(value: &mut Json) {
    match value {
        Json::String(text) if text.contains('\0') => *text = text.replace('\0', "\u{fffd}"),
        Json::Array(values) => values.iter_mut().for_each(keep),
        Json::Object(fields) => fields.values_mut().for_each(keep),
        _ => {}
    }
}
