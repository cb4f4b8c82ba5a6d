//! Failures for the person who reads them: what happened, to which thing, where, what to do next; and the exit code.

use std::io::Write;
use std::process::ExitCode;

use twicetold_host::{Error, Kind, Place, words};

use crate::terminal::BOLD;

/// Exit codes, as `--help` lists them.
pub mod code {
    /// Something failed.
    pub const FAILED: u8 = 1;
    /// The command line or a configuration file is wrong, or asks for what cannot be done with this campaign; so says `lint` of
    /// errors, and not of warnings alone.
    pub const USAGE: u8 = 2;
    /// A replay came out differently.
    pub const DIVERGED: u8 = 3;
    /// A journal is damaged, or a file is no campaign.
    pub const DAMAGED: u8 = 4;
    /// The campaign was paused, a tested model does not answer, or a sweep is not whole.
    pub const PAUSED: u8 = 5;
    /// Another process plays the campaign.
    pub const LOCKED: u8 = 6;
    /// There is no such thing.
    pub const MISSING: u8 = 7;
    /// `audit --fail-on` found a warning and nothing worse.
    pub const WARNED: u8 = 8;
    /// `audit --fail-on` found an error.
    pub const WRONG: u8 = 9;
    /// A condition of `sweep --fail-if` is met.
    pub const CONDITION: u8 = 10;
    /// Stopped by Ctrl-C.
    pub const INTERRUPTED: u8 = 130;
}

/// Why a command did not do what it was asked.
pub struct Failure {
    code: u8,
    report: miette::Report,
}

impl Failure {
    /// A failure with a message and what to do next.
    pub fn new(code: u8, message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure { code, report: diagnostic(message.into(), help.into()).into() }
    }

    /// A mistake in the command line, from what clap says of it: the mistake, what may be meant, and how the command is used.
    pub fn of_command_line(said: &str) -> Failure {
        let parts = said.trim().split("\n\n").map(str::trim);
        // How a word that begins with hyphens is passed as a value is no help: no value begins so.
        let mut parts = parts.filter(|part| {
            !part.starts_with("For more information") && !part.contains("as a value, use '-- ")
        });
        let first = parts.next().unwrap_or_default();
        let first = first.strip_prefix("error: ").unwrap_or(first);
        let (message, more) = first.split_once('\n').unwrap_or((first, ""));
        let plain = |line: &str| {
            let line = line.trim();
            let line = line.strip_prefix("tip: ").unwrap_or(line);
            let line = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).unwrap_or(line);
            // The data folder stands in it wherever the variable names one.
            line.replacen("Usage: ", "usage: ", 1).replacen(" --data <DIR>", "", 1)
        };
        let lines = |text: &str| text.lines().map(plain).collect::<Vec<_>>();
        // What is missing belongs to the mistake; what would be right belongs to the help, behind what is probably meant.
        let (message, possible) = match message.ends_with(':') {
            true => (format!("{message} {}", lines(more).join(" ")), Vec::new()),
            false => (message.to_owned(), lines(more)),
        };
        let (usage, tips): (Vec<String>, Vec<String>) =
            parts.flat_map(lines).partition(|line| line.starts_with("usage: "));
        let help: Vec<String> = tips.into_iter().chain(possible).chain(usage).collect();
        Failure::new(code::USAGE, message, help.join("\n"))
    }

    /// What happened, in one line.
    pub fn line(&self) -> String {
        self.report.to_string()
    }

    /// Prints it and gives its exit code.
    pub fn report(self) -> ExitCode {
        // Where nobody listens, the exit code is all there is to say.
        let _ = write!(anstream::stderr(), "{:?}", self.report);
        ExitCode::from(self.code)
    }
}

/// Text in which nothing speaks to the terminal: a stranger's file may be quoted in it. What is replaced takes as many bytes as before, so that
/// places in it stay where they are.
fn harmless(text: &str) -> String {
    let is_harmless =
        |c: char| c == '\n' || c == '\t' || !(c.is_control() || twicetold_model::is_invisible(c));
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match is_harmless(c) {
            true => out.push(c),
            false => out.extend(std::iter::repeat_n('?', c.len_utf8())),
        }
        out
    })
}

fn diagnostic(message: String, help: String) -> miette::MietteDiagnostic {
    let (message, help) = (harmless(&message), harmless(&help));
    let diagnostic = miette::MietteDiagnostic::new(message);
    if help.is_empty() { diagnostic } else { diagnostic.with_help(with_code(&help)) }
}

/// What stands in backticks, and can be typed, stands out where there are colours.
fn with_code(help: &str) -> String {
    if anstream::AutoStream::choice(&std::io::stderr()) == anstream::ColorChoice::Never {
        return help.to_owned();
    }
    let styled = words::with_code(help).into_iter().map(|(is_code, piece)| match is_code {
        true => format!("`{BOLD}{piece}{BOLD:#}`"),
        false => piece.to_owned(),
    });
    styled.collect()
}

/// What the library says went wrong, with the exit code of its kind.
impl<E> From<E> for Failure
where
    Error: From<E>,
{
    fn from(error: E) -> Failure {
        let Error { kind, message, help, place } = error.into();
        let code = match kind {
            Kind::Failed => code::FAILED,
            Kind::Usage => code::USAGE,
            Kind::Damaged => code::DAMAGED,
            Kind::Diverged => code::DIVERGED,
            Kind::Locked => code::LOCKED,
            Kind::Missing => code::MISSING,
        };
        let diagnostic = diagnostic(message, help);
        let report = match place.map(|place| *place) {
            Some(Place { file, text, span: (start, end) }) => {
                let label =
                    miette::LabeledSpan::at(start..end.max(start + 1).min(text.len().max(start + 1)), "here");
                let source = miette::NamedSource::new(harmless(&file), harmless(&text));
                miette::Report::new(diagnostic.with_label(label)).with_source_code(source)
            }
            None => diagnostic.into(),
        };
        Failure { code, report }
    }
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn nothing_in_an_error_speaks_to_the_terminal_and_places_stay_where_they_are() {
        let text = "a \u{1b}]0;b\u{7}\u{202e}c\u{9b}1m\n\td";
        let shown = harmless(text);
        assert_eq!(shown, "a ?]0;b????c??1m\n\td");
        assert_eq!((shown.len(), shown.find('d')), (text.len(), text.find('d')));
    }
}
