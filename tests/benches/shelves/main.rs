//! Campaigns in a folder of files and in PostgreSQL, in one run: wall time and CPU of a durable turn with several campaigns side by side, and
//! what workers that look for campaigns and renew leases cost the database.
//!
//! `cargo bench -p twicetold-tests --bench shelves -- [--campaigns N] [--rounds N] [--playing N]`. Both lie below the folder for temporary
//! files: `TMPDIR` names another disk. `tests/benches/README.md` says how it is measured and what came of it.
#![allow(clippy::float_arithmetic, reason = "figures for people: nothing is decided by them")]

mod cpu;
mod fleet;
mod play;

use std::error::Error;
use std::path::PathBuf;

use tempfile::TempDir;
use twicetold_host::Library;
use twicetold_tests::postgres::Server;

use play::{Cost, played};

/// Campaigns side by side.
const SIDE_BY_SIDE: [usize; 4] = [1, 2, 4, 8];

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let (mut campaigns, mut rounds, mut playing) = (32, 3, 100_000);
    let mut given = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(name) = given.next() {
        let value = given.next().ok_or("an option needs a value")?.parse()?;
        match name.as_str() {
            "--campaigns" => campaigns = value,
            "--rounds" => rounds = value,
            "--playing" => playing = value,
            _ => return Err(format!("{name} is none of --campaigns, --rounds, --playing").into()),
        }
    }
    let server = Server::start("")?;
    let mut found = vec![Vec::new(); SIDE_BY_SIDE.len()];
    for _ in 0..rounds {
        for (place, side_by_side) in SIDE_BY_SIDE.into_iter().enumerate() {
            let folder = TempDir::new()?;
            let files = Library::new(Some(folder.path().to_owned()))?;
            let files = played(&files, &server, campaigns, side_by_side)?;
            let data = server.database();
            let database = Library::new(Some(PathBuf::from(&data)))?;
            let wal = wal(&server)?;
            let cost = played(&database, &server, campaigns, side_by_side)?;
            let wal = (self::wal(&server)? - wal) / f64::from(cost.turns);
            let size = "SELECT sum(pg_total_relation_size(oid)) FROM pg_class
                WHERE relnamespace = to_regnamespace('twicetold') AND relkind = 'r'";
            let stored = server.sql(&data, size).parse::<f64>()? / f64::from(cost.turns);
            found[place].push(Round { files, database: cost, wal, stored });
        }
    }
    println!(
        "\n| side by side | redb: wall | CPU | PostgreSQL: wall | CPU | CPU of the server | wall, ratio | CPU, ratio | with the server's |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (side_by_side, rounds) in SIDE_BY_SIDE.into_iter().zip(&found) {
        let of = |what: fn(&Round) -> f64| median(rounds.iter().map(what).collect());
        println!(
            "| {side_by_side} | {:.2} ms | {:.2} ms | {:.2} ms | {:.2} ms | {:.2} ms | {:.2} | {:.2} | {:.2} |",
            of(|round| round.files.wall),
            of(|round| round.files.cpu),
            of(|round| round.database.wall),
            of(|round| round.database.cpu),
            of(|round| round.database.server),
            of(|round| round.database.wall / round.files.wall),
            of(|round| round.database.cpu / round.files.cpu),
            of(|round| (round.database.cpu + round.database.server) / round.files.cpu),
        );
    }
    let all: Vec<&Round> = found.iter().flatten().collect();
    let of = |what: fn(&Round) -> f64| median(all.iter().map(|round| what(round)).collect());
    println!(
        "\n{campaigns} campaigns with {} turns and {:.2} commits a turn. The database writes {:.1} KiB of its log and keeps {:.1} KiB a turn.",
        all[0].files.turns,
        of(|round| round.files.commits),
        of(|round| round.wal) / 1024.0,
        of(|round| round.stored) / 1024.0,
    );
    fleet::measured(&server, playing)
}

/// What one round measured.
#[derive(Clone)]
struct Round {
    files: Cost,
    database: Cost,
    /// Bytes of the database's log for a turn.
    wal: f64,
    /// Bytes of its tables and indexes for a turn.
    stored: f64,
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Bytes that the server has written to its log so far.
fn wal(server: &Server) -> Outcome<f64> {
    Ok(server.sql("postgres", "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')").parse()?)
}
