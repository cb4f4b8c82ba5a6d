//! Limits of the simulation itself.

/// Happenings after which a campaign counts as endless. A short one takes some hundreds, a troubled one two thousand.
pub const HAPPENINGS_MAX: u64 = 20_000;
/// Faults of one kind in one simulation: then the world heals, so that every campaign can end.
pub const FAULTS_MAX: u32 = 40;
/// How often a process dies or a campaign is paused from outside; each costs a whole recovery.
pub const DEATHS_MAX: u32 = 12;
/// Lines of a trace: some for each happening.
pub const TRACE_LINES_MAX: usize = 100_000;
