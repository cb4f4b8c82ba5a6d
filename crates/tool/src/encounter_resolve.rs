//! `encounter_resolve`: the encounter ends by one of its goals.

use schemars::JsonSchema;
use serde::Deserialize;
use twicetold_event::{EncounterResolved, Seat};
use twicetold_world::State;

use crate::dice::shorten;
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Refusal, narrating, text};

pub(crate) struct EncounterResolve;

/// Arguments of `encounter_resolve`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case, reason = "the arguments' names are part of the tool's contract")]
pub(crate) struct Arguments {
    /// The id of the encounter being played.
    encounterId: String,
    /// The id of the hidden goal that was reached.
    outcomeId: String,
    /// How it came about and what it cost, in two to four sentences.
    summary: String,
}

impl Definition for EncounterResolve {
    const NAME: &'static str = "encounter_resolve";
    const DESCRIPTION: &'static str = "End the encounter when one of the hidden goals has been reached in the story. Narrate the ending in the same reply.";
    const FOLLOW: Follow = Follow::Ends;
    type Arguments = Arguments;

    fn offered(state: &State, seat: Seat) -> bool {
        narrating(state, seat) && state.encounter().is_some() && state.combat().is_none()
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let wanted = arguments.encounterId.trim();
        let Some(encounter) = state.encounter() else {
            let over = state.encounters_over().iter().any(|end| end.id == wanted);
            let observed =
                if over { format!("{wanted} is over") } else { "no encounter is being played".into() };
            return Err(Refusal::new("no_encounter", observed, "an encounter is resolved once"));
        };
        if encounter.id != wanted {
            let advice = format!("the encounter is {}", encounter.id);
            return Err(Refusal::new("unknown_encounter", format!("{:?}", shorten(wanted, 80)), advice));
        }
        let goals = state.goals();
        let outcome = arguments.outcomeId.trim();
        let Some(goal) = goals.iter().find(|goal| goal.id == outcome) else {
            let known: Vec<&str> = goals.iter().map(|goal| goal.id.as_str()).collect();
            let advice = format!("the goals are {}", known.join(", "));
            return Err(Refusal::new("unknown_outcome", format!("{:?}", shorten(outcome, 80)), advice));
        };
        let deeds = encounter.messages.saturating_sub(encounter.narrations);
        if deeds == 0 {
            let observed = "no player has spoken since the encounter began";
            return Err(Refusal::new("nobody_has_acted", observed, "narrate, and let the players act first"));
        }
        let summary = text(state, "summary", &arguments.summary)?;
        Ok(Accepted::one(EncounterResolved {
            encounter: encounter.id.clone(),
            outcome: goal.id.clone(),
            summary,
            messages: encounter.messages,
            call: caller.call,
        })
        .checked("outcome_is_goal", format!("{} is a goal of {}", goal.id, encounter.id))
        .checked("nobody_has_acted", format!("{deeds} messages by players")))
    }
}
