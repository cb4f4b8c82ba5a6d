//! `lookup_rules`: a page of the rules, by path.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twicetold_event::{RulesLookedUp, Seat};
use twicetold_world::State;

use crate::menu::{Form, one_of, variants};
use crate::search_rules::within_lookups;
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Rejection, in_dialogue, nearest};

pub(crate) struct LookupRules;

#[derive(Clone, Copy, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Detail {
    #[default]
    Summary,
    Stats,
    Full,
}

/// Arguments of `lookup_rules`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// For example classes/warden.
    path: String,
    #[serde(default)]
    detail: Detail,
}

impl Definition for LookupRules {
    const NAME: &'static str = "lookup_rules";
    const DESCRIPTION: &'static str = "Read a page of the rules or of the guides.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        seat != Seat::Memory && !in_dialogue(state, seat)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let used = within_lookups(state)?;
        let path = page(&arguments.path);
        let pages = &state.setup().rules.pages;
        if !pages.contains_key(&path) {
            let near = nearest(&path, pages.keys().map(String::as_str), 3).join(", ");
            return Err(Rejection::new("unknown_page").quoting("path", &path, 120).with("near", near));
        }
        let detail = match arguments.detail {
            Detail::Summary => twicetold_event::Detail::Summary,
            Detail::Stats => twicetold_event::Detail::Stats,
            Detail::Full => twicetold_event::Detail::Full,
        };
        Ok(Accepted::one(RulesLookedUp { path, detail }).checked(used))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        if within_lookups(state).is_err() {
            return Vec::new();
        }
        let pages = state.setup().rules.pages.keys().filter(|path| page(path) == **path);
        vec![Form::new().must("path", one_of(pages)).may("detail", one_of(variants(Self::NAME, "detail")))]
    }

    fn canonical(_: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        vec![json!({"path": page(&arguments.path), "detail": arguments.detail})]
    }
}

/// The path of a page as the rules have it.
fn page(path: &str) -> String {
    // Small models end the path as they end a sentence.
    path.trim().trim_matches(|letter| letter == '/' || letter == '.').to_lowercase()
}
