//! Files that hold what must not change: a changed one is a changed promise.

use std::fs;
use std::path::Path;

/// Compares with a golden file, or writes it when the environment asks for that.
pub fn golden(path: &Path, found: &str) {
    #[allow(clippy::disallowed_methods, reason = "asked for by the person who records")]
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    if update {
        fs::write(path, found).unwrap();
    }
    let golden = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let changed = golden.lines().zip(found.lines()).position(|(before, now)| before != now);
    let place = changed.unwrap_or_else(|| golden.lines().count().min(found.lines().count()));
    let line = |text: &str| text.lines().nth(place).unwrap_or("(its end)").to_owned();
    assert!(
        golden == found,
        "{} is not what it was: a promise has changed, first in line {}:\n  was: {}\n  is:  {}\nWhere that was meant, write it anew with \
         UPDATE_GOLDEN=1, and say so in CHANGELOG.md",
        path.display(),
        place + 1,
        line(&golden),
        line(found)
    );
}
