//! Promise: a key is written nowhere, whatever a server echoes of it, in any form and by any protocol.

use twicetold_dialect::{Protocol, Wire};
use twicetold_improv::improvise;
use twicetold_tests::strict::as_chat;
use twicetold_tests::{Home, Outcome, Response, Server, last_line};

const KEY: &str = "key/that+nobody=may&see-0123456789";

/// What a server may make of it: in base64, alone and behind `Bearer ` and `user:`, and in an address.
const FORMS: [&str; 6] = [
    KEY,
    "a2V5L3RoYXQrbm9ib2R5PW1heSZzZWUtMDEyMzQ1Njc4OQ==",
    "QmVhcmVyIGtleS90aGF0K25vYm9keT1tYXkmc2VlLTAxMjM0NTY3ODk=",
    "dXNlcjprZXkvdGhhdCtub2JvZHk9bWF5JnNlZS0wMTIzNDU2Nzg5",
    "key%2Fthat%2Bnobody%3Dmay%26see-0123456789",
    "%6b%65%79%2f%74%68%61%74%2b%6e%6f%62%6f%64%79%3d%6d%61%79%26%73%65%65%2d%30%31%32%33%34%35%36%37%38%39",
];

/// What gives the key away in each form: of base64 the characters that the key alone decides.
const TRACES: [&str; 6] = [
    KEY,
    "a2V5L3RoYXQrbm9ib2R5PW1heSZzZWUtMDEyMzQ1Njc4O",
    "tleS90aGF0K25vYm9keT1tYXkmc2VlLTAxMjM0NTY3OD",
    "rZXkvdGhhdCtub2JvZHk9bWF5JnNlZS0wMTIzNDU2Nzg5",
    "key%2Fthat%2Bnobody%3Dmay%26see-0123456789",
    "%6b%65%79%2f%74%68%61%74%2b%6e%6f%62%6f%64%79%3d%6d%61%79%26%73%65%65%2d%30%31%32%33%34%35%36%37%38%39",
];

const PROVIDERS: [(&str, Protocol); 5] = [
    ("openai", Protocol::ChatCompletions),
    ("openai-responses", Protocol::Responses),
    ("anthropic", Protocol::Anthropic),
    ("gemini", Protocol::Gemini),
    ("ollama", Protocol::Ollama),
];

/// What the improviser says, by any protocol.
fn improvised(protocol: Protocol, body: &str) -> String {
    let asked = as_chat(protocol, &serde_json::from_str(body).expect("a request is JSON"));
    let reply =
        Wire::default().decode(&improvise(&asked.to_string())).expect("the improviser's replies are read");
    let calls: Vec<(&str, &str)> =
        reply.tool_calls.iter().map(|call| (call.name.as_str(), call.arguments.as_str())).collect();
    protocol.reply_body(&reply.text, &calls)
}

fn assert_nowhere(what: &str, place: &[u8]) {
    let place = String::from_utf8_lossy(place).to_ascii_lowercase();
    for trace in TRACES {
        assert!(!place.contains(&trace.to_ascii_lowercase()), "{what}: {trace} in {place}");
    }
}

#[test]
fn a_key_is_nowhere_although_the_server_echoes_it_in_every_form_and_by_every_protocol() {
    for (provider, protocol) in PROVIDERS {
        let echoed = FORMS.join(" ");
        let answer = move |number: usize, body: &str| match number {
            0..4 => Response::Body(protocol.reply_body(&format!("My key is {echoed}."), &[])),
            4 => Response::Status(
                "401 Unauthorized",
                format!(r#"{{"error":{{"message":"bad key {echoed}"}}}}"#),
            ),
            5 => {
                Response::Status("404 Not Found", format!(r#"{{"error":{{"message":"no model {echoed}"}}}}"#))
            }
            _ => Response::Body(improvised(protocol, body)),
        };
        let list = format!(r#"{{"data":[{{"id":"{}"}}],"models":[{{"name":"{0}"}}]}}"#, FORMS.join(" "));
        let server = Server::with_pages(move |_| Response::Body(list.clone()), answer);
        let home = Home::new();
        home.configure(&server.base_url(), "api_key_env = \"MODEL_KEY\"");
        home.edit(
            ".config/twicetold/models.toml",
            "provider = \"openai\"",
            &format!("provider = {provider:?}"),
        );
        let run = |arguments: &[&str]| {
            let mut command = home.command(arguments);
            Outcome::of(command.env("MODEL_KEY", KEY).env("TWICETOLD_LOG", "trace").output())
        };
        let campaign = "configuration/campaigns/the-borrowed-boat.toml";
        let mut outcomes = vec![run(&["run", campaign, "--seed", "7", "--json"])];
        assert_eq!(outcomes[0].code, Some(5), "{provider}: {}", outcomes[0].stderr);
        assert!(outcomes[0].stdout.contains("[key removed]"), "{provider}: {}", outcomes[0].stdout);
        outcomes.push(run(&["resume", "last", "--json"]));
        assert_eq!(outcomes[1].code, Some(5), "{provider}: {}", outcomes[1].stderr);
        assert!(
            outcomes[1].stdout.contains("the server has the models"),
            "{provider}: {}",
            outcomes[1].stdout
        );
        outcomes.push(run(&["resume", "last", "--json"]).succeeded());
        outcomes.push(run(&["models", "server", "--json", "--moments", "0"]));
        outcomes.push(run(&["log", "last", "--json"]).succeeded());
        outcomes.push(run(&["show", "last", "transcript"]).succeeded());
        outcomes.push(run(&["export", "last", "boat.twicetold"]).succeeded());
        for form in ["html", "md", "jsonl", "chat", "discord"] {
            outcomes.push(run(&["export", "last", &format!("boat.{form}"), "--as", form]).succeeded());
        }
        for (number, outcome) in outcomes.iter().enumerate() {
            assert_nowhere(&format!("{provider}: command {number}"), outcome.stdout.as_bytes());
            assert_nowhere(&format!("{provider}: trace of command {number}"), outcome.stderr.as_bytes());
        }
        let mut files = home.campaigns();
        files.extend(
            ["twicetold", "html", "md", "jsonl", "chat", "discord"]
                .map(|end| home.path(&format!("boat.{end}"))),
        );
        for file in files {
            let bytes = std::fs::read(&file).expect("it can be read");
            assert_nowhere(&format!("{provider}: {}", file.display()), &bytes);
        }
        let report = last_line(&home.succeed(["replay", "last", "--json"]));
        assert_eq!(report["identical"], true, "{provider}");
    }
}

#[test]
#[cfg(unix)]
fn a_link_in_a_folder_that_was_given_reads_nothing_outside_of_it() {
    use std::os::unix::fs::symlink;
    let home = Home::new();
    home.succeed(["init", "given"]);
    home.write("secret.md", KEY);
    let guides = home.path("given/rules/emberlight/guides");
    let guide = guides.join("interesting-characters.md");
    std::fs::remove_file(&guide).expect("init wrote it");
    let run = ["run", "given/campaigns/the-borrowed-boat.toml", "--seed", "1", "--quiet"];
    for target in [home.path("secret.md"), "/proc/self/environ".into(), "../../../../secret.md".into()] {
        symlink(&target, &guide).expect("a link");
        for command in [&run[..], &["lint", "given"]] {
            home.run(command).failed(2, &["is a link that leads out of the folder"]);
        }
        std::fs::remove_file(&guide).expect("the link");
    }
    symlink(home.path("given"), guides.join("more")).expect("a link");
    symlink(home.path("."), home.path("given/encounters/all")).expect("a link");
    home.run(run).failed(2, &["is a link that leads out of the folder"]);
    std::fs::remove_file(home.path("given/encounters/all")).expect("the link");
    std::fs::remove_file(guides.join("more")).expect("the link");
    // Within the folder a file may stand in two places.
    symlink("interesting-campaigns.md", &guide).expect("a link");
    home.succeed(run);
}
