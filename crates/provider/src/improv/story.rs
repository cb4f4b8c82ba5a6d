//! The DM's own plan for an encounter: who did it, where it lies, and which ending is steered for.

use super::nouns::quarry;
use super::pick::Pick;
use super::read::{clause_after, names, sentences};
use super::request::Request;
use super::state::Row;
use super::words;

/// The ending that is steered for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    Primary,
    Secondary,
    /// A goal that the DM registers once the players show how they go about it.
    Own,
    /// The encounter runs out.
    Nothing,
}

/// An encounter of at most so many messages has no time to come to nothing.
const BRIEF: i64 = 24;

/// What stays the same through an encounter.
pub(super) struct Story {
    pub(super) aim: Aim,
    /// Spoken messages after which an ending is due.
    pub(super) due: i64,
    /// Passed checks that a primary goal costs.
    pub(super) price: i64,
    pub(super) quarry: String,
    pub(super) suspect: String,
    pub(super) witness: String,
    pub(super) obstacle: String,
    pub(super) trace: String,
    pub(super) hideaway: String,
    pub(super) register_at: i64,
}

impl Story {
    /// The plan for the encounter of this request.
    pub(super) fn of(request: &Request<'_>) -> Story {
        let state = &request.state;
        let stable = Pick::new(request.seed, &["story", &state.encounter.head]);
        let brief = state.messages.all <= BRIEF;
        let aim = match stable.draw("aim").below(100) {
            0..62 => Aim::Primary,
            62..81 => Aim::Own,
            81..96 => Aim::Secondary,
            _ if brief => Aim::Secondary,
            _ => Aim::Nothing,
        };
        let all = state.messages.all.max(12);
        let percent = 56 + stable.draw("due").below(24) as i64;
        let people: Vec<String> = state.npcs.iter().map(called).collect();
        let guilty = people.iter().find(|name| guilty(request, name)).cloned();
        let mut draw = stable.draw("people");
        let suspect = guilty.or_else(|| draw.choose(&people).cloned()).unwrap_or_default();
        let rest: Vec<&String> = people.iter().filter(|name| **name != suspect).collect();
        let first = draw.below(rest.len());
        let nth = |index: usize| {
            if rest.is_empty() { String::new() } else { rest[index % rest.len()].clone() }
        };
        let drawn = |label, list| {
            words::list(list)
                .and_then(|list| stable.draw(label).choose(list).copied())
                .unwrap_or("")
                .to_owned()
        };
        Story {
            aim,
            due: all * percent / 100,
            price: 2 + stable.draw("price").below(2) as i64,
            quarry: quarry(&state.objective).unwrap_or_else(|| "the answer".to_owned()),
            suspect,
            witness: nth(first),
            obstacle: nth(first + 1),
            trace: drawn("trace", "trace"),
            hideaway: hidden(request).unwrap_or_else(|| drawn("hideaway", "hideaway")),
            register_at: 6 + stable.draw("register").below(7) as i64,
        }
    }

    /// The goal to resolve now, if an ending is due.
    pub(super) fn ending<'r>(&self, request: &'r Request<'_>) -> Option<&'r Row> {
        let state = &request.state;
        let (said, all) = (state.messages.done, state.messages.all.max(12));
        let late =
            said >= all * 84 / 100 || said + 3 >= all || state.turns_left.is_some_and(|left| left <= 5);
        if said < self.due && !late {
            return None;
        }
        let stable = Pick::new(request.seed, &["ending", &state.encounter.head]);
        let mut draw = stable.draw("goal");
        let primary: Vec<&Row> =
            state.goals.iter().filter(|goal| !own(goal) && goal.has("primary")).collect();
        let secondary: Vec<&Row> =
            state.goals.iter().filter(|goal| !own(goal) && !goal.has("primary")).collect();
        let registered = state.goals.iter().find(|goal| own(goal));
        let first = draw.choose(&primary).copied();
        let second = draw.choose(&secondary).copied().or(first);
        match self.aim {
            Aim::Nothing => None,
            Aim::Own if registered.is_some() && (state.passed >= 1 || late) => registered,
            Aim::Secondary => second,
            _ if state.passed >= self.price => first.or(second),
            _ if late && state.passed >= 1 => first.or(second),
            _ if late => second,
            _ => None,
        }
    }
}

/// Whether the DM registered this goal.
fn own(goal: &Row) -> bool {
    goal.head.starts_with("dynamic_")
}

/// The name of an NPC.
pub(super) fn called(row: &Row) -> String {
    let name = row.get("name");
    if name.is_empty() { row.head.clone() } else { name.to_owned() }
}

/// What the material says of this NPC: the text from its name to the next NPC's.
fn about<'r>(request: &'r Request<'_>, row: &Row) -> &'r str {
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

/// "She" or "He" as the material says of this NPC; nothing when it says neither.
pub(super) fn pronoun(request: &Request<'_>, name: &str) -> Option<&'static str> {
    let row = request.state.npcs.iter().find(|row| called(row) == name)?;
    let about = about(request, row);
    let first = |words: [&str; 2]| words.iter().filter_map(|word| about.find(word)).min();
    match (first([" she ", "She "]), first([" he ", "He "])) {
        (Some(she), Some(he)) => Some(if she < he { "She" } else { "He" }),
        (Some(_), None) => Some("She"),
        (None, Some(_)) => Some("He"),
        (None, None) => None,
    }
}

/// What an NPC wants, as in "who wants …", when the material says so.
pub(super) fn want(request: &Request<'_>, name: &str) -> Option<String> {
    let row = request.state.npcs.iter().find(|row| called(row) == name)?;
    clause_after(about(request, row), &[" wants ", "Wants "]).map(str::to_owned)
}

/// Whether the material says that this NPC took what is sought.
fn guilty(request: &Request<'_>, name: &str) -> bool {
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
fn hidden(request: &Request<'_>) -> Option<String> {
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

/// Small clues that the DM's notes list after "That …:".
pub(super) fn clues(request: &Request<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for sentence in sentences(request.tagged("dm_notes")) {
        let Some((head, body)) = sentence.split_once(": ") else { continue };
        if !head.starts_with("That ") && !head.starts_with("Why") && !head.starts_with("Clue") {
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
    for tag in ["ambient", "setting", "reveals"] {
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
