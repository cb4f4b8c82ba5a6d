//! Plays a campaign and shows it: the story on standard output, progress on standard error, a card at the end.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::sync::mpsc;
use twicetold_cast::{Casting, Handle, Notice, PlayError, Stop, play};
use twicetold_event::{Entry, Input, Number, ParkAsked, Seat, limits};
use twicetold_projection::people::{heard, lines};
use twicetold_provider::Webhook;
use twicetold_referee::Campaign;
use twicetold_report::{JsonLines, card_embed, endings};
use twicetold_session::{Replies, Session};
use twicetold_world::State;

use crate::failure::{Failure, code};
use crate::person::{Leaving, Line, Next, Person, Sitting};
use crate::signals::StopSignals;
use crate::terminal::{counted, json_line, printed, safe};
use crate::webhook::Poster;
use crate::{card, story};
use twicetold_host::Error;
use twicetold_host::View;
use twicetold_host::mapping::{Allowed, Mapping};

/// How much of the story is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// The story, for people.
    Story,
    /// The card at the end alone.
    Card,
    /// One JSON object a line for each event, and one for the end.
    Json,
}

/// A campaign that is to be played.
pub struct Playing {
    /// The campaign and its journal.
    pub session: Session,
    /// Its file.
    pub path: PathBuf,
    /// The campaign as it stands before.
    pub view: Campaign,
    /// Where its snapshot is kept in the end.
    pub snapshot: View,
    /// The first inputs.
    pub first: Vec<Input>,
    /// How much of the story is shown.
    pub show: Show,
    /// Who plays with the models.
    pub sitting: Option<Sitting>,
    /// Which models of this machine play.
    pub mapping: Mapping,
    /// For a branch: what its parent was answered, and may be taken before anybody is asked.
    pub replies: Replies,
    /// Where the story is posted while it is played.
    pub webhook: Option<Webhook>,
}

/// Plays until the campaign is over or parked.
pub fn run(playing: Playing) -> Result<ExitCode, Failure> {
    let Playing { session, path, view, snapshot, first, show, sitting, mapping, replies, webhook } = playing;
    let failure = |error| failure(&path, error);
    let providers =
        twicetold_host::seats::providers_of_branch(session.campaign().state().setup(), &mapping, replies)?;
    let budget = mapping.budget.map(Allowed::budget);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(code::FAILED, format!("no threads: {error}"), ""))?;
    let id = session.id();
    runtime.block_on(async {
        let mut signals = StopSignals::listen().map_err(|error| {
            Failure::new(code::FAILED, format!("signals cannot be listened to: {error}"), "")
        })?;
        let person = sitting.map(Person::new).transpose()?;
        let seat = person.as_ref().map(Person::seat);
        let bar = bar(show);
        let poster = webhook.map(|webhook| Poster::start(webhook, &bar));
        let owed = view.state().calls().owed.as_ref();
        let json = owed.map_or_else(JsonLines::default, |owed| JsonLines::owing(owed.call, owed.seat));
        let mut watcher = Watcher { view, show, bar, broken: None, seat, poster, json };
        if let Some(person) = &person {
            watcher.print(&person.welcome(&watcher.view));
        }
        let (notices, watching) = mpsc::channel(limits::OBSERVER_QUEUE_MAX);
        let notices = Some(notices);
        let casting =
            Casting { session, providers, clock: Arc::new(twicetold_host::now), first, budget, notices };
        let mut handle = play(casting).await.map_err(failure)?;
        let left = watch(&handle, &mut watcher, watching, &mut signals, person).await;
        let (result, session) = handle.finished().await;
        watcher.bar.finish_and_clear();
        // The card is shown without what cannot be read any more.
        let known = session.as_ref().map(|session| endings(&watcher.view, session.journal()));
        let endings = known.and_then(Result::ok).unwrap_or_default();
        if let Some(mut session) = session {
            snapshot.keep(&mut session);
            // Compacting is a courtesy; a campaign that is not closed is whole all the same.
            let _ = session.into_store().close();
        }
        let stop = result.map_err(failure)?;
        let poster = watcher.poster.take();
        // A text that was cut off has no end that anybody should read.
        let shown = match watcher.broken.take() {
            Some(error) => printed(Err(error)),
            None => card::print(&watcher.view, &id.to_string(), show, seat, &endings),
        };
        if let Some(poster) = poster {
            let (state, story) = (watcher.view.state(), watcher.view.story());
            poster.finish(card_embed(state, story, &id.to_string(), seat, &endings), &mut signals).await;
        }
        match (stop, left) {
            (Stop::Ended, _) | (Stop::Parked, Some(Leaving::Parked)) => shown.map(|()| ExitCode::SUCCESS),
            (Stop::Parked, Some(Leaving::Interrupted)) => Ok(ExitCode::from(code::INTERRUPTED)),
            (Stop::Parked, _) => Ok(ExitCode::from(code::PARKED)),
        }
    })
}

fn failure(path: &Path, error: PlayError) -> Failure {
    match error {
        PlayError::Commit(error) => Error::commit(&path.display().to_string(), &error).into(),
        PlayError::NobodyPlays(_) => Failure::new(
            code::FAILED,
            error.to_string(),
            "`play ID --seat NAME` takes a seat; `fork ID --model SEAT=NAME` gives it a model",
        ),
        PlayError::Bug(_) => Error::goes_on(error.to_string()).into(),
    }
}

/// Shows what happens, and asks the person who plays, until nothing more happens; says how somebody left.
async fn watch(
    handle: &Handle,
    watcher: &mut Watcher,
    mut watching: mpsc::Receiver<Notice>,
    signals: &mut StopSignals,
    mut person: Option<Person>,
) -> Option<Leaving> {
    let mut left = None;
    loop {
        let next = tokio::select! {
            biased;
            notice = watching.recv() => match notice {
                Some(Notice::Committed(committed)) => { watcher.committed(&committed.entry); continue }
                Some(Notice::Calling { .. }) => continue,
                Some(Notice::Asking { call, seat }) => {
                    let asked = person.as_mut().and_then(|person| person.ask(&watcher.view, call, seat));
                    if let (Some(question), Some(person)) = (asked, &person) {
                        watcher.asks(&question);
                        person.listen();
                    }
                    continue;
                }
                None => return left,
            },
            signal = signals.next(), if left != Some(Leaving::Interrupted) => {
                watcher.bar.set_message("parking …");
                match &mut person {
                    Some(person) => person.leave(signal, Leaving::Interrupted),
                    None => Next::Leave(vec![parked(signal)], Leaving::Interrupted),
                }
            }
            (person, line) = said(&mut person) => {
                let (shown, next) = person.heard(&watcher.view, line);
                watcher.print(&shown);
                if matches!(next, Next::Again) {
                    person.listen();
                }
                next
            }
        };
        match next {
            Next::Again => {}
            Next::Tell(inputs) => {
                watcher.goes_on();
                handle.tell(inputs);
            }
            Next::Leave(inputs, leaving) => {
                watcher.goes_on();
                (left, person) = (Some(leaving), None);
                handle.tell(inputs);
            }
        }
    }
}

fn parked(reason: &str) -> Input {
    Input::ParkAsked(ParkAsked { reason: reason.to_owned() })
}

/// The next line of the person who plays; never, where nobody does.
async fn said(person: &mut Option<Person>) -> (&mut Person, Line) {
    match person {
        Some(person) => {
            let line = person.line().await;
            (person, line)
        }
        None => std::future::pending().await,
    }
}

struct Watcher {
    view: Campaign,
    show: Show,
    bar: ProgressBar,
    /// Why standard output takes no more: the campaign is played on in silence.
    broken: Option<std::io::Error>,
    /// Through whose eyes; all of it where nobody plays.
    seat: Option<Seat>,
    /// Posts the story elsewhere.
    poster: Option<Poster>,
    /// Makes the JSON.
    json: JsonLines,
}

impl Watcher {
    fn committed(&mut self, entry: &Entry) {
        let owed = self.view.state().calls().owed.as_ref().map(|owed| (owed.call, owed.seat));
        if let Err(error) = self.view.fold(entry) {
            tracing::error!(%error, "the view cannot follow the journal");
            return;
        }
        let (state, replies) = (self.view.state(), self.view.replies());
        // Whoever plays sees no more of the story in a channel than at the table.
        let lines = || match self.seat {
            Some(seat) => {
                let own = owed.is_some_and(|(call, of)| of == seat && entry.input.call() == Some(call));
                heard(state, replies, entry, seat, own)
            }
            None => lines(state, replies, entry),
        };
        if let Some(poster) = &mut self.poster {
            poster.tell(state, &lines());
        }
        let text = match self.show {
            Show::Card => String::new(),
            Show::Story => lines().iter().map(|line| story::rendered(state, line)).collect(),
            Show::Json => json(&mut self.json, &self.view, entry),
        };
        self.print(&text);
        self.bar.set_message(progress(self.view.state()));
        self.bar.tick();
    }

    fn print(&mut self, text: &str) {
        if !text.is_empty() && self.broken.is_none() {
            let broken = &mut self.broken;
            self.bar.suspend(|| {
                let mut out = anstream::stdout().lock();
                *broken = out.write_all(text.as_bytes()).and_then(|()| out.flush()).err();
            });
        }
    }

    /// A person is asked: while they type nothing else may move on their terminal.
    fn asks(&mut self, question: &str) {
        self.bar.disable_steady_tick();
        self.bar.finish_and_clear();
        self.print(question);
    }

    fn goes_on(&mut self) {
        self.bar.reset();
        self.bar.enable_steady_tick(TICK);
    }
}

/// How often the progress moves.
const TICK: Duration = Duration::from_millis(120);

fn bar(show: Show) -> ProgressBar {
    let hidden = show == Show::Json || !std::io::stderr().is_terminal();
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(None, target);
    let style = ProgressStyle::with_template("{spinner:.yellow} {wide_msg:.dim}");
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(TICK);
    bar
}

fn progress(state: &State) -> String {
    let total = state.calls().total();
    let tokens = total.input_tokens + total.output_tokens;
    let turn = state.turn();
    let who = turn.seat.map(|seat| safe(&state.seat_name(seat))).unwrap_or_default();
    format!(
        "{} · turn {} · {who} · {} · {} tokens",
        state.phase().name(),
        turn.number,
        counted(u64::from(total.calls), "call"),
        card::thousands(tokens)
    )
}

/// The input and the events of an entry, a JSON object a line, as `export --as jsonl` writes them.
pub fn json(made: &mut JsonLines, campaign: &Campaign, entry: &Entry) -> String {
    let spoken = lines(campaign.state(), campaign.replies(), entry);
    let text =
        |number: Number| spoken.iter().find(|line| line.number == number.0).map(|line| line.text.clone());
    made.of(entry, text).iter().map(json_line).collect()
}
