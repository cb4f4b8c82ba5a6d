//! The configuration that is part of the program.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What `build.rs` made of the folder `config`.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/config.zst"));

/// The configuration that is part of the program, unpacked when it is first asked for.
pub static BUNDLED: LazyLock<Bundle> = LazyLock::new(|| {
    let text = String::from_utf8(unpacked(PACKED).unwrap_or_default()).unwrap_or_default();
    // It is there as long as the program.
    let mut parts = text.leak().split('\0');
    let mut files = BTreeMap::new();
    while let (Some(path), Some(text)) = (parts.next(), parts.next()) {
        files.insert(path, text);
    }
    Bundle { files }
});

/// What a build has packed into the program, as it was.
pub fn unpacked(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    zstd::decode_all(packed)
}

/// Text files by their paths, which have `/` between their parts.
pub struct Bundle {
    files: BTreeMap<&'static str, &'static str>,
}

impl Bundle {
    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<&'static str> {
        self.files.get(path).copied()
    }

    /// Each file's path and text, in the order of paths.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.files.iter().map(|(path, text)| (*path, *text))
    }

    /// The same of the files below a folder, each path without that folder; none where there is no such folder.
    pub fn below(&self, folder: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.files()
            .filter_map(move |(path, text)| Some((path.strip_prefix(folder)?.strip_prefix('/')?, text)))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_program_holds_every_file_of_the_configuration_as_it_is() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("config");
        let mut folders = vec![root.clone()];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for item in folder.read_dir().expect("a folder") {
                let path = item.expect("an item").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let below = path.strip_prefix(&root).expect("below it").to_string_lossy().replace('\\', "/");
                assert_eq!(BUNDLED.text(&below), std::fs::read_to_string(&path).ok().as_deref(), "{below}");
                seen += 1;
            }
        }
        assert!(seen > 50);
        assert_eq!(BUNDLED.files().count(), seen);
        let rules: Vec<_> = BUNDLED.below("rules").filter(|(path, _)| path.ends_with("pack.toml")).collect();
        assert!(
            !rules.is_empty() && rules.iter().all(|(path, _)| path.matches('/').count() == 1),
            "{rules:?}"
        );
        assert_eq!(BUNDLED.below("rule").count(), 0);
    }
}
