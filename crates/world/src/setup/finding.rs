//! What is wrong with a configuration, or might be: where, why, and what to do.

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::limits;

use super::{Setup, SetupError, Step, locate};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It will not be played, or not as it is written.
    Error,
    /// It can be played; somebody has probably meant something else.
    Warning,
}

impl Severity {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// Something to be said of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Its kind: lower-case words with underscores, the same in every release.
    pub rule: &'static str,
    /// The file: a path as a charter has it.
    pub path: String,
    /// Bytes of the file that it speaks of.
    pub span: Option<(usize, usize)>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl Finding {
    /// The error for an invalid configuration.
    pub fn into_error(self) -> SetupError {
        SetupError::Invalid { path: self.path, message: self.message, span: self.span }
    }
}

impl From<SetupError> for Finding {
    fn from(error: SetupError) -> Finding {
        let severity = Severity::Error;
        match error {
            SetupError::Invalid { path, message, span } => {
                let help = "README.md of the configuration describes every field; `twicetold init DIR` writes files that work";
                Finding { severity, rule: "unreadable", path, span, message, help: help.into() }
            }
            SetupError::Missing { path, wanted_by } => {
                let help =
                    "create the file, or fix the name; `twicetold init DIR` writes a complete configuration";
                let message = format!("is missing: {wanted_by}");
                Finding { severity, rule: "missing_file", path, span: None, message, help: help.into() }
            }
            SetupError::RulesVersion(_) => {
                let (path, message) = ("campaign.toml".into(), error.to_string());
                let help = "install a newer version of twicetold".into();
                Finding { severity, rule: "rules_version", path, span: None, message, help }
            }
        }
    }
}

/// Findings of one file.
pub(crate) struct Notes<'a> {
    path: String,
    text: &'a str,
    found: Vec<Finding>,
}

impl<'a> Notes<'a> {
    /// None yet.
    pub(crate) fn of(setup: &'a Setup, path: &str) -> Notes<'a> {
        let file = setup.files.iter().find(|file| file.path == path);
        Notes::on(path, file.map_or("", |file| file.text.as_ref()))
    }

    /// None yet, for a file that no setup holds.
    pub(crate) fn on(path: &str, text: &'a str) -> Notes<'a> {
        Notes { path: path.to_owned(), text, found: Vec::new() }
    }

    /// It cannot be played like this.
    pub(crate) fn error(
        &mut self,
        rule: &'static str,
        steps: &[Step<'_>],
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.note(Severity::Error, rule, locate(self.text, steps), message.into(), help.into());
    }

    /// It cannot be played like this: `word` in the value to which the steps lead.
    pub(crate) fn error_at_word(
        &mut self,
        rule: &'static str,
        steps: &[Step<'_>],
        word: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let narrowed = locate(self.text, steps).map(|(start, end)| {
            let place = self.text.get(start..end).and_then(|value| value.find(word));
            place.map_or((start, end), |place| (start + place, start + place + word.len()))
        });
        self.note(Severity::Error, rule, narrowed, message.into(), help.into());
    }

    /// Somebody has probably meant something else.
    pub(crate) fn warning(
        &mut self,
        rule: &'static str,
        steps: &[Step<'_>],
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.note(Severity::Warning, rule, locate(self.text, steps), message.into(), help.into());
    }

    /// At these bytes.
    pub(crate) fn note(
        &mut self,
        severity: Severity,
        rule: &'static str,
        span: Option<(usize, usize)>,
        message: String,
        help: String,
    ) {
        if self.found.len() < limits::FINDINGS_PER_FILE_MAX {
            self.found.push(Finding { severity, rule, path: self.path.clone(), span, message, help });
        }
    }

    /// The text of the file.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// All of them, in the order in which they were noted.
    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.found
    }
}
