//! Plays many campaigns side by side: `many [COUNT [PARALLEL [MILLISECONDS]]]`, against a server on loopback that answers each call after
//! so many milliseconds, as the improviser would.
//!
//! It prints the wall time beside the ideal one (all waiting, spread evenly over PARALLEL campaigns, and nothing else), the time that the
//! program had of the processors, and its memory, beside that of the same program with one campaign at a time. The replies are made
//! before: a game master who thinks on the same processors would be measured too.

use std::collections::BTreeMap;
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use twicetold_improv::improvise;
use twicetold_model::Digest;
use twicetold_tests::{Home, Response, Server, last_line};

/// How often the program's memory is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// Campaigns side by side where nobody waits.
const PROCESSORS: u64 = 2;

pub fn main(words: Vec<String>) -> ExitCode {
    let mut words = words.into_iter();
    let mut number =
        |otherwise: u64| words.next().map_or(otherwise, |word| word.parse().expect("a number of campaigns"));
    let (count, parallel, delay) = (number(500), number(100), Duration::from_millis(number(200)));
    let replies = Replies::default();
    played(count, PROCESSORS, Duration::ZERO, &replies);
    let alone = played(10.min(count), 1, Duration::ZERO, &replies);
    let many = played(count, parallel, delay, &replies);
    let ideal = (many.calls * delay.as_millis() as u64 / parallel).max(1);
    println!(
        "{count} campaigns, {parallel} side by side, {} calls answered after {} ms each",
        many.calls,
        delay.as_millis()
    );
    println!("wall {} ms, ideal {ideal} ms, {} %", many.wall_ms, many.wall_ms * 100 / ideal);
    println!("processors {} ms, {} µs a call", many.busy_ms, many.busy_ms * 1000 / many.calls.max(1));
    let more = many.peak_kib.saturating_sub(alone.peak_kib);
    println!(
        "memory at most {} KiB; {} KiB with one at a time; {} KiB for each campaign more",
        many.peak_kib,
        alone.peak_kib,
        more / (parallel - 1).max(1)
    );
    println!("{} of {count} campaigns are over, {} failed", many.done, count - many.done);
    ExitCode::from(u8::from(many.done != count))
}

/// The replies to the requests of a plan, by a digest of each request.
#[derive(Clone, Default)]
struct Replies(Arc<Mutex<BTreeMap<Digest, String>>>);

impl Replies {
    fn to(&self, body: &str) -> String {
        let digest = Digest::of("request", body.as_bytes());
        if let Some(reply) = self.0.lock().expect("no server panics").get(&digest) {
            return reply.clone();
        }
        let reply = improvise(body);
        self.0.lock().expect("no server panics").insert(digest, reply.clone());
        reply
    }
}

/// What a sweep came to.
struct Played {
    wall_ms: u64,
    /// Up to the last look before its end.
    busy_ms: u64,
    calls: u64,
    done: u64,
    peak_kib: u64,
}

fn played(count: u64, parallel: u64, delay: Duration, replies: &Replies) -> Played {
    let replies = replies.clone();
    let server = Server::start(move |_, body| {
        let reply = replies.to(body);
        wait(delay);
        Response::Body(reply)
    });
    let home = Home::new();
    home.configure(&server.base_url(), "");
    home.write(
        "plan.toml",
        format!(
            "name = \"many\"\ncampaigns = \"the-borrowed-boat\"\nseeds = \"1..{count}\"\nplayers = [2]\n\
             parallel = {parallel}\nmodels = \"server\"\n"
        ),
    );
    let mut command: Command = home.command(["sweep", "run", "plan.toml", "--json"]);
    #[expect(clippy::disallowed_methods, reason = "the wall time is what is measured")]
    let begun = Instant::now();
    let mut program =
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let (mut peak_kib, mut busy_ms) = (0, 0);
    while program.try_wait().expect("it runs").is_none() {
        peak_kib = peak_kib.max(resident_kib(program.id()));
        busy_ms = busy_ms.max(busy(program.id()));
        wait(LOOK);
    }
    let wall_ms = begun.elapsed().as_millis() as u64;
    let card = last_line(&home.succeed(["sweep", "show", "many", "--json"]));
    let done = card["done"].as_u64().unwrap_or_default();
    Played { wall_ms, busy_ms, calls: server.requests() as u64, done, peak_kib }
}

/// Memory of a process that lies in RAM and in no file; 0 where the system does not say.
fn resident_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.split_whitespace().next()).and_then(|kib| kib.parse().ok()).unwrap_or_default()
}

/// Milliseconds that a process had of the processors; 0 where the system does not say.
fn busy(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok());
    ticks.sum::<u64>() * 10
}

/// What is measured here is waiting itself: a server that is so slow, and how often its client is looked at.
fn wait(time: Duration) {
    let (_sender, never) = mpsc::channel::<()>();
    never.recv_timeout(time).ok();
}
