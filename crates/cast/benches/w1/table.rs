//! A campaign of the bundled configuration with limits that let the workload be played, and one call after the other.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use twicetold_dialect::sent_digest;
use twicetold_event::{
    BlobId, Build, CampaignId, Entry, Input, Millis, ModelReplied, Number, OpeningAsked, Purpose,
};
use twicetold_journal::{AppendError, Blob, Blobs, Entries, Head, Source, Store, StoreError};
use twicetold_referee::{Campaign, charter};
use twicetold_session::Session;
use twicetold_world::setup::{RULES_VERSION, SeatSetup, SeatsFile, Setup, SourceFile};

use crate::measure::{Spent, Watch};
use crate::script::{SESSION_ZERO_TURNS, Script};

const SEED: u64 = 1;
const CAMPAIGN: CampaignId = CampaignId([1; 16]);

/// Time at the table: it only has to go on.
pub const OPENED: Millis = Millis(1_700_000_000_000);

/// A campaign before its first entry, and the input that opens it.
pub fn campaign(turns: u32) -> Result<(Campaign, Input), Box<dyn Error>> {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config");
    let files = files(&config, turns)?;
    let charter = charter(SEED, RULES_VERSION, &files);
    let setup = Arc::new(Setup::read(SEED, RULES_VERSION, files)?.sound()?);
    let opening = Input::OpeningAsked(OpeningAsked { charter: charter.clone() });
    Ok((Campaign::new(charter, setup)?, opening))
}

/// A session on a store.
pub fn session(campaign: Campaign, store: Box<dyn Store>) -> Session {
    Session::new(campaign, store, CAMPAIGN, Build::new(env!("CARGO_PKG_VERSION")))
}

/// The files of a charter, as they are made from a configuration folder.
fn files(config: &Path, turns: u32) -> Result<Vec<SourceFile>, Box<dyn Error>> {
    let mut files = Vec::new();
    let mut add = |path: String, text: String| files.push(SourceFile { path, text: Arc::from(text) });
    for folder in ["encounters", "prompts", "rules", "vocabulary"] {
        let mut found = Vec::new();
        walk(&config.join(folder), folder, &mut found)?;
        for (path, text) in found {
            let text = if folder == "encounters" { endless(&text) } else { text };
            add(path, text);
        }
    }
    add("campaign.toml".into(), std::fs::read_to_string(config.join("campaigns/one-lantern-short.toml"))?);
    add("limits.toml".into(), limits(&std::fs::read_to_string(config.join("limits.toml"))?, turns)?);
    add("seats.toml".into(), toml::to_string(&seats())?);
    for tool in twicetold_tool::TOOLS {
        let spec = tool.spec();
        let schema: serde_json::Value = serde_json::from_str(&spec.schema)?;
        let file =
            serde_json::json!({ "name": spec.name, "description": spec.description, "schema": schema });
        add(format!("tools/{}.json", tool.name), file.to_string());
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn walk(folder: &Path, name: &str, found: &mut Vec<(String, String)>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            walk(&entry.path(), &path, found)?;
        } else {
            found.push((path, std::fs::read_to_string(entry.path())?));
        }
    }
    Ok(())
}

/// An encounter without the limits of messages that would end it, and with it the campaign, and with the workload's one tool.
fn endless(encounter: &str) -> String {
    let changed =
        |line: &&str| ["messages_max", "allowed_tools", "strikes"].iter().any(|name| line.starts_with(name));
    let lines = encounter.lines().filter(|line| !changed(line));
    let rest: String = lines.map(|line| format!("{line}\n")).collect();
    format!("allowed_tools = [\"roll_dice\"]\n{rest}")
}

/// The bundled limits, but for those that would end the campaign early, and a window that makes prompts of some 16 KB.
fn limits(bundled: &str, turns: u32) -> Result<String, Box<dyn Error>> {
    let mut limits: toml::Table = bundled.parse()?;
    let raised = [
        ("session_zero_rounds_max", 1),
        ("turns_max", i64::from(turns + SESSION_ZERO_TURNS)),
        ("calls_max", 1 << 30),
        ("tokens_max", 1 << 40),
        ("encounter_messages_max", 1 << 30),
        ("history_bytes_max", 7_500),
    ];
    for (name, value) in raised {
        limits.insert(name.into(), toml::Value::Integer(value));
    }
    Ok(toml::to_string(&limits)?)
}

fn seats() -> SeatsFile {
    let model = SeatSetup {
        protocol: "chat-completions".into(),
        wire: 1,
        model: "scripted".into(),
        temperature_milli: Some(800),
        tokens_max: 500,
        parallel_tool_calls: true,
        send_seed: true,
        token_factor_percent: 100,
        compat: toml::Table::new(),
    };
    SeatsFile { players: 3, seat: BTreeMap::from([("dm".to_owned(), model)]) }
}

/// A store that counts the time of its appends.
struct Timed {
    store: Box<dyn Store>,
    appends: Arc<Appends>,
}

/// Nanoseconds of appends.
#[derive(Default)]
struct Appends {
    wall: AtomicU64,
    cpu: AtomicU64,
}

impl Source for Timed {
    fn head(&self) -> Head {
        self.store.head()
    }

    fn entries(&self, from: Number) -> Result<Entries<'_>, StoreError> {
        self.store.entries(from)
    }

    fn entry_holding(&self, number: Number) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.entry_holding(number)
    }

    fn blobs(&self) -> Result<Blobs<'_>, StoreError> {
        self.store.blobs()
    }

    fn blob(&self, id: BlobId) -> Result<Option<Blob>, StoreError> {
        self.store.blob(id)
    }
}

impl Store for Timed {
    fn epoch(&self) -> u32 {
        self.store.epoch()
    }

    fn append(&mut self, entry: &[u8], blobs: &[Blob]) -> Result<Head, AppendError> {
        let watch = Watch::of_thread();
        let head = self.store.append(entry, blobs);
        let spent = watch.spent();
        self.appends.wall.fetch_add(spent.wall, Ordering::Relaxed);
        self.appends.cpu.fetch_add(spent.cpu, Ordering::Relaxed);
        head
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        self.store.close()
    }
}

/// What one turn of the workload took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turn {
    pub spent: Spent,
    /// Of it: making and encoding requests, decoding replies.
    pub wire: Spent,
    /// Of it: appending.
    pub append: Spent,
    /// Calls, and commits: the roll's result and a summary are calls of their own.
    pub calls: u32,
    /// Calls of the memory agent among them.
    pub summaries: u32,
    /// Bytes of all HTTP bodies.
    pub prompt_bytes: u64,
    /// Bytes of the words in them.
    pub text_bytes: u64,
}

impl Turn {
    fn add(&mut self, call: &Turn) {
        self.spent.add(call.spent);
        self.wire.add(call.wire);
        self.append.add(call.append);
        self.calls += call.calls;
        self.summaries += call.summaries;
        self.prompt_bytes += call.prompt_bytes;
        self.text_bytes += call.text_bytes;
    }
}

/// A campaign being played.
pub struct Game {
    pub session: Session,
    script: Script,
    /// Turns of play, from 0.
    pub turns: Vec<Turn>,
    /// Bytes of each entry, as they went into the journal.
    pub entries: Vec<Vec<u8>>,
    clock: Millis,
    appends: Arc<Appends>,
}

impl Game {
    /// Opens the campaign.
    pub fn open(store: Box<dyn Store>, turns: u32) -> Result<Game, Box<dyn Error>> {
        let (campaign, opening) = campaign(turns)?;
        let appends = Arc::new(Appends::default());
        let mut session = session(campaign, Box::new(Timed { store, appends: appends.clone() }));
        session.commit(OPENED, opening)?;
        let script = Script::new(turns);
        Ok(Game { session, script, turns: Vec::new(), entries: Vec::new(), clock: OPENED, appends })
    }

    /// Plays until turn `turn` of the workload is over; false when the campaign is.
    pub fn play_to(&mut self, turn: u32) -> Result<bool, Box<dyn Error>> {
        loop {
            let state = self.session.campaign().state();
            let Some(pending) = state.calls().pending.as_ref() else { return Ok(false) };
            let (seat, purpose) = (pending.seat, pending.purpose);
            let playing = (state.turn().number - 1).checked_sub(SESSION_ZERO_TURNS);
            if playing.is_some_and(|playing| playing >= turn) {
                return Ok(true);
            }
            let reply = self.script.answer(seat);
            let mut turn = Turn {
                calls: 1,
                summaries: u32::from(matches!(purpose, Purpose::Summary { .. })),
                ..Turn::default()
            };
            let entry = self.call(reply, &mut turn)?;
            self.entries.push(bytes_of(&entry));
            let Some(playing) = playing else { continue };
            if self.turns.len() <= playing as usize {
                self.turns.resize(playing as usize + 1, Turn::default());
            }
            self.turns[playing as usize].add(&turn);
        }
    }

    /// One call as a seat makes it, one commit as the table makes it.
    fn call(&mut self, reply: String, turn: &mut Turn) -> Result<Arc<Entry>, Box<dyn Error>> {
        self.clock.0 += 1;
        self.appends.wall.store(0, Ordering::Relaxed);
        self.appends.cpu.store(0, Ordering::Relaxed);
        let watch = Watch::of_thread();
        let (request, digest) = self.session.pending_request().ok_or("no request is pending")?;
        if request.digest() != digest {
            return Err("the request is not the one that was decided".into());
        }
        let campaign = self.session.campaign();
        let pending = campaign.state().calls().pending.as_ref().ok_or("no call is pending")?;
        let call = pending.call;
        let wire = campaign.wire(pending.seat);
        let body = wire.encode(&request);
        let sent = sent_digest(&body);
        let decoded = wire.decode(&reply).map_err(|fault| format!("{fault:?}"))?;
        let input = ModelReplied { call, sent, body: reply, usage: decoded.usage, finish: decoded.finish };
        turn.wire = watch.spent();
        let committed = self.session.commit(self.clock, Input::ModelReplied(input))?;
        turn.spent = watch.spent();
        let (wall, cpu) =
            (self.appends.wall.load(Ordering::Relaxed), self.appends.cpu.load(Ordering::Relaxed));
        turn.append = Spent { wall, cpu };
        (turn.prompt_bytes, turn.text_bytes) = (body.len() as u64, request.text_bytes());
        Ok(committed.entry)
    }
}

/// An entry's bytes; only the ids of its blobs are left out.
fn bytes_of(entry: &Entry) -> Vec<u8> {
    let mut bytes = entry.header.encode().to_vec();
    twicetold_event::body::encode_front(&mut bytes, BlobId(0), &entry.blobs);
    entry.input.encode(&mut bytes);
    entry.events.iter().for_each(|event| event.encode(&mut bytes));
    bytes
}
