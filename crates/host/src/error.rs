//! What went wrong, for whoever reads it: what happened, to which thing, where, and what to do next.

use std::io::ErrorKind;
use std::path::Path;

use twicetold_foreign::{RecordError, WriteError};
use twicetold_journal::{AppendError, Damage, ExportError, ImportError, OpenError, StoreError};
use twicetold_report::ReportError;
use twicetold_session::{CommitError, LoadError};
use twicetold_world::setup::lint;

/// Of which kind a failure is: what a program can act upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Something failed: a file, the disk, a bug.
    Failed,
    /// What was asked for or configured is wrong, or cannot be done with this campaign.
    Usage,
    /// A journal is damaged.
    Damaged,
    /// A journal is whole and contradicts itself.
    Diverged,
    /// Another process plays the campaign.
    Locked,
    /// There is no such thing.
    Missing,
}

impl Kind {
    /// What it means that a file that somebody named cannot be read.
    pub(crate) fn of_named_file(error: &std::io::Error) -> Kind {
        if error.kind() == std::io::ErrorKind::NotFound { Kind::Missing } else { Kind::Usage }
    }
}

/// Bytes of a file that somebody wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as it is shown.
    pub file: String,
    /// All of its text.
    pub text: String,
    /// From which byte to which.
    pub span: (usize, usize),
}

/// Why something was not done.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// Of which kind.
    pub kind: Kind,
    /// What happened, to which thing.
    pub message: String,
    /// What to do next; often nothing.
    pub help: String,
    /// Where, if it is in a file.
    pub place: Option<Box<Place>>,
}

/// What to do after most failures in the middle of play.
const GOES_ON: &str = "use `twicetold resume` to continue from the last recorded entry";

/// What else can be done where the data folder cannot be written.
pub(crate) const OTHER_DATA: &str = "name another data folder with --data DIR";

/// What to do about damage.
const OTHER_COPY: &str = "if you have another copy or an export, import that";

impl Error {
    /// A message and what to do next.
    pub fn new(kind: Kind, message: impl Into<String>, help: impl Into<String>) -> Error {
        Error { kind, message: message.into(), help: help.into(), place: None }
    }

    /// A mistake at bytes of a file.
    pub fn at(message: &str, file: &str, text: &str, span: Option<(usize, usize)>, help: &str) -> Error {
        let place = span.map(|span| Box::new(Place { file: file.to_owned(), text: text.to_owned(), span }));
        let near = lint::meant(message).map_or_else(String::new, |near| format!("did you mean {near:?}? "));
        Error { place, ..Error::new(Kind::Usage, format!("{file}: {message}"), near + help) }
    }

    /// A file that could not be written. `instead` is what else can be done, as the rest of `change its permissions, or …`.
    pub fn unwritable(file: &Path, error: &std::io::Error, instead: &str) -> Error {
        let folder = folder_there(file);
        let help = match error.kind() {
            ErrorKind::PermissionDenied => {
                format!("you may not write to {}: change its permissions, or {instead}", folder.display())
            }
            ErrorKind::ReadOnlyFilesystem => {
                format!("{} is on a file system that is read-only: {instead}", folder.display())
            }
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                format!("make room on the disk, or {instead}")
            }
            _ => instead.to_owned(),
        };
        Error::new(Kind::Failed, format!("{} cannot be written: {error}", file.display()), help)
    }

    /// A step of the campaign that lies at `place` did not become durable.
    pub fn commit(place: &str, error: &CommitError) -> Error {
        let message = format!("{place}: {error}");
        match error {
            CommitError::Append(AppendError::NotWritten(inner) | AppendError::Unknown(inner)) => {
                store(inner, &message)
            }
            CommitError::Append(AppendError::Fenced { .. }) => Error::new(
                Kind::Locked,
                message,
                "another process is playing the campaign now; `show` and `log --follow` can read it",
            ),
            CommitError::Append(_) | CommitError::Poisoned => Error::new(Kind::Failed, message, GOES_ON),
        }
    }

    /// A bug in the middle of play.
    pub fn goes_on(message: impl Into<String>) -> Error {
        Error::new(Kind::Failed, message, GOES_ON)
    }
}

/// The innermost folder that is there of those in which a file would lie.
fn folder_there(file: &Path) -> &Path {
    let folders = file.ancestors().skip(1).map(|folder| match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    });
    folders.into_iter().find(|folder| folder.is_dir()).unwrap_or(Path::new("."))
}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Error {
        let (kind, help) = match &error {
            OpenError::Missing(_) => (Kind::Missing, "`twicetold list` lists the campaigns"),
            OpenError::Exists(_) => (Kind::Failed, "choose another name, or remove it first"),
            OpenError::NotACampaign { .. } => {
                (Kind::Damaged, "a campaign file ends in .redb; an export is made by `twicetold export`")
            }
            OpenError::Locked { .. } => (
                Kind::Locked,
                "`show`, `log`, `why` and `replay` work meanwhile; to play it here, stop the other process",
            ),
            OpenError::Layout { .. } => (Kind::Failed, "install a newer version of twicetold"),
            OpenError::NeedsRepair(_) => {
                (Kind::Failed, "run `twicetold resume` on it, or make the file writable")
            }
            OpenError::Damage { .. } => (Kind::Damaged, OTHER_COPY),
            OpenError::Storage { error: inner, .. } => return store(inner, &error.to_string()),
        };
        Error::new(kind, error.to_string(), help)
    }
}

fn store(error: &StoreError, message: &str) -> Error {
    let (kind, help) = match error {
        StoreError::Damaged(_) => (Kind::Damaged, OTHER_COPY),
        StoreError::Full => (
            Kind::Failed,
            "free disk space, or raise the disk quota or the file size limit (`ulimit -f`). The journal is intact; `resume` continues the campaign",
        ),
        StoreError::Permission => (
            Kind::Failed,
            "change the permissions of the file and its folder, or name another data folder with --data DIR",
        ),
        StoreError::Lost(_) => (
            Kind::Damaged,
            "no model was asked any more. Put the file back or import an export of it, and keep other programs from the data folder while a campaign is played",
        ),
        StoreError::Io(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            (Kind::Failed, "a file lies where a folder should be; name another data folder with --data DIR")
        }
        StoreError::Io(error) if error.kind() == std::io::ErrorKind::IsADirectory => {
            (Kind::Damaged, "it is a folder; name a file")
        }
        StoreError::GivenUp | StoreError::Io(_) => (Kind::Failed, "the journal is intact; try again"),
    };
    Error::new(kind, message, help)
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        store(&error, &error.to_string())
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Error {
        let message = error.to_string();
        match error {
            LoadError::Store(error) => error.into(),
            LoadError::Damage(_) | LoadError::Entry { .. } | LoadError::NotOpened => {
                Error::new(Kind::Damaged, message, OTHER_COPY)
            }
            LoadError::Unknown { .. } => {
                Error::new(Kind::Failed, message, "install a newer version of twicetold")
            }
            LoadError::Foreign { .. } => Error::new(
                Kind::Usage,
                message,
                "`twicetold audit`, `show ID transcript`, `log`, `verify`, `report`, `export` and `rm` work on it",
            ),
            LoadError::Setup(_) => Error::new(Kind::Usage, message, ""),
            LoadError::PastTheEnd { .. } => {
                Error::new(Kind::Missing, message, "`twicetold log ID` lists the sequence numbers")
            }
        }
    }
}

impl From<ReportError> for Error {
    fn from(error: ReportError) -> Error {
        match error {
            ReportError::Load(error) => error.into(),
            ReportError::Page(_) | ReportError::Json(_) => {
                Error::new(Kind::Failed, error.to_string(), "please report it")
            }
        }
    }
}

impl From<ExportError> for Error {
    fn from(error: ExportError) -> Error {
        match error {
            ExportError::Damage(damage) => {
                Error::new(Kind::Damaged, format!("the journal cannot be exported: {damage}"), "")
            }
            ExportError::Storage(error) => error.into(),
        }
    }
}

impl From<ImportError> for Error {
    fn from(error: ImportError) -> Error {
        match error {
            ImportError::Open(error) => error.into(),
            ImportError::Damage(damage) => Error::new(
                Kind::Damaged,
                format!("the export is damaged: {damage}"),
                "nothing was imported; get the file again",
            ),
            ImportError::Storage(error) => error.into(),
        }
    }
}

impl From<Damage> for Error {
    fn from(damage: Damage) -> Error {
        Error::new(Kind::Damaged, format!("the journal is damaged: {damage}"), OTHER_COPY)
    }
}

impl From<RecordError> for Error {
    fn from(error: RecordError) -> Error {
        Error::new(Kind::Usage, error.to_string(), error.help())
    }
}

impl From<WriteError> for Error {
    fn from(error: WriteError) -> Error {
        match error {
            WriteError::Entry(_) => Error::new(Kind::Failed, error.to_string(), "nothing was imported"),
            WriteError::File(error) => error.into(),
        }
    }
}

#[cfg(feature = "import-rules")]
impl From<twicetold_srd::SrdError> for Error {
    fn from(error: twicetold_srd::SrdError) -> Error {
        use twicetold_srd::SrdError;
        let kind = match &error {
            SrdError::Missing(_) => Kind::Missing,
            SrdError::NotASource { .. } => Kind::Usage,
            SrdError::Unreadable { .. } | SrdError::Damaged { .. } => Kind::Failed,
        };
        Error::new(kind, error.to_string(), error.help())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_not_be_written_is_told_with_its_folder_and_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let told = |kind: ErrorKind, file: &Path| Error::unwritable(file, &kind.into(), "choose another");
        let deep = folder.path().join("a/b/c.txt");
        let error = told(ErrorKind::PermissionDenied, &deep);
        assert_eq!(error.kind, Kind::Failed);
        assert!(error.message.starts_with(&format!("{} cannot be written: ", deep.display())));
        let shown = folder.path().display();
        assert_eq!(
            error.help,
            format!("you may not write to {shown}: change its permissions, or choose another")
        );
        let read_only = told(ErrorKind::ReadOnlyFilesystem, &deep).help;
        assert_eq!(read_only, format!("{shown} is on a file system that is read-only: choose another"));
        let here = told(ErrorKind::PermissionDenied, Path::new("c.txt")).help;
        assert_eq!(here, "you may not write to .: change its permissions, or choose another");
        assert_eq!(told(ErrorKind::NotADirectory, &deep).help, "choose another");
        assert!(told(ErrorKind::PermissionDenied, Path::new("")).help.contains("you may not write to ."));
    }
}
