//! Long texts on a terminal: a pager shows them where they are longer than the screen.

use std::io::{ErrorKind, IsTerminal, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use textwrap::core::display_width;

use crate::failure::Failure;
use crate::signals::StopSignals;
use crate::terminal::{fitted, printed};

/// Does the command line say that there is to be no pager?
static OFF: AtomicBool = AtomicBool::new(false);

/// From now on everything is printed as it is.
pub fn turn_off() {
    OFF.store(true, Ordering::Relaxed);
}

/// Prints a text, by the pager where it is longer than the screen.
pub fn page(text: &str) -> Result<(), Failure> {
    page_as_it_is(&fitted(text))
}

/// The same for what a program reads: no line is broken.
pub fn page_as_it_is(text: &str) -> Result<(), Failure> {
    let mut output = Output::new();
    let result = output.put(text);
    output.finish(result)
}

/// A text that is printed piece by piece. What fits the screen is held back until it is known whether there is more.
pub struct Output {
    state: State,
    /// Columns and rows of the screen, where there is one and its pager is wanted.
    screen: Option<(usize, usize)>,
}

enum State {
    /// So much was written, in so many rows.
    Held(String, usize),
    Paged(Pager),
    Plain(std::io::BufWriter<anstream::Stdout>),
}

/// A pager that runs.
struct Pager {
    child: Child,
    colours: bool,
    /// Ctrl-C is the pager's while it runs.
    _signals: Option<(tokio::runtime::Runtime, StopSignals)>,
}

impl Output {
    /// Nothing is written yet.
    pub fn new() -> Output {
        let wanted = !OFF.load(Ordering::Relaxed) && std::io::stdout().is_terminal();
        let size = terminal_size::terminal_size().filter(|_| wanted);
        match size.map(|(columns, rows)| (usize::from(columns.0), usize::from(rows.0))) {
            Some((columns @ 1.., rows @ 1..)) => {
                Output { state: State::Held(String::new(), 0), screen: Some((columns, rows)) }
            }
            _ => Output { state: State::Plain(plain()), screen: None },
        }
    }

    /// Writes more. An error says that nobody reads any more.
    pub fn write(&mut self, text: &str) -> std::io::Result<()> {
        self.put(&fitted(text))
    }

    fn put(&mut self, text: &str) -> std::io::Result<()> {
        if let (State::Held(held, used), Some((columns, rows))) = (&mut self.state, self.screen) {
            held.push_str(text);
            let of_line = |line: &str| display_width(line).div_ceil(columns).max(1);
            *used += text.lines().map(of_line).sum::<usize>();
            if *used < rows {
                return Ok(());
            }
            let held = std::mem::take(held);
            self.state = Pager::start().map_or_else(|| State::Plain(plain()), State::Paged);
            return self.give(&held);
        }
        self.give(text)
    }

    fn give(&mut self, text: &str) -> std::io::Result<()> {
        match &mut self.state {
            State::Held(held, _) => held.push_str(text),
            State::Paged(pager) => return pager.write(text),
            State::Plain(out) => return out.write_all(text.as_bytes()),
        }
        Ok(())
    }

    /// Ends the text: waits until the pager is left. `result` is how the last piece was written.
    pub fn finish(mut self, result: std::io::Result<()>) -> Result<(), Failure> {
        if let State::Held(held, _) = &mut self.state {
            let held = std::mem::take(held);
            self.state = State::Plain(plain());
            self.give(&held).map_or_else(|error| printed(Err(error)), Ok)?;
        }
        match self.state {
            State::Plain(mut out) => printed(result.and_then(|()| out.flush())),
            State::Paged(pager) => {
                pager.wait();
                printed(result)
            }
            State::Held(..) => Ok(()),
        }
    }
}

fn plain() -> std::io::BufWriter<anstream::Stdout> {
    std::io::BufWriter::new(anstream::stdout())
}

impl Pager {
    /// The pager of whoever sits there; none where none is wanted or it does not start.
    fn start() -> Option<Pager> {
        let line = command_line();
        let mut words = line.split_whitespace();
        let mut command = Command::new(words.next()?);
        command.args(words).stdin(Stdio::piped());
        if variable("LESS").is_none() {
            command.env("LESS", "FRX");
        }
        // What is printed is UTF-8, also where no locale says so.
        if variable("LESSCHARSET").is_none() {
            command.env("LESSCHARSET", "utf-8");
        }
        let child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                tracing::debug!(%error, line, "the pager does not start");
                return None;
            }
        };
        let colours = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
        Some(Pager { child, colours, _signals: signals() })
    }

    fn write(&mut self, text: &str) -> std::io::Result<()> {
        let Some(input) = &mut self.child.stdin else { return Err(ErrorKind::BrokenPipe.into()) };
        match self.colours {
            true => input.write_all(text.as_bytes()),
            false => write!(input, "{}", anstream::adapter::strip_str(text)),
        }
    }

    fn wait(mut self) {
        drop(self.child.stdin.take());
        // How the pager ended is between it and the person who left it.
        let _ = self.child.wait();
    }
}

/// Keeps Ctrl-C from ending this program before the pager has given the terminal back.
fn signals() -> Option<(tokio::runtime::Runtime, StopSignals)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    let entered = runtime.enter();
    let signals = StopSignals::listen().ok();
    drop(entered);
    signals.map(|signals| (runtime, signals))
}

/// The pager with its arguments: nothing where none is wanted.
fn command_line() -> String {
    let named = variable("TWICETOLD_PAGER").or_else(|| variable("PAGER"));
    named.unwrap_or_else(|| "less -FRX".to_owned())
}

#[allow(clippy::disallowed_methods, reason = "which program shows a text decides nothing")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
