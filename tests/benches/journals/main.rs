//! Long journals: opening, folding cold and from a snapshot, replaying, forking, resuming after kills, and asking why.
//!
//! `cargo bench -p twicetold-tests --bench journals -- [--numbers N] [--resumed N]`. Ratios within one run;
//! `tests/benches/README.md` says how they are taken and what they were.
#![allow(clippy::float_arithmetic, reason = "figures for people: nothing is decided by them")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use twicetold_event::{Build, CampaignId, Event, ForkAsked, Input, Millis, Number, ResumeAsked};
use twicetold_journal::{Source, Store, branch, open, open_read_only};
use twicetold_session::{Explainer, Session, Verdict, entries, load, load_with, replay};
use twicetold_tests::{Game, long_campaign};

/// Repetitions of what is short; the median is taken.
const REPEATS: usize = 9;
/// Questions of `why` that are asked of a campaign, evenly over it.
const QUESTIONS: usize = 101;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let (mut numbers, mut resumed) = (100_000, 1_000);
    let mut given = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(name) = given.next() {
        let value = given.next().ok_or("an option needs a value")?.parse()?;
        match name.as_str() {
            "--numbers" => numbers = value,
            "--resumed" => resumed = value,
            _ => return Err(format!("{name} is none of --numbers, --resumed").into()),
        }
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("journals-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    println!("\n| what | {} numbers | {} numbers | ratio |", numbers / 10, numbers);
    println!("|---|---|---|---|");
    let short = measured(&folder, numbers / 10)?;
    let long = measured(&folder, numbers)?;
    for ((name, short), (_, long)) in short.iter().zip(&long) {
        println!("| {name} | {} | {} | {:.2} |", shown(*short), shown(*long), long / short);
    }
    why(&folder, numbers / 20, numbers / 2)?;
    resume(&folder, resumed)?;
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

/// Seconds as a person reads them.
fn shown(seconds: f64) -> String {
    match seconds {
        0.0..0.001 => format!("{:.0} µs", seconds * 1e6),
        0.001..1.0 => format!("{:.2} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn timed<T>(what: impl FnOnce() -> Outcome<T>) -> Outcome<(T, Duration)> {
    let began = Instant::now();
    let value = what()?;
    Ok((value, began.elapsed()))
}

/// The median of some repetitions, in seconds.
fn median<T>(mut what: impl FnMut() -> Outcome<T>) -> Outcome<f64> {
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        times.push(timed(&mut what)?.1);
    }
    times.sort();
    Ok(times[REPEATS / 2].as_secs_f64())
}

fn measured(folder: &Path, numbers: u64) -> Outcome<Vec<(&'static str, f64)>> {
    let path = folder.join(format!("{numbers}.redb"));
    long_campaign(&path, CampaignId([1; 16]), numbers, numbers);
    let mut rows = Vec::new();
    rows.push(("opening to read", median(|| Ok(open_read_only(&path)?))?));
    let reader = open_read_only(&path)?;
    rows.push(("folding, chain checked", median(|| Ok(load(&reader)?))?));
    let mut loaded = load(&reader)?;
    let head = reader.head();
    let kept =
        twicetold_session::snapshot(&mut loaded.campaign, &head, loaded.opened).ok_or("no snapshot")?;
    rows.push(("taking it up from a snapshot", median(|| Ok(load_with(&reader, Some(&kept))?))?));
    let (report, told) = timed(|| Ok(replay(&reader, None)?))?;
    assert!(matches!(report.verdict, Verdict::Identical), "the campaign is replayed as it was");
    rows.push(("replaying, every request recomputed", told.as_secs_f64()));
    let mut count = 0;
    let fork = || {
        count += 1;
        let path = folder.join(format!("{numbers}-branch-{count}.redb"));
        let at = entries(&reader)?.next().ok_or("an entry")??.header.next().max(Number(numbers / 2));
        let at = entry_end(&reader, at)?;
        let session = Session::recover(Box::new(branch(&reader, at, &path)?), Build::new("bench"))?;
        let mut session = session.renamed(CampaignId([9; 16]));
        let asked = ForkAsked {
            parent: CampaignId([1; 16]),
            at,
            seed: None,
            amendments: Vec::new(),
            resample: false,
            note: String::new(),
        };
        session.commit(Millis(u64::MAX / 2), Input::ForkAsked(asked))?;
        session.into_store().close()?;
        std::fs::remove_file(&path)?;
        Ok(())
    };
    rows.push(("forking in the middle", median(fork)?));
    let bytes = std::fs::metadata(&path)?.len();
    println!("| (the file: {} KiB, its snapshot: {} KiB) | | | |", bytes / 1024, kept.len() / 1024);
    Ok(rows)
}

fn entry_end(source: &dyn Source, number: Number) -> Outcome<Number> {
    let bytes = source.entry_holding(number)?.ok_or("the number is there")?;
    Ok(twicetold_event::entry::Header::decode(&bytes)?.next())
}

/// Why, in a short and in a long campaign: the answers of turns evenly over each, with the campaign taken up from a snapshot.
fn why(folder: &Path, short: u64, long: u64) -> Outcome<()> {
    println!("\n| why of a message | median | slowest |\n|---|---|---|");
    for numbers in [short, long] {
        let path = folder.join(format!("why-{numbers}.redb"));
        long_campaign(&path, CampaignId([1; 16]), numbers, numbers);
        let reader = open_read_only(&path)?;
        let mut loaded = load(&reader)?;
        let head = reader.head();
        let kept =
            twicetold_session::snapshot(&mut loaded.campaign, &head, loaded.opened).ok_or("no snapshot")?;
        let mut spoken = Vec::new();
        for entry in entries(&reader)? {
            let entry = entry?;
            let is_message = |event: &Event| matches!(event, Event::MessageSpoken(_));
            spoken.extend(entry.numbered().filter(|(_, event)| is_message(event)).map(|(number, _)| number));
        }
        let mut times = Vec::new();
        for number in spoken.iter().step_by(spoken.len().div_ceil(QUESTIONS)) {
            let ask = || {
                let loaded = load_with(&reader, Some(&kept))?;
                let why = Explainer::new(&reader, &loaded)?.why(*number, 1)?.ok_or("the number is there")?;
                assert!(why.request.is_some_and(|request| request.exact), "the prompt is rebuilt exactly");
                Ok(())
            };
            times.push(timed(ask)?.1.as_secs_f64());
        }
        times.sort_by(f64::total_cmp);
        let (middle, last) = (times[times.len() / 2], times[times.len() - 1]);
        println!("| {} numbers | {} | {} |", head.next.0, shown(middle), shown(last));
    }
    Ok(())
}

/// Campaigns whose process was killed: each opened with its repair, folded, and gone on with by one durable entry.
fn resume(folder: &Path, count: u64) -> Outcome<()> {
    let path = folder.join("killed.redb");
    let played = Game::of("the-borrowed-boat", 3).improvised();
    Box::new(branch(played.source(), entry_end(played.source(), Number(200))?, &path)?).close()?;
    // A journal that is open when it is copied looks as a kill leaves it.
    let mut session = Session::recover(Box::new(open(&path)?), Build::new("bench"))?;
    let clock = Millis(u64::MAX / 2);
    session.commit(clock, Input::ResumeAsked(ResumeAsked { interrupted: None }))?;
    let bytes = std::fs::read(&path)?;
    drop(session);
    let killed: Vec<PathBuf> =
        (0..count).map(|number| folder.join(format!("killed-{number}.redb"))).collect();
    for path in &killed {
        std::fs::write(path, &bytes)?;
    }
    let ((), took) = timed(|| {
        for path in &killed {
            let mut session = Session::recover(Box::new(open(path)?), Build::new("bench"))?;
            session.commit(clock, Input::ResumeAsked(ResumeAsked { interrupted: None }))?;
        }
        Ok(())
    })?;
    let each = took.as_secs_f64() / count.max(1) as f64;
    println!(
        "\nResuming {count} campaigns of 200 numbers after a kill: {}, {} each.",
        shown(took.as_secs_f64()),
        shown(each)
    );
    Ok(())
}
