//! Lets code of one's own answer for a seat: a model within this process, a cache, a limit for a group of campaigns.
//!
//! A provider takes the body of a request and gives the body of the answer, both as they are on the wire, so that whatever answered can
//! be replayed without it. Here Player 1 is played by a few lines of code, and the others by the built-in improviser.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use twicetold_dialect::Protocol;
use twicetold_event::{CampaignId, Seat};
use twicetold_host::Library;
use twicetold_host::mapping::WhoPlays;
use twicetold_host::opening::{Opening, open};
use twicetold_host::play::Table;
use twicetold_provider::{Completion, Provider};
use twicetold_session::{Verdict, replay};

/// A player who always does the next of a few things.
#[derive(Default)]
struct Cautious {
    asked: AtomicUsize,
}

const ACTIONS: [&str; 3] =
    ["I wait, and listen.", "I look behind me.", "I ask the nearest person what they saw."];

impl Provider for Cautious {
    fn name(&self) -> &str {
        "cautious"
    }

    fn complete<'a>(&'a self, _body: &'a str) -> Completion<'a> {
        Box::pin(async move {
            let number = self.asked.fetch_add(1, Ordering::Relaxed);
            // A fault would be recorded, and the call made again as the rules of the campaign say.
            Ok(Protocol::Improv.reply_body(ACTIONS[number % ACTIONS.len()], &[]))
        })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let (id, asked) = play(folder.clone())?;
    println!("{id} was played; Player 1 was asked {asked} times.");
    println!(
        "Its replay asks nobody and is {}.",
        if is_identical(folder, id)? { "identical" } else { "different" }
    );
    Ok(())
}

/// Plays a campaign and says how often the provider was asked.
fn play(folder: Option<PathBuf>) -> Result<(CampaignId, usize), Box<dyn Error>> {
    let library = Library::new(folder)?;
    // Without a name the models of the user's own models.toml would play, which may cost money.
    let who = WhoPlays { model: vec!["improv".to_owned()], ..WhoPlays::default() };
    let opening = Opening { campaign: Some("the-borrowed-boat"), who, seed: Some(7), ..Opening::default() };
    let cautious = Arc::new(Cautious::default());
    let game = open(&library, opening, &mut |note| eprintln!("{note}"))?;
    let game = game.answered_by(Seat::Player(1), cautious.clone());
    let id = game.id();
    tokio::runtime::Runtime::new()?.block_on(async {
        let mut table = Table::begin(game).await?;
        while table.next().await.is_some() {}
        table.finished().await
    })?;
    Ok((id, cautious.asked.load(Ordering::Relaxed)))
}

fn is_identical(folder: Option<PathBuf>, id: CampaignId) -> Result<bool, Box<dyn Error>> {
    let report = replay(Library::new(folder)?.read(id)?.as_ref(), None)?;
    Ok(matches!(report.verdict, Verdict::Identical))
}

#[test]
fn the_provider_is_asked_in_play_and_not_in_a_replay() {
    let folder = tempfile::tempdir().unwrap();
    let (id, asked) = play(Some(folder.path().to_owned())).unwrap();
    assert!(asked > 3, "{asked}");
    assert!(is_identical(Some(folder.path().to_owned()), id).unwrap());
}
