//! Promise: whatever a crash leaves of the unsynced writes, every acknowledged entry is there, no half one is, and the journal goes on.
//!
//! A campaign is written to a disk that writes down every change. Then the power goes at drawn places: each change since the
//! last sync is kept, lost or torn between sectors, and the image is opened, verified, compared and appended to; some are cut
//! off once more while they recover. `just crash-images 100000` looks at as many images.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::disk::{Change, Crash, Disk, Draws, Honesty};
use twicetold_journal::conformance::{entry, prose};
use twicetold_journal::{Blob, Head, Journal, Source, Store, open, open_at_once, open_read_only, verify};

/// Images here; the recipe asks for more.
#[allow(clippy::disallowed_methods, reason = "asked for by the recipe")]
fn images_wanted() -> u64 {
    std::env::var("TWICETOLD_CRASH_IMAGES").ok().and_then(|count| count.parse().ok()).unwrap_or(2_000)
}

/// Images of one campaign: enough to meet each of its commits several times.
const IMAGES_OF_A_CAMPAIGN: u64 = 200;
/// One image in so many is written to a file and opened by its name, by a reader and by a writer.
const FILE_EVERY: u64 = 50;
/// One image in so many is cut off again while it recovers or takes the next entry.
const AGAIN_EVERY: u64 = 8;

/// Something that was promised to the caller once so many changes had been asked for.
#[derive(Clone, Copy)]
struct Promise {
    changes: usize,
    head: Head,
    epoch: u32,
}

impl Promise {
    fn of(journal: &Journal, disk: &Disk) -> Promise {
        Promise { changes: disk.changes(), head: journal.head(), epoch: journal.epoch() }
    }
}

/// A campaign as its disk saw it.
struct Written {
    changes: Vec<Change>,
    promises: Vec<Promise>,
}

impl Written {
    /// Writes a campaign in one to four sittings; some end with a close, which packs the file together, and some without.
    fn by(seed: u64) -> Written {
        let mut draws = Draws::new(seed);
        let disk = Disk::default();
        let mut promises = Vec::new();
        for _ in 0..=draws.below(4) {
            let mut journal = disk.journal().expect("a whole disk is opened");
            promises.push(Promise::of(&journal, &disk));
            for _ in 0..draws.below(50) {
                append(&mut journal, &mut draws).expect("a whole disk is written to");
                promises.push(Promise::of(&journal, &disk));
            }
            if draws.below(2) == 0 {
                Box::new(journal).close().expect("a whole disk is closed");
            }
        }
        Written { changes: disk.into_changes(), promises }
    }

    /// What was promised last when so many changes had been asked for, and what would have come next.
    fn at(&self, changes: usize) -> (Promise, Option<Promise>) {
        let past = self.promises.partition_point(|promise| promise.changes <= changes);
        (self.promises[past - 1], self.promises.get(past).copied())
    }
}

/// Appends an entry of a few bytes to some ten thousand, with blobs that fill packs now and then.
fn append(journal: &mut Journal, draws: &mut Draws) -> Result<Head, String> {
    let seed = draws.below(1 << 30);
    let long = if draws.below(12) == 0 { 30_000 } else { 1_500 };
    let length = draws.below(long) as usize;
    let text = prose(seed, length);
    let frames: Vec<&[u8]> = (0..=draws.below(4)).map(|_| text.as_bytes()).collect();
    let blobs: Vec<Blob> = match draws.below(4) {
        0 => (0..=draws.below(3)).map(|i| Blob::new(prose(seed + i, draws.below(9_000) as usize))).collect(),
        _ => Vec::new(),
    };
    let bytes = entry(&journal.head(), journal.epoch(), &frames, &blobs);
    journal.append(&bytes, &blobs).map_err(|error| format!("the next entry is not taken: {error}"))
}

/// What is wrong with an opened image; `promised` was acknowledged, `next` was on its way.
fn compare(found: Head, promised: &Promise, next: Option<&Promise>) -> Result<(), String> {
    if found == promised.head || next.is_some_and(|next| found == next.head) {
        return Ok(());
    }
    let (held, acknowledged) = (found.entries, promised.head.entries);
    Err(format!("it holds {held} entries, {acknowledged} were acknowledged, or the digests differ"))
}

/// The image as the ordinary opener sees it: all that is wrong with it, or the changes and promises of opening it, going on
/// by one entry, and opening it once more.
fn inspect(
    image: Vec<u8>,
    promised: &Promise,
    next: Option<&Promise>,
    draws: &mut Draws,
) -> Result<Written, String> {
    let disk = Disk::of(image);
    let mut journal = disk.journal().map_err(|error| format!("it does not open: {error}"))?;
    compare(journal.head(), promised, next)?;
    if journal.epoch() <= promised.epoch {
        return Err(format!("epoch {} is given out a second time", journal.epoch()));
    }
    whole(&journal)?;
    let opened = Promise::of(&journal, &disk);
    append(&mut journal, draws)?;
    let appended = Promise::of(&journal, &disk);
    drop(journal);
    let again = disk.journal().map_err(|error| format!("it does not open after an append: {error}"))?;
    compare(again.head(), &appended, None)?;
    whole(&again)?;
    Ok(Written { changes: disk.into_changes(), promises: vec![opened, appended] })
}

/// The same for an image in a file: a reader first, who has to repair it, then a writer.
fn inspect_file(
    path: &Path,
    image: &[u8],
    promised: &Promise,
    next: Option<&Promise>,
    draws: &mut Draws,
) -> Result<(), String> {
    std::fs::write(path, image).map_err(|error| error.to_string())?;
    // Whoever may not wait reads it as it is or not at all.
    if let Ok(source) = open_at_once(path) {
        whole(&*source)?;
    }
    if std::fs::read(path).map_err(|error| error.to_string())? != image {
        return Err("a look at once has changed the file".into());
    }
    let reader = open_read_only(path).map_err(|error| format!("nobody can read it: {error}"))?;
    compare(reader.head(), promised, next)?;
    whole(&reader)?;
    let read = reader.head();
    drop(reader);
    let mut journal = open(path).map_err(|error| format!("it does not open: {error}"))?;
    if journal.head() != read {
        return Err("the writer sees another head than the reader".into());
    }
    append(&mut journal, draws)?;
    whole(&journal)
}

fn whole(source: &dyn Source) -> Result<(), String> {
    // A journal without entries is nothing to verify.
    if source.head().entries == 0 {
        return Ok(());
    }
    verify(source).map(drop).map_err(|damage| format!("it is not whole: {damage}"))
}

/// What was seen.
#[derive(Default)]
struct Tally {
    images: u64,
    files: u64,
    /// Images of a recovery that was itself cut off.
    again: u64,
    /// Images in which the entry on its way was there all the same.
    ahead: u64,
    failures: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.images += other.images;
        self.files += other.files;
        self.again += other.again;
        self.ahead += other.ahead;
        self.failures.extend(other.failures);
    }
}

/// Crashes one campaign at `count` drawn places.
fn crash(seed: u64, count: u64, lies: bool, folder: &Path) -> Tally {
    let written = Written::by(seed);
    let mut draws = Draws::new(seed ^ 0x5EED);
    let first = written.promises[0].changes;
    let honesty = if lies { Honesty::LiesFrom(first) } else { Honesty::Honest };
    let span = (written.changes.len() - first) as u64 + 1;
    let mut places: Vec<usize> = (0..count).map(|_| first + draws.below(span) as usize).collect();
    places.sort_unstable();
    let mut tally = Tally::default();
    let mut crash = Crash::new(Vec::new(), &written.changes, honesty);
    for place in places {
        let image = crash.image(place, &mut draws);
        let (promised, next) = written.at(place);
        tally.images += 1;
        let label = format!("campaign {seed}, {place} of {} changes", written.changes.len());
        if tally.images.is_multiple_of(FILE_EVERY) {
            tally.files += 1;
            let path = folder.join(format!("{seed}-{}.redb", tally.images));
            let seen = inspect_file(&path, &image, &promised, next.as_ref(), &mut draws);
            tally.failures.extend(seen.err().map(|why| format!("{label}, as a file: {why}")));
            let _ = std::fs::remove_file(&path);
        }
        match inspect(image.clone(), &promised, next.as_ref(), &mut draws) {
            Err(why) => tally.failures.push(format!("{label}: {why}")),
            Ok(recovered) => {
                tally.ahead += u64::from(recovered.promises[0].head != promised.head);
                if draws.below(AGAIN_EVERY) == 0 {
                    tally.images += 1;
                    tally.again += 1;
                    let seen = crash_again(image, &recovered, (&promised, next.as_ref()), &mut draws);
                    tally.failures.extend(seen.err().map(|why| format!("{label}, then once more: {why}")));
                }
            }
        }
    }
    tally
}

/// Cuts a recovery off.
fn crash_again(
    image: Vec<u8>,
    recovered: &Written,
    before: (&Promise, Option<&Promise>),
    draws: &mut Draws,
) -> Result<(), String> {
    let place = draws.below(recovered.changes.len() as u64 + 1) as usize;
    let second = Crash::new(image, &recovered.changes, Honesty::Honest).image(place, draws);
    if place < recovered.promises[0].changes {
        // Nothing was promised yet beyond what held before.
        inspect(second, before.0, before.1, draws).map(drop)
    } else {
        let (promised, next) = recovered.at(place);
        inspect(second, &promised, next.as_ref(), draws).map(drop)
    }
}

/// Crashes campaigns until there are `wanted` images, on all processors.
fn crash_many(wanted: u64, of_a_campaign: u64, lies: bool) -> Tally {
    let folder = tempfile::tempdir().expect("a folder for files");
    let next = AtomicU64::new(0);
    let all = Mutex::new(Tally::default());
    let campaigns = wanted.div_ceil(of_a_campaign);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= campaigns {
                        return;
                    }
                    let count = of_a_campaign.min(wanted - seed * of_a_campaign);
                    let tally = crash(seed, count, lies, folder.path());
                    all.lock().expect("no other thread panicked").add(tally);
                }
            });
        }
    });
    all.into_inner().expect("no thread panicked")
}

#[test]
fn a_commit_is_flushed_once_when_all_but_the_mark_of_the_flush_is_written() {
    let (disk, mut draws) = (Disk::default(), Draws::new(7));
    let mut journal = disk.journal().unwrap();
    let mut places = vec![disk.changes()];
    for _ in 0..60 {
        append(&mut journal, &mut draws).unwrap();
        places.push(disk.changes());
    }
    drop(journal);
    let changes = disk.into_changes();
    for (number, commit) in places.windows(2).enumerate() {
        let commit = &changes[commit[0]..commit[1]];
        // A file that has grown is flushed for that alone, before anything is written to it.
        let grown = usize::from(matches!(commit[..2], [Change::Resize(_), Change::Sync]));
        let commit = &commit[2 * grown..];
        let flushes = commit.iter().filter(|change| matches!(change, Change::Sync)).count();
        assert_eq!(flushes, 1, "commit {number}: {commit:?}");
        let after: Vec<&Change> =
            commit.iter().skip_while(|change| !matches!(change, Change::Sync)).skip(1).collect();
        // A file that has become smaller is cut off at last.
        let is_marked = matches!(
            after[..],
            [Change::Write { at: 0, .. }] | [Change::Write { at: 0, .. }, Change::Resize(_)]
        );
        assert!(is_marked, "{after:?}");
    }
}

#[test]
fn no_crash_loses_an_acknowledged_entry_or_leaves_half_a_one() {
    let wanted = images_wanted();
    let tally = crash_many(wanted, IMAGES_OF_A_CAMPAIGN, false);
    println!(
        "{} images, {} of them of a recovery cut off, {} also as files; {} held the entry on its way",
        tally.images, tally.again, tally.files, tally.ahead
    );
    let failures = &tally.failures;
    assert!(
        failures.is_empty(),
        "{} images are bad:\n{}",
        failures.len(),
        failures[..failures.len().min(20)].join("\n")
    );
    assert!(tally.images >= wanted && tally.again > wanted / 20 && tally.files > wanted / 60);
    assert!(tally.ahead > 0, "some crashes come after the entry and before its acknowledgement");
}

#[test]
fn a_disk_that_lies_about_syncs_is_found_out() {
    let tally = crash_many(300, 100, true);
    assert!(
        tally.failures.len() as u64 * 2 > tally.images,
        "of {} images only {} were found bad",
        tally.images,
        tally.failures.len()
    );
    let lost = tally.failures.iter().filter(|why| why.contains("were acknowledged")).count();
    assert!(lost > 0, "some images open and lack entries: {:?}", tally.failures.first());
}
