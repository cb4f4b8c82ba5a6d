//! Why something happened: one page for every sequence number.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use twicetold_event::Number;
use twicetold_report::{Record, WhyPage, why_page};

use super::campaign::number;
use super::{address, found, why_base};
use crate::App;
use crate::answer::{Answer, Problem, blocking, html};

#[derive(Template)]
#[template(path = "cause.html")]
struct Page {
    address: String,
    title: String,
    why: WhyPage,
    before: Option<u64>,
    after: Option<u64>,
    base: String,
}

/// The page.
pub(crate) async fn page(State(app): State<Arc<App>>, Path((name, asked)): Path<(String, String)>) -> Answer {
    let page = blocking(app, move |app| shown(app, &name, &asked)).await?;
    Ok(html(page))
}

fn shown(app: &App, name: &str, asked: &str) -> Result<String, Problem> {
    let id = found(app, name)?;
    let asked = number(asked)?;
    let source = app.library.read(id).map_err(Problem::from)?;
    let record = Record::until(&*source, None)?;
    let base = why_base(id);
    let last = record.next().0.saturating_sub(1);
    let Some(why) = why_page(&*source, &record, Number(asked), &base)? else {
        let message = match asked <= last {
            true => format!("#{asked} is an input, and no event came of it."),
            false => format!("There is no #{asked} in this campaign; its last number is #{last}."),
        };
        return Err(Problem::new(
            StatusCode::NOT_FOUND,
            message,
            "The story of the campaign shows its numbers.",
        ));
    };
    let title = record.campaign().state().setup().campaign.title.clone();
    let (before, after) = (why.number.checked_sub(1), Some(why.number + 1).filter(|after| *after <= last));
    Ok(Page { address: address(id), title, why, before, after, base }.render()?)
}
