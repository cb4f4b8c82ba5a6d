//! Promise: what a model thinks is recorded and shown by `why`, and reaches no prompt but those of its own turn, no transcript, no draft
//! and no other story.

mod forms;
mod streams;

use serde_json::Value;
use twicetold_dialect::{Protocol, Wire};
use twicetold_event::{Event, Seat};
use twicetold_improv::improvise;
use twicetold_referee::wires;
use twicetold_session::{Explainer, load};
use twicetold_tests::strict::{Model, StrictServer};
use twicetold_tests::{Game, Played};

use crate::strict_servers::PROTOCOLS;
use forms::{forms, without_blocks};
use streams::streamed;

/// Two letters that stand side by side in every thought and in no word of the game: what shows a piece of a thought shows them.
const MARK: &str = "zqzq";

/// What nobody at the table may learn, under the number of the reply in which it is thought.
fn thought(number: usize) -> String {
    format!("{MARK}-{number:06}-{}", MARK.repeat(6))
}

/// The numbers of the thoughts in a text.
fn thoughts_in(text: &str) -> Vec<usize> {
    let after = text.match_indices(MARK).map(|(at, mark)| &text[at + mark.len()..]);
    after.filter_map(|after| after.strip_prefix('-')?.get(..6)?.parse().ok()).collect()
}

/// A model that thinks in each of its replies, in one form after the other.
struct Thinker {
    server: StrictServer,
    protocol: Protocol,
    wire: Wire,
    is_streamed: bool,
    /// What it thought since its turn began.
    own: Vec<usize>,
    /// Requests with a thought in a block, and drafts that were looked at.
    seen: (usize, usize),
}

impl Thinker {
    fn answer(&mut self, seat: Seat, body: &str) -> String {
        let number = self.server.bodies.len();
        let plain = self.server.answer(seat, body);
        if !self.server.goes_on {
            self.own.clear();
        }
        let name = self.protocol.name();
        for thought in thoughts_in(body) {
            assert!(self.own.contains(&thought), "{name}: {seat} is asked with thought {thought} in {body}");
        }
        if body.contains(MARK) {
            let rest = without_blocks(self.protocol, serde_json::from_str(body).unwrap()).to_string();
            assert!(!rest.contains(MARK), "{name}: {seat} is told of a thought in {rest}");
            self.seen.0 += 1;
        }
        self.own.push(number);
        let mut reply: Value = serde_json::from_str(&plain).unwrap();
        let all = forms(self.protocol);
        let form = number % all.len();
        all[form](&mut reply, &thought(number));
        if !self.is_streamed {
            return reply.to_string();
        }
        let stream = streamed(self.protocol, &reply);
        // Where only the end of thinking comes, nobody can tell before that it was some: the actors show no drafts of such a model.
        let whole = reply.to_string();
        let is_open = whole.contains("</think>") && !whole.contains("<think>");
        // A draft changes where a line has ended. The first replies of each form are cut at each, of the others a few.
        let ends = stream.match_indices('\n').map(|(end, _)| end + 1);
        let ends = ends.step_by(if number < 2 * all.len() { 1 } else { 40 });
        for draft in ends.filter_map(|end| self.wire.draft(&stream[..end])) {
            assert!(is_open || !draft.contains(&MARK[..2]), "{name}, form {form}: {draft}");
            self.seen.1 += 1;
        }
        self.protocol.assemble(&stream).unwrap_or_else(|fault| panic!("{name}, form {form}: {fault:?}"))
    }
}

/// A story in which several turns have more than one reply, as models give them.
const SEED: u64 = 6;

fn game(protocol: Protocol, model: Model) -> Game {
    model.seated(Game::of("the-borrowed-boat", SEED), protocol)
}

/// Played with thinking in every reply; every request is looked at.
fn played(protocol: Protocol, model: Model, is_streamed: bool) -> (Played, (usize, usize)) {
    let game = game(protocol, model);
    let wire = Wire::clone(&wires(&game.setup()).unwrap()[&Seat::Dm]);
    let mut server = StrictServer::new(protocol, model);
    server.thinks = false;
    let mut thinker = Thinker { server, protocol, wire, is_streamed, own: Vec::new(), seen: (0, 0) };
    let played = game.answered(&mut |seat, body| thinker.answer(seat, body));
    let refused = thinker.server.refused;
    assert!(refused.is_empty(), "{}: {refused:#?}", protocol.name());
    (played, thinker.seen)
}

/// What everybody heard and read.
fn told(played: &Played) -> Vec<String> {
    played.transcript.iter().map(|line| line.text.clone()).collect()
}

#[test]
fn a_thought_in_any_form_reaches_nobody_and_changes_nothing() {
    for (protocol, model) in PROTOCOLS.map(|protocol| (protocol, Model::Native)).into_iter().chain([
        (Protocol::ChatCompletions, Model::Thinking),
        (Protocol::ChatCompletions, Model::Prompted),
        (Protocol::Ollama, Model::Structured),
    ]) {
        let mut server = StrictServer::new(protocol, model);
        server.thinks = false;
        let plain = game(protocol, model).answered(&mut |seat, body| server.answer(seat, body));
        for is_streamed in [false, true] {
            let name = format!("{}, {model:?}, streamed: {is_streamed}", protocol.name());
            let (thought, (back, drafts)) = played(protocol, model, is_streamed);
            assert_eq!(told(&thought), told(&plain), "{name}");
            assert_eq!(thought.events.len(), plain.events.len(), "{name}");
            assert!(thought.transcript.iter().all(|line| !format!("{line:?}").contains(MARK)), "{name}");
            for event in &thought.events {
                assert!(!format!("{event:?}").contains(MARK), "{name}: {event:?}");
            }
            let takes_back = match model {
                Model::Native => protocol != Protocol::ChatCompletions,
                _ => model == Model::Thinking,
            };
            assert_eq!(back > 1, takes_back, "{name}: {back} requests with thoughts");
            let shows = is_streamed && !matches!(protocol, Protocol::Anthropic | Protocol::Responses);
            assert!(!shows || drafts > 50, "{name}: {drafts} drafts");
        }
    }
}

#[test]
fn why_shows_what_a_model_thought() {
    let mut number = 0;
    let thought = Game::of("the-borrowed-boat", SEED).answered(&mut |_, body| {
        let mut reply: Value = serde_json::from_str(&improvise(body)).expect("the improviser writes JSON");
        number += 1;
        forms(Protocol::Improv)[number % forms(Protocol::Improv).len()](&mut reply, &thought(number));
        reply.to_string()
    });
    let loaded = load(thought.source()).unwrap();
    let explainer = Explainer::new(thought.source(), &loaded).unwrap();
    let entries = twicetold_session::entries(thought.source()).unwrap().map(|entry| entry.unwrap());
    let is_line = |event: &Event| matches!(event, Event::MessageSpoken(_));
    let spoken = entries.flat_map(|entry| {
        entry.numbered().filter(|(_, event)| is_line(event)).map(|(number, _)| number).collect::<Vec<_>>()
    });
    let (mut looked_at, mut shown) = (0, 0);
    for number in spoken {
        let reply = explainer.reply(number, 1).unwrap().expect("a line comes of a reply");
        looked_at += 1;
        // A list of pieces of other kinds is left as it came.
        shown += usize::from(reply.thinking.contains(MARK));
        assert!(!reply.words.contains(MARK), "{}", reply.words);
    }
    assert!(looked_at > 10 && shown * 10 > looked_at * 8, "{shown} of {looked_at}");
}
