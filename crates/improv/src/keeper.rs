//! The memory keeper beside its summaries: what is kept of a conversation, and profiles of new people.

use serde_json::json;

use super::grammar::{Scribe, capital, made_after};
use super::read::{sentences, short};
use super::request::Request;
use super::talk_lines::*;

/// How many sentences of the person who was spoken to are kept.
const TOLD_MAX: usize = 2;
/// How many facts the person is to remember.
const FACTS_MAX: usize = 3;

/// A summary of a conversation, and below it what the person learned of the party.
pub(super) fn dialogue(request: &Request<'_>) -> String {
    let talk = request.tagged("dialogue");
    let npc = attribute(request, "with");
    let mut told: Vec<(bool, &str)> = Vec::new();
    // What everybody says to everybody is not kept.
    let is_custom = |said: &str| {
        [WELCOME, WELCOME_BACK, REFUSE, FAREWELL, WARMED, COOLED]
            .iter()
            .any(|of| made_after(said, of).is_some())
    };
    let own =
        talk.lines().filter(|line| line.split_once(": ").is_some_and(|(speaker, _)| speaker == npc)).count();
    let mut answers = 0;
    let mut asked: Vec<(&str, &str)> = Vec::new();
    for line in talk.lines() {
        if let Some((speaker, said)) = line.split_once(": ") {
            let of_himself = sentences(said).into_iter().filter(|sentence| is_statement(sentence));
            answers += usize::from(speaker == npc);
            // Neither is how somebody greets, nor how somebody takes leave, unless nothing else was said.
            let last = sentences(said).last().copied().filter(|_| answers == own);
            let is_matter = |said: &str| answers > 1 && Some(said) != last;
            match speaker == npc {
                true => told
                    .extend(of_himself.filter(|said| !is_custom(said)).map(|said| (is_matter(said), said))),
                false => asked.extend(of_himself.map(|sentence| (speaker, sentence))),
            }
        }
    }
    let who = attribute(request, "of");
    let mut kept = vec![format!("{who} talked with {npc}.")];
    // Who tells much in a sentence tells something: the longest ones of the matter, in the order in which they were said.
    let mut longest = told.clone();
    longest.sort_by_key(|(is_matter, said)| (!is_matter, std::cmp::Reverse(said.len())));
    longest.truncate(TOLD_MAX);
    for (_, sentence) in told.iter().filter(|said| longest.contains(said)) {
        kept.push(format!("{npc} said: \"{sentence}\""));
    }
    let given = request.lines.iter().filter_map(|line| line.text.strip_prefix("[item] "));
    kept.extend(given.map(|given| format!("{}.", given.trim_end_matches('.'))));
    let binding = ["promise", "my word", " want ", "have to"];
    let facts = asked.into_iter().filter(|(_, said)| binding.iter().any(|word| said.contains(word)));
    let facts = facts.take(FACTS_MAX);
    let facts: Vec<String> = facts.map(|(who, sentence)| format!("- {who} said: \"{sentence}\"")).collect();
    format!("{}\n\n{}", kept.join(" "), facts.join("\n")).trim().to_owned()
}

/// Whether somebody says something about themselves here.
fn is_statement(sentence: &str) -> bool {
    let own = sentence.starts_with("I ") || sentence.contains(" I ") || sentence.starts_with("My ");
    own && (16..400).contains(&sentence.len()) && sentence.ends_with(['.', '!']) && !sentence.contains('"')
}

/// The value of an attribute of the conversation.
fn attribute<'r>(request: &'r Request<'_>, name: &str) -> &'r str {
    let lead = format!(" {name}=\"");
    let head = request.material.find("<dialogue").and_then(|at| request.material.get(at..));
    let head = head.and_then(|head| head.lines().next()).unwrap_or("");
    let value = head.find(&lead).and_then(|at| head.get(at + lead.len()..)).unwrap_or("");
    value.split('"').next().unwrap_or("")
}

/// A profile of somebody new, as one JSON object.
pub(super) fn profile(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let about = request.tagged("character");
    let field = |key: &str| {
        let line = about.lines().find_map(|line| line.trim().strip_prefix(key));
        line.map(str::trim).unwrap_or("").to_owned()
    };
    let (name, place, said) = (field("name:"), field("place:"), field("what the Dungeon Master said:"));
    let noted = sentences(&said).first().map(|line| capital(line));
    let habit = scribe.say(HABITS);
    json!({
        "appearance": scribe.say(LOOKS),
        "personality": format!("{} {}", short(&name), super::companion::lower_first(&scribe.say(NATURES))),
        "motivations": [super::companion::lower_first(&scribe.say(ERRANDS))],
        "location": place,
        "notes": noted.filter(|line| line.len() > 8).unwrap_or(habit),
    })
    .to_string()
}
