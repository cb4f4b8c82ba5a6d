//! What the material says of an encounter: wants, fears and secrets of its people, clues, hours, surroundings.

use super::read::{clause_after, lower, names, sentences};
use super::request::Request;
use super::state::Row;

/// Whether the DM registered this goal.
pub(super) fn own(goal: &Row) -> bool {
    goal.head.starts_with("dynamic_")
}

/// The name of an NPC.
pub(super) fn called(row: &Row) -> String {
    let name = row.get("name");
    if name.is_empty() { row.head.clone() } else { name.to_owned() }
}

/// What the material says of this NPC: the text from its name to the next NPC's.
pub(super) fn about<'r>(request: &'r Request<'_>, row: &Row) -> &'r str {
    let name = called(row);
    let cast = request.tagged("npcs");
    let material = if cast.is_empty() { request.material.as_str() } else { cast };
    let Some(start) = material.find(&name) else { return "" };
    let rest = material.get(start + name.len()..).unwrap_or("");
    let others = request.state.npcs.iter().filter(|other| other.head != row.head);
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
    rest.get(..end).unwrap_or("")
}

/// What an NPC wants, as in "who wants …", when the material says so.
pub(super) fn want(request: &Request<'_>, name: &str) -> Option<String> {
    let row = request.state.npcs.iter().find(|row| called(row) == name)?;
    clause_after(about(request, row), &[" wants ", "Wants "]).map(str::to_owned)
}

/// Whether the material says that this NPC took what is sought.
pub(super) fn guilty(request: &Request<'_>, name: &str) -> bool {
    let deeds = ["took ", "stole ", "has hidden", "hid it", "hid the", "is the thief"];
    let own = request
        .state
        .npcs
        .iter()
        .find(|row| called(row) == name)
        .map(|row| about(request, row))
        .unwrap_or("");
    let first_person = sentences(own).iter().any(|line| deeds.iter().any(|deed| line.contains(deed)));
    first_person
        || [request.tagged("dm_notes"), request.tagged("scenario_dm")]
            .iter()
            .flat_map(|notes| sentences(notes))
            .any(|line| names(line, name) && deeds.iter().any(|deed| line.contains(deed)))
}

/// Where the material says that it is hidden.
pub(super) fn hidden(request: &Request<'_>) -> Option<String> {
    let leads = [" hid it ", " hidden it ", " is hidden ", " lies hidden "];
    let place = clause_after(&request.material, &leads)?;
    let starts = [
        "in ", "under", "behind", "inside", "beneath", "at ", "on ", "beside", "among", "up ", "down ",
        "between",
    ];
    starts
        .iter()
        .any(|start| place.starts_with(start))
        .then(|| place.split(" and ").next().unwrap_or(place).to_owned())
}

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
        if timed && (when == now || when + 1 == now) {
            let text = sentences(rest.get(digits..).unwrap_or("")).first().copied().unwrap_or("");
            let text = text.trim_start_matches([',', ' ']);
            if (20..240).contains(&text.len()) {
                return Some(super::grammar::capital(text));
            }
        }
    }
    None
}

/// What the notes of a check say happens on a failure.
pub(super) fn failure_note(request: &Request<'_>, check: &str) -> Option<String> {
    if check.is_empty() {
        return None;
    }
    let lead = "on a failure ";
    for (at, _) in request.material.match_indices(check) {
        let rest = request.material.get(at + check.len()..).unwrap_or("");
        let line = rest.lines().next().unwrap_or("");
        if let Some(found) = line.find(lead) {
            let note = line.get(found + lead.len()..).unwrap_or("");
            let note = sentences(note).first().copied().unwrap_or("");
            if (12..200).contains(&note.len()) {
                return Some(note.trim_end_matches('.').to_owned());
            }
        }
    }
    None
}

/// What points to whoever did it, as the DM's notes list it after "That …:", or else say in a few words.
pub(super) fn traces(request: &Request<'_>, suspect: &str) -> Vec<String> {
    let named = |head: &str| head.starts_with("That ") && suspect.split(' ').any(|part| names(head, part));
    let whose = format!(" {suspect}'s ");
    let pointing = listed(request, named);
    if !pointing.is_empty() {
        let plain = pointing.iter().map(|clue| clue.replace(" her ", &whose).replace(" his ", &whose));
        return plain.collect();
    }
    let listed = listed(request, |head| head.starts_with("That ") || head.starts_with("Clue"));
    if !listed.is_empty() {
        return listed;
    }
    let short = |line: &&str| {
        (3..=7).contains(&line.split(' ').count()) && (line.contains(" is ") || line.contains(" are "))
    };
    let told = sentences(request.tagged("dm_notes")).into_iter().filter(short);
    told.map(|line| lower(line.trim_end_matches('.'), &[])).collect()
}

/// What the DM's notes list after "Why …:".
pub(super) fn reasons(request: &Request<'_>) -> Vec<String> {
    listed(request, |head| head.starts_with("Why"))
}

/// The parts of the notes' lists under such a head.
fn listed(request: &Request<'_>, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for sentence in sentences(request.tagged("dm_notes")) {
        let Some((head, body)) = sentence.split_once(": ") else { continue };
        if !wanted(head) {
            continue;
        }
        for part in body.trim_end_matches('.').split([',', ';']) {
            let part = part.trim().trim_start_matches("and ");
            let first = part.split(' ').next().unwrap_or("");
            let loose = ["she", "he", "they", "it", "who", "which", "but", "so"].contains(&first);
            if part.split(' ').count() >= 3 && !loose && part.len() < 120 {
                found.push(part.to_owned());
            }
        }
    }
    found
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
