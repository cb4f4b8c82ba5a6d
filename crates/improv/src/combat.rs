//! Blows: the DM's foes and the players strike, tell what the dice said, and stop as soon as that is decent.

use serde_json::json;

use super::companion::lower_first;
use super::grammar::Scribe;
use super::pick::Pick;
use super::read::short;
use super::reply::{Reply, call};
use super::request::Request;
use super::state::{Player, Row};
use super::talk_lines::*;

/// Rounds after which everybody has had enough.
const ROUNDS_MAX: i64 = 4;
/// Words in the names of things that one strikes with.
const WEAPONS: &[&str] = &[
    "sword",
    "knife",
    "staff",
    "axe",
    "hatchet",
    "club",
    "cudgel",
    "truncheon",
    "cosh",
    "sling",
    "bow",
    "hook",
    "bill",
    "mace",
    "spear",
    "hammer",
    "dagger",
    "shovel",
    "catapult",
    "cane",
    "pole",
    "iron",
    "scissors",
    "umbrella",
    "pin",
];

/// What is thrown for in a fight that may be over: by a foe, and by one of the party.
const GOING_ON: &str = "going on with it, hurt";
const STOPPING: &str = "making everybody stop";

/// An attack as the engine tells it.
struct Blow<'t> {
    attacker: &'t str,
    target: &'t str,
    with: &'t str,
    hit: bool,
    /// Whether the target is out of it now.
    down: bool,
}

/// Whether somebody is fighting.
pub(super) fn is_fought(request: &Request<'_>) -> bool {
    !request.state.foes.is_empty() && !request.state.acting.is_empty()
}

/// The DM's turn in a combat: every foe who acts attacks, or it ends. Where one side has had enough, dice say whether it gives way.
pub(super) fn dm(
    request: &Request<'_>,
    scribe: &mut Scribe,
    speaker: Option<&Player>,
    question: &str,
) -> Reply {
    let state = &request.state;
    let results = request.results.join("\n");
    let gives_way = gives_way(&results);
    if !results.is_empty() && gives_way.is_none() {
        return Reply::words(told(request, scribe));
    }
    let standing = state.standing();
    let is_spent = standing.iter().all(|foe| foe.get("health") == "badly hurt");
    let beaten = is_spent || standing.len() * 2 <= state.foes.len();
    let bleeding = targets(request).len() * 2 <= state.characters.len();
    let is_long = state.combat.done >= ROUNDS_MAX;
    let wavers = state.combat.done >= 2 && (beaten || bleeding);
    let hero = speaker.filter(|player| targets(request).iter().any(|row| row.head == player.called()));
    if wavers
        && !is_long
        && gives_way.is_none()
        && let Some(throw) = throw(request, hero, beaten)
    {
        return Reply::call(throw);
    }
    if is_long || (wavers && gives_way != Some(false)) {
        let outcome = if beaten { "foes_fled" } else { "truce" };
        if let Some(end) = call(request, "end_combat", json!({"outcome": outcome})) {
            scribe.set("foe", standing.first().map(|foe| foe.get("name")).unwrap_or_default());
            scribe.set("hero", hero.map(|player| short(player.called())).unwrap_or_default());
            let end_told = scribe.say(match beaten {
                true => FOES_RUN,
                false if hero.is_some() => TRUCE,
                false => FIGHT_ENDS,
            });
            return Reply { text: format!("{end_told} {question}"), calls: vec![end], cut: false };
        }
    }
    let able = targets(request);
    let acting = standing.iter().filter(|foe| state.acting.contains(&foe.head));
    let mut calls = Vec::new();
    for foe in acting {
        let target = scribe.draw().choose(&able).map(|row| row.head.clone()).unwrap_or_default();
        let blow = json!({"attacker": foe.head, "target": target});
        calls.extend(call(request, "attack", blow).filter(|_| !target.is_empty()));
    }
    if calls.is_empty() { Reply::words(told(request, scribe)) } else { Reply { calls, ..Reply::default() } }
}

/// Dice on whether it is over: whether a foe who is nearly alone holds out, or whether whoever spoke last makes everybody stop. As hard as
/// the checks of the encounter.
fn throw(request: &Request<'_>, hero: Option<&Player>, beaten: bool) -> Option<(String, String)> {
    let state = &request.state;
    let is_meant = |row: &&Row| ["CHA", "HEART"].contains(&row.get("ability"));
    let like = state.checks.iter().find(is_meant).or(state.checks.first())?;
    let (who, reason) = match beaten {
        true => (state.standing().first()?.head.as_str(), GOING_ON),
        false => (hero?.called(), STOPPING),
    };
    let difficulty = like.number("difficulty")?;
    let asked = json!({
        "character": who, "ability": like.get("ability"), "difficulty": difficulty, "reason": reason,
    });
    // A check would count among those of the encounter.
    call(request, "saving_throw", asked)
}

/// What these dice have said, if they were thrown last.
fn gives_way(results: &str) -> Option<bool> {
    let thrown = results.lines().last()?.strip_prefix("[save] ")?;
    let success = thrown.ends_with(": success");
    Some(if thrown.contains(GOING_ON) { !success } else { success })
}

/// The characters who stand.
fn targets<'r>(request: &'r Request<'_>) -> Vec<&'r Row> {
    let stands = |row: &&Row| !row.get("hp").starts_with("0/");
    request.state.characters.iter().filter(stands).collect()
}

/// What the results of the foes' attacks say, in prose.
fn told(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let results = request.results.join("\n");
    let mut told = Vec::new();
    for blow in blows(&results) {
        scribe.set("attacker", blow.attacker);
        scribe.set("target", short(blow.target));
        scribe.set("weapon", a_weapon(blow.with));
        told.push(scribe.say(if blow.hit { FOE_HITS } else { FOE_MISSES }));
        told.push(if blow.down { scribe.say(FALLS) } else { String::new() });
    }
    if told.is_empty() {
        let name = |row: &Row| row.get("name").to_owned();
        scribe.set("attacker", request.state.standing().first().map(|row| name(row)).unwrap_or_default());
        told.push(scribe.say(FOES_WAIT));
    }
    told.retain(|part| !part.is_empty());
    told.join(" ")
}

/// The attacks in what the engine answered.
fn blows(results: &str) -> Vec<Blow<'_>> {
    let lines: Vec<&str> = results.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((who, rest)) = line.strip_prefix("[attack] ").and_then(|line| line.split_once(" against "))
        else {
            continue;
        };
        let Some((target, rest)) = rest.split_once(" with ") else { continue };
        let Some((with, outcome)) = rest.split_once(": ") else { continue };
        let now = lines.get(at + 1).filter(|next| next.starts_with(&format!("[hp] {target}:")));
        found.push(Blow {
            attacker: who,
            target,
            with,
            hit: outcome.contains("hits for"),
            down: now.is_some_and(|now| now.ends_with("now 0")),
        });
    }
    found
}

fn a_weapon(with: &str) -> String {
    match with {
        "what is at hand" => "whatever is at hand".to_owned(),
        "bare hands" => with.to_owned(),
        other => format!("the {}", lower_first(other)),
    }
}

/// A player's turn in a combat.
pub(super) fn player(request: &Request<'_>, scribe: &mut Scribe, name: &str, class: &str) -> Reply {
    let state = &request.state;
    let foes = state.standing();
    let target = foes.iter().min_by_key(|foe| foe.get("health") != "badly hurt").map_or("", |foe| &foe.head);
    let carried = state.carried(name);
    let weapon = carried.iter().find(|item| {
        let item = item.to_lowercase();
        item.split([' ', '-']).any(|word| WEAPONS.contains(&word))
    });
    let results = request.results.join("\n");
    if !request.results.is_empty() {
        let rules = ["spell", "unknown_character", "uses_per"];
        let by = |rule: &&str| results.contains(&format!("refused ({rule}"));
        let refused = rules.iter().any(by);
        let records = request.records.join("\n");
        let charm = chosen(request, &records);
        let found = results.contains("[rules] ");
        let blow = match (charm.filter(|_| found), refused) {
            // A charm that heals wants somebody of one's own.
            (None, true)
                if charm.is_some()
                    && results.contains("refused (unknown_character)")
                    && is_hurt(request, name) =>
            {
                call(request, "attack", json!({"target": name, "with": charm}))
            }
            (Some(charm), _) => call(request, "attack", json!({"target": target, "with": charm})),
            (None, true) => call(request, "attack", json!({"target": target})),
            (None, false) => None,
        };
        return blow.map_or_else(|| Reply::words(struck(request, scribe)), Reply::call);
    }
    let records = request.records.join("\n");
    let unfit = records.contains("refused (spell_");
    let known = chosen(request, &records).filter(|_| !unfit);
    // What has worked once is tried again.
    let mine = format!("[spell] {name} casts ");
    let cast = |text: &str| {
        Some(text.strip_prefix(&mine)?.split_once(" on ")?)
            .map(|(charm, on)| (charm.to_owned(), on.trim() == name))
    };
    let worked = records.lines().find_map(cast);
    // A charm that heals is for no foe.
    let heals = worked.as_ref().is_some_and(|(_, own)| *own);
    let aim = match heals {
        true => Some(name).filter(|_| is_hurt(request, name)),
        false => Some(target),
    };
    let fight =
        request.lines.iter().rposition(|line| line.text.starts_with("[combat] Against ")).unwrap_or(0);
    let has_cast = request.lines[fight..].iter().any(|line| line.text.starts_with(&mine));
    // Whether an untried one works shows in the first round, and what did not is not remembered.
    let is_first = state.combat.done <= 1;
    if let Some(charm) = worked.as_ref().map(|(charm, _)| charm.as_str()).or(known.filter(|_| is_first))
        && !has_cast
        && let Some(aim) = aim
        && scribe.chance(if worked.is_some() { 85 } else { 30 })
    {
        let cast = call(request, "attack", json!({"target": aim, "with": charm}));
        if let Some(cast) = cast {
            return Reply::call(cast);
        }
    }
    if !class.is_empty() && known.is_none() && !unfit && is_first && scribe.chance(50) {
        let asked = json!({"query": format!("{class} spell hurt")});
        if let Some(call) = call(request, "search_rules", asked) {
            return Reply::call(call);
        }
    }
    let mut calls = Vec::new();
    if scribe.chance(25) {
        let ability = state.checks.iter().map(|row| row.get("ability")).find(|ability| !ability.is_empty());
        let keep = json!({"character": name, "ability": ability.unwrap_or("DEX"), "reason": "keeping both feet on the ground"});
        calls.extend(call(request, "saving_throw", keep));
    }
    let mut blow = json!({"target": target});
    if let Some(weapon) = weapon {
        blow["with"] = json!(weapon);
    }
    calls.extend(call(request, "attack", blow));
    if calls.is_empty() { Reply::words(scribe.say(NO_STRIKE)) } else { Reply { calls, ..Reply::default() } }
}

/// Has the character lost any hit points? A player is told its own.
fn is_hurt(request: &Request<'_>, name: &str) -> bool {
    let own = request.state.characters.iter().find(|row| row.head == name);
    own.and_then(|row| row.get("hp").split_once('/')).is_some_and(|(now, most)| now != most)
}

/// The charms that a search of the rules has found.
fn charms(results: &str) -> impl Iterator<Item = &str> {
    let found = results.lines().filter(|line| line.starts_with("[rules] "));
    found.flat_map(|line| line.split([' ', ','])).filter_map(|path| path.strip_prefix("spells/"))
}

/// The charm among them that this seat trusts, always the same.
fn chosen<'t>(request: &Request<'_>, records: &'t str) -> Option<&'t str> {
    let found: Vec<&str> = charms(records).collect();
    let mut draw = Pick::new(request.seed, &["charm"]).draw("charm");
    // What a search names first fits best.
    if draw.chance(65) { found.first().copied() } else { draw.choose(&found).copied() }
}

/// What the engine said of one's own blow.
fn struck(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let results = request.results.join("\n");
    let casts = results.contains("[spell] ");
    let foe = |name: &str| {
        let row = request.state.foes.iter().find(|row| row.get("name") == name || row.head == name);
        row.map_or_else(|| name.to_owned(), |row| row.get("name").to_owned())
    };
    if let Some(blow) = blows(&results).first() {
        scribe.set("target", foe(blow.target));
        let bare = blow.with == "bare hands";
        scribe.set("weapon", if bare { String::new() } else { lower_first(blow.with) });
        let deed = scribe.say(if casts {
            CASTS
        } else if bare {
            STRIKES_BARE
        } else {
            STRIKES
        });
        let end = scribe.say(match (casts, blow.hit) {
            (true, true) => CAST_HITS,
            (true, false) => CAST_MISSES,
            (false, true) => STRIKE_HITS,
            (false, false) => STRIKE_MISSES,
        });
        let falls = if blow.down { scribe.say(FALLS) } else { String::new() };
        return format!("{deed} {end} {falls}").trim().to_owned();
    }
    if casts {
        let target = results.lines().find_map(|line| line.strip_prefix("[spell] ")?.rsplit(" on ").next());
        scribe.set("target", foe(target.unwrap_or("")));
        let hurt = results.contains("[hp] ");
        let own = request.state.characters.iter().any(|row| Some(row.head.as_str()) == target);
        if own {
            let is_self = request.state.me().map(Player::called) == target;
            scribe.set("target", target.map(short).unwrap_or_default());
            let healing = if is_self { HEALS_ITSELF } else { HEALS };
            return format!("{} {}", scribe.say(healing), scribe.say(HEALED));
        }
        return format!("{} {}", scribe.say(CASTS), scribe.say(if hurt { CAST_HITS } else { CAST_MISSES }));
    }
    scribe.say(NO_STRIKE)
}
