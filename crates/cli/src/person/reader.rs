//! Reads what a person types, in a thread of its own: with a line editor on a terminal, plain lines where input is piped.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::mpsc as threads;
use std::time::Duration;

use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{Config, Editor};
use tokio::sync::mpsc;

use super::typed::Typed;
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
    /// Nothing, in the time that there was.
    Quiet,
}

/// Lines that the history keeps over all games.
const HISTORY_LINES_MAX: usize = 500;

/// Reads lines, each when it is asked for: what is typed or piped ahead waits where it is.
pub struct Reader {
    /// Is it somebody at a terminal who types?
    pub is_terminal: bool,
    /// Each for one line; with a time, for one that comes within it.
    ask: threads::Sender<Option<Duration>>,
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
            while let Ok(within) = asked.recv() {
                if answer.send(source.line(within)).is_err() {
                    break;
                }
            }
        })?;
        Ok(Reader { is_terminal, ask, lines, _terminal: terminal })
    }

    /// Asks for one line; with a time, for one that comes within it.
    pub fn ask(&self, within: Option<Duration>) {
        // A thread that is gone is told of by `line`.
        let _ = self.ask.send(within);
    }

    /// Waits for the line that was asked for. A wait that is given up loses none.
    pub async fn line(&mut self) -> Line {
        self.lines.recv().await.unwrap_or(Line::End)
    }
}

/// Where lines come from.
struct Source {
    /// The editor and its history, on a terminal.
    editor: Option<(Box<Editor<(), DefaultHistory>>, PathBuf)>,
    typed: Typed,
}

impl Source {
    fn open(is_terminal: bool, history: PathBuf) -> Source {
        let typed = Typed::open();
        if !is_terminal {
            return Source { editor: None, typed };
        }
        // A link or a pipe of that name was laid there by whoever gave the folder away.
        let is_ours = std::fs::symlink_metadata(&history).map_or(true, |about| about.is_file());
        let history = if is_ours { history } else { PathBuf::new() };
        let config = Config::builder().max_history_size(HISTORY_LINES_MAX);
        let config = config.map(|config| config.auto_add_history(true).build());
        match config.and_then(Editor::with_config) {
            Ok(mut editor) => {
                // A first game has no history yet; one that cannot be read is no reason not to play.
                if is_ours {
                    let _ = editor.load_history(&history);
                }
                Source { editor: Some((Box::new(editor), history)), typed }
            }
            Err(error) => {
                tracing::warn!(%error, "no line editor on this terminal");
                Source { editor: None, typed }
            }
        }
    }

    fn line(&mut self, within: Option<Duration>) -> Line {
        match (within, &mut self.editor) {
            // An editor cannot be stopped while it waits. Between two of its lines the terminal collects one by itself.
            (Some(time), _) if !self.typed.comes_within(time) => Line::Quiet,
            // What was typed before the question came is a line of the terminal's, which the editor would not get.
            (None, Some((_, history))) if self.typed.comes_within(Duration::ZERO) => {
                let line = self.typed.line();
                if let (Line::Text(text), Some((editor, _))) = (&line, &mut self.editor) {
                    let _ = editor.add_history_entry(text.as_str());
                }
                line
            }
            (None, Some((editor, history))) => match editor.readline("> ") {
                Ok(text) => {
                    if !history.as_os_str().is_empty() {
                        let _ = editor.append_history(history);
                    }
                    Line::Text(text)
                }
                Err(ReadlineError::Interrupted) => Line::Interrupt,
                Err(ReadlineError::Eof) => Line::End,
                Err(error) => {
                    tracing::warn!(%error, "the terminal cannot be read");
                    Line::End
                }
            },
            _ => self.typed.line(),
        }
    }
}
