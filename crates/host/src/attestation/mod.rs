//! Attestations: signed lists of every campaign's journal head. Somebody who rewrites a journal with a valid digest chain cannot rewrite
//! an attestation that is stored on another machine.

mod kept;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::entry::Header;
use twicetold_event::{CampaignId, Entry, Number};
use twicetold_journal::{Source, verify_with};

use crate::{Error, Kind, Library, bounded, now, random, whole};

pub(crate) use kept::forget;
pub use kept::{Attesting, LastAttested, last_attested};

/// The first line of an attestation.
const TITLE: &str = "twicetold attestation 1";
/// Bytes of an attestation: a line of 140 bytes for each of thousands of campaigns.
const BYTES_MAX: u64 = 4 * 1024 * 1024;

/// The journal head of one campaign.
struct Attested {
    id: CampaignId,
    next: Number,
    chain: String,
}

/// An attestation that was read, with a valid signature.
struct Attestation {
    /// The key that signed it.
    key: String,
    /// When.
    at_ms: u64,
    heads: Vec<Attested>,
}

/// A signed attestation of every campaign of a library that can be read, and why the others cannot.
///
/// # Errors
/// The library cannot be read, or there is no key to sign with.
pub fn attest(library: &Library) -> Result<(String, Vec<Error>), Error> {
    let (mut heads, mut unread) = (Vec::new(), Vec::new());
    for id in library.list()? {
        match head(library, id) {
            Ok(head) => heads.extend(head),
            Err(error) => unread.push(error),
        }
    }
    heads.sort_by_key(|head| head.id);
    Ok((signed(&heads, &key(library)?, now().0), unread))
}

/// Where a campaign stands; none of one without entries.
fn head(library: &Library, id: CampaignId) -> Result<Option<Attested>, Error> {
    let head = library.read(id)?.head();
    Ok((head.entries > 0).then(|| Attested { id, next: head.next, chain: head.chain.to_string() }))
}

/// The text of an attestation: a title, the time, the key, a line for each campaign, and a signature of all bytes before its own line.
fn signed(heads: &[Attested], key: &SigningKey, at_ms: u64) -> String {
    let mut text = format!("{TITLE}\nat_ms {at_ms}\nkey {}\n", hex(key.verifying_key().as_bytes()));
    for head in heads {
        text += &format!("campaign {} next {} chain {}\n", head.id, head.next.0, head.chain);
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

fn key_file(library: &Library) -> PathBuf {
    library.data().join("attestation.key")
}

/// Bytes of a file with a key: 64 letters and a line break, and room for what an editor adds.
const KEY_BYTES_MAX: u64 = 1_024;

/// The signing key of this data folder. It is created when it is first needed, readable by its owner only.
fn key(library: &Library) -> Result<SigningKey, Error> {
    let path = key_file(library);
    let failed = |error: std::io::Error| {
        Error::new(
            Kind::Failed,
            format!("{}: {error}", path.display()),
            "the signing key of attestations is stored there",
        )
    };
    match bounded::file(&path, KEY_BYTES_MAX).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()) {
        Ok(text) => {
            let bytes = unhex::<32>(text.trim()).ok_or_else(|| {
                let help = "restore the file or delete it. Attestations signed with the old key can still be verified";
                Error::new(Kind::Failed, format!("{} is not a key", path.display()), help)
            })?;
            Ok(SigningKey::from_bytes(&bytes))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let key = SigningKey::from_bytes(&random()?);
            std::fs::create_dir_all(library.data()).map_err(failed)?;
            match whole::create_private(&path, hex(key.as_bytes()).as_bytes()) {
                // Another process was faster, and its key is the one.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => self::key(library),
                made => made.map(|()| key).map_err(failed),
            }
        }
        Err(error) => Err(failed(error)),
    }
}

/// Reads an attestation and checks its signature.
fn read(path: &Path) -> Result<Attestation, Error> {
    let bad = |why: &str| {
        let message = format!("{}: {why}", path.display());
        Error::new(Kind::Damaged, message, "give the unchanged file that `twicetold attest` wrote")
    };
    let text = bounded::file(path, BYTES_MAX).and_then(|bytes| {
        String::from_utf8(bytes).map_err(|error| std::io::Error::new(ErrorKind::InvalidData, error))
    });
    let text = text.map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => bad("the file is too long for an attestation"),
        _ => Error::new(
            Kind::of_named_file(&error),
            format!("{} cannot be read: {error}", path.display()),
            "give the path of a file that `twicetold attest` wrote",
        ),
    })?;
    let (signed, signature) = text
        .rfind("signature ")
        .filter(|at| text.starts_with(TITLE) && text[..*at].ends_with('\n'))
        .map(|at| text.split_at(at))
        .ok_or_else(|| bad("the file is not an attestation"))?;
    let field = |lead: &str| signed.lines().find_map(|line| line.strip_prefix(lead));
    let key = field("key ").ok_or_else(|| bad("the file names no key"))?;
    let verifying = unhex::<32>(key).and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
    let signature = unhex::<64>(signature.trim_start_matches("signature ").trim_end());
    let (Some(verifying), Some(signature)) = (verifying, signature) else {
        return Err(bad("its key or its signature is damaged"));
    };
    let genuine = verifying.verify(signed.as_bytes(), &Signature::from_bytes(&signature));
    genuine.map_err(|_| bad("the file was changed: its signature does not match"))?;
    let heads = signed.lines().filter_map(|line| line.strip_prefix("campaign ")).map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let [id, "next", next, "chain", chain] = words[..] else { return None };
        Some(Attested {
            id: CampaignId::parse(id)?,
            next: Number(next.parse().ok()?),
            chain: chain.to_owned(),
        })
    });
    let heads: Option<Vec<Attested>> = heads.collect();
    let at_ms = field("at_ms ").and_then(|at| at.parse().ok());
    let (Some(heads), Some(at_ms)) = (heads, at_ms) else {
        return Err(bad("one of its lines cannot be parsed"));
    };
    Ok(Attestation { key: key.to_owned(), at_ms, heads })
}

/// How the journal of a campaign compares with an attestation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Its history begins with the attested one.
    Unchanged,
    /// It is not in the data folder.
    Missing,
    /// It has another history.
    Rewritten,
    /// It cannot be read completely.
    Damaged,
}

impl Verdict {
    /// As text.
    pub fn text(self) -> &'static str {
        match self {
            Verdict::Unchanged => "unchanged",
            Verdict::Missing => "missing",
            Verdict::Rewritten => "history differs from the attestation",
            Verdict::Damaged => "damaged",
        }
    }
}

/// A campaign of an attestation, compared with its journal.
pub struct Compared {
    /// Its id.
    pub campaign: CampaignId,
    /// The sequence number after the last attested one.
    pub next: Number,
    /// The result.
    pub verdict: Verdict,
}

/// Compares every campaign of an attestation with the data folder. Gives the signing key and a result for each campaign.
///
/// # Errors
/// The file is not an attestation, or was changed.
pub fn compare(library: &Library, file: &Path) -> Result<(String, Vec<Compared>), Error> {
    let Attestation { key, heads, .. } = read(file)?;
    let compared =
        |head: &Attested| Compared { campaign: head.id, next: head.next, verdict: verdict(library, head) };
    Ok((key, heads.iter().map(compared).collect()))
}

fn verdict(library: &Library, head: &Attested) -> Verdict {
    let reader = match library.read(head.id) {
        Ok(reader) => reader,
        Err(error) if error.kind == Kind::Missing => return Verdict::Missing,
        // A file that was emptied or overwritten is there, and cannot be opened.
        Err(_) => return Verdict::Damaged,
    };
    let whole = verify_with(&*reader, |header, body| {
        Entry::of_parts(*header, body).map(drop).map_err(|error| error.to_string())
    });
    if whole.is_err() { Verdict::Damaged } else { begins_with(&*reader, head) }
}

/// Does an intact journal begin with the attested history?
fn begins_with(source: &dyn Source, head: &Attested) -> Verdict {
    let last = source.entry_holding(Number(head.next.0.saturating_sub(1))).ok().flatten();
    let header = last.and_then(|bytes| Header::decode(&bytes).ok());
    match header.is_some_and(|header| header.next() == head.next && header.chain().to_string() == head.chain)
    {
        true => Verdict::Unchanged,
        false => Verdict::Rewritten,
    }
}
