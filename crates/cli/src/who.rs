//! Who plays, as the command line says it.

use std::path::PathBuf;
use std::time::Duration;

use twicetold_host::mapping;
use twicetold_host::spend::{Spend, Spending};

/// Who plays, from the command line.
#[derive(clap::Args)]
pub struct WhoPlays {
    /// The model for every seat (a name in models.toml, ollama:NAME, openai:NAME or URL#NAME), or
    /// SEAT=NAME for one seat: dm, memory, player-1 … or players
    #[arg(long, value_name = "[SEAT=]NAME")]
    model: Vec<String>,

    /// Read models.toml from this folder [default: your configuration folder, otherwise the bundled
    /// models.toml]
    #[arg(long, value_name = "DIR")]
    config: Option<PathBuf>,

    /// Budget for this run, for example 400calls, 200ktok (k = 1000 tokens), 30min or 0.50usd (needs prices in
    /// models.toml), or several: 0.50usd,30min. The program warns at 80 % and pauses the campaign at the limit
    #[arg(long, value_name = "AMOUNT", value_parser = Spend::parse)]
    budget: Option<Spend>,
}

impl WhoPlays {
    /// The same without a command line.
    pub fn asked(&self) -> mapping::WhoPlays {
        mapping::WhoPlays {
            model: self.model.clone(),
            config: self.config.clone(),
            same: false,
            budget: self.budget.clone(),
            spending: Spending::Each,
        }
    }
}

/// Whoever plays.
#[derive(clap::Args)]
pub struct Me {
    /// Your name, as recorded in the journal [default: the environment variable USER, otherwise "a person"]
    #[arg(long, env = "USER", hide_env = true, hide_default_value = true, default_value = "a person")]
    name: String,

    /// Seconds that your line waits before it is sent, so that /again can take it back; 0 sends it at once
    /// [default: 4 at a terminal, 0 otherwise and on Windows]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(..=HOLD_SECONDS_MAX))]
    hold: Option<u64>,
}

/// Seconds that a line may wait: nobody needs longer to read it again.
const HOLD_SECONDS_MAX: u64 = 60;

impl Me {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How long a line waits, where it was said.
    pub fn hold(&self) -> Option<Duration> {
        self.hold.map(Duration::from_secs)
    }
}
