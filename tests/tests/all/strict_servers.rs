//! Promise: no vendor refuses a request. Whole campaigns are played by each protocol before servers that refuse what vendors refuse.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use serde_json::json;
use twicetold_dialect::{Compat, Protocol, Wire};
use twicetold_model::{Message, Parameters, Part, Request, Role, ToolCall, ToolResult, ToolSpec};
use twicetold_tests::strict::{Model, StrictServer, check};
use twicetold_tests::{CAMPAIGNS as BUNDLED, Game};

pub(crate) const PROTOCOLS: [Protocol; 5] =
    [Protocol::ChatCompletions, Protocol::Responses, Protocol::Anthropic, Protocol::Gemini, Protocol::Ollama];

/// Ten campaigns: what is played, and by what kind of model. The seed is the place in the list.
pub(crate) const CAMPAIGNS: [(&str, Model); 10] = [
    ("one-lantern-short", Model::Native),
    ("the-borrowed-boat", Model::Guided),
    ("the-last-tram-but-one", Model::Thinking),
    ("the-weir-book", Model::Native),
    ("the-borrowed-boat", Model::Chaos),
    ("one-lantern-short", Model::Guided),
    ("the-borrowed-boat", Model::Prompted),
    ("the-last-tram-but-one", Model::Chaos),
    ("the-borrowed-boat", Model::Structured),
    ("the-last-tram-but-one", Model::Guided),
];

/// The server of each campaign, when it was played by each protocol.
pub(crate) fn played() -> &'static [(Protocol, Vec<StrictServer>)] {
    static PLAYED: OnceLock<Vec<(Protocol, Vec<StrictServer>)>> = OnceLock::new();
    PLAYED.get_or_init(|| {
        let all = |protocol| (0..).zip(CAMPAIGNS).map(move |(seed, played)| play(seed, played, protocol));
        PROTOCOLS.map(|protocol| (protocol, all(protocol).collect())).into()
    })
}

fn play(seed: u64, (campaign, model): (&str, Model), protocol: Protocol) -> StrictServer {
    let mut server = StrictServer::new(protocol, model);
    model.seated(Game::of(campaign, seed), protocol).answered(&mut |seat, body| server.answer(seat, body));
    server
}

#[test]
fn every_request_of_ten_campaigns_by_each_protocol_is_taken() {
    for (protocol, servers) in played() {
        let sum = |count: fn(&StrictServer) -> usize| servers.iter().map(count).sum::<usize>();
        let (requests, follow_ups) = (sum(|server| server.bodies.len()), sum(|server| server.follow_ups));
        let name = protocol.name();
        assert!(
            requests > 300 && follow_ups > 50,
            "{name}: {requests} requests, {follow_ups} in the same turn"
        );
        for (server, (campaign, model)) in servers.iter().zip(CAMPAIGNS) {
            assert!(server.refused.is_empty(), "{name}, {campaign}, {model:?}: {:#?}", server.refused);
        }
    }
}

/// Servers keep what they have read, and some vendors refuse a thought whose prompt has changed.
#[test]
fn within_a_turn_a_request_begins_with_the_one_before() {
    for (protocol, servers) in played() {
        for (server, (campaign, model)) in servers.iter().zip(CAMPAIGNS) {
            // Each question to a guided model is a small prompt of its own.
            if model != Model::Guided {
                let (name, all) = (protocol.name(), server.follow_ups);
                assert!(
                    server.reread.is_empty(),
                    "{name}, {campaign}, {model:?}, of {all}: {:#?}",
                    server.reread
                );
            }
        }
    }
    if let Some(count) = asked_for() {
        play_many(count);
    }
}

/// Of a reply that goes on in the name of another seat, words are cut and calls count: what is said of the cut comes after the calls.
#[test]
fn what_a_turn_goes_on_with_begins_with_the_own_reply() {
    for protocol in [Protocol::Anthropic, Protocol::Gemini] {
        let is_cut = |server: &StrictServer| {
            server.bodies.iter().any(|body| body.contains("DM went on in the name of"))
        };
        let mut servers =
            (1_000..1_080).map(|seed| play(seed, ("the-borrowed-boat", Model::Chaos), protocol));
        let server = servers.find(is_cut).expect("a reply is cut for the name of another seat");
        assert!(server.reread.is_empty(), "{}: {:#?}", protocol.name(), server.reread);
    }
}

/// How many campaigns by each protocol and mode, if the recipe `just prefixes` asks.
fn asked_for() -> Option<usize> {
    #[expect(clippy::disallowed_methods, reason = "the recipe says how many")]
    std::env::var("TWICETOLD_PREFIXES").ok().and_then(|count| count.parse().ok())
}

/// The modes in which a turn has more than one request.
const MODES: [Model; 5] = [Model::Native, Model::Thinking, Model::Structured, Model::Prompted, Model::Chaos];

/// So many campaigns by each protocol and mode, on all cores; prints how many requests were looked at.
fn play_many(count: usize) {
    let kinds: Vec<(Protocol, Model)> =
        PROTOCOLS.iter().flat_map(|protocol| MODES.map(|model| (*protocol, model))).collect();
    let next = AtomicUsize::new(0);
    // Requests, those that go on a turn, and what is wrong with them.
    let found = Mutex::new(vec![(0, 0, Vec::new()); kinds.len()]);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let (kind, seed) = (place % kinds.len(), 1_000 + place / kinds.len());
                    if place >= count * kinds.len() {
                        return;
                    }
                    let (protocol, model) = kinds[kind];
                    let campaign = BUNDLED[seed % BUNDLED.len()];
                    let server = play(seed as u64, (campaign, model), protocol);
                    let wrong = server.reread.iter().chain(&server.refused);
                    let wrong: Vec<String> = wrong.map(|why| format!("{campaign} {seed}: {why}")).collect();
                    let mut found = found.lock().expect("no other thread has panicked");
                    let (requests, follow_ups, all) = &mut found[kind];
                    *requests += server.bodies.len();
                    *follow_ups += server.follow_ups;
                    all.extend(wrong);
                }
            });
        }
    });
    let found = found.into_inner().expect("no thread has panicked");
    for ((protocol, model), (requests, follow_ups, wrong)) in kinds.iter().zip(&found) {
        let name = protocol.name();
        println!("{name}, {model:?}: {count} campaigns, {requests} requests, {follow_ups} go on a turn");
        wrong.iter().take(5).for_each(|why| println!("    {why}"));
    }
    assert!(found.iter().all(|(_, follow_ups, wrong)| *follow_ups > 0 && wrong.is_empty()));
}

#[test]
fn every_protocol_asks_the_same() {
    let [(_, chat), others @ ..] = played() else { panic!("there are several protocols") };
    for (protocol, servers) in others {
        for ((theirs, ours), (campaign, model)) in servers.iter().zip(chat).zip(CAMPAIGNS) {
            // Not every protocol has servers that refuse the calls of former turns.
            if model == Model::Thinking {
                continue;
            }
            let differs = theirs.asked.iter().zip(&ours.asked).position(|(theirs, ours)| theirs != ours);
            assert_eq!(
                differs,
                None,
                "{}, {campaign}, {model:?}: the request in which it differs",
                protocol.name()
            );
            assert_eq!(theirs.asked.len(), ours.asked.len(), "{}, {campaign}, {model:?}", protocol.name());
        }
    }
}

/// What a vendor's model thought stands where it stood, and nobody else is shown it.
#[test]
fn a_history_with_blocks_of_thinking_is_taken_by_every_vendor() {
    let own = |protocol, number: usize| match protocol {
        Protocol::Responses => json!({"type": "reasoning", "id": format!("rs_{number}"), "summary": []}),
        Protocol::Anthropic => json!({"type": "thinking", "thinking": "", "signature": format!("s{number}")}),
        Protocol::Gemini => json!({"thoughtSignature": format!("{number:08}")}),
        Protocol::Ollama => json!({"thinking": format!("softly {number}")}),
        _ => json!({"reasoning_content": format!("aloud {number}")}),
    };
    let block = |protocol: Protocol, number| {
        let body = own(protocol, number).to_string();
        Part::Opaque { vendor: protocol.name().to_owned(), body }
    };
    let text = |text: &str| Part::Text(text.to_owned());
    let call = |number| {
        let id = ToolCall::own_id(number);
        Part::ToolCall(ToolCall { id, name: "go".into(), arguments: "{}".into() })
    };
    let result =
        |number| Part::ToolResult(ToolResult { id: ToolCall::own_id(number), content: "Gone.".into() });
    // Before words, before calls, alone, at the end: wherever a model and a cut prompt may leave them.
    for at in 0..6 {
        let mut own: Vec<Part> = vec![text("So be it."), call(1), call(2)];
        for protocol in PROTOCOLS {
            match at {
                0..4 => own.insert(at, block(protocol, at)),
                4 => own = [own, vec![block(protocol, 4)]].concat(),
                _ => own = own.into_iter().flat_map(|part| [block(protocol, 5), part]).collect(),
            }
        }
        let alone = PROTOCOLS.map(|protocol| block(protocol, 6)).to_vec();
        let messages = [
            (Role::System, vec![text("Be brief.")]),
            (Role::User, vec![text("Go.")]),
            (Role::Assistant, own),
            (Role::Tool, vec![result(1)]),
            (Role::Tool, vec![result(2)]),
            (Role::Assistant, [vec![text("Gone.")], alone.clone()].concat()),
            (Role::Assistant, if at % 2 == 0 { alone } else { vec![text("Far.")] }),
            (Role::User, vec![text("And?")]),
        ];
        let messages = messages.map(|(role, parts)| Message { role, parts }).to_vec();
        let schema = r#"{"type":"object","properties":{}}"#.to_owned();
        let tools = vec![ToolSpec { name: "go".into(), description: "".into(), schema: schema.into() }];
        let parameters = Parameters { model: "m".into(), ..Parameters::default() };
        let request = Request { messages, tools, reply_schema: None, parameters };
        for protocol in PROTOCOLS {
            let body = Wire { protocol, compat: Compat::default() }.encode(&request);
            let read = serde_json::from_str(&body).expect("a body is JSON");
            assert_eq!(check(protocol, &read), Ok(()), "{} at {at}: {body}", protocol.name());
            let foreign = PROTOCOLS.into_iter().filter(|other| *other != protocol);
            for foreign in foreign.map(own_mark) {
                assert!(!body.contains(foreign), "{}: {foreign} in {body}", protocol.name());
            }
        }
    }
}

/// What only the blocks of a protocol hold.
fn own_mark(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Responses => "\"rs_",
        Protocol::Anthropic => "\"signature\"",
        Protocol::Gemini => "\"thoughtSignature\"",
        Protocol::Ollama => "softly",
        _ => "\"reasoning_content\"",
    }
}
