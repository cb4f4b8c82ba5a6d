//! Spoils well-behaved campaigns by machine and prints how often each detector saw it: `detectors [COUNT]`.
//!
//! Every campaign is improvised without vices. Whatever a detector says of it before anything was spoiled counts against its
//! precision, although some of it may be true.

use std::collections::BTreeMap;

use twicetold_audit::{Finding, Transcript, audit};
use twicetold_tests::{CAMPAIGNS, Game, MUTATIONS, Random, transcript};

/// How often each campaign is spoiled in each way.
const TIMES: u64 = 3;

/// What was counted of one detector.
#[derive(Default)]
struct Count {
    spoiled: u64,
    found: u64,
    /// Findings of campaigns that nobody spoiled.
    before: u64,
    /// Findings of spoiled ones that are about something else.
    beside: u64,
}

pub fn main(words: &[String]) {
    let count: u64 = words.first().and_then(|count| count.parse().ok()).unwrap_or(40);
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    for seed in 1..=count {
        let campaign = CAMPAIGNS[(seed % CAMPAIGNS.len() as u64) as usize];
        let played = Game::of(campaign, seed).improvised();
        let clean = transcript(played.source());
        let before = findings(&clean);
        for finding in &before {
            counts.entry(finding.detector).or_default().before += 1;
        }
        for mutation in MUTATIONS {
            let count = counts.entry(mutation.detector).or_default();
            for time in 0..TIMES {
                let mut spoiled = clean.clone();
                let Some(number) = (mutation.spoil)(&mut spoiled, &mut Random(seed * 1_000 + time)) else {
                    continue;
                };
                let new = findings(&spoiled).into_iter().filter(|finding| !before.contains(finding));
                let new: Vec<Finding> = new.filter(|finding| finding.detector == mutation.detector).collect();
                let hits = new.iter().filter(|finding| finding.numbers.contains(&number)).count() as u64;
                count.spoiled += 1;
                count.found += u64::from(hits > 0);
                count.beside += new.len() as u64 - hits;
            }
        }
    }
    println!("| detector | spoiled by | times | found | recall | said of {count} clean ones | precision |");
    println!("|---|---|---|---|---|---|---|");
    for mutation in MUTATIONS {
        let Count { spoiled, found, before, beside } = counts.remove(mutation.detector).unwrap_or_default();
        // A clean campaign is as likely as a spoiled one: its findings weigh as often as it was spoiled.
        let said = found + beside + before * TIMES;
        let percent = |part: u64, whole: u64| match whole {
            0 => "–".to_owned(),
            _ => format!("{}%", (part * 100 + whole / 2) / whole),
        };
        println!(
            "| `{}` | {} | {spoiled} | {found} | {} | {before} | {} |",
            mutation.detector,
            mutation.what,
            percent(found, spoiled),
            percent(found, said)
        );
    }
}

fn findings(transcript: &Transcript) -> Vec<Finding> {
    audit(transcript, &[]).findings().cloned().collect()
}
