//! Improvises every bundled campaign and lists what the detectors say of it: `accused [SEEDS] [DETECTOR]`.
//!
//! The improviser plays by the rules and knows what it tells: a warning or an error here is true, and then it is listed in
//! crates/audit/README.md, or the detector is wrong.

use std::collections::BTreeMap;

use twicetold_audit::{Severity, audit};
use twicetold_tests::{CAMPAIGNS, Game, transcript};

pub fn main(words: &[String]) {
    let seeds: u64 = words.first().and_then(|seeds| seeds.parse().ok()).unwrap_or(20);
    let wanted: Vec<String> = words.iter().skip(1).cloned().collect();
    let mut counts: BTreeMap<(&str, Severity), u64> = BTreeMap::new();
    for campaign in CAMPAIGNS {
        for seed in 1..=seeds {
            let played = transcript(Game::of(campaign, seed).improvised().source());
            for finding in audit(&played, &wanted).findings() {
                *counts.entry((finding.detector, finding.severity)).or_default() += 1;
                if finding.severity > Severity::Info || !wanted.is_empty() {
                    let numbers: Vec<String> =
                        finding.numbers.iter().take(4).map(|number| format!("#{number}")).collect();
                    println!("{campaign} {seed}: {} {}", finding.detector, numbers.join(" "));
                    println!("    {}", finding.why);
                    if !finding.sentence.is_empty() {
                        println!("    “{}”", finding.sentence);
                    }
                }
            }
        }
    }
    println!("{} campaigns, seeds 1 to {seeds}:", CAMPAIGNS.len());
    for ((detector, severity), count) in counts {
        println!("  {detector}: {count} × {}", severity.name());
    }
}
