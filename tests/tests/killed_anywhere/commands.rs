//! Promise: a command that is killed leaves what was there or what it makes, and nothing in between; what it was writing under another
//! name is removed later; the same command, given again, ends as if nothing had happened.
//!
//! Where `strace` may be used, a process is killed before its n-th call that changes files, n drawn from all of them; elsewhere after a
//! drawn while. `just kill-commands` kills a thousand times.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use serde_json::Value;
use twicetold_improv::improvise;
use twicetold_tests::{Home, Response, Server, reference_document, skipped};

use crate::{Draws, kills_wanted};

/// The calls that create, change, name or remove files.
const CHANGES: &str = "openat,creat,write,pwrite64,pwritev,writev,fsync,fdatasync,fallocate,ftruncate,copy_file_range,sendfile,\
    rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,fchmod,utimensat";

/// A command that writes: what is done before it, and itself. `ID` is the campaign that each home has, `MODEL` one that is served.
struct Case {
    before: &'static [&'static str],
    line: &'static str,
}

const fn case(before: &'static [&'static str], line: &'static str) -> Case {
    Case { before, line }
}

/// So many of them play or branch what was played, which takes the longest: two tests share the list.
const PLAYING: usize = 9;

const CASES: [Case; 24] = [
    case(&[], "run the-borrowed-boat --seed 5 --quiet"),
    case(&[], "run the-borrowed-boat --seed 5 --quiet --attest notes"),
    case(&[], "run configuration/campaigns/the-borrowed-boat.toml --seed 5 --quiet --turns 3 --model server"),
    case(&["fork ID --at 100"], "resume last --quiet"),
    case(&["fork ID --at 100"], "resume last --quiet --attest notes"),
    case(&["fork ID --at 100"], "play last --seat player-1"),
    case(&[], "fork ID --at 100"),
    case(&[], "fork ID --at 100 --model server"),
    case(&["fork ID --at 100", "resume last --quiet"], "undo last"),
    case(&["rm ID --yes"], "import a.twicetold"),
    case(&[], "import --from autogen autogen.jsonl"),
    case(&[], "export ID b.twicetold"),
    case(&["export last b.twicetold"], "export ID b.twicetold --force"),
    case(&[], "export ID --as jsonl -o b.jsonl"),
    case(&[], "report ID -o report.html"),
    case(&[], "attest -o all.attestation"),
    case(&["attest -o all.attestation"], "attest -o all.attestation"),
    case(&[], "rm ID --yes"),
    case(&[], "label ID evening"),
    case(&[], "init mine"),
    case(&[], "new campaign mine"),
    case(&[], "rules import document"),
    case(&["rules import document"], "rules import document --force"),
    case(&[], "models server --moments 0"),
];

/// How processes are killed here.
enum Killer {
    /// Before the n-th of the changes.
    Counting,
    /// After a while.
    Waiting,
}

impl Killer {
    fn found(home: &Home) -> Killer {
        let tried = home.shell("strace -f -qqq -e trace=write -o traced true");
        if tried.code == Some(0) {
            return Killer::Counting;
        }
        skipped(
            "kills before each change of a file",
            "strace cannot be used; the kills come after a drawn while",
        );
        Killer::Waiting
    }

    /// The bound below which a kill is drawn: changes that the busiest thread makes, or microseconds.
    fn bound(&self, home: &Home, line: &str) -> u64 {
        #[allow(clippy::disallowed_methods, reason = "nothing is decided by how long it took")]
        let begun = Instant::now();
        match self {
            Killer::Counting => {
                let traced = format!("strace -f -qqq -e trace={CHANGES} -o traced \"$TWICETOLD\" {line}");
                let outcome = home.shell(&traced);
                assert_eq!(outcome.code, Some(0), "{line}: {}", outcome.stderr);
                let traced = std::fs::read_to_string(home.path("traced")).expect("strace wrote it");
                std::fs::remove_file(home.path("traced")).expect("it can be removed");
                let mut changes: BTreeMap<&str, u64> = BTreeMap::new();
                for thread in traced.lines().filter_map(|line| line.split_whitespace().next()) {
                    *changes.entry(thread).or_default() += 1;
                }
                changes.into_values().max().unwrap_or_default()
            }
            Killer::Waiting => {
                home.succeed(line.split(' '));
                u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX)
            }
        }
    }

    /// Runs the command and kills it there; false when it ended before.
    fn kill(&self, home: &Home, line: &str, at: u64) -> bool {
        match self {
            Killer::Counting => {
                let inject = format!("-e trace={CHANGES} -e inject={CHANGES}:signal=KILL:when={}", at + 1);
                let traced = format!("exec strace -f -qqq {inject} -o /dev/null \"$TWICETOLD\" {line}");
                home.shell(&traced).code.is_none()
            }
            Killer::Waiting => {
                let (_kept, never) = channel::<()>();
                let mut command = home.command(line.split(' '));
                let mut child =
                    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
                let _ = never.recv_timeout(Duration::from_micros(at));
                child.kill().expect("it can be killed");
                child.wait().expect("it ends").code().is_none()
            }
        }
    }
}

/// What every case begins with: a campaign that is over, its export, a configuration with a model, a document and a transcript.
fn begun(server: &Server) -> (Home, String) {
    let home = Home::new();
    home.configure(&server.base_url(), "");
    let card = home.play(1);
    let id = card["campaign"].as_str().expect("an id").to_owned();
    home.succeed(["export", &id, "a.twicetold"]);
    home.write("autogen.jsonl", include_str!("../../samples/autogen.jsonl"));
    for (name, bytes) in reference_document() {
        let path = format!("document/{name}");
        let folder = Path::new(&path).parent().expect("a folder").to_owned();
        std::fs::create_dir_all(home.path("").join(folder)).expect("a folder can be made");
        home.write(&path, bytes);
    }
    (home, id)
}

/// Its files by their paths, without ids of campaigns and numbers of processes.
fn files(home: &Home) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![home.path("")];
    while let Some(folder) = folders.pop() {
        let inner: Vec<_> = std::fs::read_dir(&folder).expect("it can be read").flatten().collect();
        let name = folder.strip_prefix(home.path("")).expect("it lies in the home").display().to_string();
        found.push(format!("{name}/"));
        for entry in inner {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                found.push(format!("{name}/{}", entry.file_name().to_string_lossy()));
            }
        }
    }
    for name in &mut found {
        let is_id = |word: &str| word.len() == 32 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let words: Vec<&str> =
            name.split(['/', '.']).map(|word| if is_id(word) { "ID" } else { word }).collect();
        *name = words.join("/");
    }
    found.sort();
    found
}

/// Every campaign that is listed is whole; how many there are.
fn whole_campaigns(home: &Home) -> usize {
    let listed = home.succeed(["list", "--json"]);
    let listed: Value = serde_json::from_str(&listed).expect("JSON");
    let campaigns = listed["campaigns"].as_array().expect("campaigns");
    for campaign in campaigns {
        let id = campaign["campaign"].as_str().expect("an id");
        home.succeed(["verify", id]);
        home.succeed(["show", id, "transcript"]);
    }
    campaigns.len()
}

/// Plays what is not over to its end, and gives the newest campaign's story.
fn story(home: &Home, attest: &[&str]) -> Option<String> {
    loop {
        let replayed = home.run(["replay", "last", "--json"]);
        if replayed.code != Some(0) {
            // A transcript of another program is replayed by nobody.
            return None;
        }
        let report: Value = serde_json::from_str(&replayed.stdout).expect("JSON");
        assert_eq!(report["identical"], true, "{}", replayed.stdout);
        if report["over"] == true {
            if !attest.is_empty() {
                home.run(["resume", "last"].iter().chain(attest)).failed(2, &["is over"]);
            }
            return report["story"].as_str().map(str::to_owned);
        }
        let resumed = home.run(["resume", "last", "--quiet"].iter().chain(attest));
        if resumed.code != Some(0) {
            resumed.failed(2, &["turns"]);
            return report["story"].as_str().map(str::to_owned);
        }
    }
}

/// The files that people named, by name: each is as if nobody had been killed.
fn named(home: &Home) -> BTreeMap<String, blake3::Hash> {
    let entries = std::fs::read_dir(home.path("")).expect("it can be read").flatten();
    let files = entries.filter(|entry| entry.path().is_file());
    let named = files.map(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, blake3::hash(&std::fs::read(entry.path()).expect("it can be read")))
    });
    // A signature says when it was made.
    named.filter(|(name, _)| !name.ends_with(".attestation")).collect()
}

/// What a case comes to.
struct End {
    campaigns: usize,
    story: Option<String>,
    named: BTreeMap<String, blake3::Hash>,
    files: Vec<String>,
}

impl End {
    fn is(&self, twin: &End, is_played: bool, place: &str) {
        assert_eq!(self.campaigns, twin.campaigns, "{place}: campaigns");
        // A person who is killed has left the table earlier, which is another story.
        if !is_played {
            assert_eq!(self.story, twin.story, "{place}: the story");
        }
        assert_eq!(self.named, twin.named, "{place}: files that people named");
        let only = |here: &End, there: &End| -> Vec<String> {
            here.files.iter().filter(|file| !there.files.contains(file)).cloned().collect()
        };
        let (left, missing) = (only(self, twin), only(twin, self));
        assert!(left.is_empty() && missing.is_empty(), "{place}: left {left:?}, missing {missing:?}");
        assert_eq!(self.files.len(), twin.files.len(), "{place}: so many files of one name");
    }
}

fn end(home: &Home, line: &str) -> End {
    let attest: &[&str] = if line.contains("--attest") { &["--attest", "notes"] } else { &[] };
    let campaigns = whole_campaigns(home);
    let story = (campaigns > 0).then(|| story(home, attest)).flatten();
    if home.path("all.attestation").exists() {
        home.succeed(["verify", "--attestation", "all.attestation"]);
    }
    // Whatever is begun next removes what the killed process was writing.
    home.grow_old();
    home.succeed(["run", "the-borrowed-boat", "--seed", "9", "--turns", "1", "--quiet"]);
    End { campaigns, story, named: named(home), files: files(home) }
}

#[test]
fn a_killed_command_that_plays_leaves_no_ghost_no_debris_and_no_part_of_a_file() {
    kill(&CASES[..PLAYING]);
}

#[test]
fn neither_does_any_other_command() {
    kill(&CASES[PLAYING..]);
}

fn kill(cases: &[Case]) {
    let server = Server::start(|_, body| Response::Body(improvise(body)));
    let (base, id) = begun(&server);
    let killer = Killer::found(&base.copy());
    let mut draws = Draws(11);
    let of_each = kills_wanted().div_ceil(CASES.len());
    let mut kills = 0;
    for case in cases {
        let line = &case.line.replace("ID", &id);
        let ready = base.copy();
        for before in case.before {
            ready.succeed(before.replace("ID", &id).split(' '));
        }
        let had = whole_campaigns(&ready);
        let twin = ready.copy();
        let bound = killer.bound(&twin, line);
        let has = whole_campaigns(&twin);
        let twin = end(&twin, line);
        let is_played = line.starts_with("play");
        // A command of few places is killed at each of them; another may end before a drawn one.
        let every = of_each as u64 >= bound;
        let tries = if every { bound } else { 2 * of_each as u64 };
        let mut killed = 0;
        for kill in 0..tries {
            if killed == of_each {
                break;
            }
            let at = if every { kill } else { draws.below(bound) };
            let home = ready.copy();
            let place = format!("`{line}` killed at {at} of {bound}");
            if !killer.kill(&home, line, at) {
                continue;
            }
            killed += 1;
            println!("{place}");
            let left = whole_campaigns(&home);
            assert!(left == had || left == has, "{place} left {left} campaigns of {had} and {has}");
            home.grow_old();
            if left != has {
                home.succeed(line.split(' '));
            } else if has == had && !is_played {
                // Done already, or what can be done twice, other than sitting down: an attestation, a file in place of another.
                let again = home.run(line.split(' '));
                assert!(again.code.is_some_and(|code| code <= 2), "{place}: {}", again.stderr);
            }
            end(&home, line).is(&twin, is_played, &place);
        }
        kills += killed;
        println!("`{}`: {killed} kills at {bound} places", case.line);
    }
    println!("{kills} kills of {} commands", cases.len());
    assert!(kills >= cases.len(), "hardly any kill came before the end");
}
