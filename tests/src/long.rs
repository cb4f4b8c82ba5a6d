//! Long campaigns in files, for benchmarks and for pages of them.

use std::path::Path;

use twicetold_event::{Build, CampaignId, Number, Seat};
use twicetold_improv::improvise;
use twicetold_journal::{Memory, create};
use twicetold_referee::Campaign;
use twicetold_session::Session;

use crate::{Game, Played, reply_body};

/// Plays a campaign of so many turns in a file, or of about so many numbers if that is less: a DM who records something in every other
/// turn, and a party that talks.
///
/// # Panics
/// The file is there already or cannot be written.
pub fn long_campaign(path: &Path, id: CampaignId, turns: u64, numbers: u64) {
    let most = numbers.to_string();
    let game = Game::new(91)
        .with("limits.toml", "turns_max = 200", &format!("turns_max = {turns}"))
        .with("limits.toml", "calls_max = 1200", &format!("calls_max = {most}"))
        .with("limits.toml", "encounter_messages_max = 60", &format!("encounter_messages_max = {most}"))
        .with("encounters/gone-before-dusk.toml", "messages_max = 44", &format!("messages_max = {most}"))
        .without_failures();
    let tokens =
        game.files.iter().find(|file| file.path == "limits.toml").and_then(|file| {
            file.text.lines().find(|line| line.starts_with("tokens_max")).map(str::to_owned)
        });
    let game = match tokens {
        Some(line) => game.with("limits.toml", &line, "tokens_max = 4000000000"),
        None => game,
    };
    let (session, _, first) = game.session();
    drop(session);
    let charter = twicetold_referee::charter(game.seed, twicetold_world::setup::RULES_VERSION, &game.files);
    let campaign = Campaign::new(charter, game.setup()).expect("the campaign is as it should be");
    let store = create(path).expect("a file can be made");
    let session = Session::new(campaign, Box::new(store), id, Build::new("bench"));
    let mut played =
        Played { session, memory: Memory::new(), transcript: Vec::new(), events: Vec::new(), calls: 0 };
    let mut told = 0_u64;
    played.until(first, Some(Number(numbers)), &mut |seat, body| {
        if body.contains("role: memory") {
            return reply_body(&"What came before is kept in these words. ".repeat(40), &[]);
        }
        if !body.contains("phase: play") {
            return improvise(body);
        }
        told += 1;
        let words =
            format!("Then this happened, the {told}th of all. {}", "More was said of it. ".repeat(14));
        let seen = format!("{{\"kind\":\"notable\",\"text\":\"Seen {told}.\"}}");
        let note = format!("{{\"note\":\"note\",\"note_value\":\"{told}\"}}");
        // The record ends no message, so it is made once and the words are said after it.
        match seat == Seat::Dm && told % 2 == 1 {
            true => reply_body(&words, &[("record_event", &seen), ("update_scene", &note)]),
            false => reply_body(&words, &[]),
        }
    });
    played.session.into_store().close().expect("the file can be closed");
}
