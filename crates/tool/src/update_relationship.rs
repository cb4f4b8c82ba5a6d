//! `update_relationship`: what a character feels towards the party changes.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::{Check, FeelingChanged, Seat, TrustChanged};
use twicetold_world::{Npc, State, fold};

use crate::menu::{Field, Form, at_least, at_most, call, number, one_of, sayable, texts};
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, clean, in_dialogue, open_dialogue, text,
    too_long,
};

/// Trust lies within −100 and 100, a feeling's strength within 0 and 100.
const STRONGEST: i64 = 100;
/// Turns that a feeling may be told to last: longer than any encounter.
const TURNS_MAX: i64 = 200;
/// The trait that every character has.
const TRUST: &str = "trust";
/// A feeling is a word or two.
const FEELING_BYTES_MAX: usize = 40;

pub(crate) struct UpdateRelationship;

/// Arguments of `update_relationship`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// trust, or a feeling in a word, for example anger.
    #[serde(rename = "trait")]
    trait_name: String,
    /// By how much it grows; negative: it lessens.
    change: i64,
    /// How many turns a feeling lasts; until it is changed when left out.
    duration: Option<i64>,
}

impl Definition for UpdateRelationship {
    const NAME: &'static str = "update_relationship";
    const DESCRIPTION: &'static str = "Note that this conversation changed what you feel towards the party: your trust (-100 to 100), or a feeling such as anger (0 to 100). Only at moments that matter.";
    const FOLLOW: Follow = Follow::Records;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        in_dialogue(state, seat)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let (_, npc) = open_dialogue(state)?;
        let name = fold(&text(state, "trait", &arguments.trait_name)?);
        let asked = arguments.change;
        if asked == 0 {
            return Err(Rejection::new("nothing_to_update").with("change", asked));
        }
        if name == TRUST {
            let now = npc.trust.saturating_add(asked).clamp(-STRONGEST, STRONGEST);
            let applied = now - npc.trust;
            return Ok(Accepted::one(TrustChanged { npc: npc.id.clone(), asked, applied, now })
                .checked(Check::new("trust_range").with("trust", npc.trust).with("most", STRONGEST)));
        }
        if name.len() > FEELING_BYTES_MAX {
            return Err(too_long("trait", &name, FEELING_BYTES_MAX));
        }
        let turns = match arguments.duration {
            None => None,
            Some(turns) if (1..=TURNS_MAX).contains(&turns) => Some(turns as u32),
            Some(turns) => {
                let rejection = Rejection::new("duration_out_of_range").with("turns", turns);
                return Err(rejection.with("most", TURNS_MAX));
            }
        };
        let before = npc.feelings.get(&name).map_or(0, |feeling| feeling.strength);
        if before == 0 && asked < 0 {
            let rejection = Rejection::new("feeling_not_there").with("name", &npc.name);
            return Err(rejection.quoting("feeling", &name, FEELING_BYTES_MAX));
        }
        let most = state.setup().limits.feelings_max as usize;
        if before == 0 && !may_feel_more(state, npc) {
            return Err(Rejection::new("feelings_max")
                .with("feelings", npc.feelings.len())
                .with("most", most));
        }
        let now = before.saturating_add(asked).clamp(0, STRONGEST);
        Ok(Accepted::one(FeelingChanged { npc: npc.id.clone(), feeling: name, asked, now, turns }))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        let Ok((_, npc)) = open_dialogue(state) else { return Vec::new() };
        let (more, less) = (|| at_least(1), || at_most(-1));
        let form = |name: Field, change: Field| Form::new().must("trait", name).must("change", change);
        let lasting = |form: Form| form.may("duration", number(1, TURNS_MAX));
        let is_found = |name: &str| {
            name != TRUST && name.len() <= FEELING_BYTES_MAX && sayable(state, name) && fold(name) == name
        };
        let felt: Vec<&str> = (npc.feelings.iter())
            .filter(|(name, feeling)| feeling.strength > 0 && is_found(name))
            .map(|(name, _)| name.as_str())
            .collect();
        let mut forms = vec![
            form(one_of([TRUST]), more()),
            form(one_of([TRUST]), less()),
            lasting(form(one_of(felt.iter().copied()), more())),
            lasting(form(one_of(felt), less())),
        ];
        if may_feel_more(state, npc) {
            forms.push(lasting(form(texts(FEELING_BYTES_MAX), more())));
        }
        forms
    }

    fn canonical(_: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        let name = fold(&clean(&arguments.trait_name));
        // Trust has no duration.
        let duration = arguments.duration.filter(|_| name != TRUST);
        vec![call(json!({"trait": name, "change": arguments.change, "duration": duration}))]
    }
}

/// Has somebody room for a feeling that is not there yet?
fn may_feel_more(state: &State, npc: &Npc) -> bool {
    npc.feelings.len() < state.setup().limits.feelings_max as usize
}
