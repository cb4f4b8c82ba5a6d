//! What many workers cost a database besides appends: looking for a campaign, and renewing leases.

use std::path::PathBuf;
use std::time::Instant;

use twicetold_host::Library;
use twicetold_tests::postgres::Server;

use crate::{Outcome, cpu};

/// Looks into the queue that are measured.
const LOOKS: u32 = 200;
/// Renewals that are measured.
const RENEWALS: u32 = 2_000;

/// Looks into queues in which up to `most` campaigns stand that are being played, and renews their leases.
#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub fn measured(server: &Server, most: u64) -> Outcome<()> {
    println!(
        "\n| campaigns that are being played | a look that finds none: wall | CPU of the server | a renewal: wall | CPU of the server |"
    );
    println!("|---|---|---|---|---|");
    for playing in [0, most / 100, most / 10, most] {
        let data = server.database();
        let library = Library::new(Some(PathBuf::from(&data)))?;
        fill(server, &data, playing);
        let queue = library.queue()?;
        let (before, began) = (cpu::of(server)?, Instant::now());
        for _ in 0..LOOKS {
            assert!(queue.take(&[])?.is_none(), "somebody plays each of them");
        }
        let (wall, used) = (began.elapsed().as_secs_f64(), cpu::of(server)? - before);
        let look = |seconds: f64| seconds * 1e3 / f64::from(LOOKS);
        print!("| {playing} | {:.2} ms | {:.2} ms ", look(wall), look(used));
        if playing == 0 {
            println!("| | |");
            continue;
        }
        let (before, began) = (cpu::of(server)?, Instant::now());
        server.sql(&data, &renewals(playing));
        let (wall, used) = (began.elapsed().as_secs_f64(), cpu::of(server)? - before);
        let renewal = |seconds: f64| seconds * 1e3 / f64::from(RENEWALS);
        println!("| {:.2} ms | {:.2} ms |", renewal(wall), renewal(used));
    }
    Ok(())
}

/// Campaigns in the queue, each with a writer.
fn fill(server: &Server, data: &str, playing: u64) {
    let campaigns = format!(
        "INSERT INTO twicetold.campaign (id, is_whole, epoch, holder, leased_until, next, chain, at, blobs, entries, last_epoch)
         SELECT decode(lpad(to_hex(n), 32, '0'), 'hex'), true, 1, 'a worker', clock_timestamp() + interval '1 hour',
             0, decode(repeat('00', 32), 'hex'), 0, 0, 0, 0 FROM generate_series(1, {playing}) n"
    );
    server.sql(data, &campaigns);
    server
        .sql(data, "INSERT INTO twicetold.queue (campaign) SELECT key FROM twicetold.campaign ORDER BY key");
    server.sql(data, "VACUUM ANALYZE");
}

/// Renewals one after the other, each durable before the next, as the worker's statement has them.
fn renewals(playing: u64) -> String {
    format!(
        "DO $$ BEGIN FOR n IN 1..{RENEWALS} LOOP
             UPDATE twicetold.campaign SET leased_until = clock_timestamp() + make_interval(secs => 15)
             WHERE key = 1 + n % {playing} AND epoch = 1;
             COMMIT;
         END LOOP; END $$"
    )
}
