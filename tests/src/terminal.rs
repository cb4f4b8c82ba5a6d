//! A terminal for the program: a pseudo-terminal, of 80 columns where nothing else is said, on which a test types as a person does.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

/// Columns of a terminal of which no width is said.
pub const COLUMNS: usize = 80;

/// With this the line editor says that it waits for keys.
const READY: &str = "\u{1b}[?2004h";

/// How long a program may say nothing before it counts as stuck.
const STUCK: Duration = Duration::from_secs(180);

/// A program on a terminal.
pub struct Terminal {
    process: Pid,
    ended: mpsc::Receiver<Ended>,
    keys: File,
    printed: mpsc::Receiver<Vec<u8>>,
    bytes: Vec<u8>,
    seen: usize,
}

/// How the program ended.
pub struct Ended {
    /// Its exit code; none after a signal.
    pub code: Option<i32>,
    /// Does the terminal work as it did before?
    pub restored: bool,
    /// All that was printed.
    pub text: String,
}

impl Terminal {
    /// Starts a program on a terminal of its own.
    pub fn start(command: Command) -> Terminal {
        Terminal::of_width(command, COLUMNS as u16)
    }

    /// Starts a program on a terminal with so many columns.
    pub fn of_width(mut command: Command, columns: u16) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&master).and_then(|()| unlockpt(&master)).expect("it can be used");
        let name = ptsname(&master, Vec::new()).expect("it has a name");
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let slave = rustix::fs::open(name, flags, Mode::empty()).expect("its other end");
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&slave, size).expect("it has a size");
        let end = || Stdio::from(slave.try_clone().expect("a second handle"));
        let mut child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("the program starts");
        // The command holds handles of the terminal: as long as they are open, reading it never ends.
        drop(command);
        let process = Pid::from_child(&child);
        let (sender, ended) = mpsc::channel();
        std::thread::spawn(move || {
            let status = child.wait().expect("it can be waited for");
            let modes = tcgetattr(&slave).expect("the terminal is there").local_modes;
            let restored = modes.contains(LocalModes::ICANON | LocalModes::ECHO);
            sender.send(Ended { code: status.code(), restored, text: String::new() }).ok();
        });
        let keys = File::from(master);
        let printed = read_on(keys.try_clone().expect("a second handle"));
        Terminal { process, ended, keys, printed, bytes: Vec::new(), seen: 0 }
    }

    /// Waits until the program waits for a line, and gives what it printed since the last time; none when it has ended instead.
    pub fn asked(&mut self) -> Option<String> {
        loop {
            let new = String::from_utf8_lossy(&self.bytes[self.seen..]).into_owned();
            if let Some(at) = new.find(READY) {
                self.seen += at + READY.len();
                return Some(new[..at].to_owned());
            }
            match self.printed.recv_timeout(STUCK) {
                Ok(block) => self.bytes.extend(block),
                Err(mpsc::RecvTimeoutError::Disconnected) => return None,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("stuck after:\n{}", self.text()),
            }
        }
    }

    /// Waits until the program has printed a text since the last time.
    pub fn until(&mut self, text: &str) {
        loop {
            let new = String::from_utf8_lossy(&self.bytes[self.seen..]).into_owned();
            if let Some(at) = new.find(text) {
                self.seen += at + text.len();
                return;
            }
            match self.printed.recv_timeout(STUCK) {
                Ok(block) => self.bytes.extend(block),
                Err(_) => panic!("{text:?} was not printed:\n{}", self.text()),
            }
        }
    }

    /// Presses these keys.
    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Types a line, with return.
    pub fn line(&mut self, text: &str) {
        self.press(&format!("{text}\r"));
    }

    /// Sends the program a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(self.process, signal).expect("it is there");
    }

    /// Waits until the program ends.
    pub fn end(mut self) -> Ended {
        while let Ok(block) = self.printed.recv_timeout(STUCK) {
            self.bytes.extend(block);
        }
        let ended = self.ended.recv_timeout(STUCK);
        let ended = ended.unwrap_or_else(|_| panic!("stuck after:\n{}", self.text()));
        Ended { text: self.text(), ..ended }
    }

    /// All that was printed so far.
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A test that failed leaves no program behind.
        if let Err(mpsc::TryRecvError::Empty) = self.ended.try_recv() {
            let _ = kill_process(self.process, Signal::KILL);
        }
    }
}

/// Hands on what is printed, until the program's end of the terminal is closed: that reads as an error, or as an end.
fn read_on(mut screen: File) -> mpsc::Receiver<Vec<u8>> {
    let (sender, printed) = mpsc::channel();
    std::thread::spawn(move || {
        let mut block = [0; 4096];
        while let Ok(count @ 1..) = screen.read(&mut block) {
            if sender.send(block[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    printed
}

/// What stands on the screen, piece by piece between line breaks and returns to a line's start, without what a terminal obeys.
pub fn on_screen(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '\u{1b}' {
            plain.push(letter);
            continue;
        }
        if letters.next_if_eq(&'[').is_some() {
            while letters.next().is_some_and(|letter| !('@'..='~').contains(&letter)) {}
        }
    }
    plain.split(['\r', '\n']).map(str::to_owned).collect()
}
