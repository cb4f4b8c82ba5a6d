//! The rules that reject something, as the sources name them.

use std::collections::BTreeSet;
use std::path::Path;

use crate::repository;

/// Every rule by which a tool call or a reply can be rejected, as the sources name them.
pub fn rules_that_reject() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in ["crates/tool/src", "crates/referee/src"] {
        read(&repository().join(folder), &mut found);
    }
    found
}

fn read(folder: &Path, found: &mut BTreeSet<String>) {
    for file in std::fs::read_dir(folder).expect("the sources are there") {
        let path = file.expect("the folder can be read").path();
        if path.is_dir() {
            read(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("sources are text");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for lead in ["Rejection::new(", "reject(table, call,"] {
            let named = code.split(lead).skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"'));
            found.extend(named.filter_map(|rest| rest.split('"').next()).map(str::to_owned));
        }
        // A rule that is chosen before it is named.
        for line in code.lines().filter(|line| line.trim_start().starts_with("let rule = ")) {
            found.extend(line.split('"').skip(1).step_by(2).map(str::to_owned));
        }
    }
}
