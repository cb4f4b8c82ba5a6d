//! Limits for all campaigns of a process that ask the same server.
//!
//! A server that says "slow down" says it to one call and means all. The campaigns that share it wait together, and fewer of their
//! calls are in flight from then on; each round of answers admits one more. Whoever asked first is admitted first.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep_until};
use twicetold_model::{Fault, FaultKind};

use crate::{AskedWindow, Completion, Heard, Provider};

/// How long a server is left alone that wants fewer calls and does not say until when.
const PAUSE: Duration = Duration::from_secs(1);

/// The longest time for which a server holds back all campaigns: one that wants more has an outage, and each campaign decides for itself
/// what to do about that.
const PAUSE_MAX: Duration = Duration::from_secs(60);

/// The model servers of a process, each with what its campaigns share.
pub struct Servers {
    per_server: usize,
    groups: Mutex<BTreeMap<String, Arc<Group>>>,
    models: Mutex<BTreeMap<String, Arc<dyn Provider>>>,
}

impl Servers {
    /// With at most so many calls in flight at each server.
    pub fn new(per_server: usize) -> Servers {
        Servers { per_server: per_server.max(1), groups: Mutex::default(), models: Mutex::default() }
    }

    /// The provider of a model: made once, so that all who ask it share its connections. `reached` says all that it is made of.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn model<E>(
        &self,
        reached: String,
        make: impl FnOnce() -> Result<Arc<dyn Provider>, E>,
    ) -> Result<Arc<dyn Provider>, E> {
        match locked(&self.models).entry(reached) {
            Entry::Occupied(known) => Ok(known.get().clone()),
            Entry::Vacant(place) => Ok(place.insert(make()?).clone()),
        }
    }

    /// A provider that keeps to the limits of the server at this address.
    pub fn share(&self, address: &str, provider: Arc<dyn Provider>) -> Arc<dyn Provider> {
        let group = locked(&self.groups)
            .entry(address.to_owned())
            .or_insert_with(|| Arc::new(Group::new(self.per_server)))
            .clone();
        Arc::new(Shared { provider, group })
    }
}

struct Group {
    permits: Semaphore,
    pace: Mutex<Pace>,
}

struct Pace {
    /// Calls that may be in flight at most.
    most: usize,
    /// Calls that may be in flight now.
    allowed: usize,
    /// Answers since that number changed.
    answers: usize,
    /// Nobody asks before.
    not_before: Option<Instant>,
}

impl Group {
    fn new(most: usize) -> Group {
        let pace = Pace { most, allowed: most, answers: 0, not_before: None };
        Group { permits: Semaphore::new(most), pace: Mutex::new(pace) }
    }

    /// Makes a call when it may be made.
    async fn call(&self, call: Completion<'_>) -> Result<String, Fault> {
        // Nobody closes it, so that waiting cannot fail.
        let permit = self.permits.acquire().await;
        loop {
            let not_before = locked(&self.pace).not_before;
            match not_before.filter(|until| *until > Instant::now()) {
                Some(until) => sleep_until(until).await,
                None => break,
            }
        }
        let result = call.await;
        match &result {
            Err(fault) if wants_fewer(fault) => {
                if self.slow_down(fault)
                    && let Ok(permit) = permit
                {
                    permit.forget();
                }
            }
            // Only who answers can take more.
            Err(_) => {}
            Ok(_) => self.answered(),
        }
        result
    }

    /// All wait as long as the server asks. Is one call less allowed from now on?
    fn slow_down(&self, fault: &Fault) -> bool {
        let pause = fault.retry_after_ms.map_or(PAUSE, Duration::from_millis).min(PAUSE_MAX);
        let until = Instant::now() + pause;
        let mut pace = locked(&self.pace);
        pace.not_before = Some(pace.not_before.map_or(until, |before| before.max(until)));
        pace.answers = 0;
        let fewer = pace.allowed > 1;
        pace.allowed -= usize::from(fewer);
        fewer
    }

    fn answered(&self) {
        let mut pace = locked(&self.pace);
        pace.answers += 1;
        if pace.answers >= pace.allowed && pace.allowed < pace.most {
            pace.allowed += 1;
            pace.answers = 0;
            self.permits.add_permits(1);
        }
    }
}

/// Does a server want to be asked less often?
fn wants_fewer(fault: &Fault) -> bool {
    fault.kind == FaultKind::RateLimited
        || (fault.kind == FaultKind::Server && fault.retry_after_ms.is_some())
}

/// A thread that panicked while it held the lock has changed numbers alone.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Shared {
    provider: Arc<dyn Provider>,
    group: Arc<Group>,
}

impl Provider for Shared {
    fn name(&self) -> &str {
        self.provider.name()
    }

    fn complete<'a>(&'a self, body: &'a str) -> Completion<'a> {
        Box::pin(self.group.call(self.provider.complete(body)))
    }

    fn complete_heard<'a>(&'a self, body: &'a str, heard: Heard<'a>) -> Completion<'a> {
        Box::pin(self.group.call(self.provider.complete_heard(body, heard)))
    }

    fn without_keys(&self, text: String) -> String {
        self.provider.without_keys(text)
    }

    fn models(&self) -> Option<Completion<'_>> {
        self.provider.models()
    }

    fn window(&self) -> Option<AskedWindow<'_>> {
        self.provider.window()
    }
}
