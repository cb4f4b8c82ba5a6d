//! What is fuzzed: each reader of something that comes in, given any bytes. A reader may refuse them; it may not panic, take long, or
//! take much memory. `tests/fuzz` mutates the inputs, and a test reads those that were kept.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use twicetold_dialect::{Compat, Protocol, RetryHeaders, ToolCalls, Wire};
use twicetold_event::Entry;
use twicetold_event::body::{decode, frames};
use twicetold_event::entry::{HEADER_LENGTH, Header, body_digest};
use twicetold_foreign::{Mapping, Told, detect, records};
use twicetold_journal::{Export, Head, check, verify};
use twicetold_session::{Verdict, load, replay};
use twicetold_tool::TOOLS;
use twicetold_world::setup::{RULES_VERSION, Setup, SourceFile, lint};

use crate::{Game, Records, Script, Who, configuration, repository};

/// A reader that is fuzzed.
pub struct Fuzzed {
    /// The name of its folder of inputs.
    pub name: &'static str,
    /// Gives it bytes.
    pub read: fn(&[u8]),
}

/// All of them.
pub const FUZZED: [Fuzzed; 12] = [
    Fuzzed { name: "entry", read: entry },
    Fuzzed { name: "export", read: export },
    Fuzzed { name: "sealed", read: sealed },
    Fuzzed { name: "configuration", read: configured },
    Fuzzed { name: "foreign", read: foreign },
    Fuzzed { name: "mapping", read: mapped },
    Fuzzed { name: "reply", read: reply },
    Fuzzed { name: "chat-completions", read: |bytes| answer(Protocol::ChatCompletions, bytes) },
    Fuzzed { name: "responses", read: |bytes| answer(Protocol::Responses, bytes) },
    Fuzzed { name: "anthropic", read: |bytes| answer(Protocol::Anthropic, bytes) },
    Fuzzed { name: "gemini", read: |bytes| answer(Protocol::Gemini, bytes) },
    Fuzzed { name: "ollama", read: |bytes| answer(Protocol::Ollama, bytes) },
];

/// Gives bytes to the reader of that name.
pub fn fuzz(name: &str, bytes: &[u8]) {
    let fuzzed = FUZZED.iter().find(|fuzzed| fuzzed.name == name).expect("a reader of that name");
    (fuzzed.read)(bytes);
}

/// The bytes of an entry, and of a body whose header is right.
fn entry(bytes: &[u8]) {
    let _ = (Entry::decode(bytes), check(&Head::EMPTY, bytes));
    if let Ok(body) = decode(bytes) {
        let found = frames(body.frames).count();
        let header = Header { count: u32::try_from(found).unwrap_or_default(), ..sample().0 };
        let _ = Entry::decode_body(header, bytes);
    }
}

/// The bytes of an export.
fn export(bytes: &[u8]) {
    let Ok(export) = Export::read(bytes.to_vec()) else { return };
    read(&export);
}

fn read(export: &Export) {
    let _ = (verify(export), load(export), replay(export, None));
}

/// A short journal of ours, and its first entry's header.
fn sample() -> &'static (Header, Records) {
    static SAMPLE: OnceLock<(Header, Records)> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let path = repository().join("replays/improv/journal.twicetold");
        let records = Records::read(&std::fs::read(path).expect("the golden journal is there"));
        let mut first = records.clone();
        let first = first.payload(records.entries()[0]);
        (Header::decode(first).expect("it is whole"), records)
    })
}

/// One of the first entries of a journal has these frames, and is the last: sealed anew, as whoever forges a journal would do it. The
/// first byte says which entry.
fn sealed(bytes: &[u8]) {
    let Some((which, frames_of_it)) = bytes.split_first() else { return };
    let mut records = sample().1.clone();
    let entries = records.entries();
    let place = entries[usize::from(*which) % entries.len().min(64)];
    records.end_after(place);
    let payload = records.payload(place);
    let header = Header::decode(payload).expect("it is whole");
    let front = {
        let body = &payload[HEADER_LENGTH..];
        body.len() - decode(body).expect("it is whole").frames.len()
    };
    payload.truncate(HEADER_LENGTH + front);
    payload.extend_from_slice(frames_of_it);
    let count = frames(frames_of_it).take_while(Result::is_ok).count();
    let body = body_digest(&payload[HEADER_LENGTH..]);
    let header = Header { count: u32::try_from(count).unwrap_or_default(), body, ..header };
    payload[..HEADER_LENGTH].copy_from_slice(&header.encode());
    if let Ok(export) = Export::read(records.chained().fitted().bytes()) {
        read(&export);
    }
}

/// A file of the bundled configuration has this content. The first two bytes say which.
fn configured(bytes: &[u8]) {
    let Some((which, content)) = bytes.split_first_chunk::<2>() else { return };
    let mut files: Vec<SourceFile> = bundled().clone();
    let place = usize::from(u16::from_le_bytes(*which)) % files.len();
    let content: Arc<str> = String::from_utf8_lossy(content).into();
    files[place].text = content;
    let _ = lint::file(&files[place].path, &files[place].text);
    let _ = Setup::read(1, RULES_VERSION, files).and_then(Setup::sound);
}

fn bundled() -> &'static Vec<SourceFile> {
    static BUNDLED: OnceLock<Vec<SourceFile>> = OnceLock::new();
    BUNDLED.get_or_init(|| configuration(2))
}

/// A transcript of another program, by the mapping that fits and by the one that the first byte names.
fn foreign(bytes: &[u8]) {
    let Some((which, text)) = bytes.split_first() else { return };
    let (text, mappings) = (String::from_utf8_lossy(text), mappings());
    let path = Path::new("night.jsonl");
    let named = &mappings[usize::from(*which) % mappings.len()];
    let found = detect(path, &text, mappings).ok();
    for mapping in found.into_iter().chain([named]) {
        let _ = records(path, &text, mapping, &Told::default());
    }
}

/// A mapping that somebody wrote, on a small transcript.
fn mapped(bytes: &[u8]) {
    let Ok(mapping) = Mapping::read(String::from_utf8_lossy(bytes).into_owned(), &shared()) else { return };
    let text =
        r#"[{"role": "user", "name": "Ada", "content": "I roll 1d20+3 = [14] + 3 = 17 vs DC 15: success."}]"#;
    let _ = records(Path::new("night.json"), text, &mapping, &Told::default());
}

fn shared() -> String {
    let path = repository().join("config/mappings/common.toml");
    std::fs::read_to_string(path).expect("the mappings are there")
}

fn mappings() -> &'static Vec<Mapping> {
    static MAPPINGS: OnceLock<Vec<Mapping>> = OnceLock::new();
    MAPPINGS.get_or_init(|| {
        let folder = std::fs::read_dir(repository().join("config/mappings")).expect("the mappings are there");
        let mut files: Vec<_> = folder.map(|file| file.expect("it can be listed").path()).collect();
        files.retain(|file| !file.ends_with("common.toml"));
        files.sort();
        let read = |file: &std::path::PathBuf| {
            let text = std::fs::read_to_string(file).expect("it can be read");
            Mapping::read(text, &shared()).expect("it is whole")
        };
        files.iter().map(read).collect()
    })
}

/// Words and a tool call of the DM in a campaign: the number of the tool, arguments up to a zero byte, words.
fn reply(bytes: &[u8]) {
    let Some((which, rest)) = bytes.split_first() else { return };
    let mut parts = rest.splitn(2, |byte| *byte == 0).map(String::from_utf8_lossy);
    let (arguments, words) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let tool = TOOLS[usize::from(*which) % TOOLS.len()].name;
    let calls = [(tool, &*arguments)];
    let calls = if arguments.is_empty() { &calls[..0] } else { &calls };
    let played = Script::of(Game::new(35)).line(Who::Dm, &words, calls).play().played;
    assert!(
        matches!(replay(played.source(), None), Ok(report) if matches!(report.verdict, Verdict::Identical))
    );
}

/// What a server answers, whole and in pieces. The first byte says how the model was told to call tools, the second the status.
fn answer(protocol: Protocol, bytes: &[u8]) {
    let Some(([mode, status], body)) = bytes.split_first_chunk::<2>() else { return };
    let tool_calls = [ToolCalls::Native, ToolCalls::Prompted, ToolCalls::Structured, ToolCalls::Guided];
    let tool_calls = tool_calls[usize::from(*mode) % tool_calls.len()];
    let wire = Wire { protocol, compat: Compat { tool_calls, ..Compat::default() } };
    let body = String::from_utf8_lossy(body);
    let whole = wire.decode(&body);
    assert_eq!(whole, wire.decode(&body), "the same body is read alike");
    if let Ok(assembled) = protocol.assemble(&body) {
        let _ = wire.decode(&assembled);
    }
    // Every drafted piece is one of a stream that may end anywhere.
    let pieces = body.char_indices().map(|(at, _)| at).step_by(1 + body.len() / 8);
    for at in pieces {
        let _ = wire.draft(&body[..at]);
    }
    let _ = protocol.classify(u16::from(*status) + 300, &RetryHeaders::default(), &body);
}
