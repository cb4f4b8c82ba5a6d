//! Promise: a campaign that was killed goes on to the very story of its uninterrupted twin, and no completed call is made again.
//!
//! Real processes, real files, SIGKILL, and a model server on loopback that remembers what it was asked. Kills come a drawn while after a
//! drawn number of calls, so that they meet every part of a campaign on a slow machine too. `just kill 1000` kills a thousand times.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use twicetold_improv::improvise;
use twicetold_journal::{Source, open_read_only};
use twicetold_session::load;
use twicetold_tests::{Home, Response, Server};
use twicetold_world::Life;

use crate::{Draws, kills_wanted};

/// Kills of one campaign, at most.
const KILLS_OF_A_CAMPAIGN: usize = 8;
/// Seeds in rotation, one for so many kills: each needs a twin.
const KILLS_OF_A_SEED: usize = 25;

/// What the test waits for.
enum Moment {
    Called,
    Ended,
}

/// How often each body was sent.
type Asked = BTreeMap<String, usize>;

/// The place where one campaign is killed: a home, a server, and what the server was asked. Each campaign has its own: a server thread
/// may record the last request of a killed process late.
struct Range {
    home: Home,
    asked: Arc<Mutex<Asked>>,
    moments: Receiver<Moment>,
    tell: Sender<Moment>,
    _server: Server,
}

/// How a campaign was told in the end.
struct Told {
    story: String,
    asked: Asked,
    /// Numbers at which its journal ended when it was killed.
    killed_at: Vec<u64>,
    /// Calls that the program said it may pay twice.
    reported: usize,
}

impl Range {
    fn new() -> Range {
        let asked: Arc<Mutex<Asked>> = Arc::default();
        let (tell, moments) = channel();
        let (seen, called) = (asked.clone(), Mutex::new(tell.clone()));
        let server = Server::start(move |_, body| {
            // Who was killed while sending has asked nothing.
            if serde_json::from_str::<serde::de::IgnoredAny>(body).is_ok() {
                *seen.lock().expect("no panic").entry(body.to_owned()).or_default() += 1;
                let _ = called.lock().expect("no panic").send(Moment::Called);
            }
            Response::Body(improvise(body))
        });
        let home = Home::new();
        home.configure(&server.base_url(), "");
        Range { home, asked, moments, tell, _server: server }
    }

    /// Plays a campaign to its end. `wait` says after how many calls and how much longer each process is killed, until it says none.
    fn play(&self, data: &str, seed: u64, mut wait: impl FnMut() -> Option<(u64, Duration)>) -> Told {
        let seed = seed.to_string();
        let run =
            ["run", "configuration/campaigns/the-borrowed-boat.toml", "--model", "server", "--seed", &seed];
        let (mut killed_at, mut reported) = (Vec::new(), 0);
        while let Some(begun) = self.begun(data) {
            let go_on: &[&str] = if begun { &["resume", "last"] } else { &run };
            let mut command = self.home.command(["--data", data].iter().chain(go_on));
            let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
            let pid = child.id();
            while self.moments.try_recv().is_ok() {}
            let ended = self.tell.clone();
            let waiter = std::thread::spawn(move || {
                let output = child.wait_with_output().expect("it ends");
                let _ = ended.send(Moment::Ended);
                output
            });
            let killed = wait().is_some_and(|(calls, longer)| {
                self.comes(calls, longer) && {
                    let kill = std::process::Command::new("kill").args(["-KILL", &pid.to_string()]).output();
                    kill.is_ok()
                }
            });
            let output = waiter.join().expect("the waiter ends");
            let said = String::from_utf8_lossy(&output.stderr);
            reported += said.matches("was in flight when the campaign stopped").count();
            if output.status.success() {
                break;
            }
            assert!(killed && output.status.code().is_none(), "only a kill ends it early: {said}");
            killed_at.push(self.number(data));
        }
        Told {
            story: self.story(data),
            asked: self.asked.lock().expect("no panic").clone(),
            killed_at,
            reported,
        }
    }

    /// Waits for so many calls and then so much longer; false when the process ended before.
    #[allow(
        clippy::disallowed_methods,
        reason = "a kill comes at some time, and nothing is decided by which"
    )]
    fn comes(&self, calls: u64, longer: Duration) -> bool {
        for _ in 0..calls {
            if !matches!(self.moments.recv(), Ok(Moment::Called)) {
                return false;
            }
        }
        let until = Instant::now() + longer;
        loop {
            match self.moments.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Moment::Called) => {}
                Ok(Moment::Ended) => return false,
                Err(_) => return true,
            }
        }
    }

    /// Is there a campaign whose opening is durable? A file without one is removed; none when it was killed after its end, while
    /// it was being closed.
    fn begun(&self, data: &str) -> Option<bool> {
        for file in self.files(data) {
            let reader = open_read_only(&file).expect("whatever a kill left is opened");
            if reader.head().entries == 0 {
                drop(reader);
                std::fs::remove_file(&file).expect("it can be removed");
                continue;
            }
            let loaded = load(&reader).expect("and it is whole");
            return (!matches!(loaded.campaign.state().life(), Life::Ended { .. })).then_some(true);
        }
        Some(false)
    }

    fn number(&self, data: &str) -> u64 {
        let files = self.files(data);
        files.first().map_or(0, |file| open_read_only(file).expect("it is opened").head().next.0)
    }

    fn files(&self, data: &str) -> Vec<std::path::PathBuf> {
        let folder = std::fs::read_dir(self.home.path(data).join("campaigns")).into_iter().flatten();
        let files = folder.map(|file| file.expect("it can be read").path());
        // What a process that was killed while it made a file left under a hidden name is no campaign.
        files
            .filter(|file| file.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')))
            .collect()
    }

    fn story(&self, data: &str) -> String {
        let replayed = self.home.succeed(["--data", data, "replay", "last", "--json"]);
        let report: serde_json::Value = serde_json::from_str(&replayed).expect("JSON");
        assert_eq!(report["identical"], true, "{replayed}");
        assert_eq!(report["over"], true, "{replayed}");
        report["story"].as_str().expect("a story").to_owned()
    }
}

#[test]
fn a_killed_campaign_ends_as_its_uninterrupted_twin_and_pays_no_completed_call_twice() {
    let wanted = kills_wanted();
    let mut twins: BTreeMap<u64, Told> = BTreeMap::new();
    let mut draws = Draws(7);
    let (mut kills, mut campaigns, mut twice) = (0, 0, 0);
    let mut places = BTreeSet::new();
    while kills < wanted {
        let seed = 3 + (kills / KILLS_OF_A_SEED % 8) as u64;
        let twin = twins.entry(seed).or_insert_with(|| Range::new().play("twin", seed, || None));
        let needed: usize = twin.asked.values().sum();
        campaigns += 1;
        let mut left = KILLS_OF_A_CAMPAIGN.min(wanted - kills);
        let told = Range::new().play("killed", seed, || {
            left = left.checked_sub(1)?;
            // From before the first call to the middle of any later one, or of what follows it.
            let calls = draws.below(needed as u64 / 4);
            Some((calls, Duration::from_micros(draws.below(if calls == 0 { 60_000 } else { 12_000 }))))
        });
        let killed = told.killed_at.len();
        kills += killed;
        places.extend(told.killed_at.into_iter().map(|number| (seed, number)));
        assert_eq!(told.story, twin.story, "campaign {campaigns}, killed {killed} times");
        let (asked, needed_of_twin): (BTreeSet<_>, BTreeSet<_>) =
            (told.asked.keys().collect(), twin.asked.keys().collect());
        let differing: Vec<_> = asked.symmetric_difference(&needed_of_twin).collect();
        assert!(
            differing.is_empty(),
            "campaign {campaigns} and its twin differ in what was asked: {differing:#?}"
        );
        let made: usize = told.asked.values().sum();
        let again = made - needed;
        let reported = told.reported;
        assert!(
            again <= reported && reported <= killed,
            "{made} calls made, {needed} needed, {reported} reported as in flight, {killed} kills"
        );
        twice += again;
        println!(
            "killed {killed} times: {made} calls made, {needed} needed, {reported} reported; story as the twin"
        );
    }
    println!(
        "{kills} kills over {campaigns} campaigns at {} places; {twice} calls in flight were made again, each reported",
        places.len()
    );
    // A campaign has some fifty entries: many kills meet the same ones again.
    assert!(places.len() * 3 >= kills.min(100), "the kills came at few places: {places:?}");
}
