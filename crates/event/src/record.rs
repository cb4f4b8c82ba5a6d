//! An entry as words: the input, the events, and their numbers.

use thiserror::Error;
use twicetold_model::{Digest, Digester};

use crate::{
    Event, Input, Manifest, ModelCallRequested, Number,
    body::{self, Body, BodyError},
    entry::{self, EntryError, Header},
    words::WordError,
};

/// A decoded entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its header.
    pub header: Header,
    /// Digests of the blobs that it adds.
    pub blobs: Vec<Digest>,
    /// What came in.
    pub input: Input,
    /// What was decided.
    pub events: Vec<Event>,
}

/// Why bytes are not a readable entry.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// The header or its digest.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// The layout of the body.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A word.
    #[error(transparent)]
    Word(#[from] WordError),
    /// The body holds more or fewer words than the header counts.
    #[error("the header counts {stated} numbers and the body holds {found}")]
    Count {
        /// By the header.
        stated: u32,
        /// In the body.
        found: usize,
    },
}

impl Entry {
    /// Reads an entry, its body's digest checked.
    ///
    /// # Errors
    /// The bytes were changed or were never an entry.
    pub fn decode(bytes: &[u8]) -> Result<Entry, RecordError> {
        let (header, body) = entry::open(bytes)?;
        Entry::decode_body(header, body)
    }

    /// Reads a body whose digest was checked already.
    ///
    /// # Errors
    /// The layout or a word is not what the format says.
    pub fn decode_body(header: Header, body: &[u8]) -> Result<Entry, RecordError> {
        Entry::of_parts(header, &body::decode(body)?)
    }

    /// Reads a body that was split into its parts already.
    ///
    /// # Errors
    /// A word is not what the format says.
    pub fn of_parts(header: Header, parts: &Body<'_>) -> Result<Entry, RecordError> {
        let mut frames = body::frames(parts.frames);
        let first = frames.next().ok_or(RecordError::Count { stated: header.count, found: 0 })??;
        let input = Input::decode(&first)?;
        let mut events = Vec::with_capacity((header.count as usize).min(64));
        for frame in frames {
            events.push(Event::decode(&frame?)?);
        }
        if events.len() + 1 != header.count as usize {
            return Err(RecordError::Count { stated: header.count, found: events.len() + 1 });
        }
        Ok(Entry { header, blobs: parts.blobs.clone(), input, events })
    }

    /// The events with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (Number, &Event)> {
        (1..).map(|place| self.header.first.plus(place)).zip(&self.events)
    }
}

/// The running digest of the story: of everything that was said, asked and decided, and of nothing that only says when,
/// where, by which build or after how many attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Story(pub Digest);

impl Default for Story {
    fn default() -> Story {
        Story(Digest::ZERO)
    }
}

impl Story {
    /// Adds one entry.
    pub fn add(&mut self, input: &Input, events: &[Event]) {
        // A reply that came twice, or too late, changed nothing: no part of the tale.
        let ignored = events.iter().any(|event| matches!(event, Event::ReplyIgnored(_)));
        if ignored || (!input.is_story() && !events.iter().any(Event::is_story)) {
            return;
        }
        let mut digester = Digester::new("twicetold story 1");
        digester.raw(&self.0.0);
        let mut buffer = Vec::with_capacity(2_048);
        if input.is_story() {
            input.encode_story(&mut buffer);
        }
        for event in events.iter().filter(|event| event.is_story()) {
            match event {
                // The manifest speaks of journal numbers, which an interruption shifts; the request's digest says all it asks.
                Event::ModelCallRequested(word) => {
                    let ModelCallRequested { call, seat, purpose, digest, tokens, manifest: _ } = *word;
                    let manifest = Manifest::default();
                    Event::from(ModelCallRequested { call, seat, purpose, digest, tokens, manifest })
                        .encode(&mut buffer);
                }
                _ => event.encode(&mut buffer),
            }
        }
        digester.bytes(&buffer);
        self.0 = digester.finish();
    }
}
