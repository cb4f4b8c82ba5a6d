//! The same workload through the actors: table, seats, supervisor and the runtime's threads.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use twicetold_cast::{PlaySetup, Stop, play};
use twicetold_event::{Millis, Seat};
use twicetold_provider::{Completion, Provider};

use crate::measure::{Spent, Watch};
use crate::script::Script;
use crate::table::{OPENED, campaign, session};

/// The script behind every seat, with the time at which each turn was begun.
struct Model {
    script: Mutex<(Script, Vec<Spent>)>,
    watch: Watch,
}

struct Voice {
    seat: Seat,
    model: Arc<Model>,
}

impl Provider for Voice {
    fn name(&self) -> &str {
        "scripted"
    }

    fn complete<'a>(&'a self, _: &'a str) -> Completion<'a> {
        Box::pin(async move {
            let mut model = self.model.script.lock().unwrap_or_else(PoisonError::into_inner);
            let (script, begun) = &mut *model;
            let before = script.turn();
            let body = script.answer(self.seat);
            if script.turn() > before {
                begun.push(self.model.watch.spent());
            }
            Ok(body)
        })
    }
}

/// Plays the workload in a new journal; the time from each turn's first call to the next one's, all threads together.
pub fn play_all(path: &Path, turns: u32) -> Result<Vec<Spent>, Box<dyn Error>> {
    let store = twicetold_journal::create(path)?;
    let (campaign, first) = campaign(turns)?;
    let script = Mutex::new((Script::new(turns), Vec::with_capacity(turns as usize)));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let model = Arc::new(Model { script, watch: Watch::of_process() });
    let seats = [Seat::Dm, Seat::Memory, Seat::Player(1), Seat::Player(2), Seat::Player(3)];
    let voice = |seat| (seat, Arc::new(Voice { seat, model: model.clone() }) as Arc<dyn Provider>);
    let providers: BTreeMap<Seat, Arc<dyn Provider>> = seats.into_iter().map(voice).collect();
    let clock = AtomicU64::new(OPENED.0);
    let setup = PlaySetup::new(
        session(campaign, Box::new(store)),
        providers,
        Arc::new(move || Millis(clock.fetch_add(1, Ordering::Relaxed))),
        vec![first],
    );
    let stopped = runtime.block_on(async { play(setup).await?.finished().await.0 })?;
    if stopped != Stop::Ended {
        return Err(format!("the campaign stopped early: {stopped:?}").into());
    }
    let end = model.watch.spent();
    let mut begun = model.script.lock().unwrap_or_else(PoisonError::into_inner).1.clone();
    begun.push(end);
    let between =
        |pair: &[Spent]| Spent { wall: pair[1].wall - pair[0].wall, cpu: pair[1].cpu - pair[0].cpu };
    Ok(begun.windows(2).map(between).collect())
}
