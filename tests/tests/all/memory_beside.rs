//! Promise: the memory agent's model is asked beside a turn, where its server can answer meanwhile; nobody pays twice for what it said.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use twicetold_improv::improvise;
use twicetold_tests::{Home, Response, Server, last_line};

const RUN: [&str; 5] = ["run", "configuration/campaigns/the-borrowed-boat.toml", "--seed", "9", "--quiet"];
/// Longer than anything here takes: a test that waits for ever tells nobody why.
const LONG: Duration = Duration::from_secs(120);
/// Looks at a folder for the same reason: some microseconds each.
const LOOKS: u32 = 5_000_000;

fn improvised(body: &str) -> Response {
    Response::Body(improvise(body))
}

/// A home in which the memory agent has a server of its own, and much to do.
fn home(others: &Server, memory: &Server) -> Home {
    let home = Home::new();
    home.configure(&others.base_url(), "");
    let models = std::fs::read_to_string(home.path("configuration/models.toml")).expect("it is there");
    let of_memory = format!("provider = \"openai\"\nbase_url = {:?}\nmodel = \"memory\"", memory.base_url());
    let models = format!("{models}[model.remembers]\n{of_memory}\n[seat]\nmemory = \"remembers\"\n");
    home.write("configuration/models.toml", &models);
    home.write(".config/twicetold/models.toml", models);
    home.edit("configuration/limits.toml", "history_messages_max = 32", "history_messages_max = 8");
    home
}

/// The calls of the newest campaign in order: is it a summary, is it the memory agent's, and in which turn.
fn calls(home: &Home) -> Vec<(bool, bool, u64)> {
    let log = home.succeed(["log", "last", "--json"]);
    let events = log.lines().map(last_line).filter(|event| event["type"] == "ModelCallRequested");
    let call = |event: Value| {
        let is_summary = event["data"]["purpose"].to_string().contains("Summary\"")
            && !event["data"]["purpose"].to_string().contains("DialogueSummary");
        (
            is_summary,
            event["data"]["seat"].to_string().contains("memory"),
            event["turn"].as_u64().expect("a turn"),
        )
    };
    events.map(call).collect()
}

/// The replies that are kept beside the journals.
fn kept(home: &Home) -> usize {
    let views = std::fs::read_dir(home.path("data/views")).into_iter().flatten().flatten();
    views.filter(|file| file.path().extension().is_some_and(|end| end == "ahead")).count()
}

#[test]
fn a_summary_is_asked_for_while_the_turn_goes_on_and_paid_once_although_the_program_is_killed() {
    let (others, memory) =
        (Server::start(|_, body| improvised(body)), Server::start(|_, body| improvised(body)));
    let undisturbed = home(&others, &memory);
    undisturbed.succeed(RUN);
    let story = |home: &Home| last_line(&home.succeed(["replay", "last", "--json"]))["story"].clone();
    let calls_of = calls(&undisturbed);
    assert_eq!(calls_of.iter().filter(|(_, is_memory, _)| *is_memory).count(), memory.requests());
    assert_eq!(kept(&undisturbed), 0, "what is in the journal is not kept beside it");
    let (_, _, turn) = *calls_of.iter().find(|(is_summary, ..)| *is_summary).expect("a summary");
    // The first call of the turn at whose end it is decided, counted among those of the others.
    let of_others = calls_of.iter().filter(|(_, is_memory, _)| !is_memory);
    let waited = of_others.clone().position(|(_, _, of)| *of == turn).expect("a turn has a call");

    // That call is held back until the memory agent has been asked, and then until the program is killed.
    let (asked, is_asked): (Sender<()>, Receiver<()>) = channel();
    let (held, is_held): (Sender<bool>, Receiver<bool>) = channel();
    let is_asked = Mutex::new(is_asked);
    let others = Server::start(move |number, body| {
        if number == waited {
            let came = is_asked.lock().expect("no panic").recv_timeout(LONG).is_ok();
            held.send(came).expect("the test listens");
            return Response::Silence;
        }
        improvised(body)
    });
    let asked = Arc::new(Mutex::new(asked));
    let memory = Server::start(move |_, body| {
        if body.contains("one new summary") {
            let _ = asked.lock().expect("no panic").send(());
        }
        improvised(body)
    });
    let home = home(&others, &memory);
    let mut program = home.command(RUN).spawn().expect("the program starts");
    assert!(
        is_held.recv_timeout(LONG).expect("the call is made"),
        "nobody asked the memory agent beside the turn"
    );
    let is_kept = (0..LOOKS).any(|_| {
        std::thread::yield_now();
        kept(&home) > 0
    });
    assert!(is_kept, "the reply is not kept");
    program.kill().expect("it runs");
    program.wait().expect("it ends");
    home.succeed(["resume", "last", "--quiet"]);
    let recorded = calls(&home).iter().filter(|(_, is_memory, _)| *is_memory).count();
    assert_eq!(memory.requests(), recorded, "each call of the memory agent was made once");
    assert_eq!((story(&home), kept(&home)), (story(&undisturbed), 0));
}
