//! `checkpoint`: a signed note of where every campaign stands, to be kept elsewhere. Whoever rewrites a history, chain and all, cannot
//! rewrite the note.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use twicetold_event::entry::Header;
use twicetold_event::{CampaignId, Entry, Number};
use twicetold_journal::verify_with;

use crate::failure::{Failure, code};
use crate::terminal::{GOOD, TROUBLE, json_line, print};
use twicetold_host::Library;
use twicetold_host::bounded;

/// Writes a signed note of where every campaign stands, to be kept elsewhere
#[derive(clap::Args)]
pub struct Arguments {
    /// Where the note goes [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

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

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut stands: Vec<Stand> = Vec::new();
    for id in library.list() {
        let head = library.read(id)?.head();
        if head.entries > 0 {
            stands.push(Stand { id, next: head.next, chain: head.chain.to_string() });
        }
    }
    stands.sort_by_key(|stand| stand.id);
    let key = key(library)?;
    let text = note(&stands, &key, twicetold_host::now().0);
    match &arguments.output {
        None => print(&text)?,
        Some(path) => std::fs::write(path, &text).map_err(|error| {
            Failure::new(
                code::FAILED,
                format!("{} cannot be written: {error}", path.display()),
                "choose another file",
            )
        })?,
    }
    Ok(ExitCode::SUCCESS)
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
fn key(library: &Library) -> Result<SigningKey, Failure> {
    let path = library.data().join("checkpoint.key");
    let failed = |error: std::io::Error| {
        Failure::new(
            code::FAILED,
            format!("{}: {error}", path.display()),
            "the key of checkpoints lies there",
        )
    };
    match std::fs::read_to_string(&path) {
        Ok(text) => {
            let bytes = unhex::<32>(text.trim()).ok_or_else(|| {
                let help = "restore it, or remove it: notes signed by it can still be checked";
                Failure::new(code::FAILED, format!("{} is no key", path.display()), help)
            })?;
            Ok(SigningKey::from_bytes(&bytes))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let key = SigningKey::from_bytes(&twicetold_host::random()?);
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
fn read(path: &Path) -> Result<(String, Vec<Stand>), Failure> {
    let bad = |why: &str| {
        let message = format!("{}: {why}", path.display());
        Failure::new(code::DAMAGED, message, "a note is what `twicetold checkpoint` wrote, every byte of it")
    };
    let text = bounded::text(path, NOTE_BYTES_MAX).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => bad("it is too long for a note"),
        _ => Failure::new(code::USAGE, format!("{} cannot be read: {error}", path.display()), "give a note"),
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

/// What a campaign is now, compared with a note.
#[derive(serde::Serialize)]
struct Row {
    campaign: String,
    next: u64,
    verdict: &'static str,
}

/// Compares every campaign of a note with what lies here; a rewritten history is damage, and one that is gone is not found.
pub fn verify(library: &Library, path: &Path, json: bool) -> Result<ExitCode, Failure> {
    let (key, stands) = read(path)?;
    let rows: Vec<Row> = stands
        .iter()
        .map(|stand| Row {
            campaign: stand.id.to_string(),
            next: stand.next.0,
            verdict: verdict(library, stand),
        })
        .collect();
    let broken = rows.iter().any(|row| row.verdict == REWRITTEN || row.verdict == DAMAGED);
    let gone = rows.iter().filter(|row| row.verdict == GONE).count();
    let text = match json {
        true => json_line(&serde_json::json!({"key": key, "campaigns": rows})),
        false => {
            let line = |row: &Row| {
                let style = if row.verdict == KEPT { GOOD } else { TROUBLE };
                let (id, last) = (&row.campaign[..8], row.next.saturating_sub(1));
                format!("{id} up to #{last}: {style}{}{style:#}\n", row.verdict)
            };
            let missing = match gone {
                0 => String::new(),
                gone => format!(
                    "{gone} of the note's campaigns cannot be looked at: removed, renamed or moved away since. Look for a copy, or an export.\n"
                ),
            };
            format!("signed by {key}\n{}{missing}", rows.iter().map(line).collect::<String>())
        }
    };
    print(&text)?;
    Ok(match (broken, gone) {
        (true, _) => ExitCode::from(code::DAMAGED),
        (false, 0) => ExitCode::SUCCESS,
        // Whoever wanted to hide a history has only to remove it: a script must notice.
        (false, _) => ExitCode::from(code::MISSING),
    })
}

const KEPT: &str = "as it was";
const GONE: &str = "not here any more";
const REWRITTEN: &str = "another history than the note's";
const DAMAGED: &str = "damaged";

fn verdict(library: &Library, stand: &Stand) -> &'static str {
    // A file that was emptied or overwritten is there, and cannot be opened.
    let is_there = library.list().contains(&stand.id);
    let Ok(reader) = library.read(stand.id) else {
        return if is_there { DAMAGED } else { GONE };
    };
    let whole = verify_with(&*reader, |header, body| {
        Entry::of_parts(*header, body).map(drop).map_err(|error| error.to_string())
    });
    if whole.is_err() {
        return DAMAGED;
    }
    let last = reader.entry_holding(Number(stand.next.0.saturating_sub(1))).ok().flatten();
    let header = last.and_then(|bytes| Header::decode(&bytes).ok());
    match header
        .is_some_and(|header| header.next() == stand.next && header.chain().to_string() == stand.chain)
    {
        true => KEPT,
        false => REWRITTEN,
    }
}
