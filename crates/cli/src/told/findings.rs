//! What detectors find in whatever was told, as a report shows it.

use twicetold_audit::{Finding, Severity, audit};
use twicetold_journal::Source;
use twicetold_report::Examination;

use super::taken::{sentences, taken};
use super::told;
use crate::failure::Failure;

/// What all detectors find, as a report shows it.
pub(super) fn findings(source: &dyn Source) -> Result<Examination, Failure> {
    let transcript = told(source)?.transcript()?;
    let report = audit(&transcript, &[]);
    let place = |finding: &Finding| {
        let (file, number) = (transcript.file.as_ref()?, finding.numbers.first()?);
        Some(format!("{}:{}", file.name, file.lines.get(number)?))
    };
    let shown = |finding: &Finding| twicetold_report::Finding {
        severity: match finding.severity {
            Severity::Error => twicetold_report::Severity::Error,
            Severity::Warning => twicetold_report::Severity::Warning,
            Severity::Info => twicetold_report::Severity::Note,
        },
        confidence: finding.confidence,
        detector: finding.detector.to_owned(),
        numbers: finding.numbers.clone(),
        place: place(finding).unwrap_or_default(),
        sentence: finding.sentence.clone(),
        why: finding.why.clone(),
    };
    let looked = report.outcomes.iter().filter(|outcome| outcome.not_recorded.is_none());
    let looked_for = looked.map(|outcome| outcome.about.to_owned()).collect();
    let silent = report
        .outcomes
        .iter()
        .filter_map(|outcome| Some(format!("{} (lacks: {})", outcome.about, outcome.not_recorded?)));
    let measured = report.outcomes.iter().filter(|outcome| !outcome.measures.is_empty());
    let measured = measured.map(|outcome| {
        let rows = outcome.measures.iter().map(|measure| measure.words.clone()).collect();
        (outcome.detector.to_owned(), rows)
    });
    Ok(Examination {
        measured: measured.collect(),
        looked_for,
        not_looked_for: silent.collect(),
        taken: taken(source)?.as_ref().map_or_else(String::new, sentences),
        findings: report.findings().map(shown).collect(),
    })
}
