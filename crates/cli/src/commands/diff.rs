//! `diff`: where two campaigns part, what was changed there, what came of it, and what differs at their ends.

use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets};
use twicetold_host::Library;
use twicetold_projection::people::Line;
use twicetold_session::{Branched, Difference, FactValue, Nothing, diff};

use crate::data::{Diff, campaign_of, document};
use crate::failure::Failure;
use crate::pager::page;
use crate::terminal::{BOLD, DIM, safe, short};

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
        false => side_by_side(&difference, arguments),
    };
    page(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Characters of a path that are shown beside its values.
const SHOWN: usize = 40;

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
    for (name, side, _) in sides {
        if let Some((number, what)) = side {
            out += &format!("  {BOLD}{name}{BOLD:#} continues with #{number} {what}\n");
        }
    }
    out += &told(difference, arguments);
    if difference.facts.is_empty() {
        return out + "The final states are equal.\n";
    }
    let shown = |value: &Option<FactValue>| {
        value.as_ref().map_or_else(|| "–".to_owned(), |value| short(&value.to_string(), 60))
    };
    let rows =
        difference.facts.iter().map(|(path, one, other)| [short(path, SHOWN), shown(one), shown(other)]);
    let table = table(["final state", &arguments.one, &arguments.other], rows);
    format!(
        "{out}\n{table}\n{DIM}{}{DIM:#}\n",
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
    let shown = |side: &Option<Line>| side.as_ref().map_or_else(|| "–".to_owned(), line);
    let rows = difference.told.iter().take(TOLD_SHOWN).map(|(one, other)| [shown(one), shown(other)]);
    let table = table([arguments.one.as_str(), arguments.other.as_str()], rows);
    let mut out = format!("\n{table}\n");
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

/// A table that fits the terminal, or a page where there is none.
fn table<const N: usize>(header: [&str; N], rows: impl Iterator<Item = [String; N]>) -> Table {
    let mut table = Table::new();
    let width = u16::try_from(width()).unwrap_or(100);
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    table.set_header(header.map(|name| short(name, 24)));
    for row in rows {
        table.add_row(row);
    }
    table
}
