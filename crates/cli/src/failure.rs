//! Failures for the person who reads them: what happened, to which thing, where, what to do next; and the exit code.

use std::io::Write;
use std::process::ExitCode;

use twicetold_journal::{ExportError, ImportError, OpenError, StoreError};
use twicetold_session::LoadError;

/// Exit codes, as `--help` lists them.
pub mod code {
    /// Something failed.
    pub const FAILED: u8 = 1;
    /// The command line or a configuration file is wrong; so says `lint` of errors, and not of warnings alone.
    pub const USAGE: u8 = 2;
    /// A replay came out differently.
    pub const DIVERGED: u8 = 3;
    /// A journal is damaged.
    pub const DAMAGED: u8 = 4;
    /// The model cannot be reached or refuses.
    pub const PARKED: u8 = 5;
    /// Another process plays the campaign.
    pub const LOCKED: u8 = 6;
    /// There is no such thing.
    pub const MISSING: u8 = 7;
    /// `audit --fail-on` found a warning and nothing worse.
    pub const WARNED: u8 = 8;
    /// `audit --fail-on` found an error.
    pub const WRONG: u8 = 9;
    /// Stopped by Ctrl-C.
    pub const INTERRUPTED: u8 = 130;
}

/// Why a command did not do what it was asked.
pub struct Failure {
    code: u8,
    report: miette::Report,
}

impl Failure {
    /// A failure with a message and what to do next.
    pub fn new(code: u8, message: impl Into<String>, help: impl Into<String>) -> Failure {
        let diagnostic = miette::MietteDiagnostic::new(message);
        let help = help.into();
        let diagnostic = if help.is_empty() { diagnostic } else { diagnostic.with_help(help) };
        Failure { code, report: diagnostic.into() }
    }

    /// A failure that points at bytes of a file.
    pub fn at(message: &str, path: &str, text: &str, span: Option<(usize, usize)>, help: &str) -> Failure {
        let diagnostic = miette::MietteDiagnostic::new(format!("{path}: {message}")).with_help(help);
        let report = match span {
            Some((start, end)) => {
                let label =
                    miette::LabeledSpan::at(start..end.max(start + 1).min(text.len().max(start + 1)), "here");
                let source = miette::NamedSource::new(path, text.to_owned());
                miette::Report::new(diagnostic.with_label(label)).with_source_code(source)
            }
            None => diagnostic.into(),
        };
        Failure { code: code::USAGE, report }
    }

    /// Prints it and gives its exit code.
    pub fn report(self) -> ExitCode {
        // Where nobody listens, the exit code is all there is to say.
        let _ = write!(anstream::stderr(), "{:?}", self.report);
        ExitCode::from(self.code)
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        let (code, help) = match &error {
            OpenError::Missing(_) => (code::MISSING, "`twicetold list` shows the campaigns that there are"),
            OpenError::Exists(_) => (code::FAILED, "choose another name, or remove it first"),
            OpenError::NotACampaign { .. } => {
                (code::DAMAGED, "a campaign file ends in .redb; an export is made by `twicetold export`")
            }
            OpenError::Locked { .. } => (
                code::LOCKED,
                "`show`, `log`, `why` and `replay` work meanwhile; to play it here, stop the other process",
            ),
            OpenError::Layout { .. } => (code::FAILED, "install a newer version of twicetold"),
            OpenError::NeedsRepair(_) => {
                (code::FAILED, "run `twicetold resume` on it, or make the file writable")
            }
            OpenError::Damage { .. } => (code::DAMAGED, "if you have another copy or an export, import that"),
            OpenError::Storage { error: inner, .. } => return store(inner, &error.to_string()),
        };
        Failure::new(code, error.to_string(), help)
    }
}

fn store(error: &StoreError, message: &str) -> Failure {
    let (code, help) = match error {
        StoreError::Damaged(_) => (code::DAMAGED, "if you have another copy or an export, import that"),
        StoreError::Full => {
            (code::FAILED, "make room on the disk; what is in the journal is whole, and `resume` goes on")
        }
        StoreError::Permission => (code::FAILED, "check who owns the file and its folder"),
        StoreError::GivenUp | StoreError::Io(_) => {
            (code::FAILED, "what is in the journal is whole; try again")
        }
    };
    Failure::new(code, message, help)
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        store(&error, &error.to_string())
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        let message = error.to_string();
        match error {
            LoadError::Store(error) => error.into(),
            LoadError::Damage(_) | LoadError::Entry { .. } | LoadError::NotOpened => {
                Failure::new(code::DAMAGED, message, "if you have another copy or an export, import that")
            }
            LoadError::Unknown { .. } => {
                Failure::new(code::FAILED, message, "install a newer version of twicetold")
            }
            LoadError::Foreign { .. } => Failure::new(
                code::FAILED,
                message,
                "`twicetold audit`, `show ID transcript`, `verify`, `export` and `rm` work on it",
            ),
            LoadError::Setup(_) => Failure::new(code::USAGE, message, ""),
            LoadError::PastTheEnd { .. } => {
                Failure::new(code::MISSING, message, "`twicetold log` shows the numbers that there are")
            }
        }
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Failure {
        match error {
            ExportError::Damage(damage) => {
                Failure::new(code::DAMAGED, format!("the journal cannot be exported: {damage}"), "")
            }
            ExportError::Storage(error) => error.into(),
        }
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Failure {
        match error {
            ImportError::Open(error) => error.into(),
            ImportError::Damage(damage) => Failure::new(
                code::DAMAGED,
                format!("the export is damaged: {damage}"),
                "nothing was imported; get the file again",
            ),
            ImportError::Storage(error) => error.into(),
        }
    }
}

impl From<twicetold_journal::Damage> for Failure {
    fn from(damage: twicetold_journal::Damage) -> Failure {
        Failure::new(
            code::DAMAGED,
            format!("the journal is damaged: {damage}"),
            "if you have another copy or an export, import that",
        )
    }
}
