//! `update_scene`: where and when the party is, what it wants, and the DM's notes.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::*;
use twicetold_world::{State, fold};

use crate::changes::Changes;
use crate::menu::{Form, call, one_of, remark, words};
use crate::tool::{Caller, Decision, Definition, Follow, Rejection, clean, narrating, text, too_long};

pub(crate) struct UpdateScene;

/// Arguments of `update_scene`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    location: Option<String>,
    time_of_day: Option<String>,
    /// One sentence.
    scene: Option<String>,
    /// What the party wants now.
    objective: Option<String>,
    /// Its name.
    note: Option<String>,
    note_value: Option<String>,
    /// The name of one to strike out.
    note_delete: Option<String>,
}

impl Definition for UpdateScene {
    const NAME: &'static str = "update_scene";
    const DESCRIPTION: &'static str = "Record what changed of the scene, or a note for yourself.";
    const FOLLOW: Follow = Follow::Records;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let mut changes = Changes::new(state);
        changes.text("location", arguments.location, |text| LocationChanged { text })?;
        changes.text("time_of_day", arguments.time_of_day, |text| TimeOfDayChanged { text })?;
        changes.text("scene", arguments.scene, |text| SceneChanged { text })?;
        changes.text("objective", arguments.objective, |text| ObjectiveSet { text })?;
        if arguments.note.is_some() || arguments.note_value.is_some() {
            let flag = fold(&text(state, "note", &arguments.note.unwrap_or_default())?);
            let value = clean(&arguments.note_value.unwrap_or_default());
            let most = state.setup().limits.argument_bytes_max as usize;
            if value.len() > most {
                return Err(too_long("note_value", &value, most));
            }
            changes.push(FlagSet { flag, value });
        }
        if let Some(note) = arguments.note_delete {
            let flag = fold(&note);
            if !state.facts().flags.contains_key(&flag) {
                return Err(Rejection::new("flag_not_there").quoting("flag", &flag, 60));
            }
            changes.push(FlagDeleted { flag });
        }
        changes.done()
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        let said = |field: &str| Form::new().must(field, words(state));
        let mut forms: Vec<Form> =
            ["location", "time_of_day", "scene", "objective"].into_iter().map(said).collect();
        forms.push(said("note").may("note_value", remark(state)));
        let notes = state.facts().flags.keys().filter(|note| fold(note) == **note);
        forms.push(Form::new().must("note_delete", one_of(notes)));
        forms
    }

    fn canonical(_: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        let said = [
            ("location", arguments.location),
            ("time_of_day", arguments.time_of_day),
            ("scene", arguments.scene),
            ("objective", arguments.objective),
        ];
        let said = said.into_iter().filter_map(|(field, text)| Some(json!({field: clean(&text?)})));
        let mut calls: Vec<Value> = said.collect();
        let value = arguments.note_value.map(|value| clean(&value));
        let note = arguments.note.map(|note| clean(&note));
        if note.is_some() || value.is_some() {
            calls.push(call(json!({"note": note, "note_value": value})));
        }
        calls.extend(arguments.note_delete.map(|note| json!({"note_delete": fold(&note)})));
        calls
    }
}
