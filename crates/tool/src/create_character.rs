//! `create_character`: somebody new whom the party may come to know well.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twicetold_event::{Archetype, CharacterCreated, Seat};
use twicetold_world::State;

use crate::dice::pick;
use crate::menu::{Form, bare, call, given, one_of, texts, variants, words};
use crate::stream;
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, NPC_NAME_BYTES_MAX, Rejection, narrating, new_npc,
    room_for_npc, text,
};

pub(crate) struct CreateCharacter;

#[derive(Clone, Copy, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Companion,
    Townsperson,
    Foe,
    LoveInterest,
}

/// Arguments of `create_character`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    archetype: Kind,
    /// Here, when left out.
    location: Option<String>,
    /// Drawn when left out.
    name_hint: Option<String>,
}

impl Definition for CreateCharacter {
    const NAME: &'static str = "create_character";
    const DESCRIPTION: &'static str = "Bring in a newcomer whom the party can talk to, trust and trade with.";
    const FOLLOW: Follow = Follow::Ends;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn possible(state: &State) -> bool {
        state.encounter().is_some() && state.combat().is_none()
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let name = match bare(arguments.name_hint.as_deref()) {
            Some(name) => text(state, "name_hint", name)?,
            None => drawn(state)?,
        };
        let (npc, check) = new_npc(state, &name)?;
        if let Some(known) = state.npcs().named(&name) {
            return Err(Rejection::new("npc_exists").with("name", &known.name).with("id", &known.id));
        }
        let location = match bare(arguments.location.as_deref()) {
            Some(location) => text(state, "location", location)?,
            None => state.facts().location.as_ref().map(|(_, text)| text.clone()).unwrap_or_default(),
        };
        let archetype = match arguments.archetype {
            Kind::Companion => Archetype::Companion,
            Kind::Townsperson => Archetype::Townsperson,
            Kind::Foe => Archetype::Foe,
            Kind::LoveInterest => Archetype::LoveInterest,
        };
        let trust = archetype.first_trust();
        Ok(Accepted::one(CharacterCreated { npc, name, archetype, location, trust }).checked(check))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        if room_for_npc(state).is_err() {
            return Vec::new();
        }
        let form = Form::new()
            .must("archetype", one_of(variants(Self::NAME, "archetype")))
            .may("location", words(state));
        let name = texts(NPC_NAME_BYTES_MAX);
        vec![if drawn(state).is_ok() { form.may("name_hint", name) } else { form.must("name_hint", name) }]
    }

    fn canonical(_: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        let (location, name) = (given(arguments.location.as_deref()), given(arguments.name_hint.as_deref()));
        vec![call(json!({"archetype": arguments.archetype, "location": location, "name_hint": name}))]
    }
}

/// A name that nobody bears yet, drawn from the vocabulary's lists of names.
fn drawn(state: &State) -> Result<String, Rejection> {
    let lists = state.setup().vocabulary.iter().filter(|(list, _)| list.starts_with("names."));
    let names: Vec<&String> = lists.flat_map(|(_, names)| names).collect();
    let free: Vec<&String> = names.into_iter().filter(|name| state.npcs().named(name).is_none()).collect();
    let counter = state.npcs().count() as u32;
    let place = pick(state.setup(), &stream::name(), counter, free.len());
    free.get(place).map(|name| (*name).clone()).ok_or_else(|| Rejection::new("no_name_left"))
}
