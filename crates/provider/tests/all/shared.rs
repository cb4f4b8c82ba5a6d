//! What campaigns share that ask the same server: calls in flight, and the wish to be asked less often. Time is simulated.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;
use twicetold_model::{Fault, FaultKind};
use twicetold_provider::{Completion, Provider, Servers};

/// A server that takes a second for a call, and refuses as many as it is told.
#[derive(Default)]
struct Slow {
    refusing: Mutex<VecDeque<Option<u64>>>,
    now: AtomicUsize,
    most: AtomicUsize,
    begun: Mutex<Vec<(String, Instant)>>,
}

impl Provider for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    fn complete<'a>(&'a self, body: &'a str) -> Completion<'a> {
        Box::pin(async move {
            self.begun.lock().expect("no panic").push((body.to_owned(), Instant::now()));
            let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(now, Ordering::SeqCst);
            tokio::time::advance(Duration::ZERO).await;
            let until = Instant::now() + Duration::from_secs(1);
            let _ = tokio::time::timeout_at(until, std::future::pending::<()>()).await;
            self.now.fetch_sub(1, Ordering::SeqCst);
            match self.refusing.lock().expect("no panic").pop_front() {
                Some(retry_after_ms) => {
                    Err(Fault { retry_after_ms, ..Fault::new(FaultKind::RateLimited, "busy") })
                }
                None => Ok(body.to_owned()),
            }
        })
    }
}

async fn calls(servers: &Servers, slow: &Arc<Slow>, count: usize) -> usize {
    let mut all = JoinSet::new();
    for number in 0..count {
        // Each campaign has a provider of its own.
        let provider = servers.share("http://loopback", slow.clone());
        all.spawn(async move { provider.complete(&number.to_string()).await.is_ok() });
    }
    all.join_all().await.into_iter().filter(|ok| *ok).count()
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_are_in_flight_at_a_server_than_are_allowed_and_whoever_came_first_goes_first() {
    let (servers, slow) = (Servers::new(3), Arc::new(Slow::default()));
    assert_eq!(calls(&servers, &slow, 20).await, 20);
    assert_eq!(slow.most.load(Ordering::SeqCst), 3);
    let begun = slow.begun.lock().expect("no panic").clone();
    let order: Vec<usize> = begun.iter().map(|(body, _)| body.parse().expect("a number")).collect();
    assert_eq!(order, (0..20).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_wants_to_be_left_alone_is_by_all_and_fewer_ask_afterwards() {
    let (servers, slow) = (Servers::new(4), Arc::new(Slow::default()));
    slow.refusing.lock().expect("no panic").extend([Some(30_000), None]);
    let start = Instant::now();
    assert_eq!(calls(&servers, &slow, 12).await, 10);
    let begun = slow.begun.lock().expect("no panic").clone();
    let later: Vec<u64> = begun[4..].iter().map(|(_, at)| at.duration_since(start).as_secs()).collect();
    assert!(later.iter().all(|seconds| *seconds >= 31), "{later:?}");
    // Two of the four were refused, so that two are allowed; the two that were answered are a round, and let one more through.
    assert_eq!(later.iter().filter(|seconds| **seconds == 31).count(), 3, "{later:?}");
}

#[tokio::test(start_paused = true)]
async fn one_server_does_not_hold_back_another_and_a_call_that_is_given_up_frees_its_place() {
    let (servers, slow) = (Servers::new(1), Arc::new(Slow::default()));
    let (here, there) = (servers.share("a", slow.clone()), servers.share("b", slow.clone()));
    let both = tokio::join!(here.complete("1"), there.complete("2"));
    assert!(both.0.is_ok() && both.1.is_ok());
    assert_eq!(slow.most.load(Ordering::SeqCst), 2);
    let given_up = tokio::time::timeout(Duration::from_millis(10), here.complete("3")).await;
    assert!(given_up.is_err());
    slow.now.store(0, Ordering::SeqCst);
    assert!(here.complete("4").await.is_ok());
}
