//! What all connections of a server share: the campaigns that it plays, the seats that agents hold, and what may be spent.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use twicetold_event::{CampaignId, Input, Seat, SeatAsked};
use twicetold_host::mapping::WhoPlays;
use twicetold_host::play::Game;
use twicetold_host::resuming::resume;
use twicetold_host::spend::{Spend, Spending, paid_seats};
use twicetold_host::tables::{Tables, paused};
use twicetold_host::{Error, Library, Sitting};
use twicetold_world::State;

use crate::failure::Failure;
use crate::invitations::Door;
use crate::limits::{PLACES_MAX, READINGS_AT_ONCE_MAX, SILENCE, TABLES_MAX};
use crate::place::Place;

/// What a server is asked to be.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What all campaigns may spend together; nothing: no model is asked that can cost money.
    pub allow_spend: Option<Spend>,
    /// The folder whose models.toml is used.
    pub config: Option<PathBuf>,
    /// How long nothing is heard of an agent before its seat is given back.
    pub silence: Duration,
    /// Does the server end with its first connection? Then campaigns are paused when that ends.
    pub alone: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { allow_spend: None, config: None, silence: SILENCE, alone: true }
    }
}

/// A server's campaigns and seats.
#[derive(Clone)]
pub struct House(Arc<Inner>);

struct Inner {
    library: Arc<Library>,
    tables: Tables,
    settings: Settings,
    spending: Spending,
    places: Mutex<BTreeMap<(CampaignId, Seat), Arc<Place>>>,
    connections: AtomicU64,
    readings: Arc<Semaphore>,
    /// Held while a campaign begins.
    beginning: tokio::sync::Mutex<()>,
    /// Who may come in over HTTP; nothing where nobody does.
    door: OnceLock<Arc<Door>>,
}

/// There is no place for another agent.
fn no_place() -> Failure {
    let message = format!("outside agents hold {PLACES_MAX} seats of this server already, or would");
    Failure::new("busy", message, "`leave` gives a seat back")
}

impl House {
    /// A house in which nothing is played yet.
    ///
    /// # Errors
    /// The budget limits what no budget of several campaigns can limit.
    pub fn new(library: Library, settings: Settings) -> Result<House, Error> {
        let spending = match &settings.allow_spend {
            None => Spending::Nothing,
            Some(spend) => Spending::Shared(Arc::new(spend.shared()?)),
        };
        Ok(House(Arc::new(Inner {
            library: Arc::new(library),
            tables: Tables::new(TABLES_MAX),
            settings,
            spending,
            places: Mutex::default(),
            connections: AtomicU64::new(1),
            readings: Arc::new(Semaphore::new(READINGS_AT_ONCE_MAX)),
            beginning: tokio::sync::Mutex::default(),
            door: OnceLock::new(),
        })))
    }

    /// With a way in over HTTP.
    pub(crate) fn with(self, door: Arc<Door>) -> House {
        let _ = self.0.door.set(door);
        self
    }

    /// Who may come in over HTTP.
    pub(crate) fn door(&self) -> Option<&Arc<Door>> {
        self.0.door.get()
    }

    /// The campaigns of this machine.
    pub(crate) fn library(&self) -> &Arc<Library> {
        &self.0.library
    }

    pub(crate) fn tables(&self) -> &Tables {
        &self.0.tables
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// The number of a new connection; 0 is nobody's.
    pub(crate) fn connection(&self) -> u64 {
        self.0.connections.fetch_add(1, Ordering::Relaxed)
    }

    /// What is spent of the budget, where there is one.
    pub(crate) fn spent(&self) -> Option<String> {
        match &self.0.spending {
            Spending::Shared(shared) => Some(shared.spent()),
            _ => None,
        }
    }

    /// Who plays what is started here.
    pub(crate) fn who(&self, model: Vec<String>) -> WhoPlays {
        let Inner { settings, spending, .. } = &*self.0;
        WhoPlays {
            model,
            config: settings.config.clone(),
            same: false,
            budget: None,
            spending: spending.clone(),
        }
    }

    /// Reads or writes journals, which is no work for the runtime's own threads: a whole campaign is folded.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&House) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let Ok(turn) = self.0.readings.clone().acquire_owned().await else {
            return Err(Failure::new("failed", "the server stops", "start it again"));
        };
        let house = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work(&house)
        });
        done.await.unwrap_or_else(|error| {
            let help =
                "this is a mistake of the program; `twicetold verify ID` says whether the journal is intact";
            Err(Failure::new("failed", format!("the call failed: {error}"), help))
        })
    }

    /// Begins to play, and keeps seats for agents that come later.
    pub(crate) async fn begin(&self, game: Game) -> Result<CampaignId, Failure> {
        // One after the other, so that nothing is played whose seats find no place.
        let _one = self.0.beginning.lock().await;
        let state = game.campaign().state();
        let id = game.id();
        let new = |sitting: &&Sitting| !self.locked().contains_key(&(id, sitting.seat));
        let new = game.sittings.iter().filter(new).count();
        if self.locked().len() + new > PLACES_MAX {
            return Err(no_place());
        }
        let held = game.sittings.iter().map(|sitting| (sitting.clone(), costs(state, sitting.seat)));
        let held: Vec<(Sitting, bool)> = held.collect();
        let id = self.tables().begin(game).await?;
        for (sitting, is_paid) in held {
            // An agent that is there already keeps its place.
            if !self.locked().contains_key(&(id, sitting.seat)) {
                self.put(Place::new(id, sitting, 0, is_paid))?;
            }
        }
        Ok(id)
    }

    /// Goes on with a campaign. Agents that hold seats of it keep them, and `more` says who takes one besides.
    pub(crate) async fn resume(&self, id: CampaignId, more: Vec<(String, String)>) -> Result<(), Failure> {
        let there: Vec<Sitting> = self.places_at(id).iter().map(|place| place.sitting.clone()).collect();
        let game = self
            .blocking(move |house| {
                let sits = |state: &State| {
                    let mut sittings: Vec<Sitting> = Vec::new();
                    for (seat, name) in &more {
                        sittings.push(Sitting::read(state, seat, name)?);
                    }
                    let is_new = |one: &&Sitting| sittings.iter().all(|other| other.seat != one.seat);
                    let stay: Vec<Sitting> = there.iter().filter(is_new).cloned().collect();
                    sittings.extend(stay);
                    Ok(sittings)
                };
                let mut say = |said: &str| tracing::info!(said, "a campaign is resumed");
                let name = id.to_string();
                Ok(resume(house.library(), &name, &house.who(Vec::new()), &mut say, sits)?.0)
            })
            .await?;
        self.begin(game).await?;
        Ok(())
    }

    /// The agents that hold seats of a campaign, and the seats that are kept for one.
    pub(crate) fn places_at(&self, id: CampaignId) -> Vec<Arc<Place>> {
        self.locked().values().filter(|place| place.campaign == id).cloned().collect()
    }

    /// Who holds a seat.
    pub(crate) fn place(&self, id: CampaignId, seat: Seat) -> Option<Arc<Place>> {
        self.locked().get(&(id, seat)).cloned()
    }

    /// Puts an agent at a seat; one that is kept for any agent is its own from now on.
    ///
    /// # Errors
    /// Another agent holds it, or as many seats are held as may be.
    pub(crate) fn put(&self, place: Arc<Place>) -> Result<(), Failure> {
        let key = (place.campaign, place.seat());
        let mut places = self.locked();
        if let Some(holder) = places.get(&key).filter(|holder| holder.connection != 0) {
            let message =
                format!("{} is held by {:?} already", holder.sitting.seat.slug(), holder.sitting.name);
            return Err(Failure::new("taken", message, "take another seat, or wait until it is given back"));
        }
        if places.len() >= PLACES_MAX && !places.contains_key(&key) {
            return Err(no_place());
        }
        if let Some(kept) = places.insert(key, place.clone()) {
            kept.is_gone("an agent took it");
        }
        drop(places);
        tokio::spawn(keep(self.clone(), place));
        Ok(())
    }

    /// Gives a seat back to its model, and play goes on. Where its model may not be asked, the campaign is paused instead.
    pub(crate) fn give_back(&self, place: &Arc<Place>, why: &str) {
        {
            let mut places = self.locked();
            let key = (place.campaign, place.seat());
            if !places.get(&key).is_some_and(|known| Arc::ptr_eq(known, place)) {
                return;
            }
            places.remove(&key);
        }
        place.is_gone(why);
        let mut inputs = vec![returned(place)];
        if self.is_paid(place) {
            let (name, seat) = (&place.sitting.name, place.seat().slug());
            inputs.push(paused(&format!("{name} left {seat}, whose model can cost money")));
        }
        self.tables().tell(place.campaign, inputs);
    }

    /// Would the model of this seat spend what may not be spent?
    fn is_paid(&self, place: &Place) -> bool {
        matches!(self.0.spending, Spending::Nothing) && place.is_paid
    }

    /// Gives back all seats of a connection that has ended; the last one takes its campaigns with it.
    pub(crate) async fn vanished(&self, connection: u64) {
        if self.0.settings.alone {
            return self.stop().await;
        }
        let held: Vec<Arc<Place>> = {
            let places = self.locked();
            places.values().filter(|place| place.connection == connection).cloned().collect()
        };
        held.iter().for_each(|place| self.give_back(place, "its connection ended"));
    }

    /// Gives back all seats, pauses all campaigns and waits until each is put away.
    pub async fn stop(&self) {
        let places = std::mem::take(&mut *self.locked());
        places.values().for_each(|place| place.is_gone("the server stopped"));
        let of = |id: CampaignId| {
            places.values().filter(|place| place.campaign == id).map(|place| returned(place)).collect()
        };
        self.tables().stop(of).await;
    }

    /// What the lock guards is whole at every moment, also after a panic elsewhere.
    fn locked(&self) -> MutexGuard<'_, BTreeMap<(CampaignId, Seat), Arc<Place>>> {
        self.0.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn returned(place: &Place) -> Input {
    Input::SeatAsked(SeatAsked { seat: place.seat(), person: None })
}

/// Can the model of this seat cost money?
pub(crate) fn costs(state: &State, seat: Seat) -> bool {
    paid_seats(&state.setup().seats).any(|(paid, _)| paid == seat)
}

/// Gives a seat back when nothing was heard of its agent for too long.
async fn keep(house: House, place: Arc<Place>) {
    let mut heard = place.heard();
    loop {
        let last = *heard.borrow_and_update();
        let Some(last) = last else { return };
        tokio::select! {
            changed = heard.changed() => if changed.is_err() { return },
            () = tokio::time::sleep_until(last + house.settings().silence) => {
                let silence = house.settings().silence.as_secs();
                return house.give_back(&place, &format!("nothing was heard of its agent for {silence} s"));
            }
        }
    }
}
