//! `goal_register`: a hidden goal that nobody had thought of.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::{Check, GoalRegistered, Seat};
use twicetold_world::{Encounter, State};

use crate::dice::shorten;
use crate::evidence::{because, cited, citing, labels};
use crate::menu::{Form, call, texts, truth, words};
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, clean, is_struck, narrating, text,
};

/// What every registered goal's id begins with.
pub(crate) const REGISTERED: &str = "dynamic_";
/// Longer ids are sentences.
const ID_BYTES_MAX: usize = 64;

pub(crate) struct GoalRegister;

/// Arguments of `goal_register`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case, reason = "the argument's name is part of the tool's contract")]
pub(crate) struct Arguments {
    /// For example bribe-the-captain.
    id: String,
    /// When exactly it is reached.
    label: String,
    /// false: a lesser way out.
    isPrimary: bool,
    /// Why the others do not fit.
    reason: String,
    /// Numbers (#) of the lines that show it.
    #[serde(default, deserialize_with = "labels")]
    because: Vec<u32>,
}

impl Definition for GoalRegister {
    const NAME: &'static str = "goal_register";
    const DESCRIPTION: &'static str = "Register a hidden goal when the players go a way that fits none of them. The encounter can then end by it.";
    const FOLLOW: Follow = Follow::Records;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn possible(state: &State) -> bool {
        state.encounter().is_some() && !is_struck(state)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let Some(encounter) = state.encounter() else {
            return Err(Rejection::new("no_encounter"));
        };
        let id = final_id(&arguments.id)?;
        let label = text(state, "label", &arguments.label)?;
        let reason = text(state, "reason", &arguments.reason)?;
        let goals = state.goals();
        if goals.iter().any(|goal| goal.id == id) {
            return Err(Rejection::new("goal_exists").with("id", id));
        }
        let (number, time) = has_room(state, encounter)?;
        let name = Check::new("goal_id")
            .quoting("proposed", shorten(arguments.id.trim(), ID_BYTES_MAX))
            .with("id", &id);
        let evidence = cited(state, encounter, &arguments.because)?;
        let goal = GoalRegistered { id, label, primary: arguments.isPrimary, reason };
        let events = vec![evidence.into(), goal.into()];
        Ok(Accepted { events, ..Accepted::default() }.checked(name).checked(number).checked(time))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        let Some(encounter) = state.encounter().filter(|encounter| has_room(state, encounter).is_ok()) else {
            return Vec::new();
        };
        let form = Form::new().must("id", texts(ID_BYTES_MAX)).must("label", words(state));
        vec![citing(state, encounter, form.must("isPrimary", truth()).must("reason", words(state)))]
    }

    fn canonical(state: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        let (label, reason) = (clean(&arguments.label), clean(&arguments.reason));
        let (id, primary) = (arguments.id.trim(), arguments.isPrimary);
        let because = because(state, &arguments.because);
        vec![call(
            json!({"id": id, "label": label, "isPrimary": primary, "reason": reason, "because": because}),
        )]
    }
}

/// Rejects when the encounter has as many registered goals as it may have, or is too far on for another.
fn has_room(state: &State, encounter: &Encounter) -> Result<(Check, Check), Rejection> {
    let limits = &state.setup().limits;
    let (registered, most) = (encounter.registered.len() as u32, limits.dynamic_goals_max);
    let number = Check::new("dynamic_goals_max").with("registered", registered).with("most", most);
    if registered >= most {
        return Err(Rejection::new("dynamic_goals_max").like(&number));
    }
    let (messages, latest) = (encounter.messages, limits.goal_messages_max);
    let time = Check::new("goal_messages_max").with("messages", messages).with("fewer_than", latest);
    if messages >= latest {
        return Err(Rejection::new("goal_messages_max").like(&time));
    }
    Ok((number, time))
}

/// The id as it will be known: checked as it was given, then prefixed.
fn final_id(raw: &str) -> Result<String, Rejection> {
    let raw = raw.trim();
    let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    let bare = raw.strip_prefix(REGISTERED).unwrap_or(raw);
    if bare.is_empty() || !raw.chars().all(legal) {
        return Err(Rejection::new("goal_id").quoting("id", raw, ID_BYTES_MAX));
    }
    if raw.len() > ID_BYTES_MAX {
        return Err(Rejection::new("goal_id").with("bytes", raw.len()).with("most", ID_BYTES_MAX));
    }
    Ok(format!("{REGISTERED}{bare}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_is_added_once_and_an_empty_rest_is_refused() {
        assert_eq!(final_id(" bribe-him "), Ok("dynamic_bribe-him".into()));
        assert_eq!(final_id("dynamic_bribe"), Ok("dynamic_bribe".into()));
        for wrong in ["", "  ", "dynamic_", "Bribe", "bribe him", "bribé", "a\nb"] {
            assert_eq!(final_id(wrong).unwrap_err().rule, "goal_id", "{wrong:?}");
        }
        assert_eq!(final_id(&"x".repeat(65)).unwrap_err().rule, "goal_id");
    }
}
