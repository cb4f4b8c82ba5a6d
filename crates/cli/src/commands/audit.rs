//! `audit`: what detectors find in a campaign or in a foreign transcript.

use std::path::Path;
use std::process::ExitCode;

use twicetold_audit::{DETECTORS, Finding, Report, Severity, SourceFile, audit};
use twicetold_event::CampaignId;
use twicetold_foreign::Summary;
use twicetold_host::Library;
use twicetold_host::transcripts::{is_foreign, open_transcript};

use crate::data::{Audit, Detector, Found, document};
use crate::failure::{Failure, code};
use crate::pager::page;
use crate::terminal::{BOLD, DIM, GOLD, GOOD, TROUBLE, counted, hanging, safe, short};
use crate::told::{Reading, taken, taken_text, told};

/// Characters of a file's name in it.
const FILE_MAX: usize = 40;

/// Looks for contradictions in a campaign or a transcript
///
/// Detectors compare narration with dice, find speech for another seat, and facts that no prompt showed.
/// Nothing is changed.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, `last`, or a file: an export, or a transcript of another program
    id: String,

    #[command(flatten)]
    reading: Reading,

    /// Run only this detector; repeat the option for several [default: all detectors]
    #[arg(long, value_name = "NAME", value_parser = names())]
    detector: Vec<String>,

    /// Set the exit code by the findings: 8 for warnings, 9 for errors
    #[arg(long, value_enum)]
    fail_on: Option<FailOn>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// From which severity on a finding is a failure.
#[derive(Clone, Copy, clap::ValueEnum)]
enum FailOn {
    /// Warnings and errors
    Warning,
    /// Errors
    Error,
}

fn names() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(
        DETECTORS
            .iter()
            .map(|detector| clap::builder::PossibleValue::new(detector.name).help(detector.about)),
    )
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let path = Path::new(&arguments.id);
    let is_file = arguments.reading.is_asked() || is_foreign(path);
    let source = match is_file {
        true => open_transcript(&arguments.reading.asked(), path)?,
        false => library.source(&arguments.id)?,
    };
    let transcript = told(source.as_ref())?.transcript()?;
    let report = audit(&transcript, &arguments.detector);
    let (file, taken) = (transcript.file.as_ref(), taken(source.as_ref())?);
    let campaign = source.head().campaign.filter(|_| !is_file);
    page(&match arguments.json {
        true => document(data(campaign, &report, file, taken)),
        false => text(&report, file, taken),
    })?;
    let least = match arguments.fail_on {
        None => return Ok(ExitCode::SUCCESS),
        Some(FailOn::Warning) => Severity::Warning,
        Some(FailOn::Error) => Severity::Error,
    };
    Ok(match report.worst().filter(|worst| *worst >= least) {
        None => ExitCode::SUCCESS,
        Some(Severity::Error) => ExitCode::from(code::WRONG),
        Some(_) => ExitCode::from(code::WARNED),
    })
}

fn data(
    campaign: Option<CampaignId>,
    report: &Report,
    file: Option<&SourceFile>,
    read: Option<Summary>,
) -> Audit {
    let lines = |file: &SourceFile, finding: &Finding| {
        finding.numbers.iter().map(|number| file.lines.get(number).copied()).collect()
    };
    let found = |finding: &Finding| Found {
        finding: finding.clone(),
        file: file.map(|file| file.name.clone()),
        lines: file.map(|file| lines(file, finding)),
    };
    let detectors = report.outcomes.iter().map(|outcome| Detector {
        name: outcome.detector,
        about: outcome.about,
        findings: outcome.findings.len(),
        left_out: outcome.left_out,
        not_recorded: outcome.not_recorded,
        measures: outcome.measures.clone(),
    });
    Audit {
        campaign,
        findings: report.findings().map(found).collect(),
        detectors: detectors.collect(),
        worst: report.worst(),
        read,
    }
}

fn text(report: &Report, file: Option<&SourceFile>, taken: Option<Summary>) -> String {
    let mut out = String::new();
    for outcome in &report.outcomes {
        if outcome.findings.is_empty() {
            continue;
        }
        out += &format!("{BOLD}{}{BOLD:#}: {}\n", outcome.detector, outcome.about);
        out.extend(outcome.findings.iter().map(|found| finding(found, file)));
        if outcome.left_out > 0 {
            out += &format!("  {DIM}and {} more{DIM:#}\n", outcome.left_out);
        }
    }
    let found = !out.is_empty();
    out = taken.map_or_else(String::new, |taken| taken_text(&taken) + "\n") + &out;
    if !found {
        out += &format!("{GOOD}Nothing found.{GOOD:#}\n");
    }
    for outcome in report.outcomes.iter().filter(|outcome| !outcome.measures.is_empty()) {
        let measures: Vec<&str> = outcome.measures.iter().map(|measure| measure.words.as_str()).collect();
        let line = wrapped(&format!("Statistics of {}: {}.", outcome.detector, measures.join("; ")), "");
        out += &format!("{DIM}{line}{DIM:#}\n");
    }
    let silent: Vec<String> = report
        .outcomes
        .iter()
        .filter_map(|outcome| Some(format!("{} ({})", outcome.detector, outcome.not_recorded?)))
        .collect();
    if !silent.is_empty() {
        let list = wrapped(
            &format!(
                "Detectors that did not run, because the transcript lacks their data: {}.",
                silent.join(", ")
            ),
            "",
        );
        out += &format!("{DIM}{list}{DIM:#}\n");
    }
    let count = |severity| report.findings().filter(|finding| finding.severity == severity).count();
    let (errors, warnings, notes) = (count(Severity::Error), count(Severity::Warning), count(Severity::Info));
    let (errors, warnings) = (counted(errors as u64, "error"), counted(warnings as u64, "warning"));
    out + &format!("{errors}, {warnings}, {}\n", counted(notes as u64, "note"))
}

fn finding(finding: &Finding, file: Option<&SourceFile>) -> String {
    let style = match finding.severity {
        Severity::Error => TROUBLE,
        Severity::Warning => GOLD,
        Severity::Info => DIM,
    };
    // A transcript of another program is looked up in its own file, whose numbers are lines.
    let place = |number: &u64| match file.and_then(|file| Some((file, file.lines.get(number)?))) {
        Some((file, line)) => format!("{}:{line}", short(&safe(&file.name), FILE_MAX)),
        None => format!("#{number}"),
    };
    let mut numbers: Vec<String> = finding.numbers.iter().take(8).map(place).collect();
    numbers.dedup();
    let more = if finding.numbers.len() > 8 { " …" } else { "" };
    let head = format!("{} {}%  {}{more}", finding.severity.name(), finding.confidence, numbers.join(" "));
    let mut out = format!("  {style}{head}{style:#}\n");
    if !finding.sentence.is_empty() {
        out += &format!("{}\n", wrapped(&format!("“{}”", finding.sentence), "    "));
    }
    out + &format!("{}\n", wrapped(&finding.why, "    "))
}

fn wrapped(text: &str, indent: &str) -> String {
    hanging(&text.replace('\n', " "), indent, indent)
}
