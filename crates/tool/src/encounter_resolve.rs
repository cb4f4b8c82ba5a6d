//! `encounter_resolve`: the encounter ends by one of its goals.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::{Check, EncounterResolved, Seat};
use twicetold_world::{Encounter, Goal, State, Turn, fold, letters};

use crate::evidence::{because, cited, citing, labels};
use crate::goal_register::REGISTERED;
use crate::menu::{Form, call, one_of, words};
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, clean, is_asked_once, narrating, text,
};

pub(crate) struct EncounterResolve;

/// Arguments of `encounter_resolve`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case, reason = "the arguments' names are part of the tool's contract")]
pub(crate) struct Arguments {
    encounterId: String,
    /// The goal's id.
    outcomeId: String,
    /// How it came about and what it cost, in two to four sentences.
    summary: String,
    /// Numbers (#) of the lines that show it.
    #[serde(default, deserialize_with = "labels")]
    because: Vec<u32>,
}

impl Definition for EncounterResolve {
    const NAME: &'static str = "encounter_resolve";
    const DESCRIPTION: &'static str = "End the encounter by a goal that has been reached in the story. Narrate the ending in the same reply.";
    const FOLLOW: Follow = Follow::Ends;
    const TELLS: bool = true;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn possible(state: &State) -> bool {
        state.encounter().is_some() && state.combat().is_none()
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let wanted = arguments.encounterId.trim();
        let Some(encounter) = state.encounter() else {
            let over = state.encounters_over().iter().any(|end| end.id == wanted);
            return Err(Rejection::new("no_encounter").with("over", if over { wanted } else { "" }));
        };
        let title = state.encounter_spec().map_or("", |spec| &spec.title);
        if !is_meant_by(encounter, wanted) && fold(title) != fold(wanted) {
            let rejection = Rejection::new("unknown_encounter").quoting("id", wanted, 80);
            return Err(rejection.with("encounter", &encounter.id));
        }
        let goals = state.goals();
        let outcome = arguments.outcomeId.trim();
        let Some(goal) = goals.iter().find(|goal| is_meant(goal, outcome)) else {
            let known: Vec<&str> = goals.iter().map(|goal| goal.id.as_str()).collect();
            let rejection = Rejection::new("unknown_outcome").quoting("id", outcome, 80);
            return Err(rejection.with("known", known.join(", ")));
        };
        if let Some(struck) = encounter.struck.as_ref().filter(|struck| struck.goal != goal.id) {
            return Err(Rejection::new("failure_struck").with("goal", &struck.goal));
        }
        let acts = acts(encounter);
        if acts == 0 {
            return Err(Rejection::new("nobody_has_acted"));
        }
        let open = open_needs(state, encounter, &goal.id);
        if !open.is_empty() {
            return Err(Rejection::new("needs_open").with("goal", &goal.id).with("open", open.join("; ")));
        }
        let summary = text(state, "summary", &arguments.summary)?;
        let evidence = cited(state, encounter, &arguments.because)?;
        let resolved = EncounterResolved {
            encounter: encounter.id.clone(),
            outcome: goal.id.clone(),
            summary,
            messages: encounter.messages,
            call: caller.call,
        };
        let events = vec![evidence.into(), resolved.into()];
        Ok(Accepted { events, ..Accepted::default() }
            .checked(Check::new("outcome_is_goal").with("goal", &goal.id).with("encounter", &encounter.id))
            .checked(Check::new("nobody_has_acted").with("messages", acts)))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        let Some(encounter) = state.encounter().filter(|encounter| acts(encounter) > 0) else {
            return Vec::new();
        };
        let struck = encounter.struck.as_ref().map(|struck| struck.goal.as_str());
        let goals = state.goals().into_iter().map(|goal| goal.id);
        let goals = goals.filter(|goal| struck.is_none_or(|struck| struck == goal));
        let goals = goals.filter(|goal| open_needs(state, encounter, goal).is_empty());
        let form = Form::new().must("encounterId", one_of([&encounter.id]));
        let form = form.must("outcomeId", one_of(goals)).must("summary", words(state));
        vec![citing(state, encounter, form)]
    }

    fn canonical(state: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        let outcome = arguments.outcomeId.trim();
        let goal = state.goals().into_iter().find(|goal| is_meant(goal, outcome));
        let outcome = goal.map_or_else(|| outcome.to_owned(), |goal| goal.id);
        let encounter = arguments.encounterId.trim();
        let title = state.encounter_spec().map_or("", |spec| &spec.title);
        let is_meant = |known: &Encounter| is_meant_by(known, encounter) || fold(title) == fold(encounter);
        let named = state.encounter().filter(|known| is_meant(known));
        let encounter = named.map_or(encounter, |named| &named.id);
        let summary = clean(&arguments.summary);
        let because = because(state, &arguments.because);
        vec![call(
            json!({"encounterId": encounter, "outcomeId": outcome, "summary": summary, "because": because}),
        )]
    }
}

/// Is the encounter meant? There is only one that can be: its id with other marks, or behind that of the campaign, or none at all.
fn is_meant_by(encounter: &Encounter, wanted: &str) -> bool {
    wanted.is_empty() || letters(wanted).contains(&letters(&encounter.id))
}

/// Is it this goal? Small models write what has been reached instead of its id.
fn is_meant(goal: &Goal, outcome: &str) -> bool {
    let bare = |text: &str| fold(text.trim_end_matches('.'));
    let is_id =
        |id: &str| letters(id) == letters(outcome) || format!("goal{}", letters(id)) == letters(outcome);
    // Whoever has registered a goal may go on calling it as they did then.
    is_id(&goal.id)
        || goal.id.strip_prefix(REGISTERED).is_some_and(is_id)
        || bare(&goal.label) == bare(outcome)
}

/// The checks that lead to a goal and have not passed, as long as the DM is to be asked whether the story reached it all the same: where
/// the last of them has passed, it did.
fn open_needs<'a>(state: &'a State, encounter: &Encounter, goal: &str) -> Vec<&'a str> {
    let is_asked =
        encounter.struck.is_none() && is_asked_once(state, Seat::Dm, &Turn::warning("needs_open", goal));
    let spec = state.encounter_spec().and_then(|spec| spec.goals.iter().find(|spec| spec.id == goal));
    let needs = spec.filter(|_| is_asked).map_or(&[][..], |spec| &spec.needs);
    let open = needs.iter().filter(|check| !encounter.achieved.contains_key(*check));
    let open: Vec<&str> = open.map(String::as_str).collect();
    let is_last_open = open.last().zip(needs.last()).is_some_and(|(open, last)| open == last);
    if is_last_open { open } else { Vec::new() }
}

/// Messages of the players since the encounter began.
fn acts(encounter: &Encounter) -> u32 {
    encounter.messages.saturating_sub(encounter.narrations)
}
