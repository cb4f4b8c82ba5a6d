//! Why not: what was asked for and rejected, or never asked for; and everything that rejects.

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::{CutRule, Event, Number, SpeechCut, Verdict};
use twicetold_projection::people::{advice, kept, missing, observed, problems};
use twicetold_projection::recorded;

use super::goal::REGISTER;
use super::{Cause, Chain, Explainer};
use crate::{LoadError, entries};

/// Rejections of one name that are told: the newest ones.
const REJECTIONS_MAX: usize = 16;

/// Why something is not there.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WhyNot {
    /// What was asked about.
    pub goal: String,
    /// Every time that it was proposed and rejected, newest last.
    pub rejected: Vec<Chain>,
    /// How often a goal could have been registered: answers to requests that offered the tool.
    pub answers: u64,
    /// The ids that were proposed in them, accepted or not.
    pub proposed: Vec<String>,
}

/// Why there is no goal with this name: it was rejected, or nobody ever asked for it.
///
/// # Errors
/// The journal is damaged.
pub fn why_not_goal(explainer: &Explainer<'_>, name: &str) -> Result<WhyNot, LoadError> {
    let wanted = bare(name);
    let mut why_not =
        WhyNot { goal: name.to_owned(), rejected: Vec::new(), answers: 0, proposed: Vec::new() };
    let mut numbers: Vec<Number> = Vec::new();
    for entry in entries(explainer.cursor.source())? {
        let entry = entry?;
        if let Some(call) = entry.input.call().filter(|_| !entry.events.is_empty())
            && let Some((number, requested)) = explainer.cursor.request(call)?
            && requested.seat == twicetold_event::Seat::Dm
        {
            let setup = explainer.cursor.setup_at(number);
            let tool = setup.file_index(&format!("tools/{REGISTER}.json")).map(|file| file as u16);
            let items = explainer.cursor.items(number, &requested)?;
            let offers = |item: &_| matches!(item, twicetold_event::Item::Tool(file) if Some(*file) == tool);
            why_not.answers += u64::from(items.iter().any(offers));
        }
        for outcome in entry.tool_calls().filter(|outcome| outcome.tool() == REGISTER) {
            let id = argument(&explainer.tool_call(&entry, &outcome)?.arguments, "id");
            if matches!(outcome.verdict, Verdict::Rejected(_)) && bare(&id) == wanted {
                numbers.push(outcome.number);
            }
            why_not.proposed.push(id);
        }
    }
    let skip = numbers.len().saturating_sub(REJECTIONS_MAX);
    for number in numbers.into_iter().skip(skip) {
        why_not.rejected.extend(explainer.why(number, 1)?);
    }
    Ok(why_not)
}

/// Is it an event by which something was rejected, cut or passed over?
pub(super) fn rejects(event: &Event) -> bool {
    matches!(event, Event::ToolRejected(_)) || whole(event).is_some()
}

/// What rejected or cut an answer as a whole, or what stood in it outside of tool calls; none for any other event.
pub(super) fn whole(event: &Event) -> Option<Cause> {
    let (rule, observed, advice) = match event {
        Event::ReplyRejected(word) => {
            (word.rule.as_str(), observed(&word.rule, &word.values), advice(&word.rule, &word.values))
        }
        Event::ReplyIgnored(_) => ("not_pending", recorded(event)?, String::new()),
        Event::SpeechCut(word) => {
            let (rule, observed) = cut(word);
            (rule, observed, String::new())
        }
        Event::MarkerIgnored(_) => ("marker_ignored", recorded(event)?, String::new()),
        Event::MarkerRejected(word) => ("phase_incomplete", missing(&word.missing), String::new()),
        Event::CharacterRejected(word) => {
            let observed = format!("attempt {}: {}", word.attempt, problems(&word.reasons));
            ("character_sheet", observed, String::new())
        }
        Event::NpcProfileKept(word) => ("character_profile", kept(&word.reason), String::new()),
        _ => return None,
    };
    Some(Cause::Rejected { call: None, rule: rule.to_owned(), observed, advice, said: None })
}

/// The rule by which words were cut, and what it observed.
fn cut(word: &SpeechCut) -> (&'static str, String) {
    let of = |name| word.values.get(name).unwrap_or_default();
    let (at, bytes) = (word.at, of("bytes"));
    match word.rule {
        CutRule::SpokeForAnother => {
            ("spoke_for_another", format!("from byte {at} on it speaks in the name of {}", of("name")))
        }
        CutRule::TooLong => ("too_long", format!("{bytes} bytes, at most {}, cut at byte {at}", of("most"))),
        CutRule::Unfinished => {
            let stopped = "stopped at its limit of tokens";
            ("unfinished", format!("{stopped}; {bytes} bytes of a sentence without its end are not spoken"))
        }
        CutRule::Repeats => {
            let says = "says the same over and over";
            ("repeats", format!("{says}; {bytes} bytes of it are not spoken, from byte {at} on"))
        }
        CutRule::Copied => {
            ("copied", format!("copied from its prompt; {bytes} bytes are not spoken, from byte {at} on"))
        }
        CutRule::CallText => {
            let text = "the text of a tool call, beside calls that could be read";
            ("call_text", format!("{text}; {bytes} bytes are not spoken, from byte {at} on"))
        }
        CutRule::EndMark => {
            let mark = "a chat template's mark, with which its message ends";
            ("end_mark", format!("{mark}; {bytes} bytes are not spoken, from byte {at} on"))
        }
    }
}

/// An id without what the referee puts before it, in lower case.
fn bare(id: &str) -> String {
    let id = id.trim().to_lowercase();
    id.strip_prefix("dynamic_").map_or(id.clone(), str::to_owned)
}

/// A text among arguments; empty where they cannot be read.
pub(super) fn argument(arguments: &str, name: &str) -> String {
    let read: Result<serde_json::Value, _> = serde_json::from_str(arguments);
    read.ok().and_then(|read| read.get(name)?.as_str().map(str::to_owned)).unwrap_or_default()
}
