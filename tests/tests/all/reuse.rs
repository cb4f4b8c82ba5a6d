//! Promise: most of a prompt is what a prompt before it was, so that a server that keeps what it has read reads little anew.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use twicetold_dialect::Protocol;
use twicetold_event::{Event, Seat};
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

/// What is remembered stands before the history, in the first message after the instructions of play.
fn remembered(body: &str) -> Option<String> {
    let body: Value = serde_json::from_str(body).unwrap();
    let instructions = body["messages"][0]["content"].as_str()?;
    let in_play = ["You are the Dungeon Master of", "You play one of"];
    let first = body["messages"][1]["content"].as_str()?;
    let (remembered, _) = first.split_once("</memory>")?;
    in_play.iter().any(|begin| instructions.starts_with(begin)).then(|| remembered.to_owned())
}

#[test]
fn what_stands_before_the_history_changes_only_when_it_is_cut_or_somebody_comes_up() {
    let mut server = StrictServer::new(Protocol::ChatCompletions, Model::Native);
    let mut seen: BTreeMap<Seat, BTreeSet<String>> = BTreeMap::new();
    let game = Model::Native.seated(Game::of("one-lantern-short", 13), Protocol::ChatCompletions);
    let played = game.answered(&mut |seat, body| {
        if let Some(remembered) = remembered(body) {
            seen.entry(seat).or_default().insert(remembered);
        }
        server.answer(seat, body)
    });
    let count = |is_meant: fn(&Event) -> bool| played.events.iter().filter(|event| is_meant(event)).count();
    let play = played.events.iter().skip_while(|event| !matches!(event, Event::EncounterBegan(_)));
    let written =
        play.filter(|event| matches!(event, Event::PartyDocumentUpdated(_) | Event::FactLearned(_)));
    assert!(written.count() > 1, "nothing was written that could change it");
    let cuts = count(|event| matches!(event, Event::SummaryWritten(_)));
    let people = count(|event| {
        matches!(event, Event::SupportingNpcCreated(_) | Event::CharacterCreated(_) | Event::NpcProfiled(_))
    });
    assert_eq!(seen.len(), 4, "the DM and three players");
    for (seat, texts) in seen {
        assert!(
            texts.len() <= 1 + cuts + people,
            "{seat}: {} texts, {cuts} cuts, {people} people",
            texts.len()
        );
    }
}
