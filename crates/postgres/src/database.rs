//! Connections to a database, for callers who wait: the journal is written by threads, whatever runtime they belong to.

use std::future::Future;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use deadpool_postgres::{Hook, HookError, Manager, ManagerConfig, Pool, PoolError, RecyclingMethod};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::error::{Severity, SqlState};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};
use tokio_postgres_rustls::MakeRustlsConnect;
use twicetold_journal::StoreError;

use crate::address::{Address, told};
use crate::limits::{ATTEMPT_PAUSE, ATTEMPTS_MAX, CONNECTIONS_MAX, STATEMENT_MAX};
use crate::schema;

/// The oldest server that is tried, as it numbers itself.
const SERVER_MIN: i32 = 150_000;

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Nobody answers, or nobody is let in.
    #[error("the database {address} cannot be reached: {why}")]
    Unreachable {
        /// Its address.
        address: String,
        /// What it, or the network, says.
        why: String,
    },
    /// It would not keep what it confirms, or is too old.
    #[error("the database {address} cannot be used: {why}")]
    Unfit {
        /// Its address.
        address: String,
        /// What is missing.
        why: String,
    },
    /// Its schema `twicetold` belongs to another program.
    #[error("the schema \"twicetold\" of {address} holds tables of another program")]
    Foreign {
        /// Its address.
        address: String,
    },
    /// A later version made its tables.
    #[error("the tables of {address} are of step {found}, this build knows {known}; use a newer build")]
    Later {
        /// Its address.
        address: String,
        /// Their step.
        found: i32,
        /// The last step of this build.
        known: usize,
    },
    /// The tables cannot be made.
    #[error("the tables of {address} cannot be made: {why}")]
    Unmade {
        /// Its address.
        address: String,
        /// What the database says.
        why: String,
    },
}

/// Why a statement has no answer.
#[derive(Debug)]
pub(crate) enum Failed {
    /// The database refused it, and nothing was changed.
    Refused(StoreError),
    /// The connection broke, and nobody knows whether it was carried out.
    Unanswered(StoreError),
}

impl From<Failed> for StoreError {
    fn from(failed: Failed) -> StoreError {
        match failed {
            Failed::Refused(error) | Failed::Unanswered(error) => error,
        }
    }
}

/// A value of a statement.
pub(crate) enum Value {
    Int(i64),
    Bytes(Vec<u8>),
    Text(String),
    Ints(Vec<i64>),
    Lists(Vec<Vec<u8>>),
}

impl Value {
    fn typed(&self) -> (&(dyn ToSql + Sync), Type) {
        match self {
            Value::Int(value) => (value, Type::INT8),
            Value::Bytes(value) => (value, Type::BYTEA),
            Value::Text(value) => (value, Type::TEXT),
            Value::Ints(value) => (value, Type::INT8_ARRAY),
            Value::Lists(value) => (value, Type::BYTEA_ARRAY),
        }
    }
}

/// A database and some connections to it. Its calls block.
pub(crate) struct Database {
    address: Address,
    pool: Pool,
    /// Where connections live; a caller's runtime would wait for itself.
    runtime: Option<Runtime>,
}

impl Database {
    /// Connects, and makes the tables where they are not there yet.
    pub fn connect(address: Address) -> Result<Database, ConnectError> {
        let unfit = |why: String| ConnectError::Unfit { address: address.text().to_owned(), why };
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("database")
            .enable_all()
            .build()
            .map_err(|error| unfit(error.to_string()))?;
        let tls = tls().map_err(|error| unfit(format!("no encryption: {error}")))?;
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_config(address.config().clone(), tls, recycling);
        let look = Hook::async_fn(|client, _| {
            Box::pin(async move {
                settings(client).await.map_err(|why| HookError::message(format!("{UNFIT}{why}")))
            })
        });
        let pool = Pool::builder(manager)
            .max_size(CONNECTIONS_MAX)
            .post_create(look)
            .build()
            .map_err(|error| unfit(error.to_string()))?;
        let database = Database { address, pool, runtime: Some(runtime) };
        database.prepare()?;
        Ok(database)
    }

    /// Its address, for people.
    pub fn name(&self) -> &str {
        self.address.text()
    }

    fn prepare(&self) -> Result<(), ConnectError> {
        let pool = self.pool.clone();
        let address = self.name().to_owned();
        let made = self.wait(None, async move {
            let mut client = match pool.get().await {
                Ok(client) => client,
                Err(PoolError::PostCreateHook(HookError::Message(why))) => {
                    let why = why.trim_start_matches(UNFIT).to_owned();
                    return Err(ConnectError::Unfit { address, why });
                }
                Err(error) => return Err(ConnectError::Unreachable { address, why: pool_told(&error) }),
            };
            make(&mut client, &address).await
        });
        made.unwrap_or_else(|error| {
            Err(ConnectError::Unreachable { address: self.name().to_owned(), why: error.to_string() })
        })
    }

    /// Runs a future to its end while the caller waits, at most `most`.
    pub fn wait<T: Send + 'static>(
        &self,
        most: Option<Duration>,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let Some(runtime) = &self.runtime else { return Err(StoreError::GivenUp) };
        let (give, take) = mpsc::sync_channel(1);
        runtime.spawn(async move {
            // Who no longer waits does not want to know.
            let _ = give.send(future.await);
        });
        let taken = match most {
            Some(most) => take.recv_timeout(most).ok(),
            None => take.recv().ok(),
        };
        taken.ok_or(StoreError::GivenUp)
    }

    /// Leaves a task running that belongs to no caller.
    pub fn task(
        &self,
        future: impl Future<Output = ()> + Send + 'static,
    ) -> Option<tokio::task::AbortHandle> {
        self.runtime.as_ref().map(|runtime| runtime.spawn(future).abort_handle())
    }

    /// The connections, for a task.
    pub fn pool(&self) -> Pool {
        self.pool.clone()
    }

    /// One statement that may be asked again when its connection breaks: it changes nothing, or the same whenever it is asked.
    pub fn ask(&self, statement: &'static str, values: Vec<Value>) -> Result<Vec<Row>, StoreError> {
        let pool = self.pool.clone();
        self.wait(None, async move {
            let mut pause = ATTEMPT_PAUSE;
            for _ in 1..ATTEMPTS_MAX {
                match asked(&pool, statement, &values).await {
                    Err(Failed::Unanswered(error)) => {
                        tracing::warn!(%error, "the database did not answer; asking again");
                    }
                    Err(Failed::Refused(error)) => return Err(error),
                    Ok(rows) => return Ok(rows),
                }
                tokio::time::sleep(pause).await;
                pause *= 2;
            }
            asked(&pool, statement, &values).await.map_err(StoreError::from)
        })?
    }

    /// One statement that is asked once.
    pub fn ask_once(&self, statement: &'static str, values: Arc<Vec<Value>>) -> Result<Vec<Row>, Failed> {
        let pool = self.pool.clone();
        self.wait(None, async move { asked(&pool, statement, &values).await })
            .unwrap_or_else(|error| Err(Failed::Unanswered(error)))
    }

    /// One statement whose caller gives up after `most`.
    pub fn ask_briefly(&self, most: Duration, statement: &'static str, values: Vec<Value>) {
        let pool = self.pool.clone();
        let answered = self.wait(Some(most), async move { asked(&pool, statement, &values).await });
        if let Err(error) | Ok(Err(Failed::Refused(error) | Failed::Unanswered(error))) = answered {
            tracing::debug!(%error, "a lease was not given back; it passes by itself");
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The front of what a hook says about a server that is not good enough.
const UNFIT: &str = "unfit: ";

fn tls() -> Result<MakeRustlsConnect, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// Whether a session's settings keep what is confirmed.
async fn settings(client: &Client) -> Result<(), String> {
    let rows = client.query_typed(schema::SETTINGS, &[]).await.map_err(|error| told(&error))?;
    let row = rows.first().ok_or("it does not tell its settings")?;
    let (version, commit, fsync): (i32, String, String) = (row.get(0), row.get(1), row.get(2));
    let isolation: String = row.get(3);
    if version < SERVER_MIN {
        return Err(format!("PostgreSQL {} is too old; 15 or later is needed", version / 10_000));
    }
    if commit == "off" {
        return Err(
            "synchronous_commit is off, and a loss of power would take back what was confirmed".into()
        );
    }
    if isolation != "read committed" {
        return Err(format!("default_transaction_isolation is {isolation}; read committed is needed"));
    }
    if fsync == "off" {
        return Err("fsync is off, and a loss of power would damage what was confirmed".into());
    }
    Ok(())
}

async fn make(client: &mut Client, address: &str) -> Result<(), ConnectError> {
    let unmade = |error: tokio_postgres::Error| {
        let hint = match error.code() {
            Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
                "; let its owner run CREATE SCHEMA twicetold AUTHORIZATION for this user"
            }
            _ => "",
        };
        ConnectError::Unmade { address: address.to_owned(), why: format!("{}{hint}", told(&error)) }
    };
    let transaction = client.transaction().await.map_err(unmade)?;
    transaction.batch_execute(schema::LOCK).await.map_err(unmade)?;
    let look = transaction.query_typed(schema::LOOK, &[]).await.map_err(unmade)?;
    let look = look.first().map_or((false, false, false), |row| (row.get(0), row.get(1), row.get(2)));
    match look {
        (_, true, _) => {}
        (_, false, true) => return Err(ConnectError::Foreign { address: address.to_owned() }),
        (there, false, false) => {
            if !there {
                transaction.batch_execute(schema::MAKE).await.map_err(unmade)?;
            }
            transaction.batch_execute(schema::MARK).await.map_err(unmade)?;
        }
    }
    let step = transaction.query_typed(schema::STEP, &[]).await.map_err(unmade)?;
    let step: i32 = step.first().map_or(0, |row| row.get(0));
    let done = usize::try_from(step).unwrap_or(usize::MAX);
    if done > schema::STEPS.len() {
        let known = schema::STEPS.len();
        return Err(ConnectError::Later { address: address.to_owned(), found: step, known });
    }
    for (number, statements) in (done + 1..).zip(schema::STEPS.iter().skip(done)) {
        transaction.batch_execute(statements).await.map_err(unmade)?;
        transaction.batch_execute(&format!("{}{number}", schema::STEPPED)).await.map_err(unmade)?;
    }
    transaction.commit().await.map_err(unmade)
}

/// One statement on any connection.
pub(crate) async fn asked(pool: &Pool, statement: &str, values: &[Value]) -> Result<Vec<Row>, Failed> {
    // Nothing was sent yet.
    let client = pool.get().await.map_err(|error| {
        let why = StoreError::Io(std::io::Error::other(pool_told(&error)));
        match error {
            PoolError::PostCreateHook(_) => Failed::Refused(why),
            _ => Failed::Unanswered(why),
        }
    })?;
    let typed: Vec<(&(dyn ToSql + Sync), Type)> = values.iter().map(Value::typed).collect();
    match timeout(STATEMENT_MAX, client.query_typed(statement, &typed)).await {
        Ok(Ok(rows)) => Ok(rows),
        Ok(Err(error)) => Err(failed(&error)),
        Err(_) => {
            // Whatever it still answers belongs to nobody.
            drop(deadpool_postgres::Object::take(client));
            let why = format!("no answer within {} seconds", STATEMENT_MAX.as_secs());
            Err(Failed::Unanswered(StoreError::Io(std::io::Error::other(why))))
        }
    }
}

pub(crate) fn failed(error: &tokio_postgres::Error) -> Failed {
    let other = || StoreError::Io(std::io::Error::other(told(error)));
    let Some(said) = error.as_db_error() else { return Failed::Unanswered(other()) };
    // A session that is ended may have committed before.
    if matches!(said.parsed_severity(), Some(Severity::Fatal | Severity::Panic)) {
        return Failed::Unanswered(other());
    }
    Failed::Refused(match *said.code() {
        // Its disk, its rights and its standby are the server's: nothing on this machine mends them.
        SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => {
            StoreError::Damaged(said.message().to_owned())
        }
        _ => other(),
    })
}

pub(crate) fn pool_told(error: &PoolError) -> String {
    match error {
        PoolError::Backend(error) => told(error),
        PoolError::PostCreateHook(HookError::Message(why)) => why.trim_start_matches(UNFIT).to_owned(),
        other => told(other),
    }
}
