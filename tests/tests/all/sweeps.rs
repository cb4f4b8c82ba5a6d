//! Promise: a sweep plays many campaigns, goes on where it was killed and pays nothing twice, and each of its scores opens to its events.

#![allow(clippy::float_arithmetic, reason = "scores are floats, and are computed a second time here")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc;

use serde_json::Value;
use twicetold_improv::improvise;
use twicetold_tests::{Home, Outcome, Response, Server, flat, last_line};

const PLAN: &str = "name = \"players\"\ncampaigns = \"the-borrowed-boat\"\nseeds = \"1..3\"\nplayers = [2, 3]\n\
                    parallel = 2\nmodels = \"server\"\n";
const RUN: [&str; 4] = ["sweep", "run", "plan.toml", "--json"];

/// The requests during which the sweep is killed.
const KILLS: [usize; 10] = [4, 15, 31, 50, 72, 75, 100, 121, 140, 163];

/// A home with a server of a model, and this plan.
fn home(plan: &str, answer: impl Fn(usize, &str) -> Response + Send + Sync + 'static) -> (Home, Server) {
    let (home, server) = (Home::new(), Server::start(answer));
    home.configure(&server.base_url(), "");
    home.write("plan.toml", plan);
    (home, server)
}

/// A home whose campaigns the improviser plays.
fn improvised(plan: &str) -> Home {
    let home = Home::new();
    home.write("plan.toml", plan);
    home
}

/// Answers as the improviser does, but for the requests of some numbers, which are told of and never answered.
fn silent_at(
    numbers: &'static [usize],
) -> (impl Fn(usize, &str) -> Response + Send + Sync + 'static, mpsc::Receiver<()>) {
    let (asked, asking) = mpsc::channel();
    let answer = move |now: usize, body: &str| {
        if numbers.contains(&now) {
            asked.send(()).expect("the test waits");
            return Response::Silence;
        }
        Response::Body(improvise(body))
    };
    (answer, asking)
}

#[test]
fn a_killed_sweep_goes_on_where_it_stood_and_its_result_is_that_of_an_undisturbed_one() {
    let (whole, server) = home(PLAN, |_, body| Response::Body(improvise(body)));
    let undisturbed = last_line(&whole.succeed(RUN));
    let needed = server.requests();
    assert_eq!((&undisturbed["done"], needed > 150), (&6.into(), true), "{needed}");

    let (answer, asking) = silent_at(&KILLS);
    let (killed, server) = home(PLAN, answer);
    for _ in KILLS {
        let mut program = killed.command(RUN).spawn().expect("the program starts");
        asking.recv().expect("the request is made");
        program.kill().expect("it runs");
        program.wait().expect("it ends");
        let between = last_line(&killed.succeed(["sweep", "show", "players", "--json"]));
        assert_ne!(between["done"], 6, "it was killed in the middle");
    }
    killed.write("data/campaigns/.left.redb.17-0.new", "a campaign that was being made");
    killed.grow_old();
    assert_eq!(last_line(&killed.succeed(RUN)), undisturbed);
    let (paid, lost) = (server.requests(), 2 * KILLS.len());
    assert!(paid <= needed + lost, "{paid} calls, where {needed} are needed and {lost} were in flight");
    assert_eq!(last_line(&killed.succeed(RUN)), undisturbed, "a sweep that is over is shown again");
    assert_eq!(server.requests(), paid, "and nobody is asked");
    assert_eq!(killed.campaigns().len(), 6, "and what was being made when it was killed is removed");
    killed.succeed(["replay", "last"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_pauses_all_campaigns_and_says_how_to_go_on() {
    // In play, whose calls tell what is said while it is said.
    let (answer, asking) = silent_at(&[40]);
    let (home, _server) = home(PLAN, answer);
    let program = home.command(RUN).spawn().expect("the program starts");
    asking.recv().expect("the request is made");
    let kill = std::process::Command::new("kill").args(["-INT", &program.id().to_string()]).status();
    assert!(kill.expect("there is a kill").success());
    let outcome = Outcome::of(program.wait_with_output());
    outcome.failed(130, &["Stopped; ", " campaigns left. `twicetold sweep run plan.toml", "` continues."]);
    assert_eq!(last_line(&home.succeed(RUN))["done"], 6);
}

#[test]
fn a_broken_campaign_breaks_no_other_and_is_told_of_with_its_reason() {
    let home = improvised(&PLAN.replace("\"server\"", "\"improv\""));
    let before = last_line(&home.succeed(RUN));
    let broken = &home.campaigns()[0];
    std::fs::write(broken, "no journal").expect("it can be written");
    let outcome = home.run(RUN);
    outcome.failed(5, &["1 campaign failed", "tries again"]);
    let after = last_line(&outcome.stdout);
    assert_eq!(after["done"], 5);
    for (before, after) in rows(&before["campaigns"]).zip(rows(&after["campaigns"])) {
        let is_broken = broken.to_string_lossy().contains(text(&after["campaign"]));
        assert_eq!(after["state"], if is_broken { "failed" } else { "done" });
        assert!(is_broken || before == after, "{after}");
        assert!(!is_broken || text(&after["reason"]).contains("not a campaign"), "{after}");
    }
}

#[test]
fn everything_that_is_wrong_with_a_plan_is_told_at_once_and_nothing_is_written() {
    let wrong = "name = \"x\"\ncampaigns = [\"the-borowed-boat\"]\nseeds = []\nmodels = \"improvv\"\nplayerz = 2\n\
                 budget = \"3clls\"\n";
    let home = improvised(wrong);
    home.run(RUN).failed(
        2,
        &[
            "plan.toml:2: there is no file or campaign \"the-borowed-boat\"",
            "did you mean \"the-borrowed-boat\"?",
            "plan.toml:3: seeds is empty",
            "plan.toml:4: there is no model \"improvv\"",
            "plan.toml:5: there is no setting \"playerz\"",
            "plan.toml:6: there is no unit \"clls\"",
            "plan.toml has 5 mistakes; nothing was played",
        ],
    );
    home.write("plan.toml", PLAN.replace("[2, 3]", "[2, 6]").replace("\"server\"", "\"improv\""));
    home.run(RUN).failed(2, &["plan.toml:2: the-borrowed-boat with 6 players:", "2 to 4 players"]);
    let (home, server) = self::home(&format!("{PLAN}budget = \"5ktok\""), |_, _| Response::Silence);
    home.run(RUN).failed(2, &["the budget pays no campaign", " to write = ", "and the budget is 5000"]);
    home.write("plan.toml", format!("{PLAN}budget = \"1usd\""));
    home.run(RUN).failed(2, &["the budget is in usd, and the model", "has no price"]);
    assert_eq!((server.requests(), home.path("data").exists()), (0, false));
    home.run(["sweep", "run", "nothing.toml"]).failed(7, &["nothing.toml cannot be read"]);
    home.run(["sweep", "show", "players"]).failed(7, &["no sweep"]);
}

#[test]
fn a_budget_holds_for_the_whole_sweep_and_one_that_is_raised_pays_the_rest() {
    let plan = PLAN.replace("\"server\"", "\"improv\"");
    let home = improvised(&format!("{plan}budget = \"200ktok\""));
    home.run(RUN).failed(5, &["The budget of 200000 tokens is used up", "Raise `budget`"]);
    let again = last_line(&home.run(RUN).stdout);
    assert!(again["done"].as_u64().expect("a number") < 6, "{again}");
    home.write("plan.toml", format!("{plan}budget = \"5Mtok\""));
    let undisturbed = last_line(&improvised(&plan).succeed(RUN));
    assert_eq!(last_line(&home.succeed(RUN)), undisturbed);
}

#[test]
fn what_was_asked_when_the_budget_was_used_up_is_waited_for_and_not_asked_again() {
    let plan = PLAN.replace("parallel = 2", "parallel = 6");
    let (whole, server) = home(&plan, |_, body| Response::Body(improvise(body)));
    whole.succeed(RUN);
    let needed = server.requests();
    let (home, server) = home(&plan, |_, body| Response::Body(improvise(body)));
    for calls in [60, 90, 120, 150] {
        home.write("plan.toml", format!("{plan}budget = \"{calls}calls\""));
        home.run(RUN).failed(5, &["calls is used up"]);
    }
    home.write("plan.toml", plan);
    home.succeed(RUN);
    assert_eq!(server.requests(), needed);
}

#[test]
fn two_configurations_are_compared_and_a_changed_one_is_not_mixed_with_its_former_self() {
    let plan = "name = \"limits\"\ncampaigns = \"the-borrowed-boat\"\nseeds = \"1..3\"\n\
                configurations = [\"\", \"mine\"]\nscores = [\"turns\"]\n";
    let home = improvised(plan);
    home.succeed(["init", "mine"]);
    let path = "mine/campaigns/the-borrowed-boat.toml";
    let campaign = std::fs::read_to_string(home.path(path)).expect("init wrote it");
    let line =
        campaign.lines().find(|line| line.starts_with("turns_max")).expect("it has a limit").to_owned();
    home.edit(path, &line, "turns_max = 9");
    let result = last_line(&home.succeed(RUN));
    let means: Vec<f64> = rows(&result["rows"]).map(|row| row["mean"].as_f64().expect("a mean")).collect();
    // Session Zero is finished beyond the limit.
    assert!(means[1] + 5.0 < means[0], "{means:?}");
    home.edit(path, "turns_max = 9", "turns_max = 8");
    home.run(RUN).failed(2, &["the configuration folder mine has changed", "another name"]);
    assert_eq!(last_line(&home.succeed(["sweep", "show", "limits", "--json"])), result);
}

#[test]
fn a_model_that_has_answered_is_not_mixed_with_another_under_the_same_name() {
    let (home, server) = home(&PLAN.replace("\"1..3\"", "[1]"), |_, body| Response::Body(improvise(body)));
    let (models, address, nowhere) =
        (".config/twicetold/models.toml", server.base_url(), "http://127.0.0.2:9/v1");
    home.edit(models, &address, nowhere);
    home.run(RUN).failed(5, &["2 campaigns failed"]);
    home.edit(models, nowhere, &address);
    let result = last_line(&home.succeed(RUN));
    home.write("plan.toml", PLAN);
    home.edit(models, "model = \"loopback\"", "model = \"another\"");
    home.run(RUN).failed(2, &["has changed for the variant \"2 players\"", "another name"]);
    assert_eq!(last_line(&home.succeed(["sweep", "show", "players", "--json"])), result);
    home.edit(models, "model = \"another\"", "model = \"loopback\"");
    assert_eq!(last_line(&home.succeed(RUN))["done"], 6);
}

#[test]
fn a_condition_that_is_met_fails_a_build() {
    let home = improvised(&PLAN.replace("\"server\"", "\"improv\""));
    let run = ["sweep", "run", "plan.toml", "--fail-if"];
    home.succeed([&run[..], &["accepted < 0.5"]].concat());
    let outcome = home.run([&run[..], &["calls > 5"]].concat());
    outcome.failed(10, &["--fail-if 'calls > 5' is met: calls of 2 players is "]);
    home.run(["sweep", "show", "players", "--fail-if", "cals > 5"]).failed(2, &["did you mean \"calls\"?"]);
    let csv = home.succeed(["sweep", "show", "players", "--csv"]);
    assert_eq!(
        (csv.lines().count(), csv.lines().all(|line| line.split(',').count() > 10)),
        (7, true),
        "{csv}"
    );
    for line in home.succeed(["sweep", "show", "players"]).lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let diff = home.succeed(["sweep", "diff", "players", "players"]);
    assert!(flat(&diff).contains("players (2 players), compared with players (2 players)"), "{diff}");
}

#[test]
fn a_page_of_a_sweep_needs_nothing_but_itself_and_is_not_overwritten() {
    let home = improvised(
        "name = \"page\"\ncampaigns = \"the-borrowed-boat\"\nseeds = [1, 2]\nturns = 8\n\
         models = [{ name = \"<b>one\", dm = \"improv\" }, { name = \"two\", dm = \"improv:chaos\" }]\n",
    );
    let outcome = home.run([&RUN[..], &["--html", "page.html"]].concat()).succeeded();
    let result = last_line(&outcome.stdout);
    let page = std::fs::read_to_string(home.path("page.html")).expect("it was written");
    crate::reports::check(&page);
    assert!(page.contains("4 of 4 campaigns done") && page.contains("two, compared with &#60;b&#62;one"));
    for campaign in rows(&result["campaigns"]) {
        assert!(page.contains(&format!("id=\"c{}\"", text(&campaign["campaign"]))), "{campaign}");
    }
    home.run([&RUN[..], &["--html", "page.html"]].concat()).failed(2, &["page.html exists already"]);
    let shown = home.run(["sweep", "show", "page", "--html", "page.html", "--force", "--score", "turns"]);
    assert!(shown.stdout.contains("turns") && shown.stderr.contains("The page is page.html"));
    let shorter = std::fs::read_to_string(home.path("page.html")).expect("it was written");
    assert!(shorter.len() < page.len());
    home.run(["sweep", "show", "page", "--html", "data", "--force"]).failed(1, &["data", "directory"]);
    home.run(["sweep", "show", "page", "--campaigns", "--html", "x.html"]).failed(2, &["--campaigns"]);
}

#[test]
fn a_page_that_could_not_be_written_is_told_of_before_anything_is_played() {
    let home = improvised(PLAN);
    home.write("page.html", "mine");
    home.run([&RUN[..], &["--html", "page.html"]].concat()).failed(2, &["exists already", "--force"]);
    assert!(!home.path("data").exists());
}

#[test]
fn models_are_ranked_in_each_role_and_one_that_is_added_pays_for_itself_alone() {
    let home = Home::new();
    let bench = ["bench", "improv:chaos", "--json"];
    let ranked = last_line(&home.succeed(bench));
    assert_eq!((&ranked["campaigns"], &ranked["done"]), (&30.into(), &30.into()));
    for role in rows(&ranked["roles"]) {
        let order: Vec<_> =
            rows(&role["models"]).map(|one| (text(&one["model"]), one["rank"].as_u64())).collect();
        assert_eq!(order, [("improv", Some(1)), ("improv:chaos", Some(2))], "{role}");
        assert_eq!(role["models"][0]["better"], role["models"][1]["worse"]);
    }
    assert_eq!(last_line(&home.succeed(bench)), ranked, "nothing is played twice");
    assert_eq!(home.campaigns().len(), 30);
    let shown = home.succeed(["sweep", "show", "bench"]);
    assert!(shown.contains("improv:chaos as dm, compared with improv"), "{shown}");

    let server = Server::start(|_, body| Response::Body(improvise(body)));
    home.configure(&server.base_url(), "");
    home.run([&bench[..], &["server", "--budget", "300ktok"]].concat())
        .failed(2, &["the budget does not pay for the whole ranking: 50 campaigns take about", "300000"]);
    home.run([&bench[..], &["server", "--budget", "1usd"]].concat()).failed(2, &["has no price"]);
    assert_eq!((server.requests(), home.campaigns().len()), (0, 30));
    let grown = last_line(&home.succeed([&bench[..], &["server"]].concat()));
    assert_eq!((home.campaigns().len(), &grown["done"]), (50, &50.into()));
    let models = |role: &Value| {
        rows(&role["models"]).map(|one| text(&one["model"]).to_owned()).collect::<BTreeSet<_>>()
    };
    assert!(rows(&grown["roles"]).all(|role| models(role).len() == 3), "{grown}");
}

#[test]
fn a_ranking_that_cannot_be_says_why() {
    let home = Home::new();
    home.run(["bench", "improv"]).failed(2, &["no other model to rank", "improv:chaos"]);
    home.run(["bench", "improv:chaoss"]).failed(2, &["there is no model", "did you mean \"improv:chaos\"?"]);
    home.run(["bench", "improv:chaos", "--campaign", "the-boat"])
        .failed(2, &["the-boat", "nothing was played"]);
    assert!(!home.path("data").exists());
    let outcome = home.run(["bench", "http://127.0.0.1:9/v1#away", "--seeds", "1"]);
    outcome.failed(5, &["2 campaigns failed. The same command tries again."]);
    let said = flat(&outcome.stdout);
    assert!(said.contains("a rank needs 10 pairs") && said.contains("2 campaigns failed: "), "{said}");
}

fn rows(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("a list").iter()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// A slow second computation of the scores from the lines of `log --json` and the findings of `audit --json`.
struct Slow {
    lines: Vec<Value>,
    players: usize,
}

impl Slow {
    fn of<'s>(&'s self, kind: &'s str) -> impl Iterator<Item = &'s Value> {
        self.lines.iter().filter(move |line| line["type"] == kind).map(|line| &line["data"])
    }

    fn count(&self, kinds: &[&str]) -> f64 {
        kinds.iter().map(|kind| self.of(kind).count()).sum::<usize>() as f64
    }

    fn sum(&self, field: &str) -> f64 {
        self.of("ModelReplied").map(|data| data["usage"][field].as_f64().expect("a number")).sum()
    }

    fn score(&self, name: &str) -> Option<f64> {
        let made = self.count(&["ToolAccepted", "ToolRejected"]);
        Some(match name {
            "turns" => self.count(&["TurnBegan"]),
            "tool_calls" => made,
            "accepted" => self.count(&["ToolAccepted"]) / made,
            "rejected" => self.count(&["ToolRejected"]),
            "unusable" => self.count(&["ReplyRejected"]),
            "spoke_for_another" => {
                let cut = self.of("SpeechCut").filter(|data| data["rule"] == "SpokeForAnother").count();
                let whole = self.of("ReplyRejected").filter(|data| data["rule"] == "spoke_for_another");
                (cut + whole.count()) as f64
            }
            "lookups" => self.count(&["RulesLookedUp", "RulesSearched", "MemoryQueried", "CampaignQueried"]),
            "goals" => self.count(&["GoalRegistered"]),
            "dialogues" => self.count(&["DialogueBegan"]),
            "calls" => self.count(&["ModelReplied"]),
            "faults" => self.count(&["ModelFailed"]),
            "tokens_in" => self.sum("input_tokens"),
            "tokens_out" => self.sum("output_tokens"),
            "prompt" => {
                let of = |data: &Value| data["usage"]["input_tokens"].as_f64().expect("a number");
                let mut prompts: Vec<f64> = self.of("ModelReplied").map(of).collect();
                prompts.sort_by(f64::total_cmp);
                let (low, high) = ((prompts.len() - 1) / 2, prompts.len() / 2);
                f64::midpoint(prompts[low], prompts[high])
            }
            "spotlight" => {
                let mut turns: BTreeMap<String, usize> =
                    (1..=self.players).map(|seat| (format!("player-{seat}"), 0)).collect();
                for line in self.lines.iter().filter(|line| line["type"] == "TurnBegan") {
                    turns.entry(text(&line["seat"]).to_owned()).and_modify(|count| *count += 1);
                }
                let (least, all) = (turns.values().min()?, turns.values().sum::<usize>());
                *least as f64 * self.players as f64 / all as f64
            }
            "unresolved" => {
                let ends = ["EncounterResolved", "EncounterFailed", "EncounterUnresolved"];
                self.count(&["EncounterUnresolved"]) / self.count(&ends)
            }
            _ => return None,
        })
    }
}

#[test]
fn a_score_that_is_computed_twice_agrees_and_opens_to_its_events() {
    let names = [
        "turns",
        "tool_calls",
        "accepted",
        "rejected",
        "unusable",
        "spoke_for_another",
        "lookups",
        "goals",
        "dialogues",
        "calls",
        "faults",
        "tokens_in",
        "tokens_out",
        "prompt",
        "spotlight",
        "unresolved",
        "findings",
    ];
    let plan = format!(
        "name = \"twice\"\ncampaigns = [\"the-borrowed-boat\", \"one-lantern-short\"]\nseeds = [2, 9, 72]\n\
         models = [\"improv\", \"improv:chaos\"]\nplayers = 3\nscores = {names:?}\n"
    );
    let home = improvised(&plan);
    let result = last_line(&home.succeed(RUN));
    let mut seen = BTreeSet::new();
    for campaign in rows(&result["campaigns"]) {
        let id = text(&campaign["campaign"]);
        let log = home.succeed(["log", id, "--json"]);
        let lines = log.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect();
        let slow = Slow { lines, players: 3 };
        for name in &names[..names.len() - 1] {
            let (ours, theirs) = (campaign["scores"][name].as_f64(), slow.score(name));
            // What JSON is read as may differ in the last bit.
            let same =
                ours.zip(theirs).is_some_and(|(ours, theirs)| (ours - theirs).abs() <= 1e-9 * theirs.abs());
            assert!(same || ours == theirs, "{name} of {campaign} is {theirs:?}");
            seen.extend(ours.filter(|value| *value > 0.0).map(|_| *name));
        }
        let findings = last_line(&home.succeed(["audit", id, "--json"]));
        let found: u64 = rows(&findings["findings"]).map(|one| one["count"].as_u64().expect("a count")).sum();
        let expected = 100.0 * (found as f64 / slow.count(&["MessageSpoken"]));
        let ours = campaign["scores"]["findings"].as_f64().expect("a number");
        assert!((ours - expected).abs() < 1e-9, "{ours} findings, and {expected}");
        let open = ["sweep", "show", "twice", "--score", "rejected", "--campaign", id];
        let opened = last_line(&home.succeed([&open[..], &["--json"]].concat()));
        let numbers: Vec<u64> =
            rows(&opened["events"]).map(|event| event["number"].as_u64().expect("a number")).collect();
        let is_rejected = |line: &&Value| line["type"] == "ToolRejected";
        let logged: Vec<u64> =
            slow.lines.iter().filter(is_rejected).map(|line| line["number"].as_u64().unwrap()).collect();
        assert_eq!(numbers, logged);
        if let Some(number) = numbers.first() {
            home.succeed(["why", id, "number", &number.to_string()]);
            assert!(home.succeed(open).contains(&format!("`twicetold why {} number {number}", &id[..8])));
        }
    }
    for name in ["rejected", "unusable", "lookups", "goals", "spotlight", "dialogues"] {
        assert!(seen.contains(name), "no campaign has any {name}: the test shows nothing of it");
    }
}
