//! Packs the lists of turns of speech, which are part of the program: they are a third of their size then.

use std::fs;
use std::io::{Error, Result};
use std::path::Path;

#[expect(clippy::disallowed_methods, reason = "Cargo says so where a build script may write")]
fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=src/cues");
    println!("cargo::rerun-if-changed=build.rs");
    let mut lists = String::new();
    for name in ["outcome", "fortune", "dice", "speech", "fight", "story", "tools"] {
        lists +=
            &fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/cues/{name}.toml")))?;
    }
    let out = std::env::var_os("OUT_DIR").ok_or_else(|| Error::other("Cargo sets OUT_DIR"))?;
    // The level that is smallest in a moment: a build does it once.
    fs::write(Path::new(&out).join("cues.zst"), zstd::encode_all(lists.as_bytes(), 19)?)
}
