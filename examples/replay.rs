//! Replays journals: every event and every request is computed again and compared with the record. No model is asked.
//!
//! `cargo run -p twicetold-host --example replay -- FILE…`. A project that keeps campaigns can do the same in its tests, as the test below does.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use twicetold_journal::open_source;
use twicetold_session::{Verdict, replay};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut code = ExitCode::SUCCESS;
    for file in std::env::args_os().skip(1) {
        match difference(Path::new(&file))? {
            None => println!("{}: identical", file.display()),
            Some(difference) => {
                println!("{}: {difference}", file.display());
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

/// Where a replay of this journal differs from the record, if it does.
fn difference(file: &Path) -> Result<Option<String>, Box<dyn Error>> {
    let report = replay(open_source(file)?.as_ref(), None)?;
    Ok(match report.verdict {
        Verdict::Identical => None,
        Verdict::Diverged(drift) => Some(format!("{:?}", drift.divergence)),
    })
}

#[test]
fn our_campaigns_still_replay() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../replays");
    for name in ["improv", "dialogues"] {
        assert_eq!(difference(&folder.join(name).join("journal.twicetold")).unwrap(), None, "{name}");
    }
}
