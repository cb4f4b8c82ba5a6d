//! `mcp`: a server for outside agents, on standard input and output or over HTTP.

use std::path::PathBuf;
use std::process::ExitCode;

use tokio::runtime::Builder;
use twicetold_host::Library;
use twicetold_host::seats::Models;
use twicetold_host::spend::Spend;
use twicetold_mcp::{House, HttpServer, Invitation, Server, Settings};

use crate::failure::{Failure, code};
use crate::play::say;
use crate::signals::{StopSignals, threads};
use crate::terminal::print;

/// The port, unless another one is asked for: it is not registered to anything.
const PORT: u16 = 7315;

/// The environment variable that tokens are made of.
const TOKEN: &str = "TWICETOLD_MCP_TOKEN";

/// Serves outside agents by the Model Context Protocol
///
/// An agent program starts this command and calls its tools: it lists and reads campaigns, asks why, runs campaigns
/// and plays seats. Standard output contains the protocol only. The command ends when its standard input ends;
/// campaigns that it plays are paused.
///
/// With --http it answers many agents over HTTP on this machine. It prints an address and the token that every
/// request must have, or one of each for every --seat; Ctrl-C stops it. Tokens are new at each start, unless
/// TWICETOLD_MCP_TOKEN is set to a text of at least 16 characters, from which they are made.
#[derive(clap::Args)]
pub struct Arguments {
    /// Serve one seat alone, dm or player-1 …: the agent is told what that seat may know, and nothing else. With
    /// --http it can be given several times
    #[arg(long, value_name = "SEAT")]
    seat: Vec<String>,

    /// The campaign of that seat: a prefix of its id, or `last`
    #[arg(long, value_name = "ID", requires = "seat", default_value = "last")]
    campaign: String,

    /// Answer over HTTP instead of standard input and output
    #[arg(long)]
    http: bool,

    /// The port to listen on at 127.0.0.1; 0 takes any free port
    #[arg(long, value_name = "N", requires = "http", default_value_t = PORT)]
    port: u16,

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
    if !arguments.http && arguments.seat.len() > 1 {
        let message = "one agent speaks on standard input, and it has one seat";
        return Err(Failure::new(code::USAGE, message, "give one --seat, or --http for several"));
    }
    let runtime = threads(Builder::new_multi_thread().worker_threads(2))?;
    runtime.block_on(async {
        let mut signals = StopSignals::heard()?;
        let stop = async move {
            signals.next().await;
        };
        serve(library, arguments, stop).await?;
        Ok(ExitCode::SUCCESS)
    })
}

async fn serve(
    library: Library,
    arguments: Arguments,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Failure> {
    let Arguments { seat, campaign, http, port, allow_spend, config } = arguments;
    if config.is_some() {
        Models::of(config.as_deref())?;
    }
    let settings = Settings { allow_spend, config, ..Settings::default() };
    if !http {
        let house = House::new(library, settings)?;
        let server = match seat.first() {
            None => Server::of_owner(house),
            Some(seat) => Server::of_seat(house, &campaign, seat),
        };
        return Ok(server.serve(std::io::stdin(), std::io::stdout(), stop).await?);
    }
    #[expect(clippy::disallowed_methods, reason = "the edge of the program: a secret is no argument")]
    let token = std::env::var(TOKEN).ok();
    let server = HttpServer::bind(library, settings, port, token.as_deref()).await?;
    if seat.is_empty() {
        print(&told(&server.owner()))?;
    }
    for seat in &seat {
        print(&format!("{seat}\n{}", told(&server.invite(&campaign, seat)?)))?;
    }
    say("Agents on this machine reach it with this header. Ctrl-C stops the server.");
    Ok(server.run(stop).await?)
}

fn told(invitation: &Invitation) -> String {
    format!("{}\nAuthorization: {}\n", invitation.address, invitation.authorization)
}
