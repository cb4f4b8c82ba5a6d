//! `diff`: where two campaigns part, what was changed there, what came of it, and what differs at their ends.

use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use comfy_table::{Attribute, Cell, Color, ContentArrangement};
use textwrap::core::display_width;
use twicetold_host::Library;
use twicetold_projection::people::Line;
use twicetold_session::{Branched, Difference, FactValue, Nothing, diff};

use crate::data::{Diff, campaign_of, document};
use crate::failure::Failure;
use crate::pager::page;
use crate::table::{bare, broken, heading, trimmed};
use crate::terminal::{BOLD, DIM, safe, short, with_numbers};

/// Compares two campaigns
///
/// It prints the first entry that differs, the messages that differ after it, and the differences in the
/// final state.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, `last`, or a file
    one: String,

    /// The other campaign: a prefix of its id, `last`, or a file
    other: String,

    /// Print JSON, with complete values
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let one = library.source(&arguments.one)?;
    let other = library.source(&arguments.other)?;
    let difference = diff(one.as_ref(), other.as_ref())?;
    let text = match arguments.json {
        true => {
            let campaigns = (campaign_of(one.as_ref())?, campaign_of(other.as_ref())?);
            document(Diff { campaigns, difference })
        }
        false => with_numbers(&side_by_side(&difference, arguments)),
    };
    page(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The colours of the two campaigns, neither of which is wrong: in a line, and the same in a table.
const SIDES: [(AnsiColor, Color); 2] =
    [(AnsiColor::Yellow, Color::DarkYellow), (AnsiColor::Magenta, Color::DarkMagenta)];

/// Characters of a path that are shown beside its values.
const SHOWN: usize = 40;

/// What stands where one side has nothing.
const NONE: &str = "–";

/// Differences in the story that are shown; `--json` has more.
const TOLD_SHOWN: usize = 12;

fn side_by_side(difference: &Difference, arguments: &Arguments) -> String {
    let (parting, changed) = (&difference.parting, &difference.changed);
    let sides = [(&arguments.one, &parting.0, &changed.0), (&arguments.other, &parting.1, &changed.1)];
    let mut out = String::new();
    for (name, _, changed) in sides {
        out += &changed.as_ref().map_or_else(String::new, |changed| cause(name, changed));
    }
    out += &match difference.shared {
        0 => "The campaigns have no entries in common.\n".to_owned(),
        shared => format!("The same up to #{}.\n", shared - 1),
    };
    for ((name, side, _), (colour, _)) in sides.into_iter().zip(SIDES) {
        if let Some((number, what)) = side {
            let style = Style::new().fg_color(Some(colour.into())).bold();
            out += &format!("  {style}{name}{style:#} continues with #{number} {what}\n");
        }
    }
    out += &told(difference, arguments);
    if difference.facts.is_empty() {
        return out + "The final states are equal.\n";
    }
    let shown = |value: &Option<FactValue>| {
        value.as_ref().map_or_else(|| NONE.to_owned(), |value| short(&value.to_string(), 60))
    };
    let rows =
        difference.facts.iter().map(|(path, one, other)| [short(path, SHOWN), shown(one), shown(other)]);
    let table = table(Some("final state"), arguments, rows);
    format!(
        "{out}\n{table}{DIM}{}{DIM:#}\n",
        counted(difference.facts.len() as u64, "state field differs", "state fields differ")
    )
}

/// What a branch changed, and what came of it.
fn cause(name: &str, change: &Branched) -> String {
    let mut out = format!("{BOLD}{name}{BOLD:#} changed: {}\n", safe(&change.what));
    if change.why_nothing.is_empty() {
        if let Some(number) = change.used_at {
            out += &format!("  It is used first in #{number}.\n");
        }
        return out;
    }
    for why in &change.why_nothing {
        let why = match why {
            Nothing::NothingChanged => "the branch repeats the other campaign".to_owned(),
            Nothing::NotPlayed => {
                format!("the branch has not been played yet; `twicetold resume {name}` continues it")
            }
            Nothing::NeverDrawn { stream, counter, drawn } => {
                let made = match drawn {
                    0 => "no draw at all".to_owned(),
                    1 => "draw 0 only".to_owned(),
                    drawn => format!("draws 0 to {}", drawn - 1),
                };
                format!("draw {counter} of {} was never made; the branch made {made}", safe(stream))
            }
            Nothing::SameOutcome { stream, counter } => {
                let at = change.used_at.map_or_else(String::new, |number| format!(" in #{number}"));
                format!("draw {counter} of {} was made{at} and changed no outcome", safe(stream))
            }
            Nothing::Unused => "no request and no result of a rule depends on it".to_owned(),
            Nothing::SameAnswers { requests } => {
                let made = counted(*requests, "request was made", "requests were made");
                format!("{made} differently or again, and the answers led to the same")
            }
        };
        let wrapped = textwrap::Options::new(width()).initial_indent("  ").subsequent_indent("    ");
        out += &format!("{}\n", textwrap::fill(&format!("It had no effect: {why}."), wrapped));
    }
    out
}

/// What was told on one side and not on the other.
fn told(difference: &Difference, arguments: &Arguments) -> String {
    if difference.told.is_empty() {
        return "No later message differs.\n".to_owned();
    }
    let line = |line: &Line| {
        let speaker = if line.speaker.is_empty() { String::new() } else { format!("{}: ", line.speaker) };
        format!("#{} {}", line.number, short(&format!("{speaker}{}", line.text), 160))
    };
    let shown = |side: &Option<Line>| side.as_ref().map_or_else(|| NONE.to_owned(), line);
    let rows = difference.told.iter().take(TOLD_SHOWN).map(|(one, other)| [shown(one), shown(other)]);
    let table = table(None, arguments, rows);
    let mut out = format!("\n{table}");
    let more = difference.told_differing.saturating_sub(TOLD_SHOWN as u64);
    if more > 0 {
        out += &format!(
            "{DIM}{} in the story; --json has more{DIM:#}\n",
            counted(more, "more difference", "more differences")
        );
    }
    out
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Columns of the terminal, as far as a page is readable.
fn width() -> usize {
    crate::terminal::width().clamp(40, 120)
}

/// A table that fits the terminal, or a page where there is none: what a row is of, if that is named, and both sides in their colours.
fn table<const N: usize>(
    of: Option<&str>,
    arguments: &Arguments,
    rows: impl Iterator<Item = [String; N]>,
) -> String {
    let rows: Vec<[String; N]> = rows.collect();
    let first = N - SIDES.len();
    // Two columns of spaces between all.
    let room = width().saturating_sub(2 * N);
    let paths = rows.iter().take(if first == 0 { 0 } else { rows.len() }).map(|row| display_width(&row[0]));
    let path = paths.max().unwrap_or(0).min(room / 3);
    let side = (room - path) / SIDES.len();
    let mut table = bare();
    table.set_content_arrangement(ContentArrangement::Disabled);
    let sides = SIDES.map(|(_, colour)| colour);
    let names = [&arguments.one, &arguments.other].into_iter().zip(sides);
    let name =
        |(name, side): (&String, Color)| Cell::new(short(name, 24)).fg(side).add_attribute(Attribute::Bold);
    table.set_header(of.map(heading).into_iter().chain(names.map(name)));
    for row in rows {
        let cell = |(place, text): (usize, String)| match place.checked_sub(first) {
            Some(at) if text != NONE => Cell::new(broken(&text, Some(side))).fg(sides[at]),
            Some(_) => Cell::new(text),
            None => Cell::new(broken(&text, Some(path))),
        };
        table.add_row(row.into_iter().enumerate().map(cell));
    }
    trimmed(&table)
}
