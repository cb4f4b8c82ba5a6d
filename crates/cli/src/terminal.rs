//! What may be printed: text of models and files never reaches a terminal raw.

use std::io::{ErrorKind, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use textwrap::core::display_width;
pub use twicetold_host::words::{counted, did_you_mean, safe, short};

use twicetold_model::is_invisible;

use crate::failure::{Failure, code};

/// Prints to standard output. Who closed it has seen enough; anything else that stops a text half way is a failure.
pub fn print(text: &str) -> Result<(), Failure> {
    print_as_it_is(&fitted(text))
}

/// Prints what a program reads: no line is broken.
pub fn print_as_it_is(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout();
    printed(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// A text whose lines fit the columns that are known.
pub fn fitted(text: &str) -> String {
    let Some(columns) = columns() else { return text.to_owned() };
    text.split_inclusive('\n').map(|line| fitted_line(line, columns)).collect()
}

/// Columns of the terminal; where standard output is none, those that the variable COLUMNS asks for.
pub fn columns() -> Option<usize> {
    if std::io::stdout().is_terminal() {
        return Some(textwrap::termwidth());
    }
    #[allow(clippy::disallowed_methods, reason = "how wide a text is printed decides nothing")]
    let named = std::env::var("COLUMNS").ok()?;
    named.trim().parse().ok().filter(|columns| *columns > 0)
}

/// The same, with what is usual where neither is known.
pub fn width() -> usize {
    columns().unwrap_or_else(textwrap::termwidth)
}

/// What stands before the words of a line: spaces, and the branches of a tree.
const LEAD: [char; 5] = [' ', '│', '├', '└', '─'];

/// A line that is wider than the terminal goes on below its first word, beside the branches that go on there. JSON stays whole.
fn fitted_line(line: &str, columns: usize) -> String {
    let body = line.trim_end_matches('\n');
    if display_width(body) <= columns || body.starts_with(['{', '[']) {
        return line.to_owned();
    }
    let plain = anstream::adapter::strip_str(body).to_string();
    let lead = plain.chars().take_while(|letter| LEAD.contains(letter)).take(columns / 2);
    let goes_on = |letter| if ['│', '├'].contains(&letter) { '│' } else { ' ' };
    let below: String = lead.map(goes_on).chain("  ".chars()).collect();
    textwrap::fill(body, whole_words(columns).subsequent_indent(&below)) + &line[body.len()..]
}

/// Lines of so many columns that are broken at spaces, and within a word only where it is longer than a line.
fn whole_words<'a>(columns: usize) -> textwrap::Options<'a> {
    let options = textwrap::Options::new(columns).word_separator(textwrap::WordSeparator::AsciiSpace);
    options.word_splitter(textwrap::WordSplitter::NoHyphenation)
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
    let options = whole_words(width().clamp(40, 100)).initial_indent(indent).subsequent_indent(indent);
    let lines = safe(text).lines().map(|line| textwrap::fill(line.trim(), &options)).collect::<Vec<_>>();
    lines.join("\n").lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// The same for one paragraph whose first line begins otherwise than the rest. What it begins with is kept as it is.
pub fn hanging(text: &str, first: &str, rest: &str) -> String {
    let options = whole_words(width().clamp(40, 100)).initial_indent(first).subsequent_indent(rest);
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

/// A text with its sequence numbers, `#123`, in the colour of effects; where something else is styled it stays as it is.
pub fn with_numbers(text: &str) -> String {
    let lines: String = text.split_inclusive('\n').map(outcome_coloured).collect();
    let (mut out, mut rest, mut is_styled) = (String::with_capacity(text.len()), lines.as_str(), false);
    while let Some(at) = rest.find(['#', '\u{1b}']) {
        out += &rest[..at];
        rest = &rest[at..];
        let end = match rest.strip_prefix('#') {
            Some(digits) => 1 + digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len()),
            None => rest.find('m').map_or(rest.len(), |end| end + 1),
        };
        let (piece, after) = rest.split_at(end);
        if piece.starts_with('#') && piece.len() > 1 && !is_styled {
            out += &format!("{EFFECT}{piece}{EFFECT:#}");
        } else {
            is_styled = if piece.starts_with('#') { is_styled } else { piece != "\u{1b}[0m" };
            out += piece;
        }
        rest = after;
    }
    out + rest
}

fn outcome_coloured(line: &str) -> String {
    let body = line.trim_end_matches('\n');
    let is_plain = !body.contains('\u{1b}') && body.contains(" against ");
    if is_plain { with_outcome(body, Style::new()) + &line[body.len()..] } else { line.to_owned() }
}

/// A line about dice whose last word is the outcome, in a style, and the outcome in its own colour.
pub fn with_outcome(text: &str, style: Style) -> String {
    let ends = [("success", GOOD), ("failure", TROUBLE)];
    let found = ends.iter().find_map(|(word, colour)| Some((text.strip_suffix(word)?, word, colour)));
    match found.filter(|(before, ..)| before.trim_end().ends_with(':')) {
        Some((before, word, colour)) => format!("{}{colour}{word}{colour:#}", by_line(before, style)),
        None => by_line(text, style),
    }
}

/// Lines in a style, each for itself: a pager forgets at the end of a line what a line before has begun.
pub fn by_line(text: &str, style: Style) -> String {
    let styled = |line: &str| match line.trim() {
        "" => line.to_owned(),
        _ => format!("{style}{line}{style:#}"),
    };
    text.split('\n').map(styled).collect::<Vec<_>>().join("\n")
}

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
    fn a_line_that_is_too_wide_goes_on_below_its_words_beside_the_branches() {
        let line = "│  ├─ \u{1b}[1mone two\u{1b}[0m /three four-five\n";
        assert_eq!(fitted_line(line, 20), "│  ├─ \u{1b}[1mone two\u{1b}[0m /three\n│  │    four-five\n");
        assert_eq!(fitted_line(line, 80), line);
        assert_eq!(fitted_line("  └─ a bc d", 8), "  └─ a\n      bc\n      d");
        let json = "{\"a\": \"b c d e f g\"}\n";
        assert_eq!(fitted_line(json, 8), json);
    }

    #[test]
    fn numbers_are_coloured_where_nothing_else_is() {
        let plain = with_numbers("# a #12, #3\n#");
        assert_eq!(plain, "# a \u{1b}[36m#12\u{1b}[0m, \u{1b}[36m#3\u{1b}[0m\n#");
        let styled = "\u{1b}[1m\u{1b}[33mof #4\u{1b}[0m";
        assert_eq!(with_numbers(styled), styled);
        assert_eq!(with_numbers(&format!("{styled} #5")), format!("{styled} \u{1b}[36m#5\u{1b}[0m"));
    }

    #[test]
    fn json_holds_the_same_text_without_anything_that_a_terminal_obeys() {
        let nasty = "\u{9b}31m\u{1b}\u{7f}\u{202e}é\u{1f409}\u{e0041}\u{200b}\n\"";
        let line = json_line(&nasty);
        let text = line.strip_suffix('\n').unwrap();
        assert!(!text.chars().any(|c| c.is_control() || is_invisible(c)), "{text:?}");
        assert_eq!(serde_json::from_str::<String>(text).unwrap(), nasty);
    }
}
