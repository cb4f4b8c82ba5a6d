//! Wall and CPU time of a piece of work, and what to make of many of them.

use std::path::Path;
use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

/// Time that something took, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    pub wall: u64,
    pub cpu: u64,
}

impl Spent {
    pub fn add(&mut self, more: Spent) {
        self.wall += more.wall;
        self.cpu += more.cpu;
    }
}

/// A clock that was started.
pub struct Watch {
    wall: Instant,
    cpu: u64,
    clock: ClockId,
}

impl Watch {
    /// Counts the CPU time of this thread.
    pub fn of_thread() -> Watch {
        Watch::start(ClockId::ThreadCPUTime)
    }

    /// Counts the CPU time of all threads.
    pub fn of_process() -> Watch {
        Watch::start(ClockId::ProcessCPUTime)
    }

    #[allow(clippy::disallowed_methods, reason = "how long something takes is what a benchmark asks")]
    fn start(clock: ClockId) -> Watch {
        Watch { wall: Instant::now(), cpu: cpu(clock), clock }
    }

    /// Time since the start.
    pub fn spent(&self) -> Spent {
        let cpu = cpu(self.clock).saturating_sub(self.cpu);
        Spent { wall: u64::try_from(self.wall.elapsed().as_nanos()).unwrap_or(u64::MAX), cpu }
    }
}

fn cpu(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
}

/// The median; zero of nothing.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => values[half],
        _ => f64::midpoint(values[half - 1], values[half]),
    }
}

/// The mean; zero of nothing.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// Flushes that the device below `path` has done since it was started, by everybody; none where the kernel does not say.
pub fn flushes(path: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    let device = std::fs::metadata(path).ok()?.dev();
    let (major, minor) = (device >> 8 & 0xfff, device & 0xff | device >> 12 & 0xf_ff00);
    let stat = std::fs::read_to_string(format!("/sys/dev/block/{major}:{minor}/stat")).ok()?;
    stat.split_whitespace().nth(15)?.parse().ok()
}
