//! What may be printed: text of models and files never reaches a terminal raw.

use std::io::{ErrorKind, Write};

use anstyle::{AnsiColor, Style};
pub use twicetold_host::words::{counted, did_you_mean, safe, short};

use twicetold_model::is_invisible;

use crate::failure::{Failure, code};

/// Prints to standard output. Who closed it has seen enough; anything else that stops a text half way is a failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout();
    printed(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// What it means that something was printed with this result.
pub fn printed(result: std::io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(code::FAILED, format!("standard output cannot be written: {error}"), ""))
        }
        _ => Ok(()),
    }
}

/// A value as one line of JSON. Whatever a terminal would obey stands in it as `\u` and four digits, which JSON reads as the same text.
pub fn json_line(value: &impl serde::Serialize) -> String {
    let text = serde_json::json!(value).to_string();
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        // JSON escapes the older control characters itself.
        match c.is_control() || is_invisible(c) {
            true => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out += &format!("\\u{unit:04x}")),
            false => out.push(c),
        }
    }
    out.push('\n');
    out
}

/// The day and time of so many milliseconds since 1970, where the program runs.
pub fn when(ms: u64) -> String {
    let stamp = i64::try_from(ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    stamp.map_or_else(String::new, |stamp| {
        stamp.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
    })
}

/// Paragraphs wrapped to the terminal, or to 100 columns where there is none; each line indented by so much and no more: what somebody
/// says must not stand where the engine writes what has happened.
pub fn paragraphs(text: &str, indent: &str) -> String {
    let width = textwrap::termwidth().clamp(40, 100);
    let options = textwrap::Options::new(width).initial_indent(indent).subsequent_indent(indent);
    let lines = safe(text).lines().map(|line| textwrap::fill(line.trim(), &options)).collect::<Vec<_>>();
    lines.join("\n").lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// The same for one paragraph whose first line begins otherwise than the rest. What it begins with is kept as it is.
pub fn hanging(text: &str, first: &str, rest: &str) -> String {
    let options = textwrap::Options::new(textwrap::termwidth().clamp(40, 100));
    let options = options.initial_indent(first).subsequent_indent(rest);
    textwrap::fill(safe(text).trim(), &options)
}

/// Bold.
pub const BOLD: Style = Style::new().bold();
/// Dim.
pub const DIM: Style = Style::new().dimmed();
/// Headings and goals.
pub const GOLD: Style = AnsiColor::Yellow.on_default().bold();
/// Effects and dice.
pub const EFFECT: Style = AnsiColor::Cyan.on_default();
/// Rejections and faults.
pub const TROUBLE: Style = AnsiColor::Red.on_default();
/// Success.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();

/// The colour of a speaker: the DM's, or one of the players' in turn.
pub fn speaker(index: Option<u8>) -> Style {
    const PLAYERS: [AnsiColor; 5] =
        [AnsiColor::Green, AnsiColor::Blue, AnsiColor::Magenta, AnsiColor::Cyan, AnsiColor::BrightGreen];
    match index {
        None => AnsiColor::Yellow.on_default().bold(),
        Some(index) => PLAYERS[usize::from(index) % PLAYERS.len()].on_default().bold(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_holds_the_same_text_without_anything_that_a_terminal_obeys() {
        let nasty = "\u{9b}31m\u{1b}\u{7f}\u{202e}é\u{1f409}\u{e0041}\u{200b}\n\"";
        let line = json_line(&nasty);
        let text = line.strip_suffix('\n').unwrap();
        assert!(!text.chars().any(|c| c.is_control() || is_invisible(c)), "{text:?}");
        assert_eq!(serde_json::from_str::<String>(text).unwrap(), nasty);
    }
}
