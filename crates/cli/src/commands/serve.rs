//! `serve`: campaigns in a browser on this machine.

use std::path::PathBuf;
use std::process::ExitCode;

use tokio::runtime::Builder;
use twicetold_host::Library;
use twicetold_host::seats::Models;
use twicetold_live::{Server, Settings};

use crate::failure::Failure;
use crate::play::say;
use crate::signals::{StopSignals, threads};
use crate::terminal::print;

/// The port, unless another one is asked for: it is not registered to anything.
const PORT: u16 = 7314;

/// Shows campaigns live in a browser on this machine
///
/// Prints an address with a token. Whoever opens it can see everything, including hidden goals and secrets. The
/// server answers only on this machine; Ctrl-C stops it.
#[derive(clap::Args)]
pub struct Arguments {
    /// The port to listen on at 127.0.0.1; 0 takes any free port
    #[arg(long, value_name = "N", default_value_t = PORT)]
    port: u16,

    /// Only show campaigns: no page changes or plays one
    #[arg(long)]
    read_only: bool,

    /// Use models.toml of this folder, and offer its campaigns [default: your configuration folder, otherwise the
    /// bundled models.toml; the bundled campaigns]
    #[arg(long, value_name = "DIR")]
    config: Option<PathBuf>,
}

/// Runs the command.
pub fn run(library: Library, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { port, read_only, config } = arguments;
    // A folder that is named has to be one, before anybody opens a page.
    if config.is_some() {
        Models::of(config.as_deref())?;
    }
    let runtime = threads(Builder::new_multi_thread().worker_threads(2))?;
    runtime.block_on(async {
        let mut signals = StopSignals::heard()?;
        let server = Server::bind(library, Settings { port, read_only, config }).await?;
        print(&format!("{}\n", server.address()))?;
        say("Open this address in a browser on this machine. Ctrl-C stops the server.");
        let stop = async move {
            signals.next().await;
        };
        server.run(stop).await?;
        Ok(ExitCode::SUCCESS)
    })
}
