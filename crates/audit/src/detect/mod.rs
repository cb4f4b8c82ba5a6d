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

use crate::limits::FINDINGS_MAX;
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
    let outcome = |detector: &Detector| {
        let (mut findings, not_recorded) = match (detector.look)(transcript) {
            Verdict::Looked(findings) => (findings, None),
            Verdict::NotRecorded(what) => (Vec::new(), Some(what)),
        };
        findings.sort_by(|one, other| one.numbers.cmp(&other.numbers));
        let left_out = findings.len().saturating_sub(FINDINGS_MAX);
        findings.truncate(FINDINGS_MAX);
        let (name, about, measures) = (detector.name, detector.about, (detector.measure)(transcript));
        Outcome { detector: name, about, not_recorded, left_out, findings, measures }
    };
    Report { outcomes: DETECTORS.iter().filter(asked).map(outcome).collect() }
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
    Finding { severity, confidence, detector, numbers, sentence: text::quote(sentence), why }
}
