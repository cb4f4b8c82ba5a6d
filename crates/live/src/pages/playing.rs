//! Starts, resumes and pauses campaigns within this server.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use twicetold_host::Sitting;
use twicetold_host::configuration::Configuration;
use twicetold_host::mapping::WhoPlays;
use twicetold_host::opening::{Opening, open};
use twicetold_host::resuming::resume;
use twicetold_host::seats::Models;
use twicetold_host::tables::paused;
use twicetold_world::State as Table;

use super::{address, found};
use crate::App;
use crate::answer::{Answer, Problem, blocking};
use crate::form::{Fields, to};
use crate::tables::{begin, tell};

/// What a form offers that starts a campaign.
pub(crate) struct Choices {
    pub(crate) campaigns: Vec<(String, String)>,
    pub(crate) models: Vec<String>,
    pub(crate) default_model: String,
}

impl App {
    /// The bundled campaigns with their titles, and the configured models.
    ///
    /// # Errors
    /// models.toml cannot be read.
    pub(crate) fn choices(&self) -> Result<Choices, Problem> {
        let configuration = Configuration::bundled();
        let title = |id: &String| {
            let text = configuration.text(&format!("campaigns/{id}.toml"))?;
            let line = text.lines().find_map(|line| line.strip_prefix("title = "))?;
            Some(line.trim().trim_matches('"').to_owned())
        };
        let named = configuration.campaigns().into_iter();
        let campaigns = named.map(|id| (title(&id).unwrap_or_else(|| id.clone()), id));
        let models = Models::of(self.settings.config.as_deref())?;
        Ok(Choices {
            campaigns: campaigns.map(|(title, id)| (id, title)).collect(),
            models: models.names().map(str::to_owned).collect(),
            default_model: models.default_name().to_owned(),
        })
    }
}

/// Starts a campaign and goes on to its page.
pub(crate) async fn start(State(app): State<Arc<App>>, fields: Fields) -> Answer {
    let game = blocking(app.clone(), move |app| {
        let campaign = fields.get("campaign");
        // A path would name any file of this machine.
        if campaign.is_some_and(|id| !Configuration::bundled().campaigns().iter().any(|known| known == id)) {
            return Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "There is no bundled campaign of this name.",
                "Choose one of the list; `twicetold run FILE` plays one of your own.",
            ));
        }
        let opening = Opening {
            campaign,
            who: WhoPlays {
                model: fields.get("model").map(str::to_owned).into_iter().collect(),
                config: app.settings.config.clone(),
                ..WhoPlays::default()
            },
            seed: fields.number("seed")?,
            ..Opening::default()
        };
        Ok(open(&app.library, opening, &mut |said| tracing::info!(said, "a campaign is opened"))?)
    });
    let id = begin(&app, game.await?).await?;
    Ok(to(&address(id)))
}

/// Goes on with a campaign. Whoever sits at it stays.
pub(crate) async fn go_on(State(app): State<Arc<App>>, Path(name): Path<String>, _fields: Fields) -> Answer {
    let (id, game) = blocking(app.clone(), move |app| {
        let id = found(app, &name)?;
        let who = WhoPlays { config: app.settings.config.clone(), ..WhoPlays::default() };
        let sits = |state: &Table| {
            let people = state.table().people.iter();
            Ok(people.map(|(seat, name)| Sitting { seat: *seat, name: name.clone() }).collect())
        };
        let (game, _) = resume(
            &app.library,
            &id.to_string(),
            &who,
            &mut |said| tracing::info!(said, "a campaign is resumed"),
            sits,
        )?;
        Ok((id, game))
    })
    .await?;
    begin(&app, game).await?;
    Ok(to(&address(id)))
}

/// Pauses a campaign that this server plays.
pub(crate) async fn pause(State(app): State<Arc<App>>, Path(name): Path<String>, _fields: Fields) -> Answer {
    let id = blocking(app.clone(), move |app| {
        let id = found(app, &name)?;
        // Its table may not have been put away yet.
        if app.brief(id)?.standing == "over" {
            let message = "The campaign is over.";
            return Err(Problem::new(StatusCode::CONFLICT, message, "Its page shows how it ended."));
        }
        Ok(id)
    })
    .await?;
    tell(&app, id, vec![paused("paused in the browser")])?;
    Ok(to(&address(id)))
}
