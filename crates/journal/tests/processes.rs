//! One process plays, another reads: the reader always sees a prefix, also after the writer was killed.

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use twicetold_journal::conformance::append_sample;
use twicetold_journal::{OpenError, Source, create, open, open_read_only, verify};

const CHILD: &str = "TWICETOLD_JOURNAL_CHILD";

/// Not a test on its own: the other process of the tests below. Writes a line after every append.
#[test]
fn the_process_that_plays() {
    #[allow(clippy::disallowed_methods, reason = "how a test tells its other process what to write")]
    let Ok(path) = env::var(CHILD) else { return };
    let mut journal = create(&PathBuf::from(path)).unwrap();
    for index in 0.. {
        append_sample(&mut journal, index).unwrap();
        // The parent closes its end when it has seen enough.
        if writeln!(std::io::stdout(), "\nappended {}", index + 1).is_err() {
            return;
        }
    }
}

struct Player {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Player {
    fn start(path: &Path) -> Player {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "the_process_that_plays", "--nocapture"])
            .env(CHILD, path)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Player { child, lines }
    }

    /// Reads on until the child has said so many times that it appended; how many entries it has acknowledged.
    fn acknowledged(&mut self, times: usize) -> u64 {
        let lines = self.lines.by_ref().lines().map(Result::unwrap);
        let counts =
            lines.filter_map(|line| line.strip_prefix("appended ").map(|count| count.parse().unwrap()));
        counts.take(times).last().unwrap()
    }

    /// As `kill -9`.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn a_reader_sees_a_prefix_of_what_another_process_is_playing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.redb");
    let mut player = Player::start(&path);
    let mut seen = 0;
    for round in 0..40 {
        let acknowledged = player.acknowledged(5);
        let mut reader = open_read_only(&path).unwrap();
        let verified = verify(&reader).unwrap();
        assert!(verified.entries >= acknowledged, "round {round}: {} of {acknowledged}", verified.entries);
        assert!(verified.entries >= seen);
        assert_eq!(verified.head, reader.head().chain);
        let acknowledged = player.acknowledged(5);
        let head = reader.refresh().unwrap();
        assert!(head.entries >= acknowledged);
        assert_eq!(verify(&reader).unwrap().entries, head.entries);
        seen = head.entries;
    }
    let Err(OpenError::Locked { by, .. }) = open(&path) else { panic!("somebody else is playing it") };
    assert_eq!(by, format!("process {}", player.child.id()));
    player.kill();
}

#[test]
fn a_killed_writer_leaves_all_that_it_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..8 {
        let path = folder.path().join(format!("{round}.redb"));
        let mut player = Player::start(&path);
        let acknowledged = player.acknowledged(3 + round * 17);
        player.kill();
        // Every other time the reader comes first, and repairs.
        if round % 2 == 0 {
            assert!(verify(&open_read_only(&path).unwrap()).unwrap().entries >= acknowledged);
        }
        let mut journal = open(&path).unwrap();
        let entries = journal.head().entries;
        assert!(entries >= acknowledged);
        append_sample(&mut journal, entries).unwrap();
        verify(&journal).unwrap();
    }
}
