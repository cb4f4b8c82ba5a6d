//! A message in pieces, as a model writes it: where the whole follows they are passed over, else they are joined.

use serde_json::Value;

use crate::mapping::{Spec, any, at, first_at};
use crate::split::Raw;

/// Records after the last piece among which the whole may be: thinking and calls come between.
const WHOLE_WITHIN: usize = 4;

/// Joins pieces, or passes them over.
pub fn join(spec: &Spec, records: &mut [Raw<'_>]) {
    let mut from = 0;
    while from < records.len() {
        let Some(speaker) = piece(spec, &records[from]).map(str::to_owned) else {
            from += 1;
            continue;
        };
        let more = records[from..].iter().take_while(|raw| piece(spec, raw) == Some(&speaker));
        let to = from + more.count();
        let whole: String = records[from..to].iter().filter_map(|raw| text(spec, raw)).collect();
        let follows = records[to..].iter().take(WHOLE_WITHIN).any(|raw| {
            let same = raw.value.as_ref().is_ok_and(|value| speaker_of(spec, value) == Some(&speaker));
            let said = text(spec, raw).unwrap_or_default().trim();
            same && !said.is_empty() && whole.trim().ends_with(said)
        });
        let why = match follows {
            true => "the whole message follows".to_owned(),
            false => format!("joined with line {}", records[from].line),
        };
        for (place, raw) in records[from..to].iter_mut().enumerate() {
            let field =
                spec.text.iter().find(|path| raw.value.as_ref().is_ok_and(|value| at(value, path).is_some()));
            match (follows || place > 0, field, &mut raw.value) {
                (false, Some(field), Ok(Value::Object(fields))) => {
                    fields.insert(field.clone(), Value::String(whole.clone()));
                }
                (_, _, value) => *value = Err(("piece of a message".into(), why.clone())),
            }
        }
        from = to;
    }
}

/// Whose piece a record is.
fn piece<'r>(spec: &Spec, raw: &'r Raw<'_>) -> Option<&'r str> {
    let value = raw.value.as_ref().ok().filter(|value| any(&spec.pieces, value))?;
    speaker_of(spec, value)
}

fn speaker_of<'r>(spec: &Spec, value: &'r Value) -> Option<&'r str> {
    first_at(value, &spec.speaker)?.as_str()
}

fn text<'r>(spec: &Spec, raw: &'r Raw<'_>) -> Option<&'r str> {
    first_at(raw.value.as_ref().ok()?, &spec.text)?.as_str()
}
