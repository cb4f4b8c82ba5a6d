//! The largest prompts of a campaign: it is played in memory, and every request is measured.

use std::collections::BTreeMap;

use twicetold_event::{Event, ModelCallRequested, Phase, Seat};
use twicetold_referee::Campaign;
use twicetold_world::setup::{SeatSetup, Setup};

use super::{HISTORY, SESSION_ZERO, put_limit};
use crate::Error;
use crate::rehearsal::rehearse;

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

/// The largest requests of all seats, each in Session Zero and in play. `least` shortens a limit of the history to what is always there.
///
/// # Errors
/// The setup cannot be played.
pub(super) fn largest(setup: &Setup, least: impl Fn(u32) -> u32) -> Result<Vec<Largest>, Error> {
    let mut files = setup.files.clone();
    let limits = &setup.limits;
    put_limit(&mut files, HISTORY, least(limits.history_bytes_max), "measured");
    put_limit(&mut files, SESSION_ZERO, least(limits.session_zero_history_bytes_max), "measured");
    let mut found: BTreeMap<(Seat, bool), Largest> = BTreeMap::new();
    rehearse(setup, files, |campaign, step| {
        let asked = step.events.iter().find_map(|event| match event {
            Event::ModelCallRequested(word) => Some(word),
            _ => None,
        });
        let (Some(word), Some(request)) = (asked, &step.request) else { return };
        let one = measured(campaign, word, request.parameters.tokens_max);
        let place = found.entry((one.seat, one.before_play)).or_insert(one);
        if one.tokens + u64::from(one.reply) > place.tokens + u64::from(place.reply) {
            *place = one;
        }
    })?;
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
