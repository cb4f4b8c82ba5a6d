//! Starts, resumes and pauses campaigns within this server.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use twicetold_event::limits::PLAYERS_MAX;
use twicetold_event::{CampaignId, Seat};
use twicetold_host::Sitting;
use twicetold_host::configuration::Configuration;
use twicetold_host::mapping::WhoPlays;
use twicetold_host::opening::{Opening, open};
use twicetold_host::resuming::resume;
use twicetold_host::seats::Models;
use twicetold_host::tables::paused;
use twicetold_host::words::short;
use twicetold_world::State as Table;

use super::{address, found};
use crate::answer::{Answer, Problem, blocking};
use crate::form::{Fields, to};
use crate::tables::{begin, tell};
use crate::{App, limits};

/// What a form offers that starts a campaign.
pub(crate) struct Choices {
    pub(crate) campaigns: Vec<(String, String)>,
    pub(crate) models: Vec<String>,
    pub(crate) default_model: String,
    /// Seats that a person may play from the beginning, and what each is called.
    pub(crate) seats: Vec<(String, String)>,
}

impl App {
    /// The configuration whose campaigns can be started.
    fn configuration(&self) -> Result<Configuration, Problem> {
        Ok(Configuration::of(self.settings.config.as_deref())?)
    }

    /// The campaigns that can be started with their titles, those of the server's own folder first, and the configured models.
    ///
    /// # Errors
    /// A file of the configuration cannot be read.
    pub(crate) fn choices(&self) -> Result<Choices, Problem> {
        let configuration = self.configuration()?;
        let own = |id: &String| {
            let path = format!("campaigns/{id}.toml");
            configuration.folder().is_some_and(|folder| folder.join(path).is_file())
        };
        let (mut ids, bundled): (Vec<String>, Vec<String>) =
            configuration.campaigns().into_iter().partition(own);
        ids.extend(bundled);
        let campaigns = ids.into_iter().map(|id| (configuration.title(&id), id));
        let models = Models::of(self.settings.config.as_deref())?;
        let seats = [Seat::Dm].into_iter().chain((1..=PLAYERS_MAX).map(Seat::Player));
        Ok(Choices {
            seats: seats.map(|seat| (seat.slug(), seat.to_string())).collect(),
            campaigns: campaigns.map(|(title, id)| (id, title)).collect(),
            models: models.names().map(str::to_owned).collect(),
            default_model: models.default_name().to_owned(),
        })
    }
}

/// The seat that a person wants, as it is recorded; none where models are to play them all.
fn wanted(fields: &Fields) -> Option<(String, String)> {
    let seat = fields.get("seat").filter(|seat| !seat.is_empty())?;
    let name = short(fields.get("name").unwrap_or_default().trim(), limits::NAME_CHARS_MAX);
    Some((seat.to_owned(), if name.is_empty() { "a person".to_owned() } else { name }))
}

/// Where somebody goes on who has started or resumed a campaign: to their own seat, if they took one.
fn leads_to(app: &App, id: CampaignId, seat: Option<Seat>) -> String {
    seat.map_or_else(|| address(id), |seat| app.invitation(id, seat))
}

/// Starts a campaign and goes on to its page, or to the seat that its starter plays.
pub(crate) async fn start(State(app): State<Arc<App>>, fields: Fields) -> Answer {
    let game = blocking(app.clone(), move |app| {
        let wanted = wanted(&fields);
        let campaign = fields.get("campaign");
        // A path would name any file of this machine.
        let configuration = app.configuration()?;
        if campaign.is_some_and(|id| !configuration.campaigns().iter().any(|known| known == id)) {
            return Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "There is no campaign of this name here.",
                "Choose one of the list. `twicetold serve --config FOLDER` offers those of a folder of your own.",
            ));
        }
        let opening = Opening {
            campaign,
            folder: configuration.folder(),
            who: WhoPlays {
                model: fields.get("model").map(str::to_owned).into_iter().collect(),
                config: app.settings.config.clone(),
                ..WhoPlays::default()
            },
            seed: fields.number("seed")?,
            players: fields.number("players")?.map(|players| u8::try_from(players).unwrap_or(u8::MAX)),
            seats: wanted.iter().map(|(seat, name)| (seat.as_str(), name.as_str())).collect(),
            ..Opening::default()
        };
        Ok(open(&app.library, opening, &mut |said| tracing::info!(said, "a campaign is opened"))?)
    });
    let game = game.await?;
    let seat = game.sittings.first().map(|sitting| sitting.seat);
    let id = begin(&app, game).await?;
    Ok(to(&leads_to(&app, id, seat)))
}

/// Goes on with a campaign. Whoever sits at it stays, and who resumes it may take a seat.
pub(crate) async fn go_on(State(app): State<Arc<App>>, Path(name): Path<String>, fields: Fields) -> Answer {
    let (id, game, seat) = blocking(app.clone(), move |app| {
        let id = found(app, &name)?;
        if app.tables.is_playing(id) {
            let message = "It is played here already.";
            return Err(Problem::new(StatusCode::CONFLICT, message, "Go back and load its page again."));
        }
        let who = WhoPlays { config: app.settings.config.clone(), ..WhoPlays::default() };
        let (wanted, mut taken) = (wanted(&fields), None);
        let sits = |state: &Table| {
            let people = state.table().people.iter();
            let stays = people.map(|(seat, name)| Sitting { seat: *seat, name: name.clone() });
            let mut sittings: Vec<Sitting> = stays.collect();
            if let Some((seat, name)) = &wanted {
                let sitting = Sitting::read(state, seat, name)?;
                taken = Some(sitting.seat);
                sittings.retain(|other| other.seat != sitting.seat);
                sittings.push(sitting);
            }
            Ok(sittings)
        };
        let (game, _) = resume(
            &app.library,
            &id.to_string(),
            &who,
            &mut |said| tracing::info!(said, "a campaign is resumed"),
            sits,
        )?;
        Ok((id, game, taken))
    })
    .await?;
    begin(&app, game).await?;
    Ok(to(&leads_to(&app, id, seat)))
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
