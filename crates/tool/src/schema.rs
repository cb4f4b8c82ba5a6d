//! Schemas of tools within the part of JSON Schema that every server takes.
//!
//! OpenAI refuses a whole request for one object without `properties`, Gemini knows neither `const` nor `oneOf` nor a list of types, and
//! Ollama leaves out what it does not know without a word. What all of them take: `type` as one word, `properties`, `required`, `items`,
//! `description`, and `enum` of texts. A field that may be left out is one that is not `required`; `null` is read as left out.
//!
//! The schemas are those of the types of the arguments. A test makes them, writes them into a file and compares them with it: the program
//! has the texts and not what makes them.

/// The schema of each tool in a line, after its name.
const KEPT: &str = include_str!("schemas.txt");

/// The schema of a tool's arguments, self-contained.
pub(crate) fn kept(tool: &str) -> &'static str {
    let schema = |line: &'static str| line.strip_prefix(tool)?.strip_prefix(' ');
    KEPT.lines().find_map(schema).unwrap_or("{}")
}

/// Arguments: what can be described, for a test; without one, anything.
#[cfg(test)]
pub(crate) trait Shape: schemars::JsonSchema {}
#[cfg(test)]
impl<T: schemars::JsonSchema> Shape for T {}
/// Arguments: what can be described, for a test; without one, anything.
#[cfg(not(test))]
pub(crate) trait Shape {}
#[cfg(not(test))]
impl<T> Shape for T {}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;

    use schemars::JsonSchema;
    use schemars::generate::SchemaSettings;
    use serde_json::{Map, Value, json};

    use crate::{TOOLS, named};

    /// Every keyword that a schema of a tool may have.
    pub(crate) const KEYWORDS: [&str; 6] = ["description", "enum", "items", "properties", "required", "type"];

    /// The schema of these arguments, self-contained and within [`KEYWORDS`].
    pub(crate) fn schema<T: JsonSchema>() -> String {
        let mut settings = SchemaSettings::draft2020_12();
        settings.meta_schema = None;
        settings.inline_subschemas = true;
        let mut schema = settings.into_generator().into_root_schema_for::<T>();
        schema.remove("description");
        let mut schema = schema.to_value();
        simplify(&mut schema);
        schema.to_string()
    }

    /// Brings a schema, and all within it, into the common part.
    fn simplify(schema: &mut Value) {
        let Value::Object(object) = schema else { return };
        choose(object);
        if let Some(Value::Array(types)) = object.get("type") {
            let one = types.iter().find(|one| *one != "null").cloned();
            object.insert("type".into(), one.unwrap_or_else(|| json!("string")));
        }
        if let Some(Value::Array(values)) = object.get_mut("enum") {
            values.retain(|value| !value.is_null());
        }
        object.retain(|keyword, _| KEYWORDS.contains(&keyword.as_str()));
        if object.get("type").is_some_and(|kind| kind == "object") {
            object.entry("properties").or_insert_with(|| json!({}));
        }
        if let Some(Value::Object(properties)) = object.get_mut("properties") {
            properties.values_mut().for_each(simplify);
        }
        if let Some(items) = object.get_mut("items") {
            simplify(items);
        }
    }

    /// Puts one schema in place of a choice: the only one that is not `null`, or the texts to choose from, explained in the description.
    fn choose(object: &mut Map<String, Value>) {
        let Some(Value::Array(choices)) = object.remove("oneOf").or_else(|| object.remove("anyOf")) else {
            return;
        };
        let choices: Vec<Map<String, Value>> = choices
            .into_iter()
            .filter_map(|choice| match choice {
                Value::Object(choice) if choice.get("type").is_none_or(|kind| kind != "null") => Some(choice),
                _ => None,
            })
            .collect();
        if let [only] = choices.as_slice()
            && !only.contains_key("const")
        {
            for (keyword, value) in only {
                object.entry(keyword.clone()).or_insert_with(|| value.clone());
            }
            return choose(object);
        }
        let mut about = object.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut values = Vec::new();
        for choice in choices {
            // Those that need no explanation stand together.
            if let Some(Value::Array(plain)) = choice.get("enum") {
                values.extend(plain.iter().filter(|value| value.is_string()).cloned());
                continue;
            }
            let value = choice.get("const").and_then(Value::as_str).unwrap_or_default().to_owned();
            if let Some(words) = choice.get("description").and_then(Value::as_str) {
                about = format!("{about} {value}: {words}").trim().to_owned();
            }
            values.push(Value::from(value));
        }
        object.insert("type".into(), json!("string"));
        object.insert("enum".into(), values.into());
        object.insert("description".into(), about.into());
    }

    /// Bytes of the definitions of all tools that record changes, as they are sent.
    const RECORDING_BYTES_MAX: usize = 2_600;

    /// How it is done.
    #[derive(JsonSchema)]
    #[serde(rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum How {
        /// In a hurry.
        Fast,
        /// With care.
        Slow,
    }

    #[derive(JsonSchema)]
    #[serde(rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum Plain {
        A,
        B,
    }

    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Arguments {
        /// The way.
        how: Option<How>,
        plain: Option<Plain>,
        many: Option<Vec<How>>,
        count: Option<u8>,
        name: String,
    }

    #[derive(JsonSchema)]
    struct Nothing {}

    #[test]
    fn the_schemas_that_are_kept_are_those_of_the_types() {
        let lines = TOOLS.iter().map(|tool| format!("{} {}\n", tool.name, (tool.schema)()));
        let made: String = lines.collect();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schemas.txt");
        #[expect(clippy::disallowed_methods, reason = "asked for by the person who records")]
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &made).unwrap();
        }
        let kept = std::fs::read_to_string(path).unwrap();
        assert!(kept == made, "arguments of a tool have changed (`just schemas`):\n{made}");
    }

    #[test]
    fn choices_become_lists_of_texts_and_what_may_be_null_may_be_left_out() {
        let how = r#"{"description":"The way. fast: In a hurry. slow: With care.","enum":["fast","slow"],"type":"string"}"#;
        let many = how.replace("The way.", "How it is done.");
        assert_eq!(
            schema::<Arguments>(),
            format!(
                r#"{{"properties":{{"count":{{"type":"integer"}},"how":{how},"many":{{"items":{many},"type":"array"}},"name":{{"type":"string"}},"plain":{{"enum":["a","b"],"type":"string"}}}},"required":["name"],"type":"object"}}"#
            )
        );
    }

    #[test]
    fn an_object_without_fields_says_so() {
        assert_eq!(schema::<Nothing>(), r#"{"properties":{},"type":"object"}"#);
    }

    #[test]
    fn every_tool_keeps_to_what_every_server_takes() {
        for tool in TOOLS {
            let schema: Value = serde_json::from_str(&tool.spec().schema).unwrap();
            assert_eq!(schema["type"], "object", "{}", tool.name);
            check(tool.name, &schema);
        }
    }

    #[test]
    fn the_tools_that_record_changes_are_short_enough_for_every_request() {
        let names = ["update_scene", "update_character", "record_event", "record_quest", "record_met"];
        let sent = names.map(|name| {
            let spec = named(name).unwrap().spec();
            let schema: Value = serde_json::from_str(&spec.schema).unwrap();
            json!({"type": "function", "function": {"name": spec.name, "description": spec.description, "parameters": schema}})
        });
        let bytes = json!(sent).to_string().len();
        assert!(bytes < RECORDING_BYTES_MAX, "{bytes} bytes: {}", json!(sent));
    }

    fn check(place: &str, schema: &Value) {
        let object = schema.as_object().unwrap_or_else(|| panic!("{place} is no object: {schema}"));
        for keyword in object.keys() {
            assert!(KEYWORDS.contains(&keyword.as_str()), "{place}: {keyword}");
        }
        let kind = schema["type"].as_str().unwrap_or_else(|| panic!("{place} has no type of one word"));
        assert!(
            ["object", "array", "string", "integer", "number", "boolean"].contains(&kind),
            "{place}: {kind}"
        );
        assert_eq!(kind == "object", object.contains_key("properties"), "{place}");
        assert_eq!(kind == "array", object.contains_key("items"), "{place}");
        for value in schema.get("enum").and_then(Value::as_array).into_iter().flatten() {
            assert!(kind == "string" && value.is_string(), "{place}: {value}");
        }
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            check(&format!("{place}.{name}"), property);
        }
        if let Some(items) = object.get("items") {
            check(&format!("{place}[]"), items);
        }
        for required in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            assert!(object["properties"].get(required.as_str().unwrap()).is_some(), "{place}: {required}");
        }
    }
}
