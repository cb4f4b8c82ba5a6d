//! Promise: `twicetold schema` describes every line that commands print for programs, today's and those of earlier versions.
//!
//! All that any test makes the program print as JSON is held against the schemas, too: see `tests/src/forms.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::mpsc;

use serde_json::{Value, json};
use twicetold_improv::improvise;
use twicetold_tests::forms::{Checked, forms, schema};
use twicetold_tests::{Home, Outcome, Response, Server, golden, last_line, repository};

use crate::rules_import::with_tiny;

/// Bytes of a line beyond which it is no sample: it would hold whole files of a configuration.
const SAMPLE_MAX: usize = 6_000;

fn folder(name: &str) -> PathBuf {
    repository().join("tests/samples").join(name)
}

/// Everything that was printed, line by line, by forms; of events, by their types too.
struct Seen {
    lines: BTreeMap<String, BTreeMap<String, Value>>,
    discord: Checked,
}

impl Seen {
    fn add(&mut self, stdout: &str) {
        for line in stdout.lines() {
            let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            // A body for Discord is as Discord wants it, and names no form.
            let form =
                if value["embeds"].is_array() { "discord" } else { value["form"].as_str().expect(line) };
            // Every other line was held against its schema when it was printed: see `forms.rs`.
            if form == "discord" {
                self.discord.fits(&value).unwrap_or_else(|why| panic!("{why}\n{line}"));
            }
            let kind = value["type"].as_str().unwrap_or_default().to_owned();
            self.lines.entry(form.to_owned()).or_default().entry(kind).or_insert(value);
        }
    }

    /// Runs the program, and takes in what it prints, however it ends.
    fn run(&mut self, home: &Home, line: &[&str]) -> Outcome {
        let outcome = home.run(line);
        self.add(&outcome.stdout);
        outcome
    }

    fn forms(&self) -> BTreeSet<&str> {
        self.lines.keys().map(String::as_str).collect()
    }
}

/// A configuration whose DM is asked in other words, or under another limit.
fn changed(home: &Home, name: &str, file: &str, from: &str, to: &str) {
    home.succeed(["init", name]);
    home.edit(&format!("{name}/{file}"), from, to);
}

fn of_a_campaign_that_is_over(seen: &mut Seen) {
    let home = Home::new();
    seen.run(&home, &["run", "the-borrowed-boat", "--seed", "6", "--json"]).succeeded();
    for document in ["party", "goals", "npcs", "characters", "memory", "transcript", "cost"] {
        seen.run(&home, &["show", "last", document, "--json"]).succeeded();
        seen.run(&home, &["show", "last", document, "--at", "60", "--json"]).succeeded();
    }
    for line in
        ["show last", "show last goals --history", "log last", "verify last", "replay last", "audit last"]
    {
        let line: Vec<&str> = line.split(' ').chain(["--json"]).collect();
        seen.run(&home, &line).succeeded();
    }
    for form in ["jsonl", "chat", "discord"] {
        seen.run(&home, &["export", "last", "--as", form]).succeeded();
    }
    causes(&home, seen);
    seen.run(&home, &["export", "last", "boat.twicetold", "--json"]).succeeded();
    seen.run(&home, &["export", "last", "--as", "md", "-o", "boat.md", "--json"]).succeeded();
    home.run(["export", "last", "--as", "md", "--json"]).failed(2, &["--json needs a file to write to"]);
    seen.run(&home, &["report", "last", "-o", "boat.html", "--json"]).succeeded();
    for line in [&["label", "last", "a note"][..], &["label", "last"], &["label", "last", "--remove"]] {
        seen.run(&home, &[line, &["--json"]].concat()).succeeded();
    }
    seen.run(&home, &["attest", "--json"]).succeeded();
    seen.run(&home, &["attest", "-o", "attestation.txt", "--json"]).succeeded();
    seen.run(&home, &["import", "boat.twicetold", "--json"]).succeeded();
    seen.run(&Home::new(), &["import", &home.path("boat.twicetold").to_string_lossy(), "--json"]).succeeded();
    // It is compared with what was attested, and with what is not there any more.
    seen.run(&home, &["verify", "--attestation", "attestation.txt", "--json"]).succeeded();
    let campaign = home.campaigns().remove(0);
    let id = campaign.file_stem().expect("a name").to_string_lossy().into_owned();
    seen.run(&home, &["rm", &id, "--yes", "--json"]).succeeded();
    assert_eq!(seen.run(&home, &["verify", "--attestation", "attestation.txt", "--json"]).code, Some(7));
}

/// All questions, at every number of the journal that has an answer.
fn causes(home: &Home, seen: &mut Seen) {
    seen.run(home, &["why", "last", "--json"]).succeeded();
    for kind in
        ["goal", "npc", "item", "party", "hp", "gold", "trust", "number", "rejection", "speaker", "reply"]
    {
        let listed = seen.run(home, &["why", "last", kind, "--json"]).succeeded();
        let listed: Value = serde_json::from_str(&listed.stdout).expect("JSON");
        for name in listed["names"].as_array().expect("names").iter().take(2) {
            let name = name["name"].as_str().expect("a name");
            seen.run(home, &["why", "last", kind, name, "--depth", "2", "--json"]).succeeded();
        }
    }
    for number in (1..200).step_by(31).map(|number| number.to_string()) {
        seen.run(home, &["why", "last", "number", &number, "--json"]).succeeded();
        seen.run(home, &["why", "last", "number", &number, "--words", "the", "--json"]);
        seen.run(home, &["why", "last", "number", &number, "--shown", "3", "--json"]);
    }
    let replies = seen.run(home, &["why", "last", "reply", "--json"]).succeeded();
    let replies: Value = serde_json::from_str(&replies.stdout).expect("JSON");
    for name in replies["names"].as_array().expect("names").iter().step_by(5) {
        seen.run(home, &["why", "last", "reply", name["name"].as_str().expect("a name"), "--json"]);
    }
    seen.run(home, &["why-not", "last", "--json"]).succeeded();
    seen.run(home, &["why-not", "last", "goal", "--json"]).succeeded();
    seen.run(home, &["why-not", "last", "goal", "nobody-asked", "--json"]).succeeded();
    seen.run(home, &["history", "last", "--json"]).succeeded();
    seen.run(home, &["history", "last", "turn", "--json"]).succeeded();
    seen.run(home, &["history", "last", "npcs", "--json"]).succeeded();
    seen.run(home, &["bisect", "last", "turn >= 5", "--json"]).succeeded();
}

fn of_a_sweep(seen: &mut Seen) {
    let home = Home::new();
    home.write("plan.toml", "name = \"two\"\ncampaigns = [\"the-borrowed-boat\"]\nseeds = [1, 2]\nmodels = [\"improv\"]\nplayers = [2, 3]\n");
    seen.run(&home, &["sweep", "run", "plan.toml", "--json"]).succeeded();
    let listed = seen.run(&home, &["sweep", "show", "two", "--campaigns", "--json"]).succeeded();
    let id = last_line(&listed.stdout)["campaigns"][0]["campaign"].as_str().expect("an id").to_owned();
    let score = ["sweep", "show", "two", "--score", "lookups", "--campaign", &id, "--json"];
    seen.run(&home, &score).succeeded();
    seen.run(&home, &["sweep", "diff", "two", "two", "--json"]).succeeded();
    seen.run(&home, &["sweep", "list", "--json"]).succeeded();
    seen.run(&home, &["bench", "improv:chaos", "--seeds", "1", "--json"]).succeeded();
}

fn of_one_that_breaks_every_rule(seen: &mut Seen) {
    let home = Home::new();
    seen.run(&home, &["run", "the-weir-book", "--model", "improv:chaos", "--seed", "5", "--json"])
        .succeeded();
    causes(&home, seen);
    seen.run(&home, &["audit", "last", "--json"]).succeeded();
}

fn of_a_paused_one_and_its_branches(seen: &mut Seen) {
    let home = Home::new();
    let paused =
        seen.run(&home, &["run", "the-borrowed-boat", "--seed", "4", "--budget", "12calls", "--json"]);
    assert_eq!(paused.code, Some(5), "{}", paused.stderr);
    seen.run(&home, &["fork", "last", "--at", "60", "--seed", "9", "--json"]).succeeded();
    let resumed = seen.run(&home, &["resume", "last", "--budget", "500calls", "--json"]).succeeded();
    let branch = last_line(&resumed.stdout)["campaign"].as_str().expect("an id").to_owned();
    seen.run(&home, &["undo", "last", "--json"]).succeeded();
    seen.run(&home, &["tree", "--json"]).succeeded();
    let ids: Vec<String> = home
        .campaigns()
        .iter()
        .map(|file| file.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    for other in &ids[1..] {
        seen.run(&home, &["diff", &ids[0], other, "--json"]).succeeded();
    }
    // Under other words and under another limit it is another campaign, and it says where.
    changed(&home, "reworded", "prompts/dm-play.md", "the", "that");
    changed(&home, "shorter", "campaigns/the-borrowed-boat.toml", "turns_max = 60", "turns_max = 14");
    for configuration in ["reworded", "shorter"] {
        let replay = seen.run(&home, &["replay", &branch, "--against", configuration, "--json"]);
        assert_eq!(replay.code, Some(3), "{configuration}: {}{}", replay.stdout, replay.stderr);
    }
    // A file that is no journal.
    std::fs::write(&home.campaigns()[0], "nothing of the kind").expect("it can be written");
    seen.run(&home, &["list", "--json"]).succeeded();
    assert_eq!(seen.run(&home, &["verify", &ids[0], "--json"]).code, Some(4));
}

fn of_a_call_in_flight(seen: &mut Seen) {
    let (asked, asking) = mpsc::channel();
    let server = Server::start(move |number, body| match number {
        5 => {
            asked.send(()).expect("the test waits");
            Response::Silence
        }
        _ => Response::Body(improvise(body)),
    });
    let home = Home::new();
    home.configure(&server.base_url(), "");
    let run = ["run", "configuration/campaigns/the-borrowed-boat.toml", "--seed", "7", "--json"];
    let mut program = home.command(run).spawn().expect("the program starts");
    asking.recv().expect("the sixth call is made");
    program.kill().expect("it runs");
    program.wait().expect("it ends");
    seen.run(&home, &["resume", "last", "--json"]).succeeded();
}

fn of_a_transcript(seen: &mut Seen) {
    let home = Home::new();
    for sample in ["autogen.jsonl", "openai-chat.json", "sillytavern.jsonl"] {
        home.write(sample, std::fs::read(folder(sample)).expect("a sample"));
        seen.run(&home, &["audit", sample, "--json"]).succeeded();
        seen.run(&home, &["import", sample, "--json"]).succeeded();
        for line in ["log last", "show last", "show last transcript", "audit last", "verify last", "list"] {
            let line: Vec<&str> = line.split(' ').chain(["--json"]).collect();
            seen.run(&home, &line).succeeded();
        }
        seen.run(&home, &["export", "last", "--as", "chat"]).succeeded();
    }
}

fn of_a_set_up(seen: &mut Seen) {
    let home = with_tiny();
    seen.run(&home, &["rules", "import", "tiny.sqlite3", "--json"]).succeeded();
    for line in ["rules list", "models", "lint", "preview --seed 3", "models improv --moments 2"] {
        let line: Vec<&str> = line.split(' ').chain(["--json"]).collect();
        seen.run(&home, &line).succeeded();
    }
    changed(&home, "mine", "limits.toml", "turns_max = ", "turn_max = ");
    assert_eq!(seen.run(&home, &["lint", "mine", "--json"]).code, Some(2));
    // A budget in money, and a model without a price.
    let address = Server::nowhere();
    home.configure(&format!("http://{address}/v1"), "");
    seen.run(&home, &["models", "--all", "--moments", "1", "--budget", "1usd", "--json"]);
}

#[test]
fn whatever_is_printed_for_programs_is_described() {
    let mut seen = Seen { lines: BTreeMap::new(), discord: Checked::new(schema("discord")) };
    of_a_campaign_that_is_over(&mut seen);
    of_one_that_breaks_every_rule(&mut seen);
    of_a_sweep(&mut seen);
    of_a_paused_one_and_its_branches(&mut seen);
    of_a_call_in_flight(&mut seen);
    of_a_transcript(&mut seen);
    of_a_set_up(&mut seen);
    let known = forms();
    assert_eq!(
        seen.forms(),
        known.iter().map(String::as_str).collect(),
        "forms that were printed and listed"
    );
    samples(&seen);
}

/// Keeps a line of each form that has none yet, where somebody asks for that. Lines that are kept are never written again: they are what
/// programs were written for.
fn samples(seen: &Seen) {
    #[expect(clippy::disallowed_methods, reason = "asked for by the person who records")]
    if std::env::var_os("UPDATE_GOLDEN").is_none() {
        return;
    }
    for (form, lines) in &seen.lines {
        let version = lines.values().next().and_then(|line| line["version"].as_u64()).unwrap_or(1);
        let path = folder("forms").join(format!("{form}.{version}.jsonl"));
        if path.exists() {
            continue;
        }
        let lines = lines.values().map(|line| format!("{line}\n"));
        let mut lines: Vec<String> = lines.collect();
        lines.sort_by_key(String::len);
        let short = lines.iter().filter(|line| line.len() <= SAMPLE_MAX).count().max(1);
        std::fs::write(path, lines[..short].concat()).expect("it can be written");
    }
}

#[test]
fn a_schema_changes_only_where_somebody_means_it_to() {
    let forms = forms();
    for form in &forms {
        golden(&folder("schemas").join(format!("{form}.json")), &Home::new().succeed(["schema", form]));
    }
    let kept = std::fs::read_dir(folder("schemas")).expect("a folder").count();
    assert_eq!(kept, forms.len(), "a schema is kept of a form that nobody prints");
}

#[test]
fn what_was_printed_by_an_earlier_version_still_fits_its_schema() {
    let mut tried = BTreeSet::new();
    for file in std::fs::read_dir(folder("forms")).expect("samples") {
        let path = file.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let parts: Vec<&str> = name.split('.').collect();
        let [form, version, "jsonl"] = parts[..] else { panic!("{name} is not FORM.VERSION.jsonl") };
        let schema = schema(form);
        let current = &schema["properties"]["version"]["const"];
        // A form that has a new version may have lost what an older one had.
        if current.is_null() || *current == json!(version.parse::<u64>().expect("a number")) {
            let schema = Checked::new(schema);
            for line in std::fs::read_to_string(&path).expect("text").lines() {
                let line: Value = serde_json::from_str(line).expect("JSON");
                schema.fits(&line).unwrap_or_else(|why| panic!("{name}: {why}"));
            }
            tried.insert(form.to_owned());
        }
    }
    assert_eq!(tried, forms().into_iter().collect(), "each form has a sample of its version");
}

#[test]
fn a_form_is_found_by_its_name_and_a_wrong_name_has_the_nearest_one() {
    let home = Home::new();
    let listed = home.succeed(["schema"]);
    assert!(listed.lines().all(|line| line.chars().count() <= 80), "{listed}");
    let log = schema("log");
    assert_eq!(log["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!((&log["$id"], &log["title"]), (&json!("urn:twicetold:log:1"), &json!("log")));
    home.run(["schema", "goal"]).failed(7, &["there is no form \"goal\"", "did you mean \"goals\"?"]);
}

#[test]
fn the_name_of_a_command_stands_for_the_forms_that_it_prints() {
    let home = Home::new();
    let schema =
        |name: &str| -> Value { serde_json::from_str(&home.succeed(["schema", name])).expect("JSON") };
    assert_eq!(schema("list"), schema("campaigns"));
    let run = schema("run");
    let forms = run["anyOf"].as_array().expect("forms");
    let ids: Vec<&str> = forms.iter().map(|form| form["$id"].as_str().expect("an id")).collect();
    assert_eq!(ids, ["urn:twicetold:log:1", "urn:twicetold:end:1", "urn:twicetold:budget:1"]);
    let printed = home.succeed(["run", "the-borrowed-boat", "--seed", "6", "--json"]);
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    compiler.add_resource("urn:twicetold:command:run", run).expect("a schema");
    let index =
        compiler.compile("urn:twicetold:command:run", &mut schemas).expect("a schema that can be used");
    for line in printed.lines() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        assert!(schemas.validate(&value, index).is_ok(), "{line}");
    }
}
