//! The memory seat beside a turn: whenever its reply comes, the story is the same, and nothing is paid twice.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::sync::{Notify, mpsc};
use tokio_test::assert_ok;
use twicetold_cast::{Budget, KeepAhead, Limit, Notice, PlaySetup, Stop, play};
use twicetold_event::{Event, Input, Purpose, ResumeAsked, Seat};
use twicetold_improv::improvise;
use twicetold_model::{Fault, FaultKind};
use twicetold_provider::{Completion, Improvised, Provider, Scripted};
use twicetold_session::{Session, entries};
use twicetold_tests::Game;

use super::actors::{block_on, clock, everybody, game};

/// A campaign with a short window: the memory seat has work.
fn short(seed: u64) -> Game {
    game(seed).with("limits.toml", "history_messages_max = ", "history_messages_max = 6 # ")
}

/// A place that survives the process, as a file does.
#[derive(Default)]
struct Place {
    kept: Mutex<Option<Vec<u8>>>,
    /// What was kept first.
    first: Mutex<Option<Vec<u8>>>,
    times: AtomicUsize,
}

impl KeepAhead for Place {
    fn keep(&self, kept: &[u8]) {
        self.times.fetch_add(1, Ordering::SeqCst);
        self.first.lock().expect("no panic").get_or_insert_with(|| kept.to_vec());
        *self.kept.lock().expect("no panic") = Some(kept.to_vec());
    }
    fn kept(&self) -> Option<Vec<u8>> {
        self.kept.lock().expect("no panic").clone()
    }
    fn forget(&self) {
        *self.kept.lock().expect("no panic") = None;
    }
}

/// The memory seat's model, which answers when it may.
struct Gated {
    open: Arc<Notify>,
    asked: Arc<AtomicUsize>,
}

impl Provider for Gated {
    fn name(&self) -> &str {
        "gated"
    }
    fn complete<'a>(&'a self, body: &'a str) -> Completion<'a> {
        Box::pin(async move {
            self.asked.fetch_add(1, Ordering::SeqCst);
            self.open.notified().await;
            Ok(improvise(body))
        })
    }
}

/// Answers at once, counted.
fn counted(asked: &Arc<AtomicUsize>) -> Arc<dyn Provider> {
    let asked = asked.clone();
    Arc::new(Scripted::responding("counted", move |body: &str| {
        asked.fetch_add(1, Ordering::SeqCst);
        Ok(improvise(body))
    }))
}

/// What is played, by whom for the memory seat, and with what beside it.
struct Playing {
    session: Session,
    first: Input,
    memory: Arc<dyn Provider>,
    ahead: Option<Arc<dyn KeepAhead>>,
    budget: Option<Budget>,
}

/// Plays on and tells `watch` of everything; the session as it stops.
fn played(playing: Playing, mut watch: impl FnMut(&Event)) -> (Stop, Session) {
    let Playing { session, first, memory, ahead, budget } = playing;
    block_on(async {
        let mut providers = everybody(Arc::new(Improvised::new(false)));
        providers.insert(Seat::Memory, memory);
        let (sender, mut notices) = mpsc::channel(8);
        let (first, notice) = (vec![first], Some(sender));
        let setup = PlaySetup { session, providers, clock: clock(), first, budget, notices: notice, ahead };
        let mut handle = assert_ok!(play(setup).await);
        while let Some(notice) = notices.recv().await {
            if let Notice::Committed(committed) = notice {
                committed.entry.events.iter().for_each(&mut watch);
            }
        }
        let (stop, session) = handle.finished().await;
        (stop.expect("it stops as it should"), session.expect("the session comes back"))
    })
}

fn summaries(session: &Session) -> usize {
    let events =
        entries(session.journal()).expect("it is whole").flat_map(|entry| entry.expect("whole").events);
    events.filter(is_summary).count()
}

fn is_summary(event: &Event) -> bool {
    matches!(event, Event::ModelCallRequested(word) if matches!(word.purpose, Purpose::Summary { .. }))
}

#[test]
fn the_story_is_the_same_whenever_the_reply_comes() {
    let alone = short(71).improvised();
    let asked = Arc::new(AtomicUsize::new(0));
    let place = Arc::new(Place::default());
    // At once, which is before the turn has ended.
    let (session, _memory, first) = short(71).session();
    let (memory, ahead) = (counted(&asked), Some(place.clone() as Arc<dyn KeepAhead>));
    let (stop, session) = played(Playing { session, first, memory, ahead, budget: None }, |_| ());
    assert_eq!((stop, session.campaign().story()), (Stop::Ended, alone.session.campaign().story()));
    let due = summaries(&session);
    assert!(due > 1, "{due} summaries");
    assert!(place.times.load(Ordering::SeqCst) >= due, "each was asked ahead");
    assert_eq!(place.kept(), None, "what is in the journal is not kept beside it");
    // Not before the campaign waits for it.
    let (open, asked) = (Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
    let memory = Arc::new(Gated { open: open.clone(), asked: asked.clone() });
    let (session, _memory, first) = short(71).session();
    let ahead = Some(Arc::new(Place::default()) as Arc<dyn KeepAhead>);
    let (stop, session) = played(Playing { session, first, memory, ahead, budget: None }, |event| {
        if matches!(event, Event::ModelCallRequested(word) if word.seat == Seat::Memory) {
            open.notify_one();
        }
    });
    assert_eq!((stop, session.campaign().story()), (Stop::Ended, alone.session.campaign().story()));
    assert!(asked.load(Ordering::SeqCst) > 0);
}

#[test]
fn what_came_ahead_is_not_paid_again_after_a_pause() {
    let alone = short(71).improvised();
    let place = Arc::new(Place::default());
    let asked = Arc::new(AtomicUsize::new(0));
    let (mut session, _memory, mut first) = short(71).session();
    let mut pauses = 0;
    loop {
        let (memory, ahead) = (counted(&asked), Some(place.clone() as Arc<dyn KeepAhead>));
        // Stops after every third call, so that some replies are kept while nobody plays.
        let calls = session.campaign().state().calls().total().calls;
        let limit = Limit { from: calls.into(), to: u64::from(calls) + 3 };
        let budget = Some(Budget { calls: Some(limit), ..Budget::default() });
        let (stop, stopped) = played(Playing { session, first, memory, ahead, budget }, |_| ());
        session = stopped;
        if stop == Stop::Ended {
            break;
        }
        pauses += 1;
        first = Input::ResumeAsked(ResumeAsked { interrupted: None });
    }
    assert!(pauses > 5 && place.times.load(Ordering::SeqCst) > 1, "{pauses} pauses");
    assert_eq!(session.campaign().story(), alone.session.campaign().story());
    let paid = entries(session.journal()).expect("it is whole").filter(|entry| {
        let entry = entry.as_ref().expect("whole");
        entry.events.iter().any(|event| matches!(event, Event::SummaryWritten(_)))
    });
    assert!(paid.count() > 1);
    let of_memory =
        session.campaign().state().calls().spent.iter().filter(|((seat, _), _)| *seat == Seat::Memory);
    let recorded: u64 = of_memory.map(|(_, spent)| u64::from(spent.calls)).sum();
    assert_eq!(asked.load(Ordering::SeqCst) as u64, recorded, "each call that was made is in the journal");
}

#[test]
fn a_failure_that_came_ahead_is_recorded_when_the_call_is_decided() {
    let (session, _memory, first) = short(73).session();
    let failures = AtomicUsize::new(0);
    let memory = Arc::new(Scripted::responding("busy", move |body: &str| {
        match failures.fetch_add(1, Ordering::SeqCst) {
            0 => Err(Fault::new(FaultKind::Server, "overloaded")),
            _ => Ok(improvise(body)),
        }
    }));
    let ahead = Some(Arc::new(Place::default()) as Arc<dyn KeepAhead>);
    let mut retries = 0;
    let (stop, session) = played(Playing { session, first, memory, ahead, budget: None }, |event| {
        retries += usize::from(matches!(event, Event::RetryScheduled(_)));
    });
    assert_eq!((stop, retries), (Stop::Ended, 1));
    let failed: u32 = session.campaign().state().calls().spent.values().map(|spent| spent.failed).sum();
    assert_eq!(failed, 1);
}

#[test]
fn what_is_kept_of_another_request_or_damaged_is_not_taken() {
    let alone = short(71).improvised();
    let other = Arc::new(Place::default());
    let asked = Arc::new(AtomicUsize::new(0));
    let (session, _memory, first) = short(75).session();
    let ahead = Some(other.clone() as Arc<dyn KeepAhead>);
    let playing = Playing { session, first, memory: counted(&asked), ahead, budget: None };
    played(playing, |_| ());
    let of_another = other.first.lock().expect("no panic").clone().expect("something was kept");
    let cut = of_another[..of_another.len() - 1].to_vec();
    // One that fits, with another word in it.
    let (session, _memory, first) = short(71).session();
    let fitting = Arc::new(Place::default());
    let ahead = Some(fitting.clone() as Arc<dyn KeepAhead>);
    played(Playing { session, first, memory: counted(&Arc::default()), ahead, budget: None }, |_| ());
    let mut changed = fitting.first.lock().expect("no panic").clone().expect("something was kept");
    let letter = changed.len() - 40;
    changed[letter] ^= 1;
    for kept in [of_another, cut, changed, Vec::new(), vec![0; 80], b"{}".to_vec()] {
        let place = Arc::new(Place::default());
        place.keep(&kept);
        let (session, _memory, first) = short(71).session();
        let ahead = Some(place as Arc<dyn KeepAhead>);
        let memory = counted(&Arc::default());
        let (stop, session) = played(Playing { session, first, memory, ahead, budget: None }, |_| ());
        assert_eq!((stop, session.campaign().story()), (Stop::Ended, alone.session.campaign().story()));
    }
}
