//! A failure that is told as a success, or a success that is told as a failure.

use super::finding;
use crate::cues::{LISTS, Match};
use crate::limits::{OUTCOME_SENTENCES, OUTCOME_TURNS};
use crate::read::{
    Check, Effect, People, Told, attempt, checks, effect, fortune, front, is_fought, is_paid_for, is_same,
    leading, misfortune, outcome, praise, told,
};
use crate::text::{unquoted, words};
use crate::{Kind, RollKind, Severity, Transcript, Verdict};

/// What befalls bodies: it says that somebody failed only of whoever tried.
const STUMBLES: [&str; 16] = [
    "stumbl",
    "tumbl",
    "trip",
    "shak",
    "crash",
    "fumbl",
    "slip",
    "drop",
    "fall",
    "fell",
    "lose",
    "lost",
    "land",
    "miss",
    "overshoot",
    "buckl",
];

/// Words between a denial and what is not done: "didn't so much as turn".
const IGNORED_WORDS: usize = 4;

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let people = People::of(transcript);
    let Some(all) = checks(transcript, &people) else { return Verdict::NotRecorded("rolls") };
    let tried = |roll: &Check| matches!(roll.kind, RollKind::Check | RollKind::Attack | RollKind::Defence);
    let all: Vec<Check> = all.into_iter().filter(tried).collect();
    let mut findings = Vec::new();
    for (place, check) in all.iter().enumerate() {
        let Some(success) = check.success else { continue };
        if check.roller.is_none() && !transcript.foreign {
            continue;
        }
        // Several rolls of one character may be told together, and then nobody can say which words are whose.
        let near = |other: &Check| {
            let together = !transcript.foreign
                || other.line == check.line
                || other.line > check.line && other.turn == check.turn;
            is_same(other, check) && other.turn.abs_diff(check.turn) <= OUTCOME_TURNS && together
        };
        if all
            .iter()
            .enumerate()
            .any(|(other, one)| other != place && near(one) && one.success != Some(success))
        {
            continue;
        }
        let tried = attempt(transcript, check);
        for told in told(transcript, &people, &all, place, 1) {
            if told.line.turn > check.turn + OUTCOME_TURNS {
                break;
            }
            let narrated = transcript.kind(&told.line.voice) == Kind::Narrator;
            let Some(sentence) =
                contradiction(transcript, (&told, narrated), success, check, &tried, &people)
            else {
                continue;
            };
            let (was, said) = if success { ("succeeded", "failed") } else { ("failed", "succeeded") };
            let why = format!("the roll {was} ({}), but the narration says that it {said}", check.what);
            let numbers = [told.line.number, check.number];
            let numbers = &numbers[..if numbers[0] == numbers[1] { 1 } else { 2 }];
            findings.push(finding(
                "mechanics",
                (Severity::Error, 75),
                numbers.iter().copied(),
                &sentence,
                why,
            ));
        }
    }
    Verdict::Looked(findings)
}

/// The sentence that tells the outcome the other way round, unless another one tells it rightly or makes it half of one.
fn contradiction(
    transcript: &Transcript,
    (told, narrated): (&Told<'_>, bool),
    success: bool,
    check: &Check,
    tried: &[String],
    people: &People<'_>,
) -> Option<String> {
    let sentences = front(&told.sentences);
    let mut wrong = None;
    let roller = check.roller.as_deref();
    let fought = is_fought(check.kind, tried);
    // What was tried for and comes about without a word of the failure is told as won.
    let gained = |sentence: &str| {
        let (effect, found) = effect(sentence, tried, check.kind, people, roller)?;
        (effect != Effect::Damage).then_some((true, found))
    };
    // "It stumbles back": somebody else does, where whoever rolled has won.
    let another = |sentence: &str, found: &Match| {
        let said = words(sentence);
        let before = found.start.checked_sub(1).map(|at| said[at].as_str());
        let falls = STUMBLES.iter().any(|front| said[found.start].starts_with(front));
        let own = roller.is_some_and(|roller| people.is_named(roller, sentence));
        before.is_some_and(|before| ["it", "he", "she", "they", "who"].contains(&before)) && falls && !own
    };
    let scored = |sentence: &str| {
        let said = words(sentence);
        let others =
            !said.iter().any(|word| word == "you" || word == "your") && people.named_in(sentence).is_none();
        let found = LISTS.outcome.score.all(&said).find(|found| !found.negated)?;
        (fought && others && roller.is_some()).then_some((true, found))
    };
    for (place, sentence) in sentences.iter().enumerate() {
        if transcript.is_written(success, sentence) {
            continue;
        }
        // Where the number is told as a failure in any words, what comes about all the same is an effect of it, and no other outcome.
        let told_of = sentences[..place]
            .iter()
            .any(|before| leading(before).is_some() && LISTS.fortune.adverse.hold(&words(before)));
        // What a foe's blow does to a player is no praise of it.
        let yours = roller.is_none() && words(sentence).iter().any(|word| word == "you" || word == "your");
        let praised = || praise(sentence, fought && !yours, people, roller).map(|found| (true, found));
        let said = outcome(sentence).or_else(|| {
            if success {
                return None;
            }
            if !narrated {
                return yields(sentence);
            }
            yields(sentence)
                .or_else(praised)
                .or_else(|| gained(sentence).filter(|_| !told_of))
                .or_else(|| scored(sentence))
        });
        match said {
            Some((told, _)) if told == success => return None,
            Some((_, found)) if success && another(sentence, &found) => {}
            // "The best I ever heard from you" is no failure, whatever else it holds.
            Some(_) if success && LISTS.outcome.praise.all(&words(sentence)).any(|found| !found.negated) => {}
            Some((_, found)) if wrong.is_none() => wrong = Some((place, found)),
            _ => {}
        }
    }
    let plain = wrong.is_none() && narrated && roller.is_some() && people.is_foreign();
    if plain && !success {
        let (place, _) = fortune(sentences)?;
        return (!told.sentences.iter().any(|sentence| LISTS.outcome.price.say(&words(sentence))))
            .then(|| sentences[place].clone());
    }
    if plain && success {
        let social = LISTS.fortune.social.hold(tried);
        // Whoever was to be moved is somebody else, of whom nothing is kept that is told of a check.
        let ignored = || {
            let text = unquoted(&told.line.text);
            let all = crate::text::sentences(&text);
            let front = all.into_iter().take(OUTCOME_SENTENCES);
            front.into_iter().find(|sentence| is_ignored(sentence)).map(str::to_owned)
        };
        return ill(sentences).or_else(|| ignored().filter(|_| social));
    }
    let (place, found) = wrong?;
    if !success && is_paid_for(&told.sentences, place, found) {
        return None;
    }
    let all = [RollKind::Check, RollKind::Attack].contains(&check.kind);
    if success {
        // What was won is told: the sentence speaks of something else that went wrong.
        let anything: Vec<String> = words("search open take attack");
        let won =
            sentences.iter().any(|sentence| effect(sentence, &anything, check.kind, people, None).is_some());
        if won && all || sentences.iter().any(|sentence| yields(sentence).is_some()) {
            return None;
        }
    }
    Some(sentences[place].clone())
}

/// A success that is told as a misfortune, where nobody does what was wanted.
fn ill(sentences: &[String]) -> Option<String> {
    let place = misfortune(sentences)?;
    (!sentences.iter().any(|sentence| yields(sentence).is_some())).then(|| sentences[place].clone())
}

/// Does somebody, whom a player wanted to move, do nothing at all: "He does not even look up"?
fn is_ignored(sentence: &str) -> bool {
    let reacts = [
        "turn", "look", "move", "stir", "care", "listen", "come", "answer", "follow", "blink", "budge",
        "react",
    ];
    let said = words(sentence);
    let stressed = said.windows(3).any(|row| row == ["so", "much", "as"] || row == ["in", "the", "least"])
        || said
            .windows(2)
            .any(|pair| pair == ["at", "all"] || pair[0] == "even" && reacts.contains(&pair[1].as_str()));
    let denied = |at: usize| {
        let front = &said[at.saturating_sub(IGNORED_WORDS)..at];
        front
            .iter()
            .any(|word| ["doesn't", "didn't", "don't", "won't", "not", "never"].contains(&word.as_str()))
            && !said[..at].iter().any(|word| ["you", "i", "we", "but"].contains(&word.as_str()))
    };
    let asks = sentence.trim_end().ends_with('?') || LISTS.outcome.supposed.hold(&said);
    stressed && !asks && (1..said.len()).any(|at| reacts.contains(&said[at].as_str()) && denied(at))
}

/// Somebody is persuaded.
fn yields(sentence: &str) -> Option<(bool, Match)> {
    let words = words(sentence);
    if sentence.trim_end().ends_with('?') || LISTS.outcome.supposed.hold(&words) {
        return None;
    }
    LISTS.outcome.yields.all(&words).find(|found| !found.negated).map(|found| (true, found))
}
