//! `lint`: reads a configuration as `run` would, all of it, and says what is wrong and what probably is.

use std::path::PathBuf;
use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_host::lint::Target;
use twicetold_world::setup::{Finding, Severity};

use crate::data::{self, LintFinding, document};
use crate::failure::{Failure, code};
use crate::pager::page;
use crate::terminal::{BOLD, GOOD, TROUBLE, counted, safe};

/// Checks every file of a configuration
///
/// The files are campaigns, encounters, rules packs, prompts and models.
///
/// A finding is an error or a warning, with its file, its line and a fix. The exit code is 2 if there are errors; with only
/// warnings it is 0.
#[derive(clap::Args)]
pub struct Arguments {
    /// A configuration folder created by `init`, or one file of it [default: the bundled configuration and your models.toml]
    path: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let target = Target::of(library, arguments.path.as_deref())?;
    let findings = target.findings();
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let findings: Vec<LintFinding> = findings.into_iter().map(|finding| row(&target, finding)).collect();
    if arguments.json {
        page(&document(data::Lint { errors, warnings, findings }))?;
    } else {
        page(&text(&findings, errors, warnings, &target.scope()))?;
    }
    Ok(ExitCode::from(if errors > 0 { code::USAGE } else { 0 }))
}

fn row(target: &Target, finding: Finding) -> LintFinding {
    let (file, line) = target.place(&finding);
    let Finding { severity, rule, message, help, .. } = finding;
    LintFinding { severity, rule, file, line, message, help }
}

fn text(findings: &[LintFinding], errors: usize, warnings: usize, scope: &str) -> String {
    let mut out = String::new();
    for row in findings {
        let style = if row.severity == Severity::Error { TROUBLE } else { BOLD };
        let line = row.line.map(|line| format!(":{line}")).unwrap_or_default();
        let (severity, rule) = (row.severity.name(), row.rule);
        out += &format!("{BOLD}{}{line}{BOLD:#}: {style}{severity}[{rule}]{style:#}: ", safe(&row.file));
        out += &format!("{}\n  help: {}\n", safe(&row.message), safe(&row.help));
    }
    match (errors, warnings) {
        (0, 0) => format!("{GOOD}No problems found{GOOD:#} in {scope}.\n"),
        _ => format!(
            "{out}{} and {} in {scope}.\n",
            counted(errors as u64, "error"),
            counted(warnings as u64, "warning")
        ),
    }
}
