//! A campaign that is played in memory by the improviser, with the real rules and the real renderer: what a model will be asked is known
//! before any model is asked.

use std::sync::Arc;

use twicetold_dialect::{Protocol, sent_digest};
use twicetold_event::{Input, Millis, OpeningAsked, TimerFired};
use twicetold_model::Request;
use twicetold_provider::Improvised;
use twicetold_referee::{Campaign, Effect, Step, charter, received};
use twicetold_world::setup::{SeatsFile, Setup, SetupError, SourceFile};

use crate::{Error, Kind};

/// Steps of a rehearsal. The bundled campaigns end before; the limits of a campaign end longer ones.
const STEPS_MAX: u32 = 2_000;

/// Plays a campaign of these files, and shows each step after it was taken. `setup` is the campaign as it will be opened.
///
/// # Errors
/// The files cannot be played.
pub(crate) fn rehearse(
    setup: &Setup,
    mut files: Vec<SourceFile>,
    mut seen: impl FnMut(&Campaign, &Step),
) -> Result<(), Error> {
    let unsound = |error: SetupError| Error::new(Kind::Usage, error.to_string(), "");
    put_seats(&mut files, setup)?;
    let played = Arc::new(Setup::read(setup.seed, setup.rules_version, files).map_err(unsound)?);
    let charter = charter(setup.seed, setup.rules_version, &setup.files);
    let mut campaign = Campaign::new(charter.clone(), played).map_err(unsound)?;
    let mut next = Some(Input::OpeningAsked(OpeningAsked { charter }));
    let mut clock = 0;
    for _ in 0..STEPS_MAX {
        let Some(input) = next else { break };
        clock += 1;
        let step = campaign.step(Millis(clock), &input);
        seen(&campaign, &step);
        next = answered(&campaign, step.request, &mut clock);
    }
    Ok(())
}

/// What the improviser answers to the call that is pending.
fn answered(campaign: &Campaign, request: Option<Arc<Request>>, clock: &mut u64) -> Option<Input> {
    match campaign.plan()? {
        Effect::CallModel { call, seat, .. } => {
            let wire = campaign.wire(seat);
            let request = match request {
                Some(request) => request,
                None => campaign.pending_request()?,
            };
            let body = wire.encode(&request);
            let reply = Improvised::new(false).reply(&body);
            Some(received(&wire, call, sent_digest(&body), reply))
        }
        Effect::SetTimer { call, due } => {
            *clock = due.0;
            Some(Input::TimerFired(TimerFired { call, due }))
        }
        Effect::AskPerson { .. } => None,
    }
}

/// The same seats, spoken to as the improviser can read it. How they are asked for calls changes what they are asked, and stays.
fn put_seats(files: &mut [SourceFile], setup: &Setup) -> Result<(), Error> {
    let mut seats = SeatsFile { players: setup.seats.players, seat: setup.seats.seat.clone() };
    for model in seats.seat.values_mut().filter(|model| !model.is_embedded()) {
        let guided = model.is_guided();
        model.protocol = Protocol::ChatCompletions.name().to_owned();
        model.wire = Protocol::ChatCompletions.version();
        model.compat = toml::Table::new();
        if guided {
            model.compat.insert("tool_calls".to_owned(), "guided".into());
        }
    }
    let text = toml::to_string(&seats).map_err(|error| Error::new(Kind::Failed, error.to_string(), ""))?;
    for file in files.iter_mut().filter(|file| file.path == "seats.toml") {
        file.text = Arc::from(text.as_str());
    }
    Ok(())
}
