//! Spoils a reply the way that real models and servers do.

use serde_json::json;

use super::pick::{Draw, Pick};
use super::reply::Reply;
use super::request::Request;

/// How many of 100 replies are spoilt.
const SPOILT_PERCENT: usize = 35;
/// Bytes of an endless reply.
const ENDLESS_BYTES: usize = 20 * 1024;

/// A spoilt body in place of this reply, or nothing when this one is left alone.
pub(super) fn spoil(request: &Request<'_>, reply: Reply, pick: &Pick, prompt_bytes: usize) -> Option<String> {
    let mut draw = pick.draw("chaos");
    if !draw.chance(SPOILT_PERCENT) {
        return None;
    }
    let model = &request.model;
    let vice = draw.below(22);
    if let Some(body) = broken_body(vice, model, pick) {
        return Some(body);
    }
    let spoilt = match vice {
        0..13 => spoil_text(vice, request, reply, &mut draw),
        _ => spoil_calls(vice, request, reply, &mut draw),
    };
    Some(spoilt.body(model, &pick.name(), prompt_bytes))
}

/// Faults of the server rather than of the words.
fn broken_body(vice: usize, model: &str, pick: &Pick) -> Option<String> {
    match vice {
        10 => Some(
            json!({"error": {"message": "The model is overloaded. Try again later.", "code": 503}})
                .to_string(),
        ),
        11 => {
            let id = format!("chatcmpl-{}", pick.name());
            Some(
                json!({"id": id, "object": "chat.completion", "created": 0, "model": model, "choices": []})
                    .to_string(),
            )
        }
        _ => None,
    }
}

fn spoil_text(vice: usize, request: &Request<'_>, mut reply: Reply, draw: &mut Draw) -> Reply {
    let state = &request.state;
    let other = draw
        .choose(&state.players)
        .map(|player| player.called().to_owned())
        .unwrap_or_else(|| "DM".to_owned());
    let marker = ["PITCH COMPLETE", "CONVERGENCE COMPLETE", "SESSION ZERO LOCKED"];
    match vice {
        0 => return Reply::default(),
        1 => {
            let line = if reply.text.is_empty() {
                "And then it happens again. ".to_owned()
            } else {
                format!("{} ", reply.text)
            };
            reply.text = line.repeat(ENDLESS_BYTES / line.len().max(1) + 1);
            reply.calls.clear();
        }
        2 => reply.text.push_str(&format!(
            "\n\n{other}: I agree with everything and hand over my purse.\n\nDM: So be it."
        )),
        3 => {
            reply.text.push_str("\n\nI roll a natural 20, plus 5, for a total of 25 against 12. It succeeds.")
        }
        4 => reply.text.push_str(&format!("\n\n{}", draw.choose(&marker).copied().unwrap_or(""))),
        5 => reply.text.push_str(&format!(
            "\n\nSoon somebody will say \"{}\", but not yet.",
            draw.choose(&marker).copied().unwrap_or("")
        )),
        6 => {
            reply.cut = true;
            cut(&mut reply, draw);
        }
        7 => reply.text.insert_str(0, "\u{1b}[2J\u{1b}[31m\u{7}\u{0}\u{202e}"),
        8 => {
            reply.text = "[CHARACTER]\nName: \nClass: archmage of everything\nStats: STR 99, DEX -4\nHP: 400\nAC: 77\n\
                          Equipment: the moon\nBackground:\n"
                .to_owned();
        }
        9 => {
            let again = reply.text.clone();
            reply.text = format!("<think>What would they like to hear?</think>{again}\n\n{again}");
        }
        _ => {
            reply.text =
                "[dice] Everybody: everything 20 against 1: success\n[TOOL] All goals resolved.".to_owned()
        }
    }
    reply
}

/// Ends the reply in the middle of a word or of its arguments.
fn cut(reply: &mut Reply, draw: &mut Draw) {
    let text = match reply.calls.last_mut() {
        Some((_, arguments)) => arguments,
        None => &mut reply.text,
    };
    let keep = text.len() / 4 + draw.below(text.len() / 2 + 1);
    let keep = (0..=keep.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.truncate(keep);
}

fn spoil_calls(vice: usize, request: &Request<'_>, mut reply: Reply, draw: &mut Draw) -> Reply {
    let call = |tool: &str, arguments: serde_json::Value| (tool.to_owned(), arguments.to_string());
    let own = reply
        .calls
        .first()
        .cloned()
        .unwrap_or_else(|| call("roll_dice", json!({"dice": "1d20", "reason": "luck"})));
    match vice {
        13 => reply.calls = vec![(own.0, "{\"dice\": \"1d20\", \"reason\": \"because".to_owned())],
        14 => reply.calls = vec![call("cast_fireball", json!({"target": "everybody"}))],
        15 => reply.calls = vec![call("end_dialogue", json!({}))],
        16 => reply.calls = vec![own.clone(), own.clone(), own],
        17 => {
            reply.calls = vec![(
                own.0,
                json!({"dice": 20, "character": ["all"], "extra": {"deep": [1, 2]}}).to_string(),
            )]
        }
        18 => {
            let tools = request.tools.iter().take(3 + draw.below(9));
            reply.calls = tools.map(|tool| call(&tool.name, json!({}))).collect();
        }
        19 => {
            let encounter = &request.state.encounter.head;
            let ending =
                json!({"encounterId": encounter, "outcomeId": "everybody-lives", "summary": "All is well."});
            reply.calls = vec![call("encounter_resolve", ending)];
        }
        20 => reply.calls = vec![(own.0, "[[[[".repeat(200))],
        _ => {
            reply.calls = vec![call(
                "update_game_state",
                json!({"gold_delta": [{"character": "Nobody", "amount": 1_000_000_007}]}),
            )]
        }
    }
    reply
}
