//! Promise: a campaign that came from elsewhere sends nothing to anybody, until the one who plays it has given its seats models of
//! their own; and then it is played within their budget.

use std::process::Command;
use std::sync::Arc;

use twicetold_event::{
    Build, CampaignId, CampaignOpened, Input, Millis, Number, OpeningAsked, encode_words, entry::Header,
};
use twicetold_improv as improv;
use twicetold_journal::{Blob, Source, Store, create};
use twicetold_model::Digest;
use twicetold_referee::{Step, charter, seal};
use twicetold_tests::{Game, Home, Outcome, Response, Server, Terminal};
use twicetold_world::setup::RULES_VERSION;

const SECRET: &str = "ghp_VICTIMSECRET123456";

/// A campaign whose opener let it call their own server with the key in GITHUB_TOKEN, as a file to be given away.
fn given_away(server: &Server) -> Vec<u8> {
    let home = Home::new();
    home.configure(&server.base_url(), "api_key_env = \"GITHUB_TOKEN\"");
    let run = ["run", "the-borrowed-boat", "--seed", "7", "--quiet", "--budget", "12calls"];
    let paused = Outcome::of(home.command(run).env("GITHUB_TOKEN", "openers-own-key").output());
    assert_eq!(paused.code, Some(5), "{}{}", paused.stdout, paused.stderr);
    assert!(paused.stdout.contains("the budget is used up: 12 calls"), "{}", paused.stdout);
    home.succeed(["export", "last", "boat.twicetold"]);
    std::fs::read(home.path("boat.twicetold")).expect("it was written")
}

/// Somebody who was given it, and has a key of that name.
fn victim(campaign: &[u8]) -> Home {
    let home = Home::new();
    home.write("boat.twicetold", campaign);
    home.succeed(["import", "boat.twicetold"]);
    home
}

fn with_key(home: &Home, arguments: &[&str]) -> Command {
    let mut command = home.command(arguments);
    command.env("GITHUB_TOKEN", SECRET);
    command
}

#[test]
fn a_campaign_that_was_given_away_calls_nobody_until_its_seats_are_mapped() {
    let server = Server::start(|_, body| Response::Body(improv::improvise(body)));
    let campaign = given_away(&server);
    let before = server.requests();
    let wanted = ["was imported", "dm, memory, player-1", "--model dm=NAME", "twicetold models"];
    for commands in [
        &[&["resume", "last"][..]] as &[&[&str]],
        &[&["resume", "last", "--json"]],
        &[&["play", "last", "--seat", "player-1", "--name", "me"]],
        &[&["play", "last", "--seat", "dm", "--name", "me"]],
        &[&["fork", "last"], &["resume", "last"]],
        &[&["fork", "last", "--at", "9", "--resample"], &["resume", "last"]],
        &[&["fork", "boat.twicetold", "--seed", "3"], &["resume", "last", "--quiet"]],
        &[&["undo", "last"], &["resume", "last"]],
    ] {
        let home = victim(&campaign);
        let (last, first) = commands.split_last().expect("a command");
        for command in first {
            Outcome::of(with_key(&home, command).output()).succeeded();
        }
        Outcome::of(with_key(&home, last).output()).failed(2, &wanted);
        // The same where a person sits at the terminal.
        let ended = Terminal::start(with_key(&home, last)).end();
        assert_eq!(ended.code, Some(2), "{}", ended.text);
        assert!(ended.text.contains("was imported"), "{}", ended.text);
        // A models.toml of one's own changes nothing: its models were never put on these seats.
        std::fs::create_dir_all(home.path(".config/twicetold")).expect("a folder can be made");
        let models = format!(
            "default = \"m\"\n[model.m]\nprovider = \"openai\"\nbase_url = {:?}\napi_key_env = \"GITHUB_TOKEN\"\n",
            server.base_url()
        );
        home.write(".config/twicetold/models.toml", models);
        Outcome::of(with_key(&home, last).output()).failed(2, &wanted);
    }
    assert_eq!(server.requests(), before, "something was sent");
}

#[test]
fn seats_are_mapped_once_and_then_played_by_models_of_ones_own_within_ones_own_budget() {
    let theirs = Server::start(|_, body| Response::Body(improv::improvise(body)));
    let campaign = given_away(&theirs);
    let before = theirs.requests();
    let own = Server::start(|_, body| Response::Body(improv::improvise(body)));
    let home = victim(&campaign);
    home.configure(&own.base_url(), "temperature = 0.3");
    home.run(["resume", "last", "--model", "dm=server"]).failed(2, &["memory, player-1", "was imported"]);
    let paused = home.run(["resume", "last", "--model", "server", "--budget", "5calls", "--quiet"]);
    assert_eq!(paused.code, Some(5), "{}{}", paused.stdout, paused.stderr);
    assert_eq!(own.requests(), 5);
    home.run(["resume", "last"]).failed(2, &["the budget is used up: 17 calls", "--budget"]);
    // Mapped once: the next time nothing has to be said of models.
    home.succeed(["resume", "last", "--budget", "500calls", "--quiet"]);
    assert_eq!(theirs.requests(), before);
    home.succeed(["replay", "last"]);
    let log = home.succeed(["log", "last", "--json"]);
    assert!(
        log.contains("\"CharterAmended\"") && log.contains("\"CallWithdrawn\""),
        "the change is on record"
    );
    // What comes in anew under the same id is not what was mapped.
    let file = home.campaigns().pop().expect("the campaign's file");
    let id = file.file_stem().and_then(|stem| stem.to_str()).expect("an id").to_owned();
    home.succeed(["rm", "--yes", &id]);
    home.succeed(["import", "boat.twicetold"]);
    home.run(["resume", "last"]).failed(2, &["was imported"]);
}

#[test]
fn a_seat_may_change_to_a_model_of_another_protocol_and_a_model_that_cannot_be_used_changes_nothing() {
    let theirs = Server::start(|_, body| Response::Body(improv::improvise(body)));
    let campaign = given_away(&theirs);
    let before = theirs.requests();
    let home = victim(&campaign);
    let own = Server::start(|_, body| Response::Body(improv::improvise(body)));
    home.configure(&own.base_url(), "api_key_env = \"NOT_SET\"");
    let journal = home.succeed(["log", "last", "--json"]);
    home.run(["resume", "last", "--model", "server"]).failed(2, &["NOT_SET", "is not set"]);
    assert_eq!(journal, home.succeed(["log", "last", "--json"]));
    assert!(!home.path("data/seats").exists(), "nothing was written");
    // Bytes of requests differ by protocol and by what a server takes: what is sent is what a replay makes again.
    let takes =
        "compat = { seed = false, system_role = \"developer\" }\n[model.improv]\nprovider = \"improv\"";
    home.edit(".config/twicetold/models.toml", "api_key_env = \"NOT_SET\"", takes);
    home.succeed(["resume", "last", "--model", "improv", "--model", "dm=server", "--quiet"]);
    assert!(own.requests() > 3);
    assert_eq!(theirs.requests(), before);
    home.succeed(["replay", "last"]);
}

#[test]
fn an_imported_campaign_of_a_forged_charter_runs_no_further_than_ones_own_limits() {
    let theirs = Server::start(|_, body| Response::Body(improv::improvise(body)));
    let campaign = given_away(&theirs);
    let own = Server::start(|_, body| Response::Body(improv::improvise(body)));
    let home = victim(&campaign);
    home.configure(&own.base_url(), "");
    home.edit("configuration/limits.toml", "calls_max = 1200", "calls_max = 3");
    let paused = home.run(["resume", "last", "--model", "server", "--config", "configuration", "--quiet"]);
    assert_eq!((paused.code, own.requests()), (Some(5), 3), "{}{}", paused.stdout, paused.stderr);
}

#[test]
fn a_charter_that_holds_an_address_or_a_key_is_refused() {
    for line in ["base_url = \"http://127.0.0.1:1/v1\"", "api_key_env = \"GITHUB_TOKEN\"", "timeout_ms = 1"] {
        let home = Home::new();
        let mut files = Game::new(1).files;
        let seats = files.iter_mut().find(|file| file.path == "seats.toml").expect("a charter has seats");
        seats.text = Arc::from(seats.text.replace("protocol =", &format!("{line}\nprotocol =")));
        assert!(seats.text.contains(line));
        let charter = charter(1, RULES_VERSION, &files);
        let mut step = Step::default();
        step.events.push(CampaignOpened { charter: CampaignOpened::digest_of(&charter), players: 3 }.into());
        for file in &files {
            let blob = Blob::new(file.text.as_bytes());
            if step.blobs.iter().all(|(digest, _)| *digest != blob.digest) {
                step.blobs.push((blob.digest, file.text.clone()));
            }
        }
        let id = CampaignId([7; 16]);
        std::fs::create_dir_all(home.path("data/campaigns")).expect("a folder can be made");
        let path = home.path(&format!("data/campaigns/{id}.redb"));
        let mut store = create(&path).expect("it can be made");
        let header = Header {
            campaign: id,
            first: Number(0),
            count: 0,
            at: Millis(1),
            build: Build::new("test"),
            turn: 0,
            epoch: store.epoch(),
            previous: store.head().chain,
            body: Digest::ZERO,
        };
        step.frames = encode_words(&Input::OpeningAsked(OpeningAsked { charter }), &step.events);
        let (_, bytes) = seal(header, &step);
        let blobs: Vec<Blob> = step.blobs.iter().map(|(_, text)| Blob::new(text.as_bytes())).collect();
        store.append(&bytes, &blobs).expect("the entry is well formed");
        Box::new(store).close().expect("it closes");
        let field = line.split(' ').next().expect("a field");
        home.succeed(["export", "last", "forged.twicetold"]);
        home.run(["resume", "last"]).failed(2, &["seats.toml", "unknown field", field]);
        home.succeed(["rm", "--yes", &id.to_string()]);
        home.run(["import", "forged.twicetold"]).failed(2, &["seats.toml", "unknown field", field]);
        assert!(home.campaigns().is_empty());
    }
}

#[test]
fn a_folder_that_was_given_away_chooses_no_server_either() {
    let server = Server::start(|_, body| Response::Body(improv::improvise(body)));
    let home = Home::new();
    home.succeed(["init", "theirs"]);
    let models = format!(
        "default = \"m\"\n[model.m]\nprovider = \"openai\"\nbase_url = {:?}\napi_key_env = \"GITHUB_TOKEN\"\n",
        server.base_url()
    );
    home.write("theirs/models.toml", models);
    let run = ["run", "theirs/campaigns/the-borrowed-boat.toml", "--seed", "1", "--quiet"];
    let played = Outcome::of(with_key(&home, &run).output()).succeeded();
    assert!(played.stderr.contains("theirs/models.toml is ignored"), "{}", played.stderr);
    assert_eq!(server.requests(), 0);
    // Whoever means it says so.
    let meant = [&run[..], &["--config", "theirs"]].concat();
    Outcome::of(with_key(&home, &meant).output()).succeeded();
    assert!(server.requests() > 0);
}

#[test]
fn a_folder_of_data_that_was_given_away_chooses_no_server_either() {
    let server = Server::start(|_, body| Response::Body(improv::improvise(body)));
    let home = Home::new();
    home.configure(&server.base_url(), "api_key_env = \"GITHUB_TOKEN\"");
    let run = ["run", "the-borrowed-boat", "--seed", "1", "--quiet", "--budget", "3calls"];
    let paused = Outcome::of(with_key(&home, &run).output());
    assert_eq!(paused.code, Some(5), "{}{}", paused.stdout, paused.stderr);
    let before = server.requests();
    // Somebody else has the folder, with the file in it that says who is called.
    std::fs::create_dir(home.path("other")).expect("a folder");
    let mine = ["resume", "last", "--budget", "9calls", "--quiet"];
    for (arguments, code) in
        [(&mine[..], 2), (&["copy", "--to", "copied"], 0), (&[&mine[..], &["--data", "copied"]].concat(), 2)]
    {
        let mut command = with_key(&home, arguments);
        let outcome = Outcome::of(command.env("HOME", home.path("other")).output());
        assert_eq!(outcome.code, Some(code), "{arguments:?}: {}{}", outcome.stdout, outcome.stderr);
        assert!(code == 0 || outcome.stderr.contains("played on another machine"), "{}", outcome.stderr);
    }
    assert_eq!(server.requests(), before, "something was sent");
    // Whoever has played it goes on with it.
    let paused = Outcome::of(with_key(&home, &mine).output());
    assert_eq!(paused.code, Some(5), "{}{}", paused.stdout, paused.stderr);
    assert!(server.requests() > before);
}

#[test]
fn a_key_goes_to_another_machine_by_https_alone() {
    let home = Home::new();
    home.configure("http://192.0.2.1:9/v1", "api_key_env = \"GITHUB_TOKEN\"");
    let run = ["run", "the-borrowed-boat", "--quiet"];
    let refused = Outcome::of(with_key(&home, &run).output());
    refused.failed(2, &["192.0.2.1 unencrypted", "allow_http = true"]);
    let lint = home.run(["lint", "configuration"]);
    assert_eq!(lint.code, Some(2));
    assert!(lint.stdout.contains("unencrypted"), "{}", lint.stdout);
    assert!(home.campaigns().is_empty());
}
