//! `mcp`: a server for outside agents, on standard input and output.

use std::path::PathBuf;
use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_host::spend::Spend;
use twicetold_mcp::{House, Server, Settings};

use crate::failure::{Failure, code};
use crate::signals::StopSignals;

/// Serves outside agents by the Model Context Protocol
///
/// An agent program starts this command and calls its tools: it lists and reads campaigns, asks why, runs campaigns
/// and plays seats. Standard output contains the protocol only. The command ends when its standard input ends;
/// campaigns that it plays are paused.
#[derive(clap::Args)]
pub struct Arguments {
    /// Serve one seat alone, dm or player-1 …: the agent is told what that seat may know, and nothing else
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,

    /// The campaign of that seat: a prefix of its id, or `last`
    #[arg(long, value_name = "ID", requires = "seat", default_value = "last")]
    campaign: String,

    /// What all campaigns of this server may spend together, for example 400calls, 200ktok or 0.50usd. Without it,
    /// no model is called that can cost money: only the improviser, outside agents and people play
    #[arg(long, value_name = "BUDGET", value_parser = Spend::parse)]
    allow_spend: Option<Spend>,

    /// Read models.toml from this folder [default: your configuration folder, otherwise the bundled models.toml]
    #[arg(long, value_name = "DIR")]
    config: Option<PathBuf>,
}

/// Runs the command.
pub fn run(library: Library, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { seat, campaign, allow_spend, config } = arguments;
    let house = House::new(library, Settings { allow_spend, config, ..Settings::default() })?;
    let server = match seat {
        None => Server::of_owner(house),
        Some(seat) => Server::of_seat(house, &campaign, &seat),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(code::FAILED, format!("no threads: {error}"), ""))?;
    runtime.block_on(async {
        let mut signals = StopSignals::listen().map_err(|error| {
            Failure::new(code::FAILED, format!("signals cannot be listened to: {error}"), "")
        })?;
        let stop = async move {
            signals.next().await;
        };
        server.serve(std::io::stdin(), std::io::stdout(), stop).await?;
        Ok(ExitCode::SUCCESS)
    })
}
