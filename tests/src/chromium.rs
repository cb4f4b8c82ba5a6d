//! The browser that pages are opened in.

use std::path::PathBuf;

use crate::skipped;

/// Chromium, wherever the search path says; none where there is none, which is said. `what` is what is skipped then.
pub fn chromium(what: &str) -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "programs are where the search path says")]
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|file| file.is_file());
    if found.is_none() {
        skipped(what, "there is no Chromium");
    }
    found
}
