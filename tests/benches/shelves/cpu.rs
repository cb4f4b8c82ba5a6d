//! CPU time of this process and of a server, as the kernel counts it.

use rustix::time::{ClockId, clock_gettime};
use twicetold_tests::postgres::Server;

use crate::Outcome;

/// The kernel's ticks in a second: on Linux 100, whatever it counts by inside.
const TICKS: f64 = 100.0;

/// Seconds of CPU that this process has used.
pub fn own() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Seconds of CPU that a server has used: its first process, those that it waited for, and those that run.
pub fn of(server: &Server) -> Outcome<f64> {
    let first = server.sql("postgres", "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)");
    let mut ticks = 0.0;
    for process in std::fs::read_dir("/proc")? {
        let process = process?;
        let Ok(stat) = std::fs::read_to_string(process.path().join("stat")) else { continue };
        // The name in front may contain anything.
        let Some((_, fields)) = stat.rsplit_once(')') else { continue };
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let is_first = process.file_name().to_str() == Some(&first);
        // User and system time; of the first one also of the processes that have ended.
        let counted = match (is_first, fields.get(1) == Some(&first.as_str())) {
            (true, _) => 11..15,
            (false, true) => 11..13,
            (false, false) => continue,
        };
        for field in fields.get(counted).unwrap_or_default() {
            ticks += field.parse::<f64>()?;
        }
    }
    Ok(ticks / TICKS)
}
