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
    assert!(golden == found, "{} is not what it was: a promise has changed", path.display());
}
