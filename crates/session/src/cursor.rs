//! Walks a journal from number to number and from call to call, reading the few entries that it needs: the cost grows with how
//! far one asks, not with how long the campaign is.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use twicetold_dialect::Wire;
use twicetold_event::{CallId, Entry, Event, Input, Item, ModelCallRequested, Number, Seat};
use twicetold_journal::Source;
use twicetold_model::Reply;
use twicetold_referee::{Amended, Amendment, add_made, said, wires};
use twicetold_world::setup::Setup;

use crate::{LoadError, charter_of};

/// Requests that one manifest may build upon, one on the other: they are whole every 32nd time.
const BASES_MAX: usize = 64;
/// Entries after a request in which its answer is looked for: retries and what operators ask for lie between.
const ANSWERS_AFTER_MAX: usize = 4_096;

/// A journal and what was read of it.
pub struct JournalCursor<'s> {
    source: &'s dyn Source,
    /// The setups of the charter, each from its number on.
    setups: Vec<(Number, Arc<Setup>)>,
    entries: RefCell<BTreeMap<Number, Rc<Entry>>>,
    /// Where calls were requested, as far as they have been met: what is looked for lies between its neighbours.
    calls: RefCell<BTreeMap<CallId, Number>>,
    /// Where their answers came.
    answers: RefCell<BTreeMap<CallId, Number>>,
}

impl<'s> JournalCursor<'s> {
    /// A cursor over a journal, with these pieces of the charter replaced.
    ///
    /// # Errors
    /// The charter cannot be read.
    pub fn new(source: &'s dyn Source, amended: &[Amended]) -> Result<JournalCursor<'s>, LoadError> {
        let (_, mut setup) = charter_of(source)?;
        let mut setups = vec![(Number(0), setup.clone())];
        for Amended { number, change } in amended {
            setup = Arc::new(match change {
                Amendment::Seed(seed) => Setup::read(*seed, setup.rules_version, setup.files.clone())?,
                Amendment::File(file) => setup.amended(&file.path, Arc::from(file.content.as_str()))?,
            });
            setups.push((*number, setup.clone()));
        }
        let (entries, calls, answers) = Default::default();
        Ok(JournalCursor { source, setups, entries, calls, answers })
    }

    /// A cursor that knows the positions of some requests and replies.
    pub fn knowing(
        self,
        calls: &BTreeMap<CallId, Number>,
        answers: &BTreeMap<CallId, Number>,
    ) -> JournalCursor<'s> {
        JournalCursor { calls: RefCell::new(calls.clone()), answers: RefCell::new(answers.clone()), ..self }
    }

    /// The journal.
    pub fn source(&self) -> &'s dyn Source {
        self.source
    }

    /// What the campaign was played with at a number.
    pub fn setup_at(&self, number: Number) -> &Arc<Setup> {
        let place = self.setups.iter().rposition(|(from, _)| *from <= number).unwrap_or(0);
        &self.setups[place].1
    }

    /// The entry that holds a number; none past the end.
    ///
    /// # Errors
    /// The storage failed, or the entry cannot be read.
    pub fn entry(&self, number: Number) -> Result<Option<Rc<Entry>>, LoadError> {
        let known = self.entries.borrow().range(..=number).next_back().map(|(_, entry)| entry.clone());
        if let Some(entry) = known.filter(|entry| number < entry.header.next()) {
            return Ok(Some(entry));
        }
        let Some(bytes) = self.source.entry_holding(number)? else { return Ok(None) };
        let entry = Entry::decode(&bytes).map_err(|why| LoadError::Entry { number, why: why.to_string() })?;
        let entry = Rc::new(entry);
        self.entries.borrow_mut().insert(entry.header.first, entry.clone());
        Ok(Some(entry))
    }

    /// The entry before this one.
    ///
    /// # Errors
    /// As [`JournalCursor::entry`].
    pub fn before(&self, entry: &Entry) -> Result<Option<Rc<Entry>>, LoadError> {
        match entry.header.first.0.checked_sub(1) {
            Some(number) => self.entry(Number(number)),
            None => Ok(None),
        }
    }

    /// The newest event at or before `from` that is meant, with its entry.
    ///
    /// # Errors
    /// As [`JournalCursor::entry`].
    pub fn last(
        &self,
        from: Number,
        is_meant: impl Fn(&Event) -> bool,
    ) -> Result<Option<(Number, Rc<Entry>)>, LoadError> {
        let mut next = self.entry(from)?;
        while let Some(entry) = next {
            let found = entry.numbered().filter(|(at, event)| *at <= from && is_meant(event)).last();
            if let Some((number, _)) = found {
                return Ok(Some((number, entry.clone())));
            }
            next = self.before(&entry)?;
        }
        Ok(None)
    }

    /// The event by which a call was requested. Calls are numbered as they are requested, so halving finds it.
    ///
    /// # Errors
    /// As [`JournalCursor::entry`].
    pub fn request(&self, call: CallId) -> Result<Option<(Number, ModelCallRequested)>, LoadError> {
        let (mut low, mut high) = self.between(call);
        while low < high {
            let middle = Number(low + (high - low) / 2);
            let found = self.last(middle, |event| matches!(event, Event::ModelCallRequested(_)))?;
            let Some((number, entry)) = found else {
                low = middle.0 + 1;
                continue;
            };
            let Some(word) = requested(&entry, number) else { return Ok(None) };
            self.calls.borrow_mut().insert(word.call, number);
            match word.call.cmp(&call) {
                std::cmp::Ordering::Equal => return Ok(Some((number, word.clone()))),
                std::cmp::Ordering::Less => low = middle.0 + 1,
                std::cmp::Ordering::Greater => high = number.0,
            }
        }
        Ok(None)
    }

    /// The numbers between which a call was requested, the last one left out.
    fn between(&self, call: CallId) -> (u64, u64) {
        let calls = self.calls.borrow();
        let low = calls.range(..=call).next_back().map_or(0, |(_, number)| number.0);
        let high = calls.range(call..).next().map_or(self.source.head().next.0, |(_, number)| number.0 + 1);
        (low, high)
    }

    /// The entry whose input answered a call for good: a model's reply or what a person said.
    ///
    /// # Errors
    /// As [`JournalCursor::entry`].
    pub fn answer(&self, call: CallId) -> Result<Option<Rc<Entry>>, LoadError> {
        let known = self.answers.borrow().get(&call).copied();
        if let Some(number) = known {
            return self.entry(number);
        }
        let Some((number, _)) = self.request(call)? else { return Ok(None) };
        let mut next = self.entry(number)?.map(|entry| entry.header.next());
        for _ in 0..ANSWERS_AFTER_MAX {
            let Some(entry) = next.map(|number| self.entry(number)).transpose()?.flatten() else { break };
            let answers = match &entry.input {
                Input::ModelReplied(word) => word.call == call,
                Input::PersonAnswered(word) => word.call == call,
                _ => false,
            };
            // What came when nobody waited for it was never looked at.
            let ignored = entry.events.iter().any(|event| matches!(event, Event::ReplyIgnored(_)));
            if answers && !ignored {
                self.answers.borrow_mut().insert(call, entry.header.first);
                return Ok(Some(entry));
            }
            next = Some(entry.header.next());
        }
        Ok(None)
    }

    /// How a seat's model was spoken to at a number.
    ///
    /// # Errors
    /// The charter's wires cannot be read.
    pub fn wire_at(&self, number: Number, seat: Seat) -> Result<Arc<Wire>, LoadError> {
        Ok(wires(self.setup_at(number))?.get(&seat).cloned().unwrap_or_default())
    }

    /// What answered a call, as it was understood.
    ///
    /// # Errors
    /// As [`JournalCursor::entry`].
    pub fn reply(&self, call: CallId) -> Result<Option<Reply>, LoadError> {
        let Some(entry) = self.answer(call)? else { return Ok(None) };
        Ok(match &entry.input {
            Input::PersonAnswered(word) => Some(said(word)),
            Input::ModelReplied(word) => {
                let Some((number, asked)) = self.request(call)? else { return Ok(None) };
                let mut reply = self.wire_at(number, asked.seat)?.decode(&word.body).ok();
                for event in &entry.events {
                    if let (Event::MoveChosen(chosen), Some(reply)) = (event, reply.as_mut()) {
                        add_made(reply, chosen);
                    }
                }
                reply
            }
            _ => None,
        })
    }

    /// All items of a request.
    ///
    /// # Errors
    /// A manifest does not fit the one that it builds upon.
    pub fn items(&self, number: Number, requested: &ModelCallRequested) -> Result<Vec<Item>, LoadError> {
        let damage = |why: String| LoadError::Entry { number, why };
        let mut chain = vec![requested.clone()];
        while let Some(base) = chain.last().and_then(|word| word.manifest.base) {
            let found = self.request(base)?.filter(|(_, word)| word.call < requested.call);
            let Some((_, word)) = found.filter(|_| chain.len() < BASES_MAX) else {
                return Err(damage(format!("the request that {} builds upon is not there", requested.call)));
            };
            chain.push(word);
        }
        let mut items = Vec::new();
        for word in chain.iter().rev() {
            items = word.manifest.resolve(&items).map_err(|why| damage(why.to_string()))?;
        }
        Ok(items)
    }
}

/// The request at this number of an entry.
fn requested(entry: &Entry, number: Number) -> Option<&ModelCallRequested> {
    entry.numbered().find(|(at, _)| *at == number).and_then(|(_, event)| match event {
        Event::ModelCallRequested(word) => Some(word),
        _ => None,
    })
}
