//! The end of an encounter: what it is told with, and the summary that is kept of it.

use serde_json::json;

use super::dm::{check, declared, last_speaker};
use super::grammar::Scribe;
use super::narration::*;
use super::read::{Person, clause_after, lower, shift, short};
use super::reply::{Reply, call};
use super::request::Request;
use super::session_zero::list;
use super::state::{Player, Row};
use super::story::{Story, called, want};

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
pub(super) fn resolve(
    request: &Request<'_>,
    scribe: &mut Scribe,
    story: &Story,
    goal: &Row,
) -> Option<Reply> {
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
    let mut wishes: Vec<String> = Vec::new();
    for player in &state.players {
        if let Some(wish) = wish(request, player) {
            let wanted = if wishes.is_empty() { " wanted" } else { "," };
            wishes.push(format!("{}{wanted} to {wish}", player.called()));
        }
    }
    let mut told: Vec<String> = Vec::new();
    if !wishes.is_empty() {
        let last = wishes.len() - 1;
        if last > 0 {
            wishes[last].insert_str(0, "and ");
        }
        told.push(format!("{}.", wishes.join("; ")));
    }
    let mut people = vec![&story.suspect, &story.obstacle];
    people.dedup();
    let stakes: Vec<String> = people
        .into_iter()
        .filter_map(|name| Some(format!("{name}, who wanted {}", want(request, name)?)))
        .collect();
    if !stakes.is_empty() {
        told.push(format!("Between them and that stood {}.", stakes.join("; and ")));
    }
    told.extend(turning(request));
    if !cost.is_empty() {
        told.push(cost.to_owned());
    }
    told.push(format!("So it ended: {label}."));
    told.join(" ")
}

/// The deed that decided it: the last speaker's, unless it failed and an earlier one is noted that did not.
fn turning(request: &Request<'_>) -> Option<String> {
    let player = last_speaker(request)?;
    let act = declared(request, Some(player), Person::Third);
    let noted = request.tagged("memory").lines().rev().find(|line| line.contains(" managed to "));
    let noted =
        noted.and_then(|line| line.trim_start_matches("- ").trim_end_matches('.').split_once(" managed to "));
    let name = player.called();
    match (check(request, Some(player)), act, noted) {
        (Some((_, true)), Some(act), _) => Some(format!("It turned when {name} managed to {act}.")),
        (_, _, Some((who, feat))) => Some(format!("It turned when {who} managed to {feat}.")),
        (Some((_, false)), Some(act), None) => {
            Some(format!("{name} failed to {act}, and it was the failing that opened people's mouths."))
        }
        (None, Some(act), None) => Some(format!("In the end it was {name} who chose to {act}.")),
        (_, None, None) => None,
    }
}
