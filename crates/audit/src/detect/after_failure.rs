//! A check failed, and what depended on it happens all the same.

use std::collections::BTreeSet;

use super::finding;
use crate::cues::{Cues, LISTS, Match, is_negation};
use crate::limits::AFTERMATH_LINES;
use crate::read::{
    Check, Effect, People, Told, all_the_same, attempt, checks, comes_about, effect, is_paid_for, outcome,
    told, told_after_all,
};
use crate::text::words;
use crate::{Call, Finding, Kind, RollKind, Severity, Transcript, Verdict};

/// Words of names that nobody has said before: one may be a figure of speech.
const NEW_NAMES_MIN: usize = 2;

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let people = People::of(transcript);
    let Some(all) = checks(transcript, &people) else { return Verdict::NotRecorded("rolls") };
    if all.iter().all(|check| check.success.is_none()) {
        return Verdict::NotRecorded("whether checks passed");
    }
    let mut findings: Vec<Finding> = Vec::new();
    for (place, check) in all.iter().enumerate() {
        let failed = check.success == Some(false) && matches!(check.kind, RollKind::Check | RollKind::Attack);
        if !(failed || transcript.foreign && withstood(check)) {
            continue;
        }
        // What nobody plays tries nothing that a player asked for.
        let before = check.line.checked_sub(1).and_then(|line| transcript.lines.get(line));
        let foe = before.is_some_and(|line| transcript.kind(&line.voice) == Kind::Narrator);
        if failed && transcript.foreign && check.roller.is_none() && check.told.is_none() && foe {
            continue;
        }
        // One character's rolls that went both ways are told together: nobody can say which effect is whose.
        let passed = |other: &Check| {
            other.number != check.number
                && other.roller == check.roller
                && other.line == check.line
                && other.success == Some(true)
        };
        if all.iter().any(passed) {
            continue;
        }
        findings.extend(applied(transcript, &people, &all, place));
    }
    Verdict::Looked(findings)
}

/// Has somebody whom no player plays withstood what was done to them?
fn withstood(check: &Check) -> bool {
    let asked = words(&check.asked.replace('_', " "));
    let saves = asked
        .iter()
        .any(|word| ["save", "saves", "saving", "resist", "resists", "resistance"].contains(&word.as_str()));
    check.success == Some(true) && check.roller.is_none() && saves
}

fn applied(transcript: &Transcript, people: &People<'_>, all: &[Check], place: usize) -> Option<Finding> {
    let check = &all[place];
    let tried = attempt(transcript, check);
    let telling = told(transcript, people, all, place, AFTERMATH_LINES);
    let failed = |sentence: &String| outcome(sentence).is_some_and(|(won, _)| !won);
    let withstood = check.success == Some(true);
    let mut paid = false;
    for told in &telling {
        let mut acknowledged = false;
        for (place, sentence) in told.sentences.iter().enumerate() {
            acknowledged |= failed(sentence);
            if transcript.is_written(false, sentence) {
                continue;
            }
            let found = effect(sentence, &tried, check.kind, people, check.roller.as_deref())
                .filter(|_| !withstood)
                .or_else(|| {
                    let any = transcript.foreign && (check.roller.is_some() || withstood);
                    let about = comes_about(&told.sentences, place, &tried, check.kind);
                    let first = place <= 1 && told.line.number == telling[0].line.number && !withstood;
                    about.or_else(|| told_after_all(sentence, &tried).filter(|_| first)).filter(|_| any)
                });
            // What somebody has noticed of whoever failed is what comes of failing.
            let of_you = |found: &Match| {
                words(sentence)[found.end..].iter().any(|word| word == "you" || word == "your")
            };
            let found =
                found.filter(|(effect, found)| !acknowledged || *effect != Effect::Clue || !of_you(found));
            // Whoever tells something learns nothing by it.
            let found = found.filter(|(effect, found)| {
                *effect != Effect::Clue || !is_speech_of_mine(&words(sentence)[..found.start])
            });
            // What a player's character is called, all have known before.
            let found = found.filter(|(effect, found)| {
                *effect != Effect::Clue || !is_own_name(people, &words(sentence)[..=found.start])
            });
            let Some((effect, found)) =
                found.or_else(|| all_the_same(sentence).filter(|_| acknowledged || check.told.is_none()))
            else {
                continue;
            };
            if is_paid_for(&told.sentences, place, found) {
                paid = true;
                break;
            }
            let why = format!("the check failed ({}), yet {} as if it had passed", check.what, effect.name());
            let numbers = [told.line.number, check.number];
            let numbers = &numbers[..if numbers[0] == numbers[1] { 1 } else { 2 }];
            return Some(finding(
                "after-failure",
                (Severity::Error, 75),
                numbers.iter().copied(),
                sentence,
                why,
            ));
        }
        let paid = paid || told.sentences.iter().any(|sentence| LISTS.outcome.price.say(&words(sentence)));
        let first = told.line.number == telling[0].line.number && !withstood;
        if !paid
            && first
            && LISTS.outcome.knowing.hold(&tried)
            && transcript.foreign
            && names(transcript, told)
        {
            let why = format!("the check failed ({}), yet names are told as if it had passed", check.what);
            let sentence =
                told.sentences.iter().find(|sentence| !failed(sentence)).map_or("", String::as_str);
            return Some(finding("after-failure", (Severity::Error, 70), [told.line.number], sentence, why));
        }
        if paid || told.sentences.iter().any(|sentence| LISTS.outcome.price.say(&words(sentence))) {
            return None;
        }
    }
    let call = granted(transcript, people, all, place, telling.last().map(|told| told.line.number))?;
    let why = format!("the check failed ({}), yet {} is called as if it had passed", check.what, call.tool);
    Some(finding("after-failure", (Severity::Error, 70), [call.number, check.number], "", why))
}

/// Verbs of what somebody says to others.
const SPEAKING: &[&str] =
    &["tell", "ask", "say", "call", "explain", "read", "offer", "promise", "shout", "whisper", "sing"];
/// Whoever else may do something in the sentence.
const OTHERS: &[&str] = &["he", "she", "it", "they", "you", "we", "who", "somebody", "someone", "everybody"];

/// "I tell him what I know": does a player tell what is said, and nobody has done anything yet? `before` is what stands before the effect.
fn is_speech_of_mine(before: &[String]) -> bool {
    let speaks = match before {
        // The effect may be found in the verb itself.
        [first] => first == "i",
        [first, verb, ..] => first == "i" && SPEAKING.contains(&verb.as_str()),
        [] => false,
    };
    speaks && !before.iter().any(|word| OTHERS.contains(&word.as_str()))
}

/// "Ada's name": does what stands up to the effect's first word end in the name of a player's character?
fn is_own_name(people: &People<'_>, until: &[String]) -> bool {
    let [.., whose, what] = until else { return false };
    let is_theirs = |name: &String| words(name).contains(whose);
    what == "name" && people.players().any(|(_, names)| names.iter().any(is_theirs))
}

/// Names that nobody has said before, in sentences that deny nothing: whoever asked and failed is told who it is all the same.
fn names(transcript: &Transcript, told: &Told<'_>) -> bool {
    let before =
        transcript.lines.iter().filter(|line| line.number < told.line.number).map(|line| line.text.as_str());
    let before: Vec<&str> = before.chain(transcript.prompts.iter().map(|(_, text)| text.as_str())).collect();
    let is_new = |word: &str| !before.iter().any(|text| text.contains(word));
    let mut found: BTreeSet<&str> = BTreeSet::new();
    for sentence in &told.sentences {
        let said = words(sentence);
        if said.iter().any(|word| is_negation(word)) || LISTS.outcome.supposed.hold(&said) {
            continue;
        }
        let parts = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).skip(1);
        let proper = parts.filter(|word| word.starts_with(char::is_uppercase) && word.chars().count() > 2);
        found.extend(proper.filter(|word| word.chars().any(char::is_lowercase) && is_new(word)));
    }
    found.len() >= NEW_NAMES_MIN
}

/// A call that gives what the check was for, before the same character tries again.
fn granted<'t>(
    transcript: &'t Transcript,
    people: &People<'_>,
    all: &[Check],
    place: usize,
    until: Option<u64>,
) -> Option<&'t Call> {
    let check = &all[place];
    let later = all[place + 1..].iter().filter(|later| later.success.is_some());
    let next = later.map(|later| later.number).next().unwrap_or(u64::MAX);
    let next = next.min(until.map_or(check.number + 6, |until| until + 1));
    let roller = check.roller.as_deref();
    // Where nobody plays a character of that name, the call may name it as the roll did.
    let named = |text: &str| match roller {
        Some(roller) => people.is_named(roller, text) || text.contains(roller),
        None => !check.character.is_empty() && text.contains(check.character.as_str()),
    };
    let grants: &Cues = &LISTS.tools.grants;
    transcript.calls.iter().flatten().filter(|_| transcript.foreign).find(|call| {
        let within = call.number > check.number && call.number < next && call.good != Some(false);
        let tool = words(&call.tool.replace('_', " "));
        let hurts = tool.iter().any(|word| word == "damage" || word == "hp");
        let own = named(&call.key);
        within && grants.hold(&tool) && own != hurts
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::scene;

    /// What is found where somebody has failed to do this, says that, and the narrator goes on so.
    fn found(tries: &str, said: &str, told: &str) -> usize {
        let text = format!("dm: Well?\nada: {tries}\n! ada 1d20 [2] 4 vs 12 fail\nada: {said}\ndm: {told}");
        let transcript = Transcript { foreign: false, ..scene(&text) };
        match look(&transcript) {
            Verdict::Looked(findings) => findings.len(),
            _ => panic!("rolls are recorded"),
        }
    }

    #[test]
    fn what_somebody_tells_is_no_knowledge_gained() {
        let found = |said| found("I interrogate the buyer about the paper.", said, "He nods.");
        assert_eq!(found("I tell him about my uncle, who also bought metal, and I leave nothing out."), 0);
        assert_eq!(found("I tell her that I have seen a village like that, from above, through water."), 0);
        // What others do in the same breath, the same words tell.
        assert_eq!(found("I tell him a joke, and he confesses everything."), 1);
        assert_eq!(found("He confesses everything."), 1);
    }

    #[test]
    fn the_name_of_a_player_s_character_is_no_knowledge_gained() {
        let found = |told| found("I look through the register of the dead.", "I take my time.", told);
        assert_eq!(found("In the account of it that goes about, Ada's name is spelt wrong, as usual."), 0);
        assert_eq!(found("On the last page, in red, the buyer's name is written out in full."), 1);
    }

    #[test]
    fn what_happens_every_time_has_not_happened_now() {
        let found = |told| found("I pick the lock of the green door.", "I take my time.", told);
        assert_eq!(found("Every time that the green door swings open there is a smell of wax."), 0);
        assert_eq!(found("Whenever the green door swings open there is a smell of wax."), 0);
        assert_eq!(found("The lock clicks and the green door swings open."), 1);
    }
}
