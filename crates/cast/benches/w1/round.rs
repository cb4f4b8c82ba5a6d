//! One round: the campaign and the floors in turns, then what is read from the finished journal.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use redb::{Database, ReadableDatabase, ReadableTableMetadata, TableHandle};
use twicetold_event::Number;
use twicetold_journal::Source;
use twicetold_session::{Verdict, load, replay};

use crate::actors;
use crate::floor::{RawLog, Rows, encode_turn, fold};
use crate::measure::{Spent, Watch, flushes};
use crate::script::text;
use crate::table::{Game, Turn};

/// Turns that are played before the floors have theirs.
const BLOCK: u32 = 250;
/// How often a finished journal is read.
const READINGS: u32 = 3;

/// Everything that one round measured.
#[derive(Default)]
pub struct Round {
    /// The campaign's turns.
    pub turns: Vec<Turn>,
    /// The same entries in a growing raw log, per commit.
    pub same_bytes: Vec<Spent>,
    /// The workload's own events in a growing raw log, per turn.
    pub raw: Vec<Spent>,
    /// The same in a file that was filled with zeros before.
    pub zeroed: Vec<Spent>,
    /// The same as one value of redb.
    pub rows: Vec<Spent>,
    /// Bytes of the workload's own log.
    pub raw_bytes: u64,
    /// Device flushes while the campaign was played, by everybody.
    pub flushes: Option<u64>,
    /// The file while it is being played, by turns.
    pub file: BTreeMap<u32, u64>,
    /// Bytes of entries before compression, by turns.
    pub plain: BTreeMap<u32, u64>,
    /// What lies in the file, by turns: of each table the stored, the structural and the unused bytes of its pages.
    pub tables: BTreeMap<u32, Tables>,
    /// The file after it was closed.
    pub closed: u64,
    /// Bytes of all blobs before compression, and how many.
    pub blobs: (u64, u64),
    /// Numbers of the journal, and entries.
    pub numbers: (u64, u64),
    /// Loads of the journal.
    pub folds: Vec<Spent>,
    /// Replays of the journal, and the requests of one.
    pub replays: Vec<Spent>,
    /// Requests that one replay recomputed.
    pub requests: u64,
    /// Records of the workload's own log, and folds of it with its chain checked.
    pub raw_folds: (u64, Vec<Spent>),
    /// The workload through the actors.
    pub actors: Vec<Spent>,
}

/// Of each table the stored, the structural and the unused bytes.
pub type Tables = BTreeMap<String, [u64; 3]>;

/// The logs that are written beside the campaign.
struct Floors {
    same_bytes: RawLog,
    raw: RawLog,
    zeroed: RawLog,
    rows: Rows,
    chain: [u8; 32],
}

/// The turns at which growth is counted from: a fifth of the way, so that nothing of the beginning is in it.
pub fn growth_from(turns: u32) -> u32 {
    turns / 5
}

/// Plays one round in `folder`.
pub fn play(folder: &Path, turns: u32) -> Result<Round, Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join("w1.redb");
    let texts: Vec<String> = (0..turns).map(text).collect();
    let mut floors = Floors {
        same_bytes: RawLog::create(&folder.join("same-bytes.log"), 0)?,
        raw: RawLog::create(&folder.join("raw.log"), 0)?,
        zeroed: RawLog::create(&folder.join("zeroed.log"), turns as usize * 1_200 + 65_536)?,
        rows: Rows::create(&folder.join("rows.redb"))?,
        chain: [0; 32],
    };
    let mut round = Round::default();
    let mut game = Game::open(Box::new(twicetold_journal::create(&path)?), turns)?;
    let mut plain = 0;
    let marks = (1..=turns).filter(|turn| turn % BLOCK == 0 || *turn == growth_from(turns) || *turn == turns);
    let mut from = 0;
    for mark in marks {
        let before = flushes(folder);
        game.play_to(mark)?;
        round.flushes =
            flushes(folder).zip(before).map(|(after, before)| round.flushes.unwrap_or(0) + after - before);
        round.file.insert(mark, std::fs::metadata(&path)?.len());
        if mark == growth_from(turns) || mark == turns {
            round.tables.insert(mark, tables(&path, folder)?);
        }
        plain += game.entries.iter().map(|entry| entry.len() as u64).sum::<u64>();
        round.plain.insert(mark, plain);
        floors.play(&mut round, &game.entries, &texts[from as usize..mark as usize], from)?;
        game.entries.clear();
        from = mark;
    }
    round.raw_bytes = std::fs::metadata(folder.join("raw.log"))?.len();
    round.turns = game.turns;
    game.session.into_store().close()?;
    round.closed = std::fs::metadata(&path)?.len();
    read(&mut round, &path, turns)?;
    read_raw(&mut round, &folder.join("raw.log"))?;
    round.actors = actors::play_all(&folder.join("actors.redb"), turns)?;
    std::fs::remove_dir_all(folder)?;
    Ok(round)
}

impl Floors {
    fn play(
        &mut self,
        round: &mut Round,
        entries: &[Vec<u8>],
        texts: &[String],
        from: u32,
    ) -> Result<(), Box<dyn Error>> {
        for entry in entries {
            let watch = Watch::of_thread();
            self.same_bytes.append(entry)?;
            round.same_bytes.push(watch.spent());
        }
        let mut buffer = Vec::new();
        let mut encoded = Vec::new();
        for (turn, text) in (from..).zip(texts) {
            let watch = Watch::of_thread();
            buffer.clear();
            round.raw_folds.0 += u64::from(encode_turn(&mut buffer, &mut self.chain, turn, text)?);
            self.raw.append(&buffer)?;
            round.raw.push(watch.spent());
            encoded.push(buffer.clone());
        }
        for bytes in &encoded {
            let watch = Watch::of_thread();
            self.zeroed.append(bytes)?;
            round.zeroed.push(watch.spent());
        }
        for bytes in &encoded {
            let watch = Watch::of_thread();
            self.rows.append(bytes)?;
            round.rows.push(watch.spent());
        }
        Ok(())
    }
}

/// What lies in the file, looked up in a copy: nothing else may open a file that is being played.
fn tables(path: &Path, folder: &Path) -> Result<Tables, Box<dyn Error>> {
    let copy: PathBuf = folder.join("copy.redb");
    std::fs::copy(path, &copy)?;
    let database = Database::open(&copy)?;
    let transaction = database.begin_read()?;
    let mut tables = Tables::new();
    for table in transaction.list_tables()? {
        let name = table.name().to_owned();
        let stats = transaction.open_untyped_table(table)?.stats()?;
        tables.insert(name, [stats.stored_bytes(), stats.metadata_bytes(), stats.fragmented_bytes()]);
    }
    drop((transaction, database));
    std::fs::remove_file(&copy)?;
    Ok(tables)
}

fn read(round: &mut Round, path: &Path, turns: u32) -> Result<(), Box<dyn Error>> {
    let source = twicetold_journal::open_read_only(path)?;
    for _ in 0..READINGS {
        let watch = Watch::of_thread();
        let loaded = load(&source)?;
        round.folds.push(watch.spent());
        if loaded.campaign.next() != source.head().next {
            return Err("the fold did not come to the journal's end".into());
        }
        let watch = Watch::of_thread();
        let report = replay(&source, None)?;
        round.replays.push(watch.spent());
        if !matches!(report.verdict, Verdict::Identical) || report.requests < u64::from(turns) {
            return Err("the replay was not the same, or not whole".into());
        }
        round.requests = report.requests;
    }
    let head = source.head();
    round.numbers = (head.next.0 - Number(0).0, head.entries);
    for blob in source.blobs()? {
        round.blobs.0 += blob?.content.len() as u64;
        round.blobs.1 += 1;
    }
    Ok(())
}

fn read_raw(round: &mut Round, path: &Path) -> Result<(), Box<dyn Error>> {
    for _ in 0..READINGS {
        let watch = Watch::of_thread();
        let folded = fold(&std::fs::read(path)?).ok_or("the raw log is not whole")?;
        round.raw_folds.1.push(watch.spent());
        if folded.records != round.raw_folds.0 {
            return Err("the raw log lost records".into());
        }
    }
    Ok(())
}
