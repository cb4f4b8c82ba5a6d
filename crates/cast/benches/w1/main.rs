//! The workload W1: a campaign of one DM and three players whose model answers at once, beside the physical floor.
//!
//! `cargo bench -p twicetold-cast --bench w1 -- [--turns N] [--rounds N] [--folder FOLDER] [--lines]`. Figures are ratios within one
//! run; `tests/benches/README.md` says how they are taken and what they were.
#![allow(clippy::float_arithmetic, reason = "figures for people: nothing is decided by them")]

mod actors;
mod floor;
mod measure;
mod report;
mod round;
mod script;
mod table;

use std::error::Error;
use std::path::PathBuf;

/// What is to be played.
struct Arguments {
    turns: u32,
    rounds: u32,
    folder: PathBuf,
    /// A line of JSON for each measurement, for `tests/benches/peers/compare.py`, instead of tables.
    lines: bool,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    // Cargo's folder for what benchmarks write: a real disk wherever the build has one. On a disk in memory a flush is free.
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("w1");
    let mut arguments = Arguments { turns: 5_000, rounds: 3, folder, lines: false };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        if name == "--bench" {
            continue;
        }
        if name == "--lines" {
            arguments.lines = true;
            continue;
        }
        let value = given.next().ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--turns" => arguments.turns = value.parse()?,
            "--rounds" => arguments.rounds = value.parse()?,
            "--folder" => arguments.folder = PathBuf::from(value),
            _ => return Err(format!("{name} is none of --turns, --rounds, --folder, --lines").into()),
        }
    }
    if arguments.turns < 10 || arguments.rounds < 1 {
        return Err("at least 10 turns and 1 round".into());
    }
    Ok(arguments)
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { turns, rounds, folder, lines } = arguments()?;
    let mut played = Vec::new();
    for round in 1..=rounds {
        played.push(round::play(&folder.join(format!("round-{}-{round}", std::process::id())), turns)?);
        if !lines {
            eprintln!("round {round} of {rounds} played");
        }
    }
    match lines {
        true => played.iter().for_each(|round| report::lines(round, turns)),
        false => report::print(&played, turns),
    }
    Ok(())
}
