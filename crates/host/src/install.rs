//! A drafted pack becomes a folder of the user's: checked before anything is written, and there as a whole or not at all.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use twicetold_event::limits::FILE_BYTES_MAX;
use twicetold_srd::{Draft, READY};
use twicetold_world::setup::{Pack, Severity};

use crate::bundle::BUNDLED;
use crate::configuration::Configuration;
use crate::words::safe;
use crate::{Error, Kind, whole};

/// The file beside a pack's own in which everything stands that could not be mapped. Campaigns do not take it along.
pub const UNMAPPED: &str = "unmapped.txt";

/// The bundled campaign with which a pack is tried. It needs nothing of any pack but what each has.
pub const TRIED_WITH: &str = "the-borrowed-boat";

/// The bundled pack whose advice on the craft comes along: it speaks of no rules.
const GUIDES: &str = "rules/emberlight/guides";

/// Where a pack lies now.
pub struct Installed {
    /// Its folder.
    pub folder: PathBuf,
    /// Was there one before?
    pub replaced: bool,
}

/// Writes a pack below `data`. One that is there already is replaced when it came from the same bytes, or by `force`.
pub fn install(draft: &Draft, data: &Path, force: bool) -> Result<Installed, Error> {
    let id = &draft.pack.id;
    let (packs, folder) = (data.join("rules"), data.join("rules").join(id));
    let replaced = folder.exists();
    if replaced && !force {
        may_replace(&folder, draft)?;
    }
    let files = files(draft)?;
    try_out(id, &files)?;
    write(&packs, &folder, &files, replaced).map_err(|error| {
        let full = [ErrorKind::StorageFull, ErrorKind::QuotaExceeded, ErrorKind::FileTooLarge]
            .contains(&error.kind());
        let help = if full {
            "make room on the disk"
        } else {
            "check who owns the folder, or choose another with --data DIR"
        };
        let what = if replaced { "the pack is unchanged" } else { "nothing was written" };
        let message = format!("{} cannot be written: {error}; {what}", folder.display());
        Error::new(Kind::Failed, message, help)
    })?;
    Ok(Installed { folder, replaced })
}

fn may_replace(folder: &Path, draft: &Draft) -> Result<(), Error> {
    let text = std::fs::read_to_string(folder.join("pack.toml")).unwrap_or_default();
    let source = toml::from_str::<Pack>(&text).ok().and_then(|pack| pack.source);
    let from = match source {
        Some(source) if source.digest == draft.source.digest => return Ok(()),
        Some(source) => format!("imported from {} {}", source.name, source.version),
        None => "and not by an import that could be read".to_owned(),
    };
    let message = format!("{} is there already, {from}: nothing was written", folder.display());
    let help = "use --force to replace the pack; existing campaigns keep the version in their charter";
    Err(Error::new(Kind::Failed, message, help))
}

/// The files of a pack by their paths in its folder.
fn files(draft: &Draft) -> Result<BTreeMap<String, String>, Error> {
    let source = &draft.source;
    let head = format!(
        "# Imported by `twicetold rules import` from {} {}, under {}. Another import overwrites this file.\n\
         # {}\n\n",
        line(&source.name),
        line(&source.version),
        line(&draft.pack.license),
        line(&source.attribution),
    );
    let mut files = BTreeMap::new();
    for (name, text) in draft.files().map_err(|error| {
        let message = format!("the pack cannot be written as TOML: {error}");
        Error::new(Kind::Failed, message, "nothing was written; this is a mistake of the program")
    })? {
        let text = if name == READY { text } else { format!("{head}{text}") };
        files.insert(name.to_owned(), text);
    }
    for (name, guide) in BUNDLED.below(GUIDES) {
        files.insert(format!("guides/{name}"), guide.to_owned());
    }
    files.insert(UNMAPPED.to_owned(), unmapped(draft));
    match files.iter().find(|(_, text)| text.len() > FILE_BYTES_MAX) {
        None => Ok(files),
        Some((name, text)) => {
            let message = format!("{name} would have {} bytes, at most {FILE_BYTES_MAX}", text.len());
            Err(Error::new(
                Kind::Failed,
                message,
                "nothing was written; the source has more than a pack can hold",
            ))
        }
    }
}

/// Text on one line, so that it cannot end a comment.
fn line(text: &str) -> String {
    safe(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unmapped(draft: &Draft) -> String {
    let source = &draft.source;
    let mut out = format!(
        "Parts of {} {} that the rules pack {} does not contain or contains only partly.\n\n{}\n",
        source.name, source.version, draft.pack.id, source.attribution
    );
    for ((kind, reason), whom) in &draft.unmapped.reasons {
        let count = if whom.is_empty() { String::new() } else { format!(" ({})", whom.len()) };
        out += &format!("\n{kind}: {reason}{count}\n");
        whom.iter().for_each(|one| out += &format!("  {one}\n"));
    }
    out
}

/// Reads the pack as a campaign would. What is wrong with it is a mistake of the source or of the import, and no folder is made.
fn try_out(id: &str, files: &BTreeMap<String, String>) -> Result<(), Error> {
    let mut configuration = Configuration::bundled();
    configuration.add_pack(id, files);
    configuration.play_by(TRIED_WITH, id);
    let wrong =
        configuration.findings(TRIED_WITH).into_iter().find(|finding| finding.severity == Severity::Error);
    match wrong {
        None => Ok(()),
        Some(finding) => {
            let message = format!("the pack could not be played: {}: {}", finding.path, finding.message);
            let help = "nothing was written; the source says something that the import does not expect";
            Err(Error::new(Kind::Failed, message, help))
        }
    }
}

/// Writes into a folder of its own first. Only when all of it is there does it take its place.
fn write(
    packs: &Path,
    folder: &Path,
    files: &BTreeMap<String, String>,
    replaced: bool,
) -> std::io::Result<()> {
    std::fs::create_dir_all(packs)?;
    let made = tempfile::Builder::new().prefix(".").suffix(whole::SUFFIX).tempdir_in(packs)?;
    let (new, old) = (made.path().join("new"), made.path().join("old"));
    for (name, text) in files {
        let path = new.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(&new))?;
        std::fs::write(path, text)?;
    }
    if !replaced {
        return std::fs::rename(&new, folder);
    }
    if whole::exchange(&new, folder).is_ok() {
        return Ok(());
    }
    std::fs::rename(folder, &old)?;
    std::fs::rename(&new, folder).inspect_err(|_| {
        // The old one goes back; if even that fails, the first error says why.
        let _ = std::fs::rename(&old, folder);
    })
}
