//! The objective that was stated at the beginning, and that nobody ever takes up.

use std::collections::BTreeSet;

use super::finding;
use crate::cues::{LISTS, stem};
use crate::limits::OBJECTIVE_LINES_MIN;
use crate::read::objectives;
use crate::text::words;
use crate::{Kind, Severity, Transcript, Verdict};

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
        for line in said.iter().filter(|line| !numbers.contains(&line.number)) {
            let words = words(&line.text);
            let stems: BTreeSet<String> = words.iter().map(|word| stem(word)).collect();
            let shared = stems.intersection(&objective.keys).count();
            let named = stems.intersection(&objective.names).next().is_some();
            let narrated = transcript.kind(&line.voice) == Kind::Narrator;
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
