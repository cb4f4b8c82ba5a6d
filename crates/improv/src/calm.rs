//! Whether a scene leaves time for what is beside the matter: strangers who walk up, talks apart, blows, hours that go by.

use super::request::Request;
use super::state::{Player, Row};
use super::story::{has_people_of_checks, scene_again, scene_before};
use super::trail::Trail;
use super::{dm::check, read::names};

/// Words of a tone or a mood in which nobody steps aside.
const URGENT: &[&str] = &[
    "chase", "pursuit", "race", "fight", "fighting", "battle", "siege", "storm", "flood", "fire", "wreck",
    "stampede", "escape", "ambush",
];
/// Words of a scene in which somebody has their hands full.
const PRESSING: &[&str] = &[
    "storm", "snow", "gust", "wind", "ledge", "gully", "flames", "burning", "flood", "drowning", "crowbar",
    "crowbars", "axe", "shouting", "screams", "blood", "runs", "running",
];
/// Words of a place where anybody may walk by.
const PUBLIC: &[&str] =
    &["square", "market", "fair", "yard", "inn", "tavern", "harbour", "quay", "green", "bazaar", "plaza"];
/// Words of a tone, or of what holds in an encounter, at which no stranger laughs.
const GRAVE: &[&str] =
    &["dead", "died", "funeral", "mourning", "burial", "grave", "execution", "vigil", "wake"];
/// Words of material in which it may come to blows.
const BLOWS: &[&str] = &["foe", "foes", "fight", "blows", "brawl", "combat", "battle", "duel", "ambush"];
/// So many lines back a wound is still fresh.
const FRESH: usize = 6;
/// So many failed checks bring what must not happen too near.
const FAILED_MAX: i64 = 3;

fn has_any(text: &str, words: &[&str]) -> bool {
    let text = text.to_lowercase();
    words.iter().any(|word| names(&text, word))
}

/// The tone and the mood of the encounter.
fn tone<'r>(request: &'r Request<'_>) -> &'r str {
    let told = request.tagged("encounter");
    told.split_once('<').map_or(told, |(told, _)| told)
}

/// Does the scene leave time to step aside?
pub(super) fn is_calm(request: &Request<'_>, trail: &Trail<'_>, speaker: Option<&Player>) -> bool {
    let tried = check(request, speaker).map_or("", |(row, _)| row.flag(0));
    let step = trail.next().unwrap_or_default();
    let scenes = [
        scene_before(request, tried),
        scene_again(request, tried),
        scene_before(request, step),
        if trail.failures(step) > 0 { scene_again(request, step) } else { "" },
    ];
    let is_pressing = scenes.iter().any(|scene| has_any(scene, PRESSING));
    !is_pressing
        && !has_any(tone(request), URGENT)
        && !is_bleeding(request)
        && request.state.failed < FAILED_MAX
}

/// Has somebody been wounded just now?
fn is_bleeding(request: &Request<'_>) -> bool {
    let wounded = |text: &str| text.strip_prefix("[hp] ").is_some_and(|rest| rest.contains(": -"));
    let down = request.state.fallen.iter().any(|row| row.has("down"));
    down || request.lines.iter().rev().take(FRESH).any(|line| line.speaker.is_empty() && wounded(&line.text))
}

/// May somebody whom nobody knows walk up here?
pub(super) fn is_public(request: &Request<'_>) -> bool {
    let told = format!("{}\n{}", tone(request), request.tagged("house_rules"));
    has_any(&request.state.location, PUBLIC) && !has_any(&told, GRAVE)
}

/// Does the material say how late it is, or what happens when? Then nobody else makes an hour go by.
pub(super) fn has_clock(request: &Request<'_>) -> bool {
    let told = format!("{}\n{}", request.tagged("house_rules"), request.tagged("dm_notes"));
    has_any(&told, &["clock", "message", "o'clock"])
}

/// Is this somebody who would come to blows here, and does the material say how it looks afterwards?
pub(super) fn may_fight(request: &Request<'_>, tried: &Row) -> bool {
    let told = ["house_rules", "dm_notes"].map(|tag| request.tagged(tag)).join("\n");
    let is_told = has_any(&format!("{}\n{told}", tone(request)), BLOWS);
    let goes_on = !scene_again(request, tried.flag(0)).is_empty();
    !has_people_of_checks(request) || (is_told && goes_on)
}
