//! What the material says of an encounter: wants, fears and secrets of its people, clues, hours, surroundings.

use super::read::{names, sentences};
use super::request::Request;
use super::state::Row;

/// A longer note of a check is no sentence of a story.
const NOTE_MAX: usize = 400;
/// Behind this a check's line says what is there to be seen, and a goal's line how it ends.
const BEFORE: &str = " | before: ";
/// And this, how it looks when it failed before.
const AGAIN: &str = " | again: ";
/// And this, what comes of it when it fails a second time.
const TWICE: &str = " | twice: ";
const ENDING: &str = " | ending: ";
/// Behind each of these, what is to be seen of a failure that draws nearer.
const WORSE: &str = " | worse: ";
/// And what its person says afterwards.
const SUCCESS: &str = " | success: ";
const FAILURE: &str = " | failure: ";
/// And this, in the texts for models, the person who is there.
const PERSON: &str = " | person: ";

/// Whether the DM registered this goal.
pub(super) fn own(goal: &Row) -> bool {
    goal.head.starts_with("dynamic_")
}

/// The name of an NPC.
pub(super) fn called(row: &Row) -> String {
    let name = row.get("name");
    if name.is_empty() { row.head.clone() } else { name.to_owned() }
}

/// Before what an NPC tells nobody but whom it trusts.
const TELLS: &str = "  tells: ";

/// What this NPC tells nobody but whom it trusts, in its own words; empty where the material says nothing.
pub(super) fn secret_of<'r>(request: &'r Request<'_>, row: &Row) -> &'r str {
    let head = format!("- {} (", called(row));
    let lines = request.tagged("npcs").lines().skip_while(|line| !line.starts_with(&head)).skip(1);
    let mut own = lines.take_while(|line| !line.starts_with("- "));
    own.find_map(|line| line.strip_prefix(TELLS)).unwrap_or("").trim()
}

/// What the material says of this NPC: the text from its name to the next NPC's, without what it says itself.
pub(super) fn about<'r>(request: &'r Request<'_>, row: &Row) -> &'r str {
    let name = called(row);
    let cast = request.tagged("npcs");
    let material = if cast.is_empty() { request.material.as_str() } else { cast };
    // Somebody else's lines may name this one before.
    let lead = format!("- {name} (");
    let begins = |at: &usize| *at == 0 || material[..*at].ends_with('\n');
    let line =
        material.match_indices(&lead).map(|(at, _)| at + "- ".len()).find(|at| begins(&(at - "- ".len())));
    let Some(start) = line.or_else(|| material.find(&name)) else { return "" };
    let rest = material.get(start + name.len()..).unwrap_or("");
    let others = request.state.npcs.iter().filter(|other| other.head != row.head);
    let rest = if line.is_some() { rest.split("\n- ").next().unwrap_or("") } else { rest };
    let others = others.filter(|_| line.is_none());
    let end = others
        .filter_map(|other| {
            let id = rest.find(&other.head);
            let by_name = rest.find(&called(other));
            match (id, by_name) {
                (Some(id), Some(name)) => Some(id.min(name)),
                (one, other) => one.or(other),
            }
        })
        .min()
        .unwrap_or(rest.len())
        .min(900);
    let end = (0..=end.min(rest.len())).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(0);
    let about = rest.get(..end).unwrap_or("");
    about.split_once(TELLS).map_or(about, |(about, _)| about)
}

/// Does the material say that this NPC does not speak?
pub(super) fn is_mute(request: &Request<'_>, row: &Row) -> bool {
    says_of(
        request,
        row,
        &[
            "cannot speak",
            "can not speak",
            "does not speak",
            "never speaks",
            "unable to speak",
            "mute",
            "without a voice",
            "has no voice",
            "lost her voice",
            "lost his voice",
        ],
    )
}

/// Does it say that this NPC does not see?
pub(super) fn is_blind(request: &Request<'_>, row: &Row) -> bool {
    says_of(request, row, &["blind", "cannot see", "can not see", "sees nothing"])
}

fn says_of(request: &Request<'_>, row: &Row, what: &[&str]) -> bool {
    let told = format!("{} {}", row.get("role"), about(request, row)).to_lowercase();
    what.iter().any(|what| names(&told, what))
}

/// An hour of the notes may be so many messages late.
const OVERDUE_MAX: i64 = 5;

/// What the DM's notes say happens around this many messages.
pub(super) fn timetable(request: &Request<'_>) -> Option<String> {
    let now = request.state.messages.done;
    let notes = &request.material;
    for (at, lead) in notes.match_indices(" message ") {
        let rest = notes.get(at + lead.len()..).unwrap_or("");
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        let Ok(when) = rest.get(..digits).unwrap_or("").parse::<i64>() else { continue };
        let before = notes.get(..at).unwrap_or("");
        let timed = ["Around", "From", "By", "At", "After"].iter().any(|word| before.ends_with(word));
        // What a talk or a fight has kept from being told is told after it, and once.
        if timed && (when..=when + OVERDUE_MAX).contains(&now) {
            let text = sentences(rest.get(digits..).unwrap_or("")).first().copied().unwrap_or("");
            let text = text.trim_start_matches([',', ' ']);
            let is_told = request.own_lines().any(|line| tells(&line.text, text));
            if (20..240).contains(&text.len()) && !is_told {
                return Some(super::grammar::capital(text));
            }
        }
    }
    None
}

/// The line of the material that names this check, behind its name.
fn check_line<'r>(request: &'r Request<'_>, check: &str) -> &'r str {
    let lines = request.tagged("checks").lines();
    let named = |line: &'r str| {
        let rest = line.trim_start_matches(['-', ' ']).trim_start_matches("check: ");
        rest.strip_prefix(check).filter(|rest| [" (", " | ", ": "].iter().any(|next| rest.starts_with(next)))
    };
    lines.filter_map(named).next().filter(|_| !check.is_empty()).unwrap_or("")
}

/// What stands behind this mark in a line, up to the next mark. The texts for models write `=` where the improviser's own have a colon.
fn part<'r>(line: &'r str, mark: &str) -> &'r str {
    let split = |mark: &str| line.split_once(mark).map(|(_, rest)| rest);
    let Some(rest) = split(mark).or_else(|| split(&mark.replace(": ", "="))) else { return "" };
    rest.split(" | ").next().unwrap_or("").trim()
}

/// What the notes of a check say, in the line that names it; empty where they say nothing.
pub(super) fn check_note<'r>(request: &'r Request<'_>, check: &str) -> &'r str {
    part(check_line(request, check), "): ")
}

/// What is there to be seen before a check is tried; empty where the material says nothing.
pub(super) fn scene_before<'r>(request: &'r Request<'_>, check: &str) -> &'r str {
    part(check_line(request, check), BEFORE)
}

/// What is there to be seen when a check failed before; empty where the material says nothing.
pub(super) fn scene_again<'r>(request: &'r Request<'_>, check: &str) -> &'r str {
    part(check_line(request, check), AGAIN)
}

/// What comes of a check that fails a second time; empty where the material says nothing.
pub(super) fn failed_twice<'r>(request: &'r Request<'_>, check: &str) -> &'r str {
    part(check_line(request, check), TWICE)
}

/// Has this scene been told in that text?
pub(super) fn tells(told: &str, scene: &str) -> bool {
    !scene.is_empty() && told.contains(second_half(scene))
}

/// The second half of a scene, by which it is known again: a name at its beginning may have been told as "she".
fn second_half(scene: &str) -> &str {
    scene.get(scene.ceil_char_boundary(scene.len() / 2)..).unwrap_or(scene)
}

/// The sentences in which a scene ends, as many as it takes to know it again.
pub(super) fn scene_end(scene: &str) -> &str {
    let half = scene.len() - second_half(scene).len();
    let mut begins = sentences(scene).into_iter().filter_map(|sentence| scene.find(sentence));
    let from = begins.rfind(|at| *at <= half).unwrap_or(0);
    scene.get(from..).unwrap_or(scene)
}

/// The check whose scene somebody has just told.
pub(super) fn check_told<'r>(request: &'r Request<'_>, told: &str) -> Option<&'r str> {
    let is_told =
        |check: &&str| tells(told, scene_before(request, check)) || tells(told, scene_again(request, check));
    request.state.checks.iter().map(|check| check.head.as_str()).find(is_told)
}

/// What the person of a check says when it is done; empty where the material says nothing.
pub(super) fn answer_to<'r>(request: &'r Request<'_>, check: &str, success: bool) -> &'r str {
    part(check_line(request, check), if success { SUCCESS } else { FAILURE })
}

/// The ways to go about a check that a player knows of.
pub(super) fn ways<'r>(request: &'r Request<'_>, check: &str) -> Vec<&'r str> {
    let lines = request.tagged("checks").lines();
    let named = |line: &'r str| line.trim_start_matches(['-', ' ']).strip_prefix(check)?.strip_prefix(": | ");
    let ways = lines.filter_map(named).next().unwrap_or("").split(" | ");
    ways.take_while(|part| ["before: ", "again: ", REMARK].iter().all(|lead| !part.starts_with(lead)))
        .filter(|way| !way.is_empty())
        .collect()
}

/// What the material lets a player say of a check that has passed.
pub(super) fn remarks<'r>(request: &'r Request<'_>, check: &str) -> Vec<&'r str> {
    let lines = request.tagged("checks").lines();
    let named = |line: &'r str| line.trim_start_matches(['-', ' ']).strip_prefix(check)?.strip_prefix(':');
    let parts = lines.filter_map(named).next().unwrap_or("").split(" | ");
    parts.filter_map(|part| part.strip_prefix(REMARK)).collect()
}

/// Before what a player may say of a check.
const REMARK: &str = "remark: ";

/// Who is there when a check is tried, as far as the material says.
pub(super) fn person_of<'r>(request: &'r Request<'_>, check: &str) -> Option<&'r str> {
    let line = check_line(request, check);
    let own = line.split_once("): ").and_then(|(head, _)| head.rsplit_once(", with "));
    own.map(|(_, person)| person).or_else(|| Some(part(line, PERSON)).filter(|person| !person.is_empty()))
}

/// Does the material say of any check who is there?
pub(super) fn has_people_of_checks(request: &Request<'_>) -> bool {
    request.state.checks.iter().any(|check| person_of(request, &check.head).is_some())
}

/// How it looks when a goal has come about; empty where the material says nothing. What is at hand, the table's state tells as things stand.
pub(super) fn ending_of<'r>(request: &'r Request<'_>, goal: &str) -> &'r str {
    if let Some((_, ending)) = request.state.endings.iter().find(|(id, _)| id == goal) {
        return ending;
    }
    goal_line(request, goal).split_once(ENDING).map_or("", |(_, ending)| ending.trim())
}

/// What is to be seen of a failure after so many failed checks; empty where the material says nothing.
pub(super) fn worse<'r>(request: &'r Request<'_>, goal: &str, failed: usize) -> &'r str {
    let line = goal_line(request, goal);
    let line = line.split_once(ENDING).map_or(line, |(line, _)| line);
    line.split(WORSE).nth(failed).filter(|_| failed > 0).unwrap_or("").trim()
}

/// The line of the material that names this goal, behind its name.
fn goal_line<'r>(request: &'r Request<'_>, goal: &str) -> &'r str {
    let goals = request.tagged("hidden_goals");
    let head = format!("- {goal}: ");
    let line = goals.match_indices(&head).find(|(at, _)| *at == 0 || goals[..*at].ends_with('\n'));
    let Some((at, _)) = line else { return "" };
    let rest = goals.get(at + head.len()..).unwrap_or("");
    rest.split_once("\n- ").map_or(rest, |(line, _)| line)
}

/// What the notes of a check say of a success and of a failure; empty where they say nothing.
pub(super) fn outcomes(request: &Request<'_>, check: &str) -> (String, String) {
    let note = check_note(request, check);
    let at = note.to_lowercase().find("on a failure");
    let (success, failure) = at.map_or((note, ""), |at| note.split_at(at.min(note.len())));
    let failure = failure.get("on a failure".len()..).unwrap_or("").trim_start_matches([',', ' ']);
    let whole = |text: &str| {
        let text = without_brackets(text);
        let text = text.trim().trim_end_matches(['.', ';', ',', ' ']);
        if (8..NOTE_MAX).contains(&text.len()) { text.to_owned() } else { String::new() }
    };
    (whole(success), whole(failure))
}

/// What stands in brackets is for the DM, what stands behind them is not.
fn without_brackets(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(" (") {
        plain.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

/// Sentences that describe the surroundings and may be said as they stand.
pub(super) fn surroundings(request: &Request<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for tag in ["ambient", "around", "setting"] {
        for line in request.tagged(tag).lines() {
            let line = line.trim().trim_start_matches(['-', '*', ' ']);
            let text = line.strip_prefix("ambient: ").unwrap_or(line);
            let whole = text.ends_with('.') && text.starts_with(|c: char| c.is_uppercase());
            if whole && (30..200).contains(&text.len()) {
                found.push(text.to_owned());
            }
        }
    }
    found
}
