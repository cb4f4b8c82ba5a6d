//! `mcp`: a server for outside agents, on standard input and output.

use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_mcp::Server;

use crate::failure::{Failure, code};
use crate::signals::StopSignals;

/// Serves outside agents by the Model Context Protocol
///
/// An agent program starts this command and calls its tools: it lists and reads campaigns, and asks why. Standard
/// output contains the protocol only. The command ends when its standard input ends.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs the command.
pub fn run(library: Library, _: &Arguments) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(code::FAILED, format!("no threads: {error}"), ""))?;
    runtime.block_on(async {
        let mut signals = StopSignals::listen().map_err(|error| {
            Failure::new(code::FAILED, format!("signals cannot be listened to: {error}"), "")
        })?;
        let stop = async move {
            signals.next().await;
        };
        Server::of_owner(library).serve(std::io::stdin(), std::io::stdout(), stop).await?;
        Ok(ExitCode::SUCCESS)
    })
}
