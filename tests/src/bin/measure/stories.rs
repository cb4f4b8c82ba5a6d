//! Plays each bundled campaign with the improviser and says how its stories differ: `stories [--repeated] [SEEDS [CAMPAIGN…]]`. Also those in
//! `tests/campaigns`, by their names.
//!
//! For each encounter: how it ended, and in how many orders its checks were tried. For each campaign: the share of long sentences that
//! stand in three or more of its stories, and what happened to the characters. Of all together, what of the tools nobody used. With `--repeated` these sentences too, most often told first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value};
use twicetold_event::{Event, Fate};
use twicetold_projection::people::LineKind;
use twicetold_session::{JournalCursor, load};
use twicetold_tests::{CAMPAIGNS, Game, Played};

/// Shorter sentences are said again by anybody.
const LONG: usize = 40;
/// A sentence that stands in so many stories is a repeated one.
const REPEATED: usize = 3;

pub fn main(words: Vec<String>) {
    let (options, words): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word.starts_with("--"));
    let listed = options.iter().any(|option| option == "--repeated");
    let mut words = words.into_iter();
    let seeds: u64 = words.next().and_then(|count| count.parse().ok()).unwrap_or(20);
    let named: Vec<String> = words.collect();
    let campaigns = CAMPAIGNS.iter().map(|name| (*name).to_owned());
    let (mut known, mut used) = (BTreeSet::new(), BTreeSet::new());
    for campaign in if named.is_empty() { campaigns.collect() } else { named } {
        let stories = Mutex::new(BTreeMap::new());
        let next = AtomicU64::new(1);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        if seed > seeds {
                            return;
                        }
                        let story = Story::of(&Game::of(&campaign, seed).improvised());
                        if let Ok(mut stories) = stories.lock() {
                            stories.insert(seed, story);
                        }
                    }
                });
            }
        });
        let stories = stories.into_inner().expect("no story panicked");
        print(&campaign, &stories, listed);
        for story in stories.into_values() {
            known.extend(story.known);
            used.extend(story.tools.into_iter().chain(story.fields));
        }
    }
    println!("tools and their fields: {}", known.len());
    println!("never used in any of these campaigns: {}", join(known.difference(&used)));
}

/// What is counted of a campaign that was played.
#[derive(Default)]
struct Story {
    /// Of each encounter its outcome and the checks in the order in which they were tried.
    encounters: Vec<(String, String, Vec<String>)>,
    sentences: BTreeSet<String>,
    /// Characters who went down, got up again, were helped up, died, were taken away.
    fates: [u64; 5],
    tools: BTreeSet<String>,
    /// Arguments of accepted calls, as `tool.argument`; and all that there are, with the tools.
    fields: BTreeSet<String>,
    known: BTreeSet<String>,
}

impl Story {
    fn of(played: &Played) -> Story {
        let mut story = Story::default();
        let mut checks = Vec::new();
        let mut end = |encounter: &str, outcome: String, checks: &mut Vec<String>| {
            story.encounters.push((encounter.to_owned(), outcome, std::mem::take(checks)));
        };
        let failures: BTreeSet<String> = played
            .session
            .campaign()
            .state()
            .encounters_over()
            .iter()
            .filter(|over| over.failed)
            .map(|over| over.id.clone())
            .collect();
        for event in &played.events {
            match event {
                Event::AbilityChecked(word) if !word.check.is_empty() && !checks.contains(&word.check) => {
                    checks.push(word.check.clone());
                }
                Event::EncounterResolved(word) => {
                    let failed = if failures.contains(&word.encounter) { "failed: " } else { "" };
                    end(&word.encounter, format!("{failed}{}", word.outcome), &mut checks);
                }
                Event::EncounterFailed(word) => {
                    end(&word.encounter, format!("failed, untold: {}", word.outcome), &mut checks);
                }
                Event::EncounterUnresolved(word) => {
                    end(&word.encounter, format!("unresolved: {}", word.reason.rule), &mut checks);
                }
                _ => {}
            }
        }
        let source = played.session.journal();
        let loaded = load(source).expect("a whole journal");
        let cursor = JournalCursor::new(source, loaded.campaign.amended()).expect("a charter");
        for event in &played.events {
            match event {
                Event::HitPointsChanged(word) => {
                    story.fates[0] += u64::from(word.now <= 0 && word.applied < 0)
                }
                Event::CharacterRecovered(word) => {
                    story.fates[if word.helper.is_empty() { 1 } else { 2 }] += 1
                }
                Event::CharacterLost(word) => story.fates[if word.fate == Fate::Dies { 3 } else { 4 }] += 1,
                Event::ToolAccepted(word) => {
                    story.tools.insert(word.tool.clone());
                    let reply = cursor.reply(word.call).expect("it can be read").expect("it was answered");
                    let call = &reply.tool_calls[usize::from(word.index)];
                    story.fields.extend(names(&word.tool, &call.arguments));
                }
                _ => {}
            }
        }
        for file in &played.session.campaign().state().setup().files {
            let Some(tool) = file.path.strip_prefix("tools/").and_then(|name| name.strip_suffix(".json"))
            else {
                continue;
            };
            let spec: Value = serde_json::from_str(&file.text).expect("a tool");
            story.known.extend(names(tool, &spec["schema"]["properties"].to_string()));
            story.known.insert(tool.to_owned());
        }
        // What its author wrote may be said in every story.
        let files = played.session.campaign().state().setup();
        let written: Vec<String> = files.files.iter().map(|file| unbroken(&file.text)).collect();
        // A note of the file ends in a semicolon where a sentence of the story ends in a full stop.
        let ends = |sentence: &str| unbroken(sentence).trim_end_matches(['.', ',', '!', '?']).to_owned();
        let is_own = |sentence: &String| written.iter().any(|text| text.contains(&ends(sentence)));
        let spoken = played.transcript.iter().filter(|line| line.kind == LineKind::Speech);
        story.sentences = spoken.flat_map(|line| sentences(&line.text)).filter(|one| !is_own(one)).collect();
        story
    }
}

/// The members of an object, as `tool.member`.
fn names(tool: &str, object: &str) -> Vec<String> {
    let members: Map<String, Value> = serde_json::from_str(object).unwrap_or_default();
    members.keys().map(|name| format!("{tool}.{name}")).collect()
}

fn join<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// A text without its line breaks, quotation marks and capitals: an author's files break lines where a story does not.
fn unbroken(text: &str) -> String {
    let words = text.split(|letter: char| letter.is_whitespace() || letter == '\\' || letter == '"');
    let text = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").to_lowercase();
    text.replace(DOT, ".")
}

/// Stands for a full stop that ends no sentence.
const DOT: char = '\u{2024}';

fn sentences(text: &str) -> Vec<String> {
    let text = text.replace("Mrs. ", &format!("Mrs{DOT} ")).replace("Mr. ", &format!("Mr{DOT} "));
    let parts = text.split_inclusive(['.', '!', '?', '\n']).map(|part| part.trim_matches(['"', ' ', '\n']));
    parts.filter(|part| part.chars().count() > LONG).map(str::to_owned).collect()
}

/// How an encounter went in all stories.
#[derive(Default)]
struct Ways<'s> {
    outcomes: BTreeMap<&'s str, u64>,
    orders: BTreeSet<&'s [String]>,
}

fn print(campaign: &str, stories: &BTreeMap<u64, Story>, listed: bool) {
    println!("{campaign}, {} stories", stories.len());
    let mut encounters: BTreeMap<&str, Ways> = BTreeMap::new();
    for (encounter, outcome, checks) in stories.values().flat_map(|story| &story.encounters) {
        let found = encounters.entry(encounter).or_default();
        *found.outcomes.entry(outcome).or_default() += 1;
        found.orders.insert(checks);
    }
    for (encounter, Ways { outcomes, orders }) in encounters {
        println!("  {encounter}: {} orders of checks", orders.len());
        for (outcome, count) in outcomes {
            println!("    {count:>4}  {outcome}");
        }
    }
    let mut stand: BTreeMap<&str, usize> = BTreeMap::new();
    for sentence in stories.values().flat_map(|story| &story.sentences) {
        *stand.entry(sentence).or_default() += 1;
    }
    let all: usize = stand.values().sum();
    let repeated: usize = stand.values().filter(|count| **count >= REPEATED).sum();
    println!("  repeated sentences: {} %", (repeated * 100).checked_div(all).unwrap_or(0));
    if listed {
        let mut often: Vec<_> = stand.into_iter().filter(|(_, count)| *count >= REPEATED).collect();
        often.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for (sentence, count) in often {
            println!("    {count:>4}  {sentence}");
        }
    }
    let fates = stories
        .values()
        .fold([0; 5], |sum, story| std::array::from_fn(|place| sum[place] + story.fates[place]));
    let [down, came_to, helped, dead, taken] = fates;
    println!("  down {down}, came to {came_to}, helped up {helped}, dead {dead}, taken away {taken}");
    let tools: BTreeSet<&str> =
        stories.values().flat_map(|story| story.tools.iter().map(String::as_str)).collect();
    let unused = twicetold_tool::TOOLS.iter().map(|tool| tool.name).filter(|name| !tools.contains(name));
    println!("  tools never used: {}", unused.collect::<Vec<_>>().join(", "));
}
