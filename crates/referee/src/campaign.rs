//! A campaign as the referee holds it: the state, and beside it what is needed to render and to number: all a cache of the journal.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use twicetold_dialect::Wire;
use twicetold_event::*;
use twicetold_model::{Digest, Reply, Request, ToolSpec};
use twicetold_projection::Replies;
use twicetold_world::setup::{Setup, SetupError, SourceFile};
use twicetold_world::{State, evolve};

use crate::{Step, wires};

/// A campaign.
#[derive(Clone)]
pub struct Campaign {
    pub(crate) state: State,
    pub(crate) next: Number,
    pub(crate) replies: ReplyBook,
    pub(crate) requests: BTreeMap<Seat, LastRequest>,
    pub(crate) blobs: BlobBook,
    pub(crate) tools: Vec<OfferedTool>,
    pub(crate) charter: Charter,
    pub(crate) step: Step,
    pub(crate) amended: Vec<Amended>,
    wires: BTreeMap<Seat, Arc<Wire>>,
    story: Story,
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

/// The last request of a seat, as items: what the next manifest differs from.
#[derive(Clone)]
pub(crate) struct LastRequest {
    pub(crate) call: CallId,
    pub(crate) items: Vec<Item>,
    pub(crate) chain: u32,
    /// Differences since `items`, not yet applied: only the last of a fold are ever needed.
    pending: Vec<Manifest>,
}

impl LastRequest {
    pub(crate) fn whole(call: CallId, items: Vec<Item>, chain: u32) -> LastRequest {
        LastRequest { call, items, chain, pending: Vec::new() }
    }

    /// Applies what is pending.
    pub(crate) fn resolve(&mut self) -> Result<&[Item], ManifestError> {
        for manifest in self.pending.drain(..) {
            self.items = manifest.resolve(&self.items)?;
        }
        Ok(&self.items)
    }
}

/// A tool of the charter.
#[derive(Clone)]
pub(crate) struct OfferedTool {
    pub(crate) tool: &'static twicetold_tool::Tool,
    pub(crate) spec: ToolSpec,
    pub(crate) file: u16,
}

/// The file of a tool in a charter.
#[derive(Deserialize)]
struct ToolFile {
    name: String,
    description: String,
    schema: Box<serde_json::value::RawValue>,
}

impl Campaign {
    /// A campaign before its first entry.
    ///
    /// # Errors
    /// The charter's wires or tool files cannot be read.
    pub fn new(charter: Charter, setup: Arc<Setup>) -> Result<Campaign, SetupError> {
        let wires = wires(&setup)?;
        Ok(Campaign {
            tools: tools(&setup)?,
            state: State::new(setup),
            next: Number(0),
            replies: ReplyBook::default(),
            requests: BTreeMap::new(),
            blobs: BlobBook::default(),
            charter,
            step: Step::default(),
            amended: Vec::new(),
            wires,
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

    /// The digest of the story up to where a snapshot was taken.
    pub(crate) fn tell_on(&mut self, story: Digest) {
        self.story = Story(story);
    }

    /// What was replaced in the charter, in order.
    pub fn amended(&self) -> &[Amended] {
        &self.amended
    }

    /// Plays on with an amended setup: servers and tools as it has them.
    pub(crate) fn play_by(&mut self, setup: Setup, change: Amendment) -> Option<()> {
        self.wires = wires(&setup).ok()?;
        self.tools = tools(&setup).ok()?;
        self.state.amend(Arc::new(setup));
        self.amended.push(Amended { number: self.next, change });
        Some(())
    }

    /// Decoded replies.
    pub fn replies(&self) -> &dyn Replies {
        &self.replies
    }

    /// How a seat's model is spoken to; the default for a seat that the charter does not have, which a forged journal may name.
    pub fn wire(&self, seat: Seat) -> Arc<Wire> {
        self.wires.get(&seat).cloned().unwrap_or_default()
    }

    /// Takes in an entry of the journal: inputs and events as they are recorded, nothing decided anew.
    ///
    /// # Errors
    /// A request's manifest does not fit the one before it.
    pub fn fold(&mut self, entry: &Entry) -> Result<(), ManifestError> {
        let at = entry.header.at;
        for digest in &entry.blobs {
            self.blobs.learn(*digest);
        }
        self.receive(at, &entry.input);
        for (number, event) in entry.numbered() {
            evolve(&mut self.state, number, at, event);
            match (&entry.input, event) {
                (Input::AmendmentAsked(asked), Event::CharterAmended(_)) => {
                    self.put_amendment(asked);
                }
                (Input::ForkAsked(asked), Event::CampaignForked(_)) => self.put_seed(asked.seed),
                (Input::ForkAsked(asked), Event::CharterAmended(amended)) => {
                    let asked = asked.amendments.iter().find(|asked| asked.path == amended.path);
                    if let Some(asked) = asked {
                        self.put_amendment(asked);
                    }
                }
                _ => {}
            }
            if let Event::ModelCallRequested(word) = event {
                self.remember(word);
            }
        }
        self.next = entry.header.next();
        self.finish(&entry.input, &entry.events);
        Ok(())
    }

    /// Keeps what a request was made of: the seat's next one may be written as a difference to it.
    fn remember(&mut self, word: &ModelCallRequested) {
        let manifest = word.manifest.clone();
        match self.requests.get_mut(&word.seat).filter(|_| manifest.base.is_some()) {
            Some(last) => {
                last.call = word.call;
                last.chain += 1;
                last.pending.push(manifest);
            }
            None => {
                let nothing = LastRequest::whole(word.call, Vec::new(), 0);
                self.requests.insert(word.seat, LastRequest { pending: vec![manifest], ..nothing });
            }
        }
    }

    /// Applies all differences of requests that a fold left pending.
    ///
    /// # Errors
    /// A request's manifest does not fit the one before it.
    pub fn settle(&mut self) -> Result<(), ManifestError> {
        self.requests.values_mut().try_for_each(|last| last.resolve().map(drop))
    }

    pub(crate) fn receive(&mut self, at: Millis, input: &Input) {
        let owed = self.state.calls().owed.as_ref().map(|owed| (owed.call, owed.seat));
        self.state.receive(at, input);
        match input {
            // The answer to a call that is not owed is never looked at.
            Input::ModelReplied(word) => {
                let Some((_, seat)) = owed.filter(|(call, _)| *call == word.call) else { return };
                let wire = self.wire(seat);
                self.replies.receive(word.call, Arc::from(word.body.as_str()), wire);
            }
            Input::PersonAnswered(word) if owed.is_some_and(|(call, _)| call == word.call) => {
                self.replies.say(word.call, said(word));
            }
            _ => {}
        }
    }

    pub(crate) fn finish(&mut self, input: &Input, events: &[Event]) {
        self.story.add(input, events);
        if self.replies.len() > PRUNE_ABOVE {
            self.replies.keep(&self.state);
        }
    }

    /// The request of an owed call, rendered from the state as it stands.
    pub(crate) fn render(
        &self,
        seat: Seat,
        purpose: Purpose,
    ) -> (Request, Vec<twicetold_projection::prompt::Piece>, Vec<u16>) {
        let prompt = twicetold_projection::prompt::render(&self.state, &self.replies, seat, purpose);
        let offered = purpose.is_turn();
        let offered: Vec<&OfferedTool> =
            self.tools.iter().filter(|tool| offered && tool.tool.is_offered(&self.state, seat)).collect();
        let request = Request {
            messages: prompt.messages,
            tools: offered.iter().map(|tool| tool.spec.clone()).collect(),
            parameters: parameters(self.state.setup(), seat),
        };
        (request, prompt.pieces, offered.iter().map(|tool| tool.file).collect())
    }
}

/// How a seat's model is asked.
pub fn parameters(setup: &Setup, seat: Seat) -> twicetold_model::Parameters {
    let Some(model) = setup.seats.of(seat) else { return twicetold_model::Parameters::default() };
    twicetold_model::Parameters {
        model: model.model.clone(),
        temperature_milli: model.temperature_milli,
        seed: model.send_seed.then(|| twicetold_tool::dice::model_seed(setup.seed, &seat.slug())),
        tokens_max: model.tokens_max,
        parallel_tool_calls: model.parallel_tool_calls,
        tool_choice: twicetold_model::ToolChoice::Auto,
    }
}

/// Replies kept before those that no prompt can show any more are forgotten: some turns' worth beyond the window.
const PRUNE_ABOVE: usize = 192;

pub(crate) fn invalid(path: &str, message: String) -> SetupError {
    SetupError::Invalid { path: path.into(), message, span: None }
}

/// A tool as a charter's file describes it.
///
/// # Errors
/// The file is not one that this program writes.
pub fn tool_spec(file: &SourceFile) -> Result<ToolSpec, SetupError> {
    let parsed: ToolFile =
        serde_json::from_str(&file.text).map_err(|error| invalid(&file.path, error.to_string()))?;
    Ok(ToolSpec {
        name: parsed.name,
        description: parsed.description,
        schema: parsed.schema.get().to_owned(),
    })
}

/// The tools of the charter that this build knows, as the charter describes them.
fn tools(setup: &Setup) -> Result<Vec<OfferedTool>, SetupError> {
    let mut tools = Vec::new();
    for tool in twicetold_tool::TOOLS {
        let path = format!("tools/{}.json", tool.name);
        let Some(index) = setup.file_index(&path) else { continue };
        let spec = tool_spec(&setup.files[index])?;
        tools.push(OfferedTool { tool, spec, file: index as u16 });
    }
    Ok(tools)
}

/// Replies by their calls; bodies are decoded when somebody asks for their words.
#[derive(Clone, Default)]
pub(crate) struct ReplyBook {
    kept: BTreeMap<CallId, Kept>,
}

#[derive(Clone)]
enum Kept {
    /// A body, the wire by which it came, and what it was decoded to.
    Body(Arc<str>, Arc<Wire>, std::sync::OnceLock<Option<Reply>>),
    Said(Reply),
}

impl ReplyBook {
    pub(crate) fn receive(&mut self, call: CallId, body: Arc<str>, wire: Arc<Wire>) {
        self.kept.insert(call, Kept::Body(body, wire, std::sync::OnceLock::new()));
    }

    pub(crate) fn say(&mut self, call: CallId, reply: Reply) {
        self.kept.insert(call, Kept::Said(reply));
    }

    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }

    /// All that can be read.
    pub(crate) fn decoded(&self) -> Vec<(CallId, Reply)> {
        self.kept.keys().filter_map(|call| Some((*call, self.reply(*call)?.clone()))).collect()
    }

    /// Forgets replies that no prompt can show any more.
    fn keep(&mut self, state: &State) {
        let shown = state.replies();
        self.kept.retain(|call, _| shown.contains(call));
    }
}

impl Replies for ReplyBook {
    fn reply(&self, call: CallId) -> Option<&Reply> {
        match self.kept.get(&call)? {
            Kept::Said(reply) => Some(reply),
            Kept::Body(body, wire, decoded) => decoded.get_or_init(|| wire.decode(body).ok()).as_ref(),
        }
    }
}

/// What a person said and did, as a reply.
pub fn said(word: &PersonAnswered) -> Reply {
    let call = |(place, call): (usize, &PersonCall)| twicetold_model::ToolCall {
        id: format!("p{place}"),
        name: call.tool.clone(),
        arguments: call.arguments.clone(),
    };
    Reply {
        text: word.text.clone(),
        tool_calls: word.tool_calls.iter().enumerate().map(call).collect(),
        finish: twicetold_model::Finish::Stop,
        usage: twicetold_model::Usage::default(),
    }
}

/// Blobs by their digests.
#[derive(Clone, Default)]
pub(crate) struct BlobBook {
    by_digest: HashMap<Digest, BlobId>,
    next: u32,
}

impl BlobBook {
    pub(crate) fn learn(&mut self, digest: Digest) -> BlobId {
        let id = BlobId(self.next);
        self.by_digest.entry(digest).or_insert(id);
        self.next += 1;
        id
    }

    /// The id that the next new content gets.
    pub(crate) fn peek(&self) -> BlobId {
        BlobId(self.next)
    }

    /// The id of a content; true when it is new.
    pub(crate) fn intern(&mut self, digest: Digest) -> (BlobId, bool) {
        match self.by_digest.get(&digest) {
            Some(id) => (*id, false),
            None => (self.learn(digest), true),
        }
    }
}
