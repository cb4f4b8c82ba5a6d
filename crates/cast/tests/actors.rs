//! The actors carry messages and decide nothing: what they play is what the referee alone would have played.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::mpsc;
use tokio_test::{assert_ok, task};
use twicetold_cast::{Casting, Handle, Notice, PlayError, Stop, play};
use twicetold_event::{Input, Millis, ResumeAsked, Seat};
use twicetold_provider::{Improvised, Provider, Scripted};
use twicetold_session::Session;
use twicetold_tests::Game;

fn everybody(provider: Arc<dyn Provider>) -> BTreeMap<Seat, Arc<dyn Provider>> {
    let seats = [Seat::Dm, Seat::Memory, Seat::Player(1), Seat::Player(2), Seat::Player(3)];
    seats.into_iter().map(|seat| (seat, provider.clone())).collect()
}

/// Time that only goes when somebody looks.
fn clock() -> Arc<dyn Fn() -> Millis + Send + Sync> {
    let ticks = AtomicU64::new(1_000_000);
    Arc::new(move || Millis(ticks.fetch_add(7, Ordering::Relaxed)))
}

async fn started(
    session: Session,
    first: Input,
    provider: Arc<dyn Provider>,
    notices: Option<mpsc::Sender<Notice>>,
) -> Handle {
    let casting = Casting { session, providers: everybody(provider), clock: clock(), first, notices };
    assert_ok!(play(casting).await)
}

/// Runs on several threads: the order among actors is then a matter of luck, and the story must not be.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(3).enable_all().build();
    assert_ok!(runtime).block_on(future)
}

#[test]
fn the_actors_play_the_story_that_the_referee_alone_plays() {
    let alone = Game::new(51).improvised();
    let (session, _memory, opening) = Game::new(51).session();
    let played = block_on(async {
        let mut handle = started(session, opening, Arc::new(Improvised::new(false)), None).await;
        handle.finished().await
    });
    assert_eq!(assert_ok!(played.0), Stop::Ended);
    let session = played.1.expect("the session comes back");
    assert_eq!(session.campaign().story(), alone.session.campaign().story());
}

#[test]
fn a_hanging_call_is_given_up_when_the_campaign_is_parked_and_owed_when_it_is_resumed() {
    let (session, _memory, opening) = Game::new(52).session();
    let session = block_on(async {
        let (notices, mut watching) = mpsc::channel(8);
        let mut handle = started(session, opening, Arc::new(Scripted::hanging("mute")), Some(notices)).await;
        while !matches!(watching.recv().await, Some(Notice::Calling { .. })) {}
        // First run, still waiting: nothing is finished while the call hangs.
        {
            let mut waiting = task::spawn(handle.finished());
            assert!(waiting.poll().is_pending());
        }
        watching.close();
        handle.park("a test").await;
        let (result, session) = handle.finished().await;
        assert_eq!(assert_ok!(result), Stop::Parked);
        session.expect("the session comes back")
    });
    let owed = session.campaign().state().calls().owed.clone().expect("the call is still owed");
    // After the answer: another provider answers the very same call.
    let resumed = block_on(async {
        let first = Input::ResumeAsked(ResumeAsked { interrupted: Some(owed.call) });
        let mut handle = started(session, first, Arc::new(Improvised::new(false)), None).await;
        handle.finished().await
    });
    assert_eq!(assert_ok!(resumed.0), Stop::Ended);
    let twin = Game::new(52).improvised();
    assert_eq!(resumed.1.expect("the session").campaign().story(), twin.session.campaign().story());
}

#[test]
fn a_bug_in_one_seat_stops_the_campaign_and_nothing_is_written_after_it() {
    let (session, memory, opening) = Game::new(53).session();
    let (result, session) = block_on(async {
        let broken = Scripted::responding("broken", |_: &str| -> Result<String, twicetold_model::Fault> {
            panic!("a bug in a provider")
        });
        let mut handle = started(session, opening, Arc::new(broken), None).await;
        handle.finished().await
    });
    assert!(matches!(result, Err(PlayError::Bug(_))));
    assert!(session.is_none());
    let journal = assert_ok!(memory.open());
    assert_eq!(twicetold_journal::Source::head(&journal).entries, 1, "the opening is there and nothing else");
}
