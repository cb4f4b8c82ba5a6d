//! The pages, one file each.

mod branches;
mod campaign;
mod campaigns;
mod playing;
pub(crate) mod seat;
mod why;

pub(crate) use campaign::{before, now, number};

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use twicetold_event::CampaignId;

use crate::answer::{self, Problem};
use crate::{App, stream};

/// Which address leads to which page.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(campaigns::page))
        .route("/campaigns", post(playing::start))
        .route("/campaigns/{id}", get(campaign::page))
        .route("/campaigns/{id}/events", get(stream::events))
        .route("/campaigns/{id}/why/{number}", get(why::page))
        .route("/campaigns/{id}/branches", get(branches::page))
        .route("/campaigns/{id}/fork", post(branches::make))
        .route("/campaigns/{id}/resume", post(playing::go_on))
        .route("/campaigns/{id}/pause", post(playing::pause))
        .route("/seats/{id}/{seat}", get(seat::page))
        .route("/seats/{id}/{seat}/events", get(stream::seat_events))
        .route("/seats/{id}/{seat}/sit", post(seat::sit))
        .route("/seats/{id}/{seat}/leave", post(seat::leave))
        .route("/seats/{id}/{seat}/answer", post(seat::answer))
        .route("/compare", get(branches::compare))
        .route("/assets/live.css", get(answer::style))
        .route("/assets/live.js", get(answer::script))
        .route("/assets/icon.svg", get(answer::icon))
}

/// A word or two as the name of a class.
pub(crate) fn dashed(words: &str) -> String {
    words.replace(' ', "-")
}

/// The address of a campaign's page.
pub(crate) fn address(id: CampaignId) -> String {
    format!("/campaigns/{id}")
}

/// The front of the addresses of the pages of causes.
pub(crate) fn why_base(id: CampaignId) -> String {
    format!("/campaigns/{id}/why/")
}

/// The campaign that an address names.
pub(crate) fn found(app: &App, name: &str) -> Result<CampaignId, Problem> {
    Ok(app.library.find(name)?)
}
