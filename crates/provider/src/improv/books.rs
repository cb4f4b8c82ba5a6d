//! The DM keeps the books: who was met, what happened, goals out of the players' own ways.

use serde_json::{Value, json};

use super::dm::{check, declared, last_words};
use super::grammar::Scribe;
use super::narration::SCENES;
use super::read::{Person, names};
use super::reply::call;
use super::request::Request;
use super::state::Player;
use super::story::{Aim, Story, called};

/// The ids of those who are named here and not yet noted as met.
pub(super) fn newly_met(request: &Request<'_>, told: &str) -> Vec<String> {
    let memory = request.tagged("memory");
    let met = memory.split_once("Met:").map_or("", |(_, met)| met);
    let unmet = request.state.npcs.iter().filter(|row| {
        let name = called(row);
        names(told, &name) && !names(met, &name)
    });
    unmet.map(|row| row.head.clone()).collect()
}

/// A change with everybody in it who is met and not yet recorded.
fn meetings(request: &Request<'_>, mut change: Value) -> Option<(String, String)> {
    let told: Vec<&str> =
        request.own_lines().map(|line| line.text.as_str()).chain([request.tagged("reminders")]).collect();
    let met = newly_met(request, &told.join("\n"));
    if met.is_empty() || !request.material.contains("<memory>") {
        return None;
    }
    change.as_object_mut()?.insert("npcs_met".into(), json!(met));
    call(request, "update_game_state", change)
}

/// A call that keeps the books, at most one in a reply.
pub(super) fn housekeeping(
    request: &Request<'_>,
    scribe: &mut Scribe,
    story: &Story,
    speaker: Option<&Player>,
) -> Option<(String, String)> {
    let state = &request.state;
    let registered = state.goals.iter().any(|goal| goal.head.starts_with("dynamic_"));
    if story.aim == Aim::Own
        && !registered
        && state.registrations > 0
        && state.messages.done >= story.register_at
        && state.messages.done < 19
    {
        let call = register(request, story, speaker);
        if call.is_some() {
            return call;
        }
    }
    let change = if scribe.chance(34) {
        state_change(request, scribe, story, speaker)
    } else {
        Value::Object(serde_json::Map::new())
    };
    let meetings = meetings(request, change.clone());
    if meetings.is_some() {
        return meetings;
    }
    if state.party_document == "stale" && scribe.chance(60) {
        let call = call(request, "update_party_document", party_note(request, speaker));
        if call.is_some() {
            return call;
        }
    }
    if change.as_object().is_some_and(|change| !change.is_empty()) {
        return call(request, "update_game_state", change);
    }
    match scribe.draw().below(100) {
        0..4 => call(
            request,
            "search_rules",
            json!({"query": check(request, speaker).map_or("morale", |(row, _)| row.flag(0))}),
        ),
        4..7 => call(
            request,
            "roll_dice",
            json!({"dice": "1d6", "reason": "how long the crowd's patience lasts"}),
        ),
        _ => None,
    }
}

/// A goal out of the players' own way of going about it.
fn register(request: &Request<'_>, story: &Story, speaker: Option<&Player>) -> Option<(String, String)> {
    let speaker = speaker?;
    // What a check of the place provides for is nobody's own way, unless nothing better has come up for long.
    match check(request, Some(speaker)) {
        None => {}
        Some((_, true)) if request.state.messages.done > story.register_at + 3 => {}
        Some(_) => return None,
    }
    let act = declared(request, Some(speaker), Person::Third)?;
    let ways = [
        ("sing", "settled-by-a-song"),
        ("song", "settled-by-a-song"),
        ("hum", "settled-by-a-song"),
        ("offer", "bought-with-a-bargain"),
        ("promise", "bought-with-a-promise"),
        ("trade", "bought-with-a-bargain"),
        ("coin", "bought-with-a-bargain"),
        ("pretend", "won-by-a-bluff"),
        ("swap", "won-by-a-bluff"),
        ("follow", "followed-home"),
        ("slip", "taken-back-unseen"),
        ("coat", "talked-round-kindly"),
        ("water", "talked-round-kindly"),
        ("push", "taken-by-main-force"),
        ("read", "proved-on-paper"),
        ("compare", "proved-on-paper"),
        ("write", "proved-on-paper"),
        ("ask", "asked-openly"),
        ("tell", "asked-openly"),
    ];
    let id = ways.iter().find(|(word, _)| act.contains(word)).map_or("settled-their-own-way", |(_, id)| id);
    let label = format!(
        "{} is given up without a fight, and it comes of this: {} chose to {act}.",
        super::grammar::capital(&story.quarry),
        speaker.called(),
    );
    let reason = format!(
        "Nobody had planned for {} to {act}; if it carries them through, it should count.",
        speaker.called()
    );
    let primary = request.seed % 2 == 0;
    call(request, "goal_register", json!({"id": id, "label": label, "isPrimary": primary, "reason": reason}))
}

fn party_note(request: &Request<'_>, speaker: Option<&Player>) -> Value {
    let name = speaker.map(Player::called).unwrap_or("The party");
    let act = declared(request, speaker, Person::Third).unwrap_or_else(|| "keep going".to_owned());
    let outcome = match check(request, speaker) {
        Some((_, true)) => "managed to",
        Some((_, false)) => "failed to",
        None => "set out to",
    };
    json!({
        "section": "events",
        "text": format!("{name} {outcome} {act}."),
        "reason": "It happened in front of witnesses and will be remembered.",
    })
}

/// A change that follows from what was just played.
fn state_change(
    request: &Request<'_>,
    scribe: &mut Scribe,
    story: &Story,
    speaker: Option<&Player>,
) -> Value {
    let name = speaker.map(Player::called).unwrap_or("");
    let said = last_words(request, speaker);
    let act = declared(request, speaker, Person::Third).unwrap_or_default();
    let mut change = serde_json::Map::new();
    match check(request, speaker) {
        Some((_, true)) if !act.is_empty() => {
            let event = format!("{name} managed to {act}.");
            let kept = scribe.chance(40);
            change.insert(
                if kept { "important_events" } else { "notable_event" }.into(),
                if kept { json!([event]) } else { json!(event) },
            );
            if scribe.chance(18) && !name.is_empty() {
                change.insert(
                    "inventory_add".into(),
                    json!([{"character": name, "item": story.trace, "quantity": 1}]),
                );
            }
        }
        Some((_, false)) => {
            change.insert(
                "notable_event".into(),
                json!(format!("{name} failed to {}.", if act.is_empty() { "get it done" } else { &act })),
            );
            if scribe.chance(35) {
                change.insert("hp_delta".into(), json!([{"character": name, "amount": -1}]));
            }
        }
        _ => {
            let met = newly_met(request, said);
            if !met.is_empty() {
                change.insert("npcs_met".into(), json!(met));
            }
            if !act.is_empty() {
                change.insert("notable_event".into(), json!(format!("{name} set out to {act}.")));
            }
        }
    }
    if change.is_empty() || scribe.chance(20) {
        let scene = scribe.say(SCENES);
        change.insert("scene".into(), json!(scene));
    }
    Value::Object(change)
}
