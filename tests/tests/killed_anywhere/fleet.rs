//! Promise: whatever happens to workers, connections and the database, every campaign of a fleet ends with the story of its undisturbed
//! twin, and no reply is paid twice but those in flight when a worker lost its campaigns. Without a server this is skipped, and says so.
//!
//! Workers are killed, connections are cut before, during and after an append, and the database crashes once. All of it happens after so
//! many campaigns, so that a slow machine sees as much as a fast one. `just fleet 400 4` plays four hundred campaigns with four workers.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use twicetold_improv::improvise;
use twicetold_tests::postgres::Server as Database;
use twicetold_tests::proxy::{Cut, Proxy};
use twicetold_tests::{Home, Response, Server, last_line, skipped};

/// Campaigns side by side in each worker.
const PARALLEL: usize = 4;
/// Campaigns that end between two disturbances.
const BETWEEN: usize = 6;

/// How often the queue is looked at when nobody tells anything.
const LOOK: Duration = Duration::from_secs(1);

/// What the model server was asked: how often each body.
type Asked = Arc<Mutex<BTreeMap<String, usize>>>;

/// Campaigns and workers; the recipe asks for more.
#[allow(clippy::disallowed_methods, reason = "asked for by the recipe")]
fn wanted() -> (u64, usize) {
    let number = |name| std::env::var(name).ok().and_then(|value: String| value.parse().ok());
    (number("TWICETOLD_FLEET").unwrap_or(18), number("TWICETOLD_WORKERS").unwrap_or(3) as usize)
}

fn model(asked: &Asked) -> Server {
    let asked = asked.clone();
    Server::start(move |_, body| {
        *asked.lock().expect("nobody panicked").entry(body.to_owned()).or_default() += 1;
        Response::Body(improvise(body))
    })
}

/// The workers of a fleet, and what they tell.
struct Fleet<'a> {
    home: &'a Home,
    data: String,
    workers: Vec<Child>,
    tell: Sender<String>,
    told: Receiver<String>,
}

impl<'a> Fleet<'a> {
    fn new(home: &'a Home, data: String) -> Fleet<'a> {
        let (tell, told) = channel();
        Fleet { home, data, workers: Vec::new(), tell, told }
    }

    fn hire(&mut self) {
        let parallel = PARALLEL.to_string();
        let mut worker = self
            .home
            .command(["worker", "--model", "server", "--parallel", &parallel, "--data", &self.data])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let lines = BufReader::new(worker.stdout.take().expect("it is piped")).lines();
        let tell = self.tell.clone();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let _ = tell.send(line);
            }
        });
        self.workers.push(worker);
    }

    /// Kills the one that has worked for longest, and starts another one.
    fn replace(&mut self) {
        let mut killed = self.workers.remove(0);
        killed.kill().expect("it runs");
        killed.wait().expect("it ends");
        self.hire();
    }
}

impl Drop for Fleet<'_> {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            let _ = worker.kill();
            let _ = worker.wait();
        }
    }
}

/// Lets campaigns wait, one for each seed.
fn queued(home: &Home, data: &str, campaigns: u64) -> Vec<String> {
    let put = |seed: u64| {
        let seed = seed.to_string();
        home.succeed(["run", "the-borrowed-boat", "--seed", &seed, "--queue", "--data", data])
            .trim()
            .to_owned()
    };
    (1..=campaigns).map(put).collect()
}

/// The stories of campaigns and the replies in their journals, each of which must replay.
fn stories(home: &Home, data: &str, ids: &[String]) -> (Vec<String>, usize) {
    let mut replies = 0;
    let story = |id: &String| {
        let replayed = last_line(&home.succeed(["replay", id, "--json", "--data", data]));
        assert_eq!(replayed["identical"], true, "{replayed}");
        replies += usize::try_from(replayed["requests"].as_u64().expect("a number")).expect("it fits");
        replayed["story"].as_str().expect("a digest").to_owned()
    };
    (ids.iter().map(story).collect(), replies)
}

/// An address by way of a proxy.
fn through(proxy: &Proxy, address: &str) -> String {
    let (front, name) = address.rsplit_once('/').expect("a database");
    let (front, _) = front.rsplit_once(':').expect("a port");
    format!("{front}:{}/{name}", proxy.port())
}

#[test]
fn a_disturbed_fleet_tells_the_stories_of_an_undisturbed_one() {
    let mut database = match Database::start("") {
        Ok(database) => database,
        Err(why) => return skipped("a fleet of workers", why),
    };
    let (campaigns, workers) = wanted();
    let home = Home::new();
    // The twins, with a model server of their own.
    let asked = Asked::default();
    let server = model(&asked);
    home.configure(&server.base_url(), "");
    let data = database.database();
    let ids = queued(&home, &data, campaigns);
    home.succeed(["worker", "--until-empty", "--data", &data]);
    let (twins, replies) = stories(&home, &data, &ids);
    assert_eq!(asked.lock().expect("nobody panicked").values().sum::<usize>(), replies);

    let (home, asked) = (Home::new(), Asked::default());
    let server = model(&asked);
    home.configure(&server.base_url(), "");
    let data = database.database();
    let ids = queued(&home, &data, campaigns);
    let proxy = Proxy::before(database.port());
    let mut fleet = Fleet::new(&home, through(&proxy, &data));
    (0..workers).for_each(|_| fleet.hire());
    let (mut lost, mut kills, mut crashes, mut cuts) = (0, 0, 0, 0);
    // One whose worker died before it left the queue is told of once more, and one whose worker died before it said so by nobody.
    let (mut over, waiting) = (BTreeSet::new(), "SELECT count(*) FROM twicetold.queue");
    while database.sql(&data, waiting) != "0" {
        let Ok(line) = fleet.told.recv_timeout(LOOK) else { continue };
        assert!(!line.contains("failed: ") && !line.contains("paused: "), "{line}");
        if !line.contains("over: ") || !over.insert(line.split(' ').next().map(str::to_owned)) {
            continue;
        }
        if over.len() == ids.len() / 2 {
            database.crash();
            database.start_again();
            (crashes, lost) = (crashes + 1, lost + workers * PARALLEL);
        } else if over.len().is_multiple_of(BETWEEN) {
            fleet.replace();
            proxy.plan([Cut::Pass, Cut::Before, Cut::Pass, Cut::During, Cut::Pass, Cut::After]);
            (kills, cuts, lost) = (kills + 1, cuts + 3, lost + PARALLEL + 3);
        }
    }
    drop(fleet);
    let (told, replies) = stories(&home, &data, &ids);
    assert_eq!(told, twins);
    let asked = asked.lock().expect("nobody panicked");
    let paid: usize = asked.values().sum();
    println!(
        "{campaigns} campaigns, {workers} workers of {PARALLEL}: {kills} kills, {cuts} cuts, {crashes} crash of the database; \
         {replies} replies in the journals, {paid} paid for; at most {} in flight when a campaign was lost",
        lost
    );
    assert!(paid >= replies && paid - replies <= lost, "{paid} calls for {replies} replies");
    // A reply that is in a journal was paid once, and once more for each time that it was lost on its way there.
    assert!(asked.values().all(|count| *count <= 1 + kills + crashes + cuts), "one was paid again and again");
}
