//! Signed notes of where every campaign stands, to be kept elsewhere. Whoever rewrites a history, chain and all, cannot rewrite the
//! note.

use std::io::ErrorKind;
use std::path::Path;

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use twicetold_event::entry::Header;
use twicetold_event::{CampaignId, Entry, Number};
use twicetold_journal::verify_with;

use crate::{Error, Kind, Library, bounded, now, random};

/// The first line of a note.
const TITLE: &str = "twicetold checkpoint 1";
/// Bytes of a note: a line of 140 bytes for each of thousands of campaigns.
const NOTE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// A campaign as a note has it.
struct Stand {
    id: CampaignId,
    next: Number,
    chain: String,
}

/// A note of where every campaign of a library stands.
///
/// # Errors
/// A campaign cannot be read, or there is no key to sign with.
pub fn checkpoint(library: &Library) -> Result<String, Error> {
    let mut stands: Vec<Stand> = Vec::new();
    for id in library.list() {
        let head = library.read(id)?.head();
        if head.entries > 0 {
            stands.push(Stand { id, next: head.next, chain: head.chain.to_string() });
        }
    }
    stands.sort_by_key(|stand| stand.id);
    Ok(note(&stands, &key(library)?, now().0))
}

/// The note: a title, the time, the key, a line for each campaign, and a signature over all bytes before its own line.
fn note(stands: &[Stand], key: &SigningKey, at_ms: u64) -> String {
    let mut text = format!("{TITLE}\nat_ms {at_ms}\nkey {}\n", hex(key.verifying_key().as_bytes()));
    for stand in stands {
        text += &format!("campaign {} next {} chain {}\n", stand.id, stand.next.0, stand.chain);
    }
    let signature = key.sign(text.as_bytes());
    text + &format!("signature {}\n", hex(&signature.to_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.len() != N * 2 || !text.is_ascii() {
        return None;
    }
    for (byte, place) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&text[place..place + 2], 16).ok()?;
    }
    Some(bytes)
}

/// The key of this folder of campaigns, made when it is first needed. Nobody else may read it.
fn key(library: &Library) -> Result<SigningKey, Error> {
    let path = library.data().join("checkpoint.key");
    let failed = |error: std::io::Error| {
        Error::new(Kind::Failed, format!("{}: {error}", path.display()), "the key of checkpoints lies there")
    };
    match std::fs::read_to_string(&path) {
        Ok(text) => {
            let bytes = unhex::<32>(text.trim()).ok_or_else(|| {
                let help = "restore it, or remove it: notes signed by it can still be checked";
                Error::new(Kind::Failed, format!("{} is no key", path.display()), help)
            })?;
            Ok(SigningKey::from_bytes(&bytes))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let key = SigningKey::from_bytes(&random()?);
            std::fs::create_dir_all(library.data()).map_err(failed)?;
            write_private(&path, &hex(key.as_bytes())).map_err(failed)?;
            Ok(key)
        }
        Err(error) => Err(failed(error)),
    }
}

fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    std::io::Write::write_all(&mut options.open(path)?, text.as_bytes())
}

/// A note whose signature was checked: its key and what it says.
fn read(path: &Path) -> Result<(String, Vec<Stand>), Error> {
    let bad = |why: &str| {
        let message = format!("{}: {why}", path.display());
        Error::new(Kind::Damaged, message, "a note is what `twicetold checkpoint` wrote, every byte of it")
    };
    let text = bounded::text(path, NOTE_BYTES_MAX).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => bad("it is too long for a note"),
        _ => Error::new(Kind::Usage, format!("{} cannot be read: {error}", path.display()), "give a note"),
    })?;
    let (signed, signature) = text
        .rfind("signature ")
        .filter(|at| text.starts_with(TITLE) && text[..*at].ends_with('\n'))
        .map(|at| text.split_at(at))
        .ok_or_else(|| bad("it is no checkpoint"))?;
    let field = |lead: &str| signed.lines().find_map(|line| line.strip_prefix(lead));
    let key = field("key ").ok_or_else(|| bad("it names no key"))?;
    let verifying = unhex::<32>(key).and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
    let signature = unhex::<64>(signature.trim_start_matches("signature ").trim_end());
    let (Some(verifying), Some(signature)) = (verifying, signature) else {
        return Err(bad("its key or its signature is damaged"));
    };
    let genuine = verifying.verify(signed.as_bytes(), &Signature::from_bytes(&signature));
    genuine.map_err(|_| bad("it was changed: the signature does not fit"))?;
    let stands = signed.lines().filter_map(|line| line.strip_prefix("campaign ")).map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let [id, "next", next, "chain", chain] = words[..] else { return None };
        Some(Stand { id: CampaignId::parse(id)?, next: Number(next.parse().ok()?), chain: chain.to_owned() })
    });
    let stands: Option<Vec<Stand>> = stands.collect();
    Ok((key.to_owned(), stands.ok_or_else(|| bad("one of its lines is not understood"))?))
}

/// What a campaign of a note is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Its history begins with what the note says.
    Kept,
    /// It is not here.
    Gone,
    /// It has another history.
    Rewritten,
    /// It cannot be read whole.
    Damaged,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Kept => "as it was",
            Verdict::Gone => "not here any more",
            Verdict::Rewritten => "another history than the note's",
            Verdict::Damaged => "damaged",
        }
    }
}

/// A campaign of a note, compared with what lies here.
pub struct Compared {
    /// Which.
    pub campaign: CampaignId,
    /// The number after the last that the note knows of.
    pub next: Number,
    /// What it is now.
    pub verdict: Verdict,
}

/// Compares every campaign of a note with what lies here: who signed it, and what each campaign is.
///
/// # Errors
/// It is no note, or was changed.
pub fn compare(library: &Library, note: &Path) -> Result<(String, Vec<Compared>), Error> {
    let (key, stands) = read(note)?;
    let compared =
        |stand: &Stand| Compared { campaign: stand.id, next: stand.next, verdict: verdict(library, stand) };
    Ok((key, stands.iter().map(compared).collect()))
}

fn verdict(library: &Library, stand: &Stand) -> Verdict {
    // A file that was emptied or overwritten is there, and cannot be opened.
    let is_there = library.list().contains(&stand.id);
    let Ok(reader) = library.read(stand.id) else {
        return if is_there { Verdict::Damaged } else { Verdict::Gone };
    };
    let whole = verify_with(&*reader, |header, body| {
        Entry::of_parts(*header, body).map(drop).map_err(|error| error.to_string())
    });
    if whole.is_err() {
        return Verdict::Damaged;
    }
    let last = reader.entry_holding(Number(stand.next.0.saturating_sub(1))).ok().flatten();
    let header = last.and_then(|bytes| Header::decode(&bytes).ok());
    match header
        .is_some_and(|header| header.next() == stand.next && header.chain().to_string() == stand.chain)
    {
        true => Verdict::Kept,
        false => Verdict::Rewritten,
    }
}
