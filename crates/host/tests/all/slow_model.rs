//! Promise: a model that writes five tokens a second plays a whole campaign with default settings, and no call is made twice.
//!
//! The server and the campaign share a clock that stands still until the server has read or written something.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, advance};
use twicetold_cast::{PlaySetup, Stop, play};
use twicetold_event::{Event, Input, Millis};
use twicetold_host::measured::Measurements;
use twicetold_host::seats::{Models, providers, seats};
use twicetold_improv::improvise;
use twicetold_session::entries;
use twicetold_tests::Game;

/// So fast it writes, and reads: a processor without a graphics card.
const TOKENS_WRITTEN_PER_SECOND: u32 = 5;
const TOKENS_READ_PER_SECOND: u32 = 20;
const TOKEN_BYTES: usize = 4;

/// Tokens that it thinks before it says anything: as long as a server may say nothing by default, if it did not send them.
const TOKENS_THOUGHT: usize = 600;

/// What the server was asked, and how long its longest answer took.
#[derive(Default)]
struct Seen {
    bodies: Vec<String>,
    longest: Duration,
}

/// Answers until a call is given up.
async fn serve(listener: TcpListener, seen: Arc<Mutex<Seen>>) {
    while let Ok((mut stream, _)) = listener.accept().await {
        let began = Instant::now();
        let body = read_request(&mut stream).await;
        // What is asked beside the calls is not known.
        if body.is_empty() {
            let none = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            let _ = stream.write_all(none.as_bytes()).await;
            continue;
        }
        seen.lock().unwrap().bodies.push(body.clone());
        let read = (body.len() / TOKEN_BYTES) as u32;
        advance(Duration::from_secs(1) * read / TOKENS_READ_PER_SECOND).await;
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        let mut is_heard = stream.write_all(head.as_bytes()).await.is_ok();
        for delta in deltas(&improvise(&body)) {
            advance(Duration::from_secs(1) / TOKENS_WRITTEN_PER_SECOND).await;
            let chunk = json!({"choices": [{"index": 0, "delta": delta}]});
            is_heard &= stream.write_all(format!("data: {chunk}\n\n").as_bytes()).await.is_ok();
        }
        let _ = stream.write_all(b"data: [DONE]\n\n").await;
        if !is_heard {
            return;
        }
        let mut seen = seen.lock().unwrap();
        seen.longest = seen.longest.max(began.elapsed());
    }
}

/// The body of a request.
async fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return body.to_owned();
            }
        }
        if stream.read_buf(&mut bytes).await.unwrap() == 0 {
            return String::new();
        }
    }
}

/// A reply as the tokens that it is written in, what it thinks first.
fn deltas(reply: &str) -> Vec<Value> {
    let reply: Value = serde_json::from_str(reply).unwrap();
    let message = &reply["choices"][0]["message"];
    let tokens = |text: &Value| -> Vec<String> {
        let characters: Vec<char> = text.as_str().unwrap_or_default().chars().collect();
        characters.chunks(TOKEN_BYTES).map(|token| token.iter().collect()).collect()
    };
    let thought = (0..TOKENS_THOUGHT).map(|token| json!({"reasoning_content": format!("{token}, ")}));
    let mut deltas: Vec<Value> = thought.collect();
    deltas.extend(tokens(&message["content"]).into_iter().map(|token| json!({"content": token})));
    for (index, call) in message["tool_calls"].as_array().into_iter().flatten().enumerate() {
        let (id, function) = (&call["id"], &call["function"]);
        let begun = json!({"index": index, "id": id, "function": {"name": function["name"]}});
        deltas.push(json!({"tool_calls": [begun]}));
        deltas.extend(
            tokens(&function["arguments"])
                .into_iter()
                .map(|token| json!({"tool_calls": [{"index": index, "function": {"arguments": token}}]})),
        );
    }
    deltas
}

#[test]
fn a_model_at_five_tokens_a_second_is_never_asked_twice() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.unwrap().block_on(async {
        // A clock that stands still would go on to the next limit of time whenever everybody waits for a socket; not while a thread
        // of the runtime is at work.
        let (done, until_done) = mpsc::channel::<()>();
        let work = tokio::task::spawn_blocking(move || until_done.recv().is_ok());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen: Arc<Mutex<Seen>> = Arc::default();
        let server = tokio::spawn(serve(listener, seen.clone()));

        // An entry of models.toml that says nothing that it need not say.
        let entry = format!("provider = \"openai\"\nbase_url = \"http://{address}/v1\"\nmodel = \"slow\"\n");
        let folder = tempfile::tempdir().unwrap();
        let text = format!("default = \"slow\"\n[model.slow]\n{entry}");
        std::fs::write(folder.path().join("models.toml"), text).unwrap();
        let models = Models::of(Some(folder.path())).unwrap();
        let measurements = Measurements::new(folder.path());
        let mut game = Game::of("the-borrowed-boat", 5);
        let (seats, mapping) =
            seats(&models, &measurements, game.setup().seats.players, &[], &mut |_| ()).unwrap();
        let file = game.files.iter_mut().find(|file| file.path == "seats.toml").unwrap();
        file.text = toml::to_string(&seats).unwrap().into();
        let providers = providers(&game.setup(), &mapping).unwrap();
        let (session, _memory, opening) = game.session();
        let began = Instant::now();
        let clock = Arc::new(move || Millis(1_000_000 + began.elapsed().as_millis() as u64));
        let setup = PlaySetup::new(session, providers, clock, vec![opening]);
        let mut playing = play(setup).await.unwrap();
        let (stop, session) = tokio::select! {
            finished = playing.finished() => finished,
            _ = server => panic!("a call was given up"),
        };
        done.send(()).unwrap();
        work.await.unwrap();

        assert_eq!(stop.unwrap(), Stop::Ended);
        let session = session.unwrap();
        let mut requested = 0;
        for entry in entries(session.journal()).unwrap() {
            let entry = entry.unwrap();
            assert!(!matches!(entry.input, Input::ModelFailed(_)), "{:?}", entry.input);
            requested +=
                entry.events.iter().filter(|event| matches!(event, Event::ModelCallRequested(_))).count();
        }
        let seen = seen.lock().unwrap();
        assert_eq!(seen.bodies.len(), requested, "each call is made once");
        assert_eq!(seen.bodies.iter().collect::<BTreeSet<_>>().len(), requested);
        // It took longer than a server may say nothing, and the whole campaign more than an hour.
        assert!(requested > 20 && seen.longest > Duration::from_secs(300), "{:?}", seen.longest);
        assert!(began.elapsed() > Duration::from_secs(3_600), "{:?}", began.elapsed());
    });
}
