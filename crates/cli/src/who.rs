//! Who plays, as the command line says it.

use std::path::PathBuf;

use twicetold_host::mapping::{self, Spend};

/// Who plays, from the command line.
#[derive(clap::Args)]
pub struct WhoPlays {
    /// The model on every seat by its name in models.toml, or on one as SEAT=NAME: dm, memory, player-1 …, players
    #[arg(long, value_name = "[SEAT=]NAME")]
    model: Vec<String>,

    /// The folder whose models.toml is used [default: your configuration folder, else the bundled one]
    #[arg(long, value_name = "DIR")]
    config: Option<PathBuf>,

    /// How much may be spent from here on, for example 400calls or 400calls,200ktok; at the limit the campaign pauses
    #[arg(long, value_name = "AMOUNT", value_parser = Spend::parse)]
    budget: Option<Spend>,
}

impl WhoPlays {
    /// The same without a command line.
    pub fn asked(&self) -> mapping::WhoPlays {
        mapping::WhoPlays { model: self.model.clone(), config: self.config.clone(), budget: self.budget }
    }
}

/// Whoever plays.
#[derive(clap::Args)]
pub struct Me {
    /// Your name, as the journal keeps it
    #[arg(long, env = "USER", hide_env = true, default_value = "a person")]
    name: String,
}

impl Me {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }
}
