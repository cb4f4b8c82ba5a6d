//! Promise: no change makes play, replay or a reader of a journal carry out a twentieth more instructions unseen.
//!
//! Instructions are counted, not time: the count of one build hardly differs from one run or machine to another. It needs Valgrind in the
//! search path and the compiler that `tests/benches/instructions.json` was written with; else nothing is tested and a line says so. The build
//! is that of the tests. A change that is worth its price writes the file anew with `UPDATE_GOLDEN=1`.

use std::collections::BTreeMap;
use std::process::Command;

use serde::{Deserialize, Serialize};
use twicetold_tests::{Home, golden, repository, skipped};

/// More than this share of the recorded instructions is growth that somebody has to look at: counts of one build differ by a ten-thousandth.
const GROWTH_MAX_PERCENT: u64 = 5;

#[derive(Deserialize, Serialize)]
struct Recorded {
    compiler: String,
    /// Millions of instructions, by what is run.
    millions: BTreeMap<String, u64>,
}

fn compiler() -> Option<String> {
    let told = Command::new("rustc").arg("--version").output().ok()?;
    Some(String::from_utf8_lossy(&told.stdout).trim().to_owned() + ", " + std::env::consts::ARCH)
}

/// Millions of instructions that the program carries out with these arguments; none without Valgrind.
fn counted(home: &Home, arguments: &[&str]) -> Option<u64> {
    let plain = home.command(arguments);
    let mut command = Command::new("valgrind");
    command.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    command.arg(plain.get_program()).args(arguments);
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let done = command.current_dir(plain.get_current_dir()?).output().ok()?;
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{arguments:?}: {said}");
    let count = said.lines().find_map(|line| line.split_once("refs:")).expect("a count").1;
    Some(count.trim().replace(',', "").parse::<u64>().expect("a number") / 1_000_000)
}

#[test]
fn nothing_takes_a_twentieth_more_instructions_than_it_did() {
    let what = "the count of instructions";
    let path = repository().join("tests/benches/instructions.json");
    let text = std::fs::read_to_string(&path).expect("what was counted before");
    let before: Recorded = serde_json::from_str(&text).expect("JSON");
    #[expect(clippy::disallowed_methods, reason = "asked for by the person who records")]
    let is_recording = std::env::var_os("UPDATE_GOLDEN").is_some();
    let Some(compiler) = compiler() else { return skipped(what, "there is no rustc") };
    if compiler != before.compiler && !is_recording {
        return skipped(
            what,
            format!("the program is compiled by {compiler}, and was by {}", before.compiler),
        );
    }
    let home = Home::new();
    let journal = |name: &str| {
        repository().join(format!("replays/{name}/journal.twicetold")).to_string_lossy().into_owned()
    };
    let (improv, dialogues) = (journal("improv"), journal("dialogues"));
    let mut millions = BTreeMap::new();
    for arguments in [
        &["run", "the-borrowed-boat", "--seed", "1", "--quiet"][..],
        &["replay", &improv],
        &["replay", &dialogues],
        &["show", &improv, "transcript"],
    ] {
        let Some(count) = counted(&home, arguments) else { return skipped(what, "there is no Valgrind") };
        let named = arguments.join(" ").replace(&format!("{}/", repository().display()), "");
        millions.insert(named, count);
    }
    if is_recording {
        let recorded = Recorded { compiler, millions };
        return golden(&path, &(serde_json::to_string_pretty(&recorded).expect("JSON") + "\n"));
    }
    for (named, count) in millions {
        let recorded = before.millions.get(&named).copied().unwrap_or_default();
        assert!(
            count * 100 <= recorded * (100 + GROWTH_MAX_PERCENT),
            "`twicetold {named}` takes {count} million instructions, and took {recorded}; find out why, and write tests/benches/instructions.json \
             anew with UPDATE_GOLDEN=1 if it is worth that"
        );
    }
}
