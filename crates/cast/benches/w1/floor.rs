//! The physical floor: the bytes of each turn written to a log and flushed, without a campaign around them.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use redb::{Database, TableDefinition};
use serde::{Deserialize, Serialize};

use crate::script::rolls;

/// A file that only grows, flushed after each append.
pub struct RawLog {
    file: File,
    length: u64,
}

impl RawLog {
    /// A new file, its first `filled` bytes zeroed and flushed.
    pub fn create(path: &Path, filled: usize) -> io::Result<RawLog> {
        let file = OpenOptions::new().create(true).truncate(true).write(true).open(path)?;
        file.write_all_at(&vec![0; filled], 0)?;
        file.sync_all()?;
        Ok(RawLog { file, length: 0 })
    }

    /// Appends durably.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all_at(bytes, self.length)?;
        self.file.sync_data()?;
        self.length += bytes.len() as u64;
        Ok(())
    }
}

/// The workload's own events, as any store of events would have them.
#[derive(Serialize, Deserialize)]
enum Record<'a> {
    PromptBuilt { turn: u32, speaker: &'a str, digest: [u8; 32], tokens: u32 },
    ModelAnswered { turn: u32, speaker: &'a str, text: &'a str },
    ToolCalled { turn: u32, tool: &'a str, arguments: &'a str },
    ToolReturned { turn: u32, result: &'a str },
    TurnEnded { turn: u32 },
}

/// Writes the records of one turn, each `length, chain value, payload`; returns how many they are.
pub fn encode_turn(out: &mut Vec<u8>, chain: &mut [u8; 32], turn: u32, text: &str) -> postcard::Result<u32> {
    let speaker = ["DM", "Player1", "Player2", "Player3"][turn as usize % 4];
    let digest = *blake3::hash(&turn.to_le_bytes()).as_bytes();
    let mut count = 0;
    let mut push = |record: Record<'_>| -> postcard::Result<()> {
        let payload = postcard::to_stdvec(&record)?;
        *chain = link(chain, &payload);
        out.extend_from_slice(&u32::try_from(payload.len()).unwrap_or(u32::MAX).to_le_bytes());
        out.extend_from_slice(chain);
        out.extend_from_slice(&payload);
        count += 1;
        Ok(())
    };
    push(Record::PromptBuilt { turn, speaker, digest, tokens: 1_000 + turn })?;
    push(Record::ModelAnswered { turn, speaker, text })?;
    if rolls(turn) {
        push(Record::ToolCalled { turn, tool: "roll_dice", arguments: r#"{"expr":"1d20+5"}"# })?;
        push(Record::ToolReturned { turn, result: "1d20+5 = 17 (rolled 12)" })?;
    }
    push(Record::TurnEnded { turn })?;
    Ok(count)
}

fn link(chain: &[u8; 32], payload: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(chain);
    hasher.update(payload);
    *hasher.finalize().as_bytes()
}

/// What a fold of the workload's own log holds.
#[derive(Default)]
pub struct Folded {
    /// Records that were applied.
    pub records: u64,
    turns: u32,
    tokens: u64,
    transcript: Vec<String>,
}

/// Folds a log of [`encode_turn`], its chain checked; `None` where it is not whole.
pub fn fold(mut log: &[u8]) -> Option<Folded> {
    let mut folded = Folded::default();
    let mut chain = [0; 32];
    while !log.is_empty() {
        let (length, rest) = log.split_first_chunk::<4>()?;
        let (stated, rest) = rest.split_first_chunk::<32>()?;
        let (payload, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        chain = link(&chain, payload);
        if chain != *stated {
            return None;
        }
        match postcard::from_bytes::<Record<'_>>(payload).ok()? {
            Record::PromptBuilt { tokens, .. } => folded.tokens += u64::from(tokens),
            Record::ModelAnswered { text, .. } => folded.transcript.push(text.to_owned()),
            Record::ToolCalled { .. } => {}
            Record::ToolReturned { result, .. } => folded.transcript.push(result.to_owned()),
            Record::TurnEnded { turn } => folded.turns = turn + 1,
        }
        folded.records += 1;
        log = rest;
    }
    (folded.turns > 0 && folded.tokens > 0).then_some(folded)
}

const TABLE: TableDefinition<'static, u64, &[u8]> = TableDefinition::new("turns");

/// redb with one value a turn, one flush a commit.
pub struct Rows {
    database: Database,
    next: u64,
}

impl Rows {
    /// A new file.
    pub fn create(path: &Path) -> Result<Rows, redb::Error> {
        Ok(Rows { database: Database::create(path)?, next: 0 })
    }

    /// Appends durably.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), redb::Error> {
        let transaction = self.database.begin_write()?;
        transaction.open_table(TABLE)?.insert(self.next, bytes)?;
        transaction.commit()?;
        self.next += 1;
        Ok(())
    }
}
