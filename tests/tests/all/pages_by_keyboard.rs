//! Promise: everything on the pages of `serve` can be done with a keyboard alone, by day and by night, on a desk and on a phone; axe-core finds
//! nothing that keeps people from using them; no script fails, and nothing is asked of anywhere else.
//!
//! `tests/browser/look.py` does it, in Chromium. It needs that, Python 3, and once the packages from PyPI. One width and one scheme of colours
//! are looked at; `just look` takes all four.

use std::process::Command;

use serde_json::Value;
use twicetold_tests::{Home, chromium, python, repository};

const WHAT: &str = "pages by keyboard";

#[test]
fn every_flow_of_the_pages_is_gone_through_by_keyboard() {
    let Some(chromium) = chromium(WHAT) else { return };
    let Some(python) = python(env!("CARGO_TARGET_TMPDIR"), "browser", WHAT) else { return };
    #[expect(clippy::disallowed_methods, reason = "the recipe says how many")]
    let looks = std::env::var("TWICETOLD_LOOK").unwrap_or_else(|_| "390-dark".into());
    let home = Home::new();
    home.play(1);
    home.succeed(["report", "last", "--output", "report.html"]);
    let program = home.command(["serve"]);
    let mut look = Command::new(python);
    look.arg(repository().join("tests/browser/look.py")).arg(chromium).arg(program.get_program());
    look.arg(home.path("data")).arg(home.path("report.html")).arg(&looks);
    let done = look.output().expect("it starts");
    let said = String::from_utf8_lossy(&done.stdout);
    let told: Value = serde_json::from_str(&said).unwrap_or_default();
    let wrong = told["wrong"].as_array().cloned().unwrap_or_default();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(done.status.success(), "{said}\n{}", String::from_utf8_lossy(&done.stderr));
    // A test that looks at nothing finds nothing.
    let count = |name: &str| told[name].as_u64().unwrap_or_default();
    assert!(count("looked") >= 15 && count("keys") >= 1_000, "{told}");
    assert!(told["flows"].as_array().is_some_and(|flows| !flows.is_empty()), "{told}");
}
