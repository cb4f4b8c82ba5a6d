//! What stood on a terminal becomes records: a line begins one, and what follows are its words, but for blocks and lines that are none.

use std::ops::Range;

use serde_json::{Map, Value};

use crate::limits::RECORDS_MAX;
use crate::mapping::{Block, Printed};
use crate::pattern::{Found, Pattern};

/// A record with its place in the text.
pub type Place = (Range<usize>, Map<String, Value>);

/// Where the first record begins, and every record with its place in the text.
pub fn records(text: &str, own: &Printed) -> (usize, Vec<Place>) {
    let mut records: Vec<Place> = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut block: Option<(&Block, Map<String, Value>, Vec<String>)> = None;
    let mut front = text.len();
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        if records.len() > RECORDS_MAX {
            break;
        }
        let begins = place;
        place += line.len();
        let line = plain(line.trim_end());
        if let Some((open, mut fields, mut inner)) = block.take() {
            let header = first(&own.begins, &line).is_some();
            if open.ends.whole(&line).is_none() && !header {
                if !(inner.is_empty() && first(&open.skip, &line).is_some()) {
                    inner.push(line);
                }
                block = Some((open, fields, inner));
                continue;
            }
            fields.insert("text".into(), joined(&inner).into());
            keep(&mut records, open, fields);
            if !header {
                continue;
            }
        }
        if let Some(found) = first(&own.begins, &line) {
            close(&mut records, &mut words, begins);
            front = front.min(begins);
            records.push((begins..text.len(), fields(&found)));
        } else if let Some((own, found)) =
            own.blocks.iter().find_map(|own| Some((own, own.begins.whole(&line)?)))
        {
            block = Some((own, fields(&found), Vec::new()));
        } else if first(&own.skip, &line).is_none() {
            words.push(line);
        }
    }
    if let Some((open, mut fields, inner)) = block {
        fields.insert("text".into(), joined(&inner).into());
        keep(&mut records, open, fields);
    }
    close(&mut records, &mut words, text.len());
    (front, records)
}

/// The record ends at a place, with these words.
fn close(records: &mut [Place], words: &mut Vec<String>, end: usize) {
    if let Some((place, fields)) = records.last_mut() {
        place.end = end;
        fields.insert("content".into(), joined(words).into());
    }
    words.clear();
}

/// A block becomes an object of a list of its record.
fn keep(records: &mut [Place], block: &Block, fields: Map<String, Value>) {
    let Some((_, record)) = records.last_mut() else { return };
    let list = record.entry(block.into.clone()).or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(items) = list {
        items.push(Value::Object(fields));
    }
}

fn first<'t>(patterns: &[Pattern], line: &'t str) -> Option<Found<'t>> {
    patterns.iter().find_map(|pattern| pattern.whole(line))
}

fn fields(found: &Found<'_>) -> Map<String, Value> {
    found.iter().map(|(name, text)| (name.clone(), Value::String(text.trim().to_owned()))).collect()
}

fn joined(lines: &[String]) -> String {
    lines.join("\n").trim().to_owned()
}

/// A line without the colours of a terminal.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(place) = rest.find("\u{1b}[") {
        out += &rest[..place];
        let after = &rest[place + 2..];
        let end = after.find(|c: char| c.is_ascii_alphabetic()).map_or(after.len(), |end| end + 1);
        rest = &after[end..];
    }
    out + rest
}
