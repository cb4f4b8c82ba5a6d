//! The objective that was stated at the beginning, and that nobody ever takes up.

use super::finding;
use crate::cues::stem;
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
            let shared =
                words(&line.text).iter().map(|word| stem(word)).collect::<std::collections::BTreeSet<_>>();
            let shared = shared.intersection(&objective.keys).count();
            // One of its words in a player's mouth is the thing itself; one that the narrator repeats is half of that.
            weight += match (shared, transcript.kind(&line.voice)) {
                (0, _) => 0,
                (1, Kind::Narrator) => 1,
                _ => 2,
            };
        }
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
