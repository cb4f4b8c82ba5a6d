//! Promise: whatever is posted to a webhook stays within Discord's limits, comes whole and in order, and never harms the campaign.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use twicetold_journal::open_source;
use twicetold_projection::people::{Line, LineKind};
use twicetold_report::{LoadedJournal, discord, messages, of_lines};
use twicetold_session::load;
use twicetold_tests::{Game, Home, Response, Server, flat};
use twicetold_world::State;

/// Most units of each text, by Discord's documentation of webhooks and embeds.
const TEXTS: [(&str, usize); 4] =
    [("/title", 256), ("/description", 4_096), ("/footer/text", 2_048), ("/author/name", 256)];

fn units(text: &Value) -> usize {
    text.as_str().map_or(0, |text| text.encode_utf16().count())
}

/// What Discord would say against a body; none where it would take it.
fn excess(body: &Value) -> Option<String> {
    let embeds = body["embeds"].as_array().filter(|embeds| (1..=10).contains(&embeds.len()));
    let Some(embeds) = embeds else { return Some("from 1 to 10 embeds".into()) };
    if body["allowed_mentions"]["parse"] != Value::Array(Vec::new()) || units(&body["content"]) > 2_000 {
        return Some("mentions, or too much content".into());
    }
    let mut sum = 0;
    for embed in embeds {
        for (text, most) in TEXTS {
            let text = embed.pointer(text).unwrap_or(&Value::Null);
            sum += units(text);
            let blank = text.as_str().is_some_and(|text| text.trim().is_empty());
            if units(text) > most || blank {
                return Some(format!("{} units of {most}: {text}", units(text)));
            }
        }
        let fields = embed["fields"].as_array().map_or(&[][..], Vec::as_slice);
        for field in fields {
            let (name, value) = (units(&field["name"]), units(&field["value"]));
            sum += name + value;
            if !(1..=256).contains(&name) || !(1..=1_024).contains(&value) || fields.len() > 25 {
                return Some(format!("a field: {field}"));
            }
        }
        if embed["title"].is_null() && embed["description"].is_null() && embed["author"].is_null() {
            return Some("an empty embed".into());
        }
    }
    (sum > 6_000).then(|| format!("{sum} units in one message"))
}

/// Numbers from a seed, for loops that find the same every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    /// Text of odd characters: markup, mentions, flags, families, towers of accents, nothing at all.
    fn text(&mut self, most: usize) -> String {
        const PIECES: [&str; 16] = [
            "a",
            " ",
            "\n",
            "*",
            "_",
            "`",
            "@everyone ",
            "<@1>",
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
            "\u{1f1e9}\u{1f1ea}",
            "e\u{301}\u{302}",
            "\u{202e}",
            "\0",
            "\u{fdfd}",
            "word ",
            "\u{1f600}",
        ];
        let length = self.below(most + 1);
        (0..length).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }
}

fn lines(chance: &mut Chance) -> Vec<Line> {
    use LineKind::{Effect, Goal, Heading, Note, Speech, Trouble};
    let kinds = [Heading, Speech, Effect, Goal, Trouble, Note];
    let mut line = |number| {
        let kind = kinds[chance.below(kinds.len())];
        let most = if chance.below(4) == 0 { 9_000 } else { 300 };
        let speaker = if kind == Speech { chance.text(400) } else { String::new() };
        Line { number, kind, speaker, text: chance.text(most) }
    };
    (1..=24).map(&mut line).collect()
}

#[test]
fn any_text_becomes_messages_that_are_taken() {
    let state = State::new(Game::new(1).setup());
    for seed in 0..40 {
        let all = lines(&mut Chance(seed));
        for hook in messages(of_lines(&state, &all)) {
            let body = serde_json::to_value(&hook).expect("JSON");
            assert_eq!(excess(&body), None, "seed {seed}");
            let text = body.to_string();
            assert!(!text.contains("@everyone") && !text.contains("<@1"), "seed {seed}: a mention");
        }
    }
}

#[test]
fn nothing_of_a_long_speech_is_lost() {
    let state = State::new(Game::new(1).setup());
    let text = (0..4_000).map(|word| format!("word{word} ")).collect::<String>();
    let line = Line { number: 1, kind: LineKind::Speech, speaker: "DM".into(), text: text.clone() };
    let embeds = of_lines(&state, &[line]);
    assert!(embeds.len() > 5 && embeds[0].author.is_some() && embeds[1].author.is_none());
    let told: Vec<&str> = embeds.iter().flat_map(|embed| embed.description.split_whitespace()).collect();
    assert_eq!(told, text.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn the_story_of_every_golden_journal_is_taken() {
    for name in ["dialogues", "combat-and-vices", "corner-cases"] {
        let file = twicetold_tests::repository().join(format!("replays/{name}/journal.twicetold"));
        let source = open_source(&file).expect("the journal opens");
        let text = discord(&LoadedJournal::read(source.as_ref()).expect("it can be read")).expect("JSON");
        for line in text.lines() {
            assert_eq!(excess(&serde_json::from_str(line).expect("JSON")), None, "{name}");
        }
        let campaign = load(source.as_ref()).expect("it can be read").campaign;
        let characters = campaign.state().characters();
        assert!(characters.values().all(|character| text.contains(&character.sheet.name)), "{name}");
        for secret in characters.values().map(|character| &character.sheet.secret) {
            assert!(!secret.is_empty() && !text.contains(secret.as_str()), "{name}: {secret}");
        }
        // That a marker was said in vain is told as what it is, and so is that somebody speaks of one.
        let said = text.replace(r#"the marker \"PITCH COMPLETE\""#, "");
        let said = said.replace(r#"Soon somebody will say \"PITCH COMPLETE\", but not yet."#, "");
        assert!(!said.contains("[CHARACTER]") && !said.contains("PITCH COMPLETE"), "{name}");
    }
}

/// The words of all embeds in order, however they were packed.
fn told(bodies: &[Value]) -> String {
    let embeds = bodies.iter().flat_map(|body| body["embeds"].as_array().expect("embeds"));
    let texts = embeds.flat_map(|embed| [&embed["title"], &embed["author"]["name"], &embed["description"]]);
    flat(&texts.filter_map(Value::as_str).collect::<Vec<_>>().join(" "))
}

#[test]
fn a_campaign_is_posted_whole_and_in_order_also_to_a_server_that_wants_to_wait() {
    let home = Home::new();
    let bodies: Arc<Mutex<Vec<Value>>> = Arc::default();
    let taken = bodies.clone();
    let server = Server::start(move |place, body| {
        let body: Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(excess(&body), None);
        if place == 1 {
            return Response::Status("429 Too Many Requests\r\nretry-after: 0.01", "{}".into());
        }
        taken.lock().expect("nobody panicked").push(body);
        Response::Status("204 No Content", String::new())
    });
    let hook = format!("{}/hooks/hunter2", server.base_url());
    let played = home.run(["run", "the-borrowed-boat", "--seed", "7", "-q", "--webhook", &hook]).succeeded();
    assert_eq!(played.stderr, "", "no warnings");
    let bodies = bodies.lock().expect("nobody panicked");
    assert_eq!(server.requests(), bodies.len() + 1, "one was asked to come again, and did");
    let exported = home.succeed(["export", "last", "--as", "discord"]);
    let exported: Vec<Value> =
        exported.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(told(&bodies), told(&exported));
    for (name, text) in [("log", home.succeed(["log", "last", "--json"])), ("card", played.stdout)] {
        assert!(!text.contains("hunter2"), "the address is in the {name}");
    }
    home.succeed(["replay", "last"]);
}

#[test]
fn a_webhook_that_cannot_be_reached_is_told_of_with_the_reason() {
    let home = Home::new();
    let nowhere = Server::nowhere();
    let hook = format!("http://{nowhere}/hooks/hunter2");
    let played = home.run(["run", "the-borrowed-boat", "--seed", "7", "-q", "--webhook", &hook]).succeeded();
    let said = flat(&played.stderr);
    assert!(
        said.contains("the webhook at 127.0.0.1 cannot be reached: ") && said.contains("refused"),
        "{said}"
    );
    assert!(!said.contains("busy") && !said.contains("hunter2"), "{said}");
}

#[test]
fn a_webhook_that_refuses_harms_nothing_and_is_told_of_once() {
    let home = Home::new();
    let server = Server::start(|_, _| Response::Status("404 Not Found", "{}".into()));
    let hook = format!("{}/hooks/hunter2", server.base_url());
    let mut command = home.command(["run", "the-borrowed-boat", "--seed", "7", "-q"]);
    command.env("TWICETOLD_WEBHOOK", &hook).env("TWICETOLD_LOG", "debug");
    let played = twicetold_tests::Outcome::of(command.output()).succeeded();
    assert_eq!(played.stderr.matches("rejected the message with status 404").count(), 1, "{}", played.stderr);
    assert!(!played.stderr.contains("hunter2") && !played.stdout.contains("hunter2"), "{}", played.stderr);
    assert_eq!(server.requests(), 1, "continues without the webhook");
    home.succeed(["replay", "last"]);
}

#[test]
fn an_address_that_cannot_be_used_is_told_of_before_anything_is_played() {
    let home = Home::new();
    for address in ["hunter2", "http://chat.example/hunter2"] {
        let outcome = home.run(["run", "the-borrowed-boat", "--webhook", address]);
        outcome.failed(2, &["the address of the webhook"]);
        assert!(!outcome.stderr.contains("hunter2"), "{}", outcome.stderr);
    }
    assert!(home.campaigns().is_empty());
}
