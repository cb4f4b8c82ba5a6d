//! A campaign: the state, and beside it what is needed to render and to number. All of it is a cache of the journal.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use twicetold_dialect::Wire;
use twicetold_event::body::blob_digest;
use twicetold_event::{
    AmendmentAsked, Charter, CharterAmended, Entry, Event, Input, ManifestError, Millis, Number, Purpose,
    Seat, Story,
};
use twicetold_model::{Digest, Request, ToolSpec};
use twicetold_projection::Replies;
use twicetold_world::setup::{Setup, SetupError};
use twicetold_world::{State, evolve};

use crate::replies::{ReplyBook, said};
use crate::requests::{Desk, NewBlobs, OfferedTool, OpenRequest, hold, offered, render, tools};
use crate::rules::memory;
use crate::wires;

/// A campaign.
#[derive(Clone)]
pub struct Campaign {
    pub(crate) state: State,
    pub(crate) next: Number,
    pub(crate) replies: ReplyBook,
    pub(crate) desk: Desk,
    pub(crate) tools: Vec<OfferedTool>,
    pub(crate) amended: Vec<Amended>,
    pub(crate) wires: BTreeMap<Seat, Arc<Wire>>,
    pub(crate) story: Story,
}

/// What somebody replaced in the charter while the campaign was played, and where.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Amended {
    /// The first number of the entry.
    pub number: Number,
    /// What.
    pub change: Amendment,
}

/// A change of the charter.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Amendment {
    /// Dice and draws come from this seed.
    Seed(u64),
    /// A file has this content.
    File(AmendmentAsked),
}

impl Campaign {
    /// A campaign before its first entry.
    ///
    /// # Errors
    /// The charter's wires or tool files cannot be read.
    pub fn new(charter: Charter, setup: Arc<Setup>) -> Result<Campaign, SetupError> {
        Ok(Campaign {
            wires: wires(&setup)?,
            tools: tools(&setup)?,
            state: State::new(setup),
            next: Number(0),
            replies: ReplyBook::default(),
            desk: Desk::new(charter),
            amended: Vec::new(),
            story: Story::default(),
        })
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The number of the next entry.
    pub fn next(&self) -> Number {
        self.next
    }

    /// The digest of the story so far.
    pub fn story(&self) -> Digest {
        self.story.0
    }

    /// What was replaced in the charter, in order.
    pub fn amended(&self) -> &[Amended] {
        &self.amended
    }

    /// Decoded replies.
    pub fn replies(&self) -> &dyn Replies {
        &self.replies
    }

    /// How a seat's model is spoken to; the default for a seat that the charter does not have, which a forged journal may name.
    pub fn wire(&self, seat: Seat) -> Arc<Wire> {
        self.wires.get(&seat).cloned().unwrap_or_default()
    }

    /// The request of the pending call. After a fold it is rendered anew; that is not the one that was decided where it went on from
    /// another of its turn, until [`Campaign::recall`] has been told what it was.
    pub fn pending_request(&self) -> Option<Arc<Request>> {
        let pending = self.state.calls().pending.as_ref()?;
        if let Some(open) = self.desk.open.as_ref().filter(|open| open.call == pending.call) {
            return Some(open.request.clone());
        }
        let asked = (pending.seat, pending.purpose, pending.call);
        let wire = self.wire(pending.seat);
        let mut request =
            render(&self.state, &self.replies, &self.tools, asked, &wire, Default::default()).request;
        hold(&self.state, pending.seat, &wire, &mut request);
        Some(Arc::new(request))
    }

    /// What the memory seat will be asked when the turn that is played has ended: a model may answer it beside the turn. The call is decided
    /// then, and its reply counts then.
    pub fn ahead(&self) -> Option<(Seat, Purpose)> {
        memory::ahead(&self.state).map(|purpose| (Seat::Memory, purpose))
    }

    /// The request for that. It is the one that will be decided, unless the charter or the name of somebody in it is changed before.
    pub fn request_ahead(&self) -> Option<Request> {
        let (seat, purpose) = self.ahead()?;
        let (asked, wire) = ((seat, purpose, self.state.calls().next), self.wire(seat));
        let known = Default::default();
        Some(render(&self.state, &self.replies, &self.tools, asked, &wire, known).request)
    }

    /// After a fold: the request of the pending call is this one, which the next one of its turn goes on from.
    pub fn recall(&mut self, request: Arc<Request>) {
        let Some(pending) = self.state.calls().pending.as_ref() else { return };
        self.desk.open = pending.purpose.is_turn().then(|| OpenRequest {
            call: pending.call,
            seat: pending.seat,
            purpose: pending.purpose,
            turn: self.state.turn().number,
            shown: self.state.calls().shown.get(&pending.seat).copied(),
            number: pending.requested.0,
            request,
            beside: None,
        });
    }

    /// The tools that the seat of the pending call may use, whoever plays it: a person at the seat of a guided model has them all, which
    /// that model's request does not name.
    pub fn offered(&self) -> Vec<ToolSpec> {
        let Some(pending) = self.state.calls().pending.as_ref() else { return Vec::new() };
        let offered = offered(&self.state, &self.tools, pending.seat, pending.purpose);
        offered.map(|tool| tool.spec.clone()).collect()
    }

    /// Takes in an entry of the journal: inputs and events as they are recorded, nothing decided anew.
    ///
    /// # Errors
    /// A request's manifest does not fit the one before it.
    pub fn fold(&mut self, entry: &Entry) -> Result<(), ManifestError> {
        self.fold_recorded(entry, &[])
    }

    /// The same, where the frames of its input and events are at hand: then nothing is encoded again for the digest of the story.
    ///
    /// # Errors
    /// As [`Campaign::fold`].
    pub fn fold_recorded(&mut self, entry: &Entry, frames: &[u8]) -> Result<(), ManifestError> {
        let at = entry.header.at;
        for digest in &entry.blobs {
            self.desk.blobs.learn(*digest);
        }
        self.receive(at, &entry.input);
        for (number, event) in entry.numbered() {
            evolve(&mut self.state, number, at, event);
            match (&entry.input, event) {
                (Input::AmendmentAsked(asked), Event::CharterAmended(_)) => self.fold_amendment(asked),
                (Input::ForkAsked(asked), Event::CampaignForked(_)) => self.put_seed(asked.seed),
                (Input::ForkAsked(asked), Event::CharterAmended(amended)) => {
                    let asked = asked.amendments.iter().find(|asked| asked.path == amended.path);
                    asked.into_iter().for_each(|asked| self.fold_amendment(asked));
                }
                _ => {}
            }
            if let Event::ModelCallRequested(word) = event {
                self.desk.remember(word);
                self.desk.open = None;
            }
        }
        self.desk.forget_instructions();
        self.next = entry.header.next();
        self.finish(&entry.input, &entry.events, frames);
        Ok(())
    }

    /// Applies all differences of requests that a fold left pending.
    ///
    /// # Errors
    /// A request's manifest does not fit the one before it.
    pub fn settle(&mut self) -> Result<(), ManifestError> {
        self.desk.settle()
    }

    pub(crate) fn receive(&mut self, at: Millis, input: &Input) {
        let pending = self.state.calls().pending.as_ref().map(|pending| (pending.call, pending.seat));
        self.state.receive(at, input);
        match input {
            // The answer to a call that is not pending is never looked at.
            Input::ModelReplied(word) => {
                let Some((_, seat)) = pending.filter(|(call, _)| *call == word.call) else { return };
                let wire = self.wire(seat);
                self.replies.receive(word.call, Arc::from(word.body.as_str()), wire);
            }
            Input::PersonAnswered(word) if pending.is_some_and(|(call, _)| call == word.call) => {
                self.replies.say(word.call, said(word));
            }
            _ => {}
        }
    }

    pub(crate) fn finish(&mut self, input: &Input, events: &[Event], frames: &[u8]) {
        self.story.add(input, events, frames);
        for event in events {
            if let Event::MoveChosen(word) = event {
                self.replies.make(word);
            }
        }
        self.replies.prune(&self.state);
    }

    /// Dice and draws come from this seed from now on.
    pub(crate) fn put_seed(&mut self, seed: Option<u64>) {
        let setup = self.state.setup();
        let Some(seed) = seed.filter(|seed| *seed != setup.seed) else { return };
        let setup = setup.seeded(seed);
        // The files are those that were read before: they are sound.
        let _ = self.play_by(setup, Amendment::Seed(seed));
    }

    /// Plays on with an amended file, if the whole configuration is still sound with it; else nothing changes.
    pub(crate) fn put_amendment(
        &mut self,
        word: &AmendmentAsked,
        blobs: &mut NewBlobs,
    ) -> Option<CharterAmended> {
        let content: Arc<str> = Arc::from(word.content.as_str());
        let setup = self.state.setup();
        let place = setup.file_index(&word.path);
        let setup = setup.amended(&word.path, content.clone()).ok()?;
        self.play_by(setup, Amendment::File(word.clone()))?;
        self.desk.put_file(place, &word.path, &content, blobs);
        Some(CharterAmended { path: word.path.clone(), digest: blob_digest(content.as_bytes()) })
    }

    /// An amendment of the journal, whose blob was learned with its entry.
    pub(crate) fn fold_amendment(&mut self, word: &AmendmentAsked) {
        self.put_amendment(word, &mut NewBlobs::new());
    }

    /// Plays on with an amended setup: wires and tools as it has them.
    fn play_by(&mut self, setup: Setup, change: Amendment) -> Option<()> {
        self.wires = wires(&setup).ok()?;
        self.tools = tools(&setup).ok()?;
        self.desk.open = None;
        self.desk.forget_instructions();
        self.state.amend(Arc::new(setup));
        self.amended.push(Amended { number: self.next, change });
        Some(())
    }
}
