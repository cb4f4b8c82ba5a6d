//! A campaign that is being played: what happens at the table, one thing after the other, for whoever watches or takes part.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::mpsc;
use twicetold_cast::{Budget, BudgetNotice, Handle, KeepAhead, Notice, PlayError, PlaySetup, Stop, play};
use twicetold_event::{CallId, CampaignId, Entry, Input, Seat, limits};
use twicetold_projection::people::{Line, heard, lines, without_spoilers};
use twicetold_provider::{Provider, Servers};
use twicetold_referee::Campaign;
use twicetold_report::{Ending, endings};
use twicetold_session::{Replies, Session};

use crate::in_play::{InPlay, providers_in_play};
use crate::mapping::Mapping;
use crate::{Error, Kind, Sitting, View, now};

/// A campaign that is to be played.
pub struct Game {
    /// The campaign and its journal.
    pub(crate) session: Session,
    /// Where it lies, for people.
    pub(crate) place: String,
    /// Where its snapshot is kept in the end.
    pub(crate) snapshot: View,
    /// The first inputs.
    pub(crate) first: Vec<Input>,
    /// Which models of this machine play.
    pub(crate) mapping: Mapping,
    /// How far it may be played here.
    pub(crate) budget: Option<Budget>,
    /// For a branch: what its parent was answered, and may be taken before anybody is asked.
    pub(crate) replies: Replies,
    /// Who plays with the models.
    pub sittings: Vec<Sitting>,
    /// The model servers that it shares with other campaigns of this process.
    pub(crate) servers: Option<Arc<Servers>>,
    /// Who answers for a seat in the place of its model.
    pub(crate) own: BTreeMap<Seat, Arc<dyn Provider>>,
}

impl Game {
    /// The campaign's id.
    pub fn id(&self) -> CampaignId {
        self.session.id()
    }

    /// The campaign as it stands before.
    pub fn campaign(&self) -> &Campaign {
        self.session.campaign()
    }

    /// Which models of this machine play.
    pub fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// Lets a provider of your own answer for a seat, in the place of the seat's model. It is asked by the protocol of that model, by
    /// [`Protocol::Improv`](twicetold_dialect::Protocol::Improv) for one that the built-in improviser plays.
    #[must_use]
    pub fn answered_by(mut self, seat: Seat, provider: Arc<dyn Provider>) -> Game {
        self.own.insert(seat, provider);
        self
    }
}

/// What happened at the table.
pub enum Happened {
    /// An entry became durable, and [`Table::view`] is the campaign after it.
    Committed(Told),
    /// A person is asked.
    Asking {
        /// Which call it is.
        call: CallId,
        /// At which seat.
        seat: Seat,
    },
    /// A model is speaking to everybody. What it says is no part of the story before it is committed.
    Drafting {
        /// Who speaks.
        seat: Seat,
        /// All words so far.
        words: String,
    },
    /// A budget is nearly or altogether used up.
    Budget(BudgetNotice),
}

/// An entry that became durable.
pub struct Told {
    /// The entry.
    pub entry: Arc<Entry>,
    /// The seat whose pending reply the entry contains, if any.
    answered: Option<Seat>,
}

impl Told {
    /// What the entry adds to the story, through the eyes of a seat or of nobody.
    pub fn lines(&self, view: &Campaign, seat: Option<Seat>) -> Vec<Line> {
        let (state, replies) = (view.state(), view.replies());
        match seat {
            Some(seat) => heard(state, replies, &self.entry, seat, self.answered == Some(seat)),
            None => lines(state, replies, &self.entry),
        }
    }

    /// The same for a reader who does not want to know what is hidden from the players: no sheets as they were sent, no hidden goals.
    pub fn unspoiled(&self, view: &Campaign, seat: Option<Seat>) -> Vec<Line> {
        without_spoilers(view.state(), &self.entry, self.lines(view, seat))
    }
}

/// A campaign that is being played, and that nobody looks at before it is put away: it is held once.
pub(crate) struct Unwatched {
    place: String,
    handle: Handle,
    notices: mpsc::Receiver<Notice>,
    snapshot: View,
}

impl Unwatched {
    /// Begins to play, within a runtime.
    pub async fn begin(game: Game) -> Result<Unwatched, Error> {
        let Game { session, place, snapshot, first, mapping, budget, replies, servers, own, .. } = game;
        let setup = session.campaign().state().setup();
        let InPlay { mut providers, asks_ahead } =
            providers_in_play(setup, &mapping, servers.as_deref(), replies)?;
        let (sender, heard) = mpsc::channel(limits::OBSERVER_QUEUE_MAX);
        // Who answers in the place of the model may answer one at a time.
        let asks_ahead = asks_ahead && !own.contains_key(&Seat::Memory);
        providers.extend(own);
        let ahead = asks_ahead.then(|| Arc::new(snapshot.ahead()) as Arc<dyn KeepAhead>);
        let (clock, notices) = (Arc::new(now), Some(sender));
        let casting = PlaySetup { session, providers, clock, first, budget, notices, ahead };
        let handle = play(casting).await.map_err(|error| failure(&place, error))?;
        Ok(Unwatched { place, handle, notices: heard, snapshot })
    }

    /// What the table says next; `None` when the campaign has ended or is paused. Cancelling the wait loses nothing.
    pub async fn next(&mut self) -> Option<Notice> {
        self.notices.recv().await
    }

    /// Tells the table what somebody answers or wishes.
    pub fn tell(&self, inputs: Vec<Input>) {
        self.handle.tell(inputs);
    }

    /// Waits until nobody is at it any more, looks at the campaign, and puts it away.
    pub async fn finished<T: Send + 'static>(
        mut self,
        look: impl FnOnce(&Session) -> T + Send + 'static,
    ) -> Result<(Stop, T), Error> {
        let (result, session) = self.handle.finished().await;
        let snapshot = self.snapshot;
        // To read the journal and to make its file smaller takes the disk's time: that holds nobody else up.
        let away = tokio::task::spawn_blocking(move || {
            let mut session = session?;
            let seen = look(&session);
            snapshot.keep(&mut session);
            // Compacting is a courtesy; a campaign that is not closed is whole all the same.
            let _ = session.into_store().close();
            Some(seen)
        });
        let away = away.await;
        let stop = result.map_err(|error| failure(&self.place, error))?;
        let seen = away.map_err(|error| Error::goes_on(error.to_string()))?;
        seen.map(|seen| (stop, seen))
            .ok_or_else(|| Error::goes_on("the table did not give the campaign back"))
    }
}

/// A table at which a campaign is being played, for whoever looks on.
pub struct Table {
    id: CampaignId,
    playing: Unwatched,
    view: Campaign,
}

/// A campaign that is played no further for now.
pub struct Finished {
    /// The campaign as it stands.
    pub view: Campaign,
    /// Why it stopped.
    pub stop: Stop,
    /// How its encounters ended, as far as that can be read.
    pub endings: Vec<Ending>,
}

impl Table {
    /// Begins to play, within a runtime.
    ///
    /// # Errors
    /// A model cannot be used, or nobody plays a seat.
    pub async fn begin(game: Game) -> Result<Table, Error> {
        let (id, view) = (game.id(), game.campaign().clone());
        // A campaign is large: each future that holds one within another would take as much of the stack again.
        Ok(Table { id, playing: Box::pin(Unwatched::begin(game)).await?, view })
    }

    /// Which campaign is played.
    pub fn id(&self) -> CampaignId {
        self.id
    }

    /// The campaign as it stands after all that [`Table::next`] told of.
    pub fn view(&self) -> &Campaign {
        &self.view
    }

    /// What happens next; `None` when the campaign has ended or is paused. Cancelling the wait loses nothing.
    pub async fn next(&mut self) -> Option<Happened> {
        loop {
            match self.playing.next().await? {
                Notice::Calling { .. } => {}
                Notice::Draft { seat, words } => {
                    // Notes of the DM and sheets are nobody's but theirs.
                    let words = self.view.state().setup().reading_of(seat).heard_so_far(&words).to_owned();
                    if !words.is_empty() {
                        return Some(Happened::Drafting { seat, words });
                    }
                }
                Notice::Asking { call, seat } => return Some(Happened::Asking { call, seat }),
                Notice::Budget(notice) => return Some(Happened::Budget(notice)),
                Notice::Committed(committed) => {
                    let entry = committed.entry;
                    let pending = self.view.state().calls().pending.as_ref();
                    let answered = pending.filter(|pending| entry.input.call() == Some(pending.call));
                    let answered = answered.map(|pending| pending.seat);
                    match self.view.fold(&entry) {
                        Ok(_) => return Some(Happened::Committed(Told { entry, answered })),
                        Err(error) => tracing::error!(%error, "the view cannot follow the journal"),
                    }
                }
            }
        }
    }

    /// Tells the table what somebody answers or wishes.
    pub fn tell(&self, inputs: Vec<Input>) {
        self.playing.tell(inputs);
    }

    /// Waits until nobody is at it any more, and puts the campaign away.
    ///
    /// # Errors
    /// A step did not become durable, or the program is wrong.
    pub async fn finished(self) -> Result<Finished, Error> {
        let view = self.view;
        let look = |session: &Session| {
            // What cannot be read any more is left out.
            let endings = endings(&view, session.journal()).unwrap_or_default();
            (view, endings)
        };
        let (stop, (view, endings)) = Box::pin(self.playing.finished(look)).await?;
        Ok(Finished { view, stop, endings })
    }
}

fn failure(place: &str, error: PlayError) -> Error {
    match error {
        PlayError::Commit(error) => Error::commit(place, &error),
        PlayError::NobodyPlays(_) => Error::new(
            Kind::Failed,
            error.to_string(),
            "`play ID --seat NAME` takes a seat; `fork ID --model SEAT=NAME` gives it a model",
        ),
        PlayError::PlayedTwice(_) => {
            Error::new(Kind::Locked, error.to_string(), "`show` and `log` follow it")
        }
        PlayError::Bug(_) => Error::goes_on(error.to_string()),
    }
}
