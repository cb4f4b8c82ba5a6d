//! A mapping: where in the records of another program what stands.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::pattern::Pattern;

/// A mapping, with the text that it was read from.
pub struct Mapping {
    /// The text, for the charter.
    pub(crate) text: String,
    /// The text of what all mappings share, for the charter.
    pub(crate) common: String,
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
    pub about: String,
    /// Records by which a file is known to be of this kind: any of these holds.
    #[serde(default)]
    pub known_by: Vec<Condition>,
    /// Lists of records inside one JSON document; absent: a record a line, or a document that is a list.
    #[serde(default, deserialize_with = "several")]
    pub list: Vec<String>,
    /// Objects inside a record whose fields count as the record's own.
    #[serde(default, deserialize_with = "several")]
    pub inside: Vec<String>,
    /// Who speaks where a record is a text alone.
    pub alone: Option<String>,
    /// Where a record says of which kind it is.
    pub kind: Option<String>,
    /// The kinds that are read; a star at the end stands for anything. Absent: all.
    #[serde(default)]
    pub known: Vec<String>,
    /// Records that are no part of the transcript: any of these.
    #[serde(default)]
    pub skip: Vec<Condition>,
    /// Records whose speaker tells the story: any of these.
    #[serde(default)]
    pub narrator: Vec<Condition>,
    /// At most one speaker tells the story, whoever else the conditions hold for.
    #[serde(default)]
    pub one_narrator: bool,
    /// Records whose speaker takes no part: any of these.
    #[serde(default)]
    pub other: Vec<Condition>,
    /// Who speaks: the first of these that is there.
    #[serde(deserialize_with = "several")]
    pub speaker: Vec<String>,
    /// What speakers are called here, by what the file calls them.
    #[serde(default)]
    pub rename: BTreeMap<String, String>,
    /// The words: the first of these that is there.
    #[serde(deserialize_with = "several")]
    pub text: Vec<String>,
    /// Words that are a list of parts.
    #[serde(default)]
    pub parts: Parts,
    /// What a record has beside its words that is no part of the transcript.
    #[serde(default)]
    pub aside: Vec<Aside>,
    /// Records that are pieces of a message, as a model writes it: any of these.
    #[serde(default)]
    pub pieces: Vec<Condition>,
    /// Who could hear it: a list of names, or one name.
    pub audience: Option<String>,
    /// Tool calls.
    #[serde(default, deserialize_with = "several")]
    pub calls: Vec<Calls>,
    /// Their results.
    #[serde(default, deserialize_with = "several")]
    pub results: Vec<Results>,
    /// Dice, as results and words tell of them.
    pub rolls: Option<Rolls>,
    /// How results say that a call failed.
    pub failures: Option<Failures>,
    /// Who is who, by name.
    pub roles: Option<Roles>,
    /// Tokens.
    pub usage: Option<Usage>,
    /// How a text on a terminal is divided into records.
    pub printed: Option<Printed>,
}

/// What mappings have in common unless they say otherwise.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Common {
    rolls: Rolls,
    failures: Failures,
    roles: Roles,
}

/// A field has one of these values, numbers and `true` and `false` as they are written; or, without values, it is there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    path: String,
    is: Option<Vec<String>>,
    /// These are there as well.
    #[serde(default, deserialize_with = "several")]
    has: Vec<String>,
    /// These are not.
    #[serde(default, deserialize_with = "several")]
    lacks: Vec<String>,
    /// Other formats have such records too: among equals a mapping with stronger signs wins.
    #[serde(default)]
    pub weak: bool,
    /// What such a thing is called when it is passed over.
    pub what: Option<String>,
    /// Why it is.
    pub why: Option<String>,
}

/// Words that are a list of parts, or one part.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parts {
    /// Where a part says of which kind it is.
    pub kind: String,
    /// The kinds that are read. Empty: all.
    pub known: Vec<String>,
    /// The words of a part: the first of these that is there.
    #[serde(deserialize_with = "several")]
    pub text: Vec<String>,
    /// Parts that are no words: any of these.
    pub skip: Vec<Condition>,
}

impl Default for Parts {
    fn default() -> Parts {
        Parts { kind: "type".into(), known: Vec::new(), text: vec!["text".into()], skip: Vec::new() }
    }
}

/// Something in a record that is no part of the transcript.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aside {
    /// Where it stands.
    pub at: String,
    /// What it is called.
    pub what: String,
    /// Why it is passed over.
    pub why: String,
    /// So many of a list are in the transcript.
    #[serde(default)]
    pub taken: usize,
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
    /// The names before the parentheses where they are written out: `FunctionCall(id='…', …)`.
    #[serde(default, deserialize_with = "several")]
    pub written: Vec<String>,
    /// In a call: its id.
    #[serde(default)]
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
    /// The names before the parentheses where they are written out.
    #[serde(default, deserialize_with = "several")]
    pub written: Vec<String>,
    /// In a result: the id of its call.
    #[serde(default)]
    pub id: String,
    /// In a result: the words.
    pub text: String,
    /// In a result: did it fail?
    pub failed: Option<String>,
    /// Fields of the record that say the same again.
    #[serde(default, deserialize_with = "several")]
    pub takes: Vec<String>,
}

/// How a program tells of dice: fields of a result that is JSON, and patterns of a text.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rolls {
    /// Where in a result the dice stand; empty: the result itself is one.
    #[serde(deserialize_with = "several")]
    pub at: Vec<String>,
    /// The sum.
    #[serde(deserialize_with = "several")]
    pub total: Vec<String>,
    /// Whose dice.
    #[serde(deserialize_with = "several")]
    pub character: Vec<String>,
    /// As asked: `1d20`.
    #[serde(deserialize_with = "several")]
    pub dice: Vec<String>,
    /// What each showed.
    #[serde(deserialize_with = "several")]
    pub faces: Vec<String>,
    /// What was added to them; it matters where there is no total.
    #[serde(deserialize_with = "several")]
    pub modifier: Vec<String>,
    /// What had to be reached.
    #[serde(deserialize_with = "several")]
    pub difficulty: Vec<String>,
    /// Was it?
    #[serde(deserialize_with = "several")]
    pub success: Vec<String>,
    /// How a text tells of them.
    #[serde(deserialize_with = "several")]
    pub written: Vec<Pattern>,
}

/// How results say that a call failed.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Failures {
    /// Whole texts.
    #[serde(deserialize_with = "several")]
    pub written: Vec<Pattern>,
    /// Results that are JSON: any of these.
    pub when: Vec<Condition>,
}

/// Who is who, by name: words that a name holds, or all of it behind a `=`.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Roles {
    /// Tells the story.
    pub narrator: Vec<String>,
    /// Takes no part.
    pub other: Vec<String>,
    /// Whoever sits before the program: a player where there is no other, else somebody who set the task.
    pub user: Vec<String>,
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

/// How a text on a terminal is divided into records: fields of patterns become fields of a record, and what follows its `content`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    /// Lines that begin a record.
    #[serde(deserialize_with = "several")]
    pub begins: Vec<Pattern>,
    /// Lines that are no words.
    #[serde(default, deserialize_with = "several")]
    pub skip: Vec<Pattern>,
    /// Parts of a record that are no words.
    #[serde(default, deserialize_with = "several")]
    pub blocks: Vec<Block>,
}

/// A part of a printed record: its fields and its `text` become an object of a list of the record.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// The list.
    pub into: String,
    /// The line that begins it.
    pub begins: Pattern,
    /// The line that ends it.
    pub ends: Pattern,
    /// Lines at its front that are no part of its text.
    #[serde(default, deserialize_with = "several")]
    pub skip: Vec<Pattern>,
}

impl Mapping {
    /// Reads a mapping. `common` is what all mappings share: `rolls`, `failures` and `roles` where a mapping has none.
    ///
    /// # Errors
    /// One of both is no TOML, or none that says what a mapping has to say.
    pub fn read(text: String, common: &str) -> Result<Mapping, toml::de::Error> {
        let shared: Common = toml::from_str(common)?;
        let mut spec: Spec = toml::from_str(&text)?;
        spec.rolls.get_or_insert(shared.rolls);
        spec.failures.get_or_insert(shared.failures);
        spec.roles.get_or_insert(shared.roles);
        Ok(Mapping { text, common: common.to_owned(), spec })
    }

    /// Its name for reports.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// What it reads, in a sentence.
    pub fn about(&self) -> &str {
        &self.spec.about
    }
}

impl Spec {
    /// Is this kind of record read? Then none; otherwise the kind.
    pub fn unknown<'r>(&self, record: &'r Value) -> Option<&'r str> {
        let kind = at(record, self.kind.as_deref()?)?.as_str()?;
        (!is_known(&self.known, kind)).then_some(kind)
    }
}

/// Is a kind one of these? None at all are all.
pub fn is_known(known: &[String], kind: &str) -> bool {
    let same =
        |known: &String| known.strip_suffix('*').map_or(known == kind, |front| kind.starts_with(front));
    known.is_empty() || known.iter().any(same)
}

impl Condition {
    fn holds(&self, record: &Value) -> bool {
        let there = |path: &String| at(record, path).is_some();
        let Some(value) = at(record, &self.path) else { return false };
        let written = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        self.is.as_ref().is_none_or(|is| is_known(is, &written) && !is.is_empty())
            && self.has.iter().all(there)
            && !self.lacks.iter().any(there)
    }
}

/// Does any of these hold?
pub fn any(conditions: &[Condition], record: &Value) -> bool {
    first(conditions, record).is_some()
}

/// The first of these that holds.
pub fn first<'c>(conditions: &'c [Condition], record: &Value) -> Option<&'c Condition> {
    conditions.iter().find(|condition| condition.holds(record))
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

/// What lies at the first of these paths where anything does.
pub fn first_at<'a>(value: &'a Value, paths: &[String]) -> Option<&'a Value> {
    paths.iter().find_map(|path| at(value, path))
}

/// One, or a list of them.
fn several<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    struct Several<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Several<T> {
        type Value = Vec<T>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("one, or a list of them")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Vec<T>, E> {
            T::deserialize(text.into_deserializer()).map(|one| vec![one])
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Vec<T>, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map)).map(|one| vec![one])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Vec<T>, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(seq))
        }
    }

    deserializer.deserialize_any(Several(PhantomData))
}
