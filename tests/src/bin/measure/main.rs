//! Measurements and recordings for whoever works on this program: `measure NAME [ARGUMENT…]`. The justfile has a recipe for each.
//!
//! One program instead of eleven: each would be linked anew for every run of the tests.

mod accused;
mod attribution;
mod coverage;
mod detectors;
mod labelled;
mod long;
mod many;
mod prompts;
mod record;
mod stories;
mod sweep;

use std::process::ExitCode;

const NAMES: &str =
    "accused, attribution, coverage, detectors, labelled, long, many, prompts, record, stories or sweep";

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    let words: Vec<String> = words.collect();
    match name.as_str() {
        "accused" => accused::main(&words),
        "attribution" => attribution::main(&words),
        "coverage" => coverage::main(&words),
        "detectors" => detectors::main(&words),
        "labelled" => return labelled::main(words),
        "long" => long::main(&words),
        "many" => return many::main(words),
        "prompts" => prompts::main(words),
        "record" => record::main(words),
        "stories" => stories::main(words),
        "sweep" => sweep::main(&words),
        _ => {
            eprintln!("measure what: {NAMES}?");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
