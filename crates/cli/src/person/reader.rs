//! Reads what a person types, in a thread of its own: with a line editor on a terminal, plain lines where input is piped.

use std::io::{BufRead, IsTerminal, Read};
use std::path::PathBuf;
use std::sync::mpsc as threads;

use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{Config, Editor};
use tokio::sync::mpsc;

use crate::restored::Restored;

/// What came when a person was asked.
#[derive(Debug)]
pub enum Line {
    /// A line, without its end.
    Text(String),
    /// There is no more input: Ctrl-D, or a pipe that was closed.
    End,
    /// Ctrl-C, which an editor gets as a key.
    Interrupt,
}

/// Bytes of one line: more than any message may have, and little enough to be held.
const LINE_BYTES_MAX: u64 = 64 * 1024;
/// Lines that the history keeps over all games.
const HISTORY_LINES_MAX: usize = 500;

/// Reads lines, each when it is asked for: what is typed or piped ahead waits where it is.
pub struct Reader {
    ask: threads::Sender<()>,
    lines: mpsc::UnboundedReceiver<Line>,
    /// Dropped last: gives the terminal back as it was.
    _terminal: Restored,
}

impl Reader {
    /// Begins to wait for being asked. Lines of earlier games are read from `history`, and new ones added to it.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub fn start(history: PathBuf) -> std::io::Result<Reader> {
        let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let (ask, asked) = threads::channel();
        let (answer, lines) = mpsc::unbounded_channel();
        let terminal = Restored::remember(is_terminal);
        std::thread::Builder::new().name("reader".into()).spawn(move || {
            let mut source = Source::open(is_terminal, history);
            while asked.recv().is_ok() && answer.send(source.line()).is_ok() {}
        })?;
        Ok(Reader { ask, lines, _terminal: terminal })
    }

    /// Asks for one line.
    pub fn ask(&self) {
        // A thread that is gone is told of by `line`.
        let _ = self.ask.send(());
    }

    /// Waits for the line that was asked for. A wait that is given up loses none.
    pub async fn line(&mut self) -> Line {
        self.lines.recv().await.unwrap_or(Line::End)
    }
}

/// Where lines come from.
enum Source {
    Edited(Box<Editor<(), DefaultHistory>>, PathBuf),
    Plain,
}

impl Source {
    fn open(is_terminal: bool, history: PathBuf) -> Source {
        if !is_terminal {
            return Source::Plain;
        }
        let config = Config::builder().max_history_size(HISTORY_LINES_MAX);
        let config = config.map(|config| config.auto_add_history(true).build());
        match config.and_then(Editor::with_config) {
            Ok(mut editor) => {
                // A first game has no history yet; one that cannot be read is no reason not to play.
                let _ = editor.load_history(&history);
                Source::Edited(Box::new(editor), history)
            }
            Err(error) => {
                tracing::warn!(%error, "no line editor on this terminal");
                Source::Plain
            }
        }
    }

    fn line(&mut self) -> Line {
        match self {
            Source::Edited(editor, history) => match editor.readline("> ") {
                Ok(text) => {
                    let _ = editor.append_history(&history);
                    Line::Text(text)
                }
                Err(ReadlineError::Interrupted) => Line::Interrupt,
                Err(ReadlineError::Eof) => Line::End,
                Err(error) => {
                    tracing::warn!(%error, "the terminal cannot be read");
                    Line::End
                }
            },
            Source::Plain => plain(&mut std::io::stdin().lock()),
        }
    }
}

/// One line of a pipe. What is no UTF-8 is replaced; a line that never ends is cut, and goes on as the next.
fn plain(input: &mut impl BufRead) -> Line {
    let mut bytes = Vec::new();
    match input.take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => Line::End,
        Ok(_) => Line::Text(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piped_lines_come_one_by_one_without_their_ends() {
        let mut input: &[u8] = b"one\r\n\ntwo \xff\nthree";
        let mut lines = Vec::new();
        while let Line::Text(text) = plain(&mut input) {
            lines.push(text);
        }
        assert_eq!(lines, ["one", "", "two \u{fffd}", "three"]);
    }

    #[test]
    fn a_line_without_an_end_is_cut() {
        let most = usize::try_from(LINE_BYTES_MAX).unwrap();
        let long = vec![b'a'; most * 2 + 1];
        let mut input = &long[..];
        assert!(matches!(plain(&mut input), Line::Text(text) if text.len() == most));
        assert_eq!(input.len(), most + 1);
    }
}
