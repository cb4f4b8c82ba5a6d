//! A campaign as commands show it.

use twicetold_audit::{Recorder, Transcript};
use twicetold_event::Number;
use twicetold_host::reading::walk;
use twicetold_host::{SNAPSHOT_ABOVE, View};
use twicetold_journal::Source;
use twicetold_projection::people::{Line, Prices, lines, why_paused};
use twicetold_report::{LoadedJournal, chat, discord, html, jsonl, markdown, models};
use twicetold_session::{load, load_with, snapshot};
use twicetold_world::Life;

use super::findings::findings;
use super::{Brief, Format, Standing, Told};
use crate::data::{self, campaign_of};
use crate::failure::{Failure, code};
use crate::listing::told_in;
use crate::story::{Order, Spoilers};
use crate::terminal::counted;

/// A campaign that was played here.
pub(super) struct Played<'s> {
    pub(super) source: &'s dyn Source,
}

impl Told for Played<'_> {
    fn transcript(&self) -> Result<Transcript, Failure> {
        let mut recorder = Recorder::new();
        walk(self.source, None, |campaign, entry| {
            recorder.entry(campaign.state(), campaign.replies(), entry);
            true
        })?;
        Ok(recorder.finish())
    }

    fn lines(&self, last: Option<Number>, json: bool, spoilers: &Spoilers) -> Result<String, Failure> {
        let mut text = String::new();
        let mut all: Vec<Line> = Vec::new();
        let mut order = Order::default();
        walk(self.source, last, |campaign, entry| {
            // A program is told everything.
            let shown = match json {
                true => lines(campaign.state(), campaign.replies(), entry),
                false => spoilers.lines(campaign, entry),
            };
            let shown = shown.into_iter();
            let shown: Vec<Line> =
                shown.filter(|line| last.is_none_or(|last| line.number <= last.0)).collect();
            if json {
                all.extend(shown);
            } else {
                text += &order.told(campaign.state(), entry, &shown);
            }
            true
        })?;
        text += &order.rest();
        Ok(if json { data::of(campaign_of(self.source)?, data::Transcript { lines: all }) } else { text })
    }

    fn log(&self, json: bool, out: &mut dyn FnMut(&str) -> bool) -> Result<(), Failure> {
        let mut each = told_in(json, campaign_of(self.source)?);
        Ok(walk(self.source, None, |campaign, entry| out(&each(campaign, entry)))?)
    }

    fn export(&self, format: Format, prices: Prices) -> Result<String, Failure> {
        let journal = LoadedJournal::read(self.source)?;
        Ok(match format {
            Format::Html => html(&journal.with_prices(prices), &findings(self.source)?)?,
            Format::Md => markdown(&journal),
            Format::Jsonl => jsonl(&journal),
            Format::Chat => chat(self.source, &journal)?,
            Format::Discord => discord(&journal)?,
        })
    }

    fn brief(&self, view: &View) -> Result<Brief, Failure> {
        let loaded = view.load(self.source)?;
        let state = loaded.campaign.state();
        let detail = match state.life() {
            Life::Ended { .. } => {
                match state.encounters_over().last().map(|end| (&end.outcome, end.failed)) {
                    Some((Some((outcome, _)), true)) => format!("failed, {outcome}"),
                    Some((Some((outcome, _)), false)) => format!("resolved, {outcome}"),
                    _ => "unresolved".into(),
                }
            }
            Life::Paused { fault, reason, .. } => why_paused(*fault, reason),
            _ => state.phase().name().to_owned(),
        };
        Ok(Brief {
            title: state.setup().campaign.title.clone(),
            state: Standing::of(state.life()),
            detail,
            opened_ms: loaded.opened.0,
            turns: state.turn().number,
            calls: state.calls().total().calls,
            models: models(&state.setup().seats).into_iter().map(|(model, _)| model.to_owned()).collect(),
        })
    }

    fn rebuild(&self, view: &View) -> Result<(String, bool), Failure> {
        let kept = view.read();
        let mut loaded = load(self.source)?;
        let digest = loaded.campaign.state().digest();
        let agreed = match &kept {
            Some(bytes) => load_with(self.source, Some(bytes))?.campaign.state().digest() == digest,
            None => true,
        };
        view.remove();
        let (next, entries) = (self.source.head().next, loaded.entries);
        let folded = format!("{} folded", counted(entries, "entry"));
        if loaded.unknown.is_none() && next.0 >= SNAPSHOT_ABOVE {
            let bytes = snapshot(&mut loaded.campaign, &self.source.head(), loaded.opened);
            let failed =
                |error| Failure::new(code::FAILED, format!("the snapshot cannot be written: {error}"), "");
            bytes.map(|bytes| view.write(&bytes)).transpose().map_err(failed)?;
            return Ok(match agreed {
                true => (format!("{folded}, snapshot made"), true),
                false => (format!("{folded}, the old snapshot did not match and was deleted"), false),
            });
        }
        Ok((format!("{folded}, journal too short to need a snapshot"), true))
    }
}
