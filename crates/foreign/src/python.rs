//! Values as a Python program prints them: `TextMessage(source='dm', content='It is dusk.')`, or `source='dm' content='It is dusk.'`.

use std::ops::Range;

use serde_json::{Map, Value};

use crate::limits::PRINTED_DEPTH_MAX;

/// A value that was not read: where, and why.
#[derive(Debug)]
pub struct Broken {
    /// The place in the text.
    pub at: usize,
    /// As text.
    pub why: String,
}

/// Every `Name(field=value, …)` in a text, as objects; none where the text holds no such thing, an error where one is broken. Where the
/// text is fields alone, as `print` writes one object, they are that object.
pub fn objects(text: &str, names: &[String]) -> Result<Vec<Value>, String> {
    let mut objects = Vec::new();
    for name in names {
        let opening = format!("{name}(");
        let mut from = 0;
        while let Some(place) = text[from..].find(&opening) {
            let mut reader = Reader { text, at: from + place, depth: 0, list: "", items: Vec::new() };
            objects.push(reader.value().map_err(|broken| format!("{name}(…): {}", broken.why))?);
            from = reader.at;
        }
    }
    if objects.is_empty() && begins_with_fields(text) {
        // What only looks so is somebody's words.
        let bare = bare(text, "").unwrap_or_default();
        objects.extend(bare.into_iter().map(|(_, value)| value));
    }
    Ok(objects)
}

/// The one value that a text is; none where it is anything else.
pub fn value(text: &str) -> Option<Value> {
    let mut reader = Reader { text, at: 0, depth: 0, list: "", items: Vec::new() };
    let value = reader.value().ok()?;
    reader.rest().trim().is_empty().then_some(value)
}

/// Is this text an object that was printed, with or without the name of its class?
pub fn is_printed(text: &str) -> bool {
    let text = text.trim_start();
    let name =
        text.len() - text.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.')).len();
    let after = &text[name..];
    let object = after.starts_with('(')
        && after[1..].trim_start().starts_with(|c: char| c.is_alphabetic() || c == '_');
    let generic = after.starts_with('[') && after.contains("](");
    begins_with_fields(text)
        || (name > 0 && text.starts_with(char::is_uppercase) && (object || generic) && after.contains('='))
}

/// Objects of a whole text, with their places: those of the list called `list` where the first object has it.
pub fn records(text: &str, list: &str) -> Result<Vec<(Range<usize>, Value)>, Broken> {
    if begins_with_fields(text) {
        return bare(text, list);
    }
    let mut records = Vec::new();
    let mut reader = Reader { text, at: 0, depth: 0, list, items: Vec::new() };
    loop {
        reader.blank();
        let from = reader.at;
        if reader.rest().is_empty() {
            return Ok(records);
        }
        let value = reader.value()?;
        match reader.items.is_empty() {
            true => records.push((from..reader.at, value)),
            false => records.append(&mut reader.items),
        }
    }
}

/// `field=` and what begins a value.
fn begins_with_fields(text: &str) -> bool {
    let text = text.trim_start();
    let name = text.find('=').filter(|place| {
        *place > 0
            && text[..*place]
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    });
    name.is_some_and(|place| {
        let value = &text[place + 1..];
        let words = ["None", "True", "False", "<"];
        value.starts_with(['\'', '"', '[', '{']) || words.iter().any(|word| value.starts_with(word))
    })
}

/// Fields with blanks between them; an object ends where a field comes again.
fn bare(text: &str, list: &str) -> Result<Vec<(Range<usize>, Value)>, Broken> {
    let mut records: Vec<(Range<usize>, Value)> = Vec::new();
    let mut reader = Reader { text, at: 0, depth: 0, list, items: Vec::new() };
    let mut fields = Map::new();
    reader.blank();
    let mut from = reader.at;
    while !reader.rest().is_empty() {
        let begins = reader.at;
        let name = reader.field()?;
        if fields.contains_key(&name) {
            records.push((from..begins, Value::Object(std::mem::take(&mut fields))));
            from = begins;
        }
        let value = reader.named(&name)?;
        fields.insert(name, value);
        reader.blank();
    }
    match reader.items.is_empty() {
        true => records.push((from..text.trim_end().len(), Value::Object(fields))),
        false => records.append(&mut reader.items),
    }
    Ok(records)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// The list whose items are wanted with their places.
    list: &'a str,
    items: Vec<(Range<usize>, Value)>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn broken<T>(&self, why: impl Into<String>) -> Result<T, Broken> {
        Err(Broken { at: self.at, why: why.into() })
    }

    fn blank(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn takes(&mut self, mark: char) -> bool {
        let is = self.rest().starts_with(mark);
        self.at += if is { mark.len_utf8() } else { 0 };
        is
    }

    /// A name with dots, such as that of a class.
    fn name(&mut self) -> String {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        self.at += end;
        name
    }

    /// `field=`.
    fn field(&mut self) -> Result<String, Broken> {
        let name = self.name();
        if name.is_empty() || !self.takes('=') {
            let front: String = self.rest().chars().take(40).collect();
            return self.broken(format!("{:?} is no field", name + &front));
        }
        Ok(name)
    }

    /// The value of a field; items of the list that is wanted are kept with their places.
    fn named(&mut self, name: &str) -> Result<Value, Broken> {
        let wanted = name == self.list && self.depth <= 1 && self.rest().starts_with('[') && !name.is_empty();
        if !wanted {
            return self.value();
        }
        self.at += 1;
        self.depth += 1;
        let mut items = Vec::new();
        while !self.ends(']')? {
            let from = self.at;
            // Lists within an item are its own.
            self.depth += 1;
            let value = self.value()?;
            self.depth -= 1;
            items.push((from..self.at, value));
        }
        self.depth -= 1;
        self.items = items;
        Ok(Value::Null)
    }

    /// Is this the end of a list? Commas between its items are passed.
    fn ends(&mut self, mark: char) -> Result<bool, Broken> {
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', ',', '\n', '\r', '\t']).len();
        match self.rest().is_empty() {
            true => self.broken(match mark {
                ')' => "it does not end with a parenthesis".to_owned(),
                mark => format!("it does not end with {mark}"),
            }),
            false => Ok(self.takes(mark)),
        }
    }

    fn value(&mut self) -> Result<Value, Broken> {
        if self.depth >= PRINTED_DEPTH_MAX {
            return self.broken(format!("values within values, at most {PRINTED_DEPTH_MAX} deep"));
        }
        self.depth += 1;
        let value = self.plain();
        self.depth -= 1;
        value
    }

    fn plain(&mut self) -> Result<Value, Broken> {
        let Some(first) = self.rest().chars().next() else { return self.broken("a value does not end") };
        match first {
            '\'' | '"' => self.texts().map(Value::String),
            '[' => self.items(']'),
            '(' => self.items(')'),
            '{' => self.pairs(),
            '<' => {
                // `<Role.DM: 'dm'>`, or an object that has no better form.
                let end = self.rest().find('>').map_or(self.rest().len(), |end| end + 1);
                let text = self.rest()[..end].to_owned();
                self.at += end;
                Ok(Value::String(text))
            }
            first if first.is_ascii_digit() || matches!(first, '-' | '+') => {
                let rest = self.rest();
                let number = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-' | '_');
                let end = rest.find(|c: char| !number(c)).unwrap_or(rest.len());
                let written = rest[..end].to_owned();
                self.at += end;
                Ok(serde_json::from_str(&written).unwrap_or(Value::String(written)))
            }
            first if first.is_alphabetic() || first == '_' => self.word(),
            other => self.broken(format!("{other:?} begins no value")),
        }
    }

    /// `True`, a text with a letter before it, or an object.
    fn word(&mut self) -> Result<Value, Broken> {
        let from = self.at;
        let name = self.name();
        if name.len() <= 2 && self.rest().starts_with(['\'', '"']) {
            return self.texts().map(Value::String);
        }
        // `StructuredMessage[Scene](…)`.
        if self.rest().starts_with('[')
            && let Some(end) = self.rest().find(']')
            && self.rest()[end + 1..].starts_with('(')
        {
            self.at += end + 1;
        }
        let class = self.text[from..self.at].to_owned();
        if !self.takes('(') {
            return Ok(match name.as_str() {
                "True" | "true" => Value::Bool(true),
                "False" | "false" => Value::Bool(false),
                "None" | "null" => Value::Null,
                _ => Value::String(class),
            });
        }
        let mut fields = Map::new();
        while !self.ends(')')? {
            let before = self.at;
            let name = self.name();
            if !name.is_empty() && self.takes('=') {
                let value = self.named(&name)?;
                fields.insert(name, value);
            } else {
                self.at = before;
                let value = self.value()?;
                fields.insert(fields.len().to_string(), value);
            }
            self.blank();
            if !self.rest().starts_with([',', ')']) && !self.rest().is_empty() {
                let front: String = self.text[before..].chars().take(40).collect();
                return self.broken(format!("{front:?} is no field"));
            }
        }
        fields.entry("type").or_insert(Value::String(class));
        Ok(Value::Object(fields))
    }

    fn items(&mut self, mark: char) -> Result<Value, Broken> {
        self.at += 1;
        let mut items = Vec::new();
        while !self.ends(mark)? {
            items.push(self.value()?);
        }
        Ok(Value::Array(items))
    }

    fn pairs(&mut self) -> Result<Value, Broken> {
        self.at += 1;
        let mut pairs = Map::new();
        while !self.ends('}')? {
            let name = match self.value()? {
                Value::String(name) => name,
                other => other.to_string(),
            };
            self.blank();
            if !self.takes(':') {
                // A set has names alone.
                pairs.insert(name, Value::Bool(true));
                continue;
            }
            self.blank();
            let value = self.value()?;
            pairs.insert(name, value);
        }
        Ok(Value::Object(pairs))
    }

    /// Texts one after the other are one: long ones are printed so.
    fn texts(&mut self) -> Result<String, Broken> {
        let mut out = self.one_text()?;
        loop {
            let after = self.rest().trim_start();
            if self.rest().len() == after.len() || !after.starts_with(['\'', '"']) {
                return Ok(out);
            }
            self.blank();
            out += &self.one_text()?;
        }
    }

    fn one_text(&mut self) -> Result<String, Broken> {
        let rest = self.rest();
        let mark =
            if rest.starts_with("'''") || rest.starts_with("\"\"\"") { &rest[..3] } else { &rest[..1] };
        let mut out = String::new();
        let mut place = mark.len();
        while let Some(letter) = rest[place..].chars().next() {
            if rest[place..].starts_with(mark) {
                self.at += place + mark.len();
                return Ok(out);
            }
            place += letter.len_utf8();
            if letter != '\\' {
                out.push(letter);
                continue;
            }
            let Some(escaped) = rest[place..].chars().next() else { break };
            place += escaped.len_utf8();
            let digits = match escaped {
                'x' => 2,
                'u' => 4,
                'U' => 8,
                _ => 0,
            };
            let code = rest.get(place..place + digits).filter(|_| digits > 0);
            let code = code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
            match (escaped, code) {
                (_, Some(letter)) => {
                    out.push(letter);
                    place += digits;
                }
                ('n', _) => out.push('\n'),
                ('t', _) => out.push('\t'),
                ('r', _) => out.push('\r'),
                ('\n', _) => {}
                (other, _) => out.push(other),
            }
        }
        self.broken("a text in it does not end")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str, name: &str) -> Result<Vec<Value>, String> {
        objects(text, &[name.to_owned()])
    }

    #[test]
    fn what_a_program_printed_is_read_back() {
        let text = r#"[FunctionCall(id='c1', arguments='{"who": "it\'s"}', name='roll'), FunctionCall(id="c2", ok=False)]"#;
        let found = named(text, "FunctionCall").unwrap();
        assert_eq!(found[0]["arguments"], r#"{"who": "it's"}"#);
        assert_eq!((&found[1]["id"], &found[1]["ok"]), (&Value::from("c2"), &Value::from(false)));
        assert!(named("no calls here, source=mine", "FunctionCall").unwrap().is_empty());
        let bare = named("content='7 (7)' name='roll' call_id='c1' is_error=False", "Result").unwrap();
        assert_eq!((&bare[0]["content"], &bare[0]["is_error"]), (&"7 (7)".into(), &false.into()));
    }

    #[test]
    fn a_whole_result_is_read_with_the_place_of_each_message() {
        let text = "TaskResult(messages=[\n TextMessage(id='1', source='dm', models_usage=RequestUsage(prompt_tokens=4, \
                    completion_tokens=2), metadata={}, created_at=datetime.datetime(2025, 1, 2, tzinfo=datetime.timezone.utc), \
                    content='A\\nB\\x21 \\u00e9' 'c', type='TextMessage'),\n \
                    StructuredMessage[Scene](source='dm', content=Scene(mood='grim', kind=<Kind.X: 'x'>, odds=0.5, \
                    tags={'a', 'b'}))], stop_reason=None)";
        let found = records(text, "messages").unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].1["content"], "A\nB! éc");
        assert_eq!(found[0].1["models_usage"]["prompt_tokens"], 4);
        assert_eq!(found[1].1["type"], "StructuredMessage[Scene]");
        assert_eq!(found[1].1["content"]["kind"], "<Kind.X: 'x'>");
        assert!(text[found[1].0.clone()].starts_with("StructuredMessage"));
        let bare = text.replace("TaskResult(", "").replace(", stop_reason=None)", " stop_reason=None");
        assert_eq!(records(&bare, "messages").unwrap().len(), 2);
        let lines =
            "source='dm' content='One.' type='TextMessage'\nsource='ada' content='Two.' type='TextMessage'\n";
        let found = records(lines, "messages").unwrap();
        assert_eq!((found.len(), &lines[found[1].0.clone()][..12]), (2, "source='ada'"));
    }

    #[test]
    fn printed_objects_are_told_from_prose() {
        assert!(is_printed("TaskResult(messages=[])") && is_printed("source='dm' content='x'"));
        assert!(is_printed("StructuredMessage[Scene](source='dm')"));
        for text in [
            "Dusk (the end) = night",
            "a=b",
            "Game_Master (to chat_manager):",
            "---------- dm ----------",
            "",
        ] {
            assert!(!is_printed(text), "{text}");
        }
    }

    #[test]
    fn what_was_cut_off_is_an_error_and_no_guess() {
        for text in [
            "FunctionCall(id='c1",
            "FunctionCall(",
            "FunctionCall(id=1",
            "FunctionCall(a b=1)",
            "FunctionCall(a=)",
        ] {
            assert!(named(text, "FunctionCall").is_err(), "{text}");
        }
        let deep = format!("FunctionCall(a={}", "[".repeat(5_000));
        assert!(named(&deep, "FunctionCall").unwrap_err().contains("deep"));
        for text in ["A(b='\\", "A(b='\\x", "A(b='\\ué')", "A(é=1", "a='", "A[", "A(b=<", "A(b={1", "A(b={1:"]
        {
            drop(records(text, "messages"));
        }
    }
}
