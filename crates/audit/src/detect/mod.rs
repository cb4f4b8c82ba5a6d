//! The detectors: one file each, one line each in the list.

mod after_failure;
mod budget;
mod dice;
mod dormant;
mod ending;
mod failing_calls;
mod idle_roll;
mod knowledge;
mod loops;
mod mechanics;
mod objective;
mod plot_loops;
mod puppets;
mod spotlight;
mod turn_order;
mod unrolled;
mod unseen;

use std::collections::BTreeMap;

use crate::limits::{FINDINGS_MAX, PLACES_MAX};
use crate::{Finding, Measure, Outcome, Report, Severity, Transcript, Verdict, text};

/// Something that looks at a transcript.
pub struct Detector {
    /// Its name on the command line and in reports.
    pub name: &'static str,
    /// What it looks for, in a few words.
    pub about: &'static str,
    /// The look.
    pub look: fn(&Transcript) -> Verdict,
    /// What it measures beside, for whoever wants to know how far from a finding it is.
    pub measure: fn(&Transcript) -> Vec<Measure>,
}

/// Nothing is measured that a finding does not say.
fn nothing(_: &Transcript) -> Vec<Measure> {
    Vec::new()
}

/// Every detector, in the order of reports.
pub const DETECTORS: &[Detector] = &[
    Detector {
        name: "unrolled",
        about: "a dice result in the text without a recorded roll",
        look: unrolled::look,
        measure: nothing,
    },
    Detector {
        name: "mechanics",
        about: "narration that contradicts a dice result",
        look: mechanics::look,
        measure: nothing,
    },
    Detector {
        name: "after-failure",
        about: "an effect of a check that had failed",
        look: after_failure::look,
        measure: nothing,
    },
    Detector {
        name: "turn-order",
        about: "acting out of the order of initiative",
        look: turn_order::look,
        measure: nothing,
    },
    Detector {
        name: "puppets",
        about: "speaking or acting for another seat",
        look: puppets::look,
        measure: nothing,
    },
    Detector {
        name: "idle-roll",
        about: "a roll for a character that did not act",
        look: idle_roll::look,
        measure: nothing,
    },
    Detector {
        name: "knowledge",
        about: "text that contains information the speaker never received",
        look: knowledge::look,
        measure: nothing,
    },
    Detector {
        name: "failing-calls",
        about: "tool calls that fail again and again",
        look: failing_calls::look,
        measure: nothing,
    },
    Detector {
        name: "unseen",
        about: "facts written and never shown to anybody",
        look: unseen::look,
        measure: nothing,
    },
    Detector {
        name: "dormant",
        about: "a promise, quest or clue without a follow-up",
        look: dormant::look,
        measure: nothing,
    },
    Detector {
        name: "objective",
        about: "an objective that nobody takes up",
        look: objective::look,
        measure: nothing,
    },
    Detector { name: "ending", about: "a victory without an ending", look: ending::look, measure: nothing },
    Detector {
        name: "plot-loops",
        about: "an event that happens again as if it were new",
        look: plot_loops::look,
        measure: nothing,
    },
    Detector {
        name: "loops",
        about: "the same sentence again, and turns without effect",
        look: loops::look,
        measure: nothing,
    },
    Detector {
        name: "spotlight",
        about: "who speaks too rarely",
        look: spotlight::look,
        measure: spotlight::measure,
    },
    Detector {
        name: "dice",
        about: "dice results that are unlikely with fair dice",
        look: dice::look,
        measure: dice::measure,
    },
    Detector { name: "budget", about: "turns, calls and tokens", look: budget::look, measure: nothing },
];

/// Lets every detector look whose name is in `names`; all of them when there are none.
pub fn audit(transcript: &Transcript, names: &[String]) -> Report {
    let asked = |detector: &&Detector| names.is_empty() || names.iter().any(|name| name == detector.name);
    audit_by(transcript, DETECTORS.iter().filter(asked))
}

/// Lets these detectors look, for instance some of one's own.
pub fn audit_by<'a>(transcript: &Transcript, detectors: impl IntoIterator<Item = &'a Detector>) -> Report {
    let outcome = |detector: &Detector| {
        let (mut findings, not_recorded) = match (detector.look)(transcript) {
            Verdict::Looked(findings) => (findings, None),
            Verdict::NotRecorded(what) => (Vec::new(), Some(what)),
        };
        findings.sort_by(|one, other| one.numbers.cmp(&other.numbers));
        let mut findings = grouped(findings);
        let left_out = findings.len().saturating_sub(FINDINGS_MAX);
        findings.truncate(FINDINGS_MAX);
        let (name, about, measures) = (detector.name, detector.about, (detector.measure)(transcript));
        Outcome { detector: name, about, not_recorded, left_out, findings, measures }
    };
    Report { outcomes: detectors.into_iter().map(outcome).collect() }
}

/// Findings of which several say the same are one, with the first places of all. Numbers make no difference.
fn grouped(findings: Vec<Finding>) -> Vec<Finding> {
    let key = |finding: &Finding| {
        let plain =
            |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>().to_lowercase();
        (finding.severity, plain(&finding.sentence), plain(&finding.why))
    };
    let mut groups: Vec<Finding> = Vec::new();
    let mut places: BTreeMap<(Severity, String, String), usize> = BTreeMap::new();
    for finding in findings {
        let place = *places.entry(key(&finding)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => {
                group.count += 1;
                let room = PLACES_MAX.saturating_sub(group.numbers.len());
                group.numbers.extend(finding.numbers.into_iter().take(room));
            }
            None => groups.push(finding),
        }
    }
    for group in groups.iter_mut().filter(|group| group.count > 1) {
        group.why = format!("{}; {} times in all", group.why, group.count);
    }
    groups
}

/// A finding about words.
fn finding(
    detector: &'static str,
    (severity, confidence): (Severity, u8),
    numbers: impl IntoIterator<Item = u64>,
    sentence: &str,
    why: String,
) -> Finding {
    let numbers = numbers.into_iter().collect();
    Finding { severity, confidence, detector, count: 1, numbers, sentence: text::quote(sentence), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_that_say_the_same_are_one_with_their_first_places() {
        let found = |number: u64, why: &str| {
            finding("unrolled", (Severity::Warning, 85), [number], "You roll 17.", why.to_owned())
        };
        let groups = grouped(vec![found(3, "near turn 2"), found(9, "near turn 7"), found(12, "elsewhere")]);
        let told: Vec<_> =
            groups.iter().map(|group| (group.count, group.numbers.as_slice(), group.why.as_str())).collect();
        assert_eq!(told, [(2, &[3, 9][..], "near turn 2; 2 times in all"), (1, &[12][..], "elsewhere")]);
    }
}
