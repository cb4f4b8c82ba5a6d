//! The tables, and how they came to be as they are.

/// The steps from nothing to the tables of this build: a database at step N has had the first N. A released step never changes.
pub(crate) const STEPS: &[&str] = &[
    // 1: campaigns, their entries and their blobs. A campaign's row changes with every append: half of a page is left free, so that the
    // new version fits beside the old one and no index is touched.
    "CREATE TABLE twicetold.campaign (
        key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id bytea NOT NULL UNIQUE,
        made timestamptz NOT NULL DEFAULT clock_timestamp(),
        is_whole boolean NOT NULL,
        epoch bigint NOT NULL,
        holder text,
        leased_until timestamptz,
        next bigint NOT NULL,
        chain bytea NOT NULL,
        at bigint NOT NULL,
        blobs bigint NOT NULL,
        entries bigint NOT NULL,
        last_epoch bigint NOT NULL,
        last_campaign bytea
    ) WITH (fillfactor = 50);
    CREATE TABLE twicetold.entry (
        campaign bigint NOT NULL,
        first bigint NOT NULL,
        next bigint NOT NULL,
        bytes bytea NOT NULL,
        PRIMARY KEY (campaign, first)
    );
    CREATE TABLE twicetold.blob (
        campaign bigint NOT NULL,
        id bigint NOT NULL,
        digest bytea NOT NULL,
        content bytea NOT NULL,
        PRIMARY KEY (campaign, id)
    );",
    // 2: campaigns that wait for somebody to play them.
    "CREATE TABLE twicetold.queue (
        place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        campaign bigint NOT NULL UNIQUE,
        since timestamptz NOT NULL DEFAULT clock_timestamp(),
        attempts bigint NOT NULL DEFAULT 0,
        not_before timestamptz NOT NULL DEFAULT clock_timestamp(),
        failure text
    );",
];

/// Keeps others from making the tables at the same time, until the transaction ends. Any number will do that nobody else uses.
pub(crate) const LOCK: &str = "SELECT pg_advisory_xact_lock(7823648126487123)";

/// Whether the schema is there, whether it is ours, and whether anything else is in it.
pub(crate) const LOOK: &str = "SELECT to_regnamespace('twicetold') IS NOT NULL,
    to_regclass('twicetold.layout') IS NOT NULL,
    EXISTS (SELECT 1 FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace('twicetold'))";

pub(crate) const MAKE: &str = "CREATE SCHEMA IF NOT EXISTS twicetold";

pub(crate) const MARK: &str = "CREATE TABLE twicetold.layout (step integer NOT NULL);
    INSERT INTO twicetold.layout VALUES (0)";

pub(crate) const STEP: &str = "SELECT step FROM twicetold.layout";

pub(crate) const STEPPED: &str = "UPDATE twicetold.layout SET step = ";

/// What a session's settings must allow: its server's version, whether a commit waits for the disk, and whether the disk is waited for.
pub(crate) const SETTINGS: &str = "SELECT current_setting('server_version_num')::integer,
    current_setting('synchronous_commit'), current_setting('fsync'), current_setting('default_transaction_isolation')";
