//! A file becomes records, each with its line: JSON in all the forms in which it is saved, printed objects, and what stood on a terminal.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::error::RecordError;
use crate::limits::{RECORD_BYTES_MAX, RECORDS_MAX};
use crate::mapping::{Printed, Spec};
use crate::{printed, python};

/// A record as it stands in the file.
pub struct Raw<'a> {
    /// The line at which it begins.
    pub line: u64,
    /// Its text, unchanged.
    pub text: &'a str,
    /// What it says, or what it is and why it is passed over.
    pub value: Result<Value, (String, String)>,
}

/// The records of a file by a mapping. Where the mapping names lists, a file may be one document that has one, a line for each such
/// document, a list of them, the bare list, or its items a line each: whoever saved a conversation saved it in one of these forms.
pub fn split<'a>(path: &'a Path, text: &'a str, spec: &Spec) -> Result<Vec<Raw<'a>>, RecordError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file = File::new(path, text);
    let records = if text.trim_start().starts_with(['{', '[']) {
        file.json(spec)?
    } else if python::is_printed(text) {
        file.python(spec)?
    } else if let Some(own) = &spec.printed {
        file.printed(own)
    } else {
        let help = format!("it is no JSON, and the mapping {} does not say how a text is divided", spec.name);
        return Err(file.wrong(1, help));
    };
    file.few(records.len())?;
    match records.iter().find(|raw| raw.text.len() > RECORD_BYTES_MAX) {
        Some(raw) => {
            Err(file
                .wrong(raw.line, format!("a record of {} bytes, at most {RECORD_BYTES_MAX}", raw.text.len())))
        }
        None => Ok(records),
    }
}

/// A file that is split: pieces of it know their lines.
struct File<'a> {
    path: &'a Path,
    text: &'a str,
    /// Where lines end.
    ends: Vec<usize>,
}

impl<'a> File<'a> {
    fn new(path: &'a Path, text: &'a str) -> File<'a> {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(place, _)| place);
        File { path, text, ends: ends.collect() }
    }

    fn wrong(&self, line: u64, why: String) -> RecordError {
        RecordError::Record { file: self.path.to_owned(), line, why }
    }

    /// Are they as many records as may be read, as far as they were counted?
    fn few(&self, records: usize) -> Result<(), RecordError> {
        match records > RECORDS_MAX {
            true => Err(self.wrong(1, format!("more than {RECORDS_MAX} records; import a part of it"))),
            false => Ok(()),
        }
    }

    fn no_json(&self, piece: &str, error: &serde_json::Error) -> RecordError {
        self.wrong(self.line(piece) + error.line().max(1) as u64 - 1, format!("no JSON: {error}"))
    }

    /// The line at which a place lies.
    fn line_at(&self, place: usize) -> u64 {
        1 + self.ends.partition_point(|end| *end < place) as u64
    }

    /// The line at which a piece of the text begins.
    fn line(&self, piece: &str) -> u64 {
        self.line_at(piece.as_ptr().addr().saturating_sub(self.text.as_ptr().addr()).min(self.text.len()))
    }

    /// Lines with something in them.
    fn lines(&self) -> impl Iterator<Item = (u64, &'a str)> + use<'a> {
        let lines = (1..).zip(self.text.lines()).map(|(number, line)| (number, line.trim()));
        lines.filter(|(_, line)| !line.is_empty())
    }

    /// Are there several documents, each in its line? One document over several lines does not end in its first.
    fn is_a_document_a_line(&self) -> bool {
        let mut lines = self.lines();
        let first = lines.next().is_some_and(|(_, line)| serde_json::from_str::<&RawValue>(line).is_ok());
        first && lines.next().is_some()
    }

    fn json(&self, spec: &Spec) -> Result<Vec<Raw<'a>>, RecordError> {
        let mut documents: Vec<(u64, &'a str)> = match self.is_a_document_a_line() {
            true => self.lines().take(RECORDS_MAX + 2).collect(),
            false => vec![(self.line(self.text.trim_start()), self.text.trim())],
        };
        // A program that was killed while it wrote leaves the last line cut.
        let last = documents.last().copied().filter(|_| documents.len() > 1);
        let cut = last
            .filter(|(_, line)| serde_json::from_str::<&RawValue>(line).is_err_and(|error| error.is_eof()));
        if cut.is_some() {
            documents.pop();
        }
        if let [(_, list)] = documents[..]
            && list.starts_with('[')
        {
            documents = self.items(list)?;
        }
        self.few(documents.len())?;
        let mut records = Vec::new();
        let mut known: BTreeSet<String> = BTreeSet::new();
        for (line, document) in documents {
            self.few(records.len())?;
            let found = self.lists(document, &spec.list)?;
            if found.is_empty() {
                known.extend(Some(document.to_owned()).filter(|_| !spec.list.is_empty()));
                records.push(self.raw(line, document)?);
                continue;
            }
            let mut items = Vec::new();
            for list in found {
                match list.starts_with('[') {
                    true => items.extend(self.items(list)?),
                    false => items.push((self.line(list), list)),
                }
            }
            // Whoever writes down every message as it comes, and then the result, has them twice.
            let again = !known.is_empty() && items.iter().all(|(_, item)| known.contains(*item));
            if again {
                let value = Err(("result".into(), "it repeats the messages before it".into()));
                records.push(Raw { line, text: document, value });
                continue;
            }
            for (line, item) in items {
                records.push(self.raw(line, item)?);
            }
        }
        records.extend(cut.map(|(line, text)| Raw {
            line,
            text,
            value: Err(("last line".into(), "the file ends in the middle of it".into())),
        }));
        Ok(records)
    }

    fn raw(&self, line: u64, text: &'a str) -> Result<Raw<'a>, RecordError> {
        let value = serde_json::from_str(text).map_err(|error| self.no_json(text, &error))?;
        Ok(Raw { line, text, value: Ok(value) })
    }

    /// What lies at these paths of a document.
    fn lists(&self, document: &'a str, paths: &[String]) -> Result<Vec<&'a str>, RecordError> {
        let mut found = Vec::new();
        for path in paths {
            let mut inner = Some(document);
            for part in path.split('.').filter(|part| !part.is_empty()) {
                let Some(json) = inner else { break };
                inner = self.member(json, part)?;
            }
            found.extend(inner.filter(|json| json.starts_with(['[', '{', '"'])));
        }
        Ok(found)
    }

    fn member(&self, json: &'a str, name: &str) -> Result<Option<&'a str>, RecordError> {
        let wrong = |error| self.no_json(json, &error);
        Ok(match json.as_bytes().first() {
            Some(b'{') => {
                let fields: BTreeMap<Cow<'_, str>, &'a RawValue> =
                    serde_json::from_str(json).map_err(wrong)?;
                fields.get(name).map(|value| value.get())
            }
            Some(b'[') => {
                let items: Vec<&'a RawValue> = serde_json::from_str(json).map_err(wrong)?;
                name.parse::<usize>().ok().and_then(|place| items.get(place)).map(|value| value.get())
            }
            _ => None,
        })
    }

    /// The items of a list, each with its line.
    fn items(&self, list: &'a str) -> Result<Vec<(u64, &'a str)>, RecordError> {
        let items: Vec<&'a RawValue> =
            serde_json::from_str(list).map_err(|error| self.no_json(list, &error))?;
        Ok(items.into_iter().map(|item| (self.line(item.get()), item.get())).collect())
    }

    /// Objects as Python prints them.
    fn python(&self, spec: &Spec) -> Result<Vec<Raw<'a>>, RecordError> {
        let list = spec.list.first().map_or("", String::as_str);
        let records = python::records(self.text, list)
            .map_err(|broken| self.wrong(self.line_at(broken.at), broken.why))?;
        let raw = |(place, value): (std::ops::Range<usize>, Value)| Raw {
            line: self.line_at(place.start),
            text: self.text[place].trim(),
            value: Ok(value),
        };
        Ok(records.into_iter().map(raw).collect())
    }

    /// What stood on a terminal.
    fn printed(&self, own: &Printed) -> Vec<Raw<'a>> {
        let (front, records) = printed::records(self.text, own);
        let raw = |(place, fields): (std::ops::Range<usize>, Map<String, Value>)| Raw {
            line: self.line_at(place.start),
            text: self.text[place].trim_end(),
            value: Ok(Value::Object(fields)),
        };
        let before = Some(front).filter(|front| !self.text[..*front].trim().is_empty());
        let before = before.map(|front| Raw {
            line: 1,
            text: self.text[..front].trim_end(),
            value: Err(("text".into(), "it stands before the first message".into())),
        });
        before.into_iter().chain(records.into_iter().map(raw)).collect()
    }
}
