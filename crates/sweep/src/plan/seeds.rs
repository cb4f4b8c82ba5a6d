//! Seeds as a plan lists them: `[1, 2, 3]`, or `"1..20"` with both ends.

use super::CELLS_MAX;

/// The seeds of a range.
///
/// # Errors
/// What is wrong with it.
pub(super) fn range(text: &str) -> Result<Vec<u64>, String> {
    let unread =
        || format!("{text:?} is no range of seeds: write for example \"1..20\", which holds both ends");
    let (from, to) = text.split_once("..").ok_or_else(unread)?;
    let read = |end: &str| end.trim().trim_start_matches('=').parse::<u64>().map_err(|_| unread());
    let (from, to) = (read(from)?, read(to)?);
    if to < from {
        return Err(format!("{text:?} holds no seed: the first number is above the last"));
    }
    if to - from >= CELLS_MAX {
        return Err(format!("{text:?} holds more than {CELLS_MAX} seeds"));
    }
    Ok((from..=to).collect())
}
