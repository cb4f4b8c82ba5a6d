//! What an import reads: a wheel or another zip, a folder, or a database by itself; told apart by their first bytes.

use std::fs::File;
use std::io::{Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use crate::error::SrdError;
use crate::limits::{FILE_BYTES_MAX, FILES_MAX, SOURCE_BYTES_MAX};

/// What SQLite writes at the front of every database.
const DATABASE: &[u8] = b"SQLite format 3\0";

/// Files of a source, in memory.
pub struct Source {
    /// Its name, without folders.
    pub name: String,
    /// BLAKE3 of the file, or of the names and contents of a folder's files.
    pub digest: blake3::Hash,
    /// The files that an import may want, by their paths.
    pub files: Vec<(String, Vec<u8>)>,
}

impl Source {
    /// Reads a source.
    pub fn open(path: &Path) -> Result<Source, SrdError> {
        let name =
            path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into());
        let metadata = std::fs::metadata(path).map_err(|error| unreadable(path, error))?;
        if metadata.is_dir() {
            return folder(path, name);
        }
        let bytes = read(path, SOURCE_BYTES_MAX)?;
        let digest = blake3::hash(&bytes);
        let files = if bytes.starts_with(DATABASE) {
            vec![(name.clone(), bytes)]
        } else if bytes.starts_with(b"PK") {
            archive(path, bytes)?
        } else {
            return Err(not_a_source(path, "is neither a zip nor a SQLite database"));
        };
        Ok(Source { name, digest, files })
    }

    /// The databases among the files.
    pub fn databases(&self) -> impl Iterator<Item = &(String, Vec<u8>)> {
        self.files.iter().filter(|(_, bytes)| bytes.starts_with(DATABASE))
    }

    /// A field of the package's own description, for example `Version`.
    pub fn described(&self, field: &str) -> Option<String> {
        let (_, bytes) = self.files.iter().find(|(path, _)| is_description(path))?;
        let text = String::from_utf8_lossy(bytes);
        let head = text.lines().take_while(|line| !line.trim().is_empty());
        let value = head.filter_map(|line| line.split_once(": ")).find(|(name, _)| *name == field);
        value.map(|(_, value)| value.trim().to_owned())
    }

    /// The error for a source without anything to import.
    pub fn refused(&self, why: &str) -> SrdError {
        SrdError::NotASource { file: self.name.clone(), why: why.to_owned() }
    }
}

/// May an import want this file?
fn is_wanted(path: &str) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default();
    let is_record = ending == "json" && path.split('/').any(|part| part == "canonical");
    is_record || ["sqlite3", "sqlite", "db"].contains(&ending) || is_description(path)
}

fn is_description(path: &str) -> bool {
    path.ends_with(".dist-info/METADATA")
}

fn archive(path: &Path, bytes: Vec<u8>) -> Result<Vec<(String, Vec<u8>)>, SrdError> {
    let broken = |error: &dyn std::fmt::Display| {
        let what = format!("{} is a zip that", path.display());
        SrdError::Damaged { what, why: error.to_string() }
    };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
    if archive.is_empty() {
        return Err(not_a_source(path, "is an empty zip"));
    }
    if archive.len() > FILES_MAX {
        return Err(too_much(path, &format!("{} files, at most {FILES_MAX}", archive.len())));
    }
    let (mut files, mut total) = (Vec::new(), 0);
    for place in 0..archive.len() {
        let mut member = archive.by_index(place).map_err(|error| broken(&error))?;
        let name = member.name().map_err(|error| broken(&error))?.replace('\\', "/");
        if member.is_dir() || !is_wanted(&name) {
            continue;
        }
        // What the zip says of a file's size need not be so: what comes out is counted.
        let mut content = Vec::new();
        let most = FILE_BYTES_MAX.min(SOURCE_BYTES_MAX - total);
        member.by_ref().take(most + 1).read_to_end(&mut content).map_err(|error| broken(&error))?;
        total += content.len() as u64;
        if content.len() as u64 > most {
            return Err(too_much(path, &format!("{name} unpacks to more than {most} bytes")));
        }
        files.push((name, content));
    }
    Ok(files)
}

fn folder(path: &Path, name: String) -> Result<Source, SrdError> {
    let (mut files, mut total) = (Vec::new(), 0);
    let mut waiting: Vec<PathBuf> = vec![path.to_owned()];
    while let Some(folder) = waiting.pop() {
        for item in std::fs::read_dir(&folder).map_err(|error| unreadable(&folder, error))? {
            let item = item.map_err(|error| unreadable(&folder, error))?;
            // Links are not followed: they may lead round in a ring.
            let kind = item.file_type().map_err(|error| unreadable(&item.path(), error))?;
            if kind.is_dir() {
                waiting.push(item.path());
            }
            let inner = item.path();
            let below = inner.strip_prefix(path).unwrap_or(&inner).to_string_lossy().replace('\\', "/");
            if !kind.is_file() || !is_wanted(&below) {
                continue;
            }
            let content = read(&inner, FILE_BYTES_MAX)?;
            total += content.len() as u64;
            files.push((below, content));
            if total > SOURCE_BYTES_MAX || files.len() + waiting.len() > FILES_MAX {
                let most = format!("more than {FILES_MAX} files or {SOURCE_BYTES_MAX} bytes");
                return Err(too_much(path, &most));
            }
        }
    }
    if files.is_empty() {
        return Err(not_a_source(path, "holds no database and no records"));
    }
    // A folder has no order of its own.
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for (name, content) in &files {
        for part in [name.as_bytes(), content] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        }
    }
    Ok(Source { name, digest: hasher.finalize(), files })
}

fn read(path: &Path, most: u64) -> Result<Vec<u8>, SrdError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, error))?;
    match bytes.len() as u64 > most {
        true => Err(too_much(path, &format!("more than {most} bytes"))),
        false => Ok(bytes),
    }
}

fn unreadable(path: &Path, error: std::io::Error) -> SrdError {
    match error.kind() {
        ErrorKind::NotFound => SrdError::Missing(path.to_owned()),
        _ => SrdError::Unreadable { path: path.to_owned(), error },
    }
}

fn not_a_source(path: &Path, why: &str) -> SrdError {
    SrdError::NotASource { file: path.display().to_string(), why: why.to_owned() }
}

fn too_much(path: &Path, why: &str) -> SrdError {
    not_a_source(path, &format!("is larger than any source that is known: {why}"))
}
