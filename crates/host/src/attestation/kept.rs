//! An attestation of each campaign that is written whenever its play stops, and checked before it goes on.

use std::path::{Path, PathBuf};

use ed25519_dalek::SigningKey;
use twicetold_event::{CampaignId, Number};
use twicetold_journal::Source;

use super::{Attestation, Attested, Verdict, begins_with, head, hex, key, key_file, read, signed, verdict};
use crate::{Error, Kind, Library, bounded, now, whole};

/// Bytes of a path that says where the last attestation of a campaign lies: systems allow 4,096.
const PATH_BYTES_MAX: u64 = 4_096;

/// A folder in which each campaign has an attestation of where it stood when its play last stopped.
pub struct Attesting {
    folder: PathBuf,
    key: SigningKey,
}

impl Attesting {
    /// Attestations in `folder`, which is made if it is not there.
    ///
    /// # Errors
    /// The folder cannot be made, or there is no key to sign with.
    pub fn new(library: &Library, folder: &Path) -> Result<Attesting, Error> {
        let made = std::fs::create_dir_all(folder).and_then(|()| std::path::absolute(folder));
        let folder = made.map_err(|error| {
            let message = format!("the folder {} for attestations cannot be used: {error}", folder.display());
            Error::new(Kind::Usage, message, "give another folder with --attest DIR")
        })?;
        Ok(Attesting { folder, key: key(library)? })
    }

    /// Checks a campaign that is to go on: another attestation of a history that was rewritten would make the rewriting valid.
    ///
    /// # Errors
    /// The campaign's history is another than the attested one, or its attestation was changed or signed with another key.
    pub fn check(&self, library: &Library, id: CampaignId) -> Result<(), Error> {
        let file = self.file(id);
        if !file.exists() {
            return Ok(());
        }
        let (attestation, head) = of_campaign(&file, id)?;
        signed_here(&file, &attestation, &hex(self.key.verifying_key().as_bytes()))?;
        match verdict(library, &head) {
            Verdict::Unchanged => Ok(()),
            other => {
                let message = format!("{id:.8} up to #{}: {}", last(head.next), other.text());
                let help = format!(
                    "the attestation is {}; restore the journal from a copy or an export",
                    file.display()
                );
                Err(Error::new(Kind::Damaged, message, help))
            }
        }
    }

    /// Attests where a campaign stands now, in place of the attestation before, and remembers where that lies.
    ///
    /// # Errors
    /// The campaign cannot be read, or a file cannot be written.
    pub fn attest(&self, library: &Library, id: CampaignId) -> Result<(), Error> {
        let Some(head) = head(library, id)? else { return Ok(()) };
        let file = self.file(id);
        let failed = |path: &Path, error: std::io::Error| {
            let message = format!("the attestation {} cannot be written: {error}", path.display());
            Error::new(Kind::Failed, message, "`twicetold attest -o FILE` writes one of every campaign")
        };
        whole::write(&file, signed(&[head], &self.key, now().0).as_bytes())
            .map_err(|error| failed(&file, error))?;
        let place = place(library, id);
        whole::write(&place, file.as_os_str().as_encoded_bytes()).map_err(|error| failed(&place, error))
    }

    fn file(&self, id: CampaignId) -> PathBuf {
        self.folder.join(format!("{id}.attestation"))
    }
}

/// The last attestation of a campaign, compared with its journal.
pub struct LastAttested {
    /// Where it lies.
    pub file: PathBuf,
    /// When it was signed.
    pub at_ms: u64,
    /// The sequence number after the last attested one.
    pub next: Number,
    /// The key that signed it.
    pub key: String,
    /// The result.
    pub verdict: Verdict,
}

/// The last attestation that was made of an intact journal on this machine; none where none was made.
///
/// # Errors
/// The attestation is not where it was written, or it was changed or signed with another key.
pub fn last_attested(library: &Library, source: &dyn Source) -> Result<Option<LastAttested>, Error> {
    let Some(id) = source.head().campaign else { return Ok(None) };
    let place = place(library, id);
    if !place.exists() {
        return Ok(None);
    }
    let file = bounded::file(&place, PATH_BYTES_MAX).map_err(|error| {
        let message =
            format!("{} says where the last attestation lies and cannot be read: {error}", place.display());
        Error::new(Kind::Failed, message, "compare with the attestation itself: `verify --attestation FILE`")
    })?;
    let file = path_of(file);
    if !file.exists() {
        let message = format!("the last attestation of this campaign, {}, is not there", file.display());
        let help =
            format!("make its folder reachable, or, if it is gone for good, delete {}", place.display());
        return Err(Error::new(Kind::Missing, message, help));
    }
    let (attestation, head) = of_campaign(&file, id)?;
    if key_file(library).exists() {
        signed_here(&file, &attestation, &hex(key(library)?.verifying_key().as_bytes()))?;
    }
    let verdict = begins_with(source, &head);
    Ok(Some(LastAttested { file, at_ms: attestation.at_ms, next: head.next, key: attestation.key, verdict }))
}

/// The path of these bytes, as they were written: not every name is UTF-8.
fn path_of(bytes: Vec<u8>) -> PathBuf {
    #[cfg(unix)]
    return PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes));
    #[cfg(not(unix))]
    return PathBuf::from(String::from_utf8_lossy(&bytes).into_owned());
}

/// Forgets where the last attestation of a campaign lies; the attestation itself stays.
pub fn forget(library: &Library, id: CampaignId) {
    let _ = std::fs::remove_file(place(library, id));
}

/// The file that says where the last attestation of a campaign lies.
fn place(library: &Library, id: CampaignId) -> PathBuf {
    library.data().join("attested").join(id.to_string())
}

/// The attestation in a file, and what it says of one campaign.
fn of_campaign(file: &Path, id: CampaignId) -> Result<(Attestation, Attested), Error> {
    let mut attestation = read(file)?;
    let Some(at) = attestation.heads.iter().position(|head| head.id == id) else {
        let message = format!("{} does not attest the campaign {id:.8}", file.display());
        return Err(Error::new(
            Kind::Damaged,
            message,
            "restore the file that was written when play stopped",
        ));
    };
    let head = attestation.heads.swap_remove(at);
    Ok((attestation, head))
}

fn signed_here(file: &Path, attestation: &Attestation, key: &str) -> Result<(), Error> {
    if attestation.key == key {
        return Ok(());
    }
    let message = format!("{} was signed with another key than that of this data folder", file.display());
    let help = "if the campaign was played with another data folder, copy its attestation.key; else restore the attestation from a copy";
    Err(Error::new(Kind::Damaged, message, help))
}

fn last(next: Number) -> u64 {
    next.0.saturating_sub(1)
}
