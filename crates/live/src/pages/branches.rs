//! Branches: which campaign branches off which, two beside each other, and a new one from any moment.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query, State};
use twicetold_event::{CampaignId, Number};
use twicetold_host::branching::{Change, fork};
use twicetold_host::brief::Brief;
use twicetold_projection::people::Line;
use twicetold_report::day;
use twicetold_session::{Branched, Difference, FactValue, Nothing, diff};

use super::{address, found, why_base};
use crate::answer::{Answer, Problem, blocking, html};
use crate::form::{Fields, to};
use crate::{App, limits};

#[derive(Template)]
#[template(path = "branches.html")]
struct Page {
    address: String,
    title: String,
    rows: Vec<Row>,
}

/// A campaign in the tree, drawn as a list within a list.
struct Row {
    address: String,
    id: String,
    title: String,
    standing: &'static str,
    turns: u32,
    started: String,
    /// Where it leaves its parent, and what was changed; nothing for a root.
    branch: Option<(u64, String)>,
    /// The page that compares it with its parent.
    compare: String,
    depth: usize,
    is_this: bool,
}

/// All campaigns that have a common ancestor with the one that is asked for.
pub(crate) async fn page(State(app): State<Arc<App>>, Path(name): Path<String>) -> Answer {
    let page = blocking(app, move |app| shown(app, &name)).await?;
    Ok(html(page))
}

fn shown(app: &App, name: &str) -> Result<String, Problem> {
    let id = found(app, name)?;
    let known = app.library.list()?.into_iter().filter_map(|id| Some((id, app.brief(id).ok()?)));
    let known: BTreeMap<CampaignId, Brief> = known.collect();
    let mut root = id;
    // A parent that is gone leaves its branches a tree of their own. No campaign is its own ancestor, whatever a file says.
    for _ in 0..known.len() {
        match known
            .get(&root)
            .and_then(|brief| brief.parent.as_ref())
            .filter(|parent| known.contains_key(&parent.id))
        {
            Some(parent) => root = parent.id,
            None => break,
        }
    }
    let mut rows = Vec::new();
    let mut open = vec![(root, 0)];
    while let Some((next, depth)) = open.pop() {
        let Some(brief) = known.get(&next).filter(|_| rows.len() < known.len()) else { continue };
        let parent = brief.parent.as_ref();
        rows.push(Row {
            address: address(next),
            id: format!("{next:.8}"),
            title: brief.title.clone(),
            standing: brief.standing,
            turns: brief.turns,
            started: day(brief.opened.0),
            branch: parent.map(|parent| (parent.at.0.saturating_sub(1), parent.changed.clone())),
            compare: parent
                .map_or_else(String::new, |parent| format!("/compare?one={}&other={next}", parent.id)),
            depth,
            is_this: next == id,
        });
        let children =
            known.values().filter(|brief| brief.parent.as_ref().is_some_and(|parent| parent.id == next));
        let mut children: Vec<&Brief> = children.collect();
        children.sort_by_key(|brief| std::cmp::Reverse(brief.opened));
        open.extend(children.into_iter().map(|brief| (brief.id, depth + 1)));
    }
    let title = known.get(&id).map_or_else(String::new, |brief| brief.title.clone());
    Ok(Page { address: address(id), title, rows }.render()?)
}

#[derive(Template)]
#[template(path = "compare.html")]
struct Compare {
    one: Side,
    other: Side,
    shared: Option<u64>,
    changes: Vec<(String, String, Vec<String>)>,
    told: Vec<[Option<Told>; 2]>,
    more: u64,
    facts: Vec<(String, [Option<String>; 2])>,
}

struct Side {
    address: String,
    id: String,
    /// What it has first that the other has not.
    parting: Option<(u64, String)>,
}

struct Told {
    number: u64,
    why: String,
    speaker: String,
    text: String,
}

/// Two campaigns beside each other.
pub(crate) async fn compare(
    State(app): State<Arc<App>>,
    Query(query): Query<Vec<(String, String)>>,
) -> Answer {
    let value = |wanted: &str| {
        let found = query.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let (one, other) = (value("one"), value("other"));
    let page = blocking(app, move |app| compared(app, &one, &other)).await?;
    Ok(html(page))
}

fn compared(app: &App, one: &str, other: &str) -> Result<String, Problem> {
    let (one, other) = (found(app, one)?, found(app, other)?);
    let (left, right) =
        (app.library.read(one).map_err(Problem::from)?, app.library.read(other).map_err(Problem::from)?);
    let Difference { shared, parting, changed, mut told, told_differing, mut facts } =
        diff(&*left, &*right).map_err(twicetold_host::Error::from)?;
    let side = |id: CampaignId, parting| Side { address: address(id), id: format!("{id:.8}"), parting };
    let changes = [(one, changed.0), (other, changed.1)].into_iter();
    let changes = changes.filter_map(|(id, change)| change.map(|change| became(id, change))).collect();
    told.truncate(limits::DIFFERENCES_MAX);
    facts.truncate(limits::DIFFERENCES_MAX);
    let line = |id: CampaignId, line: Line| Told {
        why: format!("{}{}", why_base(id), line.number),
        number: line.number,
        speaker: line.speaker,
        text: line.text,
    };
    let more = told_differing.saturating_sub(told.len() as u64);
    let told = told
        .into_iter()
        .map(|(left, right)| [left.map(|left| line(one, left)), right.map(|right| line(other, right))]);
    let text = |value: Option<FactValue>| value.map(|value| value.to_string());
    let page = Compare {
        one: side(one, parting.0),
        other: side(other, parting.1),
        shared: shared.checked_sub(1),
        changes,
        told: told.collect(),
        more,
        facts: facts.into_iter().map(|(path, left, right)| (path, [left, right].map(text))).collect(),
    };
    Ok(page.render()?)
}

/// What a branch changed and what came of it, in sentences.
fn became(id: CampaignId, change: Branched) -> (String, String, Vec<String>) {
    let mut came: Vec<String> = Vec::new();
    match change.used_at.filter(|_| change.why_nothing.is_empty()) {
        Some(number) => came.push(format!("It is used first in #{number}.")),
        None if change.why_nothing.is_empty() => {}
        None => came.extend(change.why_nothing.iter().map(|why| {
            let why = match why {
                Nothing::NothingChanged => "the branch repeats the other campaign".to_owned(),
                Nothing::NotPlayed => "the branch has not been played yet".to_owned(),
                Nothing::NeverDrawn { stream, counter, .. } => {
                    format!("draw {counter} of {stream} was never made")
                }
                Nothing::SameOutcome { stream, counter } => {
                    format!("draw {counter} of {stream} changed no outcome")
                }
                Nothing::Unused => "no request and no result of a rule depends on it".to_owned(),
                Nothing::SameAnswers { .. } => "requests differ, and the answers led to the same".to_owned(),
            };
            format!("It had no effect: {why}.")
        })),
    }
    (format!("{id:.8}"), change.what, came)
}

/// Makes a branch and goes on to its page.
pub(crate) async fn make(State(app): State<Arc<App>>, Path(name): Path<String>, fields: Fields) -> Answer {
    let made = blocking(app, move |app| {
        let id = found(app, &name)?;
        let some = |name: &str| fields.get(name).map(str::to_owned).into_iter().collect();
        let change = Change {
            at: fields.number("at")?.map(Number),
            seed: fields.number("seed")?,
            model: some("model"),
            config: app.settings.config.clone(),
            limit: some("limit"),
            draw: some("draw"),
            resample: fields.get("resample").is_some(),
            ..Change::default()
        };
        Ok(fork(&app.library, &id.to_string(), &change)?.id)
    });
    Ok(to(&address(made.await?)))
}
