//! `twicetold-sim SEEDS [--seed FIRST] [--verbose]`: checks so many seeds, and says of each that fails what broke and how to see it.

use std::process::ExitCode;

use twicetold_sim::{Failure, Schedule, check};

/// What the arguments ask for.
struct Arguments {
    count: u64,
    first: u64,
    verbose: bool,
}

fn main() -> ExitCode {
    match arguments(std::env::args().skip(1)) {
        Ok(arguments) => simulate(&arguments),
        Err(why) => {
            eprintln!("{why}; usage: twicetold-sim SEEDS [--seed FIRST] [--verbose]");
            ExitCode::from(2)
        }
    }
}

fn arguments(mut given: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments { count: 100, first: 1, verbose: false };
    let number = |text: Option<String>| {
        let text = text.unwrap_or_default();
        text.parse::<u64>().map_err(|_| format!("{text:?} is not a number"))
    };
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--verbose" => arguments.verbose = true,
            "--seed" => arguments.first = number(given.next())?,
            _ => arguments.count = number(Some(argument))?,
        }
    }
    Ok(arguments)
}

fn simulate(arguments: &Arguments) -> ExitCode {
    let (mut failed, mut entries, mut lives, mut faults) = (0_u64, 0, 0, 0);
    for seed in (arguments.first..).take(usize::try_from(arguments.count).unwrap_or(usize::MAX)) {
        let schedule = Schedule::of(seed);
        match check(&schedule) {
            Ok(outcome) => {
                entries += outcome.entries;
                lives += u64::from(outcome.lives);
                faults += outcome.server_faults;
                if arguments.verbose {
                    outcome.trace.iter().for_each(|line| println!("{line}"));
                    println!("seed {seed}: {}; {}", schedule.describe(), outcome.ending);
                }
            }
            Err(Failure::Broken(violation, trace)) => {
                failed += 1;
                if arguments.verbose {
                    trace.iter().for_each(|line| println!("{line}"));
                }
                println!("seed {seed} ({}): {violation}\n  alone: just sim-one {seed}", schedule.describe());
            }
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    let count = arguments.count;
    println!(
        "{count} seeds, {entries} entries, {lives} lives, {faults} faults of servers; {failed} seeds failed"
    );
    ExitCode::from(u8::from(failed > 0))
}
