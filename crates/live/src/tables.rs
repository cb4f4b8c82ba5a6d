//! Campaigns that this server plays, as a browser is answered about them.

use axum::http::StatusCode;
use twicetold_event::{CampaignId, Input};
use twicetold_host::play::Game;

use crate::answer::Problem;
use crate::{App, limits};

/// Begins to play.
///
/// # Errors
/// Too many are played, or a model cannot be used.
pub(crate) async fn begin(app: &App, game: Game) -> Result<CampaignId, Problem> {
    if app.tables.is_full() {
        return Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("This server plays {} campaigns already.", limits::TABLES_MAX),
            "Pause one of them first.",
        ));
    }
    Ok(app.tables.begin(game).await?)
}

/// Tells a table something.
///
/// # Errors
/// This server does not play it.
pub(crate) fn tell(app: &App, id: CampaignId, inputs: Vec<Input>) -> Result<(), Problem> {
    if app.tables.tell(id, inputs) {
        return Ok(());
    }
    let message = "This server does not play the campaign now.";
    Err(Problem::new(StatusCode::CONFLICT, message, "Resume it on its page first."))
}
