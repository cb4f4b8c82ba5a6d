//! The real program, run as a person runs it; and a model server on loopback that says what a test wants.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;
use tempfile::TempDir;

/// The program, built once for each run of tests, with the profile of the tests, beside them.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let test = std::env::current_exe().expect("a test knows its own file");
        let beside = test.parent().expect("it lies in a folder");
        // Tests lie in target/PROFILE/deps, other programs one folder higher.
        let folder = if beside.ends_with("deps") { beside.parent() } else { Some(beside) };
        let folder = folder.expect("a profile has a folder");
        let profile = match folder.file_name().and_then(OsStr::to_str) {
            Some("debug") | None => "test",
            Some(other) => other,
        };
        let target = folder.parent().expect("a profile lies in a target folder");
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--offline", "--package", "twicetold-cli", "--bin", "twicetold"]);
        // As the tests have it: one set of features, or everything above it would be compiled twice.
        build.args(["--features", "twicetold-host/postgres,otel"]);
        build.args(["--profile", profile, "--target-dir"]).arg(target);
        // What cargo tells this test of its own package would make it build some dependencies again.
        #[expect(clippy::disallowed_methods, reason = "the variables that cargo sets for tests")]
        let variables = std::env::vars_os().map(|(name, _)| name);
        for name in variables.filter(|name| name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_")))
        {
            build.env_remove(name);
        }
        let status = build
            .env_remove("CARGO_MANIFEST_DIR")
            .current_dir(crate::repository())
            .status()
            .expect("cargo starts");
        assert!(status.success(), "the program does not build");
        folder.join(format!("twicetold{}", std::env::consts::EXE_SUFFIX))
    })
}

/// A folder of its own for one test: data and configuration lie there, and the program runs there.
pub struct Home {
    folder: TempDir,
}

/// How the program ended.
pub struct Outcome {
    /// Its exit code; none when a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it printed to standard error.
    pub stderr: String,
}

impl Default for Home {
    fn default() -> Home {
        Home { folder: TempDir::new().expect("there is room for a folder") }
    }
}

impl Home {
    /// An empty one.
    pub fn new() -> Home {
        Home::default()
    }

    /// Another one with the same files.
    pub fn copy(&self) -> Home {
        let copy = Home::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(self.path("").join(&folder)).expect("it can be read") {
                let entry = entry.expect("it can be read");
                let name = folder.join(entry.file_name());
                let to = copy.path("").join(&name);
                if entry.path().is_dir() {
                    std::fs::create_dir(to).expect("a folder can be made");
                    folders.push(name);
                } else {
                    std::fs::copy(entry.path(), to).expect("it can be copied");
                }
            }
        }
        copy
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program, not yet started, in an environment that holds nothing but where programs lie.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = self.started(Command::new(program()));
        command.args(arguments);
        command
    }

    /// A line for the shell in which `"$TWICETOLD"` is the program.
    pub fn shell(&self, line: &str) -> Outcome {
        let mut command = self.started(Command::new("sh"));
        Outcome::of(command.args(["-c", line]).env("TWICETOLD", program()).output())
    }

    fn started(&self, mut command: Command) -> Command {
        #[expect(clippy::disallowed_methods, reason = "the shell needs to find its programs")]
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.env_clear().env("PATH", path).env("HOME", self.folder.path()).env("TWICETOLD_DATA", "data");
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the program to its end.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Outcome {
        let arguments: Vec<S> = arguments.into_iter().collect();
        let is_json = arguments.iter().any(|argument| argument.as_ref() == "--json");
        let outcome = Outcome::of(self.command(arguments).output());
        for line in outcome.stdout.lines().filter(|_| is_json) {
            assert!(line.starts_with('{') && line.contains("\"form\":"), "this line names no form: {line}");
        }
        outcome
    }

    /// The same, and it must succeed. Gives what was printed.
    pub fn succeed<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        self.run(arguments).succeeded().stdout
    }

    /// Plays the small bundled campaign with the improviser and gives the card.
    pub fn play(&self, seed: u64) -> Value {
        let seed = seed.to_string();
        last_line(&self.succeed(["run", "the-borrowed-boat", "--seed", &seed, "--json"]))
    }

    /// The files of its campaigns, by name.
    pub fn campaigns(&self) -> Vec<PathBuf> {
        let folder = std::fs::read_dir(self.path("data/campaigns")).into_iter().flatten();
        let mut files: Vec<PathBuf> = folder.map(|file| file.expect("it can be read").path()).collect();
        files.sort();
        files
    }

    /// As if all of it had been written long ago: what nobody has written to for a while nobody writes any more.
    pub fn grow_old(&self) {
        let mut folders = vec![self.path("")];
        let long_ago = UNIX_EPOCH + Duration::from_secs(3_600);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("it can be read").flatten() {
                if entry.path().is_dir() {
                    folders.push(entry.path());
                }
                let file = std::fs::File::open(entry.path()).expect("it can be opened");
                file.set_modified(long_ago).expect("its time can be set");
            }
        }
    }

    /// Writes a configuration folder `configuration` with waits of a few milliseconds, and puts its models.toml into the user's own
    /// configuration folder too: the only model, `server`, is at `base_url`. `more` are further lines of the model.
    pub fn configure(&self, base_url: &str, more: &str) {
        self.succeed(["init", "configuration"]);
        let model = format!("provider = \"openai\"\nbase_url = {base_url:?}\nmodel = \"loopback\"\n{more}");
        let models = format!("default = \"server\"\n[model.server]\n{model}\n");
        self.write("configuration/models.toml", &models);
        std::fs::create_dir_all(self.path(".config/twicetold")).expect("a folder can be made");
        self.write(".config/twicetold/models.toml", models);
        let limits = std::fs::read_to_string(self.path("configuration/limits.toml")).expect("init wrote it");
        let kept = limits.lines().filter(|line| !line.starts_with("retry_"));
        let limits = kept.map(|line| format!("{line}\n")).collect::<String>();
        self.write(
            "configuration/limits.toml",
            format!("retry_first_ms = 1\nretry_wait_ms_max = 5\n{limits}"),
        );
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).expect("a file can be written");
    }

    /// Replaces a piece of a file; panics when it is not there, so that no test changes nothing by mistake.
    pub fn edit(&self, name: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.path(name)).expect("the file is there");
        assert!(text.contains(from), "{name} does not hold {from:?}");
        self.write(name, text.replace(from, to));
    }
}

impl Outcome {
    /// What a program that was waited for did.
    pub fn of(output: std::io::Result<Output>) -> Outcome {
        let output = output.expect("the program starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program prints UTF-8");
        let outcome =
            Outcome { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
        assert!(!outcome.stderr.contains("panicked at"), "{}", outcome.stderr);
        assert_ne!(outcome.code, Some(101), "{}", outcome.stderr);
        crate::forms::check(&outcome.stdout);
        outcome
    }

    /// Panics unless it succeeded.
    pub fn succeeded(self) -> Outcome {
        assert_eq!(self.code, Some(0), "{}{}", self.stdout, self.stderr);
        self
    }

    /// Panics unless it failed with this code and printed these texts, wherever its lines were broken.
    pub fn failed(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
        let said = flat(&self.stderr);
        for wanted in words {
            assert!(said.contains(wanted), "{wanted:?} is not in {said}");
        }
    }
}

/// Text on one line, without the frames around messages.
pub fn flat(text: &str) -> String {
    text.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The last line of what was printed, as JSON.
pub fn last_line(stdout: &str) -> Value {
    let line = stdout.lines().last().expect("something was printed");
    serde_json::from_str(line).expect("every line is JSON")
}

/// What the server does with a request.
pub enum Response {
    /// 200 with this body.
    Body(String),
    /// A status such as `429 Too Many Requests` with this body.
    Status(&'static str, String),
    /// 200 with this body, which ends after so many bytes although its length says otherwise.
    Cut(String, usize),
    /// 200 with this many bytes of nothing in particular.
    Flood(usize),
    /// Nothing, with the connection open until the client hangs up.
    Silence,
}

/// A model server on loopback, which answers each request by a closure: the number of the request, from 0, and its body.
pub struct Server {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
    stopped: Arc<AtomicBool>,
}

/// What a server says at an address that is only read; nothing: that is a request like any other, with an empty body.
type Pages = dyn Fn(&str) -> Option<Response> + Send + Sync;

/// What a server says that has nothing to read.
fn nothing_here(_: &str) -> Option<Response> {
    Some(Response::Status("404 Not Found", r#"{"error":{"message":"there is no such page"}}"#.to_owned()))
}

/// Any port that is free.
fn any_port() -> SocketAddr {
    "127.0.0.1:0".parse().expect("an address")
}

/// An address at which nobody listens. A connection goes out from this port as long as this value lives, so nobody else begins to listen
/// there either; and it is an address of its own where the system has one, so that no connection of another test takes the port afterwards.
pub struct Nowhere {
    address: SocketAddr,
    _from_there: TcpStream,
    _to: TcpListener,
}

impl Nowhere {
    fn new() -> Nowhere {
        let own = if cfg!(target_os = "linux") { "127.0.0.2:0" } else { "127.0.0.1:0" };
        let to = TcpListener::bind(own).expect("there is a free port");
        let from_there = to.local_addr().and_then(TcpStream::connect).expect("it listens");
        let address = from_there.local_addr().expect("it is bound");
        Nowhere { address, _from_there: from_there, _to: to }
    }
}

impl std::fmt::Display for Nowhere {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.address.fmt(to)
    }
}

/// Listens at an address that was free a moment ago: a connection that somebody is just closing may have its port for a while longer.
fn bound(address: SocketAddr) -> TcpListener {
    const TRIES: usize = 200_000;
    for _ in 1..TRIES {
        match TcpListener::bind(address) {
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => std::thread::yield_now(),
            bound => return bound.expect("the port is free"),
        }
    }
    TcpListener::bind(address).expect("the port is free")
}

impl Server {
    /// Starts one on a port that is free. Requests are calls; there is nothing else to read.
    pub fn start(answer: impl Fn(usize, &str) -> Response + Send + Sync + 'static) -> Server {
        Server::serving(any_port(), Box::new(nothing_here), answer)
    }

    /// The same where nobody listened so far.
    pub fn start_at(
        nowhere: Nowhere,
        answer: impl Fn(usize, &str) -> Response + Send + Sync + 'static,
    ) -> Server {
        let address = nowhere.address;
        drop(nowhere);
        Server::serving(address, Box::new(nothing_here), answer)
    }

    /// An address at which nobody listens.
    pub fn nowhere() -> Nowhere {
        Nowhere::new()
    }

    /// One whose list of models is a request like any other, with an empty body.
    pub fn listing(answer: impl Fn(usize, &str) -> Response + Send + Sync + 'static) -> Server {
        let pages = |path: &str| if path.ends_with("/models") { None } else { nothing_here(path) };
        Server::serving(any_port(), Box::new(pages), answer)
    }

    /// One that says more about itself, by the path that is read.
    pub fn with_pages(
        pages: impl Fn(&str) -> Response + Send + Sync + 'static,
        answer: impl Fn(usize, &str) -> Response + Send + Sync + 'static,
    ) -> Server {
        Server::serving(any_port(), Box::new(move |path| Some(pages(path))), answer)
    }

    fn serving(
        address: SocketAddr,
        pages: Box<Pages>,
        answer: impl Fn(usize, &str) -> Response + Send + Sync + 'static,
    ) -> Server {
        let listener = bound(address);
        let address = listener.local_addr().expect("it is bound");
        let (requests, stopped) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (count, stop, answer) = (requests.clone(), stopped.clone(), Arc::new(answer));
        let pages: Arc<Pages> = Arc::from(pages);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let (count, answer, pages) = (count.clone(), answer.clone(), pages.clone());
                // Whoever hangs up in the middle of an answer is no concern of the server.
                std::thread::spawn(move || {
                    stream.and_then(|stream| serve(stream, &count, pages.as_ref(), answer.as_ref())).ok()
                });
            }
        });
        Server { address, requests, stopped }
    }

    /// Its base URL.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Requests so far.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        // Wakes the thread that accepts.
        drop(TcpStream::connect(self.address));
    }
}

/// One connection: one request, one answer.
fn serve(
    stream: TcpStream,
    count: &AtomicUsize,
    pages: &Pages,
    answer: &dyn Fn(usize, &str) -> Response,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let (mut line, mut length) = (String::new(), 0);
    reader.read_line(&mut line)?;
    let page = line.strip_prefix("GET ").and_then(|rest| pages(rest.split(' ').next().unwrap_or_default()));
    line.clear();
    while reader.read_line(&mut line)? > 2 {
        let header = line.to_ascii_lowercase();
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = String::from_utf8_lossy(&body);
    let mut stream = reader.get_ref();
    match page.unwrap_or_else(|| answer(count.fetch_add(1, Ordering::SeqCst), &body)) {
        Response::Body(body) => send(stream, "200 OK", body.len(), body.as_bytes()),
        Response::Status(status, body) => send(stream, status, body.len(), body.as_bytes()),
        Response::Cut(body, at) => send(stream, "200 OK", body.len(), &body.as_bytes()[..at]),
        Response::Flood(length) => {
            send(stream, "200 OK", length, b"")?;
            let block = [b' '; 1 << 16];
            (0..length / block.len()).try_for_each(|_| stream.write_all(&block))
        }
        Response::Silence => stream.read(&mut [0]).map(drop),
    }
}

fn send(mut stream: &TcpStream, status: &str, length: usize, body: &[u8]) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(&[head.as_bytes(), body].concat())
}
