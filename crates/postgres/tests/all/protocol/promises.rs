//! What is promised, as properties of every state; and what must happen in some, lest a promise is kept because nothing ever happens.

use stateright::Property;

use super::database::{Campaign, END};
use super::model::Protocol;
use super::state::{Phase, Sent, State, Worker};

pub const NUMBERS: &str = "no number of a journal is written twice";
pub const CHAIN: &str = "a journal is one chain of its own entries";
pub const NEWEST: &str = "only the newest lease writes";
pub const DURABLE: &str = "a call is paid for only on top of what is durable";
pub const TRUTH: &str = "a writer that holds its campaign is not told that nothing was written when it was";
pub const OWN_LEASE: &str = "nobody prolongs or gives back what another one holds";
pub const FENCED: &str = "nobody is fenced off while the lease lasts";
pub const AFTER_END: &str = "nothing is written after the end";
pub const PUT_AWAY: &str = "what was over and put away is not taken again";
pub const WAITS: &str = "what is neither over nor paused waits in the queue";
pub const ENDS: &str = "in the end every campaign is over or paused and has left the queue";

/// Do two writers take themselves for the one of the same campaign?
fn two_writers(state: &State) -> bool {
    let keys: Vec<u8> = state.writers().map(|writer| writer.key).collect();
    (1..keys.len()).any(|index| keys[..index].contains(&keys[index]))
}

fn doubts(state: &State, is_there: bool) -> bool {
    let mut doubting = state.writers().filter(|writer| writer.phase == Phase::Doubts);
    doubting.any(|writer| state.campaign(writer.key).holds(writer.after().chain) == is_there)
}

fn has_numbers_once(campaign: &Campaign) -> bool {
    let numbers: Vec<u8> = campaign.entries.iter().map(|entry| entry.digest.number).collect();
    (1..numbers.len()).all(|index| !numbers[..index].contains(&numbers[index]))
}

fn is_chain(key: u8, campaign: &Campaign) -> bool {
    let mut previous = None;
    for entry in &campaign.entries {
        if entry.digest.campaign != key || entry.previous != previous {
            return false;
        }
        previous = Some(entry.digest);
    }
    previous == Some(campaign.head.chain)
}

fn every_campaign(state: &State, holds: impl Fn(&Campaign) -> bool) -> bool {
    state.campaigns.iter().all(holds)
}

/// Is an append on the way that only its epoch keeps out?
fn comes_late(state: &State) -> bool {
    state.sent.iter().any(|sent| match sent {
        Sent::Append { asked, .. } => {
            let campaign = state.campaign(asked.key);
            asked.lease < campaign.newest && asked.before == campaign.head
        }
        Sent::Release { .. } => false,
    })
}

/// Has no worker anything to do with it?
fn is_settled(campaign: &Campaign) -> bool {
    campaign.head.is_end() || campaign.is_paused
}

fn three_leases(campaign: &Campaign) -> bool {
    campaign.entries.windows(2).all(|pair| pair[0].digest.lease < pair[1].digest.lease)
        && campaign.head.is_end()
}

/// All of them.
pub fn all() -> Vec<Property<Protocol>> {
    let mut all = safe();
    all.extend([
        // Once this holds it does so for ever, and no way of the model leads back to where it was: what `eventually` needs to be exact.
        Property::eventually(ENDS, |_, state: &State| {
            every_campaign(state, |campaign| is_settled(campaign) && !campaign.is_queued)
        }),
        Property::sometimes("two writers play one campaign", |_, state: &State| two_writers(state)),
        Property::sometimes("a writer doubts what is there", |_, state: &State| doubts(state, true)),
        Property::sometimes("a writer doubts what is not there", |_, state: &State| doubts(state, false)),
        Property::sometimes(
            "an append comes when its head is still there and its lease is not",
            |_, state: &State| comes_late(state),
        ),
        Property::sometimes("every entry is of another lease", |_, state: &State| {
            state.campaigns.iter().any(three_leases)
        }),
        Property::sometimes("what is over is taken before it has left the queue", |_, state: &State| {
            state.workers.iter().any(|worker| match worker {
                Worker::Plays(writer) => writer.head.is_end() && writer.head.chain.lease != writer.lease,
                Worker::Idle | Worker::PutsAway { .. } => false,
            })
        }),
    ]);
    all
}

fn safe() -> Vec<Property<Protocol>> {
    vec![
        Property::always(NUMBERS, |_, state: &State| every_campaign(state, has_numbers_once)),
        Property::always(CHAIN, |_, state: &State| {
            (0..).zip(&state.campaigns).all(|(key, campaign)| is_chain(key, campaign))
        }),
        Property::always(NEWEST, |_, state: &State| {
            every_campaign(state, |campaign| {
                campaign.entries.iter().all(|entry| entry.digest.lease == entry.newest)
            })
        }),
        Property::always(DURABLE, |_, state: &State| {
            state.writers().all(|writer| state.campaign(writer.key).holds(writer.head.chain))
        }),
        Property::always(TRUTH, |_, state: &State| !state.seen.denied),
        Property::always(OWN_LEASE, |_, state: &State| !state.seen.meddled),
        Property::always(FENCED, |_, state: &State| !state.seen.robbed),
        Property::always(AFTER_END, |_, state: &State| {
            every_campaign(state, |campaign| campaign.entries.len() <= usize::from(END))
        }),
        Property::always(PUT_AWAY, |_, state: &State| !state.seen.retaken),
        Property::always(WAITS, |_, state: &State| {
            every_campaign(state, |campaign| campaign.is_queued || is_settled(campaign))
        }),
    ]
}
