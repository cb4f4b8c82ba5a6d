//! `evolve`: the only function that changes a [`State`]. Total and infallible: events are facts.
//!
//! One file per family of events. Each answers for every event of its family, and says which history keeps it for prompts.

mod calls;
mod characters;
mod combat;
mod dialogue;
mod encounter;
mod facts;
mod party;
mod people;
mod session_zero;
mod speech;
mod table;
mod tools;

pub(crate) use calls::{kind as bill, receive};

use twicetold_event::family::Family;
use twicetold_event::{CallId, Channel, Event, Millis, Number, Phase, Seat};

use super::{Npc, Origin, Remembered, State};

/// Where an event is remembered, so that prompts may show it.
enum Keep {
    /// Nowhere: prompts never show it as something that happened.
    Nowhere,
    /// In the history that is being written: the dialogue's while one is held, else the main one.
    Here,
    /// In the main history, also while a dialogue is held.
    Main,
    /// As `Here`, as a tool call with the seat's counter.
    Call(u32),
}

/// Applies one event that happened at `number` in an entry at time `at`.
pub fn evolve(state: &mut State, number: Number, at: Millis, event: &Event) {
    let origin = Origin(number);
    state.at = at;
    let keep = match event.family() {
        Family::Table(event) => table::evolve(state, origin, event),
        Family::Calls(event) => calls::evolve(state, origin, event),
        Family::Speech(event) => speech::evolve(state, origin, event),
        Family::Dialogue(word) => dialogue::evolve(state, origin, word, event),
        Family::SessionZero(event) => session_zero::evolve(state, origin, event),
        Family::Tools(event) => tools::evolve(state, origin, event),
        Family::Encounter(event) => encounter::evolve(state, origin, event),
        Family::Facts(event) => facts::evolve(state, origin, event),
        Family::Characters(event) => characters::evolve(state, origin, event),
        Family::People(event) => people::evolve(state, origin, event),
        Family::Combat(event) => combat::evolve(state, origin, event),
        Family::Party(event) => party::evolve(state, origin, event),
        // Another program wrote of it: no rule applies, and nothing of it is anybody's state.
        Family::Foreign(_) => Keep::Nowhere,
        // A full stop for an executor; a reader passes it over.
        Family::Unknown(_) => Keep::Nowhere,
    };
    match keep {
        Keep::Nowhere => {}
        Keep::Here => remember(state, origin, event, 0),
        Keep::Main => remember_in_main(state, origin, event, 0),
        Keep::Call(id) => remember(state, origin, event, id),
    }
}

fn remember(state: &mut State, origin: Origin, event: &Event, tool_id: u32) {
    let Some(npc) = dialogue_partner(state) else { return remember_in_main(state, origin, event, tool_id) };
    let remembered = remembered(state, origin, event, npc.history.messages, tool_id);
    let most = state.setup.limits.dialogue_history_events_max as usize;
    if let Some(npc) = open_dialogue(state) {
        npc.history.remember(remembered, most);
    }
}

fn remember_in_main(state: &mut State, origin: Origin, event: &Event, tool_id: u32) {
    // The reply in which it happened was the last to be asked for.
    let call = CallId(state.calls.next.0.saturating_sub(1));
    let is_player = matches!(state.turn.seat, Some(Seat::Player(_)));
    if let Some(encounter) = state.encounter.as_mut().filter(|_| is_citable(event, is_player)) {
        encounter.evidence.push((origin, call));
    }
    let remembered = remembered(state, origin, event, state.history.messages.saturating_sub(1), tool_id);
    let session_zero = state.table.phase != Phase::Play;
    state.history.remember(remembered, session_zero);
}

/// Does it show what players did? Words, dice and things of theirs do, and what is kept of a conversation.
pub fn is_citable(event: &Event, is_player: bool) -> bool {
    match event {
        Event::MessageSpoken(word) => word.channel == Channel::Main && matches!(word.seat, Seat::Player(_)),
        Event::AbilityChecked(_)
        | Event::SavingThrowMade(_)
        | Event::AttackMade(_)
        | Event::ItemUsed(_)
        | Event::SpellCast(_) => is_player,
        Event::DialogueSummarised(_) => true,
        _ => false,
    }
}

fn remembered(state: &State, origin: Origin, event: &Event, message: u32, tool_id: u32) -> Remembered {
    let (turn, seat) = (state.turn.number, state.turn.seat);
    Remembered { origin, event: event.clone(), tool_id, message, turn, seat }
}

fn dialogue_partner(state: &State) -> Option<&Npc> {
    state.conversations.dialogue.as_ref().and_then(|dialogue| state.npcs.get(&dialogue.npc))
}

fn open_dialogue(state: &mut State) -> Option<&mut Npc> {
    state.conversations.dialogue.as_ref().and_then(|dialogue| state.npcs.get_mut(&dialogue.npc))
}

/// A stream of draws has given one more.
fn draw(state: &mut State, stream: &str, counter: u32) {
    state.dice.insert(stream.to_owned(), counter.saturating_add(1));
}
