//! `help_up`: a player's character brings back somebody of the party who is down.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::{CharacterRecovered, Check, Seat};
use twicetold_world::{Character, State};

use crate::attack::{may_act, on_initiative};
use crate::menu::{Form, character_name, character_names, one_of};
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, character, own_character, player_in_play,
    standing,
};

pub(crate) struct HelpUp;

/// Arguments of `help_up`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    character: String,
}

impl Definition for HelpUp {
    const NAME: &'static str = "help_up";
    const DESCRIPTION: &'static str = "Bring back somebody of the party who is down at 0 hit points. In a fight it takes the place of your attack.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        player_in_play(state, seat)
    }

    fn possible(state: &State) -> bool {
        state.dialogue().is_none() && state.characters().values().any(is_down)
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let own = own_character(state, caller.seat)?;
        standing(own)?;
        let (_, helped) = character(state, &arguments.character)?;
        if !is_down(helped) {
            return Err(Rejection::new("not_down").with("character", &helped.sheet.name));
        }
        if state.combat().is_some() {
            on_initiative(state, &own.sheet.name, true)?;
        }
        let helper = own.sheet.name.clone();
        let recovered = CharacterRecovered {
            character: helped.sheet.name.clone(),
            now: i64::from(state.setup().rules.pack.down.hit_points.max(1)),
            reason: Check::new("helped_up").with("helper", &helper),
            helper,
        };
        Ok(Accepted::one(recovered))
    }

    fn legal(state: &State, seat: Seat) -> Vec<Form> {
        let Ok(own) = own_character(state, seat) else { return Vec::new() };
        if !own.stands() || !may_act(state, &own.sheet.name) {
            return Vec::new();
        }
        let down = character_names(state).filter(|(_, character)| is_down(character));
        vec![Form::new().must("character", one_of(down.map(|(_, character)| &character.sheet.name)))]
    }

    fn canonical(state: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        vec![json!({"character": character_name(state, &arguments.character)})]
    }
}

fn is_down(character: &Character) -> bool {
    character.hit_points <= 0 && character.lost.is_none()
}
