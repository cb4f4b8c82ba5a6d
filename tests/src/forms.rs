//! Whatever the program prints as JSON, in any test, is held against the schema that the program prints for its form.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Value, json};

use crate::Home;

/// A schema that is ready to be used.
struct Ready {
    schemas: Schemas,
    index: SchemaIndex,
}

/// A schema that many values are held against.
pub struct Checked(Ready);

impl Checked {
    /// Of the schema's JSON.
    ///
    /// # Panics
    /// The schema is none.
    pub fn new(schema: Value) -> Checked {
        Checked(ready(schema))
    }

    /// Is the value as the schema wants it?
    ///
    /// # Errors
    /// Where it is not.
    pub fn fits(&self, value: &Value) -> Result<(), String> {
        self.0.schemas.validate(value, self.0.index).map_err(|error| format!("{error:#}"))
    }
}

/// The schemas that were asked for so far.
static READY: LazyLock<Mutex<BTreeMap<String, Arc<Ready>>>> = LazyLock::new(Mutex::default);

/// The schema of a form, as the program prints it.
pub fn schema(form: &str) -> Value {
    serde_json::from_str(&Home::new().succeed(["schema", form])).expect("a schema is JSON")
}

/// The names of all forms, as the program lists them.
pub fn forms() -> Vec<String> {
    let listed = Home::new().succeed(["schema"]);
    let rows = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = rows.filter_map(|line| line.split_whitespace().next().map(str::to_owned));
    names.filter(|name| !name.ends_with(".toml")).collect()
}

/// Is a line or a document as the schema of its form wants it, with nothing in it that the schema does not know?
///
/// # Errors
/// It names no form, or is another one.
///
/// # Panics
/// The program does not know the form.
fn is_known(value: &Value) -> Result<(), String> {
    let name = value["form"].as_str().ok_or_else(|| format!("no form is named in {value}"))?;
    let known = READY.lock().unwrap().get(name).cloned();
    let ready = known.unwrap_or_else(|| {
        let made = Arc::new(ready(complete(schema(name))));
        READY.lock().unwrap().insert(name.to_owned(), made.clone());
        made
    });
    ready.schemas.validate(value, ready.index).map_err(|error| format!("{name}: {error:#}\n{value}"))
}

/// Panics where a line that names its form is not as its schema wants it.
pub(crate) fn check(stdout: &str) {
    for line in stdout.lines().filter(|line| line.starts_with('{') && line.contains("\"form\":")) {
        // A text that was cut off ends somewhere.
        let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
        is_known(&value).unwrap_or_else(|why| panic!("{why}"));
    }
}

fn ready(schema: Value) -> Ready {
    const PLACE: &str = "urn:twicetold:tested";
    let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
    compiler.add_resource(PLACE, schema).expect("the place of a schema");
    let index = compiler.compile(PLACE, &mut schemas).unwrap_or_else(|error| panic!("{error:#}"));
    Ready { schemas, index }
}

/// A schema to which nothing may be added. What readers are given leaves room for fields of later versions.
fn complete(mut schema: Value) -> Value {
    let parts = parts_of_the_root(&schema);
    let close = |schema: &mut Value| {
        if let Some(object) = schema.as_object_mut() {
            object.insert("unevaluatedProperties".into(), json!(false));
        }
    };
    close(&mut schema);
    if let Some(definitions) = schema.get_mut("$defs").and_then(Value::as_object_mut) {
        // A part of the root knows only its own fields.
        definitions.iter_mut().filter(|(name, _)| !parts.contains(name)).for_each(|(_, each)| {
            if each.get("additionalProperties").is_none() {
                close(each);
            }
        });
    }
    schema
}

/// The definition that the root refers to beside fields of its own, and those that it refers to in turn.
fn parts_of_the_root(schema: &Value) -> Vec<String> {
    let mut parts = Vec::new();
    let mut next = schema;
    while let Some(name) = next["$ref"].as_str().and_then(|place| place.strip_prefix("#/$defs/")) {
        parts.push(name.to_owned());
        next = &schema["$defs"][name];
    }
    parts
}
