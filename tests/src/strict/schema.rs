//! The schemas of tools, and those that a reply is held to.

use super::look::{Checked, Look};

/// Types that every server knows, each as one word.
const TYPES: [&str; 6] = ["object", "array", "string", "integer", "number", "boolean"];

/// Keywords that every server takes in the schema of a tool. Ollama drops any other without a word, Gemini refuses the request.
const OF_TOOLS: [&str; 6] = ["type", "properties", "required", "items", "description", "enum"];

/// What a server holds replies to, beyond [`OF_TOOLS`].
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// Further keywords that it takes.
    pub(super) keywords: &'static [&'static str],
    /// Must every object say `additionalProperties: false`?
    pub(super) closed: bool,
    /// Must every property be required?
    pub(super) complete: bool,
    /// Most properties that may be left out, and most choices between schemas, in the whole schema.
    pub(super) optional_max: usize,
    pub(super) choices_max: usize,
}

/// A server that holds replies to whatever can be made a grammar, or is not strict.
pub(super) const LENIENT: Held = Held {
    keywords: &[
        "anyOf",
        "additionalProperties",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
    ],
    closed: false,
    complete: false,
    optional_max: usize::MAX,
    choices_max: usize::MAX,
};

/// OpenAI where it is strict.
pub(super) const STRICT: Held = Held { closed: true, complete: true, ..LENIENT };

/// Anthropic: its grammar knows neither lengths nor bounds, of `minItems` 0 and 1.
pub(super) const ANTHROPIC: Held = Held {
    keywords: &["anyOf", "additionalProperties", "minItems"],
    closed: true,
    complete: false,
    optional_max: 24,
    choices_max: 16,
};

/// Properties that may be left out, and choices, counted over a whole schema.
#[derive(Default)]
struct Count {
    optional: usize,
    choices: usize,
}

/// The schema of a tool's arguments.
pub(super) fn of_tool(schema: &Look<'_>) -> Checked {
    // OpenAI and Anthropic take nothing but an object at the root.
    schema.at("type")?.one_of(&["object"])?;
    walk(schema, None, &mut Count::default())
}

/// The schema that a reply is held to.
pub(super) fn of_reply(schema: &Look<'_>, held: Held) -> Checked {
    schema.at("type")?.one_of(&["object"])?;
    let mut count = Count::default();
    walk(schema, Some(held), &mut count)?;
    schema.must(count.optional <= held.optional_max, "too many properties may be left out")?;
    schema.must(count.choices <= held.choices_max, "too many choices between schemas")
}

fn walk(schema: &Look<'_>, held: Option<Held>, count: &mut Count) -> Checked {
    schema.members(&[], &[&OF_TOOLS[..], held.map_or(&[], |held| held.keywords)].concat())?;
    if let Some(choices) = schema.get("anyOf") {
        count.choices += 1;
        return choices.some_items()?.iter().try_for_each(|choice| walk(choice, held, count));
    }
    // A list of types is refused by Gemini.
    let kind = schema.at("type")?.one_of(&TYPES)?;
    if let Some(description) = schema.get("description") {
        description.text()?;
    }
    // OpenAI refuses the whole request for an object without `properties`, Gemini for a list without `items`.
    schema
        .must((kind == "object") == schema.get("properties").is_some(), "`properties` belong to objects")?;
    schema.must((kind == "array") == schema.get("items").is_some(), "`items` belong to lists")?;
    if let Some(values) = schema.get("enum") {
        // Gemini takes texts only.
        schema.must(kind == "string", "`enum` belongs to texts")?;
        values.some_items()?.iter().try_for_each(|value| value.text().map(drop))?;
    }
    if let Some(items) = schema.get("items") {
        walk(&items, held, count)?;
    }
    if let Some(least) = schema.get("minItems")
        && held.is_some_and(|held| !held.keywords.contains(&"maxItems"))
    {
        least.integer(0, 1)?;
    }
    if kind == "object" { object(schema, held, count) } else { Ok(()) }
}

fn object(schema: &Look<'_>, held: Option<Held>, count: &mut Count) -> Checked {
    let properties = schema.at("properties")?;
    let mut required = Vec::new();
    if let Some(names) = schema.get("required") {
        for name in names.items()? {
            name.must(properties.get(name.text()?).is_some(), "required, but no property")?;
            required.push(name.text()?);
        }
    }
    for name in properties.object()?.keys() {
        let property = properties.at(name)?;
        // Gemini's names of parameters.
        property.must((1..=64).contains(&name.len()), "a name of more than 64 bytes")?;
        walk(&property, held, count)?;
        count.optional += usize::from(!required.contains(&name.as_str()));
    }
    let Some(held) = held else { return Ok(()) };
    let closed = schema.get("additionalProperties").map(|other| other.boolean()).transpose()?;
    schema.must(closed.is_none() || closed == Some(false), "other properties are allowed")?;
    schema.must(!held.closed || closed.is_some(), "no `additionalProperties: false`")?;
    schema.must(
        !held.complete || required.len() == properties.object()?.len(),
        "a property that is not required",
    )
}
