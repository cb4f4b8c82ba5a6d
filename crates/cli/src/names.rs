//! Names that an argument may have, for people who leave it out.

use crate::terminal::{hanging, safe, short};

/// A name, and what goes by it.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Name {
    /// As it is typed.
    pub name: String,
    /// In a few words.
    pub about: String,
}

impl Name {
    /// A name, and what goes by it.
    pub fn new(name: impl Into<String>, about: impl Into<String>) -> Name {
        Name { name: name.into(), about: about.into() }
    }
}

/// Characters of a name up to which all texts stand beside the names and not below them.
const COLUMN: usize = 24;
/// Characters of a text.
const ABOUT: usize = 160;

/// The names, one below the other.
pub fn listed(names: &[Name]) -> String {
    let widest = names.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    let width = widest.min(COLUMN);
    let rest = " ".repeat(width + 4);
    let row = |one: &Name| {
        let name = safe(&one.name);
        let about = short(&one.about, ABOUT);
        match (about.is_empty(), name.chars().count() > width) {
            (true, _) => format!("  {name}\n"),
            (_, true) => format!("  {name}\n{}\n", hanging(&about, &rest, &rest)),
            _ => format!("{}\n", hanging(&about, &format!("  {name:<width$}  "), &rest)),
        }
    };
    names.iter().map(row).collect()
}
