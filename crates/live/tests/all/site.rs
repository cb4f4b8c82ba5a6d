//! A server with its campaigns, and a client that says no more than it is told to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;

use tempfile::TempDir;
use tokio::sync::oneshot;
use twicetold_event::Seat;
use twicetold_event::{CampaignId, Input, PauseAsked};
use twicetold_host::Library;
use twicetold_host::opening::{Opening, open};
use twicetold_host::play::{Happened, Table};
use twicetold_live::{Invitations, Server, Settings};
use twicetold_tests::assert_outlined;

/// A running server.
pub struct Site {
    folder: Option<TempDir>,
    pub at: SocketAddr,
    pub token: String,
    invitations: Invitations,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// An answer.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Site {
    /// A server of an empty folder.
    pub fn new() -> Site {
        Site::of(TempDir::new().expect("there is room for a folder"), Settings::default())
    }

    /// A server of a folder.
    pub fn of(folder: TempDir, settings: Settings) -> Site {
        let library = Library::new(Some(folder.path().to_owned())).expect("a library");
        let (ready, started) = std::sync::mpsc::channel();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            runtime().block_on(async move {
                let server = Server::bind(library, settings).await.expect("a free port");
                ready.send((server.address(), server.invitations())).expect("somebody waits");
                let stop = async move {
                    let _ = stopped.await;
                };
                server.run(stop).await.expect("it ends cleanly");
            });
        });
        let (address, invitations) = started.recv().expect("it starts");
        let (front, token) = address.split_once("/?token=").expect("a token");
        let at = front.strip_prefix("http://").and_then(|at| at.parse().ok()).expect("an address");
        Site {
            folder: Some(folder),
            invitations,
            at,
            token: token.to_owned(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    pub fn library(&self) -> Library {
        Library::new(self.folder.as_ref().map(|folder| folder.path().to_owned())).expect("a library")
    }

    /// Stops, and leaves its folder to another one.
    pub fn taken(mut self) -> TempDir {
        self.folder.take().expect("it has a folder")
    }

    /// The link of a seat.
    pub fn invitation(&self, id: CampaignId, seat: Seat) -> String {
        self.invitations.of(id, seat)
    }

    /// Plays the small bundled campaign to its end, or for so many entries, with the improviser.
    pub fn play(&self, seed: u64, entries: usize) -> CampaignId {
        played(&self.library(), small(seed), entries)
    }

    pub fn cookie(&self) -> String {
        format!("Cookie: twicetold-{}={}", self.at.port(), self.token)
    }

    /// What the owner's browser gets.
    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[&self.cookie()], "")
    }

    /// A page that must be there.
    pub fn page(&self, path: &str) -> String {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    }

    /// Asks with these headers and no others but the server's name.
    pub fn ask(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
        let host = format!("Host: {}", self.at);
        let mut all = vec![host.as_str()];
        all.extend(headers);
        self.raw(method, path, &all, body)
    }

    /// Asks with these headers and no others.
    pub fn raw(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
        let mut stream = self.sent(method, path, headers, body);
        let mut text = Vec::new();
        stream.read_to_end(&mut text).expect("an answer");
        let text = String::from_utf8(text).expect("UTF-8");
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        if body.starts_with("<!DOCTYPE html>") {
            assert_outlined(path, body);
        }
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    fn sent(&self, method: &str, path: &str, headers: &[&str], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.at).expect("it listens");
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        headers.iter().for_each(|header| text += &format!("{header}\r\n"));
        if !body.is_empty() {
            text += &format!(
                "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n",
                body.len()
            );
        }
        stream.write_all(format!("{text}\r\n{body}").as_bytes()).expect("it reads");
        stream
    }

    /// Opens a stream of events with a cookie.
    pub fn stream_as(&self, cookie: &str, path: &str) -> Stream {
        let host = format!("Host: {}", self.at);
        Stream(BufReader::new(self.sent("GET", path, &[host.as_str(), cookie], "")))
    }

    /// Opens a stream of events as the owner.
    pub fn stream(&self, path: &str, headers: &[&str]) -> Stream {
        let (host, cookie) = (format!("Host: {}", self.at), self.cookie());
        let mut all = vec![host.as_str(), cookie.as_str()];
        all.extend(headers);
        Stream(BufReader::new(self.sent("GET", path, &all, "")))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.stop.take().map(|stop| stop.send(()));
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(std::thread::panicking() || matches!(ended, Some(Ok(()))), "the server ends cleanly");
    }
}

/// A stream of server-sent events.
pub struct Stream(BufReader<TcpStream>);

/// An event: its name, its id, its data.
pub struct Sent {
    pub name: String,
    pub id: String,
    pub data: serde_json::Value,
}

impl Stream {
    /// The next event; none when the stream has ended.
    pub fn next(&mut self) -> Option<Sent> {
        let mut sent = Sent { name: String::new(), id: String::new(), data: serde_json::Value::Null };
        let mut line = String::new();
        while self.0.read_line(&mut line).expect("text") > 0 {
            match line.trim_end().split_once(": ") {
                Some(("event", name)) => sent.name = name.to_owned(),
                Some(("id", id)) => sent.id = id.to_owned(),
                Some(("data", data)) => sent.data = serde_json::from_str(data).expect("JSON"),
                _ if line.trim().is_empty() && !sent.name.is_empty() => return Some(sent),
                _ => {}
            }
            line.clear();
        }
        None
    }
}

pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads")
}

/// The small bundled campaign, with the improviser.
pub fn small(seed: u64) -> Opening<'static> {
    Opening { campaign: Some("the-borrowed-boat"), seed: Some(seed), ..Opening::default() }
}

/// Plays a campaign to its end, or for about so many entries.
pub fn played(library: &Library, opening: Opening<'_>, entries: usize) -> CampaignId {
    let game = open(library, opening, &mut |_| {}).expect("it can be opened");
    runtime().block_on(async move {
        let mut table = Table::begin(game).await.expect("it begins");
        let id = table.id();
        let mut committed = 0;
        while let Some(happened) = table.next().await {
            committed += usize::from(matches!(happened, Happened::Committed(_)));
            if committed == entries {
                table.tell(vec![Input::PauseAsked(PauseAsked { reason: "the test has enough".into() })]);
            }
        }
        table.finished().await.expect("it ends");
        id
    })
}
