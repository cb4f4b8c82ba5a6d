//! What the engine says and does for a DM that is guided, so that nobody need be asked for it: the opening of an encounter, an ending
//! that was chosen without usable words, a talk that a player has asked for, and whose turn it is in Session Zero.

use twicetold_event::{
    Audience, Channel, ClosedBy, MessageSpoken, Missing, Phase, Seat, Text, TurnEnd, Values,
};
use twicetold_projection::{missing, written};
use twicetold_tool::{Caller, Move, wished_talk};

use super::session_zero;
use crate::question::lacks_artefacts_alone;
use crate::table::Table;

/// Does it; how the DM's turn ends by that, if that was all there is to it.
pub(super) fn acts(table: &mut Table<'_>) -> Option<TurnEnd> {
    if table.state().phase() != Phase::Play {
        return asks(table).then_some(TurnEnd::Spoken);
    }
    if open(table) { Some(TurnEnd::Spoken) } else { talk(table).then_some(TurnEnd::Tool) }
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
    say(table, Seat::Dm, opening);
    true
}

/// The talk that the player who acted last has asked for; true when it began.
fn talk(table: &mut Table<'_>) -> bool {
    let Some(arguments) = wished_talk(table.state()) else { return false };
    let (state, seat) = (table.state(), Seat::Dm);
    let mut tools = table.tools().iter().filter(|tool| tool.tool.is_offered(state, seat));
    let Some(tool) = tools.find(|tool| tool.tool.name == "start_dialogue") else { return false };
    let caller = Caller { seat, call: state.calls().next };
    let Ok(accepted) = tool.tool.decide(state, caller, &arguments.to_string()) else { return false };
    accepted.events.into_iter().for_each(|event| table.emit(event));
    true
}

/// Tells the ending of a goal as it is written, or as the goal is called; what was told.
pub(super) fn end(table: &mut Table<'_>, seat: Seat, one: &Move) -> String {
    let goals = table.state().encounter_spec().map_or(&[][..], |spec| &spec.goals);
    let goal = goals.iter().find(|goal| one.arguments.get("outcomeId").is_some_and(|id| *id == goal.id));
    let written = goal.map(|goal| goal.ending.trim()).filter(|ending| !ending.is_empty());
    let told = written.or(one.values.get("label")).unwrap_or_default().to_owned();
    say(table, seat, told.clone());
    told
}

/// A message that is a text of the charter.
pub(super) fn tell(table: &mut Table<'_>, seat: Seat, key: &str, values: &Values) {
    let text = written(table.state(), key, values).trim().to_owned();
    say(table, seat, text);
}

fn say(table: &mut Table<'_>, seat: Seat, text: String) {
    if text.is_empty() {
        return;
    }
    let channel = if table.state().phase() == Phase::Play { Channel::Main } else { Channel::SessionZero };
    table.emit(MessageSpoken { seat, channel, audience: Audience::All, text: Text::Written(text) });
}
