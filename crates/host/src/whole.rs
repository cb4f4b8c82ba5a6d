//! Files that are written whole or not at all, and what a killed process left of such a try.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use crate::edge::now;

/// What lies beside a file while it is written. Hidden, and with the number of the process, so that two do not meet.
pub const SUFFIX: &str = ".new";
/// No file takes as long as that to be written: what is older, nobody writes any more.
const LEFT_AFTER: Duration = Duration::from_secs(60);

/// Where a file is written before it takes the place of another.
pub fn beside(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    folder_of(file).join(format!(".{name}.{}{SUFFIX}", std::process::id()))
}

/// Writes a file whole or not at all, also where the machine loses its power, in place of one that is there. Its folder is made where
/// there is none, and what a killed process left of the same file is removed.
///
/// # Errors
/// The system refuses it. Nothing is left then.
pub fn write(file: &Path, content: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder_of(file))?;
    remove_left_of(file);
    let fresh = beside(file);
    let written = create_new(&fresh).and_then(|mut out| {
        io::Write::write_all(&mut out, content)?;
        // A name that leads to an empty file would be worse than none.
        out.sync_all()?;
        fs::rename(&fresh, file)
    });
    written.inspect_err(|_| drop(fs::remove_file(&fresh)))
}

/// A new file. What has its name already, of a process that was killed or laid there for us to write through, is removed first.
fn create_new(fresh: &Path) -> io::Result<fs::File> {
    let open = || fs::OpenOptions::new().write(true).create_new(true).open(fresh);
    match open() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_file(fresh)?;
            open()
        }
        opened => opened,
    }
}

/// Removes what killed processes left beside a file that is to be written.
pub fn remove_left_of(file: &Path) {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let folder = folder_of(file);
    // Nothing of ours is a folder beside a file.
    let is_file = |left: &str| folder.join(left).is_file();
    remove_left(folder, |left| {
        left.starts_with(&format!(".{name}.")) && left.ends_with(SUFFIX) && is_file(left)
    });
}

/// Makes a file that its owner alone may read, whole or not at all.
///
/// # Errors
/// Something has the name, or the system refuses it. Nothing is left then.
pub fn create_private(file: &Path, content: &[u8]) -> io::Result<()> {
    let fresh = beside(file);
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&fresh).and_then(|mut out| {
        io::Write::write_all(&mut out, content)?;
        out.sync_all()
    });
    let made = written.and_then(|()| publish(&fresh, file, false));
    made.inspect_err(|_| drop(fs::remove_file(&fresh)))
}

/// Gives a file that was written beside its place its name. One that has the name stays as it is, unless it is to be replaced.
///
/// # Errors
/// Something has the name, or the system refuses it.
pub fn publish(fresh: &Path, file: &Path, replace: bool) -> io::Result<()> {
    if replace {
        return fs::rename(fresh, file);
    }
    match fs::hard_link(fresh, file) {
        Ok(()) => fs::remove_file(fresh),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // A file system without links: the look before the rename leaves a moment open, which is all that it offers.
        Err(_) if file.symlink_metadata().is_err() => fs::rename(fresh, file),
        Err(error) => Err(error),
    }
}

/// Lets two files or folders change places, so that nobody who is killed leaves one of the places empty.
///
/// # Errors
/// One of them is not there, or the system cannot do it at once.
pub fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    {
        let _ = (one, other);
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Is this the name of a file that is being written, or was when its process was killed?
pub fn is_left(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') && name.ends_with(SUFFIX)
}

/// Removes what lies in a folder, has such a name, and was not written to for a minute. That one stays is no failure.
pub fn remove_left(folder: &Path, is_left: impl Fn(&str) -> bool) {
    remove_old(folder, LEFT_AFTER, is_left);
}

/// The same of what was not written to for so long.
pub fn remove_old(folder: &Path, age: Duration, is_wanted: impl Fn(&str) -> bool) {
    let Some(before) = UNIX_EPOCH.checked_add(Duration::from_millis(now().0).saturating_sub(age)) else {
        return;
    };
    // A link leads to files of somebody else: nothing is removed there.
    if fs::symlink_metadata(folder).is_ok_and(|about| about.is_symlink()) {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(about) = entry.metadata() else { continue };
        let is_old = about.modified().is_ok_and(|modified| modified < before);
        if is_old && entry.file_name().to_str().is_some_and(&is_wanted) {
            tracing::debug!(file = %entry.path().display(), "a killed process left it: removed");
            let path = entry.path();
            let _ = if about.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
    }
}

/// Was nothing written to this file for so long, or added to this folder or taken from it?
pub fn is_old(path: &Path, age: Duration) -> bool {
    let before = UNIX_EPOCH.checked_add(Duration::from_millis(now().0).saturating_sub(age));
    let modified = path.metadata().and_then(|about| about.modified());
    modified.ok().zip(before).is_some_and(|(modified, before)| modified < before)
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    #[cfg(unix)]
    fn what_is_written_and_removed_follows_no_link_that_was_laid_there() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (file, victim) = (folder.path().join("a.toml"), other.path().join("victim"));
        fs::write(&victim, "theirs").unwrap();
        std::os::unix::fs::symlink(&victim, beside(&file)).unwrap();
        write(&file, b"whole").unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "theirs");
        assert_eq!(
            (names(folder.path()), fs::read(&file).unwrap()),
            (vec!["a.toml".into()], b"whole".to_vec())
        );
        // Nor is anything removed in a folder that a link leads to.
        let left = other.path().join(".a.toml.17.new");
        fs::File::create(&left).unwrap().set_modified(UNIX_EPOCH + Duration::from_secs(3_600)).unwrap();
        let link = folder.path().join("labels");
        std::os::unix::fs::symlink(other.path(), &link).unwrap();
        remove_left(&link, |_| true);
        assert!(left.exists());
        remove_left(other.path(), |name| name.starts_with(".a."));
        assert!(!left.exists());
    }

    #[test]
    fn what_a_killed_process_left_of_a_file_is_removed_with_the_next_writing_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let long_ago = UNIX_EPOCH + Duration::from_secs(3_600);
        for name in [".a.toml.17.new", ".b.toml.17.new", "a.toml.new", ".a.toml.18.new"] {
            fs::write(at(name), "half").unwrap();
            if name != ".a.toml.18.new" {
                fs::File::options().write(true).open(at(name)).unwrap().set_modified(long_ago).unwrap();
            }
        }
        write(&at("a.toml"), b"whole").unwrap();
        assert_eq!(names(folder.path()), [".a.toml.18.new", ".b.toml.17.new", "a.toml", "a.toml.new"]);
        assert_eq!(fs::read_to_string(at("a.toml")).unwrap(), "whole");
        write(&at("inner/a.toml"), b"whole").unwrap();
        assert!(write(&at("a.toml/x"), b"").is_err());
        assert_eq!(names(&at("inner")), ["a.toml"]);
    }
}
