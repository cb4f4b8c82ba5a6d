//! The end of an encounter: the deed that everybody sees, what becomes of people, and the summary that is kept.

use serde_json::json;

use super::books::{has_quest, known_feats};
use super::deed::{Deed, Kind, small};
use super::dm::{check, joined, last_words, outcome, with_names};
use super::grammar::{Scribe, capital};
use super::narration::*;
use super::read::{Person, clause_after, names, sentences, shift, short};
use super::reply::{Reply, call};
use super::request::Request;
use super::state::{Player, Row, TableState};
use super::story::{called, ending_of, own, person_of};
use super::trail::{Aim, Trail, failed, feat};
use super::traits::{Trait, WANTS, spoken_of};

/// How it ends.
struct End<'r> {
    goal: &'r Row,
    /// Who did the last deed; nobody when the time ran out.
    doer: Option<&'r Player>,
    /// What is done last.
    deed: Deed,
}

/// The reply that ends the encounter, when its last deed is done or its time is up.
pub(super) fn ending(
    request: &Request<'_>,
    scribe: &mut Scribe,
    trail: &Trail<'_>,
    speaker: Option<&Player>,
) -> Option<Reply> {
    let state = &request.state;
    let (said, all) = (state.messages.done, state.messages.all.max(12));
    let late = said >= all * 84 / 100 || said + 3 >= all || state.turns_left.is_some_and(|left| left <= 5);
    let declared = trail.deed.is_declared(last_words(request, speaker));
    let is_told = trail.goal.is_some_and(|goal| !ending_of(request, &goal.head).is_empty());
    // Where the material tells the end, or the last check is all that its goal says, it follows from that check.
    let done = match is_told || trail.is_done_by_a_check() {
        true => trail.is_walked(),
        false => trail.is_walked() && ((declared && !trail.has_gained()) || late),
    };
    let end = match (trail.goal, speaker) {
        (Some(goal), Some(doer)) if done => End { goal, doer: Some(doer), deed: trail.deed.clone() },
        _ if late => match state.failures.first() {
            Some(failure) => return tell_loss(request, scribe, trail, speaker, failure),
            None => given_up(request, trail)?,
        },
        _ => return None,
    };
    resolve(request, scribe, trail, speaker, &end)
}

/// The reply that tells a failure that has happened.
pub(super) fn lost(
    request: &Request<'_>,
    scribe: &mut Scribe,
    trail: &Trail<'_>,
    speaker: Option<&Player>,
) -> Option<Reply> {
    let state = &request.state;
    let goal = state.failures.iter().find(|goal| !state.struck.is_empty() && goal.head == state.struck)?;
    tell_loss(request, scribe, trail, speaker, goal)
}

fn tell_loss(
    request: &Request<'_>,
    scribe: &mut Scribe,
    trail: &Trail<'_>,
    speaker: Option<&Player>,
    goal: &Row,
) -> Option<Reply> {
    let state = &request.state;
    let label = goal.get("label").trim_end_matches('.');
    scribe.set("label", label);
    let tried = check(request, speaker).is_some();
    let mut told = if tried { outcome(request, scribe, speaker) } else { Vec::new() };
    let mut before = None;
    match ending_of(request, &goal.head) {
        "" => {
            told.push(scribe.say(LOST));
            told.push(format!("{label}."));
            told.push(cost(request, scribe));
            for player in standing(state) {
                scribe.set("who", short(player.called()));
                told.push(scribe.say(LOST_FATES));
            }
            told.extend(carried(request, scribe));
            told.push(scribe.say(LOST_IMAGES));
        }
        // What the material says of the end is told as it stands.
        ending => {
            before = Some(joined(std::mem::take(&mut told)));
            told.extend(carried(request, scribe));
            told.push(ending.to_owned());
        }
    }
    let mut summary = known_feats(request);
    summary.push(format!("It was not enough: {}.", small(label, &trail.people)));
    let summary = capital(&summary.join(" "));
    let resolved = resolved(request, goal, &summary)?;
    let text = in_paragraphs([before, Some(joined(told)), afterwards(request, scribe, goal, false)]);
    Some(Reply { text, calls: vec![resolved], cut: false })
}

/// The call that ends the encounter.
fn resolved(request: &Request<'_>, goal: &Row, summary: &str) -> Option<(String, String)> {
    let (encounter, because) = (&request.state.encounter.head, request.citable(!goal.has("failure")));
    let arguments = json!({
        "encounterId": encounter,
        "outcomeId": goal.head,
        "summary": summary,
        "because": because,
    });
    call(request, "encounter_resolve", arguments)
}

/// The end when time runs out and nothing that must not happen is at hand: a secondary goal, if there is one.
fn given_up<'r>(request: &'r Request<'_>, trail: &Trail<'r>) -> Option<End<'r>> {
    let goals = &request.state.goals;
    let secondary = goals.iter().find(|goal| !own(goal) && !goal.has("primary"));
    let goal = secondary.or(trail.goal).or(goals.first())?;
    Some(End { goal, doer: None, deed: Deed::of(goal.get("label"), &trail.people) })
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
    // "Kira used to carry letters and wants to sleep well."
    let named = |sentence: &&str| sentence.starts_with(&format!("{} ", short(full)));
    let told = sentences(&request.material).into_iter().filter(named);
    let found = told.filter_map(|sentence| clause_after(sentence, &[" and wants to "])).next();
    if let Some(found) = found {
        return Some(found.to_owned());
    }
    let own: Vec<&str> = request.lines_by([&player.seat, full]).map(|line| line.text.as_str()).collect();
    let own = own.join("\n");
    let told = spoken_of(WANTS, &own).map(|want| want.is);
    told.or_else(|| clause_after(&own, &["I want to "])).map(|want| shift(want, Person::Third))
}

/// Narration, and the call that closes the encounter.
fn resolve(
    request: &Request<'_>,
    scribe: &mut Scribe,
    trail: &Trail<'_>,
    speaker: Option<&Player>,
    end: &End<'_>,
) -> Option<Reply> {
    let label = end.goal.get("label").trim_end_matches('.');
    let label = if label.is_empty() { end.goal.head.replace('-', " ") } else { label.to_owned() };
    let label = small(&label, &trail.people);
    scribe.set("label", label.as_str());
    // The last deed is told by itself; whatever came before it in the same turn is told first.
    let alone = end.doer.is_some() && check(request, speaker).is_none();
    let mut told = if alone { Vec::new() } else { outcome(request, scribe, speaker) };
    let mut before = None;
    match ending_of(request, &end.goal.head) {
        "" => told.extend(in_own_words(request, scribe, end)),
        ending => {
            before = Some(joined(std::mem::take(&mut told)));
            told.extend(carried(request, scribe));
            told.push(ending.to_owned());
        }
    }
    let summary = summary(request, trail, end, &label);
    let resolved = resolved(request, end.goal, &summary)?;
    // The quest is done only where it went as the party was asked, which is what the first goal says.
    let first = request.state.goals.first().is_some_and(|goal| goal.head == end.goal.head);
    let is_done = first && end.goal.has("primary") && !own(end.goal) && has_quest(request);
    // What was done last is remembered as what was done before it.
    let last = check(request, speaker).filter(|(_, success)| *success).zip(speaker);
    let deed = last.map(|((row, _), doer)| feat(doer.called(), &with_names(request, row.flag(0))));
    let deed = deed.filter(|deed| !request.noted().any(|line| line == deed));
    let deed =
        deed.and_then(|deed| call(request, "record_event", json!({"kind": "important", "text": deed})));
    let quest = is_done.then(|| json!({"quest": request.state.objective, "done": true}));
    let quest = quest.and_then(|done| call(request, "record_quest", done));
    // What was promised is left when it is over.
    let owed = owed(request, scribe, ending_of(request, &end.goal.head));
    let text = in_paragraphs([before, Some(joined(told)), owed, afterwards(request, scribe, end.goal, true)]);
    Some(Reply { text, calls: deed.into_iter().chain(quest).chain([resolved]).collect(), cut: false })
}

fn in_paragraphs<const N: usize>(parts: [Option<String>; N]) -> String {
    let told = parts.into_iter().flatten().filter(|part| !part.is_empty());
    told.collect::<Vec<_>>().join("\n\n")
}

/// What comes of everybody when the whole story is over, and of what each of them wanted.
fn afterwards(request: &Request<'_>, scribe: &mut Scribe, goal: &Row, is_well: bool) -> Option<String> {
    // An ending in the improviser's own words has said it.
    if request.state.encounter.get("last") != "yes" || ending_of(request, &goal.head).is_empty() {
        return None;
    }
    let mut told = Vec::new();
    for player in standing(&request.state) {
        let Some(want) = wish(request, player).and_then(|wish| wanted(&wish)) else { continue };
        scribe.set("who", short(player.called()));
        told.push(scribe.say(&[want.after[usize::from(!is_well)]]));
    }
    Some(joined(told)).filter(|told| !told.is_empty())
}

/// Bytes of a wish below which it is nobody's in particular: "be" begins many.
const WISH_MIN: usize = 12;

/// The want of the improviser's lists of which these words are the beginning; none for a wish that somebody else made up.
fn wanted(wish: &str) -> Option<&'static Trait> {
    let is_long = wish.len() > WISH_MIN;
    WANTS.iter().find(|want| is_long && shift(want.is, Person::Third).starts_with(wish))
}

/// Whoever lies on the ground when it is over is carried away, and whoever was taken away before hears of it.
fn carried(request: &Request<'_>, scribe: &mut Scribe) -> Vec<String> {
    let patterns = |row: &Row| match (row.has("down"), row.has("taken away")) {
        (true, _) => Some(CARRIED),
        (_, true) => Some(TAKEN_AWAY),
        _ => None,
    };
    let fallen = request.state.fallen.iter().filter_map(|row| Some((row, patterns(row)?)));
    fallen
        .map(|(row, patterns)| {
            scribe.set("who", short(&row.head));
            scribe.say(patterns)
        })
        .collect()
}

/// The last promise that was made to somebody here, as the record has it.
fn owed(request: &Request<'_>, scribe: &mut Scribe, told: &str) -> Option<String> {
    let known: Vec<_> =
        request.told(&["[learned] "]).filter_map(|line| line.split_once(" now knows: ")).collect();
    let promised = |(owed, said): &(&str, &str)| {
        let is_here = request.state.npcs.iter().any(|row| called(row) == *owed);
        is_here && ["promise", "my word"].iter().any(|word| said.contains(word))
    };
    let (owed, said) = known.into_iter().rfind(promised)?;
    // Who has just said it before everybody has no secret left.
    let is_theirs = |row: &Row| person_of(request, row.flag(0)) == Some(owed);
    let has_shown = request.state.last_checks.iter().any(|row| row.has("success") && is_theirs(row));
    if is_silence(said) && (has_shown || names(told, short(owed))) {
        return None;
    }
    let promiser = standing(&request.state).find(|player| said.starts_with(player.called()))?;
    scribe.set("promiser", short(promiser.called()));
    scribe.set("owed", short(owed));
    Some(scribe.say(if is_silence(said) { KEPT } else { OWED }))
}

/// Is nothing more promised than to say nothing?
pub(super) fn is_silence(said: &str) -> bool {
    ["nobody hears", "shall hurt you"].iter().any(|word| said.contains(word))
}

/// An ending of which the material says no more than its label.
fn in_own_words(request: &Request<'_>, scribe: &mut Scribe, end: &End<'_>) -> Vec<String> {
    let state = &request.state;
    let mut told = match end.doer {
        Some(_) => last_deed(scribe, end),
        None => vec![scribe.say(LATE)],
    };
    if end.doer.is_none() || !end.deed.tells_all {
        told.push(scribe.say(ENDS));
    }
    told.push(cost(request, scribe));
    for player in standing(state) {
        scribe.set("who", short(player.called()));
        scribe.set("wish", wish(request, player).unwrap_or_default());
        told.push(scribe.say(FATES));
    }
    told.extend(carried(request, scribe));
    told.push(scribe.say(LAST_IMAGES));
    told
}

/// Those who can do something at the end: whoever is down does nothing.
fn standing(state: &TableState) -> impl Iterator<Item = &Player> {
    state.players.iter().filter(|player| state.fallen.iter().all(|row| row.head != player.called()))
}

/// The deed in the open, and what it sets going.
fn last_deed(scribe: &mut Scribe, end: &End<'_>) -> Vec<String> {
    scribe.set("deed", end.deed.base.as_str());
    let told = scribe.say(if end.deed.is_whole() { LAST_STEP } else { LAST_DEED });
    let Kind::Person(person, does) = &end.deed.kind else { return vec![told] };
    scribe.set("person", person.as_str());
    scribe.set("does", does.as_str());
    vec![told, scribe.say(PERSON_END)]
}

/// What it cost: the last thing that somebody here failed to do.
fn cost(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let is_here =
        |missed: &str| request.state.checks.iter().any(|row| missed.eq_ignore_ascii_case(&row.head));
    let missed = request.noted().filter_map(failed).filter(|(_, missed)| is_here(missed)).last();
    let (loser, missed) = missed.unwrap_or_default();
    scribe.set("loser", short(loser));
    scribe.set("missed", missed);
    scribe.say(if request.state.failed <= 0 { COST_NONE } else { COST })
}

/// Who did what, and how it ended.
fn summary(request: &Request<'_>, trail: &Trail<'_>, end: &End<'_>, label: &str) -> String {
    let mut told = known_feats(request);
    let last = end.doer.and_then(|doer| {
        check(request, Some(doer)).filter(|(_, success)| *success).map(|(row, _)| (doer, row))
    });
    told.extend(last.map(|(doer, row)| feat(doer.called(), &with_names(request, row.flag(0)))));
    let is_told = !ending_of(request, &end.goal.head).is_empty();
    told.extend(match (end.doer, &end.deed.kind) {
        (Some(_), _) if is_told => None,
        (Some(doer), Kind::Person(person, _)) => {
            Some(format!("In the end {} stood by {person}.", doer.called()))
        }
        (Some(doer), Kind::Other) => Some(format!("In the end {} {}.", doer.called(), end.deed.past)),
        (None, _) => Some("Then the time was up.".to_owned()),
    });
    let aside = if trail.aim == Aim::Own && own(end.goal) { " as nobody had planned" } else { "" };
    told.push(format!("So it ended{aside}: {label}."));
    capital(&told.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_that_somebody_else_made_up_has_no_ending_of_the_lists() {
        for made_up in ["", "be", "find", "find her brother", "have a dog again and again"] {
            assert!(wanted(made_up).is_none(), "{made_up:?}");
        }
        assert!(wanted("have a dog again").is_some());
        // The transcript may cut it where it has a comma.
        assert!(wanted("be trusted with a key").is_some());
    }
}
