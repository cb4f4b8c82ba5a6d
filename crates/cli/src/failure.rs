//! Failures for the person who reads them: what happened, to which thing, where, what to do next; and the exit code.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use twicetold_journal::{AppendError, ExportError, ImportError, OpenError, StoreError};
use twicetold_report::ReportError;
use twicetold_session::{CommitError, LoadError};

/// Exit codes, as `--help` lists them.
pub mod code {
    /// Something failed.
    pub const FAILED: u8 = 1;
    /// The command line or a configuration file is wrong, or asks for what cannot be done with this campaign; so says `lint` of
    /// errors, and not of warnings alone.
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

    /// What happened, in one line.
    pub fn line(&self) -> String {
        self.report.to_string()
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

/// What to do after most failures in the middle of play.
pub const GOES_ON: &str = "`twicetold resume` goes on from what is in the journal";

impl Failure {
    /// A step of the campaign in the file `path` did not become durable.
    pub fn commit(path: &Path, error: &CommitError) -> Failure {
        let message = format!("{}: {error}", path.display());
        match error {
            CommitError::Append(AppendError::NotWritten(inner) | AppendError::Unknown(inner)) => {
                store(inner, &message)
            }
            CommitError::Append(AppendError::Fenced { .. }) => Failure::new(
                code::LOCKED,
                message,
                "another process plays it now; `show` and `log` follow it",
            ),
            CommitError::Append(_) | CommitError::Spoiled => Failure::new(code::FAILED, message, GOES_ON),
        }
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
        StoreError::Full => (
            code::FAILED,
            "make room on the disk, or raise the quota or the limit of a file's size (`ulimit -f`); what is in the journal is whole, \
             and `resume` goes on",
        ),
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
                code::USAGE,
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

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Failure {
        match error {
            ReportError::Load(error) => error.into(),
            ReportError::Page(_) | ReportError::Json(_) => {
                Failure::new(code::FAILED, error.to_string(), "please report it")
            }
        }
    }
}

#[cfg(feature = "import-rules")]
impl From<twicetold_srd::SrdError> for Failure {
    fn from(error: twicetold_srd::SrdError) -> Failure {
        use twicetold_srd::SrdError;
        let code = match &error {
            SrdError::Missing(_) => code::MISSING,
            SrdError::NotASource { .. } => code::USAGE,
            SrdError::Unreadable { .. } | SrdError::Damaged { .. } => code::FAILED,
        };
        Failure::new(code, error.to_string(), error.help())
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
