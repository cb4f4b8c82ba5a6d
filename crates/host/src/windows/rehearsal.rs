//! The largest prompts of a campaign: it is played in memory by the improviser, with the real rules and the real renderer, and every
//! request is measured.

use std::collections::BTreeMap;
use std::sync::Arc;

use twicetold_dialect::{Protocol, sent_digest};
use twicetold_event::{Event, Input, Millis, ModelCallRequested, OpeningAsked, Phase, Seat, TimerFired};
use twicetold_model::Request;
use twicetold_provider::Improvised;
use twicetold_referee::{Campaign, Effect, charter, received};
use twicetold_world::setup::{SeatSetup, SeatsFile, Setup, SetupError, SourceFile};

use super::{HISTORY, SESSION_ZERO, put_limit};
use crate::{Error, Kind};

/// The largest request of a seat, before play or in it, with the shortest history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Largest {
    pub(super) seat: Seat,
    pub(super) before_play: bool,
    /// Tokens of the prompt, by the estimate that the journal has.
    pub(super) tokens: u64,
    /// Most tokens of the reply.
    pub(super) reply: u32,
    /// Does it grow with the history?
    pub(super) has_history: bool,
}

/// Steps after which it is known well enough how large prompts become: campaigns of more turns than this are as long as their limits allow.
const STEPS_MAX: u32 = 2_000;

/// The largest requests of all seats, each in Session Zero and in play. `least` shortens a limit of the history to what is always there.
///
/// # Errors
/// The setup cannot be played.
pub(super) fn largest(setup: &Setup, least: impl Fn(u32) -> u32) -> Result<Vec<Largest>, Error> {
    let unsound = |error: SetupError| Error::new(Kind::Usage, error.to_string(), "");
    let mut files = setup.files.clone();
    let limits = &setup.limits;
    put_limit(&mut files, HISTORY, least(limits.history_bytes_max), "measured");
    put_limit(&mut files, SESSION_ZERO, least(limits.session_zero_history_bytes_max), "measured");
    put_seats(&mut files, setup)?;
    let setup = Arc::new(Setup::read(setup.seed, setup.rules_version, files).map_err(unsound)?);
    let charter = charter(setup.seed, setup.rules_version, &setup.files);
    let mut campaign = Campaign::new(charter.clone(), setup).map_err(unsound)?;
    let mut found: BTreeMap<(Seat, bool), Largest> = BTreeMap::new();
    let mut next = Some(Input::OpeningAsked(OpeningAsked { charter }));
    let mut clock = 0;
    for _ in 0..STEPS_MAX {
        let Some(input) = next else { break };
        clock += 1;
        let step = campaign.step(Millis(clock), &input);
        let asked = step.events.iter().find_map(|event| match event {
            Event::ModelCallRequested(word) => Some(word),
            _ => None,
        });
        if let (Some(word), Some(request)) = (asked, &step.request) {
            let one = measured(&campaign, word, request.parameters.tokens_max);
            let place = found.entry((one.seat, one.before_play)).or_insert(one);
            if one.tokens + u64::from(one.reply) > place.tokens + u64::from(place.reply) {
                *place = one;
            }
        }
        next = answered(&campaign, step.request, &mut clock);
    }
    Ok(found.into_values().collect())
}

fn measured(campaign: &Campaign, word: &ModelCallRequested, reply: u32) -> Largest {
    let state = campaign.state();
    let guided =
        word.purpose.is_turn() && state.setup().seats.of(word.seat).is_some_and(SeatSetup::is_guided);
    Largest {
        seat: word.seat,
        before_play: state.phase() != Phase::Play,
        tokens: u64::from(word.tokens),
        reply,
        has_history: !guided,
    }
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
