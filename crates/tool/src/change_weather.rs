//! `change_weather`: the weather changes.

use schemars::JsonSchema;
use serde::Deserialize;
use twicetold_event::{Seat, WeatherChanged};
use twicetold_world::State;

use crate::tool::{Accepted, Caller, Decision, Definition, Follow, narrating, text};

pub(crate) struct ChangeWeather;

/// Arguments of `change_weather`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The weather now, in a few words.
    text: String,
}

impl Definition for ChangeWeather {
    const NAME: &'static str = "change_weather";
    const DESCRIPTION: &'static str = "Change the weather.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn offered(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let text = text(state, "text", &arguments.text)?;
        Ok(Accepted::one(WeatherChanged { text }))
    }
}
