//! The tables and views of the schema `twicetold_views`. `VIEWS.md` describes the views; the tables below them are nobody else's.

/// The form of these tables. One that differs is dropped by hand and filled anew.
pub(super) const LAYOUT: i32 = 1;

/// Whether the schema is there, whether it is ours, and whether anything else is in it.
pub(super) const LOOK: &str = "SELECT to_regnamespace('twicetold_views') IS NOT NULL,
    to_regclass('twicetold_views.layout') IS NOT NULL,
    EXISTS (SELECT 1 FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace('twicetold_views'))";

pub(super) const FORM: &str = "SELECT step FROM twicetold_views.layout";

pub(super) const SCHEMA: &str = "CREATE SCHEMA IF NOT EXISTS twicetold_views";

/// Rows refer to a campaign by its key, which is never used twice.
pub(super) const MAKE: &str = "
CREATE TABLE twicetold_views.layout (step integer NOT NULL);
CREATE TABLE twicetold_views.campaign (
    campaign bigint PRIMARY KEY, id text NOT NULL, title text NOT NULL, standing text NOT NULL, detail text NOT NULL,
    seed numeric, rules_version integer, parent text, parent_at bigint, opened_ms bigint NOT NULL,
    last_ms bigint NOT NULL, numbers bigint NOT NULL, turns integer NOT NULL,
    updated timestamptz NOT NULL);
CREATE TABLE twicetold_views.call (
    campaign bigint NOT NULL REFERENCES twicetold_views.campaign ON DELETE CASCADE, number bigint NOT NULL,
    call bigint NOT NULL, seat text NOT NULL, purpose text NOT NULL, model text, turn integer NOT NULL,
    at_ms bigint NOT NULL, waited_ms bigint NOT NULL, fault text, input_tokens bigint NOT NULL,
    cached_tokens bigint NOT NULL, cache_written_tokens bigint NOT NULL, output_tokens bigint NOT NULL,
    thinking_tokens bigint NOT NULL, PRIMARY KEY (campaign, number));
CREATE TABLE twicetold_views.tool_call (
    campaign bigint NOT NULL REFERENCES twicetold_views.campaign ON DELETE CASCADE, number bigint NOT NULL,
    call bigint NOT NULL, seat text NOT NULL, turn integer NOT NULL, at_ms bigint NOT NULL, tool text NOT NULL,
    rule text, effects integer NOT NULL, PRIMARY KEY (campaign, number));
CREATE TABLE twicetold_views.reply_rejection (
    campaign bigint NOT NULL REFERENCES twicetold_views.campaign ON DELETE CASCADE, number bigint NOT NULL,
    call bigint NOT NULL, seat text NOT NULL, turn integer NOT NULL, at_ms bigint NOT NULL, rule text NOT NULL,
    PRIMARY KEY (campaign, number));
CREATE TABLE twicetold_views.goal (
    campaign bigint NOT NULL REFERENCES twicetold_views.campaign ON DELETE CASCADE, encounter text NOT NULL,
    goal text NOT NULL, label text NOT NULL, kind text NOT NULL, registered bigint, reached boolean NOT NULL);
CREATE TABLE twicetold_views.outcome (
    campaign bigint NOT NULL REFERENCES twicetold_views.campaign ON DELETE CASCADE, number bigint NOT NULL,
    encounter text NOT NULL, outcome text NOT NULL, goal text, messages integer NOT NULL, summary text NOT NULL);
CREATE TABLE twicetold_views.cost (
    campaign bigint NOT NULL REFERENCES twicetold_views.campaign ON DELETE CASCADE, seat text NOT NULL,
    purpose text NOT NULL, calls bigint NOT NULL, failed bigint NOT NULL, input_tokens bigint NOT NULL,
    cached_tokens bigint NOT NULL, output_tokens bigint NOT NULL, unpriced_calls bigint NOT NULL);
CREATE TABLE twicetold_views.payment (
    campaign bigint NOT NULL REFERENCES twicetold_views.campaign ON DELETE CASCADE, seat text NOT NULL,
    purpose text NOT NULL, currency text NOT NULL, paid numeric NOT NULL, without_cache numeric NOT NULL);
CREATE INDEX ON twicetold_views.goal (campaign);
CREATE INDEX ON twicetold_views.outcome (campaign);
CREATE INDEX ON twicetold_views.cost (campaign);
CREATE INDEX ON twicetold_views.payment (campaign);

CREATE VIEW twicetold_views.campaigns AS SELECT id AS campaign, title, standing, detail, seed, rules_version, parent,
    parent_at, to_timestamp(opened_ms / 1000.0) AS opened, to_timestamp(last_ms / 1000.0) AS last, numbers, turns,
    updated FROM twicetold_views.campaign;
CREATE VIEW twicetold_views.calls AS SELECT c.id AS campaign, r.number, r.call, r.seat, r.purpose, r.model, r.turn,
    to_timestamp(r.at_ms / 1000.0) AS at, r.waited_ms, r.fault, r.input_tokens, r.cached_tokens,
    r.cache_written_tokens, r.output_tokens, r.thinking_tokens, r.number < coalesce(c.parent_at, 0) AS inherited
    FROM twicetold_views.call r JOIN twicetold_views.campaign c USING (campaign);
CREATE VIEW twicetold_views.tool_calls AS SELECT c.id AS campaign, r.number, r.call, r.seat, r.turn,
    to_timestamp(r.at_ms / 1000.0) AS at, r.tool, r.rule IS NULL AS accepted, r.rule, r.effects,
    r.number < coalesce(c.parent_at, 0) AS inherited
    FROM twicetold_views.tool_call r JOIN twicetold_views.campaign c USING (campaign);
CREATE VIEW twicetold_views.rejections AS SELECT c.id AS campaign, r.number, r.call, r.seat, r.turn,
    to_timestamp(r.at_ms / 1000.0) AS at, r.tool, r.rule, r.number < coalesce(c.parent_at, 0) AS inherited
    FROM (SELECT campaign, number, call, seat, turn, at_ms, tool, rule FROM twicetold_views.tool_call
          WHERE rule IS NOT NULL
          UNION ALL SELECT campaign, number, call, seat, turn, at_ms, NULL, rule
          FROM twicetold_views.reply_rejection) r
    JOIN twicetold_views.campaign c USING (campaign);
CREATE VIEW twicetold_views.goals AS SELECT c.id AS campaign, r.encounter, r.goal, r.label, r.kind, r.registered,
    r.reached FROM twicetold_views.goal r JOIN twicetold_views.campaign c USING (campaign);
CREATE VIEW twicetold_views.outcomes AS SELECT c.id AS campaign, r.number, r.encounter, r.outcome, r.goal, r.messages,
    r.summary, r.number < coalesce(c.parent_at, 0) AS inherited
    FROM twicetold_views.outcome r JOIN twicetold_views.campaign c USING (campaign);
CREATE VIEW twicetold_views.costs AS SELECT c.id AS campaign, r.seat, r.purpose, r.calls, r.failed, r.input_tokens,
    r.cached_tokens, r.output_tokens, r.unpriced_calls
    FROM twicetold_views.cost r JOIN twicetold_views.campaign c USING (campaign);
CREATE VIEW twicetold_views.payments AS SELECT c.id AS campaign, r.seat, r.purpose, r.currency, r.paid, r.without_cache
    FROM twicetold_views.payment r JOIN twicetold_views.campaign c USING (campaign);
";

/// Campaigns whose journal has grown since their rows were written.
pub(super) const BEHIND: &str = "SELECT c.id, c.key, coalesce(v.numbers, 0) FROM twicetold.campaign c
    LEFT JOIN twicetold_views.campaign v ON v.campaign = c.key
    WHERE c.is_whole AND c.next > coalesce(v.numbers, 0) ORDER BY c.key";

/// Rows of campaigns that are no longer there.
pub(super) const FORGET: &str = "DELETE FROM twicetold_views.campaign v
    WHERE NOT EXISTS (SELECT 1 FROM twicetold.campaign c WHERE c.key = v.campaign) RETURNING campaign";

/// All rows, for those who want them made anew. Views stay, and what others made of them.
pub(super) const EMPTY: &str = "DELETE FROM twicetold_views.campaign";

/// The campaign's own row, unless it was removed, or another process has written later ones. It is locked until the rest is written.
pub(super) const HEAD: &str = "INSERT INTO twicetold_views.campaign
    SELECT r.campaign, r.id, r.title, r.standing, r.detail, r.seed, r.rules_version, r.parent, r.parent_at, r.opened_ms,
        r.last_ms, r.numbers, r.turns, clock_timestamp()
    FROM jsonb_populate_record(NULL::twicetold_views.campaign, $1::text::jsonb) r
    JOIN twicetold.campaign c ON c.key = r.campaign
    ON CONFLICT (campaign) DO UPDATE SET (title, standing, detail, last_ms, numbers, turns, updated) =
        (excluded.title, excluded.standing, excluded.detail, excluded.last_ms, excluded.numbers, excluded.turns,
         excluded.updated)
    WHERE twicetold_views.campaign.numbers <= excluded.numbers RETURNING campaign";

/// What an entry left stays as it is: rows are added. What stands at the end of a journal is replaced.
pub(super) const ADD: [&str; 3] = [
    "INSERT INTO twicetold_views.call
     SELECT * FROM jsonb_populate_recordset(NULL::twicetold_views.call, $1::text::jsonb) ON CONFLICT DO NOTHING",
    "INSERT INTO twicetold_views.tool_call
     SELECT * FROM jsonb_populate_recordset(NULL::twicetold_views.tool_call, $1::text::jsonb) ON CONFLICT DO NOTHING",
    "INSERT INTO twicetold_views.reply_rejection
     SELECT * FROM jsonb_populate_recordset(NULL::twicetold_views.reply_rejection, $1::text::jsonb)
     ON CONFLICT DO NOTHING",
];

pub(super) const REPLACE: [(&str, &str); 4] = [
    (
        "DELETE FROM twicetold_views.goal WHERE campaign = $1",
        "INSERT INTO twicetold_views.goal
         SELECT * FROM jsonb_populate_recordset(NULL::twicetold_views.goal, $1::text::jsonb)",
    ),
    (
        "DELETE FROM twicetold_views.outcome WHERE campaign = $1",
        "INSERT INTO twicetold_views.outcome
         SELECT * FROM jsonb_populate_recordset(NULL::twicetold_views.outcome, $1::text::jsonb)",
    ),
    (
        "DELETE FROM twicetold_views.cost WHERE campaign = $1",
        "INSERT INTO twicetold_views.cost
         SELECT * FROM jsonb_populate_recordset(NULL::twicetold_views.cost, $1::text::jsonb)",
    ),
    (
        "DELETE FROM twicetold_views.payment WHERE campaign = $1",
        "INSERT INTO twicetold_views.payment
         SELECT * FROM jsonb_populate_recordset(NULL::twicetold_views.payment, $1::text::jsonb)",
    ),
];
