//! How the campaigns of a sweep stand, and their scores: read from their journals.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use twicetold_event::{CampaignId, Input};
use twicetold_projection::people::why_paused;
use twicetold_session::LoadError;
use twicetold_sweep::{Card, Cell, Scorer};
use twicetold_world::{Life, State};

use super::Sweep;
use crate::reading::walk;
use crate::resuming::SEATS;
use crate::{Error, Kind, Library};

/// How a campaign of a sweep stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nobody began it.
    Waiting,
    /// It was begun, and goes on with the sweep.
    Begun,
    /// It is over.
    Done,
    /// It cannot go on, or a model failed. The sweep tries again when it is run again.
    Failed(String),
}

/// A campaign of a sweep.
pub struct Found {
    /// Which.
    pub cell: Cell,
    /// Its id.
    pub id: CampaignId,
    /// How it stands.
    pub standing: Standing,
    /// Its scores, where it is over.
    pub card: Option<Card>,
}

/// How a state stands.
pub(super) fn of(state: &State) -> Standing {
    match state.life() {
        Life::Ended { .. } => Standing::Done,
        Life::Paused { fault: Some(fault), reason, .. } => Standing::Failed(why_paused(Some(*fault), reason)),
        _ => Standing::Begun,
    }
}

/// How a campaign of the sweep stands.
pub fn standing(library: &Library, id: CampaignId) -> Standing {
    look(library, id).unwrap_or_else(|error| match error.kind {
        Kind::Missing => Standing::Waiting,
        _ => Standing::Failed(error.message),
    })
}

/// The same, where the campaign can be looked at.
///
/// # Errors
/// It cannot. This says nothing of the campaign, unless it is damaged.
pub(crate) fn look(library: &Library, id: CampaignId) -> Result<Standing, Error> {
    let source = library.read(id)?;
    if source.head().entries == 0 {
        return Ok(Standing::Waiting);
    }
    match library.view(id).load(&*source) {
        Ok(loaded) => Ok(of(loaded.campaign.state())),
        Err(LoadError::Store(error)) => Err(error.into()),
        Err(error) => Ok(Standing::Failed(Error::from(error).message)),
    }
}

/// All campaigns of a sweep, in the order of the plan, with the scores of those that are over. `known` are the scores of some, by their
/// place in the plan; the others are read.
pub fn results(library: &Library, sweep: &Sweep, known: BTreeMap<usize, Card>) -> Vec<Found> {
    let (cells, known) = (sweep.cells(), Mutex::new(known));
    let next = AtomicUsize::new(0);
    let found = Mutex::new(BTreeMap::new());
    let read = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(cell) = cells.get(place).copied() else { return };
            let id = sweep.id(cell);
            let card = known.lock().unwrap_or_else(PoisonError::into_inner).remove(&place);
            let (standing, card) = match card {
                Some(card) => (Standing::Done, Some(card)),
                None => scored(library, id),
            };
            let one = Found { cell, id, standing, card };
            found.lock().unwrap_or_else(PoisonError::into_inner).insert(place, one);
        }
    };
    thread::scope(|scope| (0..processors()).for_each(|_| drop(scope.spawn(read))));
    found.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}

/// How many processors there are.
pub(super) fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// How a campaign stands, and its scores where it is over.
fn scored(library: &Library, id: CampaignId) -> (Standing, Option<Card>) {
    match standing(library, id) {
        Standing::Done => match card(library, id) {
            Ok(card) => (Standing::Done, Some(card)),
            Err(error) => (Standing::Failed(error.message), None),
        },
        standing => (standing, None),
    }
}

/// The scores of a campaign that is over.
pub(super) fn card(library: &Library, id: CampaignId) -> Result<Card, Error> {
    let source = library.read(id)?;
    let mut scorer = Scorer::new();
    let (mut last, mut is_other) = (None, false);
    walk(&*source, None, |campaign, entry| {
        is_other |= match &entry.input {
            Input::AmendmentAsked(word) => word.path == SEATS,
            Input::SeatAsked(_) => true,
            _ => false,
        };
        scorer.entry(campaign.state(), campaign.replies(), entry);
        // The state of the end is wanted alone, and no entry says that it is the last.
        last = (entry.header.next() == source.head().next).then(|| campaign.clone());
        true
    })?;
    if is_other {
        let message = "it was played by others than the plan says: it counts for no variant";
        return Err(Error::new(Kind::Usage, message, "remove it, and run the plan again"));
    }
    let campaign = last.ok_or_else(|| Error::new(Kind::Damaged, "the journal has no last entry", ""))?;
    Ok(scorer.finish(campaign.state(), &library.prices(&*source)))
}

/// The campaign of a sweep that a person means: the front of an id.
///
/// # Errors
/// None of the sweep's campaigns has it, or several have.
pub fn find_cell<'f>(found: &'f [Found], name: &str) -> Result<&'f Found, Error> {
    let wanted = name.to_ascii_lowercase();
    let mut fits = found.iter().filter(|one| !wanted.is_empty() && one.id.to_string().starts_with(&wanted));
    match (fits.next(), fits.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => {
            let message = format!("{name:?} is a prefix of several campaign ids of the sweep");
            Err(Error::new(Kind::Missing, message, "give more of the id"))
        }
        _ => {
            let message = format!("no campaign of the sweep has the id {name:?}");
            Err(Error::new(Kind::Missing, message, "`twicetold sweep show NAME --campaigns` lists them"))
        }
    }
}
