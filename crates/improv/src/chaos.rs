//! Spoils a reply the way that real models and servers do.

mod forge;
mod harvest;

use serde_json::json;

use super::pick::{Draw, Pick};
use super::reply::{Reply, call};
use super::request::{Offer, Request};
use super::state::Row;
use forge::{Forge, Habit};
use harvest::Harvest;

/// How many of 100 replies are spoilt.
const SPOILT_PERCENT: usize = 35;
/// How many of 100 replies a stubborn model gives over to the tool that it likes best.
const STUBBORN_PERCENT: usize = 55;
/// What a stubborn model is fond of: words in the names of tools and of their fields. Most have no such fondness.
const LIKINGS: &[&[&str]] = &[
    &["conditions_add", "item_gained"],
    &["item_gained"],
    &["item_gained"],
    &["item_gained", "item_lost"],
    &["item_gained", "item_lost"],
    &["hp_delta", "start_"],
    &["hp_delta", "start_"],
    &["dialogue"],
    &["dialogue"],
    &["start_dialogue", "exchange", "quantity"],
    &["start_dialogue", "exchange", "quantity"],
    &["start_combat"],
    &["start_combat"],
    &["start_combat"],
    &["goal"],
    &["create"],
    &["query"],
    &["query"],
    &["item"],
    &[],
    &[],
    &[],
    &[],
    &[],
    &[],
];
/// What a stubborn model is fond of while people fight.
const FIGHTING: &[&str] = &["attack", "target"];
/// What one who wants to be done with fighting is fond of, and soon fights again.
const DONE_FIGHTING: &[&str] = &["end_combat"];
/// Words in the names of what belongs to a fight.
const FOUGHT_WITH: &[&str] = &["attack", "combat", "throw"];
/// Replies of a hundred that strike at a foe who has fallen, while another one stands.
const RAGE_PERCENT: usize = 25;
/// Replies of a hundred in which a foe strikes whose turn it is not, while such a foe stands.
const HURRY_PERCENT: usize = 25;
/// Bytes of an endless reply.
const ENDLESS_BYTES: usize = 20 * 1024;

/// A spoilt body in place of this reply, or nothing when this one is left alone.
pub(super) fn spoil(request: &Request<'_>, reply: Reply, pick: &Pick, prompt_bytes: usize) -> Option<String> {
    let mut draw = pick.draw("chaos");
    if let Some(reply) =
        insist(request, pick).or_else(|| rage(request, &mut draw)).or_else(|| hurry(request, pick))
    {
        return Some(reply.body(&request.model, &pick.name(), prompt_bytes));
    }
    if !draw.chance(SPOILT_PERCENT) {
        return None;
    }
    let model = &request.model;
    let vice = draw.below(32);
    if let Some(body) = broken_body(vice, model, pick) {
        return Some(body);
    }
    let spoilt = match vice {
        0..13 => spoil_text(vice, request, reply, &mut draw),
        22.. => forged(request, reply, pick),
        _ => spoil_calls(vice, request, reply, &mut draw),
    };
    Some(spoilt.body(model, &pick.name(), prompt_bytes))
}

/// A stubborn model calls what it is fond of again and again, whatever comes of it: in most campaigns, and each seat in
/// its own way.
fn insist(request: &Request<'_>, pick: &Pick) -> Option<Reply> {
    let mood = Pick::new(request.seed, &["mood"]);
    let stubborn = request.state.phase == "play" && mood.draw("stubborn").chance(80);
    let mut draw = pick.draw("insist");
    if !stubborn || !draw.chance(STUBBORN_PERCENT) {
        return None;
    }
    let fond = mood.draw("words").choose(LIKINGS).copied().unwrap_or_default();
    // Whoever fights thinks of little else.
    let words = match (request.state.foes.is_empty(), mood.draw("done").chance(40)) {
        (true, _) => fond,
        (false, true) => DONE_FIGHTING,
        (false, false) => FIGHTING,
    };
    let likes = |offer: &&Offer<'_>| {
        words.iter().any(|word| offer.name.contains(word) || offer.schema.contains(&format!("\"{word}")))
    };
    let liked: Vec<&Offer<'_>> = request.tools.iter().filter(likes).collect();
    let usual = || request.tools.iter().max_by_key(|offer| mood.draw(&offer.name).below(1 << 20));
    let favourite = draw.choose(&liked).copied().or_else(usual)?;
    let habit = Habit {
        lavish: mood.draw("lavish").chance(60),
        wrong_percent: 10,
        fields: words,
        field: mood.draw("field").below(12),
        fresh_percent: if mood.draw("fresh").chance(60) { 60 } else { 10 },
    };
    let harvest = Harvest::of(request);
    let mut forge = Forge::new(&harvest, pick.draw("forge"), habit);
    let count = [1, 1, 2, 8][draw.below(4)];
    let mut calls = vec![forge.call(favourite)];
    while calls.len() < count {
        let next = match calls.first() {
            Some(first) if draw.chance(40) => forge.again(favourite, first),
            _ => forge.call(favourite),
        };
        calls.push(next);
    }
    Some(Reply { calls, ..Reply::default() })
}

/// A model in a rage strikes on at who lies on the ground.
fn rage(request: &Request<'_>, draw: &mut Draw) -> Option<Reply> {
    let fallen = |foe: &&Row| ["down", "fled"].contains(&foe.get("health"));
    let foe = request.state.foes.iter().find(fallen)?;
    let strikes = draw.chance(RAGE_PERCENT);
    strikes.then(|| call(request, "attack", json!({"target": foe.head}))).flatten().map(Reply::call)
}

/// A hasty model lets a foe strike whose turn it is not.
fn hurry(request: &Request<'_>, pick: &Pick) -> Option<Reply> {
    let state = &request.state;
    let waiting = state.standing().into_iter().find(|foe| !state.acting.contains(&foe.head))?;
    let target = state.characters.first()?;
    let strikes = pick.draw("hurry").chance(HURRY_PERCENT);
    let blow = json!({"attacker": waiting.head, "target": target.head});
    strikes.then(|| call(request, "attack", blow)).flatten().map(Reply::call)
}

/// Calls that were made out of the schemas alone, right or wrong: one, the same twice, several, or too many.
fn forged(request: &Request<'_>, reply: Reply, pick: &Pick) -> Reply {
    let harvest = Harvest::of(request);
    let mut draw = pick.draw("forged");
    let habit = Habit { lavish: draw.chance(15), wrong_percent: 40, fresh_percent: 25, ..Habit::default() };
    let mut forge = Forge::new(&harvest, pick.draw("forge"), habit);
    let mut calls = Vec::new();
    for _ in 0..[1, 1, 1, 2, 4, 9][draw.below(6)] {
        let fights = !request.state.foes.is_empty() && draw.chance(60);
        let in_a_fight =
            |offer: &&Offer<'_>| !fights || FOUGHT_WITH.iter().any(|word| offer.name.contains(word));
        let pool: Vec<&Offer<'_>> = request.tools.iter().filter(in_a_fight).collect();
        calls.extend(draw.choose(&pool).map(|offer| forge.call(offer)));
    }
    if draw.chance(10) {
        calls.extend(calls.first().cloned());
    }
    if calls.is_empty() { reply } else { Reply { calls, ..reply } }
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
    let others: Vec<_> = state.players.iter().filter(|player| player.called() != state.you).collect();
    let other =
        draw.choose(&others).map(|player| player.called().to_owned()).unwrap_or_else(|| "DM".to_owned());
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
        2 if draw.chance(30) => {
            let agreed = format!("{other}: I agree with everything, and I always have.");
            return Reply::words(agreed);
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
            reply.calls =
                vec![call("update_character", json!({"character": "Nobody", "gold_delta": 1_000_000_007}))]
        }
    }
    reply
}
