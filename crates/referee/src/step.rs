//! One step: an input comes in, events are decided, each evolving the state before the next is decided.

use std::sync::Arc;

use twicetold_event::{
    BlobId, CallWithdrawn, CampaignForked, CharterAmended, Event, Input, Millis, ReplyIgnored, body,
    encode_words, entry,
};
use twicetold_model::{Digest, Request};
use twicetold_world::PendingCall;

use crate::Campaign;
use crate::question::is_guided;
use crate::requests::{Asked, NewBlobs};
use crate::rules::{self, follow};
use crate::table::{Next, Table};

/// What a step decided.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// The events, in order.
    pub events: Vec<Event>,
    /// The input and the events as frames.
    pub frames: Vec<u8>,
    /// Digests and contents of the blobs that the step is the first to use, in order of their ids.
    pub blobs: Vec<(Digest, Arc<str>)>,
    /// The id of the first of them.
    pub first_blob: BlobId,
    /// The request that is pending now, when this step decided it.
    pub request: Option<Arc<Request>>,
}

impl Campaign {
    /// Decides what an input leads to. `at` is the clock; the entry's time is never before the last one's.
    pub fn step(&mut self, at: Millis, input: &Input) -> Step {
        let at = at.max(self.state.at());
        let first_blob = self.desk.blobs.peek();
        let mut blobs = NewBlobs::new();
        let pending = self.state.calls().pending.clone();
        let is_pending =
            input.call().is_none_or(|call| pending.as_ref().is_some_and(|pending| pending.call == call));
        let mut amended = Vec::new();
        if is_pending {
            self.receive(at, input);
            amended = self.put_changes(input, &mut blobs);
        }
        let answered = self.desk.open.as_ref().filter(|open| input.call() == Some(open.call));
        let beside = answered.and_then(|open| open.beside.clone());
        let table = Table::new(&mut self.state, &self.replies, &self.tools, self.next.plus(1), at);
        let mut table = table.beside(beside);
        let next = match input.call() {
            Some(call) if !is_pending => {
                table.emit(ReplyIgnored { call, pending: pending.map(|pending| pending.call) });
                Next::Stop
            }
            _ => decide(&mut table, input, pending, amended),
        };
        let mut request = None;
        let asked = follow(&mut table, next);
        self.desk.after(table.events());
        if let Some((seat, purpose)) = asked {
            let wire = self.wires.get(&seat).cloned().unwrap_or_default();
            let who = (seat, purpose, &*wire);
            let read = (table.state(), table.replies(), table.tools());
            let Asked { event, request: asked } = self.desk.ask(read, who, table.next_number(), &mut blobs);
            table.emit(event);
            rules::faults::pause_at_a_loss(&mut table);
            request = Some(asked);
        }
        let events = table.into_events();
        self.next = self.next.plus(1 + events.len() as u64);
        let frames = encode_words(input, &events);
        self.finish(input, &events, &frames);
        Step { events, frames, blobs, first_blob, request }
    }

    /// What an input changes in the charter is there before anything is decided; the changes that could be made.
    fn put_changes(&mut self, input: &Input, blobs: &mut NewBlobs) -> Vec<CharterAmended> {
        match input {
            Input::OpeningAsked(_) => {
                for file in &self.state.setup().files {
                    self.desk.intern(&file.text, blobs);
                }
                Vec::new()
            }
            Input::AmendmentAsked(word) => self.put_amendment(word, blobs).into_iter().collect(),
            Input::ForkAsked(word) => {
                self.put_seed(word.seed);
                word.amendments.iter().filter_map(|word| self.put_amendment(word, blobs)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Which rule an input is for.
fn decide(
    table: &mut Table<'_>,
    input: &Input,
    pending: Option<PendingCall>,
    amended: Vec<CharterAmended>,
) -> Next {
    match (input, pending) {
        (Input::OpeningAsked(word), _) => rules::opening::open(table, &word.charter),
        (Input::ModelReplied(word), Some(pending)) => match table.replies().reply(word.call) {
            Some(said) if is_guided(table.state(), pending.seat, pending.purpose) => {
                rules::guided::replied(table, &pending, word.call, said)
            }
            _ => rules::reply::replied(table, &pending, word.call),
        },
        (Input::PersonAnswered(word), Some(pending)) => rules::reply::replied(table, &pending, word.call),
        (Input::ModelFailed(word), Some(pending)) => rules::faults::failed(table, &pending, &word.fault),
        (Input::AmendmentAsked(_), pending) => {
            amended.into_iter().for_each(|event| table.emit(event));
            ask_anew(table, pending)
        }
        (Input::ForkAsked(word), pending) => {
            let is_changed = word.seed.is_some() || !word.amendments.is_empty();
            table.emit(CampaignForked { parent: word.parent, at: word.at, seed: word.seed });
            amended.into_iter().for_each(|event| table.emit(event));
            ask_anew(table, pending.filter(|_| is_changed))
        }
        (Input::ResumeAsked(_) | Input::PauseAsked(_) | Input::SeatAsked(_), _) => {
            rules::control::asked(table, input);
            Next::Stop
        }
        _ => Next::Stop,
    }
}

/// What was asked before the charter changed is asked as the charter has it now.
fn ask_anew(table: &mut Table<'_>, pending: Option<PendingCall>) -> Next {
    let Some(pending) = pending else { return Next::Stop };
    table.emit(CallWithdrawn { call: pending.call });
    Next::Ask(pending.seat, pending.purpose)
}

/// The bytes of an entry, ready to be appended, and the header that they begin with.
pub fn seal(header: entry::Header, step: &Step) -> (entry::Header, Vec<u8>) {
    let digests: Vec<Digest> = step.blobs.iter().map(|(digest, _)| *digest).collect();
    let mut bytes = Vec::with_capacity(entry::HEADER_LENGTH + 6 + 32 * digests.len() + step.frames.len());
    // The header holds the digest of the body, so its place is left free until that is there.
    bytes.resize(entry::HEADER_LENGTH, 0);
    body::encode_front(&mut bytes, step.first_blob, &digests);
    bytes.extend_from_slice(&step.frames);
    let body = entry::body_digest(&bytes[entry::HEADER_LENGTH..]);
    let header = entry::Header { count: 1 + step.events.len() as u32, body, ..header };
    bytes[..entry::HEADER_LENGTH].copy_from_slice(&header.encode());
    (header, bytes)
}
