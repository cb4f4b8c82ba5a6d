//! What a journal tells: a campaign, or the transcript of another program. This is the one place that asks which.

mod campaign;
mod findings;
mod foreign;
mod taken;

use clap::ValueEnum;
use twicetold_audit::Transcript;
use twicetold_event::Number;
use twicetold_host::View;
use twicetold_journal::Source;
use twicetold_projection::people::Prices;
use twicetold_world::Life;

use crate::failure::Failure;
use crate::story::Spoilers;
use crate::terminal::{BOLD, EFFECT, GOLD, GOOD, TROUBLE};
pub use taken::{Reading, taken, taken_text};

/// What a campaign can be written as. None of these can be replayed.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Format {
    /// One page for a browser, as `report` writes it
    Html,
    /// The story and the party document in Markdown
    Md,
    /// One JSON object per line, for each input and event
    Jsonl,
    /// One JSON object per line, for each model call: the messages in chat-completions format, with the reply as the last one
    Chat,
    /// The story and the closing summary as Discord webhook bodies, one per line
    Discord,
}

impl Format {
    /// As it is typed.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Whatever was told, as commands show it.
pub trait Told {
    /// What detectors read.
    fn transcript(&self) -> Result<Transcript, Failure>;

    /// What people read, up to a number, as text or JSON.
    fn lines(&self, last: Option<Number>, json: bool, spoilers: &Spoilers) -> Result<String, Failure>;

    /// Inputs and events number by number, as text or JSON, until `out` wants no more.
    fn log(&self, json: bool, out: &mut dyn FnMut(&str) -> bool) -> Result<(), Failure>;

    /// All of it in a format. A page shows money, by these prices.
    fn export(&self, format: Format, prices: Prices) -> Result<String, Failure>;

    /// The row of a list. `view` keeps a snapshot.
    fn brief(&self, view: &View) -> Result<Brief, Failure>;

    /// Throws a snapshot away and makes it anew: what was done, and whether all was well.
    fn rebuild(&self, view: &View) -> Result<(String, bool), Failure>;
}

/// What a list says.
pub struct Brief {
    /// What it is called.
    pub title: String,
    /// How it stands.
    pub state: Standing,
    /// More of that; often nothing.
    pub detail: String,
    /// When it began.
    pub opened_ms: u64,
    /// Turns, or lines.
    pub turns: u32,
    /// Model calls.
    pub calls: u32,
    /// The models that play, by the names that their servers know.
    pub models: Vec<String>,
}

/// How a campaign stands, in the one word that every listing has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Neither over nor paused: it is being played, or was interrupted
    InProgress,
    /// `resume` continues it
    Paused,
    /// It has ended
    Over,
    /// A transcript of another program
    Foreign,
    /// Its journal cannot be read
    Unreadable,
}

impl Standing {
    /// That of a campaign.
    pub fn of(life: &Life) -> Standing {
        match life {
            Life::Ended { .. } => Standing::Over,
            Life::Paused { .. } => Standing::Paused,
            _ => Standing::InProgress,
        }
    }

    /// Its colour.
    pub fn style(self) -> anstyle::Style {
        match self {
            Standing::InProgress => EFFECT,
            Standing::Paused => GOLD,
            Standing::Over => GOOD,
            Standing::Foreign => BOLD,
            Standing::Unreadable => TROUBLE,
        }
    }

    /// The same, given how a campaign ended: one that was lost is no success.
    pub fn style_with(self, detail: &str) -> anstyle::Style {
        match detail.split([',', ' ']).next() {
            Some("failed") if self == Standing::Over => TROUBLE,
            Some("unresolved") if self == Standing::Over => GOLD,
            _ => self.style(),
        }
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Standing::InProgress => "in progress",
            Standing::Paused => "paused",
            Standing::Over => "over",
            Standing::Foreign => "foreign",
            Standing::Unreadable => "unreadable",
        }
    }
}

/// What a journal tells.
pub fn told(source: &dyn Source) -> Result<Box<dyn Told + '_>, Failure> {
    Ok(match twicetold_session::foreign(source)? {
        Some(opened) => Box::new(foreign::Foreign { source, opened }),
        None => Box::new(campaign::Played { source }),
    })
}
