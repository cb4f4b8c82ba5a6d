//! What a narration says of how something went.

use super::numbers::numbered;
use super::{Check, ClaimKind, People, claims};
use crate::cues::{Cues, LISTS, Match, is_negation};
use crate::limits::OUTCOME_SENTENCES;
use crate::text::{sentences, unquoted, words};
use crate::{Channel, Kind, Line, RollKind, Transcript};

/// Words after "notice" or "find" in which it turns out that there is nothing to find.
const NOTHING_WORDS: usize = 4;

/// Words of a sentence that only says how a roll went.
const VERDICT_WORDS_MAX: usize = 8;

/// Words of a sentence that tells what somebody wanted to know.
const TOLD_WORDS_MIN: usize = 8;

/// Words of a cry that is a sentence alone: "Touch!", "Got him!"
const CRIED_WORDS_MAX: usize = 3;

/// The part of a line that tells how a check went.
pub(crate) struct Told<'t> {
    pub line: &'t Line,
    /// Its sentences, without what people say in it.
    pub sentences: Vec<String>,
}

/// The lines that may tell how a check went, the nearest first: none that tells of a later check of the same character.
pub(crate) fn told<'t>(
    transcript: &'t Transcript,
    people: &People<'_>,
    all: &[Check],
    place: usize,
    lines_max: usize,
) -> Vec<Told<'t>> {
    let check = &all[place];
    let later = all[place + 1..].iter().find(|later| is_same(later, check));
    let together =
        all.iter().enumerate().filter(|(other, later)| *other != place && later.line == check.line).count();
    let mut told = Vec::new();
    for (at, line) in transcript.lines.iter().enumerate().skip(check.line) {
        let narrated =
            told.iter().filter(|told: &&Told<'_>| transcript.kind(&told.line.voice) == Kind::Narrator);
        if narrated.count() >= lines_max || line.channel != Channel::Table && line.channel != Channel::Apart {
            break;
        }
        // What somebody else has rolled since then may be what this line tells of.
        let since = all.iter().any(|other| {
            let another = transcript.foreign && !is_same(other, check);
            other.line > check.line && other.line <= at && (other.success == Some(true) || another)
        });
        if at > check.line && !told.is_empty() && since {
            break;
        }
        let retried = later.is_some_and(|later| {
            later.number < line.number
                || (later.told.is_some() && later.number == line.number && later.line > check.line)
        });
        if retried && at > check.line && later.is_some_and(|later| later.line <= at) {
            break;
        }
        let own = check.roller.as_deref() == Some(line.voice.as_str());
        if transcript.kind(&line.voice) != Kind::Narrator
            && !(own && at == check.line && check.told.is_none())
        {
            // A player who tries something else makes what follows about that.
            if own && at > check.line && !told.is_empty() {
                break;
            }
            continue;
        }
        let text = unquoted(&rest_of(check, line));
        let mut kept = Vec::new();
        let mut meant = own || together == 0;
        for sentence in sentences(&text) {
            let named = people.named_in(sentence);
            match (named, check.roller.as_deref()) {
                (Some(named), Some(roller))
                    if named != roller
                        && !people.is_named(roller, sentence)
                        && (together > 0 || !kept.is_empty() && people.is_subject(named, sentence)) =>
                {
                    break;
                }
                (Some(named), Some(roller)) if named == roller => meant = true,
                _ => {}
            }
            if is_bare(sentence) {
                continue;
            }
            let conceded = LISTS.outcome.still.all(&words(sentence)).any(|found| found.start <= 1);
            if meant && (conceded || !people.is_about_another(check.roller.as_deref(), sentence)) {
                kept.push(sentence.to_owned());
            }
        }
        told.push(Told { line, sentences: kept });
    }
    told
}

/// Are two checks of one character, as far as the record tells?
pub(crate) fn is_same(one: &Check, other: &Check) -> bool {
    one.roller == other.roller && (one.roller.is_some() || one.asked == other.asked)
}

/// "Seven against guard 14.": numbers that say nothing of how it went.
fn is_bare(sentence: &str) -> bool {
    let said = numbered(sentence);
    let links = [
        "against", "vs", "versus", "to", "on", "over", "under", "guard", "armour", "armor", "ac", "dc", "a",
        "an", "the", "your", "his", "her", "its", "and", "that's", "that", "is", "of", "for",
    ];
    said.len() <= 6 && said.iter().all(|(word, number)| number.is_some() || links.contains(&word.as_str()))
}

/// The words of what was tried: what the player said last, and what the roll is said to be for.
pub(crate) fn attempt(transcript: &Transcript, check: &Check) -> Vec<String> {
    let before = transcript.lines
        [..(check.line + usize::from(check.told.is_some())).min(transcript.lines.len())]
        .iter()
        .rev();
    // Where nobody knows whose roll it was, it answers whoever spoke last.
    let mut own = before.filter(|line| match check.roller.as_deref() {
        Some(roller) => line.voice == roller,
        None => transcript.kind(&line.voice) == Kind::Player,
    });
    let said = own.next().map_or("", |line| line.text.as_str());
    let mut tried = words(said);
    tried.extend(words(&check.what));
    tried.extend(words(&check.asked.replace('_', " ")));
    tried.extend(check.told.iter().flat_map(|told| words(told)));
    tried
}

/// What a line says after the sentence that writes out the check.
fn rest_of(check: &Check, line: &Line) -> String {
    let after = check.told.as_deref().filter(|_| line.number == check.number);
    let rest = after.and_then(|told| Some(line.text.split_once(told)?.1));
    rest.unwrap_or(&line.text).to_owned()
}

/// What a sentence says of an outcome, and where the words are that say it.
pub(crate) fn outcome(sentence: &str) -> Option<(bool, Match)> {
    if sentence.trim_end().ends_with('?') {
        return None;
    }
    let words = words(sentence);
    let lists = &LISTS.outcome;
    if lists.supposed.hold(&words) {
        return None;
    }
    if words.len() <= CRIED_WORDS_MAX
        && let Some(found) =
            lists.cried.all(&words).find(|found| found.start == 0 && found.end == words.len())
    {
        return Some((true, found));
    }
    let (won, lost) = (sides(&lists.won, &words), sides(&lists.lost, &words));
    let good = won.0.or(lost.1).filter(|found| !is_part_of_ill(&words, found));
    let bad = lost.0.or(won.1);
    match (good, bad) {
        (Some(found), None) => Some((true, found)),
        (None, Some(found)) => Some((false, found)),
        // "The blade bites into the doorpost": of two that overlap, the longer one says it.
        (Some(good), Some(bad)) if good.start < bad.end && bad.start < good.end && good.end != bad.end => {
            Some(if good.end > bad.end { (true, good) } else { (false, bad) })
        }
        _ => None,
    }
}

/// Is a phrase of luck only a part of, or an overlap with, a longer one of misfortune: "turns its back on *you, it* looks"?
fn is_part_of_ill(words: &[String], found: &Match) -> bool {
    let longer = |ill: Match| {
        ill.start < found.end && found.start < ill.end && ill.end - ill.start > found.end - found.start
    };
    LISTS.fortune.ill.all(words).any(longer)
}

/// The first phrase that stands as it is, and the first that is turned around.
fn sides(cues: &Cues, words: &[String]) -> (Option<Match>, Option<Match>) {
    let mut found = (None, None);
    for one in cues.all(words) {
        let side = if one.negated { &mut found.1 } else { &mut found.0 };
        *side = side.or(Some(one));
    }
    found
}

/// Praise, and blows that land: what nobody tells of somebody who has failed.
pub(crate) fn praise(
    sentence: &str,
    fought: bool,
    people: &People<'_>,
    roller: Option<&str>,
) -> Option<Match> {
    if sentence.trim_end().ends_with('?') {
        return None;
    }
    let words = words(sentence);
    let lists = &LISTS.outcome;
    if lists.supposed.hold(&words) || sides(&lists.lost, &words).0.is_some() {
        return None;
    }
    let praised = lists.praise.all(&words).find(|found| !found.negated);
    // Whoever is struck is not who rolled.
    let own = |found: &Match| {
        let front = &words[..found.start];
        front.iter().any(|word| ["you", "your", "i", "my"].contains(&word.as_str()))
            || roller.is_some_and(|roller| {
                let names = people.names(roller).iter().map(|name| name.to_lowercase());
                names.into_iter().any(|name| front.last() == Some(&name))
            })
    };
    let struck = || lists.struck.all(&words).find(|found| !found.negated && !own(found) && found.start > 0);
    praised.or_else(|| struck().filter(|_| fought))
}

/// An action that is told as gone well, in a telling that holds no failure and no price in any words.
pub(crate) fn fortune(sentences: &[String]) -> Option<(usize, Match)> {
    let lists = &LISTS.fortune;
    let said: Vec<Vec<String>> =
        sentences.iter().filter(|sentence| !is_bare(sentence)).map(|sentence| words(sentence)).collect();
    if said.iter().any(|words| lists.adverse.hold(words)) {
        return None;
    }
    sentences.iter().enumerate().find_map(|(place, sentence)| {
        let said = words(sentence);
        let asks = sentence.trim_end().ends_with('?') || LISTS.outcome.supposed.hold(&said);
        lists.good.all(&said).find(|found| !found.negated && !asks).map(|found| (place, found))
    })
}

/// What was tried for comes about in the sentence at `place`, and neither it nor the next one holds a price in any words.
pub(crate) fn comes_about(
    sentences: &[String],
    place: usize,
    tried: &[String],
    kind: RollKind,
) -> Option<(Effect, Match)> {
    let lists = &LISTS.fortune;
    let rest: Vec<Vec<String>> = sentences[place..].iter().map(|sentence| words(sentence)).collect();
    // What went ill before it is undone only by a sentence that says so.
    let turned = rest[0]
        .first()
        .is_some_and(|first| ["then", "and", "still", "right", "anyway"].contains(&first.as_str()));
    let ill = sentences[..place].iter().any(|sentence| {
        lists.adverse.hold(&words(sentence)) && outcome(sentence).is_none() && !is_verdict(sentence)
    });
    if ill && !turned && !LISTS.outcome.still.hold(&rest[0]) && !rest[0].ends_with(&words("all the same")) {
        return None;
    }
    if rest.iter().take(2).any(|words| lists.adverse.hold(words))
        || sentences[place].trim_end().ends_with('?')
    {
        return None;
    }
    let said = &rest[0];
    if LISTS.outcome.supposed.hold(said) || kind == RollKind::Attack {
        return None;
    }
    let first =
        |cues: &Cues| cues.all(said).find(|found| !found.negated && !is_anothers(sentences, said, found));
    if let Some(found) = first(&lists.about) {
        return Some((Effect::Gained, found));
    }
    let yields = first(&LISTS.outcome.yields).filter(|_| lists.social.hold(tried));
    if let Some(found) = yields {
        return Some((Effect::Gained, found));
    }
    None
}

/// What somebody who failed to find out is told after all, in the sentence that follows the verdict.
pub(crate) fn told_after_all(sentence: &str, tried: &[String]) -> Option<(Effect, Match)> {
    let said = words(sentence);
    let denied = said.windows(2).any(|pair| pair[0] == "you" && is_negation(&pair[1]));
    let asks = sentence.trim_end().ends_with('?') || LISTS.outcome.supposed.hold(&said);
    let known = said.len() >= TOLD_WORDS_MIN && LISTS.outcome.knowing.hold(tried) && !denied && !asks;
    let found = LISTS.fortune.told.all(&said).find(|found| !found.negated && found.start <= 2);
    found.filter(|_| known).map(|found| (Effect::Clue, found))
}

/// "Eight, and that's short of it.": what only says how the roll went.
fn is_verdict(sentence: &str) -> bool {
    let said = numbered(sentence);
    said.first().is_some_and(|(_, number)| number.is_some()) && said.len() <= VERDICT_WORDS_MAX
}

/// An action that is told as gone ill, and nothing else in the telling as gone well.
pub(crate) fn misfortune(sentences: &[String]) -> Option<usize> {
    let lists = &LISTS.fortune;
    let well = |sentence: &String| {
        let said = words(sentence);
        lists.good.all(&said).any(|found| !found.negated && !is_part_of_ill(&said, &found))
            || outcome(sentence).is_some_and(|(won, found)| won && !lists.ill.hold(&said[found.start..]))
    };
    let place = sentences.iter().position(|sentence| {
        let said = words(sentence);
        let asks = sentence.trim_end().ends_with('?') || LISTS.outcome.supposed.hold(&said);
        !asks && lists.ill.all(&said).next().is_some()
    })?;
    (!sentences.iter().any(well)).then_some(place)
}

/// Does somebody else do it, where whoever rolled is called "you"?
fn is_anothers(sentences: &[String], said: &[String], found: &Match) -> bool {
    let you = |words: &[String]| {
        words.iter().any(|word| ["you", "your", "you're", "you've"].contains(&word.as_str()))
    };
    let front = found.start.checked_sub(1).map_or("", |at| said[at].as_str());
    let here = said.get(found.start..found.end).is_some_and(you);
    ["he", "she", "they", "who"].contains(&front)
        && !here
        && sentences.iter().any(|sentence| you(&words(sentence)))
}

/// Did somebody try to hurt somebody, by the words of the attempt?
pub(crate) fn is_fought(kind: RollKind, tried: &[String]) -> bool {
    kind == RollKind::Attack || LISTS.outcome.fighting.hold(tried)
}

/// An effect that a narrator grants who has just told of the failure: "Still, the drawer slides out".
pub(crate) fn all_the_same(sentence: &str) -> Option<(Effect, Match)> {
    let words = words(sentence);
    let lists = &LISTS.outcome;
    let front = lists.still.all(&words).next().filter(|found| found.start <= 1)?;
    if sentence.trim_end().ends_with('?') || lists.supposed.hold(&words) {
        return None;
    }
    let later = |cues: &Cues| {
        cues.all(&words)
            .find(|found| !found.negated && found.start >= front.end && !comes_to_nothing(&words, *found))
    };
    let effects = [
        (Effect::Opened, &lists.opened),
        (Effect::Item, &lists.item),
        (Effect::Clue, &lists.clue),
        (Effect::Gained, &lists.gained),
    ];
    effects.into_iter().find_map(|(effect, cues)| Some((effect, later(cues)?)))
}

/// What a check may win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Opened,
    Item,
    Clue,
    Damage,
    Gained,
}

impl Effect {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Effect::Opened => "something opens",
            Effect::Item => "an item is gained",
            Effect::Clue => "something is learned",
            Effect::Damage => "damage is dealt",
            Effect::Gained => "what was wanted comes about",
        }
    }
}

/// The effect that a sentence tells of, if the character tried for it: `tried` are the words of the attempt.
pub(crate) fn effect(
    sentence: &str,
    tried: &[String],
    kind: RollKind,
    people: &People<'_>,
    roller: Option<&str>,
) -> Option<(Effect, Match)> {
    if sentence.trim_end().ends_with('?') {
        return None;
    }
    let words = words(sentence);
    let lists = &LISTS.outcome;
    if lists.supposed.hold(&words) {
        return None;
    }
    // "How she came to uncover it" is told of the past, and does not happen now.
    let recounted = |found: &Match| {
        let before = &words[..found.start];
        matches!(before, [.., came, to] if to == "to" && ["came", "come", "comes"].contains(&came.as_str()))
    };
    let plain = |cues: &Cues| {
        let mut all = cues.all(&words);
        all.find(|found| !found.negated && !recounted(found) && !comes_to_nothing(&words, *found))
    };
    let pairs = [
        (Effect::Opened, &lists.opened, &lists.opening),
        (Effect::Item, &lists.item, &lists.taking),
        (Effect::Clue, &lists.clue, &lists.knowing),
    ];
    for (effect, cues, wanted) in pairs {
        // "A door opens at the end of the hall": another one.
        let other = |found: &Match| {
            let before = found.start.checked_sub(1).map_or("", |at| words[at].as_str());
            let strange = ["he", "she", "they", "who"].contains(&before)
                && !words[found.start..found.end].iter().any(|word| word == "you" || word == "your");
            effect == Effect::Opened && ["a", "an", "another", "some"].contains(&before)
                || effect == Effect::Item && strange
        };
        if let Some(found) = plain(cues).filter(|found| wanted.hold(tried) && !other(found)) {
            return Some((effect, found));
        }
    }
    let damage = claims(sentence).iter().any(|claim| claim.kind == ClaimKind::Damage);
    let fought = is_fought(kind, tried);
    let own = words.iter().any(|word| ["you", "your", "me"].contains(&word.as_str()))
        || roller.is_some_and(|roller| people.is_named(roller, sentence));
    let scored = plain(&lists.harm_asked).or_else(|| plain(&lists.score)).filter(|_| own && fought);
    let cried = || {
        let touch = words.first().is_some_and(|word| word.starts_with("touch"));
        let whole = Match { start: 0, end: words.len(), negated: false };
        (touch && words.len() <= CRIED_WORDS_MAX && fought).then_some(whole)
    };
    if let Some(found) = scored.or_else(cried) {
        return Some((Effect::Damage, found));
    }
    let suffered = words.iter().any(|word| word == "you")
        && words.windows(2).any(|pair| {
            pair[0] == "you" && ["take", "lose", "suffer", "took", "lost", "feel"].contains(&pair[1].as_str())
        })
        || roller.is_some_and(|roller| {
            people.is_named(roller, sentence)
                && words.iter().any(|word| {
                    ["takes", "loses", "suffers", "took", "lost", "suffered"].contains(&word.as_str())
                })
        });
    let found = plain(&lists.harm).filter(|_| damage && fought && !suffered);
    found.map(|found| (Effect::Damage, found))
}

/// "You notice nothing", "she finds only dust".
fn comes_to_nothing(words: &[String], found: Match) -> bool {
    let after = words.iter().skip(found.start).take(found.end - found.start + NOTHING_WORDS);
    let nothing = [
        "nothing", "no", "only", "little", "none", "neither", "nowhere", "nobody", "too", "late", "hardly",
        "not", "just",
    ];
    // "The door doesn't budge": the denial stands within the phrase.
    let denied = words[found.start..found.end].iter().any(|word| is_negation(word));
    denied || after.into_iter().any(|word| nothing.contains(&word.as_str()))
}

/// Is a success that stands in one of the sentences paid for, explained, or taken back by what follows?
pub(crate) fn is_paid_for(sentences: &[String], place: usize, found: Match) -> bool {
    let lists = &LISTS.outcome;
    let told: Vec<Vec<String>> = sentences.iter().map(|sentence| words(sentence)).collect();
    if told.iter().any(|words| lists.price.say(words)) {
        return true;
    }
    let same = told[place].get(found.end..).is_some_and(|rest| lists.turn.hold(rest));
    same || told.get(place + 1).and_then(|next| next.get(..3)).is_some_and(|front| lists.turn.hold(front))
}

/// Sentences of a line that speak of the outcome; after them narrators go on to what is next.
pub(crate) fn front(sentences: &[String]) -> &[String] {
    &sentences[..sentences.len().min(OUTCOME_SENTENCES)]
}

#[cfg(test)]
mod tests {
    use super::outcome;

    fn told(sentence: &str) -> Option<bool> {
        outcome(sentence).map(|(told, _)| told)
    }

    #[test]
    fn success_failure_and_neither_are_told_apart() {
        for sentence in [
            "Ada succeeds, and everybody sees it.",
            "You slip past the sentry unseen.",
            "Your arrow finds its mark.",
            "The blade bites deep into its flank.",
            "It doesn't miss.",
            "Nobody notices the switch.",
            "Against all odds you pull it off.",
            "She lands lightly on her feet, grinning.",
        ] {
            assert_eq!(told(sentence), Some(true), "{sentence}");
        }
        for sentence in [
            "The blow misses by a hand.",
            "She does not succeed.",
            "The lock refuses to budge.",
            "Your shot goes wide and buries itself in the beam.",
            "The constable is not convinced.",
            "You search every drawer, to no avail.",
            "The pick snaps off in the keyhole.",
            "The blade glances off his breastplate.",
        ] {
            assert_eq!(told(sentence), Some(false), "{sentence}");
        }
        for sentence in [
            "If she fails, all is lost.",
            "Did she succeed?",
            "The rain goes on.",
            "You could manage to climb it.",
        ] {
            assert_eq!(told(sentence), None, "{sentence}");
        }
    }
}
