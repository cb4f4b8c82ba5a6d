//! Campaigns that this server plays. Each has a task that takes what its table tells and passes on what people say.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use twicetold_event::{CallId, CampaignId, Input, PauseAsked, Seat};
use twicetold_host::Error;
use twicetold_host::play::{Game, Happened, Table};

use crate::answer::Problem;
use crate::limits;

/// All of them.
#[derive(Default)]
pub(crate) struct Tables(Mutex<BTreeMap<CampaignId, Playing>>);

struct Playing {
    tell: UnboundedSender<Vec<Input>>,
    shown: Arc<Mutex<Shown>>,
    task: JoinHandle<()>,
}

/// What is to be seen of a table beside its journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Who is speaking, and the last words so far. They are no part of the story before they are committed.
    pub(crate) draft: Option<(String, String)>,
    /// A person is asked at this seat.
    pub(crate) asked: Option<(CallId, Seat)>,
    /// Why it is played no further, where that was a failure, and what to do next.
    pub(crate) failed: Option<(String, String)>,
    /// Is it still played?
    pub(crate) is_playing: bool,
}

impl Tables {
    /// Begins to play.
    ///
    /// # Errors
    /// Too many are played, or a model cannot be used.
    pub(crate) async fn begin(&self, game: Game) -> Result<CampaignId, Problem> {
        if self.count() >= limits::TABLES_MAX {
            return Err(Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                format!("This server plays {} campaigns already.", limits::TABLES_MAX),
                "Pause one of them first.",
            ));
        }
        let mut table = Table::begin(game).await?;
        let id = table.id();
        // A campaign is there from its first entry on, and its page is the next that is asked for.
        if table.next().await.is_none() {
            table.finished().await?;
            return Ok(id);
        }
        let (tell, told) = unbounded_channel();
        let shown = Arc::new(Mutex::new(Shown { is_playing: true, ..Shown::default() }));
        let task = tokio::spawn(play(table, told, shown.clone()));
        self.known().insert(id, Playing { tell, shown, task });
        Ok(id)
    }

    /// What is to be seen of a table; none of a campaign that this server never played.
    pub(crate) fn shown(&self, id: CampaignId) -> Option<Shown> {
        self.known().get(&id).map(|playing| locked(&playing.shown).clone())
    }

    /// Is it played here now?
    pub(crate) fn is_playing(&self, id: CampaignId) -> bool {
        self.shown(id).is_some_and(|shown| shown.is_playing)
    }

    /// Tells a table something.
    ///
    /// # Errors
    /// This server does not play it.
    pub(crate) fn tell(&self, id: CampaignId, inputs: Vec<Input>) -> Result<(), Problem> {
        let known = self.known();
        let table = known.get(&id).filter(|playing| locked(&playing.shown).is_playing);
        if table.is_some_and(|playing| playing.tell.send(inputs).is_ok()) {
            return Ok(());
        }
        let message = "This server does not play the campaign now.";
        Err(Problem::new(StatusCode::CONFLICT, message, "Resume it on its page first."))
    }

    /// Pauses all of them, and waits until each is put away.
    pub(crate) async fn stop(&self) {
        let playing: Vec<Playing> = std::mem::take(&mut *self.known()).into_values().collect();
        for one in &playing {
            let _ = one.tell.send(vec![paused("the server stopped")]);
        }
        for one in playing {
            if let Err(error) = one.task.await {
                tracing::error!(%error, "a table failed");
            }
        }
    }

    fn count(&self) -> usize {
        self.known().values().filter(|playing| locked(&playing.shown).is_playing).count()
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<CampaignId, Playing>> {
        locked(&self.0)
    }
}

/// The wish to pause.
pub(crate) fn paused(reason: &str) -> Input {
    Input::PauseAsked(PauseAsked { reason: reason.to_owned() })
}

/// What a lock guards is whole at every moment, also after a panic elsewhere.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn play(mut table: Table, mut told: UnboundedReceiver<Vec<Input>>, shown: Arc<Mutex<Shown>>) {
    loop {
        tokio::select! {
            biased;
            happened = table.next() => match happened {
                Some(Happened::Committed(_)) => {
                    // Whoever was asked has answered when the call is pending no more.
                    let pending = table.view().state().calls().pending.as_ref().map(|pending| pending.call);
                    let mut shown = locked(&shown);
                    shown.draft = None;
                    shown.asked = shown.asked.filter(|(call, _)| Some(*call) == pending);
                }
                Some(Happened::Asking { call, seat }) => locked(&shown).asked = Some((call, seat)),
                Some(Happened::Drafting { seat, words }) => {
                    let speaker = table.view().state().seat_name(seat);
                    locked(&shown).draft = Some((speaker, end_of(&words)));
                }
                Some(Happened::Budget(_)) => {}
                None => break,
            },
            Some(inputs) = told.recv() => table.tell(inputs),
        }
    }
    let failed = table.finished().await.err();
    let failed = failed.map(|Error { message, help, .. }| (message, help));
    *locked(&shown) = Shown { failed, ..Shown::default() };
}

fn end_of(words: &str) -> String {
    let from = words.char_indices().rev().nth(limits::DRAFT_CHARS_MAX).map_or(0, |(at, _)| at);
    words[from..].to_owned()
}
