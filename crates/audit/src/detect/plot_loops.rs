//! The same beat of the plot once more, as if it had not happened: a theft discovered twice, a stranger with the same news.

use std::collections::{BTreeMap, BTreeSet};

use super::finding;
use crate::cues::{LISTS, stem};
use crate::limits::{
    BEAT_LINES_MIN, BEAT_PERCENT_MIN, BEAT_WORDS_MIN, NEWS_WORDS_MIN, PASSAGE_PERCENT_MIN, PASSAGE_SENTENCES,
    PASSAGE_WORDS_MIN, RARE_LINES,
};
use crate::read::{People, objectives};
use crate::text::{is_common, is_telling, quoted, sentences, unquoted, words};
use crate::{Channel, Kind, Line, Severity, Transcript, Verdict};

/// Words before "called" in which stands who is.
const PERSON_WORDS: usize = 3;
/// Words of a writing that is known when it is read again.
const WRITING_WORDS_MIN: usize = 4;
/// Rare words that such a writing counts as.
const WRITING_WEIGHT: usize = 2;

/// One or two sentences in which something turns up.
struct Beat<'t> {
    place: usize,
    number: u64,
    sentence: &'t str,
    stems: BTreeSet<String>,
    again: bool,
}

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let people = People::of(transcript);
    let names: BTreeSet<String> = people
        .players()
        .flat_map(|(_, names)| names)
        .flat_map(|name| words(name))
        .map(|word| stem(&word))
        .collect();
    let mut beats: Vec<Beat<'_>> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let lines: Vec<_> = transcript.lines.iter().filter(|line| line.channel != Channel::Before).collect();
    for (place, line) in lines.iter().enumerate() {
        let stems: BTreeSet<String> = words(&line.text).iter().map(|word| stem(word)).collect();
        for stem in stems {
            *known.entry(stem).or_default() += 1;
        }
        if transcript.kind(&line.voice) != Kind::Narrator {
            continue;
        }
        let all = sentences(&line.text);
        for (at, sentence) in all.iter().enumerate() {
            let mut said = words(sentence);
            if !LISTS.story.beat.hold(&said) || sentence.trim_end().ends_with('?') {
                continue;
            }
            let mut again = LISTS.story.again.hold(&said);
            if let Some(next) = all.get(at + 1).filter(|_| said.len() < BEAT_WORDS_MIN * 4) {
                let next = words(next);
                again |= LISTS.story.again.hold(&next);
                said.extend(next);
            }
            let telling = said.iter().filter(|word| is_telling(word)).map(|word| stem(word));
            let stems: BTreeSet<String> = telling.filter(|stem| !names.contains(stem)).collect();
            if stems.len() >= BEAT_WORDS_MIN {
                beats.push(Beat { place, number: line.number, sentence, stems, again });
            }
        }
    }
    // Words of every second line are what the whole story is about, and tell no beat from another.
    let often = |stem: &String| known.get(stem).is_some_and(|count| count * 3 > lines.len().max(9));
    let mut findings: Vec<crate::Finding> = Vec::new();
    let mut told: BTreeSet<u64> = BTreeSet::new();
    for (later, beat) in beats.iter().enumerate() {
        if beat.again || told.contains(&beat.number) {
            continue;
        }
        let same = beats[..later].iter().find(|earlier| {
            let shared = earlier.stems.intersection(&beat.stems).filter(|stem| !often(stem)).count();
            let fewer = earlier.stems.len().min(beat.stems.len());
            earlier.place + BEAT_LINES_MIN <= beat.place
                && shared >= BEAT_WORDS_MIN
                && shared * 100 >= fewer * BEAT_PERCENT_MIN
        });
        let Some(first) = same else { continue };
        told.insert(beat.number);
        let why =
            format!("it has happened before, at #{}: “{}”", first.number, crate::text::quote(first.sentence));
        findings.push(finding(
            "plot-loops",
            (Severity::Info, 70),
            [beat.number, first.number],
            beat.sentence,
            why,
        ));
    }
    if transcript.foreign {
        for (number, first, sentence) in introduced(transcript, &lines, &names) {
            if told.insert(number) {
                let why = format!("the same name was told as that of a stranger before, at #{first}");
                findings.push(finding("plot-loops", (Severity::Info, 75), [number, first], sentence, why));
            }
        }
        // What is to be done is spoken of until it is done.
        let aims = objectives(transcript);
        let aims = aims.iter().flat_map(|aim| words(&aim.text)).map(|word| stem(&word));
        let names: BTreeSet<String> = names.iter().cloned().chain(aims).collect();
        let passages = passages(transcript, &lines, &names, &known);
        for (number, first, sentence, earlier) in retold(&passages) {
            if told.insert(number) {
                let why = format!("it has happened before, at #{first}: “{}”", crate::text::quote(earlier));
                findings.push(finding("plot-loops", (Severity::Info, 70), [number, first], sentence, why));
            }
        }
    }
    Verdict::Looked(findings)
}

/// Sentences in which the narrator tells what somebody is called who was introduced by that name long before.
fn introduced<'t>(
    transcript: &Transcript,
    lines: &[&'t Line],
    players: &BTreeSet<String>,
) -> Vec<(u64, u64, &'t str)> {
    let mut first: BTreeMap<String, (usize, u64)> = BTreeMap::new();
    let mut found = Vec::new();
    for (place, line) in
        lines.iter().enumerate().filter(|(_, line)| transcript.kind(&line.voice) == Kind::Narrator)
    {
        for sentence in sentences(&line.text) {
            let plain = sentence.replace('’', "'");
            let fronts = ["called ", "name's ", "named ", "name of ", "name is ", "name was "];
            for front in fronts {
                let Some((_, rest)) = plain.split_once(front) else { continue };
                // An inn may be called by its name whenever somebody comes to it.
                let before = words(plain.split_once(front).map_or("", |(before, _)| before));
                let near = &before[before.len().saturating_sub(PERSON_WORDS)..];
                let owners = ["his", "her", "he", "she", "my", "i", "who"];
                let person = near.iter().any(|word| owners.contains(&word.as_str()))
                    || LISTS.speech.persons.hold(near);
                if !person && front != "name of " {
                    continue;
                }
                let name: String = rest.chars().take_while(|c| c.is_alphabetic()).collect();
                let stranger = name.starts_with(char::is_uppercase) && name.chars().count() > 2;
                if !stranger
                    || players.contains(&stem(&name.to_lowercase()))
                    || is_common(&name.to_lowercase())
                {
                    continue;
                }
                let (before, number) = *first.entry(name).or_insert((place, line.number));
                let recalled = LISTS.story.recalled.hold(&words(&unquoted(sentence)));
                if before + BEAT_LINES_MIN <= place && !recalled {
                    found.push((line.number, number, sentence));
                }
            }
        }
    }
    found
}

/// Some sentences of the narrator in a row.
struct Passage<'t> {
    place: usize,
    number: u64,
    sentence: &'t str,
    /// Words that hardly anything else speaks of.
    rare: BTreeSet<String>,
    again: bool,
    news: bool,
    /// Is the story being closed? Then it looks back.
    closes: bool,
}

fn passages<'t>(
    transcript: &Transcript,
    lines: &[&'t Line],
    names: &BTreeSet<String>,
    known: &BTreeMap<String, usize>,
) -> Vec<Passage<'t>> {
    let mut passages = Vec::new();
    let told = lines.iter().enumerate().filter(|(_, line)| transcript.kind(&line.voice) == Kind::Narrator);
    for (place, line) in told {
        let all = sentences(&line.text);
        let closes = LISTS.story.closing.hold(&words(&line.text));
        for at in 0..all.len() {
            let some = &all[at..all.len().min(at + PASSAGE_SENTENCES)];
            let rare = some.iter().flat_map(|sentence| words(sentence));
            let rare = rare.filter(|word| is_telling(word)).map(|word| stem(&word));
            let rare: BTreeSet<String> = rare
                .filter(|stem| {
                    !names.contains(stem) && known.get(stem).is_some_and(|count| *count <= RARE_LINES)
                })
                .collect();
            // A writing that is read out once more, word by word, says more than words that two scenes may share.
            let quoted = quoted(&some.join(" "));
            let read = quoted.lines().map(words).filter(|said| said.len() >= WRITING_WORDS_MIN);
            let read = read
                .flat_map(|said| (0..WRITING_WEIGHT).map(move |part| format!("{part} {}", said.join(" "))));
            let rare: BTreeSet<String> = rare.into_iter().chain(read).collect();
            // A notice in capitals and somebody's words may say "again" of something else.
            let own = some.iter().flat_map(|sentence| sentence.split_whitespace());
            let own: Vec<&str> = own.filter(|word| word.chars().any(char::is_lowercase)).collect();
            let again = LISTS.story.recalled.hold(&words(&unquoted(&own.join(" "))));
            let news = LISTS.story.news.hold(&words(&some.join(" ")));
            passages.push(Passage {
                news,
                closes,
                place,
                number: line.number,
                sentence: all[at],
                rare,
                again,
            });
        }
    }
    passages
}

/// Passages that tell what an earlier one told as new: the numbers and first sentences of both.
fn retold<'t>(passages: &[Passage<'t>]) -> Vec<(u64, u64, &'t str, &'t str)> {
    let mut with: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut found = Vec::new();
    for (later, passage) in passages.iter().enumerate() {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for stem in &passage.rare {
            let earlier = with.entry(stem).or_default();
            for place in earlier.iter() {
                *shared.entry(*place).or_default() += 1;
            }
            earlier.push(later);
        }
        let best = shared.into_iter().filter(|(earlier, count)| {
            let fewer = passages[*earlier].rare.len().min(passage.rare.len());
            passages[*earlier].place + BEAT_LINES_MIN <= passage.place
                && *count
                    >= if passage.news && passages[*earlier].news {
                        NEWS_WORDS_MIN
                    } else {
                        PASSAGE_WORDS_MIN
                    }
                && *count * 100 >= fewer * PASSAGE_PERCENT_MIN
        });
        let best = best.max_by_key(|(earlier, count)| (*count, std::cmp::Reverse(*earlier)));
        if let Some((earlier, _)) = best.filter(|_| !passage.again && !passage.closes) {
            found.push((
                passage.number,
                passages[earlier].number,
                passage.sentence,
                passages[earlier].sentence,
            ));
        }
    }
    found
}
