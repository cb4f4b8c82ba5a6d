//! Values that a program wrote out as it prints them: `FunctionCall(id='c1', arguments='{}', name='roll')`.

use serde_json::{Map, Value};

/// Every `Name(field=value, …)` in a text, as objects; none where the text holds no such thing, an error where one is broken.
pub fn objects(text: &str, name: &str) -> Result<Vec<Value>, String> {
    let mut objects = Vec::new();
    let mut rest = text;
    let opening = format!("{name}(");
    while let Some(place) = rest.find(&opening) {
        let mut reader = Reader { rest: &rest[place + opening.len()..] };
        objects.push(Value::Object(reader.fields().map_err(|why| format!("{name}(…): {why}"))?));
        rest = reader.rest;
    }
    Ok(objects)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn fields(&mut self) -> Result<Map<String, Value>, String> {
        let mut fields = Map::new();
        loop {
            self.rest = self.rest.trim_start_matches([' ', ',', '\n']);
            if let Some(rest) = self.rest.strip_prefix(')') {
                self.rest = rest;
                return Ok(fields);
            }
            let (field, rest) = self.rest.split_once('=').ok_or("it does not end with a parenthesis")?;
            let field = field.trim();
            if field.is_empty() || !field.chars().all(|c| c.is_alphanumeric() || c == '_') {
                return Err(format!("{:?} is no field", field.chars().take(40).collect::<String>()));
            }
            self.rest = rest;
            let value = self.value()?;
            fields.insert(field.to_owned(), value);
        }
    }

    fn value(&mut self) -> Result<Value, String> {
        if let Some(mark) = self.rest.chars().next().filter(|mark| matches!(mark, '\'' | '"')) {
            return self.text(mark).map(Value::String);
        }
        let end = self.rest.find([',', ')']).ok_or("a value does not end")?;
        let (bare, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok(match bare.trim() {
            "True" | "true" => Value::Bool(true),
            "False" | "false" => Value::Bool(false),
            "None" | "null" => Value::Null,
            other => other.parse::<i64>().map_or_else(|_| Value::String(other.to_owned()), Value::from),
        })
    }

    fn text(&mut self, mark: char) -> Result<String, String> {
        let mut out = String::new();
        let mut letters = self.rest.char_indices().skip(1);
        while let Some((place, letter)) = letters.next() {
            match letter {
                '\\' => match letters.next().map(|(_, letter)| letter) {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some('r') => out.push('\r'),
                    Some(other) => out.push(other),
                    None => break,
                },
                letter if letter == mark => {
                    self.rest = &self.rest[place + mark.len_utf8()..];
                    return Ok(out);
                }
                other => out.push(other),
            }
        }
        Err("a text in it does not end".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_printed_is_read_back() {
        let text = r#"[FunctionCall(id='c1', arguments='{"who": "it\'s"}', name='roll'), FunctionCall(id="c2", ok=False)]"#;
        let found = objects(text, "FunctionCall").unwrap();
        assert_eq!(found[0]["arguments"], r#"{"who": "it's"}"#);
        assert_eq!((&found[1]["id"], &found[1]["ok"]), (&Value::from("c2"), &Value::from(false)));
        assert!(objects("no calls here", "FunctionCall").unwrap().is_empty());
    }

    #[test]
    fn what_was_cut_off_is_an_error_and_no_guess() {
        for text in ["FunctionCall(id='c1", "FunctionCall(", "FunctionCall(id=1", "FunctionCall(a b=1)"] {
            assert!(objects(text, "FunctionCall").is_err(), "{text}");
        }
    }
}
