//! Goals and what became of them: there from the beginning, proposed, rejected, registered, reached.

use askama::Template;
use twicetold_event::{Event, Number, Verdict};
use twicetold_projection::people;
use twicetold_session::{Cause, Explainer, LoadError};

use super::Frame;
use super::story::{self, Why, why};
use crate::{Record, ReportError};

/// The section of a page.
#[derive(Template)]
#[template(path = "goals.html")]
struct Goals<'a> {
    frame: Frame<'a>,
    encounters: Vec<Encounter>,
}

/// The section of all goals. Where there is an explainer, it says of each proposed one why it is there.
pub(super) fn section(
    journal: &Record,
    explainer: Option<&Explainer<'_>>,
    frame: Frame<'_>,
) -> Result<String, ReportError> {
    Ok(Goals { frame, encounters: encounters(journal, explainer)? }.render()?)
}

/// An encounter's goals.
struct Encounter {
    number: u64,
    title: String,
    ended: String,
    goals: Vec<Goal>,
}

struct Goal {
    label: String,
    id: String,
    kind: &'static str,
    /// `reached`, `missed`, `open`, `rejected`, and of failures `happened` or `averted`.
    fate: &'static str,
    /// Its life in order: what happened, and where.
    life: Vec<(&'static str, u64)>,
    /// Why it is there, for one that was proposed.
    why: Option<Why>,
}

fn encounters(journal: &Record, explainer: Option<&Explainer<'_>>) -> Result<Vec<Encounter>, LoadError> {
    let mut found: Vec<Encounter> = Vec::new();
    let mut pages = people::goals(journal.state()).into_iter();
    for entry in &journal.entries {
        for (number, event) in entry.numbered() {
            match event {
                Event::EncounterBegan(_) => found.extend(pages.next().map(|page| begun(page, number.0))),
                Event::EncounterResolved(word) => reached(&mut found, &word.outcome, number.0),
                Event::EncounterFailed(word) => reached(&mut found, &word.outcome, number.0),
                _ => {}
            }
        }
        let Some(encounter) = found.last_mut() else { continue };
        for outcome in entry.tool_calls().filter(|outcome| outcome.tool() == "goal_register") {
            let why = why(journal, explainer, outcome.number)?;
            if let Verdict::Rejected(_) = outcome.verdict {
                let label = why.as_ref().map_or_else(|| UNREAD.to_owned(), label);
                let life = vec![("proposed and rejected", outcome.number.0)];
                encounter.goals.push(Goal {
                    label,
                    id: String::new(),
                    kind: "",
                    fate: "rejected",
                    life,
                    why,
                });
                continue;
            }
            let holds = |(_, number): &(&str, u64)| outcome.holds(Number(*number));
            if let Some(goal) = encounter.goals.iter_mut().find(|goal| goal.life.iter().any(holds)) {
                goal.life.insert(0, ("proposed and accepted", outcome.number.0));
                goal.why = why;
            }
        }
    }
    Ok(found)
}

fn begun(page: people::Goals, number: u64) -> Encounter {
    let over = page.ended.is_some();
    let goals = page.goals.into_iter().map(|goal| Goal {
        life: vec![match goal.registered {
            Some(registered) => ("registered", registered),
            None => ("of the encounter from the beginning", number),
        }],
        kind: goal.kind(),
        fate: match (goal.reached, over) {
            (true, _) if goal.failure => "happened",
            (true, _) => "reached",
            (false, true) if goal.failure => "averted",
            (false, true) => "missed",
            (false, false) => "open",
        },
        label: goal.label,
        id: goal.id,
        why: None,
    });
    Encounter { number, title: page.title, ended: page.ended.unwrap_or_default(), goals: goals.collect() }
}

/// A rejected proposal of which nothing is known but that it was rejected.
const UNREAD: &str = "a goal that was proposed";

/// What a rejected proposal was about, as far as its arguments say.
fn label(why: &Why) -> String {
    let arguments = match &why.chain.cause {
        Cause::Rejected { call: Some(call), .. } => call.arguments.as_str(),
        _ => "",
    };
    let value: serde_json::Value = serde_json::from_str(arguments).unwrap_or_default();
    let text = ["label", "id"].iter().find_map(|key| value.get(key)?.as_str());
    text.unwrap_or(UNREAD).to_owned()
}

/// The goal by which the last encounter ended.
fn reached(found: &mut [Encounter], outcome: &str, number: u64) {
    let goals = found.last_mut().into_iter().flat_map(|encounter| &mut encounter.goals);
    let reached = goals.into_iter().find(|goal| goal.id == outcome);
    reached.into_iter().for_each(|goal| goal.life.push(("reached", number)));
}
