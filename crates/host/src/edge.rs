//! Where the world outside comes in: the clock, random bytes, and which program this is.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use twicetold_event::{Build, Millis};

use crate::{Error, Kind};

/// This program's version, as entries state it.
pub fn build() -> Build {
    Build::new(env!("CARGO_PKG_VERSION"))
}

/// The clock: the edge of the program.
#[allow(
    clippy::disallowed_methods,
    reason = "the one clock of the program; logic sees only what the journal says"
)]
pub fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    Millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// Random bytes from the operating system.
///
/// # Errors
/// It has none to give.
pub fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::new(Kind::Failed, format!("no random numbers: {error}"), "give a --seed"))?;
    Ok(bytes)
}
