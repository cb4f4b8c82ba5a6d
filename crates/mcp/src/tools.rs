//! How a tool is offered: its name, what it does, its arguments and its result as JSON Schemas; and how its arguments are read.

#[cfg(not(test))]
use std::collections::BTreeMap;
use std::sync::Arc;
#[cfg(not(test))]
use std::sync::LazyLock;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::Failure;

/// The schemas of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Schemas {
    arguments: Arc<JsonObject>,
    result: Arc<JsonObject>,
}

/// Arguments and results: what can be described, for a test; without one, anything.
#[cfg(test)]
pub trait Shape: schemars::JsonSchema + 'static {}
#[cfg(test)]
impl<T: schemars::JsonSchema + 'static> Shape for T {}
/// Arguments and results: what can be described, for a test; without one, anything.
#[cfg(not(test))]
pub trait Shape {}
#[cfg(not(test))]
impl<T> Shape for T {}

/// A tool that only reads, with the arguments `I` and the result `O`.
pub fn tool<I: Shape, O: Shape>(name: &'static str, description: &'static str) -> Tool {
    let hints = ToolAnnotations::new().read_only(true).destructive(false).open_world(false);
    made(schemas::<I, O>(name), name, description, hints)
}

/// A tool that does something. What is done is added to a journal, and nothing is lost. Models of servers may be asked.
pub fn acting<I: Shape, O: Shape>(name: &'static str, description: &'static str) -> Tool {
    acting_as::<I, O>(name, name, description)
}

/// The same with schemas that are kept under a name of their own.
pub fn acting_as<I: Shape, O: Shape>(
    kept: &'static str,
    name: &'static str,
    description: &'static str,
) -> Tool {
    let hints = ToolAnnotations::new().read_only(false).destructive(false).open_world(true);
    made(schemas::<I, O>(kept), name, description, hints)
}

fn made(schemas: Schemas, name: &'static str, description: &'static str, hints: ToolAnnotations) -> Tool {
    Tool::new(name, description, schemas.arguments)
        .with_raw_output_schema(schemas.result)
        .with_annotations(hints)
}

/// The schemas of arguments and a result as they are kept, under a name. They are those of the types: a test makes them, writes them into
/// a file and compares them with it. The program has the texts and not what makes them.
#[cfg(not(test))]
fn schemas<I: Shape, O: Shape>(name: &str) -> Schemas {
    static KEPT: LazyLock<BTreeMap<String, Schemas>> =
        LazyLock::new(|| serde_json::from_str(include_str!("schemas.json")).unwrap_or_default());
    KEPT.get(name).cloned().unwrap_or_default()
}

/// The same, made of the types.
#[cfg(test)]
fn schemas<I: Shape, O: Shape>(_: &str) -> Schemas {
    use rmcp::handler::server::tool::{schema_for_input, schema_for_output};
    Schemas {
        arguments: schema_for_input::<I>().expect("arguments are an object"),
        result: schema_for_output::<O>(),
    }
}

/// Reads the arguments of a call.
///
/// # Errors
/// One is missing, unknown, or of another type; which, is said.
pub fn arguments<I: DeserializeOwned>(arguments: Option<JsonObject>) -> Result<I, Failure> {
    let value = Value::Object(arguments.unwrap_or_default());
    serde_path_to_error::deserialize(value).map_err(|error| {
        let place = match error.path().to_string() {
            path if path == "." => String::new(),
            path => format!("{path}: "),
        };
        Failure::usage(
            format!("the arguments cannot be used: {place}{}", error.inner()),
            "`tools/list` has the schema of the arguments",
        )
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::seats::{self, ONE_SEAT, Scope};
    use crate::{acting, invitations, reading, why};

    #[test]
    fn the_schemas_that_are_kept_are_those_of_the_types() {
        let mut tools = reading::tools();
        tools.extend(why::tools());
        tools.extend(acting::tools());
        tools.extend(seats::tools(&Scope::All));
        tools.extend(invitations::tools());
        let mut tools: BTreeMap<String, Tool> =
            tools.into_iter().map(|tool| (tool.name.to_string(), tool)).collect();
        let one = Scope::One { campaign: String::new(), seat: String::new() };
        let take = seats::tools(&one).into_iter().find(|tool| tool.name == "take_seat");
        tools.insert(ONE_SEAT.to_owned(), take.expect("a seat is taken"));
        let schemas = |tool: Tool| Schemas {
            arguments: tool.input_schema,
            result: tool.output_schema.expect("every tool has a result"),
        };
        let made: BTreeMap<String, Schemas> =
            tools.into_iter().map(|(name, tool)| (name, schemas(tool))).collect();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schemas.json");
        #[expect(clippy::disallowed_methods, reason = "asked for by the person who records")]
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            // A line for each tool.
            let lines: Vec<String> =
                made.iter().map(|(name, schemas)| format!("{}: {}", json!(name), json!(schemas))).collect();
            std::fs::write(&path, format!("{{\n{}\n}}\n", lines.join(",\n"))).unwrap();
        }
        let kept: BTreeMap<String, Schemas> =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        for (name, schemas) in &made {
            assert_eq!(kept.get(name), Some(schemas), "{name}: the types have changed (`just schemas`)");
        }
        assert_eq!(kept.len(), made.len(), "schemas are kept of a tool that is not there");
    }
}
