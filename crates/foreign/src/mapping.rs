//! A mapping: where in the records of another program what stands.

use serde::Deserialize;
use serde_json::Value;

/// A mapping, with the text that it was read from.
pub struct Mapping {
    /// The text, for the charter.
    pub(crate) text: String,
    /// What it says.
    pub(crate) spec: Spec,
}

/// What a mapping says. Paths are field names with dots between them; a number is a place in a list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// A name for reports.
    pub name: String,
    /// What it reads, in a sentence: for people.
    #[serde(rename = "about")]
    _about: String,
    /// The list of records inside one JSON document; absent: a record a line, or a document that is a list.
    pub list: Option<String>,
    /// Records that are no part of the transcript: any of these.
    #[serde(default)]
    pub skip: Vec<Condition>,
    /// Records whose speaker tells the story: any of these.
    #[serde(default)]
    pub narrator: Vec<Condition>,
    /// Records whose speaker takes no part: any of these.
    #[serde(default)]
    pub other: Vec<Condition>,
    /// Who speaks: the first of these that is there.
    pub speaker: Vec<String>,
    /// The words: the first of these that is there.
    pub text: Vec<String>,
    /// Who could hear it: a list of names, or one name.
    pub audience: Option<String>,
    /// Tool calls.
    pub calls: Option<Calls>,
    /// Their results.
    pub results: Option<Results>,
    /// Dice, as results tell of them in JSON.
    pub rolls: Option<Rolls>,
    /// Tokens.
    pub usage: Option<Usage>,
}

/// A field has one of these values, numbers and `true` and `false` as they are written; or, without values, it is there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    path: String,
    is: Option<Vec<String>>,
}

/// Tool calls: a list of them, one alone, or a text in which they are written out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calls {
    /// Where they stand in a record; empty: the record itself is one.
    pub at: String,
    /// Only in such records; absent: in any.
    #[serde(default)]
    pub when: Vec<Condition>,
    /// The name before the parentheses where they are written out: `FunctionCall(id='…', …)`.
    pub written: Option<String>,
    /// In a call: its id.
    pub id: String,
    /// In a call: the tool.
    pub tool: String,
    /// In a call: the arguments.
    pub arguments: String,
}

/// Results of tool calls.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// Where they stand in a record; empty: the record itself is one.
    pub at: String,
    /// Only in such records; absent: in any.
    #[serde(default)]
    pub when: Vec<Condition>,
    /// The name before the parentheses where they are written out.
    pub written: Option<String>,
    /// In a result: the id of its call.
    pub id: String,
    /// In a result: the words.
    pub text: String,
    /// In a result: did it fail?
    pub failed: Option<String>,
}

/// Fields of a result that is JSON and tells of dice; a result without a total is none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rolls {
    /// The sum.
    pub total: String,
    /// Whose dice.
    pub character: Option<String>,
    /// As asked: `1d20`.
    pub dice: Option<String>,
    /// What each showed.
    pub faces: Option<String>,
    /// What had to be reached.
    pub difficulty: Option<String>,
    /// Was it?
    pub success: Option<String>,
}

/// Tokens of a record.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens that were read.
    pub input: String,
    /// Tokens that were written.
    pub output: String,
}

impl Mapping {
    /// Reads a mapping.
    ///
    /// # Errors
    /// It is no TOML, or none that says what a mapping has to say.
    pub fn read(text: String) -> Result<Mapping, toml::de::Error> {
        toml::from_str(&text).map(|spec| Mapping { text, spec })
    }

    /// Its name for reports.
    pub fn name(&self) -> &str {
        &self.spec.name
    }
}

impl Condition {
    fn holds(&self, record: &Value) -> bool {
        let Some(value) = at(record, &self.path) else { return false };
        let written = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        self.is.as_ref().is_none_or(|is| is.contains(&written))
    }
}

/// Does any of these hold?
pub fn any(conditions: &[Condition], record: &Value) -> bool {
    conditions.iter().any(|condition| condition.holds(record))
}

/// What lies at a path; the empty one is the value itself.
pub fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    let parts = path.split('.').filter(|part| !part.is_empty());
    let found = parts.into_iter().try_fold(value, |value, part| match value {
        Value::Object(fields) => fields.get(part),
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        _ => None,
    });
    found.filter(|value| !value.is_null())
}
