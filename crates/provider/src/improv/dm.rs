//! The DM in play: consequences, people with wants, complications, and an ending in good time.

use serde_json::{Value, json};

use super::grammar::Scribe;
use super::narration::*;
use super::read::{Person, attempt, clause_after, lower, names, shift, short, things};
use super::reply::{Reply, call};
use super::request::Request;
use super::session_zero::list;
use super::state::{Player, Row};
use super::story::{Aim, Story, called, clues, failure_note, surroundings, timetable, want};

/// What the DM says in play.
pub(super) fn dm(request: &Request<'_>, scribe: &mut Scribe) -> Reply {
    let story = Story::of(request);
    let speaker = last_speaker(request);
    scenery(request, scribe, &story, speaker);
    if request.state.encounter.get("opening") == "needed" && request.state.messages.done <= 1 {
        return Reply::words(opening(request, scribe));
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
fn last_speaker<'r>(request: &'r Request<'_>) -> Option<&'r Player> {
    let mut spoken = request.lines.iter().rev().filter(|line| !line.own);
    spoken.find_map(|line| request.state.player(&line.speaker))
}

fn last_words<'r>(request: &'r Request<'_>, speaker: Option<&Player>) -> &'r str {
    let Some(speaker) = speaker else { return "" };
    let by_speaker =
        |line: &&super::request::Line| line.speaker == speaker.seat || line.speaker == speaker.called();
    request.lines.iter().rev().find(by_speaker).map(|line| line.text.as_str()).unwrap_or("")
}

/// What the last speaker set out to do, in the second or third person.
fn declared(request: &Request<'_>, speaker: Option<&Player>, person: Person) -> Option<String> {
    let tried = check(request, speaker).map_or("", |(row, _)| row.flag(0));
    attempt(last_words(request, speaker), tried).map(|act| shift(&act, person))
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
    scribe.set("act", declared(request, speaker, Person::Second).unwrap_or_default());
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
fn check<'r>(request: &'r Request<'_>, speaker: Option<&Player>) -> Option<(&'r Row, bool)> {
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
    said.push(question(request, scribe, speaker));
    said.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
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
    if scribe.has("npc_want") && scribe.chance(22) {
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

/// A call that keeps the books, at most one in a reply.
fn housekeeping(
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
    if state.party_document == "stale" && scribe.chance(60) {
        let call = call(request, "update_party_document", party_note(request, speaker));
        if call.is_some() {
            return call;
        }
    }
    let percent = scribe.draw().below(100);
    match percent {
        0..34 => call(request, "update_game_state", state_change(request, scribe, story, speaker)),
        34..37 => call(
            request,
            "search_rules",
            json!({"query": check(request, speaker).map_or("morale", |(row, _)| row.flag(0))}),
        ),
        37..40 => call(
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
        "{} brings it about in their own way, having begun by managing to {act}, and {} is given up without a fight.",
        speaker.called(),
        story.quarry
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
            let met: Vec<&str> = request
                .state
                .npcs
                .iter()
                .filter(|row| names(said, &called(row)))
                .map(|row| row.head.as_str())
                .collect();
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

/// What a player's character wants, as far as the material or the transcript says.
fn wish(request: &Request<'_>, player: &Player) -> Option<String> {
    let full = player.called();
    for name in [full, short(full)] {
        let lead = format!("{name} wants to ");
        if let Some(found) = clause_after(&request.material, &[&lead]) {
            return Some(found.to_owned());
        }
    }
    let own: Vec<&str> = request.lines_by([&player.seat, full]).map(|line| line.text.as_str()).collect();
    let own = own.join("\n");
    let told = super::words::WANTS.iter().find(|want| own.contains(**want)).copied();
    told.or_else(|| clause_after(&own, &["I want to "])).map(|want| shift(want, Person::Third))
}

/// The ending: narration and the call that closes the encounter.
fn resolve(request: &Request<'_>, scribe: &mut Scribe, story: &Story, goal: &Row) -> Option<Reply> {
    let state = &request.state;
    let cast: Vec<String> = state.npcs.iter().map(called).collect();
    let mut keep: Vec<&str> = cast.iter().map(String::as_str).collect();
    keep.extend(state.players.iter().map(Player::called));
    let label = goal.get("label").trim_end_matches('.');
    let label = if label.is_empty() { goal.head.replace('-', " ") } else { label.to_owned() };
    scribe.set("label", lower(&label, &keep));
    let names: Vec<String> = state.players.iter().map(|player| short(player.called()).to_owned()).collect();
    scribe.set("party", list(&names));
    let speaker = last_speaker(request);
    let checked = check(request, speaker);
    let beginning = match checked {
        Some((_, true)) => scribe.say(LAST_SUCCESS),
        Some((_, false)) => scribe.say(LAST_FAILURE),
        None => scribe.say(LAST_PLAIN),
    };
    let ends = scribe.say(ENDS);
    let suspect = scribe.say(SUSPECT_END);
    let cost = scribe.say(match state.failed {
        0 => COST_NONE,
        1..=2 => COST_SOME,
        _ => COST_MUCH,
    });
    let mut fates = Vec::new();
    for player in &state.players {
        scribe.set("who", short(player.called()));
        scribe.set("wish", wish(request, player).unwrap_or_default());
        fates.push(scribe.say(FATES));
    }
    let last = scribe.say(LAST_IMAGES);
    let text = [beginning, ends, suspect, cost.clone(), fates.join(" "), last];
    let text = text.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let summary = summary(request, story, &lower(&label, &keep), &cost);
    let resolved = call(
        request,
        "encounter_resolve",
        json!({"encounterId": state.encounter.head, "outcomeId": goal.head, "summary": summary}),
    )?;
    Some(Reply { text, calls: vec![resolved], cut: false })
}

/// Who wanted what, what it cost, and how it ended.
fn summary(request: &Request<'_>, story: &Story, label: &str, cost: &str) -> String {
    let state = &request.state;
    let mut told: Vec<String> = Vec::new();
    for player in &state.players {
        if let Some(wish) = wish(request, player) {
            told.push(format!("{} wanted to {wish}.", player.called()));
        }
    }
    let mut people = vec![&story.suspect, &story.obstacle];
    people.dedup();
    for name in people {
        if let Some(want) = want(request, name) {
            told.push(format!("{name} wanted {want}."));
        }
    }
    let deed = last_speaker(request).and_then(|player| {
        let act = declared(request, Some(player), Person::Third)?;
        Some(format!("It turned when {} set out to {act}.", player.called()))
    });
    told.extend(deed);
    if !cost.is_empty() {
        told.push(cost.to_owned());
    }
    told.push(format!("It ended so: {}.", label));
    told.join(" ")
}
