//! `twicetold-replay FILE…`: replays journals. It depends on the pure crates and the journal alone, so it cannot reach a
//! network, a clock or a configuration.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use twicetold_journal::open_source;
use twicetold_session::{Verdict, replay};

fn main() -> ExitCode {
    let files: Vec<PathBuf> = std::env::args_os().skip(1).map(Into::into).collect();
    if files.is_empty() {
        eprintln!("usage: twicetold-replay FILE…\n\nEach FILE is a campaign or an export of one.");
        return ExitCode::from(2);
    }
    let cores = thread::available_parallelism().map_or(1, Into::into).min(files.len());
    let next = AtomicUsize::new(0);
    let (sender, replayed) = mpsc::channel();
    let mut code = 0;
    thread::scope(|scope| {
        for _ in 0..cores {
            let (sender, next, files) = (sender.clone(), &next, &files);
            scope.spawn(move || {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = files.get(place) else { break };
                    let _ = sender.send((place, told(file)));
                }
            });
        }
        drop(sender);
        // Printed in the order in which the files were named, whichever is replayed first.
        let mut waiting = BTreeMap::new();
        let mut printed = 0;
        for (place, told) in replayed {
            waiting.insert(place, told);
            while let Some((text, of_this)) = waiting.remove(&printed) {
                match of_this {
                    0 | DIVERGED => println!("{text}"),
                    _ => eprintln!("{text}"),
                }
                code = if of_this == 0 { code } else { of_this };
                printed += 1;
            }
        }
    });
    ExitCode::from(code)
}

/// The exit code for a journal that came out otherwise than it was recorded, and for one that cannot be replayed.
const DIVERGED: u8 = 3;
const UNREADABLE: u8 = 4;

/// What is printed of a file, and its exit code.
fn told(file: &Path) -> (String, u8) {
    let name = file.display();
    let report = open_source(file).map_err(|error| error.to_string());
    match report.and_then(|source| replay(source.as_ref(), None).map_err(|error| error.to_string())) {
        Ok(report) => match report.verdict {
            Verdict::Identical => {
                let (entries, numbers, requests) = (report.entries, report.numbers, report.requests);
                (format!("{name}: {entries} entries, {numbers} numbers, {requests} requests: identical"), 0)
            }
            Verdict::Diverged(drift) => {
                let at = drift.divergence;
                let (number, journal, build) = (at.number, at.journal, at.build);
                let text = format!(
                    "{name}: diverges at {number}\n  journal says: {journal}\n  this build says: {build}"
                );
                (text, DIVERGED)
            }
        },
        Err(why) => (format!("{name}: {why}"), UNREADABLE),
    }
}
