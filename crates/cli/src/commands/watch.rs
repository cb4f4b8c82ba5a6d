//! `watch`: a campaign's story as it unfolds, also while another process is playing it.

use std::process::ExitCode;

use twicetold_event::Number;
use twicetold_host::Library;

use crate::failure::Failure;
use crate::following::follow;
use crate::pace::{Alone, Paced};
use crate::story::{Order, Spoilers};

/// Prints the story of a campaign live, while it is played
///
/// Another process plays it. The command ends when the campaign ends.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, or `last`
    id: String,

    /// Start at this sequence number instead of at #0
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,

    #[command(flatten)]
    paced: Paced,

    #[command(flatten)]
    spoilers: Spoilers,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let pace = Alone::of(&arguments.paced)?;
    let mut order = Order::default();
    follow(library, &arguments.id, Number(arguments.from), pace, false, |campaign, entry| {
        // What was said last before this number stands in the same entry.
        let mut lines = arguments.spoilers.lines(campaign, entry);
        lines.retain(|line| line.number >= arguments.from);
        order.told(campaign.state(), entry, &lines)
    })
}
