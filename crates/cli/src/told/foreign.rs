//! The transcript of another program as commands show it.

use twicetold_audit::Transcript;
use twicetold_event::{Entry, ForeignOpened, Number};
use twicetold_host::View;
use twicetold_host::reading::within;
use twicetold_journal::Source;
use twicetold_projection::people::{Line, LineKind, Prices};
use twicetold_report::{JsonLines, foreign_chat, foreign_html, foreign_markdown};

use super::findings::findings;
use super::{Brief, Format, Standing, Told};
use crate::data::{self, campaign_of};
use crate::failure::{Failure, code};
use crate::listing::rows;
use crate::story::Spoilers;
use crate::terminal::{BOLD, DIM, EFFECT, GOLD, TROUBLE, paragraphs, safe, short};

/// A transcript. No rule decided any of it, so there is nothing to fold.
pub(super) struct Foreign<'s> {
    pub(super) source: &'s dyn Source,
    pub(super) opened: ForeignOpened,
}

impl Foreign<'_> {
    fn entries(&self) -> Result<Vec<Entry>, Failure> {
        let entries: Result<Vec<Entry>, _> = twicetold_session::entries(self.source)?.collect();
        Ok(entries?)
    }

    fn all_lines(&self) -> Result<Vec<Line>, Failure> {
        Ok(self.entries()?.iter().flat_map(twicetold_foreign::lines).collect())
    }
}

impl Told for Foreign<'_> {
    fn transcript(&self) -> Result<Transcript, Failure> {
        Ok(twicetold_foreign::transcript(&self.entries()?))
    }

    fn lines(&self, last: Option<Number>, json: bool, _: &Spoilers) -> Result<String, Failure> {
        within(self.source, last)?;
        let mut lines = self.all_lines()?;
        lines.retain(|line| last.is_none_or(|last| line.number <= last.0));
        Ok(match json {
            true => data::of(campaign_of(self.source)?, data::Transcript { lines }),
            false => lines.iter().map(rendered).collect(),
        })
    }

    fn log(&self, json: bool, out: &mut dyn FnMut(&str) -> bool) -> Result<(), Failure> {
        let (mut made, campaign) = (JsonLines::default(), campaign_of(self.source)?);
        for entry in self.entries()? {
            let shown = twicetold_foreign::lines(&entry);
            let said = |number: Number| {
                shown.iter().find(|line| line.number == number.0).map(|line| line.text.clone())
            };
            let text: String = match json {
                true => made.of(&entry, said).into_iter().map(|line| data::of(campaign, line)).collect(),
                false => rows(&shown, &entry, |_| String::new()),
            };
            if !out(&text) {
                break;
            }
        }
        Ok(())
    }

    fn export(&self, format: Format, _: Prices) -> Result<String, Failure> {
        match format {
            Format::Md => Ok(foreign_markdown(&self.opened.file, &self.all_lines()?)),
            Format::Jsonl => {
                let mut text = String::new();
                self.log(true, &mut |more| {
                    text += more;
                    true
                })?;
                Ok(text)
            }
            Format::Html => Ok(foreign_html(&self.opened, &self.all_lines()?, &findings(self.source)?)?),
            Format::Chat => Ok(foreign_chat(campaign_of(self.source)?, &self.opened, &self.entries()?)?),
            Format::Discord => {
                let message = "not recorded: who plays whom, and how it ended";
                let help = "a foreign transcript can be exported in every other format, or as a journal (without --as)";
                Err(Failure::new(code::USAGE, message, help))
            }
        }
    }

    /// As many turns as its lines, and nothing to play.
    fn brief(&self, _: &View) -> Result<Brief, Failure> {
        let head = self.source.head();
        Ok(Brief {
            title: self.opened.file.clone(),
            state: Standing::Foreign,
            detail: short(&self.opened.format, 40),
            opened_ms: head.at.0,
            turns: u32::try_from(head.entries.saturating_sub(1)).unwrap_or(u32::MAX),
            calls: 0,
            models: Vec::new(),
        })
    }

    fn rebuild(&self, _: &View) -> Result<(String, bool), Failure> {
        Ok(("a transcript of another program: there is nothing to fold".into(), true))
    }
}

fn rendered(line: &Line) -> String {
    let styled = |style: anstyle::Style| format!("{style}{}{style:#}\n", paragraphs(&line.text, "    "));
    match line.kind {
        LineKind::Heading => format!("\n{GOLD}── {} ──{GOLD:#}\n", safe(&line.text)),
        LineKind::Speech => {
            format!("\n{BOLD}{}{BOLD:#}\n{}\n", safe(&line.speaker), paragraphs(&line.text, "  "))
        }
        LineKind::Trouble => styled(TROUBLE),
        LineKind::Note => styled(DIM),
        _ => styled(EFFECT),
    }
}
