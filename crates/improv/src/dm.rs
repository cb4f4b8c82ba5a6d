//! The DM in play: what came of a deed, who answers, and what has to be done next.

use serde_json::json;

use super::books::{awaits_bystander, bystanders, harmed, housekeeping, hurt, is_look, looked_at, newly_met};
use super::carried::carried;
use super::clue::{is_said_by, just_said};
use super::combat;
use super::consequence;
use super::ending;
use super::grammar::{Scribe, capital};
use super::narration::*;
use super::pick::Pick;
use super::read::{Person, attempt, lower, names, proper, sentences, shift, short};
use super::reply::{Reply, call};
use super::request::Request;
use super::state::{Player, Row};
use super::story::{
    answer_to, called, check_told, failed_twice, has_people_of_checks, is_blind, is_mute, outcomes,
    person_of, scene_again, scene_before, scene_end, surroundings, tells, timetable, worse,
};
use super::talk_lines::FIGHT_IS_OVER;
use super::talks;
use super::trail::Trail;
use super::voice::Voice;

/// Hit points that are more than a scratch.
const BADLY: u32 = 3;

/// What nobody does who does not see.
const SEEING: &[&str] = &["look", "see", "saw", "watch", "eye"];
/// Who has not been spoken of by then may have been so long ago that it is not to be seen any more.
const INTRODUCED_UNTIL: i64 = 20;
/// A longer role is a description.
const ROLE_BYTES_MAX: usize = 40;

/// What the DM says in play.
pub(super) fn dm(request: &Request<'_>, scribe: &mut Scribe) -> Reply {
    let trail = Trail::of(request);
    let speaker = last_speaker(request);
    scenery(request, scribe, &trail, speaker);
    if request.state.encounter.get("opening") == "needed" && request.state.messages.done <= 1 {
        let met = newly_met(request, request.tagged("opening"));
        return match call(request, "record_met", json!({"people": met})) {
            Some(call) if !met.is_empty() && request.results.is_empty() => Reply::call(call),
            _ => Reply::words(opening(request, scribe, &trail)),
        };
    }
    if combat::is_fought(request) {
        let asked = question(request, scribe, &trail, speaker);
        return combat::dm(request, scribe, speaker, &asked);
    }
    if request.results.is_empty() {
        if let Some(reply) = ending::lost(request, scribe, &trail, speaker) {
            return reply;
        }
        if let Some(reply) = ending::ending(request, scribe, &trail, speaker) {
            return reply;
        }
        let calls = housekeeping(request, scribe, &trail, speaker);
        if !calls.is_empty() {
            return Reply { calls, ..Reply::default() };
        }
    }
    if awaits_bystander(request)
        && let Some(noted) = bystanders(request)
    {
        return Reply::call(noted);
    }
    turn(request, scribe, &trail, speaker)
}

/// The player who spoke last.
fn last_speaker<'r>(request: &'r Request<'_>) -> Option<&'r Player> {
    let mut spoken = request.lines.iter().rev().filter(|line| !line.own);
    spoken.find_map(|line| request.state.player(&line.speaker))
}

/// What this player said last.
pub(super) fn last_words<'r>(request: &'r Request<'_>, speaker: Option<&Player>) -> &'r str {
    let Some(speaker) = speaker else { return "" };
    let by_speaker =
        |line: &&super::request::Line| line.speaker == speaker.seat || line.speaker == speaker.called();
    request.lines.iter().rev().find(by_speaker).map(|line| line.text.as_str()).unwrap_or("")
}

/// What the last speaker set out to do, in the second or third person.
pub(super) fn declared(request: &Request<'_>, speaker: Option<&Player>, person: Person) -> Option<String> {
    let tried = check(request, speaker).map_or("", |(row, _)| row.flag(0));
    let said = last_words(request, speaker);
    let act = if tried.contains(' ') { Some(tried.to_owned()) } else { attempt(said, tried) };
    act.map(|act| shift(&with_names(request, &act), person))
}

/// The text with capitals where it names somebody of this encounter.
pub(super) fn with_names(request: &Request<'_>, text: &str) -> String {
    let people: Vec<String> = request.state.npcs.iter().map(called).collect();
    let words: Vec<&str> = people.iter().flat_map(|name| name.split(' ')).collect();
    proper(text, &format!("and {}", words.join(" and ")))
}

/// The player to ask: mostly the one who waited longest.
fn next<'r>(
    request: &'r Request<'_>,
    scribe: &mut Scribe,
    speaker: Option<&Player>,
    step: &str,
) -> Option<&'r Player> {
    let risen = helped_up(request);
    let harms = request.state.checks.iter().any(|row| row.head == step && !row.get("harm").is_empty());
    let stands = |player: &&Player| !request.state.fallen.iter().any(|row| row.head == player.called());
    let mut waiting: Vec<&Player> = request
        .state
        .players
        .iter()
        .filter(|player| {
            let is_other = speaker.is_none_or(|last| last.seat != player.seat);
            // Whoever has just helped may be asked again rather than whoever was just helped.
            (is_other || risen.is_some()) && stands(player)
        })
        .collect();
    // Whoever can hardly stand is not sent where it hurts, as long as there is another.
    let is_spared = |player: &Player| {
        let row = request.state.characters.iter().find(|row| row.head == player.called());
        let left = row.and_then(|row| row.get("hp").split('/').next()?.parse::<u32>().ok());
        harms && (risen == Some(player.called()) || left.is_some_and(|left| left < BADLY))
    };
    // What is to be handed over or put back is so by whoever has it.
    let done = outcomes(request, step).0.to_lowercase();
    let is_spoken_of = |item: &String| item.starts_with("the ") && done.contains(&item.to_lowercase());
    let carries =
        |player: &&Player| stands(player) && request.state.carried(player.called()).iter().any(is_spoken_of);
    if let Some(carrier) = request.state.players.iter().find(carries) {
        return Some(carrier);
    }
    waiting.sort_by_key(|player| (is_spared(player), -player.waited));
    let index = usize::from(waiting.len() > 1 && scribe.chance(12));
    waiting.get(index).copied().or(request.state.players.iter().find(stands))
}

/// Fills the slots of everything that can be spoken of.
fn scenery(request: &Request<'_>, scribe: &mut Scribe, trail: &Trail<'_>, speaker: Option<&Player>) {
    let checked = check(request, speaker);
    let act = declared(request, speaker, Person::Second).unwrap_or_default();
    let failed = checked.is_some_and(|(_, success)| !success);
    scribe.set("tried", if failed { act.as_str() } else { "" });
    scribe.set("act", if failed && !act.is_empty() { format!("try to {act}") } else { act });
    scribe.set("who", speaker.map(|player| short(player.called())).unwrap_or("friend"));
    scribe.set("task", with_names(request, &trail.task()));
    let partner = partner(request, trail, speaker);
    let voice = Voice::of(request, &partner, &trail.quarry);
    scribe.set("npc_want", voice.want);
    scribe.set("npc_fear", voice.fear);
    scribe.set_all("secret", voice.secrets);
    let row = request.state.npcs.iter().find(|row| called(row) == partner);
    if row.is_some_and(|row| is_blind(request, row)) {
        scribe.shun(SEEING);
    }
    scribe.set("npc", partner);
}

/// Who answers this time: whoever was spoken to or has only been named so far, else whoever is there.
pub(super) fn partner(request: &Request<'_>, trail: &Trail<'_>, speaker: Option<&Player>) -> String {
    let is_here = |name: &&str| trail.people.iter().any(|known| known == name);
    if let Some((row, _)) = check(request, speaker)
        && has_people_of_checks(request)
    {
        // Whose check it was answers; where it is nobody's, nobody does.
        return person_of(request, row.flag(0)).filter(is_here).unwrap_or_default().to_owned();
    }
    if let Some(named) = check(request, speaker).and_then(|(row, _)| trail.named_in(row.flag(0))) {
        return named;
    }
    let reminders = request.tagged("reminders");
    let said = last_words(request, speaker);
    let meant = |text: &str| trail.people.iter().find(|name| names(text, name)).cloned();
    let answers = if trail.has_gained() { None } else { meant(said).or_else(|| meant(reminders)) };
    answers.unwrap_or_else(|| trail.partner())
}

fn opening(request: &Request<'_>, scribe: &mut Scribe, trail: &Trail<'_>) -> String {
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
    let brought = carried(request, scribe);
    let asked = joined(vec![brought, question(request, scribe, trail, None)]);
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    // Where the material shows what there is to do, nothing need lead there.
    if scene_before(request, trail.next().unwrap_or_default()).is_empty() {
        text.push_str(&scribe.say(OPENING_TURN));
        text.push(' ');
    }
    text.push_str(&asked);
    text
}

/// What has to be done next, and who is asked to do it.
fn question(
    request: &Request<'_>,
    scribe: &mut Scribe,
    trail: &Trail<'_>,
    speaker: Option<&Player>,
) -> String {
    let step = trail.next().unwrap_or_default();
    if let Some(down) = request.state.fallen.iter().find(|row| row.has("down"))
        && let Some(player) = next(request, scribe, speaker, step)
    {
        scribe.set("fallen", short(&down.head));
        scribe.set("next", player.called());
        return scribe.say(turned(request, "fallen", FALLEN));
    }
    let is_told = |scene: &&str| request.own_lines().any(|line| tells(&line.text, scene));
    let scenes =
        [scene_before(request, step), if trail.failures(step) > 0 { scene_again(request, step) } else { "" }];
    let scene = scenes.into_iter().find(|scene| !scene.is_empty() && !is_told(scene)).unwrap_or_default();
    // Whoever has just been shown what there is to do need not hear its name.
    let shown = request.own_lines().find_map(|line| check_told(request, &line.text));
    let mut scene = scene.to_owned();
    let is_elsewhere = scene.is_empty() && shown.is_some() && shown != Some(step);
    if let Some(again) = scenes.into_iter().rfind(|scene| !scene.is_empty()).filter(|_| is_elsewhere) {
        // The party comes back to what it has seen before.
        scene = format!("{} {}", scribe.say(turned(request, "back", BACK)), scene_end(again));
    }
    let is_seen = !scene.is_empty() || (!step.is_empty() && shown == Some(step));
    let asked = match next(request, scribe, speaker, step) {
        Some(player) => {
            scribe.set("next", player.called());
            match trail.next() {
                // Each in its turn: so short that what was heard of late cannot tell them apart.
                Some(_) if is_seen => scribe.say(turned(request, "open", OPEN_TASKS)),
                Some(_) => scribe.say(TASKS),
                None => scribe.say(LAST_TASKS),
            }
        }
        None => scribe.say(PLAIN_QUESTIONS),
    };
    joined(vec![scene, asked])
}

/// The pattern whose turn it is in this encounter.
pub(super) fn turned<'p>(
    request: &Request<'_>,
    what: &str,
    patterns: &'p [&'static str],
) -> &'p [&'static str] {
    let stable = Pick::new(request.seed, &["turned", what]);
    let spoken = request.state.spoken();
    let place = (stable.draw("first").below(patterns.len()) + spoken) % patterns.len().max(1);
    patterns.get(place..=place).unwrap_or(patterns)
}

/// The last speaker's check since the DM last spoke, and whether it succeeded.
pub(super) fn check<'r>(request: &'r Request<'_>, speaker: Option<&Player>) -> Option<(&'r Row, bool)> {
    let name = speaker.map(Player::called)?;
    let mut own = request.state.last_checks.iter().rev().filter(|row| row.head == name);
    let row = own.find(|row| !is_look(request, row))?;
    Some((row, row.has("success")))
}

/// An ordinary message: what came of it, who answers, what is to be done, and who is asked.
fn turn(request: &Request<'_>, scribe: &mut Scribe, trail: &Trail<'_>, speaker: Option<&Player>) -> Reply {
    let checked = check(request, speaker);
    let mut said = outcome(request, scribe, speaker);
    let mut calls = Vec::new();
    if let Some((told, fight)) = talks::fight(request, scribe, speaker) {
        said.push(told);
        return Reply { text: with_pronouns(request, &joined(said)), calls: fight, cut: false };
    }
    if let Some((told, call)) = talks::begun(request, scribe, trail, speaker) {
        said.push(told);
        return Reply { text: with_pronouns(request, &joined(said)), calls: vec![call], cut: false };
    }
    let reminded = request.state.npcs.iter().any(|row| names(request.tagged("reminders"), &called(row)));
    let heard = clue_heard(request, scribe, trail, speaker);
    let has_heard = !heard.is_empty();
    said.push(heard);
    // After a talk, after blows and after help nobody has an answer: nothing was asked.
    let fought = request.effects().any(|text| text.starts_with("[combat] Over"));
    let back = fought || talks::ended(request).is_some() || helped_up(request).is_some();
    let answers = checked.is_none() || reminded || trail.has_gained() || scribe.chance(85);
    if answers && !back && !(has_heard && checked.is_none()) {
        let answer = answer(request, scribe, trail, speaker, checked.map(|(_, success)| success));
        // Whoever was there speaks to what was done, and not to what came of it elsewhere.
        said.insert(if checked.is_some() { said.len().min(1) } else { said.len() }, answer);
    }
    match talks::newcomer(request, scribe, trail, speaker) {
        Some((told, call)) => {
            said.push(told);
            calls.push(call);
        }
        None => said.push(news(request, scribe, checked.is_some())),
    }
    // What is there next begins a paragraph of its own.
    let told = [joined(said), question(request, scribe, trail, speaker)];
    let told: Vec<&str> = told.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    Reply { text: with_pronouns(request, &introduced(request, told.join("\n\n"))), calls, cut: false }
}

/// Says once who it is of whom nobody has spoken yet: "Ludo, the sweeper, looks up."
fn introduced(request: &Request<'_>, mut text: String) -> String {
    let is_known = |name: &str| {
        let told = request.lines.iter().filter(|line| !line.speaker.is_empty());
        told.map(|line| line.text.as_str()).any(|said| name.split(' ').any(|part| names(said, part)))
    };
    if has_people_of_checks(request) || request.state.messages.done > INTRODUCED_UNTIL {
        return text;
    }
    for row in &request.state.npcs {
        let name = called(row);
        let role = row.get("role").split([',', '(']).next().unwrap_or_default().trim();
        let is_plain = (3..ROLE_BYTES_MAX).contains(&role.len()) && !role.contains(['.', ':']);
        let starts = |at: usize| at == 0 || [". ", "\" ", "\n\n"].iter().any(|end| text[..at].ends_with(end));
        let acts = |at: usize| {
            text[at + name.len()..].strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_lowercase))
        };
        let place = text.match_indices(&name).map(|(at, _)| at).find(|at| starts(*at) && acts(*at));
        if let Some(at) = place.filter(|_| is_plain && !is_known(&name)) {
            let article =
                if ["a ", "an ", "the "].iter().any(|word| role.starts_with(word)) { "" } else { "the " };
            text.insert_str(at + name.len(), &format!(", {article}{role},"));
        }
    }
    text
}

/// Parts of a message that are not empty, as one text.
pub(super) fn joined(said: Vec<String>) -> String {
    said.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// What came of what the last speaker did.
pub(super) fn outcome(request: &Request<'_>, scribe: &mut Scribe, speaker: Option<&Player>) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(ended) = talks::ended(request) {
        said.push(talks::after(request, scribe, &ended));
        return said;
    }
    if request.effects().any(|text| text.starts_with("[combat] Over")) {
        said.push(scribe.say(FIGHT_IS_OVER));
        said.extend(consequence::told(request, scribe, speaker));
        return said;
    }
    let tried = check(request, speaker).map_or("", |(row, _)| row.flag(0)).to_lowercase();
    let has_said = last_words(request, speaker).to_lowercase().contains(&tried);
    match check(request, speaker) {
        Some((row, true)) => {
            let told = outcomes(request, row.flag(0)).0;
            let note = untold(request, &told);
            scribe.set("note", lower(note, &people(request)));
            match note {
                "" => {
                    said.extend([scribe.say(if has_said { SUCCESS_SAID } else { SUCCESS }), scribe.say(GAIN)])
                }
                _ => said.push(scribe.say(turned(request, "success", NOTED_SUCCESS))),
            }
            said.extend(consequence::handed_over(request, scribe, &told));
        }
        Some((row, false)) => {
            let told = outcomes(request, row.flag(0)).1;
            let note = untold(request, &told);
            let twice = failed_twice(request, row.flag(0));
            let is_second = note.is_empty() && !request.own_lines().any(|line| tells(&line.text, twice));
            scribe.set("note", lower(note, &people(request)));
            match (told.as_str(), note) {
                (_, "") if is_second && !twice.is_empty() => said.push(twice.to_owned()),
                ("", _) => {
                    said.extend([scribe.say(if has_said { FAILURE_SAID } else { FAILURE }), scribe.say(SEEN)])
                }
                (_, "") if has_failed_before(request, row) => {
                    said.push(scribe.say(turned(request, "again", FAILURE_AGAIN)));
                }
                (_, "") => said.push(scribe.say(turned(request, "too", FAILURE_TOO))),
                _ => said.push(scribe.say(turned(request, "failure", NOTED_FAILURE))),
            }
            match harmed(request, &row.head) {
                Some((_, 0)) => said.push(scribe.say(turned(request, "down", DOWN))),
                Some((BADLY.., _)) => said.push(scribe.say(turned(request, "badly", HURT_BADLY))),
                // What a scratch came from is told already.
                Some(_) => {}
                None if hurt(request, row) => said.push(scribe.say(turned(request, "hurt", HURT))),
                None => {}
            }
            let failed = usize::try_from(request.state.failed).unwrap_or(0);
            let failures = request.state.failures.iter().map(|goal| worse(request, &goal.head, failed));
            said.extend(failures.filter(|text| !text.is_empty()).map(str::to_owned));
        }
        None if let Some(up) = helped_up(request) => {
            scribe.set("up", short(up));
            said.push(scribe.say(turned(request, "up", UP_AGAIN)));
        }
        None if speaker.is_some() => {
            said.push(scribe.say(if scribe.has("act") { NEUTRAL } else { NEUTRAL_PLAIN }))
        }
        None => {}
    }
    said.extend(consequence::told(request, scribe, speaker));
    said
}

/// Has whoever failed at this failed at it before?
fn has_failed_before(request: &Request<'_>, check: &Row) -> bool {
    let lead = format!("[check] {}: {} (", check.head, check.flag(0));
    let told = request.lines.iter().filter(|line| line.text.starts_with(&lead));
    told.filter(|line| line.text.ends_with("failure")).count() > 1
}

/// Who was helped to their feet since the DM last spoke.
fn helped_up<'r>(request: &'r Request<'_>) -> Option<&'r str> {
    let told = request.effects().filter_map(|text| text.strip_prefix("[hp] ")?.split_once(" is up again"));
    told.map(|(name, _)| name).last()
}

/// A note of the material that the DM has not told yet; empty once it has.
fn untold<'t>(request: &Request<'_>, note: &'t str) -> &'t str {
    let known = request.own_lines().any(|line| line.text.to_lowercase().contains(&note.to_lowercase()));
    // "1d4 hit points" and "easier by 2 during a dance" are for the DM, and no sentences of a story.
    let is_number = note.contains(|c: char| c.is_ascii_digit());
    if known || is_number { "" } else { note }
}

/// The names of the DM's people.
fn people<'r>(request: &'r Request<'_>) -> Vec<&'r str> {
    request.state.npcs.iter().map(|row| row.get("name")).filter(|name| !name.is_empty()).collect()
}

/// What comes of it that the last speaker has shown others what it noticed: whoever it is about has eyes.
fn clue_heard(
    request: &Request<'_>,
    scribe: &mut Scribe,
    trail: &Trail<'_>,
    speaker: Option<&Player>,
) -> String {
    let Some(clue) =
        just_said(request).filter(|clue| speaker.is_some_and(|one| is_said_by(request, clue, one.called())))
    else {
        return String::new();
    };
    let tried = check(request, speaker).map_or("", |(row, _)| row.flag(0));
    let here = format!("{} {}", scene_before(request, tried), partner(request, trail, speaker));
    let named = |text: &str, name: &str| name.split(' ').any(|part| part.len() > 3 && names(text, part));
    let told = |name: &&String| named(clue.text, name) && named(&here, name);
    let Some(about) = trail.people.iter().find(told) else { return String::new() };
    let row = request.state.npcs.iter().find(|row| called(row) == *about);
    if row.is_some_and(|row| is_mute(request, row) || is_blind(request, row)) {
        return String::new();
    }
    scribe.set("heard", about.as_str());
    scribe.say(CLUE_HEARD)
}

/// One of the DM's people answers.
fn answer(
    request: &Request<'_>,
    scribe: &mut Scribe,
    trail: &Trail<'_>,
    speaker: Option<&Player>,
    success: Option<bool>,
) -> String {
    let partner = partner(request, trail, speaker);
    if partner.is_empty() {
        return String::new();
    }
    // Nobody speaks of themselves by name.
    let failing = scribe.first("tried").unwrap_or("").to_owned();
    scribe.set("failing", if names(&failing, &partner) { String::new() } else { failing });
    let tried = check(request, speaker).map_or("", |(row, _)| row.flag(0));
    let written = answer_to(request, tried, success == Some(true));
    if success.is_some() && !written.is_empty() {
        // It may end in a comma there.
        let said = written.trim_end_matches('.');
        if request.own_lines().any(|line| line.text.replace('"', "'").contains(&said.replace('"', "'"))) {
            return String::new();
        }
        // Whoever is quoted within it is so in other marks.
        scribe.set("line", written.replace('"', "'"));
        return scribe.say(SAID);
    }
    let row = request.state.npcs.iter().find(|row| called(row) == partner);
    if row.is_some_and(|row| is_mute(request, row)) {
        return String::new();
    }
    let lines = match success {
        Some(false) => AFTER_FAILURE,
        _ if trail.next().is_none() => LAST_WORDS,
        Some(true) => KNOWING,
        None => ASKED,
    };
    let line = scribe.say(lines);
    if line.is_empty() {
        return String::new();
    }
    scribe.set("line", line);
    scribe.say(SPOKEN)
}

/// Something new: what the notes have in store, the surroundings, or the hour.
fn news(request: &Request<'_>, scribe: &mut Scribe, short: bool) -> String {
    if let Some(event) = timetable(request).filter(|event| fits(event)) {
        return scribe.quote(&[event]).unwrap_or_default();
    }
    match looked_at(request) {
        Some(seen) if seen.is_empty() => return scribe.say(UNSEEN),
        Some(seen) => return scribe.quote(&[seen]).unwrap_or_default(),
        None => {}
    }
    let percent = request.state.messages.done * 100 / request.state.messages.all.max(1);
    if scribe.chance(if short { 15 } else { 45 }) {
        return scribe.quote(&surroundings(request)).unwrap_or_default();
    }
    if percent > 40 && scribe.chance(20) { scribe.say(PRESSURE) } else { String::new() }
}

/// Whether an hour of the notes can be told in passing: not when it decides something.
fn fits(event: &str) -> bool {
    let decides = |word: &str| ["arrest", "lock", "accus", "chain"].iter().any(|what| word.starts_with(what));
    !event.split(|c: char| !c.is_alphanumeric()).any(decides)
}

/// The text with "She" or "He" where a sentence begins with the very person that the one before it ended on.
fn with_pronouns(request: &Request<'_>, text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| paragraph_with_pronouns(request, paragraph));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

fn paragraph_with_pronouns(request: &Request<'_>, text: &str) -> String {
    let people: Vec<(String, Option<&str>)> = request
        .state
        .npcs
        .iter()
        .map(called)
        .map(|name| {
            let she = Voice::of(request, &name, "").pronoun;
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
        // "the woman in the coat" begins a sentence as everybody does.
        let is_named = people.iter().any(|(name, _)| sentence.starts_with(name.as_str()));
        let plain = if is_named { capital(sentence) } else { sentence.to_owned() };
        told.push(again.unwrap_or(plain));
        // Speech between the two does not change who is meant.
        if !(named.is_empty() && sentence.starts_with('"')) {
            last = named;
        }
    }
    told.join(" ")
}
