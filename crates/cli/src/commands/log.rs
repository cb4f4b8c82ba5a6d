//! `log`: everything that is in the journal, number by number; and the transcript.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use twicetold_event::{Entry, Event, Input, Number};
use twicetold_journal::Source;
use twicetold_projection::people::{Line, lines};
use twicetold_projection::{describe, recorded};
use twicetold_referee::Campaign;
use twicetold_report::JsonLines;
use twicetold_session::Follower;

use crate::failure::{Failure, code};
use crate::terminal::{DIM, printed, short};
use crate::told::told;
use twicetold_host::Library;

/// Lists every input and event of a campaign with its number
#[derive(clap::Args)]
pub struct Arguments {
    /// The front of a campaign's id, `last`, or a file
    id: String,

    /// Go on with what another process adds, until the campaign is over
    #[arg(long)]
    follow: bool,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if arguments.follow {
        let each = told_in(arguments.json);
        return crate::commands::watch::follow(library, &arguments.id, Number(0), each);
    }
    let source = library.source(&arguments.id)?;
    let mut out = std::io::BufWriter::new(anstream::stdout());
    let mut result = Ok(());
    told(source.as_ref())?.log(arguments.json, &mut |text| {
        result = out.write_all(text.as_bytes());
        result.is_ok()
    })?;
    printed(result.and_then(|()| out.flush()))?;
    Ok(ExitCode::SUCCESS)
}

/// How an entry of a campaign is listed, given the campaign as it stands after it.
pub fn told_in(json: bool) -> impl FnMut(&Campaign, &Entry) -> String {
    let mut made = JsonLines::default();
    move |campaign, entry| match json {
        true => crate::play::json(&mut made, campaign, entry),
        false => {
            let shown = lines(campaign.state(), campaign.replies(), entry);
            rows(&shown, entry, |event| described(campaign, event).unwrap_or_default())
        }
    }
}

/// The number up to which somebody wants to read, if there is one of that number.
pub fn within(source: &dyn Source, last: Option<Number>) -> Result<(), Failure> {
    let head = source.head();
    if let Some(asked) = last.filter(|asked| *asked >= head.next) {
        let message = format!("there is no {asked}; the journal ends before {}", head.next);
        return Err(Failure::new(code::MISSING, message, "`twicetold log` shows the numbers that there are"));
    }
    Ok(())
}

/// Folds a journal and shows each entry with the campaign as it stands after it, until `each` has seen enough.
pub fn walk(
    source: &dyn Source,
    last: Option<Number>,
    mut each: impl FnMut(&Campaign, &Entry) -> bool,
) -> Result<(), Failure> {
    within(source, last)?;
    Follower::new(source)?.read(source, |campaign, entry| {
        each(campaign, entry) && last.is_none_or(|last| last >= entry.header.next())
    })?;
    Ok(())
}

/// Columns before the text: number, turn, name.
const BEFORE: usize = 38;

/// The input and the events of an entry, a row each: number, turn, name, and what people are shown of it or else `detail`.
pub fn rows(shown: &[Line], entry: &Entry, detail: impl Fn(&Event) -> String) -> String {
    // Whoever pipes it looks for words in it.
    let width = if std::io::stdout().is_terminal() { textwrap::termwidth().clamp(60, 200) } else { 200 };
    let width = width - BEFORE;
    let row = |number: Number, name: &str, text: &str| {
        let turn = entry.turn_of(number);
        let row = format!("{:<7} {turn:>4}  {name:<23} {}", number.to_string(), short(text, width - 1));
        row.trim_end().to_owned()
    };
    let first = entry.header.first;
    let said = row(first, &format!("< {}", entry.input.name()), &input(&entry.input));
    let mut out = format!("{DIM}{said}{DIM:#}\n");
    for (number, event) in entry.numbered() {
        // The transcript's line for a marker that does not count is older than its words and has to stay as it was.
        let is_shown = |line: &&Line| line.number == number.0 && !matches!(event, Event::MarkerIgnored(_));
        let text = match shown.iter().find(is_shown) {
            Some(line) if line.speaker.is_empty() => line.text.clone(),
            Some(line) => format!("{}: {}", line.speaker, line.text),
            None => detail(event),
        };
        out += &format!("{}\n", row(number, event.name(), &text));
    }
    out
}

fn input(input: &Input) -> String {
    match input {
        Input::ModelReplied(word) => format!("{}, {} bytes", word.call, word.body.len()),
        Input::ModelFailed(word) => format!("{}: {}", word.call, word.fault.message),
        Input::ParkAsked(word) => word.reason.clone(),
        Input::ForeignLine(word) => format!("line {}, {} bytes", word.line, word.text.len()),
        _ => String::new(),
    }
}

/// What an event is that has no line in the transcript.
fn described(campaign: &Campaign, event: &Event) -> Option<String> {
    recorded(event).or_else(|| describe(campaign.state(), campaign.replies(), event))
}
