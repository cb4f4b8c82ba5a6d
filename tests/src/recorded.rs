//! Campaigns that a real model played: its replies, as they were recorded, are given again.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::sync::Arc;

use twicetold_event::Seat;
use twicetold_world::setup::SourceFile;

use crate::{Game, repository};

/// What a model said, seat by seat.
pub type Replies = BTreeMap<String, VecDeque<String>>;

/// The next reply of a seat. One that is asked more often than it was begins again; one that was never asked has nothing to say.
pub fn next(replies: &mut Replies, seat: Seat) -> String {
    let Some(of_seat) = replies.get_mut(&seat.slug()) else { return String::new() };
    of_seat.rotate_left(1);
    of_seat.back().cloned().unwrap_or_default()
}

/// What a model answered, seat by seat in order. A fault stands as the body of one.
pub fn replies(name: &str) -> Replies {
    let path = repository().join("replays").join(name).join("replies.jsonl");
    let text = fs::read_to_string(path).expect("the replies are there");
    let mut replies = Replies::new();
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let field = |name: &str| line[name].as_str().expect("a line has a seat and a body").to_owned();
        replies.entry(field("seat")).or_default().push_back(field("body"));
    }
    replies
}

/// The game with the seats that the model had, and to the turn that it reached.
pub fn seated(mut game: Game, model: &str, (players, turns): (u8, u32), compat: &str) -> Game {
    let seat = format!(
        "protocol = \"chat-completions\"\nwire = 1\nmodel = {model:?}\ntemperature_milli = 800\ntokens_max = 220\nparallel_tool_calls = true\nsend_seed = true\ntoken_factor_percent = 100\n"
    );
    let slugs = ["dm".to_owned(), "memory".to_owned()].into_iter();
    let slugs = slugs.chain((1..=players).map(|player| format!("player-{player}")));
    let text = slugs.fold(format!("players = {players}\n"), |text, slug| {
        text + &format!("\n[seat.{slug}]\n{seat}\n[seat.{slug}.compat]\n{compat}")
    });
    let file = |game: &mut Game, path: &str, change: &dyn Fn(&str) -> String| {
        let file: &mut SourceFile =
            game.files.iter_mut().find(|file| file.path == path).expect("it is there");
        file.text = Arc::from(change(&file.text));
    };
    file(&mut game, "seats.toml", &|_| text.clone());
    file(&mut game, "limits.toml", &|limits| {
        let other = |line: &&str| !line.starts_with("turns_max");
        let kept: String = limits.lines().filter(other).map(|line| format!("{line}\n")).collect();
        format!("turns_max = {turns}\n{kept}")
    });
    game
}
