//! A journal as a report reads it: folded once, every line with its number, every call with what it was made of.

use std::collections::BTreeMap;

use thiserror::Error;
use twicetold_event::{CallId, CampaignId, Entry, Event, Millis, Number};
use twicetold_journal::{Head, Source, check};
use twicetold_projection::people::{Ledger, Line, Prices, lines, lived, reminder};
use twicetold_projection::recorded;
use twicetold_referee::Campaign;
use twicetold_session::{Explainer, LoadError, RequestWhy, charter_of};
use twicetold_world::State;

use crate::limits;

/// Why there is no report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The journal cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A page could not be written: a bug.
    #[error("the page could not be written: {0}")]
    Page(#[from] askama::Error),
    /// Something could not be written as JSON: a bug.
    #[error("an event could not be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// A journal that was read.
pub struct LoadedJournal<'s> {
    pub(crate) source: &'s dyn Source,
    record: Record,
}

/// What was read of a journal: the campaign, its entries, and what people are shown of them. It holds nothing open, and a journal
/// that is still being written is read on with [`Record::read_on`].
pub struct Record {
    pub(crate) campaign: Campaign,
    pub(crate) id: CampaignId,
    pub(crate) opened: Millis,
    pub(crate) entries: Vec<Entry>,
    /// What people are shown of an event, by its number.
    pub(crate) lines: BTreeMap<u64, Line>,
    /// What was asked, without the words of the prompts; empty where nobody looked for it.
    pub(crate) calls: BTreeMap<CallId, RequestWhy>,
    /// What was answered.
    pub(crate) ledger: Ledger,
    /// What it cost the one who reads; none where nobody asks for money.
    pub(crate) prices: Option<Prices>,
    /// The number after the last one.
    pub(crate) next: u64,
    /// Where the journal stands after what was read: the next entry must follow from it.
    head: Head,
}

impl std::ops::Deref for LoadedJournal<'_> {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.record
    }
}

impl<'s> LoadedJournal<'s> {
    /// Reads a journal.
    ///
    /// # Errors
    /// It is damaged, or has no charter that this build can read.
    pub fn read(source: &'s dyn Source) -> Result<LoadedJournal<'s>, ReportError> {
        let record = Record::until(source, None)?;
        let mut journal = LoadedJournal { source, record };
        let explainer = journal.explainer()?;
        let mut calls = BTreeMap::new();
        for call in journal.asked() {
            let Some(mut request) = explainer.request(call)? else { continue };
            request.spans = Vec::new();
            calls.insert(call, request);
        }
        journal.record.calls = calls;
        Ok(journal)
    }

    /// The same, with what models cost on this machine: its page shows money too.
    #[must_use]
    pub fn with_prices(self, prices: Prices) -> LoadedJournal<'s> {
        LoadedJournal { record: self.record.with_prices(prices), ..self }
    }

    /// Whoever knows why something happened.
    pub(crate) fn explainer(&self) -> Result<Explainer<'_>, LoadError> {
        Ok(Explainer::of(self.source, &self.campaign)?.with_causes_max(limits::TRIGGERS_SHOWN_MAX))
    }
}

impl Record {
    /// The record of a journal before its first entry.
    ///
    /// # Errors
    /// The journal has no charter that this build can read.
    pub fn before(source: &dyn Source) -> Result<Record, ReportError> {
        let (charter, setup) = charter_of(source)?;
        let campaign = Campaign::new(charter, setup).map_err(LoadError::from)?;
        Ok(Record {
            campaign,
            id: CampaignId([0; 16]),
            opened: Millis(0),
            entries: Vec::new(),
            lines: BTreeMap::new(),
            calls: BTreeMap::new(),
            ledger: Ledger::default(),
            prices: None,
            next: 0,
            head: Head::EMPTY,
        })
    }

    /// The record of a journal up to the entry that holds the number `last`, or of all of it.
    ///
    /// # Errors
    /// The journal is damaged, or has no charter that this build can read.
    pub fn until(source: &dyn Source, last: Option<Number>) -> Result<Record, ReportError> {
        let mut record = Record::before(source)?;
        record.read_on(source, last)?;
        Ok(record)
    }

    /// Reads on to the end that `source` has now, or up to the entry that holds the number `last`. The entries before stay.
    ///
    /// # Errors
    /// The journal is damaged, or another one than before.
    pub fn read_on(&mut self, source: &dyn Source, last: Option<Number>) -> Result<(), ReportError> {
        for bytes in source.entries(self.head.next).map_err(LoadError::from)? {
            let number = self.head.next;
            if last.is_some_and(|last| number > last) {
                break;
            }
            let damage = |why: String| LoadError::Entry { number, why };
            let bytes = bytes.map_err(LoadError::from)?;
            let (header, parts) =
                check(&self.head, &bytes).map_err(|rejection| damage(rejection.to_string()))?;
            let entry = Entry::of_parts(header, &parts).map_err(|why| damage(why.to_string()))?;
            self.add(entry)?;
            self.head = self.head.after(&header, &parts);
        }
        Ok(())
    }

    /// The same, with what models cost on this machine.
    #[must_use]
    pub fn with_prices(self, prices: Prices) -> Record {
        Record { prices: Some(prices), ..self }
    }

    /// The campaign as it stands after what was read.
    pub fn campaign(&self) -> &Campaign {
        &self.campaign
    }

    /// Its id.
    pub fn id(&self) -> CampaignId {
        self.id
    }

    /// When it was opened; for a branch, when it began.
    pub fn opened(&self) -> Millis {
        self.opened
    }

    /// The number after the last that was read.
    pub fn next(&self) -> Number {
        Number(self.next)
    }

    /// Its entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn add(&mut self, entry: Entry) -> Result<(), LoadError> {
        let header = entry.header;
        let unreadable = |why: String| LoadError::Entry { number: header.first, why };
        self.campaign.fold(&entry).map_err(|why| unreadable(why.to_string()))?;
        self.ledger.entry(self.campaign.state(), &entry);
        // A branch bears its own name from its first own entry on.
        if self.entries.is_empty() || self.id != header.campaign {
            (self.id, self.opened) = (header.campaign, header.at);
        }
        let shown = lines(self.campaign.state(), self.campaign.replies(), &entry);
        self.lines.extend(shown.into_iter().map(|line| (line.number, line)));
        self.next = header.next().0;
        self.entries.push(entry);
        Ok(())
    }

    /// All calls in order.
    pub(crate) fn asked(&self) -> Vec<CallId> {
        let events = self.entries.iter().flat_map(|entry| &entry.events);
        let calls = events.filter_map(|event| match event {
            Event::ModelCallRequested(word) => Some(word.call),
            _ => None,
        });
        calls.collect()
    }

    /// The campaign as it stands at the journal's end.
    pub(crate) fn state(&self) -> &State {
        self.campaign.state()
    }

    /// The entry and the event with this number; no event for the number of an input.
    pub(crate) fn at(&self, number: u64) -> Option<(&Entry, Option<&Event>)> {
        let place = self.entries.partition_point(|entry| entry.header.first.0 <= number).checked_sub(1)?;
        let entry = &self.entries[place];
        let offset = usize::try_from(number - entry.header.first.0).ok()?;
        match offset.checked_sub(1) {
            None => Some((entry, None)),
            Some(event) => Some((entry, Some(entry.events.get(event)?))),
        }
    }

    /// What kind of input or event has this number, and what people are shown of it.
    pub(crate) fn hint(&self, number: u64) -> Option<(&'static str, String)> {
        let (entry, event) = self.at(number)?;
        let Some(event) = event else { return Some((entry.input.name(), self.answered(entry))) };
        let text = match (self.lines.get(&number), event) {
            (Some(line), _) if line.speaker.is_empty() => line.text.clone(),
            (Some(line), _) => format!("{}: {}", line.speaker, line.text),
            (None, Event::TurnBegan(word)) => {
                format!("turn {} of {}", word.turn, self.state().seat_name(word.seat))
            }
            (None, Event::ScenarioSet(word)) => {
                twicetold_projection::words(self.campaign.replies(), &word.public).trim().to_owned()
            }
            (None, Event::NpcRemembered(word)) => lived(&word.values),
            (None, Event::NudgeGiven(word)) => reminder(word),
            _ => recorded(event).unwrap_or_default(),
        };
        Some((event.name(), text))
    }

    fn answered(&self, entry: &Entry) -> String {
        let call = entry.input.call().and_then(|call| self.calls.get(&call));
        call.map_or_else(String::new, |call| format!("{} ({})", call.seat, model(call)))
    }
}

/// The model of a request, or that a person answered.
pub(crate) fn model(request: &RequestWhy) -> &str {
    if request.person.is_some() { "a person" } else { &request.model }
}

/// Tokens read and written, as the server counted them.
pub(crate) fn spent(request: &RequestWhy) -> (u64, u64) {
    request.usage.map_or((0, 0), |usage| (usage.input_tokens, usage.output_tokens))
}
