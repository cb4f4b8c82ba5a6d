//! All foes are gone, or what was to be done is done, and nobody tells the end: play just goes on, or the log stops.

use super::finding;
use crate::cues::{LISTS, stem};
use crate::limits::{ENDING_LINES, ENDING_SENTENCES, IDLE_LINES, IDLE_WORDS};
use crate::read::{Objective, People, checks, objectives};
use crate::text::{sentences, unquoted, words};
use crate::{Channel, Finding, Kind, Line, Severity, Transcript, Verdict};

/// Words of a sentence that the next one completes: "There is the strongbox. It's yours."
const SHORT_WORDS: usize = 6;

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let lines: Vec<&Line> = transcript
        .lines
        .iter()
        .filter(|line| line.channel != Channel::Before && transcript.kind(&line.voice) != Kind::Other)
        .collect();
    let wanted = objectives(transcript);
    let mut findings = Vec::new();
    let mut place = 0;
    while place < lines.len() {
        let line = lines[place];
        let narrated: Vec<&&Line> =
            lines[place..].iter().filter(|line| transcript.kind(&line.voice) == Kind::Narrator).collect();
        let idle = place * 3 >= lines.len() && idles(&narrated, &wanted);
        let narrates = transcript.kind(&line.voice) == Kind::Narrator;
        // What the first words say is what there is to do.
        let reached =
            (narrates && place > 0).then(|| reached(&wanted, line, (idle, transcript.foreign))).flatten();
        let Some((sentence, what)) = reached else {
            place += 1;
            continue;
        };
        if is_told(transcript, &lines[place..], &sentence, &wanted) {
            place += ENDING_LINES;
            continue;
        }
        let last = lines[lines.len() - 1];
        let goes_on = lines.len() - place - 1;
        let then = if goes_on < ENDING_LINES { "the transcript stops" } else { "play just goes on" };
        let numbers = [line.number, last.number];
        let numbers = &numbers[..if numbers[0] == numbers[1] { 1 } else { 2 }];
        let why = format!("{what}, and {then} without the end being told");
        findings.push(finding("ending", (Severity::Info, 70), numbers.iter().copied(), &sentence, why));
        break;
    }
    if findings.is_empty() && transcript.foreign {
        findings.extend(trails_off(transcript, &lines, &wanted));
    }
    Verdict::Looked(findings)
}

/// The last dice fell well for what was to be done, and from then on the narrator only answers shortly, to the last line.
fn trails_off(transcript: &Transcript, lines: &[&Line], wanted: &[Objective]) -> Option<Finding> {
    let people = People::of(transcript);
    let all = checks(transcript, &people)?;
    let last = all.iter().rfind(|check| check.success.is_some())?;
    let told = transcript
        .lines
        .get(last.line..)?
        .iter()
        .find(|line| transcript.kind(&line.voice) == Kind::Narrator)?;
    let place = lines.iter().position(|line| line.number == told.number)?;
    let narrated: Vec<&&Line> =
        lines[place..].iter().filter(|line| transcript.kind(&line.voice) == Kind::Narrator).collect();
    let won = last.success == Some(true) && last.roller.is_some() && !told.text.trim_end().ends_with('?');
    let said = words(&told.text);
    let about = |objective: &Objective| {
        let keyed = said.iter().any(|word| objective.keys.contains(&stem(word)));
        let act = objective
            .act
            .iter()
            .filter(|word| word.len() > 2 && !["the", "and", "for"].contains(&word.as_str()));
        keyed || act.filter(|word| said.contains(word)).count() > 1
    };
    let closed = |line: &&&Line| {
        let said = words(&unquoted(&line.text));
        LISTS.story.closing.hold(&said) || LISTS.story.ending.hold(&said) || LISTS.fight.over.hold(&said)
    };
    let trails = narrated.len() > ENDING_LINES && idles(&narrated, wanted) && !narrated.iter().any(closed);
    if !(won && trails && wanted.iter().any(about)) {
        return None;
    }
    let why = "the last roll went well for what was to be done, and nothing is told after it that ends it";
    let numbers = [told.number, lines.last()?.number];
    Some(finding("ending", (Severity::Info, 65), numbers, sentences(&told.text).last()?, why.to_owned()))
}

/// The sentence by which everything is won.
fn reached(
    wanted: &[Objective],
    line: &Line,
    (idle, foreign): (bool, bool),
) -> Option<(String, &'static str)> {
    let text = unquoted(&line.text);
    let all = sentences(&text);
    let before: Vec<&Objective> = wanted.iter().filter(|objective| objective.number < line.number).collect();
    // Where something else than a fight is to be done, foes that are gone end nothing.
    let fought = before.is_empty() || before.iter().any(|objective| objective.is_fight());
    all.iter().enumerate().find_map(|(place, sentence)| {
        let said = words(sentence);
        if sentence.trim_end().ends_with('?') || LISTS.outcome.supposed.hold(&said) {
            return None;
        }
        if fought && (LISTS.fight.won.say(&said) || LISTS.story.routed.say(&said)) {
            return Some(((*sentence).to_owned(), "all foes are dead or gone"));
        }
        let mut both = said.clone();
        let next = all.get(place + 1).map(|next| words(next)).unwrap_or_default();
        if next.len() <= SHORT_WORDS {
            both.extend(next);
        }
        if before.iter().any(|objective| objective.is_won_by(&said)) || LISTS.story.reached.say(&said) {
            return Some(((*sentence).to_owned(), "the objective is reached"));
        }
        // Something is over, and nobody says what: it counts where nothing is at stake after it.
        if idle && foreign && LISTS.story.quiet.say(&said) {
            return Some(((*sentence).to_owned(), "what was at stake is over"));
        }
        // That something is done is little evidence alone: it counts late, and where nothing is at stake after it.
        let done = idle && before.iter().any(|objective| objective.is_done_by(&both, &said));
        done.then(|| ((*sentence).to_owned(), "the objective is reached"))
    })
}

/// Is an end told, in the line itself or soon after? More foes are none, and no end either.
fn is_told(transcript: &Transcript, lines: &[&Line], sentence: &str, wanted: &[Objective]) -> bool {
    let narrated: Vec<&&Line> =
        lines.iter().filter(|line| transcript.kind(&line.voice) == Kind::Narrator).collect();
    let holds = |text: &str, told: &dyn Fn(&[String]) -> bool| {
        sentences(text)
            .into_iter()
            .any(|sentence| !sentence.trim_end().ends_with('?') && told(&words(sentence)))
    };
    if narrated.iter().any(|line| holds(&unquoted(&line.text), &|said| LISTS.story.closing.say(said))) {
        return true;
    }
    let rest = lines[0].text.split_once(sentence).map_or("", |(_, rest)| rest);
    let next = narrated.get(1).map_or("", |line| line.text.as_str());
    if [rest, next].iter().any(|text| LISTS.fight.more.hold(&words(text))) {
        return true;
    }
    // "That evening" and "the road home" may end a story, or one of its scenes: they do where nobody idles after it.
    let ends =
        |line: &Line| holds(&line.text, &|said| LISTS.story.ending.say(said) || LISTS.fight.over.say(said));
    let last = narrated.last().is_some_and(|last| ends(last));
    if last || (!idles(&narrated, wanted) && narrated.iter().take(ENDING_LINES).any(|line| ends(line))) {
        return true;
    }
    // A last message that goes on telling after the last blow tells the end, in whatever words.
    let last = narrated.last();
    let told = if last.is_some_and(|last| last.number == lines[0].number) {
        rest
    } else {
        last.map_or("", |last| last.text.as_str())
    };
    let asks = told.trim_end().ends_with('?');
    lines.len() <= ENDING_LINES && !asks && sentences(told).len() >= ENDING_SENTENCES
}

/// Is nothing at stake any more in the narrator's messages after the first of these? Short answers, without what was to be done.
fn idles(narrated: &[&&Line], wanted: &[Objective]) -> bool {
    let after = &narrated[1.min(narrated.len())..];
    let short = |line: &Line| words(&line.text).len() <= IDLE_WORDS;
    let about = |line: &Line| {
        let said = words(&line.text);
        LISTS.fight.round.hold(&said)
            || said
                .iter()
                .any(|word| ["roll", "damage", "hits", "misses", "initiative"].contains(&word.as_str()))
            || wanted
                .iter()
                .any(|objective| said.iter().filter(|word| objective.keys.contains(&stem(word))).count() > 1)
    };
    after.len() >= IDLE_LINES && after.iter().all(|line| short(line) && !about(line))
}
