//! `trace`: a campaign as OpenTelemetry traces, sent to a collector.

use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_host::traces::Traces;

use crate::failure::{Failure, code};
use crate::terminal::{counted, print};

/// Sends a campaign's OpenTelemetry traces to a collector
///
/// Each turn is a trace: the agent that is invoked, its calls, the tools that it executes, what it reads from and writes
/// into memory, by the semantic conventions for generative AI. Times are those of the journal. Ids follow from the
/// campaign and the sequence number, so that a second time sends the same spans. A turn that is not over is sent
/// without its own span. OTEL_EXPORTER_OTLP_HEADERS holds headers that are sent along, such as a key.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, or `last`; also a file
    id: String,

    /// The collector's address, e.g. http://127.0.0.1:4318; `/v1/traces` is added
    #[arg(long, value_name = "URL", env = "TWICETOLD_OTLP")]
    otlp: String,

    /// Send prompts, replies and arguments of tools too
    #[arg(long)]
    content: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let traces = Traces::new(library, &arguments.otlp, arguments.content)?;
    let source = library.source(&arguments.id)?;
    let sent = traces.send(source.as_ref(), true)?;
    print(&format!("{} sent to {}\n", counted(sent.taken, "span"), traces.host()))?;
    if sent.lost > 0 {
        let message = format!("{} not sent: {}", counted(sent.lost, "span"), sent.why.unwrap_or_default());
        return Err(Failure::new(code::FAILED, message, "the collector's own log says more"));
    }
    Ok(ExitCode::SUCCESS)
}
