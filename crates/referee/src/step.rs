//! One step: an input comes in, events are decided, each evolving the state before the next is decided.

use std::sync::Arc;

use twicetold_event::body::blob_digest;
use twicetold_event::*;
use twicetold_model::{Digest, Request};
use twicetold_projection::prompt::{Content, Piece};
use twicetold_world::{Life, evolve};

use crate::Amendment;
use crate::campaign::LastRequest;
use crate::{Campaign, campaign};

/// What a step decided.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// The events, in order.
    pub events: Vec<Event>,
    /// Digests and contents of the blobs that the step is the first to use, in order of their ids.
    pub blobs: Vec<(Digest, Arc<str>)>,
    /// The id of the first of them.
    pub first_blob: BlobId,
    /// The request that is owed now, when this step decided it.
    pub request: Option<Arc<Request>>,
    pub(crate) at: Millis,
}

impl Campaign {
    /// Decides what an input leads to. `at` is the clock; the entry's time is never before the last one's.
    pub fn step(&mut self, at: Millis, input: &Input) -> Step {
        let at = at.max(self.state.at());
        self.step = Step { at, first_blob: self.blobs.peek(), ..Step::default() };
        let owed = self.state.calls().owed.clone();
        let answers = input.call().is_none_or(|call| owed.as_ref().is_some_and(|owed| owed.call == call));
        if answers {
            self.receive(at, input);
            self.decide(input, owed);
        } else if let Some(call) = input.call() {
            self.emit(ReplyIgnored { call, owed: owed.map(|owed| owed.call) });
        }
        let step = std::mem::take(&mut self.step);
        self.next = self.next.plus(1 + step.events.len() as u64);
        self.finish(input, &step.events);
        step
    }

    fn decide(&mut self, input: &Input, owed: Option<twicetold_world::Owed>) {
        match (input, owed) {
            (Input::OpeningAsked(word), _) => self.open(&word.charter),
            (Input::ModelReplied(word), Some(owed)) => self.replied(&owed, word.call),
            (Input::PersonAnswered(word), Some(owed)) => self.replied(&owed, word.call),
            (Input::ModelFailed(word), Some(owed)) => self.failed(&owed, &word.fault),
            (Input::TimerFired(_), Some(_)) => {}
            (Input::ResumeAsked(_), _) => self.emit(CampaignResumed {}),
            (Input::ParkAsked(word), _) if *self.state.life() == Life::Running => {
                self.emit(CampaignParked { fault: None, reason: word.reason.clone() });
            }
            (Input::SeatAsked(word), _) => match &word.person {
                Some(person) => self.emit(SeatTaken { seat: word.seat, person: person.clone() }),
                None => self.emit(SeatReleased { seat: word.seat }),
            },
            (Input::AmendmentAsked(word), owed) => {
                self.amend(word);
                self.ask_anew(owed);
            }
            (Input::ForkAsked(word), owed) => self.fork(word, owed),
            _ => {}
        }
    }

    fn open(&mut self, charter: &Charter) {
        for file in &self.state.setup().files.clone() {
            self.intern(&file.text);
        }
        let players = self.state.setup().seats.players;
        self.emit(CampaignOpened { charter: CampaignOpened::digest_of(charter), players });
        if let Some(party) = self.state.setup().party.clone() {
            return self.open_with_party(&party);
        }
        self.emit(PhaseBegan { phase: Phase::Pitch });
        self.begin_turn(self.opener());
    }

    /// Who opens a campaign. This is how a rule differs by version; a second version exists in tests alone.
    fn opener(&self) -> Seat {
        if cfg!(test) && self.state.setup().rules_version >= 2 { Seat::Player(1) } else { Seat::Dm }
    }

    /// Goes on as a branch: under another seed, with other files, and with the owed call asked anew when anything changed.
    fn fork(&mut self, word: &ForkAsked, owed: Option<twicetold_world::Owed>) {
        self.put_seed(word.seed);
        self.emit(CampaignForked { parent: word.parent, at: word.at, seed: word.seed });
        word.amendments.iter().for_each(|amendment| self.amend(amendment));
        let changed = word.seed.is_some() || !word.amendments.is_empty();
        self.ask_anew(owed.filter(|_| changed));
    }

    /// What was asked before the charter changed is asked as the charter has it now.
    fn ask_anew(&mut self, owed: Option<twicetold_world::Owed>) {
        if let Some(owed) = owed {
            self.emit(CallWithdrawn { call: owed.call });
            self.request(owed.seat, owed.purpose);
        }
    }

    /// Dice and draws come from this seed from now on.
    pub(crate) fn put_seed(&mut self, seed: Option<u64>) {
        let setup = self.state.setup();
        let Some(seed) = seed.filter(|seed| *seed != setup.seed) else { return };
        // The files are those that were read before: they are sound.
        if let Ok(setup) = twicetold_world::setup::Setup::read(seed, setup.rules_version, setup.files.clone())
        {
            let _ = self.play_by(setup, Amendment::Seed(seed));
        }
    }

    /// Replaces a file of the charter; a file that does not fit changes nothing.
    fn amend(&mut self, word: &AmendmentAsked) {
        if let Some(digest) = self.put_amendment(word) {
            self.emit(CharterAmended { path: word.path.clone(), digest });
        }
    }

    /// Plays on with an amended file, if the whole configuration is still sound with it.
    pub(crate) fn put_amendment(&mut self, word: &AmendmentAsked) -> Option<Digest> {
        let content: Arc<str> = Arc::from(word.content.as_str());
        let setup = self.state.setup();
        let known = setup.file_index(&word.path);
        let setup = setup.amended(&word.path, content.clone()).ok()?;
        let digest = blob_digest(content.as_bytes());
        self.play_by(setup, Amendment::File(word.clone()))?;
        let blob = self.intern(&content);
        let file = CharterFile { path: word.path.clone(), blob, digest };
        match known {
            Some(index) => self.charter.files[index] = file,
            None => self.charter.files.push(file),
        }
        Some(digest)
    }

    /// Decides an event: the state has it before anything else is decided.
    pub(crate) fn emit(&mut self, event: impl Into<Event>) {
        let event = event.into();
        let number = self.next.plus(1 + self.step.events.len() as u64);
        evolve(&mut self.state, number, self.step.at, &event);
        self.step.events.push(event);
    }

    /// Decides that a model is to be called.
    pub(crate) fn request(&mut self, seat: Seat, purpose: Purpose) {
        let call = self.state.calls().next;
        let (request, pieces, tools) = self.render(seat, purpose);
        let items: Vec<Item> = pieces
            .into_iter()
            .map(|piece| self.item(piece))
            .chain(tools.into_iter().map(Item::Tool))
            .collect();
        let last = self.requests.get(&seat).filter(|last| last.chain + 1 < limits::MANIFEST_CHAIN_MAX);
        let chain = last.map_or(0, |last| last.chain + 1);
        let manifest = Manifest::difference(last.map(|last| (last.call, last.items.as_slice())), &items);
        let factor = self.state.setup().seats.of(seat).map_or(100, |model| model.token_factor_percent);
        let tokens = request.text_bytes().div_ceil(3).saturating_mul(u64::from(factor)) / 100;
        let digest = request.digest();
        self.requests.insert(seat, LastRequest::whole(call, items, chain));
        self.emit(ModelCallRequested { call, seat, purpose, digest, tokens: tokens as u32, manifest });
        self.step.request = Some(Arc::new(request));
    }

    /// A piece of a prompt as it is recorded: long texts become blobs, each once.
    fn item(&mut self, piece: Piece) -> Item {
        match piece {
            Piece::Message(role) => Item::Message(role as u8),
            Piece::ToolCall { call, index, id } => Item::ToolCall { call, index, id },
            Piece::ToolResult { id } => Item::ToolResult { id },
            Piece::Text { content, length, source } => {
                let place = match content {
                    Content::File(index, start) => Place::Blob(self.charter.files[index].blob, start),
                    Content::Reply(call, start) => Place::Reply(call, start),
                    Content::Written(text) if text.len() <= limits::INLINE_BYTES_MAX => Place::Inline(text),
                    Content::Written(text) => Place::Blob(self.intern(&Arc::from(text)), 0),
                };
                Item::Span(Span { place, length, source })
            }
        }
    }

    fn intern(&mut self, text: &Arc<str>) -> BlobId {
        let digest = blob_digest(text.as_bytes());
        let (id, new) = self.blobs.intern(digest);
        if new {
            self.step.blobs.push((digest, text.clone()));
        }
        id
    }
}

/// A charter for these files, and their contents as the first blobs.
pub fn charter(seed: u64, rules: u16, files: &[twicetold_world::setup::SourceFile]) -> Charter {
    let mut book = campaign::BlobBook::default();
    let files = files.iter().map(|file| {
        let digest = blob_digest(file.text.as_bytes());
        let (blob, _) = book.intern(digest);
        CharterFile { path: file.path.clone(), blob, digest }
    });
    Charter { seed, rules, files: files.collect() }
}

/// The bytes of an entry, ready to be appended.
pub fn seal(header: entry::Header, input: &Input, step: &Step) -> Vec<u8> {
    let mut body = Vec::with_capacity(2_048);
    let digests: Vec<Digest> = step.blobs.iter().map(|(digest, _)| *digest).collect();
    body::encode_front(&mut body, step.first_blob, &digests);
    input.encode(&mut body);
    step.events.iter().for_each(|event| event.encode(&mut body));
    let header =
        entry::Header { count: 1 + step.events.len() as u32, body: entry::body_digest(&body), ..header };
    let mut bytes = header.encode().to_vec();
    bytes.append(&mut body);
    bytes
}
