//! `query_campaign`: the campaign's own material, as far as it has begun.

use schemars::JsonSchema;
use serde::Deserialize;
use twicetold_event::{Answer, CampaignQueried, CampaignQuery, Seat};
use twicetold_world::setup::EncounterSpec;
use twicetold_world::{State, fold};

use crate::dice::shorten;
use crate::query_session_memory::role;
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Rejection, nearest, telling, text};

pub(crate) struct QueryCampaign;

/// What is asked for.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// A person.
    Npc,
    /// An act.
    Act,
    /// An encounter.
    Encounter,
}

/// Arguments of `query_campaign`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// What you ask for.
    #[serde(rename = "type")]
    kind: Kind,
    /// Its id or name.
    id: String,
}

impl Definition for QueryCampaign {
    const NAME: &'static str = "query_campaign";
    const DESCRIPTION: &'static str = "Read the campaign's own material about a person, an act or an encounter that has begun. What lies ahead is not shown.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn offered(state: &State, seat: Seat) -> bool {
        telling(state, seat)
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let id = text(state, "id", &arguments.id)?;
        let (query, answer) = match arguments.kind {
            Kind::Npc => (CampaignQuery::Npc, person(state, caller.seat, &id)?),
            Kind::Act => (CampaignQuery::Act, act(state, &id)?),
            Kind::Encounter => (CampaignQuery::Encounter, encounter(state, &id)?),
        };
        Ok(Accepted::one(CampaignQueried { seat: caller.seat, query, id, answer: vec![answer] }))
    }
}

/// Encounters that have begun, the one being played among them.
fn begun(state: &State) -> &[EncounterSpec] {
    let count = state.encounters_over().len() + usize::from(state.encounter().is_some());
    let encounters = &state.setup().encounters;
    &encounters[..count.min(encounters.len())]
}

/// As much of a text as an answer may hold.
fn within<'a>(state: &State, text: &'a str) -> &'a str {
    shorten(text, state.setup().limits.argument_bytes_max as usize)
}

fn spoiler(id: &str) -> Rejection {
    Rejection::new("spoiler").quoting("id", id, 60)
}

fn unknown<'a>(id: &str, known: impl Iterator<Item = &'a str>) -> Rejection {
    Rejection::new("unknown_id").quoting("id", id, 60).with("known", nearest(id, known, 8).join(", "))
}

fn person(state: &State, seat: Seat, id: &str) -> Result<Answer, Rejection> {
    let met = |id: &str| seat == Seat::Dm || state.facts().npcs.contains_key(id);
    if let Some(npc) = state.npcs().named(id) {
        if !met(&npc.id) {
            return Err(Rejection::new("not_met").quoting("id", id, 60));
        }
        let answer = role(Answer::new("npc").with("name", &npc.name), npc);
        let answer = answer.with("place", &npc.location).with("status", npc.status.name());
        if seat != Seat::Dm {
            return Ok(answer);
        }
        return Ok(answer.with("persona", within(state, &npc.persona)).with("trust", npc.trust));
    }
    let wanted = fold(id);
    let ahead = state.setup().encounters.iter().flat_map(|spec| &spec.npcs).any(|npc| {
        npc.id == wanted.replace(' ', "-") || npc.name.as_deref().is_some_and(|name| fold(name) == wanted)
    });
    if ahead {
        return Err(spoiler(id));
    }
    let known = state.npcs().all().filter(|npc| met(&npc.id)).map(|npc| npc.id.as_str());
    Err(unknown(id, known))
}

fn encounter(state: &State, id: &str) -> Result<Answer, Rejection> {
    let wanted = fold(id);
    let is = |spec: &&EncounterSpec| fold(&spec.id) == wanted || fold(&spec.title) == wanted;
    if let Some(spec) = begun(state).iter().find(is) {
        let over = state.encounters_over().iter().find(|over| over.id == spec.id);
        let played = state.encounter_spec().filter(|played| played.id == spec.id);
        let objective = played.map_or("", |played| &played.objective);
        let answer = Answer::new("encounter").with("title", &spec.title).with("objective", objective);
        return Ok(match over.map(|over| (&over.outcome, within(state, &over.summary))) {
            Some((Some((_, label)), summary)) => answer.with("outcome", label).with("summary", summary),
            Some((None, summary)) => answer.with("unresolved", true).with("summary", summary),
            None => answer.with("played", true),
        });
    }
    if state.setup().encounters.iter().any(|spec| is(&spec)) {
        return Err(spoiler(id));
    }
    Err(unknown(id, begun(state).iter().map(|spec| spec.id.as_str())))
}

fn act(state: &State, id: &str) -> Result<Answer, Rejection> {
    let wanted = fold(id);
    let acts = &state.setup().campaign.acts;
    let has_begun = |encounters: &[String]| begun(state).iter().any(|spec| encounters.contains(&spec.id));
    let Some(act) = acts.iter().find(|act| fold(&act.id) == wanted || fold(&act.title) == wanted) else {
        let known = acts.iter().filter(|act| has_begun(&act.encounters)).map(|act| act.id.as_str());
        return Err(unknown(id, known));
    };
    if !has_begun(&act.encounters) {
        return Err(spoiler(id));
    }
    Ok(Answer::new("act").with("title", &act.title).with("summary", within(state, &act.summary)))
}
