//! Packs the configuration that is part of the program: it is a third of its size then.

use std::fs;
use std::io::{Error, Result};
use std::path::Path;

#[expect(clippy::disallowed_methods, reason = "Cargo says so where a build script may write")]
fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=config");
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = String::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("config"), "", &mut files)?;
    let out = std::env::var_os("OUT_DIR").ok_or_else(|| Error::other("Cargo sets OUT_DIR"))?;
    // The level that is smallest in a moment: a build does it once.
    fs::write(Path::new(&out).join("config.zst"), zstd::encode_all(files.as_bytes(), 19)?)
}

/// Each file as its path below the configuration folder, a zero, its text, a zero.
fn collect(folder: &Path, below: &str, files: &mut String) -> Result<()> {
    let mut items = fs::read_dir(folder)?.collect::<Result<Vec<_>>>()?;
    items.sort_by_key(fs::DirEntry::file_name);
    for item in items {
        let name =
            item.file_name().into_string().map_err(|name| Error::other(format!("{name:?} is no text")))?;
        let path = item.path();
        if path.is_dir() {
            collect(&path, &format!("{below}{name}/"), files)?;
            continue;
        }
        let text = fs::read_to_string(&path)
            .map_err(|error| Error::other(format!("{} cannot be packed: {error}", path.display())))?;
        if text.contains('\0') {
            return Err(Error::other(format!("{} holds a zero", path.display())));
        }
        files.extend([below, &name, "\0", &text, "\0"]);
    }
    Ok(())
}
