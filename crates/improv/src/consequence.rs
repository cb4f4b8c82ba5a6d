//! What is left behind by what players do, besides the story: things, coins, conditions, wounds of others, another place, a later hour. It is recorded first;
//! what is told follows the records.

use serde_json::{Value, json};

use super::calm::{has_clock, is_calm, is_public};
use super::deed::small;
use super::dm::check;
use super::grammar::{Scribe, capital};
use super::pick::Pick;
use super::read::short;
use super::reply::call;
use super::request::Request;
use super::state::{Player, Row};
use super::story::{called, has_people_of_checks, person_of, scene_before};
use super::talks::{FOUGHT, is_against};
use super::trail::Trail;

/// Of a hundred successes and of a hundred failures so many leave something behind.
const SUCCESSES: usize = 12;
const FAILURES: usize = 9;
/// Of successes of quick hands where people trade.
const WORKS: usize = 45;
/// Of failures of somebody who carries something picked up on the way.
const LOSES: usize = 60;
/// In an encounter of at most so many messages no hour goes by.
const SHORT: i64 = 30;
/// A span of time that a house rule names is not longer.
const SPAN_BYTES_MAX: usize = 24;
/// The DM's note on whom somebody has failed before.
const WARY: &str = "wary";
/// Coins below which nobody pays for a failure.
const COINS_MIN: i64 = 6;
/// What teaches the party something is worth so much.
const EXPERIENCE: i64 = 10;

/// Things that fit into every story, one and several of them.
const THINGS: &[(&str, &str)] = &[
    ("stub of red chalk", ""),
    ("key without a label", ""),
    ("brass button", "brass buttons"),
    ("folded receipt", ""),
    ("ball of twine", ""),
    ("tin whistle", ""),
    ("candle end", "candle ends"),
    ("pair of grey gloves", ""),
    ("broken comb", ""),
    ("walnut", "walnuts"),
    ("pencil on a string", ""),
    ("bent pin", "bent pins"),
];
const COUNTS: &[&str] = &["", "a", "two", "three", "four"];

/// What a failure leaves somebody as, by the ability.
const STATES: &[(&str, &str)] = &[
    ("STR", "out of breath"),
    ("DEX", "flustered"),
    ("CON", "weary"),
    ("INT", "muddled"),
    ("WIS", "uneasy"),
    ("CHA", "red in the face"),
];

const GAINED: &[&str] = &[
    "You come away with {thing}, {who}.",
    "{who}, somebody puts {thing} into your hand.",
    "On the way you pick up {thing}, {who}.",
    "It leaves you with {thing}, {who}, and nobody asks for it back.",
];
const LOST: &[&str] =
    &["You are without {thing} now, {who}.", "{who}, you have lost {thing}, and know where."];
const HANDED_OVER: &[&str] = &[
    "{giver} puts {thing} into {receiver}'s hand.",
    "{giver}, who has waited for the right moment, takes out {thing}, and {receiver} holds it in both hands.",
];
const EARNED: &[&str] = &[
    "It earns you {coins}, {who}.",
    "Somebody gives you {coins} for it, {who}.",
    "A bystander had bet on you, {who}, and shares: {coins}.",
    "{who}, somebody presses {coins} into your hand and is gone.",
];
const PAID: &[&str] = &[
    "It costs you {coins}, {who}.",
    "{who}, you are the poorer by {coins}.",
    "You pay {coins} for the damage, {who}, and are let off the lecture.",
    "A hole in your pocket has cost you {coins}, {who}.",
];
const SUFFERED: &[&str] = &[
    "It leaves you {condition}, {who}.",
    "You are {condition}, {who}, and it shows.",
    "You would not say so, {who}, but you are {condition}.",
];
const RECOVERED: &[&str] =
    &["You are no longer {condition}, {who}.", "And you are {condition} no more, {who}."];
const ELSEWHERE: &[&str] =
    &["By now you are somewhere else: {place}.", "It has brought you elsewhere: {place}."];
const RISES: &[&str] = &[
    "{riser} sits up, feels for hat and teeth, and says nothing.",
    "{riser} is on both feet again, and keeps an arm's length away.",
];
const PUSHED: &[&str] = &[
    "{pushed} has felt that, and holds on to an elbow.",
    "{pushed} was in the way of it, and has a bruise to show.",
    "{pushed} sits down harder than was meant.",
];
const LEAVES: &[&str] =
    &["{leaver} has seen enough and goes.", "{leaver} has to be somewhere else, and goes."];

/// The calls that record what the last check left behind.
pub(super) fn calls(
    request: &Request<'_>,
    trail: &Trail<'_>,
    speaker: Option<&Player>,
    is_hurt: bool,
) -> Vec<(String, String)> {
    let state = &request.state;
    let stable = Pick::new(request.seed, &["consequence", &state.messages.done.to_string()]);
    let mut left: Vec<Value> = Vec::new();
    let calm = is_calm(request, trail, speaker);
    let shops = calm && is_public(request);
    if let Some((row, success)) = check(request, speaker) {
        let name = &row.head;
        let likely = match success {
            true if shops && is_work(request, row) => WORKS,
            true => SUCCESSES,
            false => FAILURES,
        };
        let change = match (success, condition(request, name)) {
            // Nobody gets warm, or their breath back, in the middle of it.
            (true, Some(condition)) if calm => Some(json!({"conditions_remove": [condition]})),
            // What was picked up is lost soonest.
            (false, _)
                if !is_hurt && picked(request, name).is_some() && stable.draw("lost").chance(LOSES) =>
            {
                picked(request, name).map(|thing| json!({"item_lost": thing}))
            }
            (false, Some(_)) => None,
            _ if is_hurt || !stable.draw("any").chance(likely) => None,
            // Nobody is paid for a kind word.
            (true, _) if shops && is_work(request, row) => gained(request, trail, &stable),
            (true, _) => Some(json!({"xp_gained": EXPERIENCE})),
            (false, _) => suffered(request, row, &stable, shops),
        };
        if let Some(mut change) = change {
            change["character"] = name.as_str().into();
            left.push(change);
        }
    }
    let characters = left.into_iter().filter_map(|change| call(request, "update_character", change));
    let scene = scene(request, trail, speaker, &stable);
    let people = people(request, &stable);
    let scene = scene.and_then(|change| call(request, "update_scene", change));
    let people = people.and_then(|change| call(request, "update_npc", change));
    characters.chain(scene).chain(people).collect()
}

/// Is it a check of quick hands, in which something may be left over?
fn is_work(request: &Request<'_>, row: &Row) -> bool {
    let check = request.state.checks.iter().find(|known| known.head == row.flag(0));
    check.is_some_and(|check| ["DEX", "HANDS"].contains(&check.get("ability")))
}

/// What a success brings.
fn gained(request: &Request<'_>, trail: &Trail<'_>, stable: &Pick) -> Option<Value> {
    if trail.next().is_none() {
        return Some(json!({"xp_gained": EXPERIENCE}));
    }
    if stable.draw("coins").chance(30) {
        return Some(json!({"gold_delta": 1 + stable.draw("count").below(3)}));
    }
    let held = |thing: &str| {
        request.state.characters.iter().any(|row| row.get("items").to_lowercase().contains(thing))
    };
    let free: Vec<&(&str, &str)> = THINGS.iter().filter(|(thing, _)| !held(thing)).collect();
    let (thing, many) = stable.draw("thing").choose(&free)?;
    let quantity = if many.is_empty() { 1 } else { 2 + stable.draw("quantity").below(2) };
    Some(match quantity {
        1 => json!({"item_gained": thing}),
        _ => json!({"item_gained": thing, "quantity": quantity}),
    })
}

/// What somebody has picked up on the way and may lose on it: nobody is left without arms.
fn picked(request: &Request<'_>, name: &str) -> Option<&'static str> {
    let items = request.state.characters.iter().find(|known| known.head == name)?.get("items");
    let held = |(thing, _): &&(&str, &str)| items.split(';').any(|item| item.trim().starts_with(thing));
    THINGS.iter().find(held).map(|(thing, _)| *thing)
}

/// What a failure costs.
fn suffered(request: &Request<'_>, row: &Row, stable: &Pick, shops: bool) -> Option<Value> {
    let character = request.state.characters.iter().find(|known| known.head == row.head)?;
    if shops
        && character.number("gold").is_some_and(|gold| gold >= COINS_MIN)
        && stable.draw("coins").chance(40)
    {
        return Some(json!({"gold_delta": -1 - i64::from(stable.draw("count").chance(40))}));
    }
    let checked = request.state.checks.iter().find(|known| known.head == row.flag(0))?;
    let state = STATES.iter().find(|(ability, _)| *ability == checked.get("ability"));
    let condition = state.map_or("shaken", |(_, condition)| condition);
    Some(json!({"conditions_add": [condition]}))
}

/// The last condition that is told of a character and not told to be over.
fn condition<'r>(request: &'r Request<'_>, name: &str) -> Option<&'r str> {
    let (is, over) = (format!("{name} is "), format!("{name} is no longer "));
    let told: Vec<&str> = request.told(&["[condition] "]).collect();
    let begun =
        told.iter().rev().find_map(|line| line.strip_prefix(&is).filter(|_| !line.starts_with(&over)))?;
    let ended = told.iter().any(|line| line.strip_prefix(&over) == Some(begun));
    (!ended).then_some(begun)
}

/// Another place, a later hour, or a note that is of no use any more.
fn scene(request: &Request<'_>, trail: &Trail<'_>, speaker: Option<&Player>, stable: &Pick) -> Option<Value> {
    let state = &request.state;
    let notes = request.tagged("memory").lines().filter_map(|line| line.strip_prefix("- "));
    let is_old = |note: &str| {
        note.split_once(": ").is_some_and(|(name, at)| name == FOUGHT && at.trim() != state.encounter.head)
    };
    if notes.clone().any(is_old) {
        return Some(json!({"note_delete": FOUGHT}));
    }
    if let Some(wary) = wary(request, speaker, stable) {
        return Some(wary);
    }
    let is_told = request.told(&["[time] "]).next().is_some();
    if let (Some(span), 10..=11, false) = (span(request), state.messages.done, is_told)
        && !state.time_of_day.is_empty()
        && Pick::new(request.seed, &["hour", &state.encounter.head]).draw("passes").chance(60)
    {
        return Some(json!({"time_of_day": format!("{} later", capital(span))}));
    }
    let half = state.messages.all / 2;
    if state.messages.done == half || state.messages.done == half + 1 {
        let here = Pick::new(request.seed, &["hour", &state.encounter.head]);
        if state.messages.all > SHORT
            && !has_clock(request)
            && here.draw("passes").chance(45)
            && !is_told
            && !state.time_of_day.is_empty()
        {
            return Some(json!({"time_of_day": "An hour later"}));
        }
    }
    let (row, success) = check(request, speaker)?;
    let before = scene_before(request, trail.next().unwrap_or_default()).to_lowercase();
    if !before.is_empty() {
        // The party is where the next scene is set.
        let is_meant = |place: &&String| {
            let place = place.to_lowercase();
            before.contains(place.split(" of ").next().unwrap_or(&place))
        };
        let places = places(&state.location);
        let place = places.iter().find(is_meant).filter(|place| **place != state.location)?;
        return Some(json!({"location": place}));
    }
    let checked = state.checks.iter().find(|known| known.head == row.flag(0))?;
    let moves = success && ["DEX", "STR", "CON", "HANDS", "GRIT"].contains(&checked.get("ability"));
    let places: Vec<String> = places(&state.location);
    let place = stable.draw("place").choose(&places).filter(|place| **place != state.location)?;
    (moves && stable.draw("moves").chance(25)).then(|| json!({"location": place}))
}

/// "half an hour" in a house rule that says that about every ten messages half an hour goes by.
fn span<'r>(request: &'r Request<'_>) -> Option<&'r str> {
    let (_, after) = request.tagged("house_rules").split_once("every ten messages ")?;
    let (span, _) = after.split_once(" goes by")?;
    (span.len() <= SPAN_BYTES_MAX).then_some(span)
}

/// The DM's note on somebody with whom a player has failed, until somebody does better with them.
fn wary(request: &Request<'_>, speaker: Option<&Player>, stable: &Pick) -> Option<Value> {
    let (row, success) = check(request, speaker)?;
    let person = person_of(request, row.flag(0))?;
    let memory = request.tagged("memory").lines().filter_map(|line| line.strip_prefix("- "));
    let notes = memory.chain(request.told(&["[note] "])).filter_map(|note| note.strip_prefix(WARY));
    match notes.last().and_then(|note| note.strip_prefix([':', ' '])) {
        Some(note) if success => note.ends_with(person).then(|| json!({"note_delete": WARY})),
        None if !success && stable.draw("wary").chance(20) => {
            Some(json!({"note": WARY, "note_value": person}))
        }
        _ => None,
    }
}

/// The places in "The square, the Weighing House and the bridge of Tallowford, on the river".
fn places(location: &str) -> Vec<String> {
    let parts: Vec<&str> = location.split(", ").flat_map(|part| part.split(" and ")).collect();
    let is_place = |part: &&&str| part.to_lowercase().starts_with("the ") && part.len() > 8;
    let named: Vec<String> = parts.iter().filter(is_place).map(|part| capital(part)).collect();
    if parts.len() > 1 { named } else { Vec::new() }
}

/// Somebody gets their breath back, is pushed harder than was meant, or has seen enough.
fn people(request: &Request<'_>, stable: &Pick) -> Option<Value> {
    let state = &request.state;
    // Nobody lies about after a fight whose business goes on.
    let lies = |row: &&Row| row.get("hp").starts_with("0/") && ["", "active"].contains(&row.get("status"));
    let fought = request.effects().any(|text| text.starts_with("[combat] Over"));
    if let Some(row) = state.persons.iter().find(lies).filter(|_| fought) {
        return Some(json!({"id": row.head, "hp_delta": 1}));
    }
    let winded = state.persons.iter().find(|row| !row.get("conditions").is_empty());
    if let Some((row, true)) = winded.map(|row| (row, stable.draw("breath").chance(25))) {
        let condition = row.get("conditions").split(',').next().unwrap_or_default().trim();
        return Some(json!({"id": row.head, "conditions_remove": [condition]}));
    }
    let late = state.messages.done * 100 > state.messages.all.max(1) * 30;
    let stays = |row: &&Row| {
        let person = state.persons.iter().find(|person| person.head == row.head);
        person.is_none_or(|person| ["", "active"].contains(&person.get("status")))
    };
    let leaves = |_: &&Row| late && stable.draw("leaves").chance(90);
    if let Some(bystander) = request.newcomers.iter().find(stays).filter(leaves) {
        return Some(json!({"id": bystander.head, "status": "departed"}));
    }
    // Whoever stood in the way of somebody strong has felt it.
    let strong = |row: &&Row| {
        let check = state.checks.iter().find(|known| known.head == row.flag(0));
        row.has("success") && check.is_some_and(|check| check.get("ability") == "STR")
    };
    let pushed = state.last_checks.iter().find(strong).and_then(|row| person_of(request, row.flag(0)))?;
    let person =
        state.npcs.iter().find(|row| called(row) == pushed).filter(|row| is_against(request, row))?;
    let known = state.persons.iter().find(|row| row.head == person.head);
    let left = known.and_then(|row| row.get("hp").split('/').next()?.parse::<i64>().ok());
    (left.is_none_or(|left| left > 2) && stable.draw("pushed").chance(30))
        .then(|| json!({"id": person.head, "hp_delta": -1}))
}

/// What the party has let go of with the check, where that is not told of already.
pub(super) fn handed_over(request: &Request<'_>, scribe: &mut Scribe, told: &str) -> Option<String> {
    let (giver, rest) =
        request.effects().find_map(|line| line.strip_prefix("[item] ")?.split_once(" gives "))?;
    let (thing, receiver) = rest.rsplit_once(" to ").filter(|(thing, _)| !told.contains(thing))?;
    scribe.set("giver", short(request.state.player(giver)?.called()));
    scribe.set("thing", thing);
    scribe.set("receiver", receiver);
    Some(scribe.say(HANDED_OVER))
}

/// What is told of what was just recorded.
pub(super) fn told(request: &Request<'_>, scribe: &mut Scribe, speaker: Option<&Player>) -> Vec<String> {
    let name = speaker.map(Player::called).unwrap_or_default();
    let mut said = Vec::new();
    for line in request.results.iter().flat_map(|result| result.lines()) {
        if let Some(thing) = after(line, &format!("[item] {name} gains ")) {
            scribe.set("thing", counted(thing));
            said.push(scribe.say(GAINED));
        } else if let Some(thing) = after(line, &format!("[item] {name} loses ")) {
            scribe.set("thing", counted(thing));
            said.push(scribe.say(LOST));
        } else if let Some(coins) = after(line, &format!("[gold] {name}: ")) {
            let count: i64 = coins.split([' ', ',']).next().and_then(|count| count.parse().ok()).unwrap_or(0);
            scribe.set("coins", coined(count.unsigned_abs()));
            said.push(scribe.say(if count > 0 { EARNED } else { PAID }));
        } else if let Some(condition) = after(line, &format!("[condition] {name} is no longer ")) {
            scribe.set("condition", condition);
            said.push(scribe.say(RECOVERED));
        } else if let Some(condition) = after(line, &format!("[condition] {name} is ")) {
            scribe.set("condition", condition);
            said.push(scribe.say(SUFFERED));
        } else if let Some(place) = after(line, "[place] ").filter(|_| !has_people_of_checks(request)) {
            let place = small(place, &[]);
            scribe.set("place", place);
            said.push(scribe.say(ELSEWHERE));
        } else if let Some((riser, _)) = after(line, "[hp] ").and_then(|line| line.split_once(": +1, now 1"))
        {
            scribe.set("riser", riser);
            said.push(scribe.say(RISES));
        } else if let Some(pushed) = pushed(request, line) {
            scribe.set("pushed", pushed);
            said.push(scribe.say(PUSHED));
        } else if let Some(name) =
            line.strip_prefix("[status] ").and_then(|line| line.strip_suffix(" is departed"))
        {
            scribe.set("leaver", name);
            said.push(scribe.say(LEAVES));
        }
    }
    said
}

/// Which of the DM's people has been hurt, when a record says so.
fn pushed(request: &Request<'_>, line: &str) -> Option<String> {
    let (name, _) = line.strip_prefix("[hp] ")?.split_once(": -")?;
    request.state.npcs.iter().map(called).find(|known| known == name)
}

fn after<'l>(line: &'l str, head: &str) -> Option<&'l str> {
    line.strip_prefix(head).map(str::trim)
}

/// "2 × walnut" as "two walnuts", and "tin whistle" as "a tin whistle".
fn counted(thing: &str) -> String {
    let (count, thing) = match thing.split_once(" × ") {
        Some((count, thing)) => (count.parse::<usize>().unwrap_or(1), thing),
        None => (1, thing),
    };
    let many = THINGS.iter().find(|(one, _)| *one == thing).map_or("", |(_, many)| many);
    match COUNTS.get(count).filter(|_| count > 1 && !many.is_empty()) {
        Some(word) => format!("{word} {many}"),
        None => format!("a {thing}"),
    }
}

fn coined(count: u64) -> String {
    match usize::try_from(count).ok().and_then(|count| COUNTS.get(count)) {
        Some(&"a") => "a coin".to_owned(),
        Some(word) => format!("{word} coins"),
        None => format!("{count} coins"),
    }
}
