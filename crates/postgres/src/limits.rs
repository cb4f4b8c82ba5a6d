//! Every limit of this crate, each with its reason.

use std::time::Duration;

/// Connections of one process. Sixty-four campaigns wait for models most of the time; a commit takes some milliseconds of one
/// connection. A database takes a hundred by default, of many processes.
pub const CONNECTIONS_MAX: usize = 8;
/// How long connecting may take: a database in another town takes a tenth of a second, one that restarts some seconds.
pub const CONNECT_MAX: Duration = Duration::from_secs(10);
/// How long one statement may take: a batch of a copy takes a second. What takes longer has lost its connection.
pub const STATEMENT_MAX: Duration = Duration::from_secs(60);
/// How often a statement is tried whose connection broke, and …
pub const ATTEMPTS_MAX: u32 = 7;
/// … how long the first pause is; each is twice as long as the one before: thirteen seconds in all, the restart of a busy database.
pub const ATTEMPT_PAUSE: Duration = Duration::from_millis(200);
/// How long a lease lasts: who takes over waits so long after a writer died.
pub const LEASE: Duration = Duration::from_secs(15);
/// How often a lease is renewed: twice may fail.
pub const LEASE_RENEWED: Duration = Duration::from_secs(5);
/// How long a dropped writer waits for its lease to be given back. Unanswered, it passes by itself.
pub const RELEASE_MAX: Duration = Duration::from_secs(2);
/// Entries that are read at a time: with their prompts some megabytes.
pub const ENTRIES_READ: i64 = 256;
/// Blobs that are read at a time; most have some kilobytes.
pub const BLOBS_READ: i64 = 128;
/// Bytes of a password file: a line for each of some thousand databases.
pub const PASSWORD_FILE_MAX: u64 = 256 * 1024;
/// How often a campaign that fails is tried: a server that is down for an hour is waited for by people, not by a queue.
pub const QUEUE_ATTEMPTS_MAX: i64 = 3;
/// Seconds until a campaign that failed is tried again, times how often it has failed.
pub const QUEUE_PAUSE_SECONDS: i64 = 30;
/// Seconds for which a campaign waits that an error has brought back: a disk that is full is not asked a hundred times a second.
pub const QUEUE_PUT_OFF_SECONDS: i64 = 5;
/// Campaigns that were given up of which the reason is told.
pub const GIVEN_UP_SHOWN_MAX: i64 = 10;
/// Characters of a failure that are kept.
pub const FAILURE_CHARS_MAX: usize = 500;
