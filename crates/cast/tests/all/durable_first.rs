//! What is not in the journal is not acted upon: no call is made and nobody is told before the append, and nothing after one that failed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::sync::mpsc;
use twicetold_cast::{Notice, PlayError, PlaySetup, Stop, play};
use twicetold_event::entry::Header;
use twicetold_event::{
    BlobId, Build, CampaignId, Event, Input, Millis, Number, PauseAsked, ResumeAsked, Seat,
};
use twicetold_improv::improvise;
use twicetold_journal::{
    AppendError, Blob, Blobs, Entries, Head, Memory, Source, Store, StoreError, conformance,
};
use twicetold_provider::{Improvised, Provider, Scripted};
use twicetold_session::{CommitError, Session, entries};
use twicetold_tests::Game;

/// A journal on a disk that is full after so many appends, and what it acknowledged.
struct Filling {
    journal: Box<dyn Store>,
    appends_left: usize,
    acknowledged: Arc<Mutex<Vec<Head>>>,
}

impl Source for Filling {
    fn head(&self) -> Head {
        self.journal.head()
    }
    fn entries(&self, from: Number) -> Result<Entries<'_>, StoreError> {
        self.journal.entries(from)
    }
    fn entry_holding(&self, number: Number) -> Result<Option<Vec<u8>>, StoreError> {
        self.journal.entry_holding(number)
    }
    fn blobs(&self) -> Result<Blobs<'_>, StoreError> {
        self.journal.blobs()
    }
    fn blob(&self, id: BlobId) -> Result<Option<Blob>, StoreError> {
        self.journal.blob(id)
    }
}

impl Store for Filling {
    fn epoch(&self) -> u32 {
        self.journal.epoch()
    }
    fn append(&mut self, entry: &[u8], blobs: &[Blob]) -> Result<Head, AppendError> {
        let left = self.appends_left.checked_sub(1);
        self.appends_left = left.ok_or(AppendError::NotWritten(StoreError::Full))?;
        let head = self.journal.append(entry, blobs)?;
        self.acknowledged.lock().expect("no panic").push(head);
        Ok(head)
    }
    fn close(self: Box<Self>) -> Result<(), StoreError> {
        self.journal.close()
    }
}

/// A campaign whose opening is durable, on a store that takes so many appends more.
fn filling(seed: u64, appends_left: usize) -> (Session, Memory, Arc<Mutex<Vec<Head>>>) {
    let (mut session, memory, opening) =
        Game { id: CampaignId([(seed % 251) as u8; 16]), ..Game::new(seed) }.session();
    session.commit(Millis(1), opening).expect("the opening is written");
    let acknowledged: Arc<Mutex<Vec<Head>>> = Arc::default();
    let journal = session.into_store();
    let store = Filling { journal, appends_left, acknowledged: acknowledged.clone() };
    let session = Session::recover(Box::new(store), Build::new("test")).expect("it is whole");
    (session, memory, acknowledged)
}

/// Plays on; gives what came of it and the numbers of all that was told to whoever watches.
fn played(session: Session, provider: Arc<dyn Provider>) -> (Result<Stop, PlayError>, Vec<Number>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(3).enable_all().build();
    runtime.expect("threads").block_on(async {
        let seats = [Seat::Dm, Seat::Memory, Seat::Player(1), Seat::Player(2), Seat::Player(3)];
        let providers: BTreeMap<Seat, Arc<dyn Provider>> =
            seats.into_iter().map(|seat| (seat, provider.clone())).collect();
        let (notices, mut watching) = mpsc::channel(8);
        let first = vec![Input::ResumeAsked(ResumeAsked { interrupted: None })];
        let setup = PlaySetup {
            notices: Some(notices),
            ..PlaySetup::new(session, providers, Arc::new(|| Millis(2)), first)
        };
        let mut handle = play(setup).await.expect("the actors start");
        let mut told = Vec::new();
        while let Some(notice) = watching.recv().await {
            if let Notice::Committed(committed) = notice {
                told.push(committed.entry.header.next());
            }
        }
        (handle.finished().await.0, told)
    })
}

#[test]
fn no_call_is_made_and_nothing_is_told_that_the_journal_did_not_take() {
    for appends in 0..9 {
        let (session, memory, acknowledged) = filling(61, appends);
        let calls = Arc::new(AtomicUsize::new(0));
        let made = calls.clone();
        let provider = Scripted::responding("counted", move |body: &str| {
            made.fetch_add(1, Ordering::SeqCst);
            Ok(improvise(body))
        });
        let (result, told) = played(session, Arc::new(provider));
        let full = matches!(
            result,
            Err(PlayError::Commit(CommitError::Append(AppendError::NotWritten(StoreError::Full))))
        );
        assert!(full, "{appends} appends: {result:?}");
        let acknowledged: Vec<Number> =
            acknowledged.lock().expect("no panic").iter().map(|head| head.next).collect();
        assert_eq!(told, acknowledged, "{appends} appends");
        let journal = memory.open().expect("it opens again");
        let asked = entries(&journal).expect("it is whole").flat_map(|entry| entry.expect("whole").events);
        let asked = asked.filter(|event| matches!(event, Event::ModelCallRequested(_))).count();
        // Without the entry of the resumption nobody calls at all.
        let may = if appends == 0 { 0 } else { asked };
        assert!(calls.load(Ordering::SeqCst) <= may, "{appends} appends, {asked} requests in the journal");
    }
}

#[test]
fn a_session_whose_append_failed_does_nothing_more() {
    let (mut session, memory, _) = filling(62, 0);
    let paused = || Input::PauseAsked(PauseAsked { reason: "a test".into() });
    let failed = session.commit(Millis(2), paused());
    assert!(matches!(failed, Err(CommitError::Append(_))), "{failed:?}");
    let again = session.commit(Millis(3), paused());
    assert!(matches!(again, Err(CommitError::Poisoned)), "{again:?}");
    drop(session);
    assert_eq!(memory.open().expect("it opens again").head().entries, 1);
}

/// A journal whose pending request this build renders differently: the digest differs, the chain is valid.
fn diverged(seed: u64) -> Memory {
    let (mut session, _memory, opening) =
        Game { id: CampaignId([(seed % 251) as u8; 16]), ..Game::new(seed) }.session();
    session.commit(Millis(1), opening).expect("the opening is written");
    let (_, digest) = session.pending_request().expect("the first call is pending");
    let source = session.journal();
    let mut entry = source.entries(Number(0)).expect("it reads").next().expect("one entry").expect("whole");
    let blobs: Vec<Blob> = source.blobs().expect("they read").map(|blob| blob.expect("whole")).collect();
    let place = entry.windows(32).position(|bytes| bytes == digest.0).expect("the entry holds the digest");
    entry[place] ^= 1;
    let header = Header::decode(&entry).expect("its header is as it was");
    let memory = Memory::new();
    let mut journal = memory.open().expect("an empty journal");
    journal.append(&conformance::build(&header, &entry[125..]), &blobs).expect("the chain is right");
    memory
}

#[test]
fn a_request_that_this_build_renders_otherwise_is_neither_sent_nor_written_after() {
    let memory = diverged(63);
    let before = memory.open().expect("it opens").head();
    let calls = Arc::new(AtomicUsize::new(0));
    let made = calls.clone();
    let provider = Scripted::responding("counted", move |body: &str| {
        made.fetch_add(1, Ordering::SeqCst);
        Ok(improvise(body))
    });
    let store = memory.open().expect("it opens");
    let session = Session::recover(Box::new(store), Build::new("test")).expect("its chain is right");
    let (result, _) = played(session, Arc::new(provider));
    assert!(matches!(result, Err(PlayError::Bug(_))), "{result:?}");
    assert_eq!(calls.load(Ordering::SeqCst), 0, "nothing was sent");
    let after = memory.open().expect("it opens again").head();
    assert_eq!(after.entries, before.entries + 1, "the resumption is written, and nothing after it");
    let whole = played_on(64);
    assert!(matches!(whole, Ok(Stop::Ended)), "an unchanged one is played: {whole:?}");
}

fn played_on(seed: u64) -> Result<Stop, PlayError> {
    let (session, _memory, _) = filling(seed, usize::MAX);
    played(session, Arc::new(Improvised::new(false))).0
}
