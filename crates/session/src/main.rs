//! `twicetold-replay FILE…`: replays journals. It depends on the pure crates and the journal alone, so it cannot reach a
//! network, a clock or a configuration.

use std::process::ExitCode;

use twicetold_journal::open_source;
use twicetold_session::{Verdict, replay};

fn main() -> ExitCode {
    let files: Vec<std::path::PathBuf> = std::env::args_os().skip(1).map(Into::into).collect();
    if files.is_empty() {
        eprintln!("usage: twicetold-replay FILE…\n\nEach FILE is a campaign or an export of one.");
        return ExitCode::from(2);
    }
    let mut code = ExitCode::SUCCESS;
    for file in files {
        let told = open_source(&file).map_err(|error| error.to_string());
        let told = told.and_then(|source| replay(source.as_ref(), None).map_err(|error| error.to_string()));
        match told {
            Ok(report) => match report.verdict {
                Verdict::Identical => {
                    let (entries, numbers, requests) = (report.entries, report.numbers, report.requests);
                    println!(
                        "{}: {entries} entries, {numbers} numbers, {requests} requests: identical",
                        file.display()
                    );
                }
                Verdict::Diverged(drift) => {
                    let at = drift.divergence;
                    println!(
                        "{}: diverges at {}\n  journal says: {}\n  this build says: {}",
                        file.display(),
                        at.number,
                        at.journal,
                        at.build
                    );
                    code = ExitCode::from(3);
                }
            },
            Err(why) => {
                eprintln!("{}: {why}", file.display());
                code = ExitCode::from(4);
            }
        }
    }
    code
}
