//! What the engine says and does for a DM that is guided, so that nobody need be asked for it: the opening of an encounter, what comes of a
//! check, the answers of somebody who is talked with, the one ending that is left, a talk that a player has asked for, and whose
//! turn it is in Session Zero. What an author has written is told as they wrote it: a small model tells it worse, and contradicts it.

use serde_json::{Value, json};
use twicetold_event::{ClosedBy, Event, MessageSpoken, Missing, Phase, Seat, Text, TurnEnd, Values};
use twicetold_projection::{missing, written};
use twicetold_tool::{Caller, Move, moves, next_scene, next_talk, scenes};
use twicetold_world::State;

use super::{session_zero, speech};
use crate::question::{Question, lacks_artefacts_alone, question};
use crate::table::Table;

/// Does it; how the DM's turn ends by that, if that was all there is to it.
pub(super) fn acts(table: &mut Table<'_>) -> Option<TurnEnd> {
    if table.state().phase() != Phase::Play {
        return asks(table).then_some(TurnEnd::Spoken);
    }
    if open(table) {
        return Some(TurnEnd::Spoken);
    }
    if let Some(end) = answer(table) {
        return Some(end);
    }
    let mut told = outcomes(table);
    if talk(table) || end(table) {
        return Some(TurnEnd::Tool);
    }
    told = told || scene(table);
    if matches!(question(table.state(), Seat::Dm), Question::Choose(_)) {
        return None;
    }
    (told || surroundings(table)).then_some(TurnEnd::Spoken)
}

/// Asks for what is missing in Session Zero. A phase is over when nothing is missing any more.
fn asks(table: &mut Table<'_>) -> bool {
    let phase = table.state().phase();
    if phase == Phase::Lock && lacks_artefacts_alone(table.state()) {
        return false;
    }
    ask_next(table);
    if missing(table.state()).is_empty() {
        session_zero::close(table, ClosedBy::NothingMissing);
        // The next phase begins in the same turn; for the last one the DM has something to write.
        match table.state().phase() {
            Phase::Converge => ask_next(table),
            _ => return !lacks_artefacts_alone(table.state()),
        }
    }
    true
}

/// Asks the next player from whom something is missing.
fn ask_next(table: &mut Table<'_>) {
    let phase = table.state().phase();
    let missing = missing(table.state());
    let first = missing.iter().find_map(|what| match what {
        Missing::Silent(seat) | Missing::Character(seat) => Some(*seat),
        Missing::Scenario | Missing::PartyDocument => None,
    });
    let scenario = table.state().setup().campaign.scenario.public.trim();
    let opens = phase == Phase::Pitch && table.state().table().spoken.is_empty();
    let values = Values::default().with("scenario", if opens { scenario } else { "" });
    let name = first.map(|seat| table.state().seat_name(seat)).unwrap_or_default();
    let names = table.state().characters().values().map(|character| character.sheet.name.as_str());
    let values = values.with("name", name).with("names", names.collect::<Vec<_>>().join(", "));
    tell(table, Seat::Dm, &format!("guided.{}_asked", phase.name()), &values);
}

/// The opening of an encounter as it is written; true when there was one to tell.
fn open(table: &mut Table<'_>) -> bool {
    let begins = table.state().encounter().is_some_and(|encounter| encounter.narrations == 0);
    let opening = table.state().encounter_spec().map(|spec| spec.opening.trim().to_owned());
    let Some(opening) = opening.filter(|opening| begins && !opening.is_empty()) else { return false };
    // Players are offered what they have been shown.
    let first = scenes(table.state()).next().map(sentence);
    say(table, Seat::Dm, [Some(opening), first].into_iter().flatten().collect::<Vec<_>>().join("\n\n"))
}

/// What somebody who is talked with says, as it is written. How the turn ends, when there was something to say. How a talk that ends so was
/// taken, the model says first.
fn answer(table: &mut Table<'_>) -> Option<TurnEnd> {
    let exchange = table.state().exchange()?;
    if matches!(question(table.state(), Seat::Dm), Question::Choose(_)) {
        return None;
    }
    let (said, is_last) = (exchange.said.join(" ").trim().to_owned(), exchange.is_last);
    if !say(table, Seat::Dm, said) {
        return None;
    }
    let is_over = is_last && does(table, "end_dialogue", &json!({}));
    Some(if is_over { TurnEnd::Tool } else { TurnEnd::Spoken })
}

/// What came of the checks since the DM's last turn, as it is written, and what is there to be seen before the next step; true when there
/// was something to tell.
fn outcomes(table: &mut Table<'_>) -> bool {
    let state = table.state();
    let (Some(encounter), Some(spec), None, None) =
        (state.encounter(), state.encounter_spec(), state.dialogue(), state.combat())
    else {
        return false;
    };
    let is_new = |text: &&str| !text.is_empty() && !was_told(state, text);
    let mut told: Vec<String> = Vec::new();
    for (_, check) in &encounter.recent_checks {
        let Some(known) = spec.checks.iter().find(|known| known.name == check.check) else { continue };
        let is_next = |text: &&str| is_new(text) && !told.contains(&sentence(text));
        let again = (!check.success).then_some(known.twice.trim());
        let came = known.came_of(check.success).into_iter().chain(again).find(is_next).map(sentence);
        let scene = next_scene(state, &check.check).filter(|_| check.success);
        let scene = scene.filter(is_next).map(sentence);
        told.extend(came.into_iter().chain(scene));
    }
    // After a failure there is another way to be seen.
    let failed = |scene: &&str| {
        let own = spec.checks.iter().find(|check| check.scene.trim() == *scene);
        let mut recent = encounter.recent_checks.iter().filter(|(_, check)| !check.success);
        recent.any(|(_, check)| own.is_some_and(|own| own.name == check.check))
    };
    if encounter.recent_checks.iter().any(|(_, check)| !check.success) {
        told.extend(scenes(state).find(|scene| !was_told(state, scene) && !failed(scene)).map(sentence));
    }
    say(table, Seat::Dm, told.join(" "))
}

/// Something that the players can try and have not been shown, as it is written; true when there was something to show.
fn scene(table: &mut Table<'_>) -> bool {
    let state = table.state();
    let is_calm = state.dialogue().is_none() && state.combat().is_none();
    let shown = scenes(state).find(|scene| is_calm && !was_told(state, scene)).map(sentence);
    say(table, Seat::Dm, shown.unwrap_or_default())
}

/// What is written for this seat to say now: for a player how to try what was chosen, what to ask whoever is talked with, and how a ready
/// character knows the others; for the DM what somebody answers, and what goes on around the players. How the turn ends, when there was
/// something to say.
pub(super) fn says(table: &mut Table<'_>, seat: Seat) -> Option<TurnEnd> {
    if seat == Seat::Dm {
        return answer(table).or_else(|| surroundings(table).then_some(TurnEnd::Spoken));
    }
    let line = line(table.state(), seat).map(|line| line.trim().to_owned());
    say(table, seat, line.unwrap_or_default()).then_some(TurnEnd::Spoken)
}

fn line(state: &State, seat: Seat) -> Option<&str> {
    match (state.phase(), state.dialogue()) {
        (Phase::Converge, _) => {
            let name = &state.characters().get(&seat)?.sheet.name;
            let ready = &state.setup().rules.pregenerated;
            ready.iter().find(|ready| ready.name == *name).map(|ready| ready.ties.as_str())
        }
        (Phase::Play, Some(_)) => state.exchange().map(|exchange| exchange.asked),
        (Phase::Play, None) => {
            let choice = state.turn().choice.as_ref().filter(|choice| choice.tool == "ability_check")?;
            let check = state.encounter_spec()?.checks.iter().find(|check| check.name == choice.key)?;
            // Another way each turn, and first one that nobody has gone.
            let turn = state.turn().number as usize / 2 % check.tries.len().max(1);
            let mut turned = check.tries[turn..].iter().chain(&check.tries[..turn]);
            turned.find(|way| !is_in_window(state, way.trim())).map(String::as_str)
        }
        _ => None,
    }
}

/// Something small that goes on around the players and has not been told, as it is written; true when there was something left.
fn surroundings(table: &mut Table<'_>) -> bool {
    let state = table.state();
    let is_calm = state.dialogue().is_none() && state.combat().is_none();
    let mut ambient =
        state.encounter_spec().filter(|_| is_calm).into_iter().flat_map(|spec| &spec.setting.ambient);
    let next = ambient.find(|text| !was_told(state, text.trim())).map(|text| sentence(text.trim()));
    say(table, Seat::Dm, next.unwrap_or_default())
}

/// Has the DM told it already?
fn was_told(state: &State, text: &str) -> bool {
    is_in_window(state, &sentence(text))
}

/// Was it said to everybody, as it is written?
fn is_in_window(state: &State, text: &str) -> bool {
    state.history().main.iter().any(|kept| match &kept.event {
        Event::MessageSpoken(MessageSpoken { text: Text::Written(said), .. }) => said.contains(text),
        _ => false,
    })
}

/// What an author wrote as part of a note, as a sentence of its own.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    let mut sentence: String = first.chain(chars).collect();
    if !sentence.ends_with(['.', '!', '?', '…', '"', '”', '\'', '’']) {
        sentence.push('.');
    }
    sentence
}

/// The talk that the player who acted last has asked for or won; true when it began.
fn talk(table: &mut Table<'_>) -> bool {
    let Some(arguments) = next_talk(table.state()) else { return false };
    does(table, "start_dialogue", &arguments)
}

/// The ending that is written, where it is all that can come now: a failure that has struck, the one goal that has been reached.
fn end(table: &mut Table<'_>) -> bool {
    let [one] = moves(table.state(), Seat::Dm).try_into().unwrap_or_else(|_| [Move::saying("", "")]);
    if one.is_asked_for() || one.written.is_empty() {
        return false;
    }
    say(table, Seat::Dm, one.written.clone());
    does(table, one.tool, &Value::Object(one.arguments))
}

/// Makes a tool call for the DM; true when it was accepted.
fn does(table: &mut Table<'_>, name: &str, arguments: &Value) -> bool {
    let (state, seat) = (table.state(), Seat::Dm);
    let mut tools = table.tools().iter().filter(|tool| tool.tool.is_offered(state, seat));
    let Some(tool) = tools.find(|tool| tool.tool.name == name) else { return false };
    let caller = Caller { seat, call: state.calls().next };
    let Ok(accepted) = tool.tool.decide(state, caller, &arguments.to_string()) else { return false };
    accepted.events.into_iter().for_each(|event| table.emit(event));
    true
}

/// A message that is a text of the charter.
pub(super) fn tell(table: &mut Table<'_>, seat: Seat, key: &str, values: &Values) {
    let text = written(table.state(), key, values).trim().to_owned();
    say(table, seat, text);
}

/// Says it where words are spoken now; true when there was something to say.
pub(super) fn say(table: &mut Table<'_>, seat: Seat, text: String) -> bool {
    if text.is_empty() {
        return false;
    }
    let (channel, audience) = speech::channel(table);
    table.emit(MessageSpoken { seat, channel, audience, text: Text::Written(text) });
    true
}
