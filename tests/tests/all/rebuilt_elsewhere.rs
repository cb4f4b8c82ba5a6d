//! Promise: the format's page is enough to rebuild what was asked by every protocol and in every mode, in branches too: the second verifier
//! does so, and compares what was sent.

use std::fs;
use std::path::{Path, PathBuf};

use twicetold_event::{AmendmentAsked, Event, ForkAsked, Input, Millis};
use twicetold_improv::improvise;
use twicetold_journal::{Source, write_export};
use twicetold_session::entries;
use twicetold_tests::strict::{Model, StrictServer};
use twicetold_tests::{Game, Home, Played, repository, skipped};

use crate::branches::{asked, branched};
use crate::independent_verifier::reports;
use crate::people_at_the_table::piped;
use crate::strict_servers::PROTOCOLS;

/// Journals as files, and what each is.
struct Shelf {
    folder: tempfile::TempDir,
    named: Vec<(String, u64)>,
}

impl Shelf {
    fn new() -> Shelf {
        Shelf { folder: tempfile::tempdir().expect("a folder"), named: Vec::new() }
    }

    fn path(&self, place: usize) -> PathBuf {
        self.folder.path().join(format!("{place}.twicetold"))
    }

    fn put(&mut self, name: String, source: &dyn Source) {
        let mut bytes = Vec::new();
        write_export(source, &mut bytes).expect("it is whole");
        fs::write(self.path(self.named.len()), bytes).expect("room for it");
        let events = entries(source).unwrap().flat_map(|entry| entry.unwrap().events);
        let requests = events.filter(|event| matches!(event, Event::ModelCallRequested(_))).count();
        self.named.push((name, requests as u64));
    }

    /// Every request of every journal is rebuilt, and nothing contradicts it.
    fn assert_rebuilt(self) {
        let paths: Vec<PathBuf> = (0..self.named.len()).map(|place| self.path(place)).collect();
        let Some((reports, _)) = reports(&[], &paths) else { return };
        for ((name, requests), report) in self.named.iter().zip(reports) {
            if report["blobs_not_unpacked"].as_u64().is_some_and(|left| left > 0) {
                return skipped("requests", "there is no zstd for Python");
            }
            assert_eq!(report["damage"].as_str(), None, "{name}");
            assert_eq!(report["requests"].as_u64(), Some(*requests), "{name}");
        }
    }
}

#[test]
fn requests_of_every_protocol_and_mode_are_rebuilt() {
    let mut shelf = Shelf::new();
    let models =
        [Model::Native, Model::Thinking, Model::Chaos, Model::Prompted, Model::Structured, Model::Guided];
    for (seed, protocol) in (80..).zip(PROTOCOLS) {
        for model in models {
            let mut server = StrictServer::new(protocol, model);
            let game = model.seated(Game::of("the-borrowed-boat", seed), protocol);
            let played = game.answered(&mut |seat, body| server.answer(seat, body));
            shelf.put(format!("{}, {model:?}", protocol.name()), played.source());
        }
    }
    shelf.assert_rebuilt();
}

/// Switches of a server as a line of `seats.toml`.
const SWITCHES: [&str; 4] = [
    "tool_messages = false, system_role = \"user\", tokens_field = \"none\", seed = false",
    "tool_choice = false, parallel_tool_calls = false, system_role = \"developer\", stream = true",
    "tools = false, context = 4096, stop = [\"<end>\", \"\\n\\n\"], temperature = false",
    concat!(
        r#"tokens_field = "max_completion_tokens", extra_fields = { top_k = "40", text = '{"verbosity":"low"}', "#,
        r#"generationConfig = '{"topK": 3, "seed": 1}', options = '{"top_k":4}', output_config = '{"effort":"low"}' }"#,
    ),
];

#[test]
fn requests_to_servers_with_every_switch_are_rebuilt() {
    let mut shelf = Shelf::new();
    for (seed, protocol) in (90..).zip(PROTOCOLS) {
        for (place, switches) in SWITCHES.iter().enumerate() {
            let model = if place == 3 { Model::Guided } else { Model::Native };
            let mut server = StrictServer::new(protocol, model);
            let game = Model::Native.seated(Game::of("the-borrowed-boat", seed), protocol);
            let file = game.files.iter().find(|file| file.path == "seats.toml").expect("it has seats");
            let line = file.text.lines().find(|line| line.starts_with("compat")).expect("they are set");
            let mode = if place == 3 { ", tool_calls = \"guided\"" } else { "" };
            let line = line.to_owned();
            let game = game.with("seats.toml", &line, &format!("compat = {{ {switches}{mode} }}"));
            let played = game.answered(&mut |seat, body| server.answer(seat, body));
            shelf.put(format!("{}, {switches}", protocol.name()), played.source());
        }
    }
    shelf.assert_rebuilt();
}

#[test]
fn branches_with_changes_are_rebuilt() {
    let mut shelf = Shelf::new();
    let parent = Game::new(104).improvised();
    let at = entries(parent.source()).unwrap().nth(30).unwrap().unwrap().header.next();
    let folder = tempfile::tempdir().unwrap();
    let setup = parent.session.campaign().state().setup();
    let text = |path: &str| setup.files.iter().find(|file| file.path == path).unwrap().text.to_string();
    let amend = |path: &str, content: String| AmendmentAsked { path: path.into(), content };
    let prompt = text("prompts/dm-play.md").replace("At most 150 words", "At most 40 words");
    let seats = text("seats.toml").replace("tokens_max = 1000", "tokens_max = 900");
    let draws = "[[draw]]\nstream = \"player-1 check WIT\"\ncounter = 0\nfaces = [1]\n".to_owned();
    let changes = [
        ForkAsked { note: "nothing".into(), ..asked(at) },
        ForkAsked { seed: Some(7), note: "seed".into(), ..asked(at) },
        ForkAsked {
            amendments: vec![amend("prompts/dm-play.md", prompt), amend("draws.toml", draws)],
            note: "files".into(),
            ..asked(at)
        },
        ForkAsked { amendments: vec![amend("seats.toml", seats)], note: "set of models".into(), ..asked(at) },
    ];
    for change in changes {
        let name = format!("a branch with another {}", change.note);
        let (played, _) = branched(&parent, folder.path(), change);
        shelf.put(name, played.source());
    }
    // What is refused changes nothing; what is asked for in the midst of a campaign counts at once.
    let (mut session, memory, first) = Game::new(105).session();
    let mut played = Played {
        transcript: Vec::new(),
        events: Vec::new(),
        calls: 0,
        session: {
            session.commit(Millis(1), first).unwrap();
            session
        },
        memory,
    };
    let broken = Input::AmendmentAsked(amend("limits.toml", "turns_max = 'x'".to_owned()));
    played.session.commit(Millis(2), broken).unwrap();
    let sound = amend("limits.toml", text("limits.toml").replace("turns_max = 200", "turns_max = 12"));
    played.go_on(Input::AmendmentAsked(sound), &mut |_, body| improvise(body));
    shelf.put("an amendment".to_owned(), played.source());
    shelf.assert_rebuilt();
}

#[test]
fn campaigns_with_people_brought_along_parties_and_transcripts_of_other_programs_are_read() {
    let home = Home::new();
    let sample = repository().join("tests/samples/autogen.jsonl");
    home.succeed([Path::new("import"), Path::new("--from"), Path::new("autogen"), &sample]);
    home.succeed(["export", "last", "0.twicetold"]);
    let first = home.play(73)["campaign"].as_str().expect("an id").to_owned();
    home.succeed(["run", "the-weir-book", "--party", &first, "--seed", "74", "--turns", "4", "--quiet"]);
    home.succeed(["export", "last", "1.twicetold"]);
    let lines = [
        "I play Ada.",
        "We rowed.",
        "/character Ada Finch, thief, She ran.",
        "/roll d20 for luck",
        "/leave watch",
    ];
    let run = ["run", "the-borrowed-boat", "--seed", "12", "--seat", "player-1"];
    piped(&home, &run, &lines).succeeded();
    home.succeed(["export", "last", "2.twicetold"]);
    let answered = home.succeed(["log", "last"]).matches("PersonAnswered").count();
    assert!(answered > 2, "a person answers {answered} times");
    let paths: Vec<PathBuf> = (0..3).map(|place| home.path(&format!("{place}.twicetold"))).collect();
    let Some((reports, _)) = reports(&[], &paths) else { return };
    for (path, report) in paths.iter().zip(reports) {
        assert_eq!(report["damage"].as_str(), None, "{}", path.display());
    }
}
