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
    let game = Model::Native.seated(Game::of("one-lantern-short", 16), Protocol::ChatCompletions);
    game.answered(&mut |seat, body| {
        slots.read(server.bodies.len() + 1, text(body));
        server.answer(seat, body)
    });
    let share = slots.reused * 100 / slots.read;
    // The first request of each seat is new, so that a short campaign says little.
    assert!(server.bodies.len() >= 70, "only {} requests", server.bodies.len());
    assert!(share >= 82, "{share} % of {} bytes in {} requests", slots.read, server.bodies.len());
}

/// What is remembered stands before the history, in the first message after the instructions of play. People who come up in play are
/// added to it at once.
fn remembered(body: &str) -> Option<String> {
    let body: Value = serde_json::from_str(body).unwrap();
    let instructions = body["messages"][0]["content"].as_str()?;
    let in_play = ["You are the Dungeon Master of", "You play one of"];
    let first = body["messages"][1]["content"].as_str()?;
    let (remembered, _) = first.split_once("</memory>")?;
    let (before, people) = remembered.split_once("<supporting_npcs>").unwrap_or((remembered, ""));
    let (_, after) = people.split_once("</supporting_npcs>\n").unwrap_or_default();
    let is_play = in_play.iter().any(|begin| instructions.starts_with(begin));
    is_play.then(|| format!("{before}{after}"))
}

#[test]
fn what_stands_before_the_history_changes_only_when_it_is_cut_or_what_stands_there_is_taken_back() {
    let (mut entries, mut facts) = (0, 0);
    for number in [2, 5, 14, 18, 21, 25, 31, 32, 34, 35, 45, 53, 61] {
        let mut server = StrictServer::new(Protocol::ChatCompletions, Model::Native);
        let mut seen: BTreeMap<Seat, BTreeSet<String>> = BTreeMap::new();
        let game = Model::Native.seated(Game::of("one-lantern-short", number), Protocol::ChatCompletions);
        let played = game.answered(&mut |seat, body| {
            if let Some(remembered) = remembered(body) {
                seen.entry(seat).or_default().insert(remembered);
            }
            server.answer(seat, body)
        });
        let mut known = BTreeSet::new();
        let play = played.events.iter().skip_while(|event| !matches!(event, Event::EncounterBegan(_)));
        let mut cuts = 0;
        for event in play {
            match event {
                // An entry of the party document in place of another, and a note that is struck out: no prompt shows what is not so.
                Event::PartyDocumentUpdated(word) if !known.insert((word.section.name(), word.entry)) => {
                    cuts += 1;
                }
                Event::FlagDeleted(_) => cuts += 1,
                Event::PartyDocumentUpdated(_) => entries += 1,
                Event::FactLearned(_) => facts += 1,
                Event::SummaryWritten(_) => cuts += 1,
                _ => {}
            }
        }
        assert_eq!(seen.len(), 4, "the DM and three players");
        for (seat, texts) in seen {
            assert!(texts.len() <= 1 + cuts, "seed {number}, {seat}: {} texts, {cuts} cuts", texts.len());
        }
    }
    assert!(entries > 0 && facts > 0, "nothing was written that could change it: {entries}, {facts}");
}

#[test]
fn what_a_check_leads_to_and_how_a_goal_ends_the_dm_alone_is_told_when_it_matters() {
    let (mut led, mut unsaid, mut endings) = (0, 0, 0);
    for number in [2, 8, 14] {
        let mut server = StrictServer::new(Protocol::ChatCompletions, Model::Native);
        let game = Model::Native.seated(Game::of("one-lantern-short", number), Protocol::ChatCompletions);
        game.answered(&mut |seat, body| {
            let asked: Value = serde_json::from_str(body).unwrap();
            let messages = asked["messages"].as_array().unwrap();
            let texts: Vec<&str> =
                messages.iter().filter_map(|message| message["content"].as_str()).collect();
            for check in texts.iter().flat_map(|text| text.lines()).filter(|line| line.contains("[check] ")) {
                let says_more = !check.ends_with("success") && !check.ends_with("failure");
                assert!(seat == Seat::Dm || !says_more, "{seat}: {check}");
                if says_more { led += 1 } else { unsaid += 1 }
            }
            for ending in
                texts.iter().flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix("ending: "))
            {
                let (_, words) = ending.split_once(" | ").expect("the goal's id, and how it ends");
                assert!(seat == Seat::Dm && !texts[0].contains(words), "{seat}: {ending}");
                endings += 1;
            }
            server.answer(seat, body)
        });
    }
    assert!(led > 50 && unsaid > 50 && endings > 0, "{led} {unsaid} {endings}");
}

#[test]
fn a_model_that_writes_its_calls_is_told_last_what_only_a_call_does() {
    for (model, writes) in [(Model::Native, false), (Model::Structured, true), (Model::Prompted, true)] {
        let mut server = StrictServer::new(Protocol::ChatCompletions, model);
        let game = model.seated(Game::of("the-borrowed-boat", 3), Protocol::ChatCompletions);
        let (mut dm, mut players) = (0, 0);
        game.answered(&mut |seat, body| {
            let asked: Value = serde_json::from_str(body).unwrap();
            let messages = asked["messages"].as_array().unwrap();
            for text in messages.iter().filter_map(|message| message["content"].as_str()) {
                let Some((state, after)) = text.rsplit_once("</table_state>\n") else { continue };
                let is_scene = state.contains("\nphase: play\n") && state.contains("\nmode: narrative\n");
                let is_told = after.starts_with("\nWhat is only said ");
                assert!(!is_told || (writes && is_scene), "{seat}: {text}");
                match seat {
                    Seat::Dm if is_told => {
                        assert!(after.contains("call ability_check for that character."), "{after}");
                        let not_now = state.lines().rev().find_map(|line| line.strip_prefix("not_now: "));
                        let may_end = !not_now.is_some_and(|tools| tools.contains("encounter_resolve"));
                        assert_eq!(after.contains("call encounter_resolve."), may_end, "{text}");
                        dm += 1;
                    }
                    _ if is_told => {
                        let you = state.lines().rev().find_map(|line| line.strip_prefix("you: ")).unwrap();
                        assert!(
                            after.contains(&format!("call ability_check for {you} in the same reply")),
                            "{text}"
                        );
                        players += 1;
                    }
                    _ => assert!(!writes || !is_scene || after.contains("not_now"), "{seat}: {text}"),
                }
            }
            server.answer(seat, body)
        });
        assert_eq!((dm > 5, players > 5), (writes, writes), "{dm} and {players}");
    }
}
