//! The actors carry messages and decide nothing: what they play is what the referee alone would have played.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Waker};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio_test::assert_ok;
use twicetold_cast::{Handle, Notice, PlayError, PlaySetup, RESTARTS_MAX, Stop, play};
use twicetold_event::{
    CampaignId, Event, Input, Millis, PauseAsked, PersonAnswered, PersonCall, ResumeAsked, Seat, SeatAsked,
};
use twicetold_improv::improvise;
use twicetold_provider::{Improvised, Provider, Scripted};
use twicetold_session::{Session, Verdict};
use twicetold_tests::Game;

/// A campaign of its own: actors are registered by its id, and tests run side by side.
pub(super) fn game(seed: u64) -> Game {
    static GAMES: AtomicU64 = AtomicU64::new(0);
    let mut id = [7; 16];
    id[..8].copy_from_slice(&GAMES.fetch_add(1, Ordering::SeqCst).to_le_bytes());
    Game { id: CampaignId(id), ..Game::new(seed) }
}

pub(super) fn everybody(provider: Arc<dyn Provider>) -> BTreeMap<Seat, Arc<dyn Provider>> {
    let seats = [Seat::Dm, Seat::Memory, Seat::Player(1), Seat::Player(2), Seat::Player(3)];
    seats.into_iter().map(|seat| (seat, provider.clone())).collect()
}

/// Time that only goes when somebody looks.
pub(super) fn clock() -> Arc<dyn Fn() -> Millis + Send + Sync> {
    let ticks = AtomicU64::new(1_000_000);
    Arc::new(move || Millis(ticks.fetch_add(7, Ordering::Relaxed)))
}

pub(super) async fn started(
    session: Session,
    first: Vec<Input>,
    provider: Arc<dyn Provider>,
    notices: Option<mpsc::Sender<Notice>>,
) -> Handle {
    let setup = PlaySetup { notices, ..PlaySetup::new(session, everybody(provider), clock(), first) };
    assert_ok!(play(setup).await)
}

/// Runs on several threads: the order among actors is then a matter of luck, and the story must not be.
pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(3).enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

#[test]
fn the_actors_play_the_story_that_the_referee_alone_plays() {
    let alone = game(51).improvised();
    let (session, _memory, opening) = game(51).session();
    let played = block_on(async {
        let mut handle = started(session, vec![opening], Arc::new(Improvised::new(false)), None).await;
        handle.finished().await
    });
    assert_eq!(played.0.expect("it stops as it should"), Stop::Ended);
    let session = played.1.expect("the session comes back");
    assert_eq!(session.campaign().story(), alone.session.campaign().story());
}

#[test]
fn a_seat_without_a_model_stops_the_campaign_with_a_word_and_does_not_wait_for_ever() {
    let (session, _memory, opening) = game(53).session();
    let mut providers = everybody(Arc::new(Improvised::new(false)));
    providers.remove(&Seat::Player(2));
    let setup = PlaySetup::new(session, providers, clock(), vec![opening]);
    let (result, session) = block_on(async { assert_ok!(play(setup).await).finished().await });
    assert!(matches!(result, Err(PlayError::NobodyPlays(Seat::Player(2)))), "{result:?}");
    assert!(session.is_some_and(|session| session.campaign().state().calls().pending.is_some()));
}

#[test]
fn a_hanging_call_is_cancelled_when_the_campaign_is_paused_and_pending_when_it_is_resumed() {
    let (session, _memory, opening) = game(52).session();
    let session = block_on(async {
        let (notices, mut watching) = mpsc::channel(8);
        let mut handle =
            started(session, vec![opening], Arc::new(Scripted::hanging("mute")), Some(notices)).await;
        while !matches!(watching.recv().await, Some(Notice::Calling { .. })) {}
        // First run, still waiting: nothing is finished while the call hangs.
        {
            let mut nobody = Context::from_waker(Waker::noop());
            assert!(pin!(handle.finished()).poll(&mut nobody).is_pending());
        }
        watching.close();
        handle.tell(vec![paused("a test")]);
        let (result, session) = handle.finished().await;
        assert_eq!(result.expect("it stops as it should"), Stop::Paused);
        session.expect("the session comes back")
    });
    let pending = session.campaign().state().calls().pending.clone().expect("the call is still pending");
    // After the answer: another provider answers the very same call.
    let resumed = block_on(async {
        let first = Input::ResumeAsked(ResumeAsked { interrupted: Some(pending.call) });
        let mut handle = started(session, vec![first], Arc::new(Improvised::new(false)), None).await;
        handle.finished().await
    });
    assert_eq!(resumed.0.expect("it stops as it should"), Stop::Ended);
    let twin = game(52).improvised();
    assert_eq!(resumed.1.expect("the session").campaign().story(), twin.session.campaign().story());
}

#[test]
fn a_campaign_that_nobody_holds_any_more_is_not_played_on() {
    let (session, _memory, opening) = game(54).session();
    let id = session.id();
    block_on(async {
        let (notices, mut watching) = mpsc::channel(8);
        let handle =
            started(session, vec![opening], Arc::new(Scripted::hanging("mute")), Some(notices)).await;
        while !matches!(watching.recv().await, Some(Notice::Calling { .. })) {}
        drop(handle);
        let gone = async { while watching.recv().await.is_some() {} };
        tokio::time::timeout(Duration::from_secs(60), gone).await.expect("the table is gone");
        let names = ["table", "supervisor", "dm"].map(|actor| format!("twicetold/{id}/{actor}"));
        while names.iter().any(|name| ractor::registry::where_is(name.clone()).is_some()) {
            tokio::task::yield_now().await;
        }
    });
}

/// A provider that panics the first `times` times, and then answers.
fn panicking(times: u64) -> Arc<dyn Provider> {
    let asked = AtomicU64::new(0);
    Arc::new(Scripted::responding("broken", move |body: &str| {
        assert!(asked.fetch_add(1, Ordering::SeqCst) >= times, "a bug in a provider");
        Ok(improvise(body))
    }))
}

/// A campaign whose calls are tried again at once.
fn impatient(seed: u64) -> Game {
    game(seed).with("limits.toml", "retry_first_ms = 500", "retry_first_ms = 1")
}

fn faults(session: &Session) -> Vec<twicetold_model::FaultKind> {
    let entries = twicetold_session::entries(session.journal()).expect("it can be read");
    let faults = entries.filter_map(|entry| match entry.expect("it is whole").input {
        Input::ModelFailed(word) => Some(word.fault.kind),
        _ => None,
    });
    faults.collect()
}

#[test]
fn a_seat_that_panics_is_started_again_and_its_call_is_a_recorded_fault() {
    let twin = impatient(53).improvised();
    let (session, _memory, opening) = impatient(53).session();
    let (result, session) = block_on(async {
        let mut handle = started(session, vec![opening], panicking(2), None).await;
        handle.finished().await
    });
    assert_eq!(result.expect("it stops as it should"), Stop::Ended);
    let session = session.expect("the session comes back");
    assert_eq!(faults(&session), [twicetold_model::FaultKind::Crashed; 2]);
    assert_eq!(
        session.campaign().story(),
        twin.session.campaign().story(),
        "the story is as if nothing had been"
    );
    let report = twicetold_session::replay(session.journal(), None).expect("it can be read");
    assert!(matches!(report.verdict, Verdict::Identical));
}

#[test]
fn a_seat_that_keeps_panicking_pauses_the_campaign_which_can_be_resumed() {
    let (session, _memory, opening) = impatient(54).session();
    let (result, session) = block_on(async {
        let mut handle = started(session, vec![opening], panicking(u64::MAX), None).await;
        handle.finished().await
    });
    assert_eq!(result.expect("it stops as it should"), Stop::Paused);
    let session = session.expect("the session comes back");
    assert_eq!(faults(&session).len() as u32, RESTARTS_MAX + 1);
    let reason = match session.campaign().state().life() {
        twicetold_world::Life::Paused { reason, .. } => reason.clone(),
        other => panic!("{other:?}"),
    };
    assert!(reason.contains("DM failed 3 times"), "{reason}");
    let resumed = block_on(async {
        let first = Input::ResumeAsked(ResumeAsked { interrupted: None });
        let mut handle = started(session, vec![first], Arc::new(Improvised::new(false)), None).await;
        handle.finished().await
    });
    assert_eq!(resumed.0.expect("it stops as it should"), Stop::Ended);
}

#[test]
fn a_table_that_panics_stops_its_campaign_and_no_other_and_what_is_durable_is_played_on() {
    let twin = game(56).improvised();
    let (broken, memory, opening) = game(56).session();
    let (other, _other_memory, other_opening) = game(57).session();
    let asked = Arc::new(AtomicU64::new(0));
    block_on(async {
        let mut well = started(other, vec![other_opening], Arc::new(Improvised::new(false)), None).await;
        // A clock that fails is a bug in the table itself.
        let looks = asked.clone();
        let clock: Arc<dyn Fn() -> Millis + Send + Sync> = Arc::new(move || {
            let look = looks.fetch_add(1, Ordering::SeqCst);
            assert!(look < 9, "a bug in the table");
            Millis(1_000_000 + look)
        });
        let providers = everybody(Arc::new(Improvised::new(false)));
        let setup = PlaySetup::new(broken, providers, clock, vec![opening]);
        let (result, session) = assert_ok!(play(setup).await).finished().await;
        assert!(matches!(result, Err(PlayError::Bug(_))), "{result:?}");
        assert!(session.is_none());
        assert_eq!(well.finished().await.0.expect("the other plays on"), Stop::Ended);
    });
    let journal = memory.open().expect("memory opens");
    assert_eq!(twicetold_journal::Source::head(&journal).entries, 9, "nothing was written after the bug");
    let session =
        Session::recover(Box::new(journal), twicetold_event::Build::new("test")).expect("it is whole");
    let pending = session.campaign().state().calls().pending.as_ref().map(|pending| pending.call);
    let (result, session) = block_on(async {
        let first = Input::ResumeAsked(ResumeAsked { interrupted: pending });
        let mut handle = started(session, vec![first], Arc::new(Improvised::new(false)), None).await;
        handle.finished().await
    });
    assert_eq!(result.expect("it stops as it should"), Stop::Ended);
    assert_eq!(session.expect("the session").campaign().story(), twin.session.campaign().story());
}

#[test]
fn the_actors_of_a_campaign_are_found_by_name_and_a_campaign_is_played_once_at_a_time() {
    let hanging = || -> Arc<dyn Provider> { Arc::new(Scripted::hanging("mute")) };
    block_on(async {
        let (session, _memory, opening) = game(58).session();
        let id = session.id();
        let mut handle = started(session, vec![opening], hanging(), None).await;
        for actor in ["dm", "player-1", "player-3", "memory", "table", "supervisor"] {
            let name = format!("twicetold/{id}/{actor}");
            assert!(ractor::registry::where_is(name.clone()).is_some(), "{name}");
        }
        let (twice, _twice_memory, opening) = Game { id, ..game(58) }.session();
        let (session, providers, clock) = (twice, everybody(hanging()), clock());
        let setup = PlaySetup::new(session, providers, clock, vec![opening]);
        assert!(matches!(play(setup).await.err(), Some(PlayError::PlayedTwice(twice)) if twice == id));
        handle.tell(vec![paused("a test")]);
        handle.finished().await.0.expect("it stops as it should");
        assert!(ractor::registry::where_is(format!("twicetold/{id}/dm")).is_none(), "all of them are gone");
    });
}

/// Somebody asks to stop for now.
fn paused(reason: &str) -> Input {
    Input::PauseAsked(PauseAsked { reason: reason.to_owned() })
}

/// Somebody takes a seat, or gives it back.
fn sits(seat: Seat, person: Option<&str>) -> Input {
    Input::SeatAsked(SeatAsked { seat, person: person.map(str::to_owned) })
}

#[test]
fn a_person_is_asked_each_time_and_what_they_say_and_do_is_an_input_like_any_other() {
    let (session, memory, opening) = game(54).session();
    let seat = Seat::Player(2);
    let (answered, stop) = block_on(async {
        let (notices, mut watching) = mpsc::channel(8);
        let first = vec![opening, sits(seat, Some("Ada"))];
        let mut handle = started(session, first, Arc::new(Improvised::new(false)), Some(notices)).await;
        let mut answered = 0;
        while let Some(notice) = watching.recv().await {
            let Notice::Asking { call, seat: asked } = notice else { continue };
            assert_eq!(asked, seat, "only where a person sits");
            let tool =
                PersonCall { tool: "roll_dice".into(), arguments: r#"{"dice":"d6","reason":"luck"}"#.into() };
            let tool_calls = if answered == 1 { vec![tool] } else { Vec::new() };
            let text = format!("I wait and see, for the {answered}th time.");
            handle.tell(vec![Input::PersonAnswered(PersonAnswered { call, text, tool_calls })]);
            answered += 1;
        }
        (answered, handle.finished().await.0)
    });
    assert_eq!(stop.expect("it stops as it should"), Stop::Ended);
    assert!(answered > 4, "asked {answered} times");
    let journal = memory.open().expect("memory opens");
    let report = twicetold_session::replay(&journal, None).expect("it can be read");
    assert!(matches!(report.verdict, Verdict::Identical));
}

#[test]
fn a_model_is_called_once_although_somebody_takes_a_seat_meanwhile() {
    let (session, _memory, opening) = game(55).session();
    let calls = Arc::new(AtomicU64::new(0));
    let counted = calls.clone();
    let provider = Scripted::responding("counting", move |body: &str| {
        counted.fetch_add(1, Ordering::SeqCst);
        Ok(improvise(body))
    });
    let (committed, session) = block_on(async {
        let (notices, mut watching) = mpsc::channel(8);
        let mut handle = started(session, vec![opening], Arc::new(provider), Some(notices)).await;
        let (mut committed, mut visits) = (0, 0);
        while let Some(notice) = watching.recv().await {
            match notice {
                // With each of the first calls somebody sits down where nobody is called, and gets up again.
                Notice::Calling { .. } if visits < 20 => {
                    visits += 1;
                    handle.tell(vec![sits(Seat::Player(6), Some("Ada"))]);
                    handle.tell(vec![sits(Seat::Player(6), None)]);
                }
                Notice::Committed(entry) => {
                    committed += u64::from(matches!(entry.entry.input, Input::ModelReplied(_)));
                }
                Notice::Calling { .. } | Notice::Asking { .. } | Notice::Budget(_) | Notice::Draft { .. } => {
                }
            }
        }
        (committed, handle.finished().await.1.expect("the session comes back"))
    });
    assert_eq!(calls.load(Ordering::SeqCst), committed, "no call was made twice");
    assert!(session.campaign().state().calls().total().calls > 10);
}

/// Somebody sat down where a call was in flight, and got up again before it came back: the same call was made a second time, and
/// paid twice, the second time even after the first answer was in the journal.
#[test]
fn a_call_in_flight_is_not_made_again_because_somebody_sat_there_for_a_moment() {
    let (session, _memory, opening) = game(57).session();
    let (calls, asked) = block_on(async {
        let (notices, mut watching) = mpsc::channel(8);
        let mut handle =
            started(session, vec![opening], Arc::new(Scripted::hanging("mute")), Some(notices)).await;
        let (mut calls, mut asked) = (0, 0);
        while let Some(notice) = watching.recv().await {
            match notice {
                Notice::Calling { .. } => {
                    calls += 1;
                    handle.tell(vec![sits(Seat::Dm, Some("Ada"))]);
                }
                Notice::Asking { .. } => {
                    asked += 1;
                    handle.tell(vec![sits(Seat::Dm, None)]);
                    handle.tell(vec![paused("enough seen")]);
                }
                Notice::Committed(_) | Notice::Budget(_) | Notice::Draft { .. } => {}
            }
        }
        assert_eq!(handle.finished().await.0.expect("it stops as it should"), Stop::Paused);
        (calls, asked)
    });
    assert_eq!((calls, asked), (1, 1));
}

#[test]
fn a_person_who_leaves_returns_the_seat_and_no_model_is_called_before_the_campaign_is_paused() {
    let (session, memory, opening) = game(56).session();
    let session = block_on(async {
        let (notices, mut watching) = mpsc::channel(8);
        let first = vec![opening, sits(Seat::Dm, Some("Ada"))];
        let mut handle = started(session, first, Arc::new(Scripted::hanging("mute")), Some(notices)).await;
        while !matches!(watching.recv().await, Some(Notice::Asking { .. })) {}
        handle.tell(vec![sits(Seat::Dm, None), paused("Ada left")]);
        while let Some(notice) = watching.recv().await {
            assert!(!matches!(notice, Notice::Calling { .. }), "nobody is called");
        }
        let (result, session) = handle.finished().await;
        assert_eq!(result.expect("it stops as it should"), Stop::Paused);
        session.expect("the session comes back")
    });
    assert!(session.campaign().state().table().people.is_empty());
    drop(session);
    let journal = memory.open().expect("memory opens");
    let entries = twicetold_session::entries(&journal).expect("it can be read");
    let last = entries.last().expect("entries").expect("an entry");
    assert!(matches!(last.events[..], [Event::CampaignPaused(_), ..]), "{last:?}");
}
