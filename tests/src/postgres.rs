//! A PostgreSQL server of the tests' own, on loopback and in a folder that is removed with it.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Mutex, OnceLock};
use std::thread::JoinHandle;

use tempfile::TempDir;

use crate::skipped;

/// What is skipped without a server.
const WHAT: &str = "campaigns in PostgreSQL";

/// Starts the server, and then does what is written to it until nobody is there who could write: it stops at last, however the test ends.
const SCRIPT: &str = r#"
set -u
export PATH="$1:$PATH" LC_ALL=C
data=$2/data
initdb -D "$data" -U tester --auth=trust --no-sync -E UTF8 >"$2/log" 2>&1 || { echo "initdb: $(tail -1 "$2/log")"; exit 1; }
begin() {
  pg_ctl -w -D "$data" -l "$2/log" -o "-p $3 -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=100 $4" start \
    >/dev/null 2>&1 && echo ready || echo "start: $(tail -1 "$2/log")"
}
begin "$@"
while read -r word; do
  case $word in
    crash) pg_ctl -w -D "$data" -m immediate stop >/dev/null 2>&1; echo ready ;;
    start) begin "$@" ;;
  esac
done
pg_ctl -w -D "$data" -m immediate stop >/dev/null 2>&1
rm -rf "$data"
"#;

/// A running server.
pub struct Server {
    shell: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    port: u16,
    _folder: TempDir,
}

impl Server {
    /// Starts one with some options for `postgres`, or says why it cannot.
    ///
    /// # Errors
    /// There is no server on this machine, or it does not start.
    pub fn start(options: &str) -> Result<Server, String> {
        let programs =
            programs().ok_or("there is no PostgreSQL server (postgresql is its package in Debian)")?;
        let folder = TempDir::new().map_err(|error| error.to_string())?;
        // It does not run as root.
        let is_root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
        let mut shell = if is_root {
            let owned = Command::new("chown").arg("postgres").arg(folder.path()).status();
            if !owned.is_ok_and(|status| status.success()) {
                return Err("there is no user postgres".into());
            }
            let mut shell = Command::new("runuser");
            shell.args(["-u", "postgres", "--", "sh", "-c", SCRIPT]);
            shell
        } else {
            let mut shell = Command::new("sh");
            shell.args(["-c", SCRIPT]);
            shell
        };
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.map_err(|error| error.to_string())?.port();
        let mut shell = shell
            .arg("database")
            .arg(&programs)
            .arg(folder.path())
            .arg(port.to_string())
            .arg(options)
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let orders = shell.stdin.take();
        let answers = BufReader::new(shell.stdout.take().ok_or("no output")?);
        let mut server = Server { shell, orders, answers, port, _folder: folder };
        match server.answer().as_str() {
            "ready" => Ok(server),
            why => Err(why.to_owned()),
        }
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("the server's shell answers");
        line.trim().to_owned()
    }

    fn order(&mut self, word: &str) {
        let orders = self.orders.as_mut().expect("its shell runs");
        writeln!(orders, "{word}").expect("its shell listens");
        assert_eq!(self.answer(), "ready", "{word}");
    }

    /// Ends it as a loss of power would, but for what the system still holds.
    pub fn crash(&mut self) {
        self.order("crash");
    }

    /// Starts it again.
    pub fn start_again(&mut self) {
        self.order("start");
    }

    /// Its port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// A new, empty database, by its address.
    pub fn database(&self) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", COUNT.fetch_add(1, Ordering::Relaxed));
        self.sql("postgres", &format!("CREATE DATABASE {name}"));
        format!("postgres://tester@127.0.0.1:{}/{name}", self.port)
    }

    /// What `psql` prints for statements: rows without frames.
    pub fn sql(&self, database: &str, statements: &str) -> String {
        let done = self.psql(database).args(["-c", statements]).output().expect("psql starts");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).trim().to_owned()
    }

    /// What `psql` prints for a query as a table for people.
    pub fn table(&self, database: &str, query: &str) -> String {
        let frames = ["-P", "tuples_only=off", "-P", "format=aligned", "-P", "footer=off", "-c", query];
        let done = self.psql(database).args(frames).output().expect("psql starts");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let lines = String::from_utf8_lossy(&done.stdout);
        lines.trim_matches('\n').lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    /// A statement whose transaction is left open until it is told to let go, and then undone.
    pub fn held(
        &self,
        database: &str,
        statement: &str,
        done: Sender<()>,
        let_go: Receiver<()>,
    ) -> JoinHandle<()> {
        let mut psql = self.psql(database);
        let mut session = psql.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("psql starts");
        let statement = statement.to_owned();
        std::thread::spawn(move || {
            let mut orders = session.stdin.take().expect("it reads");
            let mut answers = BufReader::new(session.stdout.take().expect("it writes"));
            writeln!(orders, "BEGIN; {statement}; SELECT 'done';").expect("it listens");
            let mut line = String::new();
            answers.read_line(&mut line).expect("it answers");
            assert_eq!(line.trim(), "done");
            let _ = done.send(());
            let _ = let_go.recv();
            drop(orders);
            session.wait().expect("it ends");
        })
    }

    /// Waits until a statement of a database that begins so waits for another session.
    pub fn wait_for_waiting(&self, database: &str, statement: &str) {
        let waiting = format!(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE '{statement}%'"
        );
        while self.sql(database, &waiting) == "0" {}
    }

    fn psql(&self, database: &str) -> Command {
        let programs = programs().expect("there is a server");
        let mut psql = Command::new(programs.join("psql"));
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-U", "tester", "-p"])
            .arg(self.port.to_string())
            .args(["-d", database.rsplit('/').next().unwrap_or(database)]);
        psql
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.orders.take());
        let _ = self.shell.wait();
    }
}

/// One server for all tests of a process, until the process ends; none where it cannot be had, which is said once.
pub fn server() -> Option<std::sync::MutexGuard<'static, Server>> {
    static SERVER: OnceLock<Option<Mutex<Server>>> = OnceLock::new();
    let server = SERVER.get_or_init(|| match Server::start("") {
        Ok(server) => Some(Mutex::new(server)),
        Err(why) => {
            skipped(WHAT, why);
            None
        }
    });
    // A test that failed has broken nothing of it.
    server.as_ref().map(|server| server.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// Where the server's programs lie: Debian keeps them by version, and out of the way.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut folders: Vec<PathBuf> =
        versions.filter_map(|entry| Some(entry.ok()?.path().join("bin"))).collect();
    folders.sort();
    let found = Command::new("pg_config").arg("--bindir").output();
    if let Ok(found) = found {
        folders.push(Path::new(String::from_utf8_lossy(&found.stdout).trim()).to_owned());
    }
    folders.into_iter().rev().find(|folder| folder.join("initdb").exists() && folder.join("psql").exists())
}
