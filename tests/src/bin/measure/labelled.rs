//! Compares what the detectors say with what people found in transcripts of other programs: `labelled [--list] [HALF…]`.
//!
//! `tests/transcripts/<folder>/labels.toml` lists the files of a folder and the defects in each. A defect is found when a finding of its
//! detector lies within a few messages of it, or anywhere in the file for detectors that judge the whole; a finding without a
//! defect is false.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Deserialize;
use twicetold_audit::{DETECTORS, Finding, Transcript, audit};
use twicetold_tests::{foreign, repository};

/// Messages between a defect and a finding that is about it.
const NEAR: usize = 3;
/// Detectors whose findings are about a whole transcript.
const WHOLE: &[&str] = &["spotlight", "dice", "dormant", "objective", "ending", "plot-loops"];
/// Detectors that other programs' transcripts lack the data for, and that nobody has labelled.
const UNLABELLED: &[&str] = &["idle-roll", "knowledge", "unseen", "budget"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Labels {
    #[serde(default)]
    transcript: Vec<Labelled>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Labelled {
    file: String,
    system: String,
    #[serde(default)]
    defects: Vec<Defect>,
}

#[derive(Deserialize)]
struct Defect {
    detector: String,
    line: u64,
    #[serde(default)]
    note: String,
}

/// What was counted of one detector.
#[derive(Default)]
struct Count {
    defects: usize,
    found: usize,
    /// Findings that are about a defect.
    right: usize,
    wrong: usize,
}

pub fn main(words: Vec<String>) -> ExitCode {
    let (options, folders): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word.starts_with("--"));
    let list = options.iter().any(|option| option == "--list");
    let folder = repository().join("tests/transcripts");
    let folders =
        if folders.is_empty() { ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec() } else { folders };
    let mut unread = 0;
    let mut all = BTreeMap::new();
    for name in &folders {
        let folder = folder.join(name);
        let file = folder.join("labels.toml");
        let Ok(text) = std::fs::read_to_string(&file) else {
            println!("There is no {}: nothing to compare.", file.display());
            continue;
        };
        match toml::from_str::<Labels>(&text) {
            Ok(labels) => unread += compare(name, &folder, &labels, list, &mut all),
            Err(error) => {
                println!("{}: {error}", file.display());
                unread += 1;
            }
        }
    }
    if folders.len() > 1 {
        println!("\nTogether");
        table(&all);
    }
    if unread > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Prints the table of a folder and adds it to that of all; gives how many files could not be read.
fn compare(
    name: &str,
    folder: &Path,
    labels: &Labels,
    list: bool,
    all: &mut BTreeMap<String, Count>,
) -> usize {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut unread = 0;
    for labelled in &labels.transcript {
        let file = folder.join(&labelled.file);
        match foreign(&file, &mapping(&labelled.system)) {
            Ok((transcript, lines)) => judge(&mut counts, labelled, &transcript, &lines, list),
            Err(why) => {
                println!("{name}/{}: cannot be read: {why}", labelled.file);
                unread += 1;
            }
        }
    }
    println!("\nFolder {name}: {} transcripts, {unread} of them unread", labels.transcript.len());
    table(&counts);
    for (name, count) in counts {
        let sum = all.entry(name).or_default();
        sum.defects += count.defects;
        sum.found += count.found;
        sum.right += count.right;
        sum.wrong += count.wrong;
    }
    unread
}

fn table(counts: &BTreeMap<String, Count>) {
    println!(
        "{:<14} {:>7} {:>5} {:>6} {:>5} {:>9}",
        "detector", "defects", "found", "recall", "false", "precision"
    );
    for (name, count) in counts {
        let exists = DETECTORS.iter().any(|detector| detector.name == name);
        println!(
            "{name:<14} {:>7} {:>5} {:>6} {:>5} {:>9}{}",
            count.defects,
            count.found,
            percent(count.found, count.defects),
            count.wrong,
            percent(count.right, count.right + count.wrong),
            if exists { "" } else { "  there is no such detector" }
        );
    }
}

fn percent(part: usize, whole: usize) -> String {
    let rounded = (part * 100 + whole / 2).checked_div(whole);
    rounded.map_or_else(|| "-".to_owned(), |percent| format!("{percent}%"))
}

/// The mapping of a system: its own, or that of the program without a version.
fn mapping(system: &str) -> PathBuf {
    let folder = repository().join("config/mappings");
    let own = folder.join(format!("{system}.toml"));
    let front = system.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    if own.exists() { own } else { folder.join(format!("{front}.toml")) }
}

fn judge(
    counts: &mut BTreeMap<String, Count>,
    labelled: &Labelled,
    transcript: &Transcript,
    lines: &[u64],
    list: bool,
) {
    let report = audit(transcript, &[]);
    let findings: Vec<&Finding> =
        report.findings().filter(|finding| !UNLABELLED.contains(&finding.detector)).collect();
    let file = transcript.file.clone().unwrap_or_default();
    let lines_of = |finding: &Finding| -> Vec<u64> {
        finding.numbers.iter().filter_map(|number| file.lines.get(number).copied()).collect()
    };
    let mut used: BTreeSet<usize> = BTreeSet::new();
    for defect in &labelled.defects {
        let whole = WHOLE.contains(&defect.detector.as_str());
        let place = message(lines, defect.line);
        let about = |finding: &Finding| {
            let places = lines_of(finding).into_iter().map(|line| message(lines, line));
            finding.detector == defect.detector
                && (whole || places.into_iter().any(|at| at.abs_diff(place) <= NEAR))
        };
        let hits: Vec<usize> = (0..findings.len()).filter(|at| about(findings[*at])).collect();
        let count = counts.entry(defect.detector.clone()).or_default();
        count.defects += 1;
        count.found += usize::from(!hits.is_empty());
        if hits.is_empty() && list {
            println!("missed  {}:{} {}: {}", labelled.file, defect.line, defect.detector, defect.note);
        }
        used.extend(hits);
    }
    for (at, finding) in findings.iter().enumerate() {
        let count = counts.entry(finding.detector.to_owned()).or_default();
        if used.contains(&at) {
            count.right += 1;
            continue;
        }
        count.wrong += 1;
        if list {
            let line = lines_of(finding).first().copied().unwrap_or(0);
            println!("false   {}:{line} {}: {}", labelled.file, finding.detector, finding.why);
            println!("        “{}”", finding.sentence);
        }
    }
}

/// Which message a line belongs to: the last that begins at it or before.
fn message(lines: &[u64], line: u64) -> usize {
    lines.partition_point(|start| *start <= line)
}
