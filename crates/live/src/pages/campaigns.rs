//! All campaigns, the newest first.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query, State};
use twicetold_event::CampaignId;
use twicetold_host::Error;
use twicetold_host::brief::{Brief, brief};
use twicetold_report::day;

use super::address;
use super::playing::Choices;
use crate::answer::{Answer, Problem, blocking, html};
use crate::{App, limits};

#[derive(Template)]
#[template(path = "campaigns.html")]
struct Page {
    search: String,
    all: usize,
    folder: String,
    /// What a new one can be, and the token of its form; none where nothing can be changed.
    start: Option<(Choices, String)>,
    rows: Vec<Row>,
}

/// A campaign in the list.
struct Row {
    address: String,
    id: String,
    title: String,
    standing: &'static str,
    detail: String,
    turns: u32,
    models: String,
    cost: String,
    started: String,
    opened: u64,
}

/// What is looked for.
#[derive(Default)]
pub(crate) struct Asked(String);

/// The page.
pub(crate) async fn page(State(app): State<Arc<App>>, Query(query): Query<Vec<(String, String)>>) -> Answer {
    let search = query.into_iter().find(|(name, _)| name == "search");
    let search = search.map(|(_, text)| text.chars().take(limits::SEARCH_CHARS_MAX).collect());
    let asked = Asked(search.unwrap_or_default());
    let page = blocking(app, move |app| Ok(listed(app, asked)?.render()?)).await?;
    Ok(html(page))
}

fn listed(app: &App, Asked(search): Asked) -> Result<Page, Problem> {
    let ids = app.library.list()?;
    let mut rows: Vec<Row> = ids.iter().map(|id| row(*id, app.brief(*id))).collect();
    let all = rows.len();
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    rows.retain(|row| words.iter().all(|word| row.holds(word)));
    rows.sort_by(|one, other| (other.opened, &other.id).cmp(&(one.opened, &one.id)));
    let folder = app.library.name();
    let start = (!app.settings.read_only).then(|| app.choices()).transpose()?;
    let start = start.map(|choices| (choices, app.form_token()));
    Ok(Page { search, all, folder, start, rows })
}

fn row(id: CampaignId, known: Result<Brief, Error>) -> Row {
    let (address, name) = (address(id), id.to_string());
    match known {
        Ok(brief) => Row {
            address,
            id: name,
            title: if brief.title.is_empty() { "Untitled".to_owned() } else { brief.title },
            standing: brief.standing,
            detail: brief.detail,
            turns: brief.turns,
            models: brief.models.join(", "),
            cost: cost(brief.tokens, brief.money),
            started: if brief.opened.0 == 0 { String::new() } else { day(brief.opened.0) },
            opened: brief.opened.0,
        },
        Err(error) => Row {
            address,
            title: "A campaign that cannot be read".to_owned(),
            id: name,
            standing: "unreadable",
            detail: error.message,
            turns: 0,
            models: String::new(),
            cost: String::new(),
            started: String::new(),
            opened: 0,
        },
    }
}

fn cost(tokens: u64, mut money: Vec<String>) -> String {
    let rounded = match tokens {
        0..1_000 => format!("{tokens} tokens"),
        1_000..1_000_000 => format!("{}.{}k tokens", tokens / 1_000, tokens % 1_000 / 100),
        _ => format!("{}.{}M tokens", tokens / 1_000_000, tokens % 1_000_000 / 100_000),
    };
    money.push(rounded);
    money.join(", ")
}

impl Row {
    fn holds(&self, word: &str) -> bool {
        let texts = [&self.id, &self.title, &self.detail, &self.models];
        self.standing.contains(word) || texts.iter().any(|text| text.to_lowercase().contains(word))
    }
}

impl App {
    /// What the list says of a campaign. It is read again only when something was added to it.
    pub(crate) fn brief(&self, id: CampaignId) -> Result<Brief, Error> {
        let next = self.library.read(id)?.head().next;
        let known = self.briefs.lock().ok().and_then(|briefs| briefs.get(&id).cloned());
        if let Some((_, brief)) = known.filter(|(at, _)| *at == next) {
            return Ok(brief);
        }
        let brief = brief(&self.library, id)?;
        if let Ok(mut briefs) = self.briefs.lock() {
            briefs.insert(id, (next, brief.clone()));
        }
        Ok(brief)
    }
}
