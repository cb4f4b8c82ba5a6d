//! The desk for requests: renders one at the end of a step, writes it down as a manifest, and gives new texts their blobs.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::Deserialize;
use twicetold_dialect::{ToolCalls, Wire};
use twicetold_event::body::blob_digest;
use twicetold_event::{
    BlobId, CallId, Charter, CharterFile, Event, Item, Manifest, ManifestError, ModelCallRequested, Number,
    Place, Purpose, Seat, Source, Span, limits,
};
use twicetold_model::{Digest, Parameters, Part, Request, ToolChoice, ToolSpec};
use twicetold_projection::Replies;
use twicetold_projection::prompt::{self, Asking, Content, Piece, Shown};
use twicetold_tool::{Move, dice};
use twicetold_world::State;
use twicetold_world::setup::{Setup, SetupError, SourceFile};

use crate::question::{Question, form, held_to, is_guided, question};
use crate::structured;

/// Digests and contents of blobs that a step is the first to use, in order of their ids.
pub(crate) type NewBlobs = Vec<(Digest, Arc<str>)>;

/// What is remembered of requests and texts, to write the next ones as differences and references.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) charter: Charter,
    pub(crate) blobs: BlobBook,
    last: BTreeMap<Seat, LastRequest>,
    instructions: BTreeMap<Seat, Instructions>,
    pub(crate) open: Option<OpenRequest>,
}

/// The last request of the turn being played, which the next one of the turn goes on from.
#[derive(Clone)]
pub(crate) struct OpenRequest {
    pub(crate) call: CallId,
    pub(crate) seat: Seat,
    pub(crate) purpose: Purpose,
    pub(crate) turn: u32,
    /// How much of the history it shows at most, where its server found more too long: a shorter one begins anew.
    pub(crate) shown: Option<u32>,
    /// Where it was decided: what happened later, it does not tell.
    pub(crate) number: Number,
    pub(crate) request: Arc<Request>,
    /// What nobody said of it, where it is the first of its turn.
    pub(crate) beside: Option<Arc<str>>,
}

/// What a seat's prompts in play begin with, kept until an event may change it.
#[derive(Clone)]
struct Instructions {
    text: Arc<str>,
    items: Vec<Item>,
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
    fn whole(call: CallId, items: Vec<Item>, chain: u32) -> LastRequest {
        LastRequest { call, items, chain, pending: Vec::new() }
    }
}

/// A request as it is decided: the event, and the request itself.
pub(crate) struct Asked {
    pub(crate) event: ModelCallRequested,
    pub(crate) request: Arc<Request>,
}

impl Desk {
    pub(crate) fn new(charter: Charter) -> Desk {
        Desk {
            charter,
            blobs: BlobBook::default(),
            last: BTreeMap::new(),
            instructions: BTreeMap::new(),
            open: None,
        }
    }

    /// The request for a model as the state has it now, decided at `number`. Within a turn it is the one before it with what has
    /// happened since: servers keep what they have read, and a model sees what it was told.
    pub(crate) fn ask(
        &mut self,
        (state, replies, tools): (&State, &dyn Replies, &[OfferedTool]),
        (seat, purpose, wire): (Seat, Purpose, &Wire),
        number: Number,
        new: &mut NewBlobs,
    ) -> Asked {
        let call = state.calls().next;
        let turn = state.turn().number;
        let shown = state.calls().shown.get(&seat).copied();
        let is_open = |open: &OpenRequest| {
            (open.seat, open.purpose, open.turn, open.shown) == (seat, purpose, turn, shown)
        };
        let open = self.open.take().filter(|open| is_open(open) && !is_guided(state, seat, purpose));
        let since = open.as_ref().map(|open| open.number);
        let kept = self.instructions.get(&seat).filter(|_| purpose == Purpose::Play && open.is_none());
        let (text, mut items) = match kept.cloned() {
            Some(Instructions { text, items }) => (Some(text), items),
            None => (None, Vec::new()),
        };
        let known = Known { since, instructions: text.as_deref() };
        let rendered = render(state, replies, tools, (seat, purpose, call), wire, known);
        let Rendered { mut request, pieces, tools, beside } = rendered;
        let is_new = open.is_none() && text.is_none();
        if let Some(open) = open {
            let told = std::mem::take(&mut request.messages);
            request.messages = match Arc::try_unwrap(open.request) {
                Ok(before) => before.messages,
                Err(before) => before.messages.clone(),
            };
            request.messages.extend(told);
            let before = self.last.get(&seat).into_iter().flat_map(|last| &last.items);
            let before = before.take_while(|item| **item != Item::ReplySchema);
            items.extend(before.filter(|item| !matches!(item, Item::Tool(_) | Item::NoTools)).cloned());
        }
        items.extend(pieces.into_iter().map(|piece| self.item(piece, new)));
        if is_new && purpose == Purpose::Play && !is_guided(state, seat, purpose) {
            self.keep_instructions(state.setup(), seat, &request, &items);
        }
        items.extend(tools.into_iter().map(Item::Tool));
        // It comes last, where the next request of the turn leaves it out.
        if let Some(schema) = hold(state, seat, wire, &mut request) {
            let (length, source) = (schema.len() as u32, Source::State);
            let text = Piece::Text { content: Content::Written(schema), length, source };
            items.extend([self.item(Piece::ReplySchema, new), self.item(text, new)]);
        }
        let last = self.last.get(&seat).filter(|last| last.chain + 1 < limits::MANIFEST_CHAIN_MAX);
        let chain = last.map_or(0, |last| last.chain + 1);
        let manifest = Manifest::difference(last.map(|last| (last.call, last.items.as_slice())), &items);
        let factor = state.setup().seats.of(seat).map_or(100, |model| model.token_factor_percent);
        let tokens = request.text_bytes().div_ceil(3).saturating_mul(u64::from(factor)) / 100;
        let digest = request.digest();
        self.last.insert(seat, LastRequest::whole(call, items, chain));
        let event = ModelCallRequested { call, seat, purpose, digest, tokens: tokens as u32, manifest };
        let request = Arc::new(request);
        self.open = purpose.is_turn().then(|| OpenRequest {
            call,
            seat,
            purpose,
            turn,
            shown,
            number,
            request: request.clone(),
            beside: since.is_none().then(|| Arc::from(beside)),
        });
        Asked { event, request }
    }

    /// Keeps what the request begins with, if it stays the same until an event says otherwise.
    fn keep_instructions(&mut self, setup: &Setup, seat: Seat, request: &Request, items: &[Item]) {
        let is_message = |item: &Item| matches!(item, Item::Message(_));
        let second = items.iter().skip(1).position(is_message).map_or(items.len(), |place| place + 1);
        let text = request.messages.first().and_then(|message| match message.parts.as_slice() {
            [Part::Text(text)] => Some(Arc::from(text.as_str())),
            _ => None,
        });
        if let Some(text) = text.filter(|_| prompt::has_steady_instructions(setup, seat)) {
            self.instructions.insert(seat, Instructions { text, items: items[..second].to_vec() });
        }
    }

    /// These events have happened since the last request: the instructions that they may have changed are not kept.
    pub(crate) fn after(&mut self, events: &[Event]) {
        if !events.iter().all(prompt::leaves_instructions) {
            self.forget_instructions();
        }
    }

    /// Keeps none: what is played by has changed, or the state was read from a journal.
    pub(crate) fn forget_instructions(&mut self) {
        self.instructions.clear();
    }

    /// A piece of a prompt as it is recorded: long texts become blobs, each once.
    fn item(&mut self, piece: Piece, new: &mut NewBlobs) -> Item {
        match piece {
            Piece::Message(role) => Item::Message(role as u8),
            Piece::ToolCall { call, index, id } => Item::ToolCall { call, index, id },
            Piece::Opaque { call, index } => Item::Opaque { call, index },
            Piece::ToolResult { id } => Item::ToolResult { id },
            Piece::ReplySchema => Item::ReplySchema,
            Piece::NoTools => Item::NoTools,
            Piece::Text { content, length, source } => {
                let place = match content {
                    Content::File(index, start) => Place::Blob(self.charter.files[index].blob, start),
                    Content::Reply(call, start) => Place::Reply(call, start),
                    Content::Written(text) if text.len() <= limits::INLINE_BYTES_MAX => {
                        Place::Inline(text.into())
                    }
                    Content::Written(text) => Place::Blob(self.intern(&Arc::from(text), new), 0),
                };
                Item::Span(Span { place, length, source })
            }
        }
    }

    /// The blob of a text, which is new where nobody has used the text before.
    pub(crate) fn intern(&mut self, text: &Arc<str>, new: &mut NewBlobs) -> BlobId {
        let digest = blob_digest(text.as_bytes());
        let (id, is_new) = self.blobs.intern(digest);
        if is_new {
            new.push((digest, text.clone()));
        }
        id
    }

    /// The charter has this file now, at its place or as one more.
    pub(crate) fn put_file(&mut self, place: Option<usize>, path: &str, text: &Arc<str>, new: &mut NewBlobs) {
        let (blob, digest) = (self.intern(text, new), blob_digest(text.as_bytes()));
        let file = CharterFile { path: path.to_owned(), blob, digest };
        match place {
            Some(place) => self.charter.files[place] = file,
            None => self.charter.files.push(file),
        }
    }

    /// Keeps what a recorded request was made of: the seat's next one may be written as a difference to it.
    pub(crate) fn remember(&mut self, word: &ModelCallRequested) {
        let manifest = word.manifest.clone();
        match self.last.get_mut(&word.seat).filter(|_| manifest.base.is_some()) {
            Some(last) => {
                last.call = word.call;
                last.chain += 1;
                last.pending.push(manifest);
            }
            None => {
                let nothing = LastRequest::whole(word.call, Vec::new(), 0);
                self.last.insert(word.seat, LastRequest { pending: vec![manifest], ..nothing });
            }
        }
    }

    /// Applies all differences that a fold left pending.
    pub(crate) fn settle(&mut self) -> Result<(), ManifestError> {
        for last in self.last.values_mut() {
            for manifest in last.pending.drain(..) {
                last.items = manifest.resolve(&last.items)?;
            }
        }
        Ok(())
    }

    /// The last request of each seat, settled.
    pub(crate) fn last(&self) -> impl Iterator<Item = (Seat, &LastRequest)> {
        self.last.iter().map(|(seat, last)| (*seat, last))
    }

    pub(crate) fn put_last(&mut self, seat: Seat, call: CallId, items: Vec<Item>, chain: u32) {
        self.last.insert(seat, LastRequest::whole(call, items, chain));
    }
}

/// What is known of a request before it is rendered.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known<'a> {
    /// The messages up to here.
    pub(crate) since: Option<Number>,
    /// The instructions.
    instructions: Option<&'a str>,
}

/// A request with what is recorded of it.
pub(crate) struct Rendered {
    pub(crate) request: Request,
    /// What it is made of.
    pieces: Vec<Piece>,
    /// The charter files of its tools.
    tools: Vec<u16>,
    /// What nobody said of it.
    beside: String,
}

/// The request for a model that is spoken to by this wire, but for the messages that are known.
pub(crate) fn render(
    state: &State,
    replies: &dyn Replies,
    tools: &[OfferedTool],
    (seat, purpose, call): (Seat, Purpose, CallId),
    wire: &Wire,
    known: Known<'_>,
) -> Rendered {
    if is_guided(state, seat, purpose) {
        return guided(state, replies, (seat, purpose, call));
    }
    let listed: Vec<&OfferedTool> = listed(state, tools, seat, purpose).collect();
    let not_now = not_now(state, tools, seat, purpose);
    let Known { since, instructions } = known;
    let tells_calls = wire.needs_thinking_beside_calls();
    let asking = Asking { not_now: &not_now, since, instructions, tells_calls };
    let mut prompt = prompt::render(state, replies, (seat, purpose), asking);
    let mut parameters = parameters(state.setup(), seat, purpose, call);
    if purpose.is_turn() && state.wants_words() {
        parameters.tool_choice = ToolChoice::None;
        prompt.pieces.push(Piece::NoTools);
    }
    let request = Request {
        messages: prompt.messages,
        tools: listed.iter().map(|tool| tool.spec.clone()).collect(),
        reply_schema: None,
        parameters,
    };
    let tools = listed.iter().map(|tool| tool.file).collect();
    Rendered { request, pieces: prompt.pieces, tools, beside: prompt.beside }
}

/// Holds the reply to what is legal now, where calls are written as a part of it; returns the schema.
pub(crate) fn hold(state: &State, seat: Seat, wire: &Wire, request: &mut Request) -> Option<String> {
    let is_structured = wire.compat.tool_calls == ToolCalls::Structured && !request.tools.is_empty();
    is_structured.then(|| {
        let form = structured::held(state, seat, request);
        request.reply_schema.insert(form).schema.clone()
    })
}

/// The tools that a seat is told of.
fn listed<'a>(
    state: &State,
    tools: &'a [OfferedTool],
    seat: Seat,
    purpose: Purpose,
) -> impl Iterator<Item = &'a OfferedTool> {
    tools.iter().filter(move |tool| purpose.is_turn() && tool.tool.is_listed(state, seat))
}

/// Those of them that it may not use now.
pub(crate) fn not_now(
    state: &State,
    tools: &[OfferedTool],
    seat: Seat,
    purpose: Purpose,
) -> Vec<&'static str> {
    let closed = |tool: &&OfferedTool| !tool.tool.is_offered(state, seat);
    listed(state, tools, seat, purpose).filter(closed).map(|tool| tool.tool.name).collect()
}

/// The tools that a seat may use now.
pub(crate) fn offered<'a>(
    state: &State,
    tools: &'a [OfferedTool],
    seat: Seat,
    purpose: Purpose,
) -> impl Iterator<Item = &'a OfferedTool> {
    tools.iter().filter(move |tool| purpose.is_turn() && tool.tool.is_offered(state, seat))
}

/// The same for a model that is guided: no tools, and a reply that is held to the question.
fn guided(state: &State, replies: &dyn Replies, (seat, purpose, call): (Seat, Purpose, CallId)) -> Rendered {
    let question = question(state, seat);
    let (asks, moves): (&str, Vec<Shown<'_>>) = match &question {
        Question::Pitch(moves) => ("pitch", moves.iter().map(shown).collect()),
        Question::Artefacts => ("artefacts", Vec::new()),
        Question::Choose(moves) => ("choose", moves.iter().map(shown).collect()),
        Question::Fill(one) => ("fill", vec![shown(one)]),
        Question::Converse => ("converse", Vec::new()),
        Question::Speak => ("speak", Vec::new()),
    };
    let mut prompt = prompt::guided(state, replies, seat, purpose, asks, &moves);
    let mut request = Request {
        messages: prompt.messages,
        parameters: parameters(state.setup(), seat, purpose, call),
        ..Request::default()
    };
    match form(state, &question) {
        Some(schema) => {
            let (content, length) = (Content::Written(schema.clone()), schema.len() as u32);
            prompt.pieces.push(Piece::ReplySchema);
            prompt.pieces.push(Piece::Text { content, length, source: Source::State });
            request.reply_schema = Some(held_to(schema));
        }
        None => speaks_only(&mut request.parameters),
    }
    Rendered { request, pieces: prompt.pieces, tools: Vec::new(), beside: String::new() }
}

/// What a guided model says is two sentences, and a small one would go on for ever, ever further from the scene: some 240 characters.
const WORDS_TOKENS_MAX: u32 = 60;

/// For a guided request whose reply is words and held to no form.
pub fn speaks_only(parameters: &mut Parameters) {
    parameters.tokens_max = match parameters.tokens_max {
        0 => WORDS_TOKENS_MAX,
        most => most.min(WORDS_TOKENS_MAX),
    };
}

fn shown(one: &Move) -> Shown<'_> {
    Shown { key: &one.key, text: one.text, values: &one.values }
}

/// A reply of Session Zero may hold a character sheet, or a scenario and a party document: so many tokens have room for them.
const SESSION_ZERO_TOKENS: u32 = 2_500;

/// How a seat's model is asked.
pub fn parameters(setup: &Setup, seat: Seat, purpose: Purpose, call: CallId) -> Parameters {
    let Some(model) = setup.seats.of(seat) else { return Parameters::default() };
    // A small model that is asked the same again would say the same again.
    let attempt = if model.is_guided() { call.0 } else { 0 };
    Parameters {
        model: model.model.clone(),
        temperature_milli: model.temperature_milli,
        seed: model.send_seed.then(|| dice::model_seed(setup.seed, &seat.slug(), attempt)),
        tokens_max: match (model.tokens_max, purpose) {
            // No bound is none, and the improviser has none.
            (0, _) => 0,
            (most, Purpose::SessionZero) if !model.is_embedded() => most.max(SESSION_ZERO_TOKENS),
            (most, _) => most,
        },
        parallel_tool_calls: model.parallel_tool_calls,
        tool_choice: ToolChoice::Auto,
    }
}

/// A charter for these files, and their contents as the first blobs.
pub fn charter(seed: u64, rules: u16, files: &[SourceFile]) -> Charter {
    let mut book = BlobBook::default();
    let files = files.iter().map(|file| {
        let digest = blob_digest(file.text.as_bytes());
        let (blob, _) = book.intern(digest);
        CharterFile { path: file.path.clone(), blob, digest }
    });
    Charter { seed, rules, files: files.collect() }
}

/// A tool of the charter.
#[derive(Clone)]
pub(crate) struct OfferedTool {
    pub(crate) tool: &'static twicetold_tool::Tool,
    pub(crate) spec: ToolSpec,
    file: u16,
}

/// The tools of the charter that this build knows, as the charter describes them.
pub(crate) fn tools(setup: &Setup) -> Result<Vec<OfferedTool>, SetupError> {
    let mut tools = Vec::new();
    for tool in twicetold_tool::TOOLS {
        let path = format!("tools/{}.json", tool.name);
        let Some(index) = setup.file_index(&path) else { continue };
        let spec = tool_spec(&setup.files[index])?;
        tools.push(OfferedTool { tool, spec, file: index as u16 });
    }
    Ok(tools)
}

/// The file of a tool in a charter.
#[derive(Deserialize)]
struct ToolFile {
    name: String,
    description: String,
    schema: Box<serde_json::value::RawValue>,
}

/// A tool as a charter's file describes it.
///
/// # Errors
/// The file is not one that this program writes.
pub fn tool_spec(file: &SourceFile) -> Result<ToolSpec, SetupError> {
    let parsed: ToolFile =
        serde_json::from_str(&file.text).map_err(|error| invalid(&file.path, error.to_string()))?;
    Ok(ToolSpec {
        name: parsed.name.into(),
        description: parsed.description.into(),
        schema: parsed.schema.get().into(),
    })
}

pub(crate) fn invalid(path: &str, message: String) -> SetupError {
    SetupError::Invalid { path: path.into(), message, span: None }
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
    fn intern(&mut self, digest: Digest) -> (BlobId, bool) {
        match self.by_digest.get(&digest) {
            Some(id) => (*id, false),
            None => (self.learn(digest), true),
        }
    }
}
