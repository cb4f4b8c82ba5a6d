//! The embedded improvising model: it reads a chat-completions request and plays any seat, without any state.

mod aside;
mod books;
mod calm;
mod carried;
mod chaos;
mod clue;
mod combat;
mod companion;
mod consequence;
mod deed;
mod dm;
mod ending;
mod fellows;
mod grammar;
mod keeper;
mod lines;
mod manners;
mod memory;
mod narration;
mod nouns;
mod persona;
mod pick;
mod player;
mod read;
mod reply;
mod request;
mod session_zero;
mod sheet;
mod state;
mod story;
mod talk;
mod talk_lines;
mod talks;
mod touches;
mod trail;
mod traits;
mod voice;
mod words;

#[cfg(test)]
mod tests;

use grammar::{Heard, Scribe};
use pick::Pick;
use reply::Reply;
use request::Request;

/// Answers the HTTP body of a chat-completions request with the body of a chat completion.
///
/// The same body always gets the same answer. A body that is no such request gets a short answer in words.
pub fn improvise(body: &str) -> String {
    let pick = Pick::new(0, &[body]);
    match Request::read(body) {
        Some(request) => answer(&request, &pick).body(&request.model, &pick.name(), body.len()),
        None => wait().body("", &pick.name(), body.len()),
    }
}

/// Like [`improvise`], but about a third of the replies have one of the faults that real models and servers have:
/// malformed arguments, tools out of place, endless or empty text, words in another's mouth, cut-off replies.
/// Most seats are stubborn besides, and call what they are fond of again and again.
pub fn improvise_chaos(body: &str) -> String {
    let pick = Pick::new(0, &[body]);
    let (reply, model) = match Request::read(body) {
        Some(request) => {
            let reply = answer(&request, &pick);
            if let Some(spoilt) = chaos::spoil(&request, reply.clone(), &pick, body.len()) {
                return spoilt;
            }
            (reply, request.model)
        }
        None => (wait(), String::new()),
    };
    reply.body(&model, &pick.name(), body.len())
}

/// What can be said when nothing was understood.
fn wait() -> Reply {
    Reply::words("I wait to hear more before I say anything.".to_owned())
}

fn answer(request: &Request<'_>, pick: &Pick) -> Reply {
    let mut heard = Heard::new();
    for line in &request.lines {
        heard.add(&line.text);
    }
    let mut scribe = Scribe::new(pick.draw("words"), heard);
    let reply = match (role(request), request.state.phase.as_str()) {
        (Role::Memory, "dialogue") => Reply::words(keeper::dialogue(request)),
        (Role::Memory, "profile") => Reply::words(keeper::profile(request, &mut scribe)),
        (Role::Companion, _) => companion::companion(request, &mut scribe),
        (Role::Memory, _) => Reply::words(memory::summarise(request, &mut scribe)),
        (Role::Dm, "pitch" | "converge" | "lock") => session_zero::dm(request, &mut scribe),
        (Role::Dm, _) => dm::dm(request, &mut scribe),
        (Role::Player, _) => player::player(request, &mut scribe),
    };
    if reply.text.is_empty() && reply.calls.is_empty() { wait() } else { reply }
}

enum Role {
    Dm,
    /// The DM as one of its own people, who is spoken to apart.
    Companion,
    Player,
    Memory,
}

/// The seat that is asked: as the table says, else as the material sounds.
fn role(request: &Request<'_>) -> Role {
    let state = &request.state;
    match (state.role.as_str(), state.phase.as_str()) {
        ("memory", _) | (_, "summary") => return Role::Memory,
        ("dm", _) => return Role::Dm,
        ("companion", _) => return Role::Companion,
        ("player", _) => return Role::Player,
        _ => {}
    }
    let material = &request.material;
    if material.contains("ummar") && !material.contains("You are a player") {
        Role::Memory
    } else if material.contains("the DM") || material.contains("Dungeon Master") || material.contains("arrat")
    {
        Role::Dm
    } else {
        Role::Player
    }
}
