//! Replays a journal and says whether it came out the same. A partial or empty replay is never a match.

use std::sync::Arc;

use twicetold_event::{BlobId, Build, CallId, Entry, Event, Item, Number, Place, RecordError};
use twicetold_journal::{Source, verify_with};
use twicetold_model::{Digest, Part as MessagePart, Request};
use twicetold_referee::replay::{Divergence, DivergenceKind, Replayer};
use twicetold_referee::{Campaign, charter};
use twicetold_world::setup::Setup;

use crate::load::{known, within};
use crate::{LoadError, charter_of, rebuild, recorded_charter};

/// What a replay found.
pub struct Report {
    /// Replayed entries.
    pub entries: u64,
    /// Inputs and events compared.
    pub numbers: u64,
    /// Requests recomputed.
    pub requests: u64,
    /// The digest of the recorded story.
    pub recorded_story: Digest,
    /// The digest of the replayed story.
    pub told_story: Digest,
    /// Prompts that differ under another configuration: the first, and how many.
    pub drift: Option<(Drift, u64)>,
    /// The verdict.
    pub verdict: Verdict,
    /// Is the recorded campaign over, or does it go on?
    pub over: bool,
}

/// How a replay ended.
pub enum Verdict {
    /// Everything came out as it was recorded.
    Identical,
    /// This is where the tellings part.
    Diverged(Drift),
}

/// A divergence, with the span where a prompt differs.
pub struct Drift {
    /// Where and how.
    pub divergence: Divergence,
    /// The build that wrote the entry.
    pub recorded_by: Build,
    /// For a prompt: the first piece of text that differs, by its source, as the journal has it and as this build has it.
    pub span: Option<(String, String, String)>,
}

/// Replays a journal under its own charter, or under another configuration.
///
/// # Errors
/// The journal is damaged or cannot be told by this build. A divergence is no error but a verdict.
pub fn replay(source: &dyn Source, against: Option<Arc<Setup>>) -> Result<Report, LoadError> {
    replay_to(source, against, None)
}

/// Replays a journal up to the entry that holds `last`. All of it is verified nevertheless.
///
/// # Errors
/// As [`replay`]; also when there is no such number.
pub fn replay_to(
    source: &dyn Source,
    against: Option<Arc<Setup>>,
    last: Option<Number>,
) -> Result<Report, LoadError> {
    within(source, last)?;
    let (recorded, setup) = charter_of(source)?;
    let other = against.is_some();
    let (charter, setup) = match against {
        Some(setup) => (charter(recorded.seed, setup.rules_version, &setup.files), setup),
        None => (recorded, setup),
    };
    let campaign = Campaign::new(charter, setup)?;
    let mut replayer = if other { Replayer::against(campaign) } else { Replayer::new(campaign) };
    let mut diverged: Option<(Divergence, Option<Request>)> = None;
    let mut drifted: Option<Request> = None;
    let (mut entries, mut numbers) = (0, 0);
    let mut unknown = None;
    verify_with(source, |header, body| {
        if diverged.is_some() || unknown.is_some() || last.is_some_and(|last| last < header.first) {
            return Ok(());
        }
        let whole = || readable(Entry::of_parts(*header, body));
        let told = match readable(Entry::front_of(*header, body)) {
            Ok(front) => replayer.replay_bytes(&front, body.frames, whole),
            // Damage further on is worse than a word of a newer build.
            Err(error) => Err(whole().err().unwrap_or(error)),
        };
        match told {
            Ok(Ok(())) => {
                entries += 1;
                numbers += u64::from(header.count);
                if drifted.is_none() && replayer.drift().is_some() {
                    drifted = replayer.request().cloned();
                }
            }
            Ok(Err(divergence)) => diverged = Some((divergence, replayer.request().cloned())),
            Err(Unreadable::Unknown(error)) => unknown = Some(error),
            Err(Unreadable::Damaged(why)) => return Err(why),
        }
        Ok(())
    })?;
    if let Some(error) = unknown {
        return Err(error);
    }
    let verdict = match diverged {
        None => Verdict::Identical,
        Some((divergence, request)) => Verdict::Diverged(drift(source, divergence, request)?),
    };
    let drift = match replayer.drift() {
        Some((first, count)) => Some((drift(source, first.clone(), drifted)?, count)),
        None => None,
    };
    Ok(Report {
        entries,
        numbers,
        requests: replayer.requests(),
        recorded_story: replayer.recorded_story(),
        told_story: replayer.campaign().story(),
        drift,
        over: matches!(replayer.campaign().state().life(), twicetold_world::Life::Ended { .. }),
        verdict,
    })
}

/// Why a replay cannot read an entry.
enum Unreadable {
    Damaged(String),
    /// It has words of a newer build.
    Unknown(LoadError),
}

fn readable(entry: Result<Entry, RecordError>) -> Result<Entry, Unreadable> {
    let entry = entry.map_err(|error| Unreadable::Damaged(error.to_string()))?;
    known(&entry).map_err(Unreadable::Unknown)?;
    Ok(entry)
}

/// Finds the span at which two prompts part.
fn drift(source: &dyn Source, divergence: Divergence, request: Option<Request>) -> Result<Drift, LoadError> {
    let entry = entry_holding(source, divergence.number)?;
    let recorded_by = entry.as_ref().map_or(Build([0; 16]), |entry| entry.header.build);
    // Where fields differ, the words are the same.
    let is_prompt = divergence.kind == DivergenceKind::Prompt && divergence.fields.is_empty();
    let span =
        match (request.filter(|_| is_prompt), entry.and_then(|entry| requested(&entry, divergence.number))) {
            (Some(request), Some(call)) => span(source, call, &request)?,
            _ => None,
        };
    Ok(Drift { divergence, recorded_by, span })
}

/// The first piece of a recorded request that another telling of it has not.
fn span(
    source: &dyn Source,
    call: CallId,
    request: &Request,
) -> Result<Option<(String, String, String)>, LoadError> {
    let Some(recorded) = rebuild(source, call)? else { return Ok(None) };
    let told = flat(request);
    let mut at = 0;
    for part in &recorded.parts {
        if !told[at..].starts_with(&part.text) {
            let from = common(&part.text, &told[at..]);
            let shown = |text: &str| excerpt(text, from);
            let span = (name(source, &part.item)?, shown(&part.text), shown(told.get(at..).unwrap_or("")));
            return Ok(Some(span));
        }
        at += part.text.len();
    }
    let more = told.get(at..).unwrap_or("");
    let span = if more.is_empty() {
        let journal = "its pieces have the same words as here: one that it repeats was changed after it was asked, or its tools or parameters are others";
        ("the request as a whole".into(), journal.into(), format!("digest {:.12}", request.digest()))
    } else {
        ("the end of the request".into(), String::new(), excerpt(more, 0))
    };
    Ok(Some(span))
}

fn entry_holding(source: &dyn Source, number: Number) -> Result<Option<Entry>, LoadError> {
    let Some(bytes) = source.entry_holding(number)? else { return Ok(None) };
    Entry::decode(&bytes).map(Some).map_err(|why| LoadError::Entry { number, why: why.to_string() })
}

fn requested(entry: &Entry, number: Number) -> Option<CallId> {
    let found = entry.numbered().find(|(at, _)| *at >= number).map(|(_, event)| event.clone());
    let fallback = entry.events.iter().rev().find(|event| matches!(event, Event::ModelCallRequested(_)));
    match found.as_ref().filter(|event| matches!(event, Event::ModelCallRequested(_))).or(fallback) {
        Some(Event::ModelCallRequested(word)) => Some(word.call),
        _ => None,
    }
}

/// All words of a request in the order of its pieces.
fn flat(request: &Request) -> String {
    let parts = request.messages.iter().flat_map(|message| &message.parts);
    parts
        .map(|part| match part {
            MessagePart::Text(text) => text.as_str(),
            MessagePart::ToolResult(result) => result.content.as_str(),
            _ => "",
        })
        .collect()
}

fn common(a: &str, b: &str) -> usize {
    a.char_indices().zip(b.chars()).find(|((_, a), b)| a != b).map_or(a.len().min(b.len()), |((at, _), _)| at)
}

/// Some words around the place where two texts part.
fn excerpt(text: &str, at: usize) -> String {
    let start = text.floor_char_boundary(at.saturating_sub(40));
    let end = text.floor_char_boundary((at + 60).min(text.len()));
    let dots = |cut: bool| if cut { "…" } else { "" };
    format!("{}{}{}", dots(start > 0), text.get(start..end).unwrap_or(""), dots(end < text.len()))
}

/// A piece of a prompt for people: the file that it stands in, or what it is.
fn name(source: &dyn Source, item: &Item) -> Result<String, LoadError> {
    Ok(match item {
        Item::Span(span) => match (&span.place, span.source) {
            (Place::Blob(id, start), twicetold_event::Source::Charter) => {
                format!("{}, from byte {start}", file(source, *id)?)
            }
            (_, twicetold_event::Source::Event(number)) => format!("text of {number}"),
            (_, twicetold_event::Source::State) => "what the state shows".into(),
            (_, twicetold_event::Source::Charter) => "text of the charter".into(),
        },
        Item::Message(_) => "the beginning of a message".into(),
        Item::ToolCall { call, index, .. } => format!("tool call {index} of the reply to {call}"),
        Item::ToolResult { .. } => "the beginning of a tool's result".into(),
        Item::Tool(_) => "a tool on offer".into(),
        Item::ReplySchema => "the beginning of the reply's schema".into(),
        Item::NoTools => "that no tool may be called".into(),
        Item::Opaque { call, .. } => format!("a block of the reply to {call}"),
    })
}

/// The file of the charter that a blob is the content of. What is in none of them was written during play.
fn file(source: &dyn Source, id: BlobId) -> Result<String, LoadError> {
    let file = recorded_charter(source)?.files.into_iter().find(|file| file.blob == id);
    Ok(file.map_or_else(|| "a text that was kept during play".to_owned(), |file| file.path))
}
