//! Promise: most of a prompt is what a prompt before it was, so that a server that keeps what it has read reads little anew.

use serde_json::Value;
use twicetold_dialect::Protocol;
use twicetold_tests::Game;
use twicetold_tests::strict::{Model, StrictServer};

/// A request as a template of a local model writes it: instructions, tools, messages.
fn text(body: &str) -> String {
    let body: Value = serde_json::from_str(body).unwrap();
    let messages = body["messages"].as_array().unwrap();
    let rest = messages[1..].iter().map(Value::to_string).collect::<String>();
    format!("{}{}{rest}", messages[0], body["tools"])
}

/// What a server keeps of prompts, as llama.cpp does: a prompt goes where most of it is known, if that is a tenth of it, else
/// where nothing was read for the longest time.
struct Slots {
    kept: Vec<(usize, String)>,
    read: usize,
    reused: usize,
}

impl Slots {
    fn read(&mut self, number: usize, prompt: String) {
        let same =
            |kept: &str| kept.bytes().zip(prompt.bytes()).take_while(|(then, now)| then == now).count();
        let (place, known) = (self.kept.iter().enumerate())
            .map(|(place, (_, kept))| (place, same(kept)))
            .max_by_key(|(_, same)| *same)
            .filter(|(_, same)| 10 * same > prompt.len())
            .unwrap_or_else(|| {
                let oldest = (0..self.kept.len()).min_by_key(|place| self.kept[*place].0).unwrap();
                (oldest, same(&self.kept[oldest].1))
            });
        self.read += prompt.len();
        self.reused += known;
        self.kept[place] = (number, prompt);
    }
}

#[test]
fn four_fifths_of_what_is_asked_was_read_before() {
    let mut server = StrictServer::new(Protocol::ChatCompletions, Model::Native);
    let mut slots = Slots { kept: vec![Default::default(); 6], read: 0, reused: 0 };
    let game = Model::Native.seated(Game::of("one-lantern-short", 13), Protocol::ChatCompletions);
    game.answered(&mut |seat, body| {
        slots.read(server.bodies.len() + 1, text(body));
        server.answer(seat, body)
    });
    let share = slots.reused * 100 / slots.read;
    // The first request of each seat is new, so that a short campaign says little.
    assert!(server.bodies.len() >= 70, "only {} requests", server.bodies.len());
    assert!(share >= 82, "{share} % of {} bytes in {} requests", slots.read, server.bodies.len());
}
