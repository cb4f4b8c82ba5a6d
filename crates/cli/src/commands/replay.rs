//! `replay`: replays a campaign and compares every event and request.

use std::process::ExitCode;
use std::sync::Arc;

use twicetold_event::Number;
use twicetold_host::Library;
use twicetold_host::configuration::Configuration;
use twicetold_referee::replay::DivergenceKind;
use twicetold_session::{Drift, Report, Verdict, charter_of, replay_to};
use twicetold_world::setup::Setup;

use crate::data::{self, Diverged, FieldDiffers, SpanDiffers, campaign_of};
use crate::failure::{Failure, code};
use crate::terminal::{BOLD, GOOD, TROUBLE, counted, paragraphs, print, safe, short};

/// Recomputes a campaign and compares it with the record
///
/// The campaign is recomputed from its recorded inputs. Every event, request and HTTP body is compared,
/// and no model is called.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, `last`, or a file
    id: String,

    /// Use this configuration folder instead of the recorded one, and report the prompts and the first decision that differ
    #[arg(long, value_name = "DIR")]
    against: Option<std::path::PathBuf>,

    /// Replay only up to this sequence number. The whole journal is verified in any case
    #[arg(long, value_name = "N")]
    to: Option<u64>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let source = library.source(&arguments.id)?;
    let against = match &arguments.against {
        Some(folder) => Some(other_setup(library, source.as_ref(), folder)?),
        None => None,
    };
    let report = replay_to(source.as_ref(), against, arguments.to.map(Number))?;
    let text = match arguments.json {
        true => data::of(campaign_of(source.as_ref())?, data(&report)),
        false => text(&report, arguments),
    };
    print(&text)?;
    let same = matches!(report.verdict, Verdict::Identical) && report.drift.is_none();
    Ok(ExitCode::from(if same { 0 } else { code::DIVERGED }))
}

/// The same campaign, players and models under another configuration.
fn other_setup(
    library: &Library,
    source: &dyn twicetold_journal::Source,
    folder: &std::path::Path,
) -> Result<Arc<Setup>, Failure> {
    let (charter, recorded) = charter_of(source)?;
    if !folder.is_dir() {
        let message = format!("{} is not a folder", folder.display());
        return Err(Failure::new(code::USAGE, message, "`twicetold init DIR` writes a configuration folder"));
    }
    Configuration::is_in(folder)?;
    let mut configuration = Configuration::with_folder(folder)?;
    let id = &recorded.campaign.id;
    configuration.take_packs(library.data(), std::slice::from_ref(id))?;
    let files = configuration.charter_files(id, &recorded.seats)?;
    Ok(Arc::new(configuration.setup(id, charter.seed, files)?))
}

fn text(report: &Report, arguments: &Arguments) -> String {
    let mut out = String::new();
    if let Some((drift, count)) = &report.drift {
        let drifts = if *count == 1 { "prompt differs" } else { "prompts differ" };
        out += &format!("{BOLD}{count} {drifts}{BOLD:#}, the first at {}\n", drift.divergence.number);
        out += &span(drift);
    }
    let (entries, numbers, requests) = (report.entries, report.numbers, report.requests);
    match &report.verdict {
        Verdict::Identical => {
            let what =
                if report.drift.is_some() { "every decision is" } else { "every event and every request is" };
            out += &format!("{GOOD}Identical{GOOD:#}: {what} as it was recorded.\n");
            out += &format!(
                "  {}, {numbers} inputs and events, {} recomputed\n",
                counted(entries, "entry"),
                counted(requests, "request")
            );
            out += &format!("  story {:.16}\n", report.told_story);
            if let Some(to) = arguments.to {
                let last = numbers.saturating_sub(1);
                out += &format!(
                    "  replayed up to #{last}, the end of the entry that contains #{to}; later entries were not replayed.\n"
                );
            } else if !report.over {
                out += "  The campaign is not over: this is all of it so far.\n";
            }
        }
        Verdict::Diverged(drift) => {
            let other = arguments.against.is_some();
            let divergence = &drift.divergence;
            let kind = match divergence.kind {
                DivergenceKind::Prompt => "the prompt of this call differs",
                DivergenceKind::Decision => "the decision differs",
                DivergenceKind::Body => "the HTTP body differs",
                DivergenceKind::Record => "what is recorded does not follow from the journal",
            };
            out += &format!("{TROUBLE}Diverged{TROUBLE:#} at {}: {kind}\n", divergence.number);
            let here = if other { "with this configuration:" } else { "this build says:" };
            for (who, what) in [("the journal says:", &divergence.journal), (here, &divergence.build)] {
                out += &format!("  {who}\n{}\n", paragraphs(&short(what, 600), "    "));
            }
            for (journal, build) in &divergence.fields {
                out += &format!("    {}  →  {}\n", short(journal, 160), short(build, 160));
            }
            out += &span(drift);
            // Under another configuration the builds are not to blame.
            if !other {
                let this = twicetold_host::build();
                out += &format!("  recorded by build {}, this is build {this}\n", drift.recorded_by);
            }
            let before = if entries == 1 { "entry before it is" } else { "entries before it are" };
            out += &format!("  {entries} {before} identical; later entries were not replayed.\n");
        }
    }
    out
}

fn span(drift: &Drift) -> String {
    let Some((source, journal, build)) = &drift.span else { return String::new() };
    format!(
        "  in {}\n    journal: {}\n    here:    {}\n",
        safe(source),
        short(journal, 300),
        short(build, 300)
    )
}

fn data(report: &Report) -> data::Replay {
    let drift = |drift: &Drift| Diverged {
        number: drift.divergence.number.0,
        kind: drift.divergence.kind,
        journal: drift.divergence.journal.clone(),
        build: drift.divergence.build.clone(),
        fields: drift.divergence.fields.iter().cloned().map(field).collect(),
        recorded_by: drift.recorded_by.to_string(),
        this_build: twicetold_host::build().to_string(),
        span: drift.span.clone().map(|(source, journal, build)| SpanDiffers { source, journal, build }),
    };
    data::Replay {
        identical: matches!(report.verdict, Verdict::Identical) && report.drift.is_none(),
        entries: report.entries,
        numbers: report.numbers,
        requests: report.requests,
        story: report.told_story,
        over: report.over,
        drifted: report.drift.as_ref().map_or(0, |(_, count)| *count),
        first_drift: report.drift.as_ref().map(|(first, _)| drift(first)),
        divergence: match &report.verdict {
            Verdict::Identical => None,
            Verdict::Diverged(at) => Some(drift(at)),
        },
    }
}

fn field((journal, build): (String, String)) -> FieldDiffers {
    FieldDiffers { journal, build }
}
