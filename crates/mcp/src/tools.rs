//! How a tool is offered: its name, what it does, its arguments and its result as JSON Schemas; and how its arguments are read.

use std::sync::Arc;

use rmcp::handler::server::tool::{schema_for_input, schema_for_output};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::failure::Failure;

/// A tool that only reads, with the arguments `I` and the result `O`.
pub fn tool<I: JsonSchema + 'static, O: JsonSchema + 'static>(
    name: &'static str,
    description: &'static str,
) -> Tool {
    made::<I, O>(
        name,
        description,
        ToolAnnotations::new().read_only(true).destructive(false).open_world(false),
    )
}

/// A tool that does something. What is done is added to a journal, and nothing is lost. Models of servers may be asked.
pub fn acting<I: JsonSchema + 'static, O: JsonSchema + 'static>(
    name: &'static str,
    description: &'static str,
) -> Tool {
    made::<I, O>(
        name,
        description,
        ToolAnnotations::new().read_only(false).destructive(false).open_world(true),
    )
}

fn made<I: JsonSchema + 'static, O: JsonSchema + 'static>(
    name: &'static str,
    description: &'static str,
    hints: ToolAnnotations,
) -> Tool {
    // What is no object here is a mistake of this crate, which its tests find: such a tool takes no arguments.
    let input = schema_for_input::<I>().unwrap_or_else(|_| Arc::new(JsonObject::new()));
    Tool::new(name, description, input)
        .with_raw_output_schema(schema_for_output::<O>())
        .with_annotations(hints)
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
