//! Forges calls of tools out of their schemas alone: an example that fits, and then something wrong with it.

use serde_json::{Map, Value, json};

use super::super::grammar::capital;
use super::super::pick::Draw;
use super::super::request::Offer;
use super::harvest::Harvest;

/// Entries of a long list, and of one that is too long.
const LONG: usize = 20;
const TOO_LONG: usize = 25;
/// Entries of a list of which all are alike.
const LIKE: usize = 9;
/// Bytes of a text that is too long, and of one beyond all measure.
const TEXT_BYTES: usize = 5_000;
const FLOOD_BYTES: usize = 20_000;
/// Numbers that fit somewhere, and numbers that hardly fit anywhere.
const NUMBERS: [i64; 10] = [1, 2, 3, 5, 8, 12, 15, 20, -2, 40];
const WILD: [i64; 8] = [0, 1, -1, -5, 99, 1_000, 1_000_000_000_000, -1_000_000_000_000];
const SYLLABLES: [&str; 12] = [
    "amber", "bellows", "cinder", "drum", "ember", "fen", "gable", "heron", "ivy", "juniper", "kiln", "lark",
];

/// How calls are forged in one reply.
#[derive(Clone, Copy, Default)]
pub(super) struct Habit {
    /// Whether lists are long and numbers wild.
    pub(super) lavish: bool,
    /// How many of 100 calls have something wrong with them.
    pub(super) wrong_percent: usize,
    /// Words in the names of the fields that are always filled.
    pub(super) fields: &'static [&'static str],
    /// Which of those fields, when there are several.
    pub(super) field: usize,
    /// How many of 100 calls have a field with words that nobody has used.
    pub(super) fresh_percent: usize,
}

/// Forges calls from one stream of draws.
pub(super) struct Forge<'h> {
    pub(super) harvest: &'h Harvest,
    pub(super) draw: Draw,
    pub(super) habit: Habit,
    /// The number that a lavish call repeats.
    number: i64,
    /// Whether the call being forged takes values that its fields do not speak of.
    stray: bool,
    /// Whether it goes by the fields' names rather than by what is said about them.
    by_name: bool,
}

impl<'h> Forge<'h> {
    pub(super) fn new(harvest: &'h Harvest, draw: Draw, habit: Habit) -> Forge<'h> {
        Forge { harvest, draw, habit, number: 1, stray: false, by_name: false }
    }

    /// A call of this tool.
    pub(super) fn call(&mut self, offer: &Offer<'_>) -> (String, String) {
        let schema: Value = serde_json::from_str(offer.schema).unwrap_or(Value::Null);
        self.number = self.draw.choose(&WILD).copied().unwrap_or(1);
        self.stray = self.draw.chance(20);
        self.by_name = self.draw.chance(50);
        let mut arguments = self.object(&schema);
        if self.draw.chance(self.habit.fresh_percent) {
            let mut fields = text_fields(&arguments);
            let free = free_fields(&schema);
            fields.retain(|field| free.contains(field));
            let field = self.draw.choose(&fields).cloned().unwrap_or_default();
            self.refresh(&field, &mut arguments);
        }
        let name = offer.name.to_string();
        if !self.draw.chance(self.habit.wrong_percent) {
            return (name, arguments.to_string());
        }
        match self.draw.below(13) {
            0 => (name, format!("{arguments} and that is all")),
            1 => (name, format!("[{arguments}]")),
            2 => (name, arguments.to_string().trim_end_matches('}').to_owned()),
            3 => (name, json!({"text": "all ".repeat(FLOOD_BYTES / 4)}).to_string()),
            wrong => {
                self.spoil(wrong, &mut arguments);
                (name, arguments.to_string())
            }
        }
    }

    /// The same call with another value in one of its arguments.
    pub(super) fn again(&mut self, offer: &Offer<'_>, call: &(String, String)) -> (String, String) {
        let other: Value = serde_json::from_str(&self.call(offer).1).unwrap_or(Value::Null);
        let mut arguments: Value = serde_json::from_str(&call.1).unwrap_or(Value::Null);
        if let (Some(arguments), Some(other)) = (arguments.as_object_mut(), other.as_object()) {
            let names: Vec<&String> = other.keys().collect();
            if let Some(name) = self.draw.choose(&names) {
                arguments.insert((*name).clone(), other[*name].clone());
            }
        }
        (call.0.clone(), arguments.to_string())
    }

    /// Fills a field, wherever it stands, with words that nobody has used.
    fn refresh(&mut self, field: &str, value: &mut Value) {
        match value {
            Value::Array(list) => list.iter_mut().for_each(|value| self.refresh(field, value)),
            Value::Object(object) => {
                for (name, value) in object {
                    match value {
                        Value::String(text) if name == field => *text = self.unheard(),
                        other => self.refresh(field, other),
                    }
                }
            }
            _ => {}
        }
    }

    /// An object that fits this schema: whatever is required, and some of the rest.
    fn object(&mut self, schema: &Value) -> Value {
        let mut made = Map::new();
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return json!({}) };
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let percent = if properties.len() > 8 { 12 } else { 45 };
        let liked = properties.keys().enumerate();
        let liked = liked.filter(|(_, name)| self.habit.fields.iter().any(|word| name.contains(word)));
        let liked: Vec<usize> = liked.map(|(at, _)| at).collect();
        let any = self.draw.below(properties.len());
        let certain = liked.get(self.habit.field % liked.len().max(1)).copied().unwrap_or(any);
        let percent = if liked.is_empty() { percent } else { percent / 3 };
        for (at, (name, property)) in properties.iter().enumerate() {
            let alone = at == certain && (required.is_empty() || !liked.is_empty());
            if required.contains(&name.as_str()) || alone || self.draw.chance(percent) {
                let value = self.value(name, property);
                made.insert(name.clone(), value);
            }
        }
        Value::Object(made)
    }

    fn value(&mut self, name: &str, property: &Value) -> Value {
        let choices = property.get("enum").and_then(Value::as_array);
        if let Some(chosen) = choices.and_then(|choices| self.draw.choose(choices)) {
            return chosen.clone();
        }
        let kind = property.get("type").and_then(Value::as_str);
        let is = |wanted: &str| kind == Some(wanted);
        if is("array") {
            let none = Value::Null;
            let item = property.get("items").unwrap_or(&none);
            let count = if self.habit.lavish { LONG } else { 1 + self.draw.below(3) };
            if self.draw.chance(25) {
                let one = self.value(name, item);
                return vec![one; count.min(LIKE)].into();
            }
            return (0..count).map(|_| self.value(name, item)).collect();
        }
        if is("object") {
            return self.object(property);
        }
        if is("integer") || is("number") {
            let number = self.draw.choose(&NUMBERS).copied().unwrap_or(1);
            return json!(if self.habit.lavish { self.number } else { number });
        }
        if is("boolean") {
            return json!(self.draw.chance(50));
        }
        let about = property.get("description").and_then(Value::as_str).unwrap_or("");
        json!(self.text(name, about))
    }

    /// A text for this field: something of the table that the field speaks of, or else words.
    fn text(&mut self, name: &str, about: &str) -> String {
        let fitting = self.harvest.for_words(&format!("{name} {about}"));
        let all = self.harvest.all();
        let own: Vec<&str> = self.harvest.for_words(name);
        // Whoever was told what to name instead mostly does, in one field or the other.
        if !self.habit.lavish
            && !fitting.is_empty()
            && self.draw.chance(30)
            && let Some(advised) = self.draw.choose(&self.harvest.advised)
        {
            return advised.clone();
        }
        // A word of the field's own name tells more than one of its description.
        let pool = match self.draw.below(3) {
            0 if self.stray => &all,
            _ if self.by_name && !own.is_empty() => &own,
            _ => &fitting,
        };
        if let Some(value) = self.draw.choose(pool) {
            return (*value).to_owned();
        }
        match (self.draw.below(3), self.draw.choose(&examples(about)), self.draw.choose(&all)) {
            (0, Some(example), _) => example.clone(),
            (1, _, Some(value)) => (*value).to_owned(),
            _ => self.unheard(),
        }
    }

    /// A word that nobody has used, as an id or as a name.
    fn unheard(&mut self) -> String {
        let mut part = || self.draw.choose(&SYLLABLES).copied().unwrap_or("x");
        let (one, two, three) = (part(), part(), part());
        if self.draw.chance(70) {
            format!("{one}-{two}-{three}")
        } else {
            format!("{} {}", capital(one), capital(&format!("{two}{three}")))
        }
    }

    /// Something wrong with one of the arguments.
    fn spoil(&mut self, wrong: usize, arguments: &mut Value) {
        let Some(object) = arguments.as_object_mut() else { return };
        let names: Vec<String> = object.keys().cloned().collect();
        let name = self.draw.choose(&names).cloned().unwrap_or_default();
        match wrong {
            4 => {
                object.remove(&name);
            }
            5 => {
                object.insert("mood".into(), json!("hopeful"));
            }
            6 => *arguments = json!({}),
            _ => {
                let Some(value) = object.get_mut(&name) else { return };
                let value = innermost(value, &mut self.draw);
                *value = match (wrong, &*value) {
                    (7, _) => json!({"deep": [1, {"deeper": null}]}),
                    (8, Value::String(_)) => json!("  \u{7} "),
                    (9, Value::String(text)) => {
                        json!(format!("{text} ").repeat(TEXT_BYTES / (text.len() + 1) + 1))
                    }
                    (10, Value::String(text)) => json!(text.to_uppercase()),
                    (11, Value::String(_)) => json!(self.unheard()),
                    (12, Value::Array(list)) => {
                        list.iter().cycle().take(TOO_LONG.min(list.len() * TOO_LONG)).cloned().collect()
                    }
                    (_, Value::Number(_)) => json!(self.draw.choose(&WILD)),
                    (_, Value::Array(list)) if list.len() == 1 => json!([]),
                    (_, Value::Array(list)) => list.iter().cycle().take(TOO_LONG).cloned().collect(),
                    _ => json!(17),
                };
            }
        }
    }
}

/// A value somewhere in this one.
fn innermost<'v>(value: &'v mut Value, draw: &mut Draw) -> &'v mut Value {
    let stays = draw.chance(35);
    let place = draw.below(8);
    let (goes_in, count) = match &*value {
        Value::Array(list) => (!stays && !list.is_empty(), list.len()),
        Value::Object(object) => (!stays && !object.is_empty(), object.len()),
        _ => (false, 1),
    };
    if !goes_in {
        return value;
    }
    // Indexing by what was just counted.
    match value {
        Value::Array(list) => innermost(&mut list[place % count], draw),
        Value::Object(object) => {
            let key = object.keys().nth(place % count).cloned().unwrap_or_default();
            innermost(&mut object[&key], draw)
        }
        other => other,
    }
}

/// The names of all fields that hold a text, wherever they stand.
fn text_fields(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => list.first().map(text_fields).unwrap_or_default(),
        Value::Object(object) => {
            let fields = object.iter().flat_map(|(name, value)| match value {
                Value::String(_) => vec![name.clone()],
                other => text_fields(other),
            });
            fields.collect()
        }
        _ => Vec::new(),
    }
}

/// The names of all fields that take any text, those of inner objects too.
fn free_fields(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let item = property.get("items").unwrap_or(property);
        let chosen = item.get("enum").is_some();
        match item.get("properties") {
            Some(_) => found.extend(free_fields(item)),
            None if !chosen => found.push(name.clone()),
            None => {}
        }
    }
    found
}

/// Words of a description with a digit in them: it may say how such a value looks.
fn examples(about: &str) -> Vec<String> {
    let words = about.split([' ', ',', ';', '.', ':']);
    words.filter(|word| word.contains(|c: char| c.is_ascii_digit())).map(str::to_owned).collect()
}
