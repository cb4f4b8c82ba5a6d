//! A player in a conversation apart: asks what somebody knows, offers something for it, and leaves in the end.

use super::companion::lower_first;
use super::grammar::Scribe;
use super::read::short;
use super::reply::Reply;
use super::request::Request;
use super::talk_lines::*;

/// What the player's character says to the person who is spoken to.
pub(super) fn talk(request: &Request<'_>, scribe: &mut Scribe, name: &str) -> Reply {
    let state = &request.state;
    let npc = state.dialogue.get("name");
    // "Goodbye, the woman in the coat" is no way to speak to anybody.
    scribe.set("npc", if npc.starts_with("the ") { "" } else { short(npc) });
    let (given, most) = (state.exchanges.done, state.exchanges.all.max(2));
    // What the material lets one say is what its people answer to.
    let written = |field: &str| {
        let ask = state.asks.iter().find(|row| row.head == field).map(|row| row.get("text"));
        ask.filter(|text| !request.own_lines().any(|line| line.text.contains(text))).map(str::to_owned)
    };
    let text = match given {
        0 => written("wants").unwrap_or_else(|| scribe.say(ASKS_FIRST)),
        1 => match written("fears") {
            Some(asked) => paid(offer(request, scribe, name, false), asked),
            None => offer(request, scribe, name, true),
        },
        _ if given + 1 < most
            && let Some(asked) = written("tells") =>
        {
            asked
        }
        _ if given + 2 >= most || given > 2 || !state.asks.is_empty() => scribe.say(LEAVES),
        _ => scribe.say(PRESSES),
    };
    Reply::words(text)
}

/// What is asked for, and before it what is given.
fn paid(given: String, asked: String) -> String {
    if given.is_empty() { asked } else { format!("{given} {asked}") }
}

/// A promise, or something of one's own. Where there is something to be asked as well, now and then nothing.
fn offer(request: &Request<'_>, scribe: &mut Scribe, name: &str, is_all: bool) -> String {
    let carried = request.state.carried(name);
    if scribe.chance(30)
        && let Some(item) = scribe.draw().choose(&carried)
    {
        scribe.set("thing", lower_first(item));
        return scribe.say(OFFERS);
    }
    if !is_all {
        return if scribe.chance(60) { scribe.say(PROMISES) } else { String::new() };
    }
    let pressed = scribe.say(PRESSES);
    let promised = scribe.say(PROMISES);
    if scribe.chance(50) { format!("{promised} {pressed}") } else { promised }
}
