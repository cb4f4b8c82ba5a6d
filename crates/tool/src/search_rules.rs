//! `search_rules`: pages of the rules, by words.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::{Check, RulesSearched, Seat};
use twicetold_world::State;

use crate::menu::{Form, words};
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, clean, in_dialogue, nearest, text,
};

/// Pages that a search names: more would fill the prompt, fewer would hide the second-best.
const HITS_MAX: usize = 5;

pub(crate) struct SearchRules;

/// Arguments of `search_rules`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    query: String,
}

impl Definition for SearchRules {
    const NAME: &'static str = "search_rules";
    const DESCRIPTION: &'static str = "Find pages of the rules by words.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        seat != Seat::Memory && !in_dialogue(state, seat)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let used = within_lookups(state)?;
        let query = text(state, "query", &arguments.query)?;
        let words: Vec<String> = query.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
        let words: Vec<&String> = words.iter().filter(|word| word.len() > 2).collect();
        let mut scored: Vec<(usize, &String)> = state
            .setup()
            .rules
            .pages
            .iter()
            .map(|(path, page)| {
                let head = format!("{path} {}", page.title).to_lowercase();
                let body = page.words().to_lowercase();
                let score = words.iter().map(|word| {
                    usize::from(head.contains(word.as_str())) * 4 + usize::from(body.contains(word.as_str()))
                });
                (score.sum(), path)
            })
            .filter(|(score, _)| *score > 0)
            .collect();
        scored.sort_by(|(a, path_a), (b, path_b)| b.cmp(a).then_with(|| path_a.cmp(path_b)));
        let paths: Vec<String> = scored.into_iter().take(HITS_MAX).map(|(_, path)| path.clone()).collect();
        if paths.is_empty() {
            let near = nearest(&query, state.setup().rules.pages.keys().map(String::as_str), 3).join(", ");
            return Err(Rejection::new("nothing_found").quoting("query", &query, 120).with("near", near));
        }
        Ok(Accepted::one(RulesSearched { query, paths }).checked(used))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        let form = Form::new().must("query", words(state));
        if within_lookups(state).is_ok() { vec![form] } else { Vec::new() }
    }

    fn canonical(_: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        vec![json!({"query": clean(&arguments.query)})]
    }
}

/// Rejects when the turn's look-ups are used up; otherwise says how many were used.
pub(crate) fn within_lookups(state: &State) -> Result<Check, Rejection> {
    let (used, most) = (state.turn().lookups, state.setup().limits.lookups_per_turn_max);
    let check = Check::new("lookups_per_turn_max").with("used", used).with("most", most);
    if used >= most {
        return Err(Rejection::new("lookups_per_turn_max").like(&check));
    }
    Ok(check)
}
