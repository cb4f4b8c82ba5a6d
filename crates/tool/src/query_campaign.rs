//! `query_campaign`: the campaign's own material, as far as it has begun.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twicetold_event::{Answer, CampaignQueried, CampaignQuery, Seat};
use twicetold_world::setup::{ActSpec, EncounterSpec};
use twicetold_world::{State, fold};

use crate::dice::shorten;
use crate::menu::{Form, npc_ids, one_of, sayable};
use crate::query_session_memory::role;
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Rejection, clean, nearest, telling, text};

pub(crate) struct QueryCampaign;

#[derive(Clone, Copy, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Npc,
    Act,
    Encounter,
}

/// Arguments of `query_campaign`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[serde(rename = "type")]
    kind: Kind,
    /// Or name.
    id: String,
}

impl Definition for QueryCampaign {
    const NAME: &'static str = "query_campaign";
    const DESCRIPTION: &'static str = "Read what the campaign says of somebody, an act or an encounter.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
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

    fn legal(state: &State, seat: Seat) -> Vec<Form> {
        let form = |kind: Kind, ids: Vec<&str>| {
            let kind = json!(kind);
            let ids = ids.into_iter().filter(|id| sayable(state, id));
            Form::new().must("type", one_of(kind.as_str())).must("id", one_of(ids))
        };
        let people = npc_ids(state).map(|npc| npc.id.as_str()).filter(|id| is_met(state, seat, id));
        let acts = state.setup().campaign.acts.iter().filter(|act| has_begun(state, act));
        let acts = acts.map(|act| act.id.as_str());
        let acts = acts.filter(|id| act_named(state, id).is_some_and(|found| found.id == *id));
        let encounters = begun(state).iter().map(|spec| spec.id.as_str());
        let encounters =
            encounters.filter(|id| encounter_named(state, id).is_some_and(|found| found.id == *id));
        vec![
            form(Kind::Npc, people.collect()),
            form(Kind::Act, acts.collect()),
            form(Kind::Encounter, encounters.collect()),
        ]
    }

    fn canonical(state: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        let named = clean(&arguments.id);
        let found = match arguments.kind {
            Kind::Npc => state.npcs().named(&named).map(|npc| npc.id.clone()),
            Kind::Act => act_named(state, &named).map(|act| act.id.clone()),
            Kind::Encounter => encounter_named(state, &named).map(|spec| spec.id.clone()),
        };
        vec![json!({"type": arguments.kind, "id": found.unwrap_or(named)})]
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
    let met = |id: &str| is_met(state, seat, id);
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
    if let Some(spec) = encounter_named(state, id) {
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
    let Some(act) = act_named(state, id) else {
        let acts = state.setup().campaign.acts.iter();
        return Err(unknown(id, acts.filter(|act| has_begun(state, act)).map(|act| act.id.as_str())));
    };
    if !has_begun(state, act) {
        return Err(spoiler(id));
    }
    Ok(Answer::new("act").with("title", &act.title).with("summary", within(state, &act.summary)))
}

/// Does a seat know somebody? The DM knows everybody.
fn is_met(state: &State, seat: Seat, id: &str) -> bool {
    seat == Seat::Dm || state.facts().npcs.contains_key(id)
}

/// An encounter that has begun, by id or title.
fn encounter_named<'a>(state: &'a State, named: &str) -> Option<&'a EncounterSpec> {
    let wanted = fold(named);
    begun(state).iter().find(|spec| fold(&spec.id) == wanted || fold(&spec.title) == wanted)
}

/// An act, begun or not, by id or title.
fn act_named<'a>(state: &'a State, named: &str) -> Option<&'a ActSpec> {
    let wanted = fold(named);
    let mut acts = state.setup().campaign.acts.iter();
    acts.find(|act| fold(&act.id) == wanted || fold(&act.title) == wanted)
}

fn has_begun(state: &State, act: &ActSpec) -> bool {
    begun(state).iter().any(|spec| act.encounters.contains(&spec.id))
}
