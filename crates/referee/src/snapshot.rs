//! A campaign as bytes and back: what a fold of its journal would give, written down by the same build.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use twicetold_event::{CallId, Charter, Item, Number, Seat, Story};
use twicetold_model::{Digest, Reply};
use twicetold_world::State;
use twicetold_world::setup::Setup;

use crate::{Amended, Amendment, Campaign};

/// Counted up whenever the state or what stands here has another shape: a snapshot of another layout is thrown away, never
/// read. A test folds a golden journal and fails when the bytes change and this does not.
pub const SNAPSHOT_LAYOUT: u32 = 5;

/// What a campaign is made of beside its charter and the blobs, both of which the journal has.
#[derive(Deserialize, Serialize)]
struct Parts {
    layout: u32,
    next: u64,
    story: Digest,
    digest: Digest,
    amended: Vec<Amended>,
    requests: Vec<(Seat, CallId, Vec<Item>, u32)>,
    replies: Vec<(CallId, Reply)>,
    state: Vec<u8>,
}

impl Campaign {
    /// The campaign as it stands; none when a request or the state cannot be written down.
    pub fn to_snapshot(&mut self) -> Option<Vec<u8>> {
        self.settle().ok()?;
        let parts = Parts {
            layout: SNAPSHOT_LAYOUT,
            next: self.next.0,
            story: self.story(),
            digest: self.state.digest(),
            amended: self.amended.clone(),
            requests: self
                .desk
                .last()
                .map(|(seat, last)| (seat, last.call, last.items.clone(), last.chain))
                .collect(),
            replies: self.replies.decoded(),
            state: self.state.to_snapshot().ok()?,
        };
        postcard::to_stdvec(&parts).ok()
    }

    /// The campaign that [`Campaign::to_snapshot`] wrote down, given the charter and the digests of the blobs of its journal; none
    /// when the bytes are of another layout or do not give the state whose digest they bear.
    pub fn from_snapshot(
        charter: Charter,
        setup: Arc<Setup>,
        blobs: &[Digest],
        bytes: &[u8],
    ) -> Option<Campaign> {
        let parts: Parts = postcard::from_bytes(bytes).ok()?;
        let mut campaign = Campaign::new(charter, setup).ok()?;
        for digest in blobs {
            campaign.desk.blobs.learn(*digest);
        }
        for amended in parts.amended {
            campaign.next = amended.number;
            match amended.change {
                Amendment::Seed(seed) => campaign.put_seed(Some(seed)),
                Amendment::File(file) => campaign.fold_amendment(&file),
            }
        }
        let setup = campaign.state.shared_setup();
        campaign.state = State::from_snapshot(setup, &parts.state).ok()?;
        let is_meant = parts.layout == SNAPSHOT_LAYOUT && campaign.state.digest() == parts.digest;
        campaign.next = Number(parts.next);
        campaign.story = Story(parts.story);
        for (seat, call, items, chain) in parts.requests {
            campaign.desk.put_last(seat, call, items, chain);
        }
        for (call, reply) in parts.replies {
            campaign.replies.say(call, reply);
        }
        is_meant.then_some(campaign)
    }
}
