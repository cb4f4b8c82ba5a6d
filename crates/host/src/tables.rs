//! Campaigns that one server plays. Each has a task that takes what its table tells and passes on what people say.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use twicetold_event::{CallId, CampaignId, Input, Number, PauseAsked, PersonAnswered, Seat};

use crate::play::{Game, Happened, Table};
use crate::{Error, Kind};

/// Characters of a reply that is still coming that are kept: the end of it, which is what is new.
pub const DRAFT_CHARS_MAX: usize = 600;

/// All of them. A clone is the same tables.
#[derive(Clone)]
pub struct Tables {
    /// How many are played at a time.
    most: usize,
    known: Arc<Mutex<BTreeMap<CampaignId, Playing>>>,
    /// Held while one is opened.
    beginning: Arc<tokio::sync::Mutex<()>>,
}

struct Playing {
    tell: UnboundedSender<Vec<Input>>,
    shown: watch::Receiver<Shown>,
    task: JoinHandle<()>,
    /// The last question that a person has answered.
    answered: Option<CallId>,
}

/// What is to be seen of a table beside its journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The number after the last entry.
    pub next: Number,
    /// Who is speaking, and the last words so far. They are no part of the story before they are committed.
    pub draft: Option<(String, String)>,
    /// Who sits where, beside the models.
    pub people: BTreeMap<Seat, String>,
    /// A person is asked at this seat.
    pub asked: Option<(CallId, Seat)>,
    /// Why it is played no further, where that was a failure, and what to do next.
    pub failed: Option<(String, String)>,
    /// Is it still played?
    pub is_playing: bool,
}

impl Tables {
    /// None is played yet, and no more than `most` will be.
    pub fn new(most: usize) -> Tables {
        Tables { most, known: Arc::default(), beginning: Arc::default() }
    }

    /// Begins to play, also where whoever asked for it has gone meanwhile: a table that is half begun would be nobody's.
    ///
    /// # Errors
    /// Too many are played, or a model cannot be used.
    pub async fn begin(&self, game: Game) -> Result<CampaignId, Error> {
        let tables = self.clone();
        let begun = tokio::spawn(async move { tables.open(game).await });
        begun.await.unwrap_or_else(|error| Err(Error::goes_on(error.to_string())))
    }

    async fn open(&self, game: Game) -> Result<CampaignId, Error> {
        // One after the other: a campaign that is being opened counts.
        let _one = self.beginning.lock().await;
        if self.is_full() {
            let message = format!("this server plays {} campaigns already", self.most);
            return Err(Error::new(Kind::Locked, message, "pause one of them first"));
        }
        // Whoever asks for the campaign next finds it opened, and finds those in their seats who sit at it from the beginning.
        let mut first = game.first.len();
        let mut table = Table::begin(game).await?;
        let id = table.id();
        while first > 0 {
            match table.next().await {
                Some(Happened::Committed(_)) => first -= 1,
                Some(_) => {}
                None => {
                    table.finished().await?;
                    return Ok(id);
                }
            }
        }
        let (tell, told) = unbounded_channel();
        let (next, people) = (table.view().next(), table.view().state().table().people.clone());
        let (show, shown) = watch::channel(Shown { next, people, is_playing: true, ..Shown::default() });
        let task = tokio::spawn(play(table, told, show));
        self.locked().insert(id, Playing { tell, shown, task, answered: None });
        Ok(id)
    }

    /// What is to be seen of a table; none of a campaign that this server never played.
    pub fn shown(&self, id: CampaignId) -> Option<Shown> {
        self.watch(id).map(|shown| shown.borrow().clone())
    }

    /// The same for whoever waits until it changes.
    pub fn watch(&self, id: CampaignId) -> Option<watch::Receiver<Shown>> {
        self.locked().get(&id).map(|playing| playing.shown.clone())
    }

    /// Is it played here now?
    pub fn is_playing(&self, id: CampaignId) -> bool {
        self.locked().get(&id).is_some_and(|playing| playing.shown.borrow().is_playing)
    }

    /// Are as many played as may be?
    pub fn is_full(&self) -> bool {
        let known = self.locked();
        known.values().filter(|playing| playing.shown.borrow().is_playing).count() >= self.most
    }

    /// Tells a table what a person answers to a question. `false`: somebody has answered it already, or this server does not play it.
    pub fn answer(&self, id: CampaignId, answer: PersonAnswered) -> bool {
        let mut known = self.locked();
        let Some(playing) = known.get_mut(&id).filter(|playing| playing.shown.borrow().is_playing) else {
            return false;
        };
        if playing.answered >= Some(answer.call) {
            return false;
        }
        playing.answered = Some(answer.call);
        playing.tell.send(vec![Input::PersonAnswered(answer)]).is_ok()
    }

    /// Tells a table something. `false`: this server does not play it.
    pub fn tell(&self, id: CampaignId, inputs: Vec<Input>) -> bool {
        let known = self.locked();
        let table = known.get(&id).filter(|playing| playing.shown.borrow().is_playing);
        table.is_some_and(|playing| playing.tell.send(inputs).is_ok())
    }

    /// Pauses all of them, and waits until each is put away. `before` says what a table is told together with the pause, so that
    /// nothing is begun in between.
    pub async fn stop(&self, before: impl Fn(CampaignId) -> Vec<Input>) {
        let playing = std::mem::take(&mut *self.locked());
        for (id, one) in &playing {
            let mut inputs = before(*id);
            inputs.push(paused("the server stopped"));
            let _ = one.tell.send(inputs);
        }
        for one in playing.into_values() {
            if let Err(error) = one.task.await {
                tracing::error!(%error, "a table failed");
            }
        }
    }

    /// What the lock guards is whole at every moment, also after a panic elsewhere.
    fn locked(&self) -> MutexGuard<'_, BTreeMap<CampaignId, Playing>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The wish to pause.
pub fn paused(reason: &str) -> Input {
    Input::PauseAsked(PauseAsked { reason: reason.to_owned() })
}

async fn play(mut table: Table, mut told: UnboundedReceiver<Vec<Input>>, show: watch::Sender<Shown>) {
    loop {
        tokio::select! {
            biased;
            happened = table.next() => match happened {
                Some(Happened::Committed(_)) => {
                    // Whoever was asked has answered when the call is pending no more.
                    let view = table.view();
                    let pending = view.state().calls().pending.as_ref().map(|pending| pending.call);
                    show.send_modify(|shown| {
                        shown.next = view.next();
                        shown.people.clone_from(&view.state().table().people);
                        shown.draft = None;
                        shown.asked = shown.asked.filter(|(call, _)| Some(*call) == pending);
                    });
                }
                Some(Happened::Asking { call, seat }) => show.send_modify(|shown| shown.asked = Some((call, seat))),
                Some(Happened::Drafting { seat, words }) => {
                    let speaker = table.view().state().seat_name(seat);
                    show.send_modify(|shown| shown.draft = Some((speaker, end_of(&words))));
                }
                Some(Happened::Budget(_)) => {}
                None => break,
            },
            Some(inputs) = told.recv() => table.tell(inputs),
        }
    }
    let next = table.view().next();
    let failed = table.finished().await.err();
    let failed = failed.map(|Error { message, help, .. }| (message, help));
    show.send_replace(Shown { next, failed, ..Shown::default() });
}

fn end_of(words: &str) -> String {
    let from = words.char_indices().rev().nth(DRAFT_CHARS_MAX).map_or(0, |(at, _)| at);
    words[from..].to_owned()
}
