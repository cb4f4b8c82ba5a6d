//! Promise: `views` shows campaigns in a database to SQL as the program itself shows them, adds what is new, and can be done again at any
//! time. Without a server these tests are skipped, and say so.

use serde_json::{Value, json};
use twicetold_improv::improvise;
use twicetold_tests::postgres::server;
use twicetold_tests::{Home, Response, Server, golden, last_line, repository};

const VIEWS: [&str; 8] =
    ["campaigns", "calls", "tool_calls", "rejections", "goals", "outcomes", "costs", "payments"];

/// A home whose campaigns lie in a database of their own.
fn in_database() -> Option<(Home, String)> {
    Some((Home::new(), server()?.database()))
}

fn ask(data: &str, statement: &str) -> String {
    server().expect("it was there before").sql(data, statement)
}

/// The journal of a recorded campaign with rejections of all kinds, now in the database.
fn recorded(home: &Home, data: &str) {
    let journal = repository().join("replays/combat-and-vices/journal.twicetold");
    home.succeed(["import", &journal.display().to_string(), "--data", data]);
}

/// Every row of every view, but for the time at which it was written.
fn rows(data: &str) -> Vec<String> {
    let row = |view| {
        let rows =
            format!("SELECT to_jsonb(v) - 'updated' AS row FROM twicetold_views.{view} v ORDER BY row");
        format!("{view}\n{}", ask(data, &rows))
    };
    VIEWS.map(row).to_vec()
}

#[test]
fn the_views_hold_what_the_program_says_of_a_campaign() {
    let Some((home, data)) = in_database() else { return };
    recorded(&home, &data);
    assert_eq!(home.succeed(["views", "--data", &data]), "1 campaign updated\n");
    let exported = home.path("log.jsonl").display().to_string();
    home.succeed(["export", "last", &exported, "--as", "jsonl", "--data", &data]);
    let log = std::fs::read_to_string(&exported).unwrap();
    let log: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kinds: &[&str], told: fn(&Value) -> Vec<String>| -> String {
        let lines = log.iter().filter(|line| kinds.contains(&line["type"].as_str().unwrap()));
        let lines: Vec<String> = lines.map(|line| told(line).join("|")).collect();
        assert!(!lines.is_empty(), "the journal has none of {kinds:?}");
        lines.join("\n")
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let call = |line: &Value| -> Vec<String> {
        let usage = &line["data"]["usage"];
        let token = |name: &str| usage[name].as_u64().unwrap_or_default().to_string();
        let tokens = ["input_tokens", "cached_tokens", "output_tokens"].map(token);
        let fault = line["data"]["fault"]["kind"].as_str().unwrap_or_default();
        let head =
            [line["number"].to_string(), line["turn"].to_string(), line["seat"].as_str().unwrap().to_owned()];
        [&head[..], &tokens, &[fault.to_owned()]].concat()
    };
    let wanted = "number, turn, seat, input_tokens, cached_tokens, output_tokens, fault";
    let found = ask(&data, &format!("SELECT {wanted} FROM twicetold_views.calls ORDER BY number"));
    assert_eq!(found, of(&["ModelReplied", "ModelFailed"], call));
    let decided = |line: &Value| {
        let data = &line["data"];
        let [tool, rule] = ["tool", "rule"].map(|name| data[name].as_str().unwrap_or_default().to_owned());
        vec![
            line["number"].to_string(),
            line["turn"].to_string(),
            line["seat"].as_str().unwrap().to_owned(),
            tool,
            rule,
        ]
    };
    let columns = "SELECT number, turn, seat, tool, rule FROM twicetold_views";
    let found = ask(&data, &format!("{columns}.tool_calls ORDER BY number"));
    assert_eq!(found, of(&["ToolAccepted", "ToolRejected"], decided));
    let found = ask(&data, &format!("{columns}.rejections ORDER BY number"));
    assert_eq!(found, of(&["ToolRejected", "ReplyRejected"], decided));

    let shown =
        |document: &str| last_line(&home.succeed(["show", "last", document, "--json", "--data", &data]));
    let costs = shown("cost");
    let costs = costs["costs"].as_array().unwrap().iter().map(|cost| {
        let number = |name: &str| cost[name].to_string();
        let numbers = ["calls", "failed", "input_tokens", "cached_tokens", "output_tokens"].map(number);
        format!("{}|{}|{}", text(&cost["seat"]), text(&cost["purpose"]), numbers.join("|"))
    });
    let mut costs: Vec<String> = costs.collect();
    costs.sort();
    let found = "SELECT seat, purpose, calls, failed, input_tokens, cached_tokens, output_tokens FROM twicetold_views.costs";
    let mut found: Vec<String> = ask(&data, found).lines().map(str::to_owned).collect();
    found.sort();
    assert_eq!(found, costs);

    let goals = shown("goals");
    let reached = "SELECT goal FROM twicetold_views.goals WHERE reached";
    let goal = |goal: &&Value| goal["reached"] == true;
    let encounters = goals["encounters"].as_array().unwrap();
    let wanted: Vec<&Value> = encounters.iter().flat_map(|page| page["goals"].as_array().unwrap()).collect();
    assert_eq!(ask(&data, "SELECT count(*) FROM twicetold_views.goals"), wanted.len().to_string());
    let id = text(&wanted.into_iter().find(goal).unwrap()["id"]);
    assert_eq!(ask(&data, reached), id);
    let outcome = ask(&data, "SELECT outcome, goal FROM twicetold_views.outcomes");
    assert_eq!(outcome, format!("failed|{id}"));
}

#[test]
fn what_is_new_is_added_and_all_of_it_can_be_made_again() {
    let Some((home, data)) = in_database() else { return };
    let views = |more: &[&str]| home.succeed([&["views", "--data", &data], more].concat());
    home.run(["run", "the-borrowed-boat", "--seed", "3", "--budget", "20calls", "--quiet", "--data", &data]);
    home.succeed(["run", "the-borrowed-boat", "--seed", "4", "--quiet", "--data", &data]);
    assert_eq!(views(&[]), "2 campaigns updated\n");
    assert_eq!(views(&[]), "0 campaigns updated\n");
    let paused = ask(&data, "SELECT campaign FROM twicetold_views.campaigns WHERE standing = 'paused'");
    let kept = "SELECT xmin FROM twicetold_views.call ORDER BY campaign, number LIMIT 1";
    let before = ask(&data, kept);
    home.succeed(["resume", &paused, "--budget", "900calls", "--data", &data]);
    assert_eq!(views(&[]), "1 campaign updated\n");
    assert_eq!(ask(&data, kept), before, "a row that was there is not written again");
    home.succeed(["fork", &paused, "--at", "60", "--data", &data]);
    assert_eq!(views(&[]), "1 campaign updated\n");
    let inherited = "SELECT DISTINCT c.parent FROM twicetold_views.calls JOIN twicetold_views.campaigns c USING (campaign)
        WHERE inherited AND number < 60";
    assert_eq!(ask(&data, inherited), paused);
    let added = rows(&data);
    assert_eq!(views(&["--rebuild"]), "3 campaigns updated\n");
    assert_eq!(rows(&data), added, "what was added step by step is what is made at once");
    ask(&data, "DROP SCHEMA twicetold_views CASCADE");
    views(&[]);
    assert_eq!(rows(&data), added);

    home.succeed(["rm", &paused, "--yes", "--data", &data]);
    assert_eq!(views(&[]), "0 campaigns updated, 1 campaign removed\n");
    let left = format!("SELECT count(*) FROM twicetold_views.calls WHERE campaign = '{paused}'");
    assert_eq!(ask(&data, &left), "0");
}

#[test]
fn money_is_that_of_this_machines_prices() {
    let Some((home, data)) = in_database() else { return };
    let server = Server::start(|_, body| {
        let mut answer: Value = serde_json::from_str(&improvise(body)).unwrap();
        answer["usage"] = json!({ "prompt_tokens": 10_000, "completion_tokens": 400 });
        Response::Body(answer.to_string())
    });
    home.configure(&server.base_url(), "[model.server.price]\ninput = 1\noutput = 2");
    home.run(["run", "the-borrowed-boat", "--quiet", "--budget", "3calls", "--data", &data]);
    home.succeed(["views", "--data", &data]);
    let paid = "SELECT currency, sum(paid) FROM twicetold_views.payments GROUP BY currency";
    assert_eq!(ask(&data, paid), "usd|0.0324");
    assert_eq!(ask(&data, "SELECT DISTINCT model FROM twicetold_views.calls"), "loopback");
    home.edit(".config/twicetold/models.toml", "input = 1", "input = 2");
    home.succeed(["views", "--rebuild", "--data", &data]);
    assert_eq!(ask(&data, paid), "usd|0.0624");
}

#[test]
fn what_cannot_be_shown_is_told() {
    let home = Home::new();
    home.run(["views"]).failed(2, &["is a folder", "postgres://"]);
    let Some(data) = server().map(|server| server.database()) else { return };
    home.succeed(["run", "the-borrowed-boat", "--seed", "3", "--quiet", "--data", &data]);
    home.succeed(["run", "the-borrowed-boat", "--seed", "4", "--quiet", "--data", &data]);
    ask(&data, "CREATE SCHEMA twicetold_views; CREATE TABLE twicetold_views.mine (x integer)");
    home.run(["views", "--data", &data]).failed(1, &["tables of another program"]);
    ask(&data, "DROP SCHEMA twicetold_views CASCADE");
    home.succeed(["views", "--data", &data]);
    ask(&data, "UPDATE twicetold_views.layout SET step = 99");
    home.run(["views", "--data", &data]).failed(1, &["layout 99", "DROP SCHEMA twicetold_views"]);
    ask(&data, "DROP SCHEMA twicetold_views CASCADE");
    // One that is damaged keeps no other from being shown.
    let damage = "UPDATE twicetold.entry SET bytes = overlay(bytes placing '\\x00' from 40) WHERE campaign = 1 AND first > 20";
    ask(&data, damage);
    home.run(["views", "--data", &data]).failed(4, &["has no rows"]);
    assert_eq!(ask(&data, "SELECT count(*) FROM twicetold_views.campaigns"), "1");
}

#[test]
fn the_examples_of_the_documentation_print_what_stands_under_them() {
    let Some((home, data)) = in_database() else { return };
    for seed in ["1", "2", "3"] {
        home.succeed(["run", "the-borrowed-boat", "--seed", seed, "--quiet", "--data", &data]);
    }
    recorded(&home, &data);
    home.succeed(["views", "--data", &data]);
    let path = repository().join("crates/postgres/VIEWS.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (mut made, mut examples) = (String::new(), 0);
    let mut rest = page.as_str();
    while let Some((before, after)) = rest.split_once("```text\n") {
        let (_, query) = before.rsplit_once("```sql\n").unwrap();
        let (query, _) = query.split_once("```").unwrap();
        let table = server().unwrap().table(&data, query);
        made += &format!("{before}```text\n{table}\n```");
        rest = &after[after.find("```").unwrap() + 3..];
        examples += 1;
    }
    assert_eq!(examples, 3);
    golden(&path, &(made + rest));
    for view in VIEWS {
        let columns = "SELECT string_agg(column_name, ' ') FROM information_schema.columns WHERE table_schema = 'twicetold_views'";
        let row = page.lines().find(|line| line.starts_with(&format!("| `{view}` |"))).unwrap();
        for column in ask(&data, &format!("{columns} AND table_name = '{view}'")).split(' ') {
            assert!(row.contains(&format!("`{column}`")), "{column} of {view} is not described");
        }
    }
}
