//! The same sentence again and again, and turns in which nothing happens.

use std::collections::{BTreeMap, BTreeSet};

use super::finding;
use crate::cues::{LISTS, stem};
use crate::limits::{
    CLAUSE_TELLING_MIN, CLAUSE_WORDS_MIN, LOOP_PERCENT_MIN, LOOP_WORDS_MIN, SAME_SENTENCE_MIN,
    SAME_SENTENCE_TURNS, STALL_TURNS_MIN,
};
use crate::read::{People, outcome};
use crate::text::{is_telling, quoted, sentences, words};
use crate::{Finding, Kind, Severity, Transcript, Verdict};

/// A sentence where it was said: number, turn, as it was written, and its words.
struct Place<'a> {
    number: u64,
    turn: u32,
    sentence: &'a str,
    stems: BTreeSet<String>,
    /// A clause of it, word by word.
    clause: Option<String>,
}

impl Place<'_> {
    /// Is the other the same clause, or nearly the same sentence?
    fn is_same(&self, other: &Place<'_>) -> bool {
        match (&self.clause, &other.clause) {
            (Some(one), Some(other)) => one == other,
            (None, None) => is_same(&self.stems, &other.stems),
            _ => false,
        }
    }
}

/// Words of a sentence that is a refrain of whoever tells the story; a player's is as long as any that loops.
const REFRAIN_WORDS_MIN: usize = 4;
/// Words by which a clause is tied to what stands before it, and which are none of it.
const TIES: [&str; 8] = ["but", "and", "so", "for", "because", "though", "then", "or"];

/// Words of what dice, turns and sheets bring again and again.
const MECHANICS: [&str; 36] = [
    "roll",
    "rolls",
    "rolled",
    "check",
    "checks",
    "save",
    "saves",
    "damage",
    "against",
    "versus",
    "initiative",
    "turn",
    "turns",
    "round",
    "rounds",
    "dice",
    "die",
    "hits",
    "misses",
    "points",
    "bonus",
    "modifier",
    "difficulty",
    "failure",
    "success",
    "level",
    "target",
    "armour",
    "armor",
    "attack",
    "attacks",
    "token",
    "error",
    "syntax",
    "percent",
    "skill",
];

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let mut findings = repeated(transcript);
    findings.extend(stalled(transcript));
    Verdict::Looked(findings)
}

fn repeated(transcript: &Transcript) -> Vec<Finding> {
    let people = People::of(transcript);
    let names: BTreeSet<String> =
        people.players().flat_map(|(_, names)| names).flat_map(|name| words(name)).collect();
    // Sentences of each voice that are the same or nearly so, in the order of their first.
    let mut said: BTreeMap<&str, Vec<Vec<Place<'_>>>> = BTreeMap::new();
    for line in transcript.lines.iter().filter(|line| transcript.kind(&line.voice) != Kind::Other) {
        let quoted = quoted(&line.text);
        let spoken: BTreeSet<String> =
            sentences(&quoted).into_iter().map(|sentence| words(sentence).join(" ")).collect();
        for sentence in sentences(&line.text) {
            let all = words(sentence);
            let rows = said.entry(&line.voice).or_default();
            let mut add = |stems: BTreeSet<String>, clause: Option<String>| {
                let place = Place { number: line.number, turn: line.turn, sentence, stems, clause };
                let near = |row: &&mut Vec<Place<'_>>| {
                    let last = &row[row.len() - 1];
                    last.turn.saturating_add(SAME_SENTENCE_TURNS) >= place.turn && row[0].is_same(&place)
                };
                match rows.iter_mut().rev().find(near) {
                    Some(row) => row.push(place),
                    None => rows.push(vec![place]),
                }
            };
            if all.len() >= LOOP_WORDS_MIN && !is_stock(sentence, &all) {
                add(all.iter().map(|word| stem(word)).collect(), None);
            }
            // A short sentence that a narrator or somebody's character says word by word.
            let whole = transcript.foreign
                && (transcript.kind(&line.voice) == Kind::Narrator || spoken.contains(&all.join(" ")));
            let least = if transcript.kind(&line.voice) == Kind::Narrator {
                REFRAIN_WORDS_MIN
            } else {
                LOOP_WORDS_MIN
            };
            if whole && all.len() >= least && is_refrain(sentence, &all, &names) {
                add(BTreeSet::new(), Some(format!("= {}", all.join(" "))));
            }
            // What is said in the same words, with another name or another end: "The drowned do not like it, Mr. Crisp."
            // A campaign of our own has its rules and its cast say the same in the same words.
            if transcript.foreign {
                clauses(sentence, &names).into_iter().for_each(|clause| add(BTreeSet::new(), Some(clause)));
            }
        }
    }
    let mut findings: BTreeMap<u64, Finding> = BTreeMap::new();
    for (voice, rows) in said {
        for row in rows.into_iter().filter(|row| row.len() >= SAME_SENTENCE_MIN) {
            let mut numbers: Vec<u64> = row.iter().map(|place| place.number).collect();
            numbers.dedup();
            let turns = 1 + row[row.len() - 1].turn - row[0].turn;
            let why = format!("{voice} says it {} times within {turns} turns", row.len());
            let found = finding("loops", (Severity::Warning, 85), numbers.clone(), row[0].sentence, why);
            // Several sentences that come again in the same messages are one loop.
            if !findings
                .values()
                .any(|known| known.numbers.iter().filter(|number| numbers.contains(number)).count() > 1)
            {
                findings.entry(numbers[0]).or_insert(found);
            }
        }
    }
    findings.into_values().collect()
}

/// Is a sentence one that nobody repeats word by word without being stuck? No question, no call to somebody, nothing of dice.
fn is_refrain(sentence: &str, said: &[String], names: &BTreeSet<String>) -> bool {
    let plain = said.iter().any(|word| {
        word.bytes().any(|byte| byte.is_ascii_digit())
            || MECHANICS.contains(&word.as_str())
            || names.contains(word)
    });
    let stock = LISTS.speech.stock.iter().any(|stock| said.join(" ").contains(stock.as_str()));
    let judged = outcome(sentence).is_some() || said.iter().any(|word| word == "hit" || word == "miss");
    !plain && !stock && !judged && !sentence.contains('?') && !LISTS.fight.act.hold(said)
}

/// The clauses of a sentence that say enough to be known again: without names, and none of what dice and fights bring again.
fn clauses(sentence: &str, names: &BTreeSet<String>) -> Vec<String> {
    let marked = sentence.replace(['“', '”', '"', '*', '_'], ",");
    let pieces = marked.split([',', ';', ':', '—', '–', '…', '(', ')', '.', '!', '?']);
    let mut found: Vec<String> = pieces
        .filter_map(|piece| {
            let said = words(piece).into_iter().filter(|word| !names.contains(word));
            let said: Vec<String> = said.skip_while(|word| TIES.contains(&word.as_str())).collect();
            let telling = said.iter().filter(|word| is_telling(word)).count();
            let plain = said.iter().any(|word| {
                word.bytes().any(|byte| byte.is_ascii_digit())
                    || MECHANICS.contains(&word.as_str())
                    || LISTS.speech.says.contains(word)
            });
            // A saying has a verb and few words that tell anything: "Everything has its season".
            let saying = telling + 1 >= CLAUSE_TELLING_MIN
                && said.len() > CLAUSE_WORDS_MIN
                && telling > 0
                && is_saying(&said);
            let fits = said.len() >= CLAUSE_WORDS_MIN && telling >= CLAUSE_TELLING_MIN || saying;
            let short = said.len() < LOOP_WORDS_MIN && LISTS.fight.act.hold(&said);
            (fits && !plain && !short && !is_stock(piece, &said)).then(|| said.join(" "))
        })
        .collect();
    found.dedup();
    found
}

/// Does a clause say something of all the world, or begin with its subject and a verb of being?
fn is_saying(said: &[String]) -> bool {
    let subjects = [
        "everything",
        "everybody",
        "everyone",
        "nothing",
        "nobody",
        "no",
        "all",
        "every",
        "always",
        "never",
        "there's",
        "there",
        "the",
        "a",
        "life",
        "time",
        "it",
    ];
    let verbs = [
        "is",
        "has",
        "are",
        "have",
        "was",
        "makes",
        "waits",
        "comes",
        "goes",
        "knows",
        "wants",
        "takes",
        "needs",
        "keeps",
        "never",
        "always",
        "gives",
        "pays",
        "remembers",
        "dies",
        "lives",
        "was",
        "isn't",
    ];
    subjects.contains(&said[0].as_str())
        && said.iter().skip(1).take(3).any(|word| verbs.contains(&word.as_str()))
}

/// Questions and announcements that every table repeats, and lines of a sheet.
fn is_stock(sentence: &str, words: &[String]) -> bool {
    let said = words.join(" ");
    let telling = words.iter().filter(|word| is_telling(word)).count();
    LISTS
        .speech
        .stock
        .iter()
        .any(|stock| said.contains(stock.as_str()) && words.len() <= stock.split(' ').count() + 4)
        || words.iter().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit())).count() * 3
            > words.len()
        || (sentence.trim_end().ends_with('?') && telling < 2)
        || telling == 0
        || sentence.trim_start().starts_with(['[', '{', '|', '#'])
}

/// Do two sentences share nearly all of their words?
fn is_same(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let shared = one.intersection(other).count();
    shared * 100 >= one.union(other).count() * LOOP_PERCENT_MIN
}

fn stalled(transcript: &Transcript) -> Vec<Finding> {
    // Other programs' calls are not all of what changes at a table.
    let Some(eventful) = transcript.eventful.as_ref().filter(|_| !transcript.foreign) else {
        return Vec::new();
    };
    let mut turns: Vec<(u32, u64)> = transcript.play().map(|line| (line.turn, line.number)).collect();
    turns.dedup_by_key(|(turn, _)| *turn);
    let mut findings = Vec::new();
    for quiet in turns.split(|(turn, _)| eventful.contains(turn)) {
        let [first, .., last] = quiet else { continue };
        let count = last.0.saturating_sub(first.0).saturating_add(1);
        if count >= STALL_TURNS_MIN {
            let why = format!("nothing changed in {count} turns, from turn {} to turn {}", first.0, last.0);
            findings.push(finding("loops", (Severity::Warning, 80), [first.1, last.1], "", why));
        }
    }
    findings
}
