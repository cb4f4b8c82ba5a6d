//! Tells the program of which commit it is, where it is built in a copy of the repository.

use std::path::Path;
use std::process::Command;

fn main() {
    let version = env!("CARGO_PKG_VERSION");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // Each commit, and each that is checked out, adds a line to it.
    let log = root.join(".git/logs/HEAD");
    println!("cargo::rerun-if-changed=build.rs");
    let mut commit = String::new();
    if log.is_file() {
        println!("cargo::rerun-if-changed={}", log.display());
        let asked = Command::new("git").args(["rev-parse", "--short=9", "HEAD"]).current_dir(&root).output();
        if let Some(said) = asked.ok().filter(|said| said.status.success()) {
            commit = format!(" ({})", String::from_utf8_lossy(&said.stdout).trim());
        }
    }
    println!("cargo::rustc-env=TWICETOLD_VERSION={version}{commit}");
}
