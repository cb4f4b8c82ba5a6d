//! A mapping: where in the records of another program what stands.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use schemars::JsonSchema;
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

/// `mappings/<name>.toml`: where to find what in the transcript of another program. Paths are field names with dots between them; a number is a place in a list.
#[derive(Deserialize, JsonSchema)]
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
    #[serde(default)]
    pub list: Several<String>,
    /// Objects inside a record whose fields count as the record's own.
    #[serde(default)]
    pub inside: Several<String>,
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
    pub speaker: Several<String>,
    /// What speakers are called here, by what the file calls them.
    #[serde(default)]
    pub rename: BTreeMap<String, String>,
    /// The words: the first of these that is there.
    pub text: Several<String>,
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
    #[serde(default)]
    pub calls: Several<Calls>,
    /// Their results.
    #[serde(default)]
    pub results: Several<Results>,
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

/// `mappings/common.toml`: what mappings have in common unless they say otherwise.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Common {
    /// Dice, as results and words tell of them.
    rolls: Rolls,
    /// How results say that a call failed.
    failures: Failures,
    /// Who is who, by name.
    roles: Roles,
}

/// A field has one of these values, numbers and `true` and `false` as they are written; or, without values, it is there.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// The path of the field.
    path: String,
    /// Texts that it may equal; a star at the end stands for anything.
    is: Option<Vec<String>>,
    /// These are there as well.
    #[serde(default)]
    has: Several<String>,
    /// These are not.
    #[serde(default)]
    lacks: Several<String>,
    /// Other formats have such records too: among equals a mapping with stronger signs wins.
    #[serde(default)]
    pub weak: bool,
    /// What such a thing is called when it is passed over.
    pub what: Option<String>,
    /// Why it is.
    pub why: Option<String>,
}

/// Words that are a list of parts, or one part.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Parts {
    /// Where a part says of which kind it is.
    pub kind: String,
    /// The kinds that are read. Empty: all.
    pub known: Vec<String>,
    /// The words of a part: the first of these that is there.
    pub text: Several<String>,
    /// Parts that are no words: any of these.
    pub skip: Vec<Condition>,
}

impl Default for Parts {
    fn default() -> Parts {
        Parts { kind: "type".into(), known: Vec::new(), text: Several(vec!["text".into()]), skip: Vec::new() }
    }
}

/// Something in a record that is no part of the transcript.
#[derive(Deserialize, JsonSchema)]
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
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Calls {
    /// Where they stand in a record; empty: the record itself is one.
    pub at: String,
    /// Only in such records; absent: in any.
    #[serde(default)]
    pub when: Vec<Condition>,
    /// The names before the parentheses where they are written out: `FunctionCall(id='…', …)`.
    #[serde(default)]
    pub written: Several<String>,
    /// In a call: its id.
    #[serde(default)]
    pub id: String,
    /// In a call: the tool.
    pub tool: String,
    /// In a call: the arguments.
    pub arguments: String,
}

/// Results of tool calls.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// Where they stand in a record; empty: the record itself is one.
    pub at: String,
    /// Only in such records; absent: in any.
    #[serde(default)]
    pub when: Vec<Condition>,
    /// The names before the parentheses where they are written out.
    #[serde(default)]
    pub written: Several<String>,
    /// In a result: the id of its call.
    #[serde(default)]
    pub id: String,
    /// In a result: the words.
    pub text: String,
    /// In a result: did it fail?
    pub failed: Option<String>,
    /// Fields of the record that say the same again.
    #[serde(default)]
    pub takes: Several<String>,
}

/// How a program tells of dice: fields of a result that is JSON, and patterns of a text.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rolls {
    /// Where in a result the dice stand; empty: the result itself is one.
    pub at: Several<String>,
    /// The sum.
    pub total: Several<String>,
    /// Whose dice.
    pub character: Several<String>,
    /// As asked: `1d20`.
    pub dice: Several<String>,
    /// What each showed.
    pub faces: Several<String>,
    /// What was added to them; it matters where there is no total.
    pub modifier: Several<String>,
    /// What had to be reached.
    pub difficulty: Several<String>,
    /// Was it?
    pub success: Several<String>,
    /// How a text tells of them.
    pub written: Several<Pattern>,
}

/// How results say that a call failed.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Failures {
    /// Whole texts.
    pub written: Several<Pattern>,
    /// Results that are JSON: any of these.
    pub when: Vec<Condition>,
}

/// Who is who, by name: words that a name holds, or all of it behind a `=`.
#[derive(Clone, Default, Deserialize, JsonSchema)]
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
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens that were read.
    pub input: String,
    /// Tokens that were written.
    pub output: String,
}

/// How a text on a terminal is divided into records: fields of patterns become fields of a record, and what follows its `content`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    /// Lines that begin a record.
    pub begins: Several<Pattern>,
    /// Lines that are no words.
    #[serde(default)]
    pub skip: Several<Pattern>,
    /// Parts of a record that are no words.
    #[serde(default)]
    pub blocks: Several<Block>,
}

/// A part of a printed record: its fields and its `text` become an object of a list of the record.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// The list.
    pub into: String,
    /// The line that begins it.
    pub begins: Pattern,
    /// The line that ends it.
    pub ends: Pattern,
    /// Lines at its front that are no part of its text.
    #[serde(default)]
    pub skip: Several<Pattern>,
}

/// The schema of each kind of file, by the name of its file below `schemas/`.
pub fn schemas(generator: impl Fn() -> schemars::SchemaGenerator) -> Vec<(&'static str, schemars::Schema)> {
    vec![
        ("mapping", generator().into_root_schema_for::<Spec>()),
        ("common", generator().into_root_schema_for::<Common>()),
    ]
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
#[derive(Clone, Debug)]
pub struct Several<T>(Vec<T>);

impl<T> Default for Several<T> {
    fn default() -> Several<T> {
        Several(Vec::new())
    }
}

impl<T> Deref for Several<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Several<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Several<T>, D::Error> {
        deserializer.deserialize_any(Reading(PhantomData))
    }
}

impl<T: schemars::JsonSchema> schemars::JsonSchema for Several<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Several{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let one = generator.subschema_for::<T>();
        schemars::json_schema!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}

/// Reads [`Several`].
struct Reading<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Reading<T> {
    type Value = Several<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("one, or a list of them")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Several<T>, E> {
        T::deserialize(text.into_deserializer()).map(|one| Several(vec![one]))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Several<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(|one| Several(vec![one]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Several<T>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Several)
    }
}
