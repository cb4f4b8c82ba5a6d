//! A player in a conversation apart: asks what somebody knows, offers something for it, and leaves in the end.

use super::companion::lower_first;
use super::grammar::Scribe;
use super::read::{sentences, short};
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
        _ if given + 2 >= most || given > 2 || !state.asks.is_empty() => {
            scribe.say(if has_confessed(request) { LEAVES_TOLD } else { LEAVES })
        }
        _ => scribe.say(PRESSES),
    };
    Reply::words(text)
}

/// Bytes of a sentence with "I" from which it tells something: authors write what a person has told nobody as one long sentence of this kind.
const CONFESSION_MIN: usize = 60;

/// What somebody says of what they have done begins so, behind "I", or with a verb in "-ed".
const PAST: &[&str] = &[
    "came", "did", "gave", "had", "have", "heard", "held", "kept", "knew", "let", "lost", "made", "put",
    "rang", "read", "said", "saw", "sent", "sold", "stood", "took", "was", "went", "wrote",
];

/// Has the person who is spoken to just told what nobody knew, when it was asked for?
fn has_confessed(request: &Request<'_>) -> bool {
    let asked = request.state.asks.iter().find(|row| row.head == "tells").map_or("", |row| row.get("text"));
    let mut lines = request.lines.iter().rev();
    let answer = lines.next().map_or("", |line| line.text.as_str());
    let was_asked = !asked.is_empty() && lines.next().is_some_and(|line| line.text.contains(asked));
    let is_past = |word: &str| word.ends_with("ed") || PAST.contains(&word);
    let did = |said: &str| said.split(' ').next().is_some_and(is_past);
    let tells = |sentence: &str| {
        let said = format!(" {sentence}");
        sentence.len() >= CONFESSION_MIN && said.split(" I ").skip(1).any(did)
    };
    was_asked && sentences(answer).into_iter().any(tells)
}

/// What is asked for, and before it what is given.
fn paid(given: String, asked: String) -> String {
    if given.is_empty() { asked } else { format!("{given} {asked}") }
}

/// A promise, or something of one's own. Where there is something to be asked as well, now and then nothing.
fn offer(request: &Request<'_>, scribe: &mut Scribe, name: &str, is_all: bool) -> String {
    let carried = request.state.carried(name);
    // Where there is something to be asked as well, a present looks like a bribe.
    if scribe.chance(if is_all { 30 } else { 10 })
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
