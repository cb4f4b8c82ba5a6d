//! The owner's tools that say why something is so, and why a goal does not exist.

use rmcp::model::{JsonObject, Tool};
use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::{Number, Section};
use twicetold_host::{Library, words::short};
use twicetold_session::{Explainer, Loaded, Subject, goal_ids, why_not_goal};

use crate::failure::Failure;
use crate::limits::DEPTH_MAX;
use crate::page::{Answer, answer};
use crate::reading::{load, part};
use crate::tools::{arguments, tool};

/// What is to be explained.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Asked {
    /// The front of a campaign's id, or `last`.
    campaign: String,
    /// The kind of thing.
    what: What,
    /// Its name; for `number`, `rejection`, `speaker` and `reply` a sequence number.
    name: String,
    /// Steps to go back, 1 to 4.
    depth: Option<u32>,
    /// A `part` that stands in `cut` of an earlier result.
    part: Option<String>,
    /// Items or characters of that part to pass over: `next` of the same.
    #[serde(default)]
    from: usize,
}

/// A goal that is missing.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Missed {
    /// The front of a campaign's id, or `last`.
    campaign: String,
    /// The id of the goal.
    goal: String,
    /// A `part` that stands in `cut` of an earlier result.
    part: Option<String>,
    /// Items or characters of that part to pass over: `next` of the same.
    #[serde(default)]
    from: usize,
}

/// What can be explained.
#[derive(Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum What {
    /// A hidden goal, by its id.
    Goal,
    /// An NPC: how it entered the story.
    Npc,
    /// An item: why a character has it, or no longer has it.
    Item,
    /// A section of the party document: relationships, hooks, goals, tensions, events or secrets.
    Party,
    /// The last change of a character's hit points.
    Hp,
    /// The last change of a character's gold.
    Gold,
    /// The last change of an NPC's trust.
    Trust,
    /// Any input or event, by its sequence number.
    Number,
    /// The rejection at or before a sequence number.
    Rejection,
    /// Why the speaker of a turn was chosen.
    Speaker,
    /// The model reply to the request with this number.
    Reply,
}

/// The tools of this module.
pub fn tools() -> Vec<Tool> {
    vec![
        tool::<Asked, Answer<Value>>(
            "why",
            "Returns the causes of an effect: the rules, the tool call, the model reply, the request, and the events in its prompt. It shows a model's input and reply, not why the model chose it.",
        ),
        tool::<Missed, Answer<Value>>(
            "why_not",
            "Returns why a goal does not exist: each proposal that was rejected, or that there was none.",
        ),
    ]
}

/// Calls a tool of this module; nothing when it has no such tool.
pub fn call(library: &Library, name: &str, given: Option<JsonObject>) -> Option<Result<Value, Failure>> {
    Some(match name {
        "why" => arguments(given).and_then(|asked| explained(library, &asked)),
        "why_not" => arguments(given).and_then(|asked| missed(library, &asked)),
        _ => return None,
    })
}

fn explained(library: &Library, asked: &Asked) -> Result<Value, Failure> {
    let (source, loaded) = load(library, &asked.campaign)?;
    let explainer = Explainer::new(&*source, &loaded)?;
    let depth = asked.depth.unwrap_or(1).clamp(1, DEPTH_MAX);
    let wanted = part(&asked.part, asked.from);
    if let What::Goal = asked.what {
        let goal = explainer.goal(&asked.name, depth)?.ok_or_else(|| no_goal(&loaded, &asked.name))?;
        return answer(&json!(goal), &wanted);
    }
    let number = number(&explainer, source.head().next, asked)?;
    let missing = || Failure::missing(format!("there is no {number}"), "`log` lists the sequence numbers");
    if let What::Reply = asked.what {
        // The number is that of the first event; the input before it is the reply.
        let reply = explainer.reply(Number(number.0.saturating_sub(1)), depth)?.ok_or_else(missing)?;
        return answer(&json!(reply), &wanted);
    }
    answer(&json!(explainer.why(number, depth)?.ok_or_else(missing)?), &wanted)
}

fn no_goal(loaded: &Loaded, name: &str) -> Failure {
    let known = goal_ids(loaded.campaign.state());
    let help = match known.is_empty() {
        true => "no encounter has begun yet".to_owned(),
        false => format!("its goals are {}; `why_not` says why this one does not exist", known.join(", ")),
    };
    Failure::missing(format!("this campaign has no goal {:?}", short(name, 80)), help)
}

/// The number of the event that answers for what was named.
fn number(explainer: &Explainer<'_>, next: Number, asked: &Asked) -> Result<Number, Failure> {
    let name = asked.name.trim();
    let numbered = || {
        let number = name.trim_start_matches('#').parse().map(Number).map_err(|_| {
            Failure::usage(format!("{:?} is no number", short(name, 40)), "`log` lists the sequence numbers")
        })?;
        if number < next {
            return Ok(number);
        }
        let message = format!("there is no {number}; the journal ends before {next}");
        Err(Failure::missing(message, "`log` lists the sequence numbers"))
    };
    let owned = || name.to_owned();
    let (subject, help) = match asked.what {
        What::Number | What::Goal => return numbered(),
        What::Npc => (Subject::Npc(owned()), "`show` with `npcs` lists them"),
        What::Trust => (Subject::Trust(owned()), "`show` with `npcs` lists them"),
        What::Item => (Subject::Item(owned()), "`show` with `characters` and with `npcs` lists the items"),
        What::Hp => (Subject::HitPoints(owned()), "`show` with `characters` lists them"),
        What::Gold => (Subject::Gold(owned()), "`show` with `characters` lists them"),
        What::Party => (Subject::Party(section(name)?), "`show` with `party` shows the document"),
        What::Rejection => (Subject::Rejection(numbered()?), "`log` lists everything"),
        What::Speaker => (Subject::Speaker(numbered()?), "`log` lists everything"),
        What::Reply => (Subject::Reply(numbered()?), "`log` lists the requests and replies"),
    };
    let missing = || Failure::missing(format!("the journal has nothing about {:?}", short(name, 80)), help);
    explainer.number_of(&subject)?.ok_or_else(missing)
}

fn section(name: &str) -> Result<Section, Failure> {
    let named = Section::ALL.into_iter().find(|section| section.name().eq_ignore_ascii_case(name));
    named.ok_or_else(|| {
        let names: Vec<&str> = Section::ALL.iter().map(|section| section.name()).collect();
        let message = format!("the party document has no section {:?}", short(name, 40));
        Failure::usage(message, format!("its sections are {}", names.join(", ")))
    })
}

fn missed(library: &Library, asked: &Missed) -> Result<Value, Failure> {
    let (source, loaded) = load(library, &asked.campaign)?;
    let explainer = Explainer::new(&*source, &loaded)?;
    if let Some(goal) = explainer.goal(&asked.goal, 1)? {
        let message = format!("the goal {} exists", goal.goal);
        return Err(Failure::missing(message, "`why` with `goal` says why"));
    }
    answer(&json!(why_not_goal(&explainer, &asked.goal)?), &part(&asked.part, asked.from))
}
