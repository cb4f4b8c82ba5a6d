//! What a machine cannot check.

use std::io::Write;

/// Says that something was not checked here, and why: on the terminal itself, for what a test prints is shown only when it fails.
pub fn skipped(what: &str, why: impl std::fmt::Display) {
    // Whoever closed it does not want to know.
    let _ = writeln!(std::io::stderr(), "SKIPPED {what}: {why}");
}
