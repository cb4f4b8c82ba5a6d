//! Promise: the sources of a prompt are enough to make it again, and none of them can be taken away unseen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use twicetold_event::entry::Header;
use twicetold_event::{BlobId, CallId, Event, Item, Number, Place, Source as SpanSource, Span};
use twicetold_journal::{Blob, Blobs, Entries, Head, Source, StoreError};
use twicetold_referee::Amended;
use twicetold_session::{JournalCursor, LoadError, load, rebuild_in, recorded_charter};

use crate::reasons::{asked_for, calls, every_journal};

/// Requests of one campaign of which the closure is cut out and rebuilt apart: evenly over the campaign.
const APART: usize = 6;

/// What a request was made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Closure {
    /// The request.
    call: CallId,
    /// The entries, by their first numbers.
    entries: BTreeSet<Number>,
    /// The blobs.
    blobs: BTreeSet<BlobId>,
    /// Where requests were decided: this one and those that its manifest builds upon.
    requests: BTreeMap<CallId, Number>,
    /// Where the answers came whose words or tool calls it shows.
    answers: BTreeMap<CallId, Number>,
    /// What had been replaced in the charter by then.
    amended: Vec<Amended>,
}

impl Closure {
    /// The closure of a call; none when there is no such call.
    ///
    /// # Errors
    /// The journal is damaged.
    fn of(
        cursor: &JournalCursor<'_>,
        amended: &[Amended],
        call: CallId,
    ) -> Result<Option<Closure>, LoadError> {
        let Some((number, requested)) = cursor.request(call)? else { return Ok(None) };
        let mut closure = Closure { call, ..Closure::default() };
        closure.amended = amended.iter().filter(|amended| amended.number <= number).cloned().collect();
        closure.keep(cursor, Number(0))?;
        let charter = recorded_charter(cursor.source())?;
        closure.blobs.extend(charter.files.iter().map(|file| file.blob));
        let mut next = Some((number, requested.clone()));
        while let Some((number, word)) = next {
            closure.requests.insert(word.call, number);
            closure.keep(cursor, number)?;
            next = word.manifest.base.map(|base| cursor.request(base)).transpose()?.flatten();
        }
        for item in cursor.items(number, &requested)? {
            closure.add(cursor, &item)?;
        }
        Ok(Some(closure))
    }

    fn add(&mut self, cursor: &JournalCursor<'_>, item: &Item) -> Result<(), LoadError> {
        if let Item::Span(Span { source: SpanSource::Event(number), .. }) = item {
            self.keep(cursor, *number)?;
        }
        match item {
            Item::Span(Span { place: Place::Blob(id, _), .. }) => drop(self.blobs.insert(*id)),
            Item::Span(Span { place: Place::Reply(call, _), .. })
            | Item::ToolCall { call, .. }
            | Item::Opaque { call, .. } => {
                if let Some((number, _)) = cursor.request(*call)? {
                    self.requests.insert(*call, number);
                    self.keep(cursor, number)?;
                }
                if let Some(entry) = cursor.answer(*call)? {
                    self.answers.insert(*call, entry.header.first);
                    self.entries.insert(entry.header.first);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn keep(&mut self, cursor: &JournalCursor<'_>, number: Number) -> Result<(), LoadError> {
        self.entries.extend(cursor.entry(number)?.map(|entry| entry.header.first));
        Ok(())
    }

    /// Is the request made again from what `source` has of its closure, digest and all, and is every event there that the claim
    /// names as the source of a text?
    fn holds_in(&self, source: &dyn Source) -> bool {
        let check = || -> Result<bool, LoadError> {
            let cursor = JournalCursor::new(source, &self.amended)?.knowing(&self.requests, &self.answers);
            let Some(rebuilt) = rebuild_in(&cursor, self.call)? else { return Ok(false) };
            for part in &rebuilt.parts {
                if let Item::Span(Span { source: SpanSource::Event(number), .. }) = &part.item {
                    let entry = cursor.entry(*number)?;
                    let is_event = |event: &Event| !matches!(event, Event::Unknown(_));
                    let there = entry.is_some_and(|entry| {
                        entry.numbered().any(|(at, event)| at == *number && is_event(event))
                    });
                    if !there {
                        return Ok(false);
                    }
                }
            }
            Ok(rebuilt.is_exact())
        };
        // What cannot be read any more proves nothing.
        check().unwrap_or(false)
    }
}

/// A store that was empty, and into which some entries and blobs were put.
struct Cut {
    head: Head,
    entries: BTreeMap<Number, Vec<u8>>,
    blobs: BTreeMap<BlobId, Blob>,
}

impl Cut {
    fn of(source: &dyn Source, closure: &Closure) -> Cut {
        let entry = |first: &Number| (*first, source.entry_holding(*first).unwrap().unwrap());
        let blob = |id: &BlobId| (*id, source.blob(*id).unwrap().unwrap());
        Cut {
            head: source.head(),
            entries: closure.entries.iter().map(entry).collect(),
            blobs: closure.blobs.iter().map(blob).collect(),
        }
    }
}

impl Source for Cut {
    fn head(&self) -> Head {
        self.head
    }

    fn entries(&self, from: Number) -> Result<Entries<'_>, StoreError> {
        Ok(Box::new(self.entries.range(from..).map(|(_, bytes)| Ok(bytes.clone()))))
    }

    fn entry_holding(&self, number: Number) -> Result<Option<Vec<u8>>, StoreError> {
        let found = self.entries.range(..=number).next_back();
        let holds = |bytes: &&Vec<u8>| number < Header::decode(bytes).unwrap().next();
        Ok(found.map(|(_, bytes)| bytes).filter(holds).cloned())
    }

    fn blobs(&self) -> Result<Blobs<'_>, StoreError> {
        Ok(Box::new(self.blobs.values().map(|blob| Ok(blob.clone()))))
    }

    fn blob(&self, id: BlobId) -> Result<Option<Blob>, StoreError> {
        Ok(self.blobs.get(&id).cloned())
    }
}

#[test]
fn the_sources_of_a_prompt_are_enough_to_make_it_again_and_each_of_them_is_needed() {
    let (requests, removals) = (AtomicUsize::new(0), AtomicUsize::new(0));
    every_journal(|name, source| {
        let loaded = load(source).unwrap();
        let amended = loaded.campaign.amended();
        let cursor = JournalCursor::new(source, amended).unwrap();
        let calls = calls(source);
        // Golden journals give every request; of random ones the recipe takes every one, and CI some.
        let step = if name.starts_with("seed") && !asked_for() { calls.len().div_ceil(APART) } else { 1 };
        for (turn, call) in calls.iter().enumerate().step_by(step) {
            let closure = Closure::of(&cursor, amended, *call).unwrap().expect("it was requested");
            let mut cut = Cut::of(source, &closure);
            assert!(closure.holds_in(&cut), "{name}: {call}");
            requests.fetch_add(1, Ordering::Relaxed);
            // One source after the other is taken away, another one from each request.
            let entry = *closure.entries.iter().nth(turn % closure.entries.len()).expect("there are some");
            cut.entries.remove(&entry);
            assert!(!closure.holds_in(&cut), "{name}: {call} holds without the entry {entry}");
            removals.fetch_add(1, Ordering::Relaxed);
        }
        let Some(call) = calls.get(calls.len() * 2 / 3) else { return };
        let closure = Closure::of(&cursor, amended, *call).unwrap().unwrap();
        for entry in &closure.entries {
            let mut cut = Cut::of(source, &closure);
            cut.entries.remove(entry);
            assert!(!closure.holds_in(&cut), "{name}: {call} holds without the entry {entry}");
            removals.fetch_add(1, Ordering::Relaxed);
        }
        for blob in closure.blobs.iter().step_by(9) {
            let mut cut = Cut::of(source, &closure);
            cut.blobs.remove(blob);
            assert!(!closure.holds_in(&cut), "{name}: {call} holds without {blob:?}");
            removals.fetch_add(1, Ordering::Relaxed);
        }
    });
    let (requests, removals) = (requests.into_inner(), removals.into_inner());
    println!(
        "{requests} requests were made again from their closures; {removals} were not without one of their sources"
    );
    assert!(requests > 300 && removals > 600, "{requests} {removals}");
}
