//! Records of a transcript become foreign words, each with the file and line that it came from.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use serde_json::value::RawValue;
use twicetold_event::{
    Event, ForeignAnswered, ForeignCalled, ForeignLine, ForeignPart, ForeignRole, ForeignRoll, ForeignSpoke,
};
use twicetold_model::Usage;

use crate::error::RecordError;
use crate::limits::{CALLS_MAX, FACES_MAX, NAME_BYTES_MAX, RECORD_BYTES_MAX, RECORDS_MAX};
use crate::mapping::{Mapping, Rolls, Spec, any, at};
use crate::python;

/// A record as it stood in the file, and what it says.
pub type Record = (ForeignLine, Vec<Event>);

/// All records of the text of a file.
///
/// # Errors
/// It is no JSON, or a record is not what the mapping says: with the file and line.
pub fn records(path: &Path, text: &str, mapping: &Mapping) -> Result<Vec<Record>, RecordError> {
    let raw = split(path, text, mapping.spec.list.as_deref())?;
    let mut records = Vec::with_capacity(raw.len());
    let mut last_speaker = String::new();
    for (line, raw) in raw {
        let wrong = |why: String| RecordError::Record { file: path.to_owned(), line, why };
        if raw.len() > RECORD_BYTES_MAX {
            return Err(wrong(format!("a record of {} bytes, at most {RECORD_BYTES_MAX}", raw.len())));
        }
        let value: Value = serde_json::from_str(raw).map_err(|error| wrong(format!("no JSON: {error}")))?;
        if !value.is_object() {
            return Err(wrong("a record must be an object".into()));
        }
        let events = read(&mapping.spec, &value, &mut last_speaker).map_err(wrong)?;
        records.push((ForeignLine { line, text: raw.to_owned() }, events));
    }
    if !records.iter().any(|(_, events)| events.iter().any(|event| matches!(event, Event::ForeignSpoke(_)))) {
        return Err(RecordError::Silent(path.to_owned()));
    }
    Ok(records)
}

/// What the mapping tells of beside words.
pub fn parts(spec: &Spec) -> Vec<ForeignPart> {
    let parts = [
        (ForeignPart::Calls, spec.calls.is_some()),
        (ForeignPart::Rolls, spec.rolls.is_some()),
        (ForeignPart::Usage, spec.usage.is_some()),
        (ForeignPart::Audience, spec.audience.is_some()),
    ];
    parts.into_iter().filter_map(|(part, is)| is.then_some(part)).collect()
}

/// The records as they stand in the file, each with its line. Where a mapping names a list, a file may be one document that has it, a line
/// for each such document, the bare list, or its items a line each: whoever saved a conversation saved it in one of these forms.
fn split<'a>(path: &'a Path, text: &'a str, list: Option<&str>) -> Result<Vec<(u64, &'a str)>, RecordError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file = File { path, text };
    let parts: Vec<&str> = list.unwrap_or_default().split('.').filter(|part| !part.is_empty()).collect();
    let records = match text.trim_start().starts_with('[') {
        true => file.items(text)?,
        false if parts.is_empty() => file.lines().collect(),
        false if file.is_a_document_a_line() => {
            let mut records = Vec::new();
            for (line, document) in file.lines() {
                match file.list(document, &parts)? {
                    Some(list) => records.extend(file.items(list)?),
                    None => records.push((line, document)),
                }
            }
            records
        }
        false => match file.list(text, &parts)? {
            Some(list) => file.items(list)?,
            None => return Err(file.wrong(1, format!("there is no list {:?}", parts.join(".")))),
        },
    };
    if records.len() > RECORDS_MAX {
        return Err(file.wrong(1, format!("{} records, at most {RECORDS_MAX}", records.len())));
    }
    Ok(records)
}

/// A file that is split: pieces of it know their lines.
struct File<'a> {
    path: &'a Path,
    text: &'a str,
}

impl<'a> File<'a> {
    fn wrong(&self, line: u64, why: String) -> RecordError {
        RecordError::Record { file: self.path.to_owned(), line, why }
    }

    fn no_json(&self, piece: &str, error: &serde_json::Error) -> RecordError {
        self.wrong(self.line(piece) + error.line().max(1) as u64 - 1, format!("no JSON: {error}"))
    }

    /// The line at which a piece of the text begins.
    fn line(&self, piece: &str) -> u64 {
        let before = piece.as_ptr().addr().saturating_sub(self.text.as_ptr().addr()).min(self.text.len());
        1 + self.text.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count() as u64
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

    /// The list at a path of a document, where it has one.
    fn list(&self, document: &'a str, parts: &[&str]) -> Result<Option<&'a str>, RecordError> {
        let mut inner = document;
        for part in parts {
            let fields: BTreeMap<String, &'a RawValue> =
                serde_json::from_str(inner).map_err(|error| self.no_json(inner, &error))?;
            let Some(found) = fields.get(*part) else { return Ok(None) };
            inner = found.get();
        }
        Ok(Some(inner))
    }

    /// The items of a list, each with its line.
    fn items(&self, list: &'a str) -> Result<Vec<(u64, &'a str)>, RecordError> {
        let items: Vec<&'a RawValue> =
            serde_json::from_str(list).map_err(|error| self.no_json(list, &error))?;
        Ok(items.into_iter().map(|item| (self.line(item.get()), item.get())).collect())
    }
}

/// What a record says.
fn read(spec: &Spec, record: &Value, last_speaker: &mut String) -> Result<Vec<Event>, String> {
    if any(&spec.skip, record) {
        return Ok(Vec::new());
    }
    let mut events = Vec::new();
    let mut taken: Vec<&str> = Vec::new();
    let speaker = spec.speaker.iter().find_map(|path| at(record, path)?.as_str());
    let results = results(spec, record)?;
    if let Some(own) = spec.results.as_ref().filter(|_| !results.is_empty()) {
        taken.extend([own.at.as_str()]);
        taken.extend(own.at.is_empty().then_some(own.text.as_str()));
    }
    let speaker = match speaker {
        Some(speaker) => name(speaker, "the speaker")?,
        // Results belong to whoever called.
        None if !results.is_empty() => last_speaker.clone(),
        None => {
            return Err(format!("the record has no speaker: it has no field {}", spec.speaker.join(" or ")));
        }
    };
    let calls = calls(spec, record, &speaker)?;
    if let Some(own) = spec.calls.as_ref().filter(|_| !calls.is_empty()) {
        taken.push(&own.at);
    }
    let words = spec.text.iter().filter(|path| !taken.contains(&path.as_str()));
    let text = words.filter_map(|path| at(record, path)).find_map(words_of).unwrap_or_default();
    let usage = usage(spec, record);
    if !text.is_empty() || usage.is_some() {
        let role = match (any(&spec.narrator, record), any(&spec.other, record)) {
            (true, _) => ForeignRole::Narrator,
            (_, true) => ForeignRole::Other,
            _ => ForeignRole::Player,
        };
        let audience = spec.audience.as_deref().and_then(|path| at(record, path)).map(names).transpose()?;
        let speaker = speaker.clone();
        events.push(ForeignSpoke { speaker, role, audience, text, usage }.into());
    }
    if results.is_empty() {
        last_speaker.clone_from(&speaker);
    }
    events.extend(calls.into_iter().map(Event::from));
    events.extend(results.into_iter().map(Event::from));
    Ok(events)
}

/// Words: a text, or a list of texts and of objects with a `text`.
fn words_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.as_str().or_else(|| part.get("text")?.as_str()));
            Some(texts.collect::<Vec<_>>().join("\n")).filter(|text| !text.is_empty())
        }
        _ => None,
    }
}

/// What stands at a path: objects in a list, one alone, or written out in a text.
fn items(record: &Value, path: &str, name: Option<&str>) -> Result<Vec<Value>, String> {
    let found = match at(record, path) {
        Some(Value::Array(items)) => items.iter().filter(|item| item.is_object()).cloned().collect(),
        Some(item @ Value::Object(_)) => vec![item.clone()],
        Some(Value::String(text)) => {
            name.map_or_else(|| Ok(Vec::new()), |name| python::objects(text, &[name.to_owned()]))?
        }
        _ => Vec::new(),
    };
    match found.len() > CALLS_MAX {
        true => Err(format!("{} tool calls or results, at most {CALLS_MAX}", found.len())),
        false => Ok(found),
    }
}

fn calls(spec: &Spec, record: &Value, speaker: &str) -> Result<Vec<ForeignCalled>, String> {
    let Some(own) = spec.calls.as_ref().filter(|own| own.when.is_empty() || any(&own.when, record)) else {
        return Ok(Vec::new());
    };
    let mut calls = Vec::new();
    for item in items(record, &own.at, own.written.as_deref())? {
        // A list may hold other things beside calls, results for one.
        let tool = at(&item, &own.tool).and_then(Value::as_str);
        let Some(tool) = tool.filter(|_| at(&item, &own.arguments).is_some()) else { continue };
        let tool = name(tool, "the tool")?;
        let id = name(&plain(at(&item, &own.id)), "the call's id")?;
        let arguments = plain(at(&item, &own.arguments));
        calls.push(ForeignCalled { speaker: speaker.to_owned(), id, tool, arguments });
    }
    Ok(calls)
}

fn results(spec: &Spec, record: &Value) -> Result<Vec<ForeignAnswered>, String> {
    let Some(own) = spec.results.as_ref().filter(|own| own.when.is_empty() || any(&own.when, record)) else {
        return Ok(Vec::new());
    };
    let mut results = Vec::new();
    for item in items(record, &own.at, own.written.as_deref())? {
        let Some(text) = at(&item, &own.text) else { continue };
        let text = words_of(text).unwrap_or_else(|| plain(Some(text)));
        let id = name(&plain(at(&item, &own.id)), "the call's id")?;
        let failed = own.failed.as_deref().and_then(|path| at(&item, path)?.as_bool());
        let roll = spec.rolls.as_ref().map(|rolls| roll(rolls, &text)).transpose()?.flatten();
        results.push(ForeignAnswered { id, text, failed, roll });
    }
    Ok(results)
}

/// The dice that a result tells of: an object with a total.
fn roll(rolls: &Rolls, text: &str) -> Result<Option<ForeignRoll>, String> {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return Ok(None) };
    let Some(total) = at(&value, &rolls.total).and_then(Value::as_i64).filter(|_| value.is_object()) else {
        return Ok(None);
    };
    let field = |path: &Option<String>| path.as_deref().and_then(|path| at(&value, path));
    let faces = match field(&rolls.faces) {
        Some(Value::Array(faces)) => faces.clone(),
        Some(face) => vec![face.clone()],
        None => Vec::new(),
    };
    if faces.len() > FACES_MAX {
        return Err(format!("{} dice in one roll, at most {FACES_MAX}", faces.len()));
    }
    let face = |face: &Value| {
        let number = face.as_u64().and_then(|face| u16::try_from(face).ok());
        number.ok_or_else(|| format!("{face} is no face of a die"))
    };
    Ok(Some(ForeignRoll {
        character: name(&plain(field(&rolls.character)), "the character")?,
        dice: name(&plain(field(&rolls.dice)), "the dice")?,
        faces: faces.iter().map(face).collect::<Result<_, _>>()?,
        total: Some(total),
        difficulty: field(&rolls.difficulty).and_then(Value::as_i64),
        success: field(&rolls.success).and_then(Value::as_bool),
    }))
}

fn usage(spec: &Spec, record: &Value) -> Option<Usage> {
    let own = spec.usage.as_ref()?;
    let number = |path: &str| at(record, path).and_then(Value::as_u64);
    let (input, output) = (number(&own.input), number(&own.output));
    let some = input.is_some() || output.is_some();
    some.then(|| Usage {
        input_tokens: input.unwrap_or(0),
        output_tokens: output.unwrap_or(0),
        ..Usage::default()
    })
}

fn names(value: &Value) -> Result<Vec<String>, String> {
    match value {
        Value::Array(items) if items.len() <= CALLS_MAX => {
            items.iter().map(|item| name(&plain(Some(item)), "a listener")).collect()
        }
        Value::String(text) => Ok(vec![name(text, "the listener")?]),
        other => {
            let front: String = other.to_string().chars().take(40).collect();
            Err(format!("{front} is no list of names"))
        }
    }
}

/// A text as it is, anything else as JSON.
fn plain(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

fn name(text: &str, what: &str) -> Result<String, String> {
    match text.len() > NAME_BYTES_MAX {
        true => Err(format!("{what} has {} bytes, at most {NAME_BYTES_MAX}", text.len())),
        false => Ok(text.trim().to_owned()),
    }
}
