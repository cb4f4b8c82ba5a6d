//! What the party brings from one encounter into the next: what somebody did, what was promised, what was given, and who minds.

use super::ending::is_silence;
use super::grammar::Scribe;
use super::read::short;
use super::request::Request;
use super::story::called;
use super::trail::managed;

/// Said once, in the opening of every encounter but the first: at most one sentence.
pub(super) fn carried(request: &Request<'_>, scribe: &mut Scribe) -> String {
    if !has_history(request) {
        return String::new();
    }
    let parts = [gift(request, scribe), promise(request, scribe), enemy(request, scribe)];
    parts.into_iter().find(|part| !part.is_empty()).unwrap_or_default()
}

/// Has the party been through an encounter before this one?
pub(super) fn has_history(request: &Request<'_>) -> bool {
    passed(request, false).next().is_some()
}

/// The checks that were passed here, or in earlier encounters, and by whom, oldest first.
fn passed<'r>(request: &'r Request<'_>, here: bool) -> impl Iterator<Item = (&'r str, &'r str)> {
    let is_here =
        |check: &str| request.state.checks.iter().any(|row| row.head.to_lowercase() == check.to_lowercase());
    let known =
        move |(who, check): &(&str, &str)| is_here(check) == here && request.state.player(who).is_some();
    request.noted().filter_map(managed).filter(known).map(|(who, check)| (short(who), check))
}

/// Something that somebody gave away in a talk.
fn gift(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let given = |line: &&str| line.contains(" gives ") && !line.contains(" × ");
    let told = request.told(&["[item] "]).filter(given).last();
    let parts = told.and_then(|line| {
        let (giver, rest) = line.split_once(" gives ")?;
        let (thing, receiver) = rest.rsplit_once(" to ")?;
        Some((giver, thing, receiver))
    });
    // What the story needs goes where it leads.
    let Some((giver, thing, receiver)) = parts.filter(|(_, thing, _)| !thing.starts_with("the ")) else {
        return String::new();
    };
    let (hero, other, patterns) = match (request.state.player(giver), request.state.player(receiver)) {
        (None, Some(_)) => (receiver, giver, GIVEN),
        (Some(_), None) => (giver, receiver, GIVEN_AWAY),
        _ => return String::new(),
    };
    let bare = ["a ", "an ", "the "].iter().find_map(|article| thing.strip_prefix(article));
    scribe.set("hero", short(hero));
    scribe.set("other", short(other));
    scribe.set("thing", super::companion::lower_first(bare.unwrap_or(thing)));
    scribe.say(patterns)
}

/// A promise that was made in a talk.
fn promise(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let told = request.told(&["[learned] "]).filter_map(|line| line.split_once(" now knows: "));
    let promised = |(_, said): &(&str, &str)| ["promise", "my word"].iter().any(|word| said.contains(word));
    let Some((owed, said)) = told.filter(promised).last() else { return String::new() };
    let by = request.state.players.iter().find(|player| said.starts_with(player.called()));
    let Some(by) = by else { return String::new() };
    scribe.set("hero", short(by.called()));
    scribe.set("other", short(owed));
    // Who is not here any more may be dead.
    let is_here = request.state.npcs.iter().any(|row| called(row) == owed);
    scribe.say(match is_here {
        _ if is_silence(said) => PROMISED_SILENCE,
        true => PROMISED,
        false => PROMISED_ELSEWHERE,
    })
}

/// Somebody who is here and has come to trust the party less.
fn enemy(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let lost = |name: &str| request.told(&["[trust] "]).any(|line| line.starts_with(&format!("{name}: -")));
    let Some(name) = request.state.npcs.iter().map(called).find(|name| lost(name)) else {
        return String::new();
    };
    scribe.set("other", name);
    scribe.say(MINDED)
}

const GIVEN: &[&str] = &[
    "{other}'s {thing} has come along, in {hero}'s pocket.",
    "There is also {other}'s {thing}, which {hero} has not let out of sight.",
    "{hero} still has the {thing} from {other}.",
];
const GIVEN_AWAY: &[&str] = &[
    "{hero} is without the {thing}, which {other} keeps.",
    "{hero}'s {thing} has stayed with {other}, and is missed.",
    "{other} has {hero}'s {thing} now, and that is a thread between the two.",
];
const PROMISED_ELSEWHERE: &[&str] =
    &["And there is what {hero} promised {other}: it weighs nothing, and has been carried all the way."];
const PROMISED_SILENCE: &[&str] = &[
    "What {other} told {hero} has not gone any further.",
    "Nobody has heard from {hero} what {other} said, and {hero} has been asked.",
];
const PROMISED: &[&str] = &[
    "And there is what {hero} promised {other}: it weighs nothing, and has been carried all the way.",
    "{hero} has a promise to keep, and {other} is waiting for it.",
    "What {hero} promised {other} is still owed.",
];
const MINDED: &[&str] = &[
    "{other} has forgotten nothing either.",
    "{other} has come with a long memory.",
    "{other} knows the party by sight, and does not nod.",
];
