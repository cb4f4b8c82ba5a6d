//! The DM in play: consequences, people with wants, complications, and an ending in good time.

use serde_json::json;

use super::books::{housekeeping, newly_met};
use super::ending::resolve;
use super::grammar::Scribe;
use super::narration::*;
use super::nouns::{places, things};
use super::read::{Person, attempt, lower, names, proper, sentences, shift, short};
use super::reply::{Reply, call};
use super::request::Request;
use super::state::{Player, Row};
use super::story::{Aim, Story, called, clues, failure_note, pronoun, surroundings, timetable, want};

/// What the DM says in play.
pub(super) fn dm(request: &Request<'_>, scribe: &mut Scribe) -> Reply {
    let story = Story::of(request);
    let speaker = last_speaker(request);
    scenery(request, scribe, &story, speaker);
    if request.state.encounter.get("opening") == "needed" && request.state.messages.done <= 1 {
        let met = newly_met(request, request.tagged("opening"));
        let recorded = json!({"npcs_met": met});
        return match call(request, "update_game_state", recorded) {
            Some(call) if !met.is_empty() && request.results.is_empty() => Reply::call(call),
            _ => Reply::words(opening(request, scribe)),
        };
    }
    if request.results.is_empty() {
        if let Some(goal) = story.ending(request) {
            let ended = resolve(request, scribe, &story, goal);
            if let Some(reply) = ended {
                return reply;
            }
        }
        if let Some(call) = housekeeping(request, scribe, &story, speaker) {
            return Reply::call(call);
        }
    }
    Reply::words(turn(request, scribe, &story, speaker))
}

/// The player who spoke last.
pub(super) fn last_speaker<'r>(request: &'r Request<'_>) -> Option<&'r Player> {
    let mut spoken = request.lines.iter().rev().filter(|line| !line.own);
    spoken.find_map(|line| request.state.player(&line.speaker))
}

pub(super) fn last_words<'r>(request: &'r Request<'_>, speaker: Option<&Player>) -> &'r str {
    let Some(speaker) = speaker else { return "" };
    let by_speaker =
        |line: &&super::request::Line| line.speaker == speaker.seat || line.speaker == speaker.called();
    request.lines.iter().rev().find(by_speaker).map(|line| line.text.as_str()).unwrap_or("")
}

/// What the last speaker set out to do, in the second or third person.
pub(super) fn declared(request: &Request<'_>, speaker: Option<&Player>, person: Person) -> Option<String> {
    let tried = check(request, speaker).map_or("", |(row, _)| row.flag(0));
    let act = if tried.contains(' ') {
        Some(tried.to_owned())
    } else {
        attempt(last_words(request, speaker), tried)
    };
    act.map(|act| shift(&with_names(request, &act), person))
}

/// The text with capitals where it names somebody of this encounter.
fn with_names(request: &Request<'_>, text: &str) -> String {
    let people: Vec<String> = request.state.npcs.iter().map(called).collect();
    let words: Vec<&str> = people.iter().flat_map(|name| name.split(' ')).collect();
    proper(text, &format!("and {}", words.join(" and ")))
}

/// The player to ask: mostly the one who waited longest.
fn next<'r>(request: &'r Request<'_>, scribe: &mut Scribe, speaker: Option<&Player>) -> Option<&'r Player> {
    let mut waiting: Vec<&Player> = request
        .state
        .players
        .iter()
        .filter(|player| speaker.is_none_or(|last| last.seat != player.seat))
        .collect();
    waiting.sort_by_key(|player| -player.waited);
    let index = usize::from(waiting.len() > 1 && scribe.chance(22));
    waiting.get(index).copied().or(request.state.players.first())
}

/// Fills the slots of everything that can be spoken of.
fn scenery(request: &Request<'_>, scribe: &mut Scribe, story: &Story, speaker: Option<&Player>) {
    let state = &request.state;
    let said = last_words(request, speaker);
    let act = declared(request, speaker, Person::Second).unwrap_or_default();
    let failed = check(request, speaker).is_some_and(|(_, success)| !success);
    scribe.set("act", if failed && !act.is_empty() { format!("try to {act}") } else { act });
    scribe.set("who", speaker.map(|player| short(player.called())).unwrap_or("friend"));
    let people: Vec<String> = state.npcs.iter().map(called).collect();
    let meant: Vec<String> = people.iter().filter(|name| names(said, name)).cloned().collect();
    let npc =
        scribe.draw().choose(if meant.is_empty() { &people } else { &meant }).cloned().unwrap_or_default();
    scribe.set("npc", npc.as_str());
    scribe.set_all("npc2", people.iter().filter(|name| **name != npc).cloned().collect());
    let role = state.npcs.iter().find(|row| called(row) == npc).map(|row| row.get("role")).unwrap_or("");
    scribe.set("role", role.split(" of ").next().unwrap_or(role));
    let known = |wish: &String| !request.own_lines().any(|line| line.text.contains(wish));
    scribe.set("npc_want", want(request, &npc).filter(known).unwrap_or_default());
    scribe.set("suspect", story.suspect.as_str());
    scribe.set("witness", story.witness.as_str());
    scribe.set("obstacle", story.obstacle.as_str());
    scribe.set("obstacle_want", want(request, &story.obstacle).unwrap_or_default());
    scribe.set("suspect_want", want(request, &story.suspect).unwrap_or_default());
    scribe.set("quarry", story.quarry.as_str());
    scribe.set("clue_trace", story.trace.as_str());
    scribe.set("hidden", story.hideaway.as_str());
    scribe.set("time", state.time_of_day.split(',').next().unwrap_or("").to_lowercase());
    let fellows = state.players.iter().filter(|player| speaker.is_none_or(|last| last.seat != player.seat));
    scribe.set_all("other", fellows.map(|player| short(player.called()).to_owned()).collect());
    let mut seen = things(request.tagged("opening"));
    seen.extend(places(&state.location));
    for line in surroundings(request) {
        seen.extend(things(&line));
    }
    let spoken = things(said);
    let near = spoken.len() > 1 && scribe.chance(50);
    scribe.set_all("thing", if near { spoken } else { seen });
}

fn opening(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let told = request.tagged("opening");
    let mut text = if told.is_empty() {
        let state = &request.state;
        let place = if state.location.is_empty() {
            String::new()
        } else {
            format!("We are here: {}. ", state.location.trim_end_matches('.'))
        };
        let task = if state.objective.is_empty() {
            String::new()
        } else {
            format!("What you have been asked is plain enough: {} ", state.objective)
        };
        format!("{place}{task}").trim().to_owned()
    } else {
        told.to_owned()
    };
    let turn = scribe.say(OPENING_TURN);
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(&turn);
    text.push(' ');
    text.push_str(&question(request, scribe, None));
    text
}

fn question(request: &Request<'_>, scribe: &mut Scribe, speaker: Option<&Player>) -> String {
    match next(request, scribe, speaker) {
        Some(player) => {
            scribe.set("next", player.called());
            scribe.say(QUESTIONS)
        }
        None => scribe.say(PLAIN_QUESTIONS),
    }
}

/// The last speaker's check since the DM last spoke, and whether it succeeded.
pub(super) fn check<'r>(request: &'r Request<'_>, speaker: Option<&Player>) -> Option<(&'r Row, bool)> {
    let name = speaker.map(Player::called)?;
    let row = request.state.last_checks.iter().rev().find(|row| row.head == name)?;
    Some((row, row.has("success")))
}

/// An ordinary message: what came of it, who minds, what is new, who is next.
fn turn(request: &Request<'_>, scribe: &mut Scribe, story: &Story, speaker: Option<&Player>) -> String {
    let state = &request.state;
    let checked = check(request, speaker);
    let mut said = Vec::new();
    match checked {
        Some((_, true)) => {
            said.push(scribe.say(SUCCESS));
            said.push(rung(request, scribe, state.passed));
        }
        Some((row, false)) => {
            said.push(scribe.say(FAILURE));
            match failure_note(request, row.flag(0)) {
                Some(note) => {
                    scribe.set("note", lower(&note, &[]));
                    said.push(scribe.say(NOTED_FAILURE));
                }
                None => said.push(scribe.say(COST)),
            }
        }
        None if speaker.is_some() => {
            said.push(scribe.say(if scribe.has("act") { NEUTRAL } else { NEUTRAL_PLAIN }))
        }
        None => {}
    }
    let person = person(scribe, state.messages.done * 100 / state.messages.all.max(1));
    let news = news(request, scribe, story, checked.is_some());
    if scribe.chance(35) && checked.is_none() {
        said.push(news);
        said.push(person);
    } else {
        said.push(person);
        said.push(news);
    }
    said.push(if story.aim == Aim::Nothing && state.messages.all - state.messages.done <= 2 {
        last_call(request, scribe, speaker)
    } else {
        question(request, scribe, speaker)
    });
    with_pronouns(request, &said.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "))
}

/// The last question of an encounter that comes to nothing.
fn last_call(request: &Request<'_>, scribe: &mut Scribe, speaker: Option<&Player>) -> String {
    if let Some(player) = next(request, scribe, speaker) {
        scribe.set("next", player.called());
    }
    scribe.say(LAST_CALLS)
}

/// The text with "She" or "He" where a sentence begins with the very person that the one before it ended on.
fn with_pronouns(request: &Request<'_>, text: &str) -> String {
    let people: Vec<(String, Option<&str>)> = request
        .state
        .npcs
        .iter()
        .map(called)
        .map(|name| {
            let she = pronoun(request, &name);
            (name, she)
        })
        .collect();
    let mut last: Vec<&str> = Vec::new();
    let mut told = Vec::new();
    for sentence in sentences(text) {
        let named: Vec<&str> =
            people.iter().map(|(name, _)| name.as_str()).filter(|name| names(sentence, name)).collect();
        let again = people.iter().find_map(|(name, she)| {
            let rest = sentence.strip_prefix(name.as_str())?.strip_prefix(' ')?;
            let alone = last == [name.as_str()] && named == last;
            alone.then(|| she.map(|she| format!("{she} {rest}")))?
        });
        told.push(again.unwrap_or_else(|| sentence.to_owned()));
        // Speech between the two does not change who is meant.
        if !(named.is_empty() && sentence.starts_with('"')) {
            last = named;
        }
    }
    told.join(" ")
}

/// The next step of the trail; every passed check leads one step further.
fn rung(request: &Request<'_>, scribe: &mut Scribe, passed: i64) -> String {
    let clues = clues(request);
    if passed <= 3 && !clues.is_empty() && scribe.chance(60) {
        scribe.set_all("clue", clues);
        return scribe.say(CLUES);
    }
    scribe.say(match passed {
        i64::MIN..=1 => TRAIL_FIRST,
        2 => TRAIL_SECOND,
        3 => TRAIL_THIRD,
        4 => TRAIL_FOURTH,
        _ => TRAIL_LAST,
    })
}

/// An NPC does and says something, guarded at first and open towards the end.
fn person(scribe: &mut Scribe, percent: i64) -> String {
    if !scribe.has("npc") || scribe.chance(12) {
        return String::new();
    }
    let lines = match percent {
        i64::MIN..34 => GUARDED,
        34..62 => PRESSED,
        _ => OPEN,
    };
    let line = scribe.say(lines);
    scribe.set("line", line);
    let spoken = scribe.say(SPOKEN);
    if percent >= 30 && scribe.has("npc_want") && scribe.chance(26) {
        let wish = scribe.say(WISHES);
        return format!("{spoken} {wish}");
    }
    spoken
}

/// Something new: what the notes have in store, the surroundings, a complication, or the hour.
fn news(request: &Request<'_>, scribe: &mut Scribe, story: &Story, short: bool) -> String {
    if let Some(event) = timetable(request) {
        return scribe.quote(&[event]).unwrap_or_default();
    }
    let percent = request.state.messages.done * 100 / request.state.messages.all.max(1);
    if scribe.chance(30)
        && let Some(told) = scribe.quote(&surroundings(request))
    {
        return told;
    }
    if percent > 30 && scribe.chance(14) {
        let feats = feats(request, scribe);
        if !feats.is_empty() {
            return feats;
        }
    }
    let near_end = request.state.messages.done + 5 >= story.due;
    let patterns = match percent {
        _ if near_end && scribe.chance(55) => CLOSING_IN,
        i64::MIN..30 => COLOUR,
        30..60 => COMPLICATIONS,
        _ => PRESSURE,
    };
    if short && scribe.chance(25) {
        return String::new();
    }
    scribe.say(patterns)
}

/// What the town says of a deed that the DM has noted down.
fn feats(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let memory = request.tagged("memory");
    let noted = memory.lines().filter_map(|line| line.strip_prefix("- ")?.strip_suffix('.'));
    scribe.set_all("feat", noted.filter(|line| line.contains(" managed to ")).map(str::to_owned).collect());
    scribe.say(FEATS)
}
