//! `goal_register`: a hidden goal that nobody had thought of.

use schemars::JsonSchema;
use serde::Deserialize;
use twicetold_event::{GoalRegistered, Seat};
use twicetold_world::State;

use crate::dice::shorten;
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Refusal, narrating, text};

/// What every registered goal's id begins with.
const PREFIX: &str = "dynamic_";
/// Longer ids are sentences.
const ID_BYTES_MAX: usize = 64;

pub(crate) struct GoalRegister;

/// Arguments of `goal_register`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case, reason = "the argument's name is part of the tool's contract")]
pub(crate) struct Arguments {
    /// A short id of lower-case letters, digits, hyphens and underscores, for example bribe-the-captain.
    id: String,
    /// When exactly the goal is reached, in one sentence.
    label: String,
    /// true: it can carry the encounter; false: a lesser way out.
    isPrimary: bool,
    /// Why the goals that exist do not fit what the players are doing.
    reason: String,
}

impl Definition for GoalRegister {
    const NAME: &'static str = "goal_register";
    const DESCRIPTION: &'static str = "Register a hidden goal when the players go a way that none of the hidden goals fits. The encounter can then be resolved by it.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn offered(state: &State, seat: Seat) -> bool {
        narrating(state, seat) && state.encounter().is_some()
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let Some(encounter) = state.encounter() else {
            return Err(Refusal::new(
                "no_encounter",
                "no encounter is being played",
                "wait for the next one",
            ));
        };
        let limits = &state.setup().limits;
        let id = final_id(&arguments.id)?;
        let label = text(state, "label", &arguments.label)?;
        let reason = text(state, "reason", &arguments.reason)?;
        let goals = state.goals();
        if goals.iter().any(|goal| goal.id == id) {
            return Err(Refusal::new(
                "goal_exists",
                format!("{id} exists in this encounter"),
                "use it, or choose another id",
            ));
        }
        let (registered, most) = (encounter.registered.len() as u32, limits.dynamic_goals_max);
        if registered >= most {
            let observed = format!("{registered} registered, at most {most}");
            return Err(Refusal::new(
                "dynamic_goals_max",
                observed,
                "resolve the encounter by a goal that exists",
            ));
        }
        let (messages, latest) = (encounter.messages, limits.goal_messages_max);
        if messages >= latest {
            let observed = format!("{messages} messages, must be fewer than {latest}");
            return Err(Refusal::new(
                "goal_messages_max",
                observed,
                "bring the encounter to one of its goals",
            ));
        }
        Ok(Accepted::one(GoalRegistered { id: id.clone(), label, primary: arguments.isPrimary, reason })
            .checked("goal_id", format!("{:?} became {id}", shorten(arguments.id.trim(), ID_BYTES_MAX)))
            .checked("dynamic_goals_max", format!("{registered} registered, at most {most}"))
            .checked("goal_messages_max", format!("{messages} messages, must be fewer than {latest}")))
    }
}

/// The id as it will be known: checked as it was given, then prefixed.
fn final_id(raw: &str) -> Result<String, Refusal> {
    let raw = raw.trim();
    let advice = "use lower-case letters, digits, hyphens and underscores";
    let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    let bare = raw.strip_prefix(PREFIX).unwrap_or(raw);
    if bare.is_empty() || !raw.chars().all(legal) {
        return Err(Refusal::new("goal_id", format!("{:?}", shorten(raw, ID_BYTES_MAX)), advice));
    }
    if raw.len() > ID_BYTES_MAX {
        return Err(Refusal::new(
            "goal_id",
            format!("{} bytes", raw.len()),
            format!("use at most {ID_BYTES_MAX}"),
        ));
    }
    Ok(format!("{PREFIX}{bare}"))
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
