//! `end_combat`: the fight is over, because somebody stopped.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twicetold_event::{Check, CombatEnded, CombatOutcome, Seat};
use twicetold_world::State;

use crate::combat::open_combat;
use crate::menu::{Form, one_of, variants};
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Rejection, narrating};

pub(crate) struct EndCombat;

/// How it ended.
#[derive(Clone, Copy, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Victory,
    Defeat,
    FoesFled,
    PartyFled,
    Truce,
}

/// Arguments of `end_combat`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// How it ended. Victory and defeat come by themselves.
    outcome: Outcome,
}

impl Definition for EndCombat {
    const NAME: &'static str = "end_combat";
    const DESCRIPTION: &'static str = "End the fight when one side gives up, gets away, or both stop. It ends by itself when nobody of one side is left standing.";
    const FOLLOW: Follow = Follow::Ends;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat) && state.combat().is_some()
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let combat = open_combat(state)?;
        let (standing, able) = (combat.standing().count(), state.able().count());
        let outcome = match arguments.outcome {
            Outcome::Victory if standing > 0 => {
                return Err(Rejection::new("outcome_not_reached").with("foes", standing));
            }
            Outcome::Defeat if able > 0 => {
                return Err(Rejection::new("outcome_not_reached").with("characters", able));
            }
            Outcome::Victory => CombatOutcome::Victory,
            Outcome::Defeat => CombatOutcome::Defeat,
            Outcome::FoesFled => CombatOutcome::FoesFled,
            Outcome::PartyFled => CombatOutcome::PartyFled,
            Outcome::Truce => CombatOutcome::Truce,
        };
        let reason = Check::new("called_off").with("foes", standing).with("characters", able);
        Ok(Accepted::one(CombatEnded { outcome, rounds: combat.round, reason }))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        let Some(combat) = state.combat() else { return Vec::new() };
        let (standing, able) = (combat.standing().count(), state.able().count());
        let mut outcomes = variants(Self::NAME, "outcome");
        let mut drop = |outcome: Outcome| outcomes.retain(|name| json!(name) != json!(outcome));
        if standing > 0 {
            drop(Outcome::Victory);
        }
        if able > 0 {
            drop(Outcome::Defeat);
        }
        vec![Form::new().must("outcome", one_of(outcomes))]
    }

    fn canonical(_: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        vec![json!({"outcome": arguments.outcome})]
    }
}
