//! `diff`: where two campaigns part, and what differs at their ends.

use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets};
use twicetold_session::{Difference, diff};

use crate::failure::Failure;
use crate::library::Library;
use crate::terminal::{BOLD, DIM, json_line, print, short};

/// Compares two campaigns or branches: where they part, and what differs in the end
#[derive(clap::Args)]
pub struct Arguments {
    /// The front of a campaign's id, `last`, or a file
    one: String,

    /// The same
    other: String,

    /// Print JSON, with every value whole
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let (_, one) = crate::source::open(library, &arguments.one)?;
    let (_, other) = crate::source::open(library, &arguments.other)?;
    let difference = diff(one.as_ref(), other.as_ref())?;
    let text = if arguments.json { json_line(&difference) } else { side_by_side(&difference, arguments) };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Characters of a value that are shown beside another.
const SHOWN: usize = 60;

fn side_by_side(difference: &Difference, arguments: &Arguments) -> String {
    let mut out = match difference.shared {
        0 => "They share nothing.\n".to_owned(),
        shared => format!("The same up to #{}.\n", shared - 1),
    };
    for (name, side) in [(&arguments.one, &difference.parting.0), (&arguments.other, &difference.parting.1)] {
        if let Some((number, what)) = side {
            out += &format!("  {BOLD}{name}{BOLD:#} goes on with #{number} {what}\n");
        }
    }
    if difference.facts.is_empty() {
        return out + "In the end nothing differs.\n";
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["in the end", arguments.one.as_str(), arguments.other.as_str()]);
    let shown =
        |value: &Option<String>| value.as_deref().map_or_else(|| "–".to_owned(), |value| short(value, SHOWN));
    for (path, one, other) in &difference.facts {
        table.add_row([short(path, SHOWN), shown(one), shown(other)]);
    }
    format!("{out}\n{table}\n{DIM}{} facts differ{DIM:#}\n", difference.facts.len())
}
