//! Puts the campaigns of a sweep into the queue of a database, for workers on any machine.

use twicetold_event::CampaignId;

use super::{Standing, Sweep, standing};
use crate::opening::open;
use crate::{Error, Kind, Library, working};

/// What was queued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queued {
    /// Campaigns that wait for a worker now, or are played by one.
    pub waiting: usize,
    /// Campaigns that are over.
    pub done: usize,
}

/// Opens the campaigns that nobody began, and lets all that are not over wait for a worker. Those that wait already keep their place,
/// and what a worker gave up is tried again. `say` is told what is no mistake, and still to be known.
///
/// # Errors
/// There is no queue, the plan has a budget, or a campaign cannot be opened. What was queued before stays there, and the same call goes on.
pub fn enqueue(library: &Library, sweep: &Sweep, say: &mut dyn FnMut(&str)) -> Result<Queued, Error> {
    let queue = library.queue()?;
    if sweep.plan.budget.is_some() {
        let message = "the plan has a budget for the whole sweep, and workers do not know what others spend";
        let help = "remove `budget` from the plan, and give each worker its own: `twicetold worker --budget 0.50usd`";
        return Err(Error::new(Kind::Usage, message, help));
    }
    sweep.keep(library)?;
    let mut queued = Queued::default();
    for cell in sweep.cells() {
        let id: CampaignId = sweep.id(cell);
        match standing(library, id) {
            Standing::Done => {
                queued.done += 1;
                continue;
            }
            Standing::Waiting => {
                let game = sweep.opening(cell, |opening| open(library, opening, say))?;
                working::put(library, game)?;
            }
            Standing::Begun | Standing::Failed(_) => queue.put(id)?,
        }
        queued.waiting += 1;
    }
    Ok(queued)
}
