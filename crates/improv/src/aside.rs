//! What a player does beside the deed: a salve on a wound, a word in one ear.

use serde_json::json;

use super::combat::is_fought;
use super::companion::lower_first;
use super::grammar::Scribe;
use super::persona::Persona;
use super::pick::Pick;
use super::player::turned;
use super::read::names;
use super::reply::call;
use super::request::Request;
use super::talk_lines::WHISPERS;

/// Things that mend whoever uses them, as their names say.
const MENDING: &[&str] =
    &["salve", "brandy", "salts", "potion", "tonic", "balm", "tea", "broth", "cordial", "ointment"];

/// Before the deed: something that mends, for whoever is hurt; a word that one other alone hears, now and then.
pub(super) fn aside(
    request: &Request<'_>,
    scribe: &mut Scribe,
    persona: &Persona,
) -> Option<(String, String)> {
    let state = &request.state;
    let row = state.characters.iter().find(|row| row.head == persona.name);
    let (now, most) = row.and_then(|row| row.get("hp").split_once('/'))?;
    let (now, most) = (now.parse::<i64>().ok()?, most.parse::<i64>().ok()?);
    // Nobody mends a scratch beside somebody who lies there.
    let hurt = now * 2 <= most && !state.fallen.iter().any(|row| row.has("down"));
    let carried = state.carried(&persona.name);
    let mending = |item: &&String| MENDING.iter().any(|word| names(&item.to_lowercase(), word));
    if let Some(item) = carried.iter().find(mending).filter(|_| hurt && scribe.chance(60)) {
        return call(request, "use_item", json!({"item": item}));
    }
    if !scribe.chance(2) {
        return None;
    }
    let to = scribe.first("other").filter(|_| state.messages.done % 3 > 0).unwrap_or("DM").to_owned();
    let text = scribe.say(&turned(request, WHISPERS));
    call(request, "whisper", json!({"to": to, "text": text}))
}

/// Help for somebody of the party who is down.
pub(super) fn help(request: &Request<'_>) -> Option<(String, String)> {
    let down = request.state.fallen.iter().find(|row| row.has("down"))?;
    // There are people who in a fight never have a hand free.
    let stable = Pick::new(request.seed, &["helps", request.state.seat(), &down.head]);
    if is_fought(request) && !stable.draw("helps").chance(90) {
        return None;
    }
    call(request, "help_up", json!({"character": down.head})).filter(|_| request.offers("help_up"))
}

/// Who has just been helped up.
pub(super) fn helped(request: &Request<'_>) -> Option<String> {
    let told = request.results.iter().flat_map(|result| result.lines());
    let (name, _) = told.filter_map(|line| line.strip_prefix("[hp] ")?.split_once(" is up again")).next()?;
    Some(name.to_owned())
}

/// Has this player done nothing yet but say a word in one ear?
pub(super) fn has_whispered(request: &Request<'_>) -> bool {
    matches!(request.results.as_slice(), [told] if ["[whisper]", "done"].iter().any(|head| told.starts_with(head)))
}

/// What has been used since anybody else spoke.
pub(super) fn used(request: &Request<'_>) -> Option<String> {
    used_in(&request.answers)
}

/// Has this player done nothing yet but use something?
pub(super) fn has_mended(request: &Request<'_>) -> bool {
    request.results.len() == 1 && used_in(&request.results).is_some()
}

fn used_in(answers: &[String]) -> Option<String> {
    let lead = " uses ";
    let line = answers
        .iter()
        .find_map(|result| result.lines().find(|line| line.starts_with("[item] ") && line.contains(lead)))?;
    let (_, item) = line.split_once(lead)?;
    let end = item.find([',', ':']).unwrap_or(item.len());
    item.get(..end).map(lower_first)
}
