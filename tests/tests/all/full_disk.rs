//! Promise: a campaign that finds no more room says so, names the file and what to do, keeps what it acknowledged, and goes on later.
//!
//! The real program under a limit of a file's size, and on a small disk of its own where the system lets a test make one. The faults
//! of every single operation are tried in the journal's own tests.
#![cfg(unix)]

use twicetold_tests::{Home, Outcome, skipped};

const RUN: &str = "run the-borrowed-boat --seed 3 --quiet";

fn story(home: &Home) -> String {
    let report = home.succeed(["replay", "last", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["identical"], true);
    assert_eq!(report["over"], true);
    report["story"].as_str().expect("a story").to_owned()
}

/// The story that is told when there is room.
fn whole() -> String {
    let home = Home::new();
    home.run(RUN.split(' ')).succeeded();
    story(&home)
}

/// The failure says what happened, to which file, and what to do.
fn says_all(outcome: &Outcome) {
    // Lines are broken to the width of a terminal.
    let said = outcome.stderr.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    assert_eq!(outcome.code, Some(1), "{said}");
    assert!(said.contains("no space is left"), "{said}");
    assert!(said.contains("campaigns/"), "{said}");
    assert!(said.contains("free disk space") && said.contains("ulimit -f"), "{said}");
}

/// After the failure: all is readable, and with room it goes on to the story of its twin.
fn goes_on(home: &Home, whole: &str) -> bool {
    let listed = home.succeed(["list", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    if listed["campaigns"].as_array().expect("rows").iter().all(|row| row["turns"] == 0) {
        // Not even the opening was acknowledged.
        return false;
    }
    home.run(["verify", "last"]).succeeded();
    home.run(["resume", "last", "--quiet"]).succeeded();
    assert_eq!(story(home), whole);
    true
}

/// Runs the program under a limit of a file's size, in blocks of 512 bytes or of a KiB, as the shell has it. Without the trap the
/// system would end the program at once. None where the shell knows no such limit.
fn limited(home: &Home, blocks: u32, command: &str) -> Option<Outcome> {
    let line = format!("trap '' XFSZ; ulimit -f {blocks} || exit 90; exec \"$TWICETOLD\" {command}");
    Some(home.shell(&line)).filter(|outcome| outcome.code != Some(90))
}

#[test]
fn a_campaign_for_which_there_is_no_room_leaves_nothing_behind() {
    let home = Home::new();
    let Some(failed) = limited(&home, 40, RUN) else {
        return skipped("files that may not grow", "no limit of files here");
    };
    says_all(&failed);
    let files = std::fs::read_dir(home.path("data/campaigns")).map_or(0, Iterator::count);
    assert_eq!(files, 0, "not even a hidden file");
}

#[test]
fn what_a_killed_writer_left_behind_is_read_where_nothing_can_be_written() {
    let home = Home::new();
    home.run(RUN.split(' ')).succeeded();
    let path = &home.campaigns()[0];
    // What lies on the disk while somebody writes is what lies there after a kill.
    let writer = twicetold_journal::open(path).expect("nobody else plays it");
    let left = std::fs::read(path).expect("it can be read");
    drop(writer);
    std::fs::write(path, &left).expect("it can be written");
    for command in ["verify last", "replay last", "show last transcript", "why last reply 5"] {
        let Some(read) = limited(&home, 0, command) else {
            return skipped("files that may not grow", "no limit of files here");
        };
        let read = read.succeeded();
        assert!(!read.stdout.is_empty(), "{command}");
    }
    assert_eq!(std::fs::read(path).expect("it is there").len(), left.len(), "nobody has repaired it");
    story(&home);
}

#[test]
fn a_file_that_may_not_grow_stops_the_campaign_and_it_goes_on_where_it_may() {
    let whole = whole();
    let mut resumed = 0;
    for blocks in [300, 450, 600] {
        let home = Home::new();
        home.run(RUN.split(' ')).succeeded();
        // A branch begins as a small file, which has to grow.
        home.run(["fork", "last", "--at", "60"]).succeeded();
        let Some(failed) = limited(&home, blocks, "resume last --quiet") else {
            return skipped("files that may not grow", "no limit of files here");
        };
        if failed.code != Some(0) {
            says_all(&failed);
            resumed += u32::from(goes_on(&home, &whole));
        }
    }
    assert!(resumed > 1, "no limit stopped a campaign that had begun");
}

#[test]
fn a_full_disk_stops_the_campaign_and_it_goes_on_when_there_is_room() {
    let whole = whole();
    let mut resumed = 0;
    for kilobytes in [16, 200, 300, 450] {
        let home = Home::new();
        // A disk in memory that only this shell sees; its files are copied out before it goes.
        let line = format!(
            "mkdir data kept && exec unshare --map-root-user --mount sh -c '\
             mount -t tmpfs -o size={kilobytes}k none data || exit 90
             \"$TWICETOLD\" {RUN}; code=$?; cp -R data/. kept; exit $code'"
        );
        let failed = home.shell(&line);
        match failed.code {
            Some(90) | None => return skipped("a full disk", "no disk can be mounted here"),
            Some(1) if failed.stderr.contains("unshare") => {
                return skipped("a full disk", failed.stderr);
            }
            Some(0) => continue,
            _ => says_all(&failed),
        }
        std::fs::remove_dir(home.path("data")).expect("the place where the disk was");
        std::fs::rename(home.path("kept"), home.path("data")).expect("its files");
        resumed += u32::from(goes_on(&home, &whole));
    }
    assert!(resumed > 0, "no disk was full in the middle of a campaign");
}
