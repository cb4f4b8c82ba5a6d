//! The objective that was stated at the beginning, and that nobody ever takes up.

use std::collections::BTreeSet;

use super::finding;
use crate::cues::{LISTS, stem};
use crate::limits::OBJECTIVE_LINES_MIN;
use crate::read::objectives;
use crate::text::{sentences, words};
use crate::{Kind, Line, Severity, Transcript, Verdict};

/// Lines of the narrator in which a scene is set.
const SETTING_LINES: usize = 2;
/// Sentences behind a word in which somebody is named.
const NAMED_SENTENCES: usize = 3;

/// Ways out.
const EXITS: [&str; 16] = [
    "window", "windows", "door", "doors", "exit", "out", "outside", "run", "escape", "climb", "tunnel",
    "drain", "gate", "away", "stairs", "hatch",
];

/// Letters of a word that stands for a longer one, and that the longer one has more.
const SHORT_LETTERS: (usize, usize) = (4, 3);

/// Is a word the end of a longer one, as the film is of the microfilm?
fn is_short_for(word: &str, whole: &str) -> bool {
    let (least, more) = SHORT_LETTERS;
    word.len() >= least && whole.strip_suffix(word).is_some_and(|front| front.len() >= more)
}

/// What the people of an objective are called, as the first lines say: "The inspector is here. He's called Mr. Plover."
fn called(said: &[&Line], keys: &BTreeSet<String>) -> Vec<String> {
    let mut names = Vec::new();
    for line in said.iter().take(2 * SETTING_LINES) {
        let all = sentences(&line.text);
        let about = |sentence: &str| words(sentence).iter().any(|word| keys.contains(&stem(word)));
        let Some(place) = all.iter().position(|sentence| about(sentence)) else { continue };
        let text = all[place..].iter().take(NAMED_SENTENCES).copied().collect::<Vec<_>>().join(" ");
        for front in ["called ", "named ", "name is ", "name's "] {
            let Some((_, rest)) = text.split_once(front) else { continue };
            let words = rest.split(' ').take_while(|word| word.starts_with(char::is_uppercase));
            let plain = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
            names.extend(plain.filter(|word| word.chars().count() > 3).map(str::to_owned));
        }
    }
    names
}

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let stated = objectives(transcript);
    if stated.is_empty() {
        return Verdict::NotRecorded("an objective");
    }
    let said = transcript.play().filter(|line| transcript.kind(&line.voice) != Kind::Other);
    let said: Vec<_> = said.collect();
    let players = said.iter().filter(|line| transcript.kind(&line.voice) == Kind::Player).count();
    if players < OBJECTIVE_LINES_MIN {
        return Verdict::Looked(Vec::new());
    }
    let numbers: Vec<u64> = stated.iter().map(|objective| objective.number).collect();
    let mut findings = Vec::new();
    for objective in &stated {
        let mut weight = 0;
        let narrated = said.iter().filter(|line| transcript.kind(&line.voice) == Kind::Narrator);
        // A narrator's first words that repeat it state it once more.
        let again: Vec<u64> = narrated
            .take(SETTING_LINES)
            .filter(|line| {
                let stems: BTreeSet<String> = words(&line.text).iter().map(|word| stem(word)).collect();
                let takes_up = stems.intersection(&objective.verbs).next().is_some();
                let asked = stems.contains("you") || stems.contains("your");
                stems.intersection(&objective.keys).count() >= objective.keys.len().min(2)
                    && takes_up
                    && asked
                    && line.number > objective.number
            })
            .map(|line| line.number)
            .collect();
        let front = &objective.act[..objective.act.len().min(3)];
        let flees = front.iter().any(|word| ["escape", "flee", "leave", "survive"].contains(&word.as_str()))
            || front.windows(2).any(|pair| pair[0] == "get" && ["out", "away"].contains(&pair[1].as_str()));
        let called = called(&said, &objective.keys);
        for line in
            said.iter().filter(|line| !numbers.contains(&line.number) && !again.contains(&line.number))
        {
            let words = words(&line.text);
            let stems: BTreeSet<String> = words.iter().map(|word| stem(word)).collect();
            let shared = objective
                .keys
                .iter()
                .filter(|key| stems.contains(*key) || stems.iter().any(|stem| is_short_for(stem, key)))
                .count();
            let named = stems.intersection(&objective.names).next().is_some();
            let narrated = transcript.kind(&line.voice) == Kind::Narrator;
            // Whoever is to get out looks for ways out.
            let exit = flees && words.iter().any(|word| EXITS.contains(&word.as_str()));
            weight += usize::from(!narrated && exit);
            // What is to come of it is spoken of by whoever works for it.
            weight += 2 * usize::from(!narrated && stems.intersection(&objective.outcome).next().is_some());
            // Whoever it is about may be spoken of by name.
            weight +=
                2 * usize::from(!narrated && called.iter().any(|name| line.text.contains(name.as_str())));
            // One of its words in a player's mouth is the thing itself, and so is a name; another that the narrator repeats is half of it.
            weight += match shared {
                0 => usize::from(!narrated && objective.is_fight() && LISTS.fight.act.hold(&words)),
                1 if narrated && !named && objective.sure => 1,
                _ => 2,
            };
        }
        // What a program was asked about was taken up.
        let asked = transcript.calls.iter().flatten().any(|call| {
            let stems: BTreeSet<String> = words(&call.key).iter().map(|word| stem(word)).collect();
            stems.intersection(&objective.keys).next().is_some()
        });
        weight += 2 * usize::from(asked);
        if weight < 2 {
            let why = "the objective is stated at the beginning, and nobody takes it up".to_owned();
            findings.push(finding(
                "objective",
                (Severity::Info, 75),
                [objective.number],
                &objective.text,
                why,
            ));
        }
    }
    // Where one of several is taken up, the others are other words for it.
    if findings.len() < stated.len() {
        findings.clear();
    }
    findings.truncate(1);
    Verdict::Looked(findings)
}
