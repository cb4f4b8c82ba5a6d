//! The DM keeps the books: who was met, what was achieved, goals out of what the players did.

use serde_json::{Value, json};

use super::consequence;
use super::deed::first_clause;
use super::dm::{check, declared, partner, with_names};
use super::grammar::{Scribe, capital};
use super::narration::SCENES;
use super::pick::Pick;
use super::read::{Person, names, sentences, short};
use super::reply::call;
use super::request::Request;
use super::state::{Player, Row};
use super::story::{called, outcomes, own, person_of, surroundings};
use super::talks;
use super::trail::{Aim, Trail, failure, feat, is_feat};

/// So many calls every campaign takes in one reply.
const CALLS_MAX: usize = 3;
/// Messages after which no goal is registered any more.
const REGISTER_UNTIL: i64 = 19;
/// A longer clause is no label.
const ASKED_BYTES_MAX: usize = 80;
/// How far into a sentence a name may stand of somebody who acts in it.
const ACTING_WITHIN: usize = 24;

/// The ids of those who act or speak here and are not yet noted as met.
pub(super) fn newly_met(request: &Request<'_>, told: &str) -> Vec<String> {
    let told = sentences(told);
    let acts = |name: &str| {
        told.iter().any(|line| {
            let at = line.find(name).filter(|_| names(line, name));
            at.is_some_and(|at| at <= ACTING_WITHIN || line.contains(&format!("\" says {name}")))
        })
    };
    unmet(request).filter(|row| acts(&called(row))).map(|row| row.head.clone()).collect()
}

/// The DM's people who are not noted as met.
fn unmet<'r>(request: &'r Request<'_>) -> impl Iterator<Item = &'r Row> {
    request.state.npcs.iter().filter(|row| !request.met().any(|met| names(met, &called(row))))
}

/// The call that records everybody who is met and not yet recorded.
fn meetings(request: &Request<'_>, trail: &Trail<'_>, speaker: Option<&Player>) -> Option<(String, String)> {
    if !request.material.contains("<memory>") {
        return None;
    }
    let told: Vec<&str> = request.own_lines().map(|line| line.text.as_str()).collect();
    let mut met = newly_met(request, &told.join("\n"));
    // Whoever answers after a step comes into the scene with it; whoever one is reminded of answers otherwise.
    let answers = partner(request, trail, speaker);
    let steps = trail.has_gained();
    // So does whoever is there where the next thing is to be done.
    let ahead = trail.next().and_then(|step| person_of(request, step)).unwrap_or_default();
    let reminders = request.tagged("reminders");
    for row in unmet(request) {
        let name = called(row);
        if (name == ahead || (steps && name == answers) || (!steps && names(reminders, &name)))
            && !met.contains(&row.head)
        {
            met.push(row.head.clone());
        }
    }
    call(request, "record_met", json!({"people": met})).filter(|_| !met.is_empty())
}

/// The calls that keep the books; mostly none.
pub(super) fn housekeeping(
    request: &Request<'_>,
    scribe: &mut Scribe,
    trail: &Trail<'_>,
    speaker: Option<&Player>,
) -> Vec<(String, String)> {
    let mut calls = achievements(request, scribe, speaker);
    let is_hurt = check(request, speaker).is_some_and(|(row, success)| !success && hurt(request, row));
    calls.extend(consequence::calls(request, trail, speaker, is_hurt));
    calls.extend(meetings(request, trail, speaker));
    if let Some(goal) = register(request, trail, speaker) {
        calls.push(goal);
        calls.extend(objective(request, trail, speaker));
    }
    calls.extend(talks::people(request, trail, speaker));
    calls.extend(quest(request));
    let often = if calls.is_empty() { 60 } else { 25 };
    let has_room = calls.len() < CALLS_MAX;
    if request.state.party_document == "stale" && scribe.chance(often) && has_room {
        calls.extend(
            party_note(request, speaker).and_then(|note| call(request, "update_party_document", note)),
        );
    }
    calls.extend(aside(request, scribe, trail, speaker));
    calls.truncate(CALLS_MAX);
    calls
}

/// What the party is asked to do goes into the books of some DMs, at the beginning.
fn quest(request: &Request<'_>) -> Option<(String, String)> {
    let state = &request.state;
    let stable = Pick::new(request.seed, &["quest", &state.encounter.head]);
    let is_new = (1..=4).contains(&state.messages.done) && !has_quest(request);
    (is_new && !state.objective.is_empty() && stable.draw("noted").chance(35))
        .then(|| call(request, "record_quest", json!({"quest": state.objective})))?
}

/// Is what the party is asked to do noted as a quest?
pub(super) fn has_quest(request: &Request<'_>) -> bool {
    let objective = request.state.objective.as_str();
    let told = |line: &str| line.contains(objective);
    !objective.is_empty()
        && (request.tagged("memory").contains(objective) || request.told(&["[quest] "]).any(told))
}

/// What the DM throws dice for behind the screen, and what it lets a character look for.
const LOOK: &str = "what is to be seen next";
/// The abilities that eyes and ears go by, as the bundled rules name them.
const SENSES: &[&str] = &["WIS", "WITS"];

/// What the dice have chosen of the surroundings since the DM last spoke, the DM's own or a character's who looked; empty where that
/// character saw nothing.
pub(super) fn looked_at(request: &Request<'_>) -> Option<String> {
    let (thrown, is_check) = thrown(request).find_map(|text| {
        let dice = text.strip_prefix("[dice] ").map(|rest| (rest, false));
        dice.or_else(|| Some((text.strip_prefix("[check] ")?, true))).filter(|(rest, _)| rest.contains(LOOK))
    })?;
    let total: usize = thrown.split_once(" = ")?.1.split(' ').next()?.parse().ok()?;
    let seen = surroundings(request);
    if !is_check {
        return seen.into_iter().nth(total.checked_sub(1)?);
    }
    let place = total.checked_rem(seen.len())?;
    Some(seen.into_iter().nth(place).filter(|_| thrown.ends_with(": success")).unwrap_or_default())
}

/// Is this a look that the DM has asked for, and nothing that a player set out to do?
pub(super) fn is_look(request: &Request<'_>, check: &Row) -> bool {
    let lead = format!("[check] {}: {LOOK} ({})", check.head, check.flag(0));
    check.flag(0) == LOOK || thrown(request).any(|text| text.starts_with(&lead))
}

/// What happened since the DM last spoke, and what its tools have answered since.
fn thrown<'r>(request: &'r Request<'_>) -> impl Iterator<Item = &'r str> {
    request.effects().chain(request.results.iter().flat_map(|result| result.lines()))
}

/// The call that lets whoever has only talked look about, as hard as the easiest check of the encounter.
fn look(request: &Request<'_>, speaker: Option<&Player>) -> Option<(String, String)> {
    let state = &request.state;
    let who = speaker.filter(|player| check(request, Some(player)).is_none())?.called();
    let sense = state.checks.iter().map(|row| row.get("ability")).find(|name| SENSES.contains(name))?;
    let difficulty = state.checks.iter().filter_map(|row| row.number("difficulty")).min()?;
    // Whoever comes back from a talk acted before it.
    if surroundings(request).is_empty() || talks::ended(request).is_some() {
        return None;
    }
    let look = json!({"character": who, "ability": sense, "difficulty": difficulty, "reason": LOOK});
    call(request, "ability_check", look)
}

/// A look into the rules or the records, or a roll behind the screen, now and then.
fn aside(
    request: &Request<'_>,
    scribe: &mut Scribe,
    trail: &Trail<'_>,
    speaker: Option<&Player>,
) -> Option<(String, String)> {
    match scribe.draw().below(100) {
        0..2 => call(
            request,
            "search_rules",
            json!({"query": check(request, speaker).map_or("morale", |(row, _)| row.flag(0))}),
        ),
        2..4 => {
            let faces = [6, 4].into_iter().find(|faces| surroundings(request).len() >= *faces)?;
            // It is whoever spoke last who sees it; whoever comes back from a talk acted before it.
            let who = speaker.map(Player::called).filter(|_| talks::ended(request).is_none());
            let mut roll = json!({"dice": format!("1d{faces}"), "reason": LOOK});
            who.into_iter().for_each(|name| roll["character"] = name.into());
            call(request, "roll_dice", roll)
        }
        4..6 => call(
            request,
            "query_session_memory",
            json!({"query_type": "all", "text": talks::asked_about(trail)}),
        ),
        6..8 => {
            let person = request.state.npcs.iter().find(|row| called(row) == trail.partner())?;
            call(request, "query_campaign", json!({"type": "npc", "id": person.head}))
        }
        8..9 => {
            call(request, "query_campaign", json!({"type": "encounter", "id": request.state.encounter.head}))
        }
        9..12 => look(request, speaker),
        _ => None,
    }
}

/// Somebody of the surroundings whom the DM has just named and nobody has written down, and what was said of them.
fn unmet_bystander(request: &Request<'_>) -> Option<(String, String)> {
    let last = request.own_lines().next()?;
    let told = surroundings(request).into_iter().filter(|text| last.text.contains(text.as_str()));
    let known = |name: &str| {
        let mut people = request.state.npcs.iter().chain(&request.newcomers);
        people.any(|row| called(row).split(' ').any(|part| names(name, part)))
    };
    let mut named = told.filter_map(|text| Some((bystander(&text)?, text)));
    let noted = |name: &str| Pick::new(request.seed, &["bystander", name]).draw("noted").chance(60);
    named.find(|(name, _)| !known(name) && noted(name))
}

/// The name in "A boy named Pip has …" and in "Dilly Marsh, ninety and exact, …".
fn bystander(text: &str) -> Option<String> {
    let proper =
        |word: &str| word.starts_with(char::is_uppercase) && word.chars().skip(1).all(char::is_lowercase);
    if let Some((_, after)) = text.split_once(" named ") {
        let name: Vec<&str> =
            after.split(' ').take_while(|word| proper(word.trim_end_matches(','))).collect();
        let name = name.join(" ").trim_end_matches(',').to_owned();
        return Some(name).filter(|name| !name.is_empty());
    }
    let (name, _) = text.split_once(',')?;
    let words: Vec<&str> = name.split(' ').collect();
    (words.len() == 2 && words.iter().all(|word| proper(word) && word.len() > 2)).then(|| name.to_owned())
}

/// What the sentence about a bystander calls them: "watch constable" in "A watch constable named Tench …".
fn calling(told: &str) -> Option<&str> {
    let (kind, _) = told.split_once(" named ")?;
    let kind = kind.strip_prefix("A ").or_else(|| kind.strip_prefix("An "))?;
    kind.contains(' ').then_some(kind)
}

/// The call that notes a bystander, with what the rules let them fight as. The rules are searched first for whoever has a calling of two
/// words: those name a trade, as "a boy" does not.
pub(super) fn bystanders(request: &Request<'_>) -> Option<(String, String)> {
    let (name, told) = unmet_bystander(request)?;
    let mut known = json!({"name": name, "role": "neutral", "context": told});
    if let Some(kind) = calling(&told) {
        let mut answers = request.results.iter().filter_map(|result| pages(result, kind)).peekable();
        if answers.peek().is_none()
            && let Some(search) = call(request, "search_rules", json!({"query": kind}))
        {
            return Some(search);
        }
        let slug = kind.replace(' ', "-");
        let is_known =
            |pages: &str| pages.split(", ").any(|page| page.strip_prefix("monsters/") == Some(slug.as_str()));
        if answers.any(is_known) {
            known["combat_slug"] = slug.into();
        }
    }
    call(request, "create_supporting_npc", known)
}

/// The pages that a search of the rules has found, as its result lists them; none where it was rejected.
fn pages<'r>(result: &'r str, query: &str) -> Option<&'r str> {
    let found = result.strip_prefix(&format!("[rules] \"{query}\" is spoken of in "));
    found.or(result.starts_with("rejected (").then_some(""))
}

/// Has the search that a bystander waits for been answered?
pub(super) fn awaits_bystander(request: &Request<'_>) -> bool {
    unmet_bystander(request).is_some_and(|(_, told)| {
        let kind = calling(&told);
        kind.is_some_and(|kind| request.results.iter().any(|result| pages(result, kind).is_some()))
    })
}

/// A goal out of what a player has just achieved: whoever comes by a step in a way of their own may end in it.
fn register(request: &Request<'_>, trail: &Trail<'_>, speaker: Option<&Player>) -> Option<(String, String)> {
    let state = &request.state;
    let early = (1..=2).contains(&trail.now) && trail.now < trail.steps.len() && trail.has_gained();
    let open = state.registrations > 0 && state.messages.done < REGISTER_UNTIL;
    if trail.aim != Aim::Own || state.goals.iter().any(own) || !early || !open {
        return None;
    }
    let name = speaker?.called();
    check(request, speaker)?;
    let act = declared(request, speaker, Person::Third)?;
    let person = partner(request, trail, speaker);
    let row = state.npcs.iter().find(|row| called(row) == person)?;
    // Nobody helps with what is done to them.
    if [person.as_str(), short(&person)].iter().any(|name| names(&state.objective, name)) {
        return None;
    }
    let id = format!("hand-of-{}", row.head);
    let label = match asked(&state.objective) {
        Some(asked) => format!("{} helps {} to {asked}.", capital(&person), short(name)),
        None => format!("{} shakes hands with {} on it.", capital(&person), short(name)),
    };
    let reason = format!("{name} chose to {act}, and it worked. From there {person} might be helped.");
    let primary = request.seed % 2 == 0;
    let because = request.citable(true);
    let goal = json!({"id": id, "label": label, "isPrimary": primary, "reason": reason, "because": because});
    call(request, "goal_register", goal)
}

/// The first clause of what the party is asked to do, as after "to": nothing where it is no such sentence.
fn asked(objective: &str) -> Option<String> {
    let clause = first_clause(objective);
    let (verb, rest) = clause.split_once(' ')?;
    let is_asked = verb.starts_with(char::is_uppercase)
        && !verb.ends_with('s')
        && !["The", "A", "An", "You", "There", "Nobody", "Somebody", "It", "We", "Before", "By"]
            .contains(&verb);
    (is_asked && clause.len() <= ASKED_BYTES_MAX).then(|| format!("{} {rest}", verb.to_lowercase()))
}

/// What the party wants once somebody may help.
fn objective(request: &Request<'_>, trail: &Trail<'_>, speaker: Option<&Player>) -> Option<(String, String)> {
    let objective = request.state.objective.trim();
    let wish = format!("{objective} {} may help.", partner(request, trail, speaker));
    let is_new = !objective.is_empty() && !objective.ends_with(" may help.");
    is_new.then(|| call(request, "update_scene", json!({"objective": wish})))?
}

/// Deeds of one encounter that stand in one entry.
const TOLD_TOGETHER: usize = 4;

/// What the party document is told: what was achieved here, in one entry that grows, or else what has just failed.
fn party_note(request: &Request<'_>, speaker: Option<&Player>) -> Option<Value> {
    let feats = known_feats(request);
    let name = speaker.map(Player::called).unwrap_or("The party");
    let failed = check(request, speaker).filter(|(_, success)| !success);
    let tried =
        || Some(format!("{name} tried to {}.", failed.and(declared(request, speaker, Person::Third))?));
    let mut note = json!({
        "section": "events",
        "reason": "It happened in front of witnesses and will be remembered.",
    });
    match noted_before(request, &feats) {
        Some(entry) => {
            let late = feats.get(feats.len().saturating_sub(TOLD_TOGETHER)..)?;
            (note["text"], note["entry"]) = (late.join(" ").into(), entry.into());
        }
        None => note["text"] = feats.last().cloned().or_else(tried)?.into(),
    }
    Some(note)
}

/// The number of the entry that tells of one of these deeds.
fn noted_before(request: &Request<'_>, feats: &[String]) -> Option<usize> {
    let entries = request.told(&["[party document] events, entry "]);
    let entries = entries.filter_map(|told| told.split_once(": "));
    let of_these = entries.filter(|(_, text)| feats.iter().any(|feat| text.contains(feat.as_str())));
    of_these.last().and_then(|(entry, _)| entry.parse().ok())
}

/// The steps of this encounter that are noted as made, in order: notes of former encounters stand beside them.
pub(super) fn known_feats(request: &Request<'_>) -> Vec<String> {
    let mut feats: Vec<String> = Vec::new();
    for line in request.noted().filter(|line| is_feat(line, &request.state.checks)) {
        if !feats.iter().any(|feat| feat == line) {
            feats.push(line.to_owned());
        }
    }
    feats
}

/// How many hit points a check has just cost somebody, and how many are left, as the engine told it.
pub(super) fn harmed(request: &Request<'_>, name: &str) -> Option<(u32, u32)> {
    let lead = format!("[hp] {name}: -");
    let (lost, left) =
        request.effects().filter_map(|text| text.strip_prefix(&lead)?.rsplit_once("now ")).last()?;
    let number = |text: &str| text.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok();
    Some((number(lost)?, number(left)?))
}

/// Whether this failed check leaves a mark on the body that the DM has to write down.
pub(super) fn hurt(request: &Request<'_>, check: &Row) -> bool {
    if harmed(request, &check.head).is_some() {
        return false;
    }
    let state = &request.state;
    let row = state.checks.iter().find(|row| row.head == check.flag(0));
    let bodily = row.is_some_and(|row| ["STR", "DEX"].contains(&row.get("ability")));
    // What the material tells of the first failure says what it costs.
    let note = outcomes(request, check.flag(0)).1.to_lowercase();
    if !note.is_empty() && !request.own_lines().any(|line| line.text.to_lowercase().contains(&note)) {
        return false;
    }
    let stable = Pick::new(request.seed, &["hurt", &state.messages.done.to_string()]);
    bodily && stable.draw("hurt").chance(25)
}

/// The calls that record what follows from what was just played.
fn achievements(
    request: &Request<'_>,
    scribe: &mut Scribe,
    speaker: Option<&Player>,
) -> Vec<(String, String)> {
    let Some(name) = speaker.map(Player::called) else { return Vec::new() };
    let act = declared(request, speaker, Person::Third).unwrap_or_default();
    let event = |kind: &str, text: String| call(request, "record_event", json!({"kind": kind, "text": text}));
    match check(request, speaker) {
        // An ability alone is nothing that anybody has done.
        Some((row, true)) if row.flag(0).contains(' ') => {
            event("important", feat(name, &with_names(request, row.flag(0)))).into_iter().collect()
        }
        Some((_, true)) => Vec::new(),
        Some((row, false)) => {
            // A check goes by its name, by which it is counted.
            let is_listed = request.state.checks.iter().any(|listed| listed.head == row.flag(0));
            let act = if is_listed { with_names(request, row.flag(0)) } else { act };
            let failed = (!act.is_empty()).then(|| event("notable", failure(name, &act)));
            let wound = json!({"character": name, "hp_delta": -1});
            let hurt = hurt(request, row).then(|| call(request, "update_character", wound));
            [failed, hurt].into_iter().flatten().flatten().collect()
        }
        None if !act.is_empty() && scribe.chance(25) => {
            call(request, "update_scene", json!({"scene": scribe.say(SCENES)})).into_iter().collect()
        }
        None => Vec::new(),
    }
}
