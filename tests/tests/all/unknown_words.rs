//! Promise: a word of a later build stays whole for readers and stops an executor.

use twicetold_event::{Event, Input, Millis, PauseAsked, Unknown, entry};
use twicetold_journal::{Source, Store};
use twicetold_referee::{Step, seal};
use twicetold_session::{LoadError, Session, load, replay};
use twicetold_tests::Game;

#[test]
fn a_reader_passes_it_over_and_an_executor_does_not_go_on() {
    let (mut session, memory, opening) = Game::new(61).session();
    session.commit(Millis(1), opening).unwrap();
    drop(session);
    let mut store = memory.open().unwrap();
    let head = store.head();
    let word = Unknown { kind: 9_999, version: 3, payload: vec![1, 2, 3] };
    let header = entry::Header {
        campaign: head.campaign.unwrap(),
        first: head.next,
        count: 0,
        at: Millis(2),
        build: twicetold_event::Build::new("9.9.9"),
        turn: 1,
        epoch: store.epoch(),
        previous: head.chain,
        body: twicetold_model::Digest::ZERO,
    };
    let mut step = Step { first_blob: twicetold_event::BlobId(head.blobs), ..Step::default() };
    step.events.push(Event::Unknown(word));
    let input = Input::PauseAsked(PauseAsked { reason: "a test".into() });
    step.frames = twicetold_event::encode_words(&input, &step.events);
    store.append(&seal(header, &step).1, &[]).unwrap();

    let read = load(&store).expect("readers pass it over");
    assert_eq!(read.entries, 2);
    assert!(matches!(read.unknown, Some(LoadError::Unknown { kind: 9_999, version: 3, .. })));
    assert!(matches!(replay(&store, None), Err(LoadError::Unknown { .. })), "a partial replay is no match");
    let error =
        Session::recover(Box::new(store), twicetold_event::Build::new("test")).err().expect("it stops");
    assert!(error.to_string().contains("use a newer build"), "{error}");
}
