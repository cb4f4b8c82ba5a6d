//! What was taken from a transcript of another program, and what was passed over: for people, in lines of a terminal.

use twicetold_event::{Entry, ForeignRole};
use twicetold_foreign::{PassedOver, Summary, Told, summary};
use twicetold_host::transcripts::Asked;
use twicetold_journal::Source;

use crate::failure::Failure;
use crate::terminal::{DIM, counted, hanging, safe, short};

/// Characters of a name in it.
const NAME_MAX: usize = 40;
/// Speakers and kinds that it names.
const NAMED_MAX: usize = 12;

/// How a transcript of another program is read
#[derive(clap::Args)]
pub struct Reading {
    /// Read a transcript of another program by this mapping: a bundled one (autogen, autogen-0.2, openai-chat, openai-responses, anthropic,
    /// langchain, sharegpt, sillytavern) or a file of your own [default: the one that fits]
    #[arg(long, value_name = "MAPPING")]
    from: Option<String>,

    /// This speaker of a transcript tells the story; repeat the option for several [default: by their names]
    #[arg(long, value_name = "NAME")]
    narrator: Vec<String>,

    /// This speaker of a transcript plays a character; repeat the option for several
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,

    /// This speaker of a transcript takes no part; repeat the option for several
    #[arg(long, value_name = "NAME")]
    other: Vec<String>,
}

impl Reading {
    /// Is anything said that only a transcript has?
    pub fn is_asked(&self) -> bool {
        let nobody = self.narrator.is_empty() && self.player.is_empty() && self.other.is_empty();
        self.from.is_some() || !nobody
    }

    /// The same for the library.
    pub fn asked(&self) -> Asked {
        let told =
            Told { narrator: self.narrator.clone(), player: self.player.clone(), other: self.other.clone() };
        Asked { mapping: self.from.clone(), told }
    }
}

/// What was taken from the transcript that a journal holds; none of a campaign.
pub fn taken(source: &dyn Source) -> Result<Option<Summary>, Failure> {
    if twicetold_session::foreign(source)?.is_none() {
        return Ok(None);
    }
    let entries: Result<Vec<Entry>, _> = twicetold_session::entries(source)?.collect();
    Ok(Some(summary(&entries?)))
}

/// The same as text for a terminal.
pub fn taken_text(summary: &Summary) -> String {
    said(summary).iter().map(|line| wrapped(line)).collect()
}

/// The same as sentences.
pub(super) fn sentences(summary: &Summary) -> String {
    said(summary).join(" ")
}

/// What was taken, who is who, and what was passed over.
fn said(summary: &Summary) -> Vec<String> {
    let file = short(&safe(&summary.file), NAME_MAX);
    let mut counts = vec![
        format!(
            "{} by {}",
            counted(summary.messages as u64, "message"),
            counted(summary.speakers.len() as u64, "speaker")
        ),
        match summary.failures {
            0 => counted(summary.calls as u64, "tool call"),
            failed => format!("{} ({failed} failed)", counted(summary.calls as u64, "tool call")),
        },
    ];
    let told = match summary.rolls_in_text {
        0 => String::new(),
        all if all == summary.rolls => " (told in the text)".into(),
        some => format!(" ({some} told in the text)"),
    };
    counts.push(format!("{}{told}", counted(summary.rolls as u64, "roll")));
    let mut out = vec![format!("{file} ({}): {}.", safe(&summary.format), counts.join(", "))];
    let role = |wanted: ForeignRole| {
        let names = summary.speakers.iter().filter(|speaker| speaker.role == wanted);
        listed(names.map(|speaker| short(&safe(&speaker.name), NAME_MAX)).collect())
    };
    let narrator = match role(ForeignRole::Narrator) {
        Some(names) => format!("Narrator: {names}."),
        None => "Narrator: not recognised (--narrator NAME says who).".to_owned(),
    };
    let roles = [
        Some(narrator),
        role(ForeignRole::Player).map(|names| format!("Players: {names}.")),
        role(ForeignRole::Other).map(|names| format!("Others: {names}.")),
    ];
    out.push(roles.into_iter().flatten().collect::<Vec<_>>().join(" "));
    if let Some(passed) = listed(summary.passed_over.iter().map(passed).collect()) {
        out.push(format!("Passed over: {passed}."));
    }
    out
}

/// `3 × thinking (not said at the table)`.
fn passed(one: &PassedOver) -> String {
    let line =
        if one.times == 1 { format!("line {}", one.line) } else { format!("the first in line {}", one.line) };
    format!("{} × {} ({}; {line})", one.times, short(&safe(&one.what), NAME_MAX), safe(&one.why))
}

fn listed(mut names: Vec<String>) -> Option<String> {
    let more = names.len().saturating_sub(NAMED_MAX);
    names.truncate(NAMED_MAX);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    (!names.is_empty()).then(|| names.join(", "))
}

fn wrapped(text: &str) -> String {
    let text = hanging(&text.replace('\n', " "), "", "  ");
    format!("{DIM}{text}{DIM:#}\n")
}
