//! Records of a transcript become foreign words, each with the file and line that it came from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use twicetold_event::{
    Event, ForeignAnswered, ForeignCalled, ForeignLine, ForeignPart, ForeignPassedOver, ForeignRole,
    ForeignRolled, ForeignSpoke,
};
use twicetold_model::Usage;

use crate::error::RecordError;
use crate::limits::{CALLS_MAX, NAME_BYTES_MAX, SPEAKERS_MAX};
use crate::mapping::{Mapping, Spec, any, at, first, first_at, is_known};
use crate::pieces::join;
use crate::roles::{Hint, Told, Votes, hint, machines, opener, roles};
use crate::split::{Raw, split};
use crate::words::words_of;
use crate::{dice, python};

/// A record as it stood in the file, and what it says.
pub type Record = (ForeignLine, Vec<Event>);

/// All records of the text of a file.
///
/// # Errors
/// It is no JSON, or a record is not what the mapping says: with the file and line. Or somebody is told of who does not speak.
pub fn records(path: &Path, text: &str, mapping: &Mapping, told: &Told) -> Result<Vec<Record>, RecordError> {
    let spec = &mapping.spec;
    let mut raw = split(path, text, spec)?;
    for raw in &mut raw {
        raw.value = std::mem::replace(&mut raw.value, Ok(Value::Null)).map(|value| lifted(spec, value));
    }
    join(spec, &mut raw);
    let mut reader = Reader {
        spec,
        last_speaker: String::new(),
        asked: BTreeMap::new(),
        last: None,
        votes: BTreeMap::new(),
        hint: None,
    };
    let mut records = Vec::with_capacity(raw.len());
    let mut speakers: BTreeSet<String> = BTreeSet::new();
    for Raw { line, text, value } in raw {
        let wrong = |why: String| RecordError::Record { file: path.to_owned(), line, why };
        let events = match value {
            Err((what, why)) => vec![passed(what, why, 1)],
            Ok(value) if !value.is_object() => return Err(wrong("a record must be an object".into())),
            Ok(value) => reader.record(&value).map_err(wrong)?,
        };
        for event in &events {
            if let Event::ForeignSpoke(word) = event
                && !speakers.contains(&word.speaker)
            {
                speakers.insert(word.speaker.clone());
            }
        }
        if speakers.len() > SPEAKERS_MAX {
            return Err(RecordError::Record {
                file: path.to_owned(),
                line,
                why: format!("more than {SPEAKERS_MAX} speakers; does the mapping name the right field?"),
            });
        }
        records.push((ForeignLine { line, text: text.to_owned() }, events));
    }
    if !records.iter().any(|(_, events)| events.iter().any(|event| matches!(event, Event::ForeignSpoke(_)))) {
        return Err(RecordError::Silent(path.to_owned()));
    }
    let names = spec.roles.clone().unwrap_or_default();
    let mut roles = roles(&reader.votes, &names, (spec.one_narrator, reader.hint), told)?;
    let spoken = records.iter().flat_map(|(_, events)| events).filter_map(|event| match event {
        Event::ForeignSpoke(word) if !word.text.is_empty() => {
            Some((word.speaker.as_str(), word.text.as_str()))
        }
        _ => None,
    });
    if told.player.is_empty()
        && told.narrator.is_empty()
        && let Some(narrator) = opener(&roles, spoken)
    {
        roles.insert(narrator, ForeignRole::Narrator);
    }
    let spoken = records.iter().flat_map(|(_, events)| events).filter_map(|event| match event {
        Event::ForeignSpoke(word) => Some((word.speaker.as_str(), word.text.as_str())),
        _ => None,
    });
    for machine in machines(spoken) {
        if roles.get(&machine) == Some(&ForeignRole::Player) && !told.player.contains(&machine) {
            roles.insert(machine, ForeignRole::Other);
        }
    }
    let tools_roll = records.iter().flat_map(|(_, events)| events).any(|event| {
        matches!(
            event,
            Event::ForeignAnswered(ForeignAnswered { roll: Some(_), .. }) | Event::ForeignRolled(_)
        )
    });
    for (line, events) in &mut records {
        let wrong = |why: String| RecordError::Record { file: path.to_owned(), line: line.line, why };
        let mut told = Vec::new();
        for event in events.iter_mut() {
            let Event::ForeignSpoke(word) = event else { continue };
            word.role = roles.get(&word.speaker).copied().unwrap_or(word.role);
            // Where tools roll the dice, a number that somebody merely says is what detectors compare with them.
            if let Some(rolls) =
                spec.rolls.as_ref().filter(|_| !tools_roll || word.role == ForeignRole::Other)
            {
                let mut found = dice::of_text(rolls, &word.text).map_err(wrong)?;
                let own = Some(&word.text).filter(|_| word.role == ForeignRole::Other);
                // "[4] [5] + 1 = 10": a pattern may have seen the first of several dice alone.
                if let Some(whole) = own.and_then(|text| dice::answered(text))
                    && found.iter().map(|roll| roll.faces.len()).sum::<usize>() < whole.faces.len()
                {
                    found = vec![whole];
                }
                told.extend(
                    found.into_iter().map(|roll| ForeignRolled { speaker: word.speaker.clone(), roll }),
                );
            }
        }
        events.extend(told.into_iter().map(Event::from));
    }
    Ok(records)
}

/// What records tell of beside words: a part of which no record tells was not recorded.
pub fn parts(records: &[Record]) -> Vec<ForeignPart> {
    let any = |is: &dyn Fn(&Event) -> bool| records.iter().flat_map(|(_, events)| events).any(is);
    let parts = [
        (
            ForeignPart::Calls,
            any(&|event| matches!(event, Event::ForeignCalled(_) | Event::ForeignAnswered(_))),
        ),
        (
            ForeignPart::Rolls,
            any(&|event| {
                matches!(
                    event,
                    Event::ForeignAnswered(ForeignAnswered { roll: Some(_), .. }) | Event::ForeignRolled(_)
                )
            }),
        ),
        (
            ForeignPart::Usage,
            any(&|event| matches!(event, Event::ForeignSpoke(word) if word.usage.is_some())),
        ),
        (
            ForeignPart::Audience,
            any(&|event| matches!(event, Event::ForeignSpoke(word) if word.audience.is_some())),
        ),
    ];
    parts.into_iter().filter_map(|(part, is)| is.then_some(part)).collect()
}

/// A record with the fields of the objects inside it, and a text alone as a record.
pub fn lifted(spec: &Spec, value: Value) -> Value {
    let mut value = match (value, &spec.alone) {
        (Value::String(text), Some(speaker)) => serde_json::json!({"alone": speaker, "text": text}),
        (value, _) => value,
    };
    for path in spec.inside.iter() {
        let inner = at(&value, path).and_then(Value::as_object).cloned();
        if let (Some(inner), Value::Object(fields)) = (inner, &mut value) {
            fields.extend(inner);
        }
    }
    value
}

fn passed(what: impl Into<String>, why: impl Into<String>, times: usize) -> Event {
    let times = u32::try_from(times).unwrap_or(u32::MAX);
    ForeignPassedOver { what: what.into(), why: why.into(), times }.into()
}

/// What is known while records are read.
struct Reader<'a> {
    spec: &'a Spec,
    last_speaker: String,
    /// The tool and the arguments of each call, by its id, and of the last one.
    asked: BTreeMap<String, (String, String)>,
    last: Option<(String, String)>,
    votes: BTreeMap<String, Votes>,
    hint: Option<Hint>,
}

impl Reader<'_> {
    /// What a record says.
    fn record(&mut self, record: &Value) -> Result<Vec<Event>, String> {
        let spec = self.spec;
        let kind = spec.kind.as_deref().and_then(|path| at(record, path)?.as_str());
        let mut aside = Vec::new();
        if let Some(skip) = first(&spec.skip, record) {
            let what = skip.what.as_deref().or(kind).unwrap_or("record");
            if what == PROMPT {
                let words = spec.text.iter().filter_map(|path| at(record, path));
                let text =
                    words.map(|value| words_of(&spec.parts, value, &mut aside)).find(|text| !text.is_empty());
                self.hint = self
                    .hint
                    .or(hint(&text.unwrap_or_default(), spec.roles.as_ref().unwrap_or(&Default::default())));
            }
            let why = skip.why.as_deref().unwrap_or("the mapping leaves it out");
            return Ok(vec![passed(shortened(what), why, 1)]);
        }
        if let Some(kind) = spec.unknown(record) {
            let what = format!("unknown kind {:?}", shortened(kind));
            return Ok(vec![passed(what, format!("the mapping {} does not name it", spec.name), 1)]);
        }
        let mut taken: Vec<&str> = Vec::new();
        let results = self.results(record, &mut taken)?;
        let speaker = match first_at(record, &spec.speaker)
            .and_then(Value::as_str)
            .or_else(|| at(record, "alone")?.as_str())
        {
            Some(speaker) => {
                let speaker = name(speaker, "the speaker")?;
                spec.rename.get(&speaker).cloned().unwrap_or(speaker)
            }
            // Results belong to whoever called.
            None if !results.is_empty() => self.last_speaker.clone(),
            None => {
                return Err(format!(
                    "the record has no speaker: it has no field {}",
                    spec.speaker.join(" or ")
                ));
            }
        };
        let calls = self.calls(record, &speaker, &mut taken)?;
        let words = spec.text.iter().filter(|path| !taken.contains(&path.as_str()));
        let words =
            words.filter_map(|path| at(record, path)).map(|value| words_of(&spec.parts, value, &mut aside));
        let text = words.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
        let usage = usage(spec, record);
        let mut events = Vec::new();
        if !text.is_empty() || usage.is_some() {
            let votes = self.votes.entry(speaker.clone()).or_default();
            votes.narrator |= any(&spec.narrator, record);
            votes.other |= any(&spec.other, record);
            let audience =
                spec.audience.as_deref().and_then(|path| at(record, path)).map(names).transpose()?;
            let role = ForeignRole::Player;
            events.push(ForeignSpoke { speaker: speaker.clone(), role, audience, text, usage }.into());
        }
        if results.is_empty() {
            self.last_speaker.clone_from(&speaker);
        }
        let mut further = Vec::new();
        for call in calls {
            let asked = (call.tool.clone(), call.arguments.clone());
            self.asked.insert(call.id.clone(), asked.clone());
            self.last = Some(asked);
            events.push(call.into());
        }
        for mut result in results {
            let asked = self.asked.get(&result.id).or(self.last.as_ref());
            let asked = asked.map_or(("", ""), |(tool, arguments)| (tool.as_str(), arguments.as_str()));
            let told =
                spec.rolls.as_ref().map(|rolls| dice::of_result(rolls, &result.text, asked)).transpose()?;
            let mut told = told.unwrap_or_default().into_iter();
            result.roll = told.next();
            further.extend(told.map(|roll| ForeignRolled { speaker: self.last_speaker.clone(), roll }));
            let said = spec.failures.as_ref().and_then(|failures| dice::failed(failures, &result.text));
            // Dice that fell badly are no failure of the call, though the same field may say both.
            result.failed = match said {
                Some(true) if result.roll.is_some() => Some(false),
                Some(true) => said,
                _ => result.failed.or(said),
            };
            events.push(result.into());
        }
        events.extend(further.into_iter().map(Event::from));
        events.extend(aside.into_iter().map(|(what, why)| passed(what, why, 1)));
        for aside in &spec.aside {
            let times = match at(record, &aside.at) {
                Some(Value::Array(items)) => items.len().saturating_sub(aside.taken),
                Some(Value::String(text)) if text.trim().is_empty() => 0,
                Some(Value::Bool(false)) | None => 0,
                Some(_) => 1,
            };
            events.extend((times > 0).then(|| passed(&*aside.what, &*aside.why, times)));
        }
        if events.is_empty() {
            events.push(passed("empty message", "it has neither words nor calls", 1));
        }
        Ok(events)
    }

    /// What stands at a path: objects in a list, one alone, or written out in a text; the path is taken then.
    fn items<'p>(
        &self,
        record: &Value,
        path: &'p str,
        written: &[String],
        taken: &mut Vec<&'p str>,
    ) -> Result<Vec<Value>, String> {
        let found = match at(record, path) {
            Some(Value::Array(items)) => items.iter().filter(|item| item.is_object()).cloned().collect(),
            Some(item @ Value::Object(_)) => vec![item.clone()],
            Some(Value::String(text)) => {
                let mut found = match serde_json::from_str(text) {
                    Ok(Value::Array(items)) => items,
                    Ok(item @ Value::Object(_)) => vec![item],
                    _ => Vec::new(),
                };
                found.retain(Value::is_object);
                if found.is_empty() && !written.is_empty() {
                    found = python::objects(text, written)?;
                }
                taken.extend((!found.is_empty()).then_some(path));
                found
            }
            _ => Vec::new(),
        };
        match found.len() > CALLS_MAX {
            true => Err(format!("{} tool calls or results, at most {CALLS_MAX}", found.len())),
            false => Ok(found),
        }
    }

    fn calls<'r>(
        &'r self,
        record: &Value,
        speaker: &str,
        taken: &mut Vec<&'r str>,
    ) -> Result<Vec<ForeignCalled>, String> {
        let mut calls = Vec::new();
        for own in self.spec.calls.iter().filter(|own| own.when.is_empty() || any(&own.when, record)) {
            let mut paths = Vec::new();
            let before = calls.len();
            for item in self.items(record, &own.at, &own.written, &mut paths)? {
                // A list may hold other things beside calls, results for one.
                let tool = at(&item, &own.tool).and_then(Value::as_str);
                let Some(tool) = tool.filter(|_| at(&item, &own.arguments).is_some()) else { continue };
                let tool = name(tool, "the tool")?;
                let id = id(&item, &own.id)?;
                let arguments = plain(at(&item, &own.arguments));
                calls.push(ForeignCalled { speaker: speaker.to_owned(), id, tool, arguments });
            }
            taken.extend(paths.into_iter().filter(|_| calls.len() > before));
            if calls.len() > before && own.at.is_empty() {
                taken.push(&own.arguments);
            }
        }
        Ok(calls)
    }

    fn results<'r>(&self, record: &Value, taken: &mut Vec<&'r str>) -> Result<Vec<ForeignAnswered>, String>
    where
        Self: 'r,
    {
        let spec = self.spec;
        let mut results = Vec::new();
        for own in spec.results.iter().filter(|own| own.when.is_empty() || any(&own.when, record)) {
            let mut paths = Vec::new();
            let before = results.len();
            for item in self.items(record, &own.at, &own.written, &mut paths)? {
                let Some(text) = at(&item, &own.text) else { continue };
                // A call has an id of another name, and may have a text.
                if !own.at.is_empty() && !own.id.is_empty() && at(&item, &own.id).is_none() {
                    continue;
                }
                let text = match words_of(&spec.parts, text, &mut Vec::new()) {
                    words if !words.is_empty() && !text.is_object() => words,
                    _ => plain(Some(text)),
                };
                let failed = own.failed.as_deref().and_then(|path| failed(at(&item, path)?));
                results.push(ForeignAnswered { id: id(&item, &own.id)?, text, failed, roll: None });
            }
            if results.len() > before {
                taken.extend(paths);
                taken.extend(own.takes.iter().map(String::as_str));
                taken.extend(own.at.is_empty().then_some(own.text.as_str()));
            }
        }
        Ok(results)
    }
}

/// What the skipped records are called in whose words it may stand who tells the story.
const PROMPT: &str = "system prompt";

/// Characters of a kind that no mapping knows, as it is shown.
fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

fn id(item: &Value, path: &str) -> Result<String, String> {
    match path.is_empty() {
        true => Ok(String::new()),
        false => name(&plain(at(item, path)), "the call's id"),
    }
}

/// Does a field say that a call failed?
fn failed(value: &Value) -> Option<bool> {
    let is = |words: &[&str]| {
        value.as_str().is_some_and(|word| {
            is_known(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>(), word)
        })
    };
    match value {
        Value::Bool(failed) => Some(*failed),
        _ if is(&["error", "failed", "failure", "true"]) => Some(true),
        _ if is(&["success", "completed", "ok", "false"]) => Some(false),
        _ => None,
    }
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
