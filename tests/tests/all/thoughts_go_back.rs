//! Promise: what only a vendor can read of its model's thinking goes back to the model that thought it, as long as its turn lasts. Such
//! requests are replayed, recalled and rebuilt as exactly as all others.

use twicetold_dialect::{Protocol, sent_digest};
use twicetold_event::{AmendmentAsked, Build, Event, Input, Millis};
use twicetold_model::{Message, Part, Request};
use twicetold_referee::received;
use twicetold_session::{JournalCursor, Session, Verdict, entries, load, load_to, rebuild_in, replay};
use twicetold_tests::strict::{Model, StrictServer};
use twicetold_tests::{Game, Played};

use crate::strict_servers::PROTOCOLS;

fn blocks(request: &Request) -> usize {
    let parts = request.messages.iter().flat_map(|message| &message.parts);
    parts.filter(|part| matches!(part, Part::Opaque { .. })).count()
}

fn game(protocol: Protocol, seed: u64) -> Game {
    Model::Thinking.seated(Game::of("one-lantern-short", seed), protocol)
}

fn played(protocol: Protocol, seed: u64) -> Played {
    let mut server = StrictServer::new(protocol, Model::Thinking);
    let played = game(protocol, seed).answered(&mut |seat, body| server.answer(seat, body));
    assert!(server.refused.is_empty(), "{}: {:#?}", protocol.name(), server.refused);
    played
}

#[test]
fn requests_with_thoughts_are_replayed_recalled_and_rebuilt() {
    for (seed, protocol) in (70..).zip(PROTOCOLS) {
        let (name, played) = (protocol.name(), played(protocol, seed));
        let source = played.source();
        assert!(matches!(replay(source, None).unwrap().verdict, Verdict::Identical), "{name}");
        let loaded = load(source).unwrap();
        let cursor = JournalCursor::new(source, loaded.campaign.amended()).unwrap();
        let mut with_thoughts = 0;
        for entry in entries(source).unwrap().map(|entry| entry.unwrap()) {
            for (number, event) in entry.numbered() {
                let Event::ModelCallRequested(word) = event else { continue };
                let rebuilt = rebuild_in(&cursor, word.call).unwrap().expect("it was asked");
                assert!(rebuilt.is_exact(), "{name}: {} has another digest", word.call);
                if blocks(&rebuilt.request) > 0 {
                    with_thoughts += 1;
                    // Folding takes its time: some are enough.
                    if with_thoughts % 8 != 1 {
                        continue;
                    }
                    let resumed = load_to(source, Some(number)).unwrap().campaign;
                    let asked = resumed.pending_request().expect("it is pending");
                    assert_eq!(asked.digest(), word.digest, "{name}: {}", word.call);
                }
            }
        }
        assert!(with_thoughts > 5, "{name}: {with_thoughts} requests");
    }
}

/// The messages of the first request after the charter changed so, in a turn in which the model had thought.
fn after(protocol: Protocol, from: &str, to: &str) -> Vec<Message> {
    let mut server = StrictServer::new(protocol, Model::Thinking);
    let (mut session, _memory, mut next) = game(protocol, 70).session();
    for clock in 1.. {
        session.commit(Millis(clock), next).unwrap();
        let call = session.campaign().state().calls().pending.clone().expect("a call is pending");
        let (request, _) = session.pending_request().expect("it has a request");
        if blocks(&request) > 0 {
            break;
        }
        let wire = session.campaign().wire(call.seat);
        let body = wire.encode(&request);
        let reply = server.answer(call.seat, &body);
        next = received(&wire, call.call, sent_digest(&body), reply);
    }
    let mut session = Session::recover(session.into_store(), Build::new("test")).unwrap();
    let setup = session.campaign().state().shared_setup();
    let file = setup.files.iter().find(|file| file.path == "seats.toml").unwrap();
    assert!(file.text.contains(from), "{}", file.text);
    let content = file.text.replace(from, to);
    let amendment = AmendmentAsked { path: "seats.toml".into(), content };
    session.commit(Millis(9_000_000), Input::AmendmentAsked(amendment)).unwrap();
    let (request, decided) = session.pending_request().expect("it is asked anew");
    assert_eq!(request.digest(), decided);
    request.messages.clone()
}

#[test]
fn another_model_is_not_told_what_one_thought() {
    for (protocol, from, to) in [
        (Protocol::Gemini, "gemini-3.8-flash", "gemini-3.8-pro"),
        (Protocol::Anthropic, "claude-haiku-5-5", "claude-opus-5-5"),
        (Protocol::Responses, "protocol = \"responses\"", "protocol = \"chat-completions\""),
    ] {
        let messages = after(protocol, from, to);
        let request = Request { messages, ..Request::default() };
        assert_eq!(blocks(&request), 0, "{}", protocol.name());
    }
}
