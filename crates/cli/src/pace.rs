//! Text that appears on a terminal as fast as somebody reads it, not as fast as it is there.

use std::io::{IsTerminal, Read, Write};
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use unicode_segmentation::UnicodeSegmentation;

use crate::failure::{Failure, code};
use crate::restored::Restored;
use crate::signals::StopSignals;

/// How fast text appears.
#[derive(clap::Args)]
pub struct Paced {
    /// Print the story with so many characters a second, on a terminal. Space or Enter shows the rest of a message
    #[arg(long, value_name = "CPS", value_parser = clap::value_parser!(u16).range(1..))]
    pub pace: Option<u16>,
}

/// Text appears in steps that are no shorter.
const STEP: Duration = Duration::from_millis(20);

/// A terminal on which text appears at a pace.
pub struct Pace {
    per_second: u32,
    /// What is still to be shown.
    rest: String,
    keys: mpsc::UnboundedReceiver<()>,
    /// Dropped last: gives the terminal back as it was.
    _terminal: Restored,
}

impl Paced {
    /// The pace that was asked for; none where standard output is no terminal.
    pub fn pace(&self) -> Option<Pace> {
        let per_second = self.pace.filter(|_| std::io::stdout().is_terminal())?;
        Some(Pace::start(per_second.into()))
    }
}

impl Pace {
    fn start(per_second: u32) -> Pace {
        let has_keys = std::io::stdin().is_terminal();
        let (pressed, keys) = mpsc::unbounded_channel();
        let terminal = Restored::remember(has_keys);
        if has_keys {
            terminal.reads_keys();
            // It ends with the program: nothing else reads the terminal meanwhile.
            std::thread::spawn(move || {
                let mut key = [0];
                while let Ok(1) = std::io::stdin().read(&mut key) {
                    if [b' ', b'\n', b'\r'].contains(&key[0]) && pressed.send(()).is_err() {
                        return;
                    }
                }
            });
        }
        Pace { per_second, rest: String::new(), keys, _terminal: terminal }
    }

    /// Adds what is to be shown.
    pub fn add(&mut self, text: &str) {
        self.rest.push_str(text);
    }

    /// Is there something that was not shown yet?
    pub fn is_behind(&self) -> bool {
        !self.rest.is_empty()
    }

    /// Shows what was added, little by little. A wait that is given up loses nothing.
    pub async fn show(&mut self) -> std::io::Result<()> {
        let step = self.per_second.div_ceil(50);
        let wait = STEP.max(Duration::from_millis(1_000 * u64::from(step) / u64::from(self.per_second)));
        while self.is_behind() {
            tokio::select! {
                biased;
                Some(()) = self.keys.recv() => {
                    let end = self.rest.find("\n\n").map_or(self.rest.len(), |at| at + 2);
                    self.print(end)?;
                }
                () = tokio::time::sleep(wait) => self.print(front(&self.rest, step))?,
            }
        }
        Ok(())
    }

    fn print(&mut self, bytes: usize) -> std::io::Result<()> {
        let mut out = anstream::stdout().lock();
        let text: String = self.rest.drain(..bytes).collect();
        out.write_all(text.as_bytes()).and_then(|()| out.flush())
    }
}

/// The bytes of so many letters. What sets colours is no letter, and is not parted from the letter behind it.
fn front(text: &str, letters: u32) -> usize {
    let (mut bytes, mut seen) = (0, 0);
    while seen < letters && bytes < text.len() {
        let rest = &text[bytes..];
        bytes += match rest.strip_prefix("\u{1b}[") {
            Some(code) => code.find('m').map_or(rest.len(), |end| end + 3),
            None => {
                seen += 1;
                rest.graphemes(true).next().map_or(rest.len(), str::len)
            }
        };
    }
    bytes
}

/// A pace for what is no part of a game: it brings its own threads and its own ear for Ctrl-C.
pub struct Alone {
    runtime: Runtime,
    signals: StopSignals,
    pace: Pace,
}

impl Alone {
    /// The pace that was asked for; none where standard output is no terminal.
    pub fn of(paced: &Paced) -> Result<Option<Alone>, Failure> {
        let Some(pace) = paced.pace() else { return Ok(None) };
        let failed = |error: std::io::Error| {
            Failure::new(
                code::FAILED,
                format!("text cannot be printed at a pace: {error}"),
                "leave --pace out",
            )
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let signals = runtime.block_on(async { StopSignals::listen() }).map_err(failed)?;
        Ok(Some(Alone { runtime, signals, pace }))
    }

    /// Shows a text. False when a signal ended it.
    pub fn show(&mut self, text: &str) -> std::io::Result<bool> {
        self.pace.add(text);
        let Alone { runtime, signals, pace } = self;
        let shown = runtime.block_on(async {
            tokio::select! {
                biased;
                _ = signals.next() => None,
                shown = pace.show() => Some(shown),
            }
        });
        match shown {
            Some(shown) => shown.map(|()| true),
            None => writeln!(anstream::stdout(), "{}", anstyle::Reset).map(|()| false),
        }
    }

    /// Waits so long. False when a signal ended it.
    pub fn wait(&mut self, time: Duration) -> bool {
        let signals = &mut self.signals;
        self.runtime.block_on(async { tokio::time::timeout(time, signals.next()).await.is_err() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_counted_as_people_see_them_and_colours_are_not() {
        assert_eq!(front("abc", 2), 2);
        assert_eq!(front("é🦊x", 2), "é🦊".len());
        assert_eq!(front("\u{1b}[1mA\u{1b}[0mb", 1), "\u{1b}[1mA".len());
        assert_eq!(front("a", 9), 1);
        assert_eq!(front("\u{1b}[1", 1), 3);
    }
}
