//! A line as far as it was typed.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{ArgMatches, CommandFactory};
use twicetold_host::{Library, at_once};
use twicetold_journal::Source;
use twicetold_session::Loaded;

use crate::failure::Failure;
use crate::names::Name;

/// Names, where they can be found out.
type Names = Result<Vec<Name>, Failure>;

/// Names that only commands know.
#[derive(Clone, Copy)]
pub struct Known {
    /// What `schema` prints schemas of.
    pub forms: fn() -> Vec<Name>,
    /// What `why` can explain of one kind.
    pub causes: fn(&str, &dyn Source, &Loaded) -> Names,
    /// What `why-not` can explain.
    pub rejected: fn(&dyn Source, &Loaded) -> Names,
}

/// What was typed before the word that is completed.
pub struct Typed {
    /// The options and arguments, as far as they can be read.
    matches: Option<ArgMatches>,
    current: OsString,
    /// Names that only commands know.
    pub known: Known,
    /// Does the shell show a text beside a candidate?
    pub has_texts: bool,
}

impl Typed {
    /// The words of a line of which the one at `place` is completed.
    pub fn new(words: &[OsString], place: usize, has_texts: bool, known: Known) -> Typed {
        let before = words.get(..place).unwrap_or(words);
        let program = crate::Arguments::command().ignore_errors(true);
        let matches = program.try_get_matches_from(before).ok();
        Typed { matches, current: words.get(place).cloned().unwrap_or_default(), known, has_texts }
    }

    /// The word that is completed.
    pub fn current(&self) -> &OsStr {
        &self.current
    }

    /// The arguments of the innermost command, then those of the commands around it.
    fn levels(&self) -> impl Iterator<Item = &ArgMatches> {
        let mut levels: Vec<&ArgMatches> = self.matches.iter().collect();
        while let Some((_, below)) = levels.last().and_then(|level| level.subcommand()) {
            levels.push(below);
        }
        levels.reverse();
        levels.into_iter()
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        self.levels().find_map(|level| level.try_get_one::<PathBuf>(name).ok()?.cloned())
    }

    /// An argument that is there so far, by its name.
    pub fn text(&self, name: &str) -> Option<&str> {
        let text = self.levels().find_map(|level| level.try_get_one::<String>(name).ok()?);
        text.map(String::as_str).filter(|text| !text.is_empty())
    }

    /// Is a value of this argument there already?
    pub fn has(&self, name: &str) -> bool {
        self.levels().any(|level| level.try_contains_id(name).unwrap_or(false))
    }

    /// The innermost command.
    pub fn command(&self) -> &str {
        let inner = |matches: &&'_ ArgMatches| matches.subcommand_name().is_some();
        let above = self.levels().find(inner);
        above.and_then(ArgMatches::subcommand_name).unwrap_or_default()
    }

    /// The kind of thing that was asked about.
    pub fn kind(&self) -> Option<&str> {
        self.levels().find_map(|level| level.try_get_raw("what").ok()??.next()?.to_str())
    }

    /// The folder of `models.toml` that was named.
    pub fn config(&self) -> Option<PathBuf> {
        self.path("config")
    }

    /// The campaigns; nothing where they lie in a database.
    pub fn library(&self) -> Option<Library> {
        at_once::library(self.path("data").filter(|data| !data.as_os_str().is_empty()))
    }
}
