//! Plays the bundled campaigns in rotation, improvised and with every vice, and says which tools and rules were met: `coverage [COUNT]`.
//!
//! Every campaign has to end and to replay identically; every tool has to be accepted and every rule to reject at least once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use twicetold_event::Event;
use twicetold_improv::improvise_chaos;
use twicetold_session::{Verdict, replay};
use twicetold_tests::{Game, Played, rules_that_reject};
use twicetold_world::{ABSENT, Life};

/// The campaigns, in rotation: those that allow every tool twice as often as those that allow few.
const CAMPAIGNS: [&str; 6] = [
    "one-lantern-short",
    "the-weir-book",
    "the-last-tram-but-one",
    "one-lantern-short",
    "the-weir-book",
    "the-borrowed-boat",
];

/// Rules that no reply of a model can meet, each with the reason.
const OUT_OF_REACH: [(&str, &str); 5] = [
    ("rules_pack", "dice that a rules pack writes wrongly are refused when the campaign is opened"),
    ("no_combat", "tools of combat are not offered without one, which is refused first"),
    ("no_encounter", "tools of encounters are not offered without one, which is refused first"),
    ("no_name_left", "the bundled lists hold more names than a campaign may create people"),
    ("unreadable_reply", "a reply that this build cannot read was recorded by another one"),
];

pub fn main(words: &[String]) {
    let count: u64 = words.first().and_then(|count| count.parse().ok()).unwrap_or(200);
    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= 2 * count {
                        return;
                    }
                    let one = Tally::of(1 + index / 2, index % 2 == 1);
                    if let Ok(mut tally) = tally.lock() {
                        tally.add(one);
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().expect("no campaign panicked");
    std::process::exit(i32::from(!tally.print()));
}

/// A campaign of which every third is played by rules as another pack may have them: whoever falls is dead and nobody
/// carries more than a few things, or a charm that mends is only a word. What is refused then is refused to nobody by the bundled rules.
fn harsher(campaign: &str, seed: u64) -> Game {
    let game = Game::of(campaign, seed);
    let pack = |name: &str| {
        format!("rules/{}/{name}.toml", if is_by_night(campaign) { "small-hours" } else { "emberlight" })
    };
    match seed / CAMPAIGNS.len() as u64 % 3 {
        0 => {
            let fate = if is_by_night(campaign) { "captured" } else { "recovers" };
            let game = game.with(&pack("pack"), &format!("fate = \"{fate}\""), "fate = \"dies\"");
            game.with("limits.toml", "inventory_kinds_max = 60", "inventory_kinds_max = 5")
        }
        1 if !is_by_night(campaign) => game.with(&pack("spells"), "heal = \"1d6\"", ""),
        _ => game,
    }
}

/// A reply that ends a lost encounter, but by another goal, unless that was refused in this turn: the improviser has no such vice.
fn stubborn(body: &str, reply: String) -> String {
    let id_behind = |at: usize| body[at..].split([' ', '\\']).next().unwrap_or_default();
    let lost = body.rfind("\\nfailure: ").map(|at| id_behind(at + "\\nfailure: ".len()));
    let Some(lost) = lost.filter(|_| !body.contains("failure_struck")) else { return reply };
    let goals = body.match_indices("\\ngoal: ").map(|(at, start)| id_behind(at + start.len()));
    match goals.into_iter().find(|goal| *goal != lost) {
        Some(other) => reply.replace(
            &format!("\\\"outcomeId\\\":\\\"{lost}\\\""),
            &format!("\\\"outcomeId\\\":\\\"{other}\\\""),
        ),
        None => reply,
    }
}

/// A reply in which a condition that somebody gets is to be elsewhere: sooner or later, nobody is there who could act.
fn scattered(reply: String) -> String {
    const ADDED: &str = "\\\"conditions_add\\\":[\\\"";
    let Some((before, after)) = reply.split_once(ADDED) else { return reply };
    let Some((_, rest)) = after.split_once('\\') else { return reply };
    format!("{before}{ADDED}{ABSENT}\\{rest}")
}

fn is_by_night(campaign: &str) -> bool {
    campaign == "the-last-tram-but-one"
}

/// What happened in campaigns.
#[derive(Default)]
struct Tally {
    campaigns: u64,
    /// Tool and outcome: `accepted` or the rule by which it was rejected.
    outcomes: BTreeMap<(String, String), u64>,
    /// What did not go well.
    failures: Vec<String>,
}

impl Tally {
    /// One campaign.
    fn of(seed: u64, chaos: bool) -> Tally {
        let campaign = CAMPAIGNS[(seed % CAMPAIGNS.len() as u64) as usize];
        let game = if chaos { harsher(campaign, seed) } else { Game::of(campaign, seed) };
        let played = match chaos {
            true => game.answered(&mut |_, body| {
                let reply = stubborn(body, improvise_chaos(body));
                if seed / CAMPAIGNS.len() as u64 % 3 == 2 { scattered(reply) } else { reply }
            }),
            false => game.improvised(),
        };
        let mut tally = Tally { campaigns: 1, ..Tally::default() };
        let label = format!("{campaign}, seed {seed}{}", if chaos { ", chaos" } else { "" });
        tally.failures.extend(fault(&played).map(|fault| format!("{label}: {fault}")));
        for event in &played.events {
            let (tool, outcome) = match event {
                Event::ToolAccepted(word) => (word.tool.as_str(), "accepted"),
                Event::ToolRejected(word) if word.rule == "unknown_tool" => ("(none)", word.rule.as_str()),
                Event::ToolRejected(word) => (word.tool.as_str(), word.rule.as_str()),
                Event::ReplyRejected(word) => ("(reply)", word.rule.as_str()),
                _ => continue,
            };
            *tally.outcomes.entry((tool.to_owned(), outcome.to_owned())).or_default() += 1;
        }
        tally
    }

    fn add(&mut self, other: Tally) {
        self.campaigns += other.campaigns;
        self.failures.extend(other.failures);
        for (key, count) in other.outcomes {
            *self.outcomes.entry(key).or_default() += count;
        }
    }

    /// Prints the table and what is missing; true when nothing is.
    fn print(&self) -> bool {
        for ((tool, outcome), count) in &self.outcomes {
            println!("{tool:<24}{outcome:<30}{count:>8}");
        }
        let met: BTreeSet<&str> = self.outcomes.keys().map(|(_, outcome)| outcome.as_str()).collect();
        let accepted = |tool: &str| self.outcomes.contains_key(&(tool.to_owned(), "accepted".to_owned()));
        let mut missing = self.failures.clone();
        for tool in twicetold_tool::TOOLS.iter().filter(|tool| !accepted(tool.name)) {
            missing.push(format!("{} was never accepted", tool.name));
        }
        let rules = rules_that_reject();
        for rule in &rules {
            let beyond = OUT_OF_REACH.iter().any(|(known, _)| known == rule);
            match (beyond, met.contains(rule.as_str())) {
                (false, false) => missing.push(format!("{rule} never rejected anything")),
                (true, true) => missing.push(format!("{rule} is within reach after all")),
                _ => {}
            }
        }
        for (rule, _) in OUT_OF_REACH.iter().filter(|(rule, _)| !rules.contains(*rule)) {
            missing.push(format!("{rule} is no rule any more"));
        }
        println!();
        for (rule, reason) in OUT_OF_REACH {
            println!("{rule} is out of reach: {reason}");
        }
        println!(
            "{} campaigns, {} tools, {} rules, {} things missing",
            self.campaigns,
            twicetold_tool::TOOLS.len(),
            rules.len(),
            missing.len()
        );
        missing.iter().for_each(|what| println!("missing: {what}"));
        missing.is_empty()
    }
}

/// What is wrong with a campaign that was played: it does not end, or it is not replayed identically.
fn fault(played: &Played) -> Option<String> {
    let life = played.session.campaign().state().life();
    if !matches!(life, Life::Ended { .. }) {
        return Some(format!("{life:?}"));
    }
    match replay(played.source(), None) {
        Ok(report) if matches!(report.verdict, Verdict::Identical) => None,
        Ok(_) => Some("the replay diverges".to_owned()),
        Err(error) => Some(error.to_string()),
    }
}
