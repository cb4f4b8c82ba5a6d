//! The closure of a request: the entries and blobs that it was made of, and nothing else. From it alone, in an empty store, the
//! very same request is made again; without any one of them it is not.

use std::collections::{BTreeMap, BTreeSet};

use twicetold_event::{BlobId, CallId, Event, Item, Number, Place, Source as SpanSource, Span};
use twicetold_journal::Source;
use twicetold_referee::Amended;

use crate::cursor::JournalCursor;
use crate::rebuild::rebuild_in;
use crate::{LoadError, charter_of};

/// What a request was made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closure {
    /// The request.
    pub call: CallId,
    /// The entries, by their first numbers.
    pub entries: BTreeSet<Number>,
    /// The blobs.
    pub blobs: BTreeSet<BlobId>,
    /// Where requests were decided: this one and those that its manifest builds upon.
    pub requests: BTreeMap<CallId, Number>,
    /// Where the answers came whose words or tool calls it shows.
    pub answers: BTreeMap<CallId, Number>,
    /// What had been replaced in the charter by then.
    pub amended: Vec<Amended>,
}

impl Closure {
    /// The closure of a call; none when there is no such call.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn of(
        cursor: &JournalCursor<'_>,
        amended: &[Amended],
        call: CallId,
    ) -> Result<Option<Closure>, LoadError> {
        let Some((number, requested)) = cursor.request(call)? else { return Ok(None) };
        let mut closure = Closure { call, ..Closure::default() };
        closure.amended = amended.iter().filter(|amended| amended.number <= number).cloned().collect();
        closure.keep(cursor, Number(0))?;
        let (charter, _) = charter_of(cursor.source())?;
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
    pub fn holds_in(&self, source: &dyn Source) -> bool {
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
