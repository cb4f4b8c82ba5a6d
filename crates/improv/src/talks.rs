//! The DM around conversations and fights: when somebody is spoken to apart, what came of it, and when words are over.

use serde_json::json;

use super::books::{bystanders, harmed};
use super::calm::{is_calm, is_public, may_fight};
use super::dm::{check, last_words, partner, turned};
use super::grammar::Scribe;
use super::pick::Pick;
use super::read::{names, sentences, short};
use super::reply::call;
use super::request::Request;
use super::state::{Player, Row};
use super::story::{called, has_people_of_checks, is_mute, person_of, secret_of};
use super::talk_lines::*;
use super::trail::Trail;
use super::voice::Voice;
use super::words::GIVEN;

/// Conversations of one encounter: more would not be about the matter.
const TALKS_MAX: i64 = 2;
/// Turns that a conversation may take away from the way to an ending.
const TURNS_NEEDED: i64 = 8;
/// In so many of a hundred cases somebody who was won over draws the winner aside.
const WON_OVER: usize = 45;
/// Trust below which somebody may lift a hand against the party.
const HOSTILE: i64 = -10;
/// Whoever comes to blows was spoken of in the last so many messages of the DM.
const NEAR: usize = 2;
/// The DM's note that blows were exchanged.
pub(super) const FOUGHT: &str = "fought";

/// A conversation that has just ended.
pub(super) struct Ended {
    /// Whom it was with.
    pub(super) npc: String,
    /// Whether that person gave away what nobody knew.
    pub(super) has_told: bool,
}

/// The conversation that ended since the DM last spoke.
pub(super) fn ended(request: &Request<'_>) -> Option<Ended> {
    let over = request.effects().filter_map(|text| text.strip_prefix("[dialogue] The talk with ")).last()?;
    let (npc, _) = over.split_once(" is over")?;
    let lead = format!("[dialogue] Of the talk with {npc}: ");
    let heads = [lead.as_str()];
    let kept = request.told(&heads).last().unwrap_or("");
    let row = request.state.npcs.iter().find(|row| called(row) == npc);
    let written = row.map_or("", |row| secret_of(request, row));
    let is_told = |text: &str| sentences(text).into_iter().any(|sentence| kept.contains(sentence));
    let has_told = match written {
        "" => Voice::of(request, npc, "").secrets.iter().any(|secret| kept.contains(secret.as_str())),
        text => is_told(text),
    };
    Some(Ended { npc: npc.to_owned(), has_told })
}

/// What came of the conversation that has just ended.
pub(super) fn after(request: &Request<'_>, scribe: &mut Scribe, ended: &Ended) -> String {
    scribe.set("talked", ended.npc.as_str());
    scribe.say(match ended.has_told {
        true => turned(request, "news", CAME_WITH_NEWS),
        false => turned(request, "nothing", CAME_TO_NOTHING),
    })
}

/// A conversation that begins: how it is told, and the call.
pub(super) fn begun(
    request: &Request<'_>,
    scribe: &mut Scribe,
    trail: &Trail<'_>,
    speaker: Option<&Player>,
) -> Option<(String, (String, String))> {
    let state = &request.state;
    let held = state.rows.iter().find(|(key, _)| key == "dialogues");
    // A talk that somebody asks for by name is granted.
    if ended(request).is_none()
        && let Some(npc) = wished(request, speaker)
    {
        let call = call(request, "start_dialogue", json!({"character_id": npc.head}))?;
        scribe.set("npc", called(npc));
        return Some((scribe.say(GOES_APART), call));
    }
    let held: i64 = held.and_then(|(_, row)| row.head.split(' ').next()?.parse().ok()).unwrap_or(0);
    let ahead = state.messages.all - state.messages.done;
    let room = state.turns_left.is_none_or(|left| left >= ahead + TURNS_NEEDED);
    let late = state.messages.done * 100 > state.messages.all.max(1) * 65;
    // What decides a goal is done before everybody.
    let tried_last = check(request, speaker).is_some_and(|(row, _)| trail.is_last(row.flag(0)));
    if held >= TALKS_MAX || !room || late || tried_last || speaker.is_none() || state.messages.done < 3 {
        return None;
    }
    if !is_calm(request, trail, speaker) {
        return None;
    }
    let npc = partner(request, trail, speaker);
    // Nobody has more to say than what was said the first time.
    let heard = format!("The talk with {npc} is over");
    let known = request.tagged("conversations").contains(&format!("With {npc}:"));
    if known || request.lines.iter().any(|line| line.text.contains(&heard)) {
        return None;
    }
    // Whoever tries a check with somebody there speaks to them.
    let tried = check(request, speaker).map_or("", |(row, _)| row.flag(0));
    let with_them = person_of(request, tried) == Some(npc.as_str());
    let spoken_to = with_them || names(last_words(request, speaker), &npc);
    let suits = trail.takes_words();
    let success = check(request, speaker).is_some_and(|(_, success)| success);
    let percent = match (suits, spoken_to) {
        (true, true) => 78,
        // Where the material says whose check it was, a talk is about that.
        (false, true) if with_them => 45,
        _ if has_people_of_checks(request) => 0,
        (true, false) => 40,
        (false, true) => 22,
        (false, false) => 6,
    };
    // Whoever was won over has something to say, too.
    let percent = match success {
        true if with_them && held == 0 => WON_OVER,
        true => 0,
        false => percent,
    };
    if ended(request).is_some() || !scribe.chance(percent) {
        return None;
    }
    let row = state.npcs.iter().find(|row| called(row) == npc)?;
    // What has been told apart would be asked for once more, as if nobody had heard it.
    if !success && says_something(request, &npc) && trail.is_next_with(&npc) {
        return None;
    }
    // Whoever does not speak has something to say only where the material says how.
    if is_mute(request, row) && !says_something(request, &npc) {
        return None;
    }
    let call = call(request, "start_dialogue", json!({"character_id": row.head}))?;
    let patterns = match (success && with_them, says_something(request, &npc)) {
        // They have just stood there together.
        (true, _) => turned(request, "stays", STAYS),
        (_, true) => turned(request, "over", GOES_OVER),
        _ => GOES_APART,
    };
    scribe.set("npc", npc);
    Some((scribe.say(patterns), call))
}

/// Does the material let this person say something in a talk? It begins with a greeting, for whoever comes up.
fn says_something(request: &Request<'_>, npc: &str) -> bool {
    let row = request.state.npcs.iter().find(|row| called(row) == npc);
    row.is_some_and(|row| !secret_of(request, row).is_empty())
}

/// Whom the last speaker has asked to talk with, if that is one of the DM's people who is here.
fn wished<'r>(request: &'r Request<'_>, speaker: Option<&Player>) -> Option<&'r Row> {
    let (_, named) = last_words(request, speaker).rsplit_once("I want to talk with ")?;
    let named = named.trim_end_matches('.').to_lowercase();
    request.state.npcs.iter().find(|row| called(row).to_lowercase() == named)
}

/// Those who may lift a hand against the party.
pub(super) fn hostile<'r>(request: &'r Request<'_>) -> Vec<&'r Row> {
    let state = &request.state;
    let against = |row: &&Row| {
        let person = state.persons.iter().find(|person| person.head == row.head);
        let active = |person: &&Row| {
            ["", "active"].contains(&person.get("status")) && !person.get("hp").starts_with("0/")
        };
        let trust = person.filter(active).and_then(|person| person.number("trust"));
        trust.is_some_and(|trust| trust < HOSTILE)
    };
    state.npcs.iter().chain(&request.newcomers).filter(against).collect()
}

/// Does this person trust the party less than nobody? No friend is pushed aside.
pub(super) fn is_against(request: &Request<'_>, row: &Row) -> bool {
    let known = request.state.persons.iter().find(|person| person.head == row.head);
    known.and_then(|person| person.number("trust")).is_some_and(|trust| trust < 0)
}

/// A fight that begins: how it is told, and the calls; once in an encounter, after somebody has failed in front of a foe.
pub(super) fn fight(
    request: &Request<'_>,
    scribe: &mut Scribe,
    speaker: Option<&Player>,
) -> Option<(String, Vec<(String, String)>)> {
    let state = &request.state;
    let tried = check(request, speaker).filter(|(_, success)| !success);
    let here = &state.encounter.head;
    let notes = request.tagged("memory").lines().filter_map(|line| line.strip_prefix("- "));
    let fought = notes.chain(request.told(&["[note] "])).any(|note| {
        note.split_once([':', '=']).is_some_and(|(name, value)| name.trim() == FOUGHT && value.trim() == here)
    });
    let late = state.messages.done * 100 > state.messages.all.max(1) * 60;
    // Where the material says whose check it was, nobody else comes to blows over it.
    let whose = tried.map_or("", |(row, _)| person_of(request, row.flag(0)).unwrap_or_default());
    let mut foes = hostile(request);
    foes.retain(|row| !has_people_of_checks(request) || called(row) == whose);
    // Nobody comes at anybody out of nowhere, nor at somebody who lies on the ground.
    let near: Vec<&str> = request.own_lines().take(NEAR).map(|line| line.text.as_str()).collect();
    // Whose check it was is there.
    foes.retain(|row| called(row) == whose || near.iter().any(|said| names(said, &called(row))));
    let lies = tried.is_some_and(|(row, _)| matches!(harmed(request, &row.head), Some((_, 0))));
    let may = !lies && tried.is_some_and(|(row, _)| may_fight(request, row));
    if !may || fought || late || foes.is_empty() || !scribe.chance(60) {
        return None;
    }
    let note = json!({"note": FOUGHT, "note_value": state.encounter.head});
    let sides: Vec<_> = foes.iter().take(2).map(|row| json!({"id": row.head})).collect();
    let start = call(request, "start_combat", json!({"foes": sides}))?;
    scribe.set("foe", foes.first().map(|row| called(row)).unwrap_or_default());
    let calls = call(request, "update_scene", note).into_iter().chain([start]).collect();
    Some((scribe.say(FIGHT_BEGINS), calls))
}

/// Somebody new comes up to the party, in one encounter of four and once, where anybody may walk by.
pub(super) fn newcomer(
    request: &Request<'_>,
    scribe: &mut Scribe,
    trail: &Trail<'_>,
    speaker: Option<&Player>,
) -> Option<(String, (String, String))> {
    let state = &request.state;
    let stable = Pick::new(request.seed, &["newcomer", &state.encounter.head]);
    let when = 7 + 2 * i64::try_from(stable.draw("when").below(4)).unwrap_or(0);
    let comes = stable.draw("comes").chance(8) && request.newcomers.is_empty();
    if !comes || (state.messages.done != when && state.messages.done != when + 1) {
        return None;
    }
    if !is_public(request) || !is_calm(request, trail, speaker) {
        return None;
    }
    let told = format!(
        "{}{}",
        request.material,
        state.characters.iter().map(|row| row.head.as_str()).collect::<String>()
    );
    let free: Vec<&str> = GIVEN.iter().copied().filter(|name| !told.contains(name)).collect();
    let name = stable.draw("name").choose(&free).copied()?;
    let kind = if stable.draw("kind").chance(50) { "companion" } else { "townsperson" };
    let mut who = json!({"archetype": kind, "name_hint": name});
    if !state.location.is_empty() {
        who["location"] = state.location.as_str().into();
    }
    let call = call(request, "create_character", who)?;
    scribe.set("newcomer", name);
    Some((scribe.say(NEWCOMER), call))
}

/// Calls that keep the DM's people in the records: bystanders who were named, and whoever came to harm.
pub(super) fn people(
    request: &Request<'_>,
    trail: &Trail<'_>,
    speaker: Option<&Player>,
) -> Vec<(String, String)> {
    let mut calls = Vec::new();
    let strong = |row: &&Row| row.get("ability") == "STR";
    let won = check(request, speaker).filter(|(_, success)| *success);
    let pushed = won.and_then(|(row, _)| request.state.checks.iter().find(|check| check.head == row.flag(0)));
    let person = partner(request, trail, speaker);
    // Whoever stood in the way of somebody strong is out of breath for a while.
    let stable = Pick::new(request.seed, &["pushed", &request.state.messages.done.to_string()]);
    if pushed.filter(strong).is_some()
        && stable.draw("breath").chance(30)
        && let Some(row) = request.state.npcs.iter().find(|row| called(row) == person)
        && is_against(request, row)
    {
        let winded = json!({"id": row.head, "conditions_add": ["out of breath"]});
        calls.extend(call(request, "update_npc", winded));
    }
    calls.extend(bystanders(request));
    calls
}

/// The first name of whoever a talk was with, for what is asked of the records.
pub(super) fn asked_about(trail: &Trail<'_>) -> String {
    short(&trail.partner()).to_owned()
}
