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
    scribe.set("npc", short(npc));
    let (given, most) = (state.exchanges.done, state.exchanges.all.max(2));
    let text = match given {
        0 => scribe.say(ASKS_FIRST),
        1 => offer(request, scribe, name),
        _ if given + 2 >= most || given > 3 || scribe.chance(35) => scribe.say(LEAVES),
        _ => scribe.say(PRESSES),
    };
    Reply::words(text)
}

/// A promise, or something of one's own.
fn offer(request: &Request<'_>, scribe: &mut Scribe, name: &str) -> String {
    let carried = request.state.carried(name);
    if scribe.chance(30)
        && let Some(item) = scribe.draw().choose(&carried)
    {
        scribe.set("thing", lower_first(item));
        return scribe.say(OFFERS);
    }
    let pressed = scribe.say(PRESSES);
    let promised = scribe.say(PROMISES);
    if scribe.chance(50) { format!("{promised} {pressed}") } else { promised }
}
