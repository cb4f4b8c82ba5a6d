//! Opens a bundled campaign, plays it with the built-in improviser, and prints the story as it is told.
//!
//! `cargo run -p twicetold-host --example play -- [FOLDER]`: campaigns are kept in FOLDER, where the program finds them with
//! `--data FOLDER`, or else where the program keeps its own.

use std::error::Error;
use std::path::PathBuf;

use twicetold_host::Library;
use twicetold_host::mapping::WhoPlays;
use twicetold_host::opening::{Opening, open};
use twicetold_host::play::{Happened, Table};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let lines = play(folder)?;
    println!("{lines} lines were told.");
    Ok(())
}

/// Plays a campaign and gives the number of lines in its story.
fn play(folder: Option<PathBuf>) -> Result<usize, Box<dyn Error>> {
    let library = Library::new(folder)?;
    // Without a name the models of the user's own models.toml would play, which may cost money.
    let who = WhoPlays { model: vec!["improv".to_owned()], ..WhoPlays::default() };
    let opening = Opening { campaign: Some("the-borrowed-boat"), who, seed: Some(7), ..Opening::default() };
    // What is no mistake and still to be known, for instance a limit that was lowered.
    let game = open(&library, opening, &mut |note| eprintln!("{note}"))?;
    let id = game.id();
    let runtime = tokio::runtime::Runtime::new()?;
    let told = runtime.block_on(async {
        let mut table = Table::begin(game).await?;
        let mut told = 0;
        // Every entry was durable before it is told here. Whoever stops now can resume the campaign.
        while let Some(happened) = table.next().await {
            let Happened::Committed(entry) = happened else { continue };
            for line in entry.lines(table.view(), None) {
                println!(
                    "{:>5} {}{}{}",
                    line.number,
                    line.speaker,
                    if line.speaker.is_empty() { "" } else { ": " },
                    line.text
                );
                told += 1;
            }
        }
        table.finished().await?;
        Ok::<_, twicetold_host::Error>(told)
    })?;
    // The journal holds all of it: it is folded again to show a document.
    let loaded = twicetold_session::load(library.read(id)?.as_ref())?;
    let state = loaded.campaign.state();
    println!("\n{} turns; these played:", state.turn().number);
    for character in state.characters().values() {
        println!("  {}", character.sheet.name);
    }
    Ok(told)
}

#[test]
fn a_campaign_is_played_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    assert!(play(Some(folder.path().to_owned())).unwrap() > 30);
}
