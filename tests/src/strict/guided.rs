//! Answers a request for a JSON object with one that its schema allows, drawn from a seed.

use serde_json::{Map, Value, json};

use crate::Random;

/// Words that answers are made of: none of them is a phrase that the game knows.
const WORDS: [&str; 40] = [
    "amber", "basket", "candle", "drizzle", "ember", "fiddle", "gravel", "hollow", "ivory", "jumble",
    "kettle", "ladder", "marble", "nettle", "orchard", "pebble", "quarrel", "ribbon", "saddle", "thimble",
    "umber", "velvet", "willow", "yonder", "zephyr", "acorn", "bramble", "copper", "dapple", "fennel",
    "ginger", "hazel", "juniper", "kindle", "lantern", "meadow", "nutmeg", "parsley", "russet", "sorrel",
];

/// Characters that a text has where the schema leaves room for them.
const LENGTH: (usize, usize) = (45, 80);

/// Items of a list.
const ITEMS_MAX: usize = 2;

/// A value that the schema allows.
pub(super) fn fill(schema: &Value, random: &mut Random) -> Value {
    if let Some(choices) = schema["anyOf"].as_array().filter(|choices| !choices.is_empty()) {
        return fill(&choices[random.below(choices.len())], random);
    }
    if let Some(values) = schema["enum"].as_array().filter(|values| !values.is_empty()) {
        return values[random.below(values.len())].clone();
    }
    let bound = |name: &str| schema[name].as_u64().map(|bound| bound as usize);
    match schema["type"].as_str() {
        Some("object") => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            let filled: Map<String, Value> =
                properties.map(|(name, property)| (name.clone(), fill(property, random))).collect();
            filled.into()
        }
        Some("array") => {
            let most = bound("maxItems").unwrap_or(ITEMS_MAX).min(ITEMS_MAX);
            let count = random.below(most + 1).max(bound("minItems").unwrap_or(0));
            (0..count).map(|_| fill(&schema["items"], random)).collect()
        }
        Some("integer" | "number") => {
            let least = schema["minimum"].as_i64().unwrap_or(0);
            let most = schema["maximum"].as_i64().unwrap_or(least + 9).max(least);
            json!(least + random.below((most - least) as usize + 1) as i64)
        }
        Some("boolean") => json!(random.below(2) == 0),
        _ => sentence(random, bound("minLength"), bound("maxLength")).into(),
    }
}

fn sentence(random: &mut Random, least: Option<usize>, most: Option<usize>) -> String {
    let most = most.unwrap_or(usize::MAX);
    let least = least.unwrap_or(0).max(LENGTH.0).min(most);
    let most = most.min(LENGTH.1.max(least));
    let mut text = String::from("We");
    while text.len() < least {
        text.push(' ');
        text.push_str(WORDS[random.below(WORDS.len())]);
    }
    text.truncate(most.saturating_sub(1));
    text.push('.');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_what_the_schema_asks_for() {
        let schema = json!({"type": "object", "properties": {
            "words": {"type": "string", "minLength": 100, "maxLength": 110},
            "short": {"type": "string", "maxLength": 12},
            "do": {"type": "string", "enum": ["stay", "go"]},
            "many": {"type": "array", "items": {"type": "integer", "minimum": 3, "maximum": 3}, "minItems": 1},
        }});
        let mut seen = Vec::new();
        for seed in 0..20 {
            let filled = fill(&schema, &mut Random(seed));
            let length = |name: &str| filled[name].as_str().unwrap().len();
            assert!((100..=110).contains(&length("words")) && length("short") <= 12, "{filled}");
            assert!(filled["many"].as_array().unwrap().iter().all(|number| number == 3), "{filled}");
            assert!(!filled["many"].as_array().unwrap().is_empty());
            seen.push(filled["do"].clone());
        }
        assert!(seen.contains(&json!("stay")) && seen.contains(&json!("go")));
    }
}
