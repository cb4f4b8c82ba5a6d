//! An entry as words: the input, the events, and their numbers.

use thiserror::Error;
use twicetold_model::{Digest, Digester};

use crate::{
    CallId, Event, Input, Manifest, ModelCallRequested, Number, ToolAccepted, ToolRejected,
    body::{self, Body, BodyError, Frame},
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

/// A tool call of an entry and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome<'e> {
    /// The number of the verdict. Those of the effects follow it.
    pub number: Number,
    /// What the rules made of it.
    pub verdict: Verdict<'e>,
    /// What it did; nothing where it was refused.
    pub effects: &'e [Event],
}

/// What the rules made of a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<'e> {
    /// Accepted.
    Accepted(&'e ToolAccepted),
    /// Refused.
    Rejected(&'e ToolRejected),
}

impl<'e> Outcome<'e> {
    /// The reply that held the call, and its place there, counted from 0.
    pub fn place(&self) -> (CallId, u16) {
        match self.verdict {
            Verdict::Accepted(word) => (word.call, word.index),
            Verdict::Rejected(word) => (word.call, word.index),
        }
    }

    /// The tool.
    pub fn tool(&self) -> &'e str {
        match self.verdict {
            Verdict::Accepted(word) => &word.tool,
            Verdict::Rejected(word) => &word.tool,
        }
    }

    /// Is this the number of the verdict or of an effect?
    pub fn holds(&self, number: Number) -> bool {
        self.number <= number && number.0 <= self.number.0 + self.effects.len() as u64
    }
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

    /// Reads the input of a body, and no event.
    ///
    /// # Errors
    /// There is no input, or it is not what the format says.
    pub fn front_of(header: Header, parts: &Body<'_>) -> Result<Entry, RecordError> {
        let first = body::frames(parts.frames).next();
        let first = first.ok_or(RecordError::Count { stated: header.count, found: 0 })??;
        Ok(Entry { header, blobs: parts.blobs.clone(), input: Input::decode(&first)?, events: Vec::new() })
    }

    /// Reads a body that was split into its parts already.
    ///
    /// # Errors
    /// A word is not what the format says.
    pub fn of_parts(header: Header, parts: &Body<'_>) -> Result<Entry, RecordError> {
        let front = Entry::front_of(header, parts)?;
        let mut events = Vec::with_capacity((header.count as usize).min(64));
        for frame in body::frames(parts.frames).skip(1) {
            events.push(Event::decode(&frame?)?);
        }
        if events.len() + 1 != header.count as usize {
            return Err(RecordError::Count { stated: header.count, found: events.len() + 1 });
        }
        Ok(Entry { events, ..front })
    }

    /// The events with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (Number, &Event)> {
        (1..).map(|place| self.header.first.plus(place)).zip(&self.events)
    }

    /// The tool calls that were decided, in order: which effects belong to which call.
    pub fn tool_calls(&self) -> impl Iterator<Item = Outcome<'_>> {
        (0..).zip(self.numbered()).filter_map(|(place, (number, event))| {
            let (verdict, effects) = match event {
                Event::ToolAccepted(word) => (Verdict::Accepted(word), usize::from(word.effects)),
                Event::ToolRejected(word) => (Verdict::Rejected(word), 0),
                _ => return None,
            };
            let after = &self.events[place + 1..];
            Some(Outcome { number, verdict, effects: &after[..effects.min(after.len())] })
        })
    }

    /// The turn that the input or the event with this number belongs to.
    ///
    /// The header has the turn that is played after the step. An entry that ends one turn and begins the next holds events of
    /// both: whatever comes before the next one's beginning belongs to the one that ended, save the choice of the next speaker.
    pub fn turn_of(&self, number: Number) -> u32 {
        let place = number.0.saturating_sub(self.header.first.0) as usize;
        let (until, after) = self.events.split_at(place.min(self.events.len()));
        let next_begins = after.iter().find_map(|event| match event {
            Event::TurnBegan(word) => Some(word.turn),
            _ => None,
        });
        if let (Some(Event::SpeakerChosen(_)), Some(turn)) = (until.last(), next_begins) {
            return turn;
        }
        let last = until.iter().rev().find_map(|event| match event {
            Event::TurnBegan(word) => Some(word.turn),
            Event::TurnEnded(word) => Some(word.turn),
            _ => None,
        });
        let first = || {
            after.iter().find_map(|event| match event {
                Event::TurnBegan(word) => Some(word.turn.saturating_sub(1)),
                Event::TurnEnded(word) => Some(word.turn),
                _ => None,
            })
        };
        last.or_else(first).unwrap_or(self.header.turn)
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
    /// Adds one entry, of which `frames` hold the input and the events in this order. What stands there as this build would write it is
    /// not encoded again.
    pub fn add(&mut self, input: &Input, events: &[Event], frames: &[u8]) {
        // A reply that came twice, or too late, changed nothing: no part of the tale.
        let ignored = events.iter().any(|event| matches!(event, Event::ReplyIgnored(_)));
        if ignored || (!input.is_story() && !events.iter().any(Event::is_story)) {
            return;
        }
        let mut words = Vec::with_capacity(frames.len());
        let mut frames = body::frames(frames).map_while(Result::ok);
        match frames.next().filter(Input::is_current) {
            _ if !input.is_story() => {}
            Some(Frame { kind, version, payload }) => body::encode_frame(&mut words, kind, version, payload),
            None => input.encode(&mut words),
        }
        for event in events {
            let frame = frames.next().filter(Event::is_current);
            match (event, frame) {
                _ if !event.is_story() => {}
                // The manifest speaks of journal numbers, which an interruption shifts; the request's digest says all it asks.
                (Event::ModelCallRequested(word), _) => {
                    let ModelCallRequested { call, seat, purpose, digest, tokens, manifest: _ } = *word;
                    let manifest = Manifest::default();
                    Event::from(ModelCallRequested { call, seat, purpose, digest, tokens, manifest })
                        .encode(&mut words);
                }
                (_, Some(Frame { kind, version, payload })) => {
                    body::encode_frame(&mut words, kind, version, payload);
                }
                (_, None) => event.encode(&mut words),
            }
        }
        let mut digester = Digester::with_capacity("twicetold story 1", words.len() + 64);
        digester.raw(&self.0.0);
        digester.bytes(&words);
        self.0 = digester.finish();
    }
}

/// The frames of an input and of the events that were decided from it.
pub fn encode_words(input: &Input, events: &[Event]) -> Vec<u8> {
    let mut frames = Vec::with_capacity(2_048);
    input.encode(&mut frames);
    events.iter().for_each(|event| event.encode(&mut frames));
    frames
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Build, CampaignId, Seat, SpeakerChosen, SpeakerRule, StateDigested, TurnBegan, TurnEnd, TurnEnded,
    };

    fn entry(turn: u32, events: Vec<Event>) -> Entry {
        let header = Header {
            campaign: CampaignId([7; 16]),
            first: Number(30),
            count: 1 + events.len() as u32,
            at: crate::Millis(0),
            build: Build::new("0.1.0"),
            turn,
            epoch: 1,
            previous: Digest::ZERO,
            body: Digest::ZERO,
        };
        Entry { header, blobs: Vec::new(), input: crate::samples::entry_input(), events }
    }

    fn turns(entry: &Entry) -> Vec<u32> {
        (0..u64::from(entry.header.count))
            .map(|place| entry.turn_of(entry.header.first.plus(place)))
            .collect()
    }

    fn digested() -> Event {
        StateDigested { digest: Digest::ZERO }.into()
    }

    fn began(turn: u32) -> Event {
        TurnBegan { turn, seat: Seat::Dm }.into()
    }

    #[test]
    fn what_ends_a_turn_belongs_to_the_turn_that_it_ends() {
        let chosen = SpeakerChosen {
            seat: Seat::Dm,
            rule: SpeakerRule::DmSpeaksLast,
            values: crate::Values::default(),
        };
        let ended = Event::from(TurnEnded { turn: 4, why: TurnEnd::Spoken });
        let both = entry(5, vec![digested(), ended.clone(), digested(), chosen.into(), began(5), digested()]);
        assert_eq!(turns(&both), [4, 4, 4, 4, 5, 5, 5]);
        assert_eq!(turns(&entry(4, vec![digested(), ended, digested()])), [4, 4, 4, 4]);
    }

    #[test]
    fn what_neither_ends_nor_begins_a_turn_belongs_to_the_one_that_is_played() {
        assert_eq!(turns(&entry(4, vec![digested()])), [4, 4]);
        assert_eq!(turns(&entry(5, vec![digested(), began(5)])), [4, 4, 5]);
        assert_eq!(turns(&entry(1, vec![digested(), began(1)])), [0, 0, 1]);
    }
}
