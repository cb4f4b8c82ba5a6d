//! Branches: which campaign a journal branches off, and which of its parent's replies it may still take.

use std::collections::BTreeMap;

use twicetold_event::{CallId, CampaignId, Entry, Event, ForkAsked, Input, Number, Seat};
use twicetold_journal::Source;
use twicetold_model::Digest;

use crate::{LoadError, entries};

/// Replies by seat: the digest of the body that was sent, and the body that answered it.
pub type Replies = BTreeMap<Seat, Vec<(Digest, String)>>;

/// The branches of a journal, the first first: what was asked, and the name that it bore from there on. None for a campaign that
/// branches off nothing.
///
/// # Errors
/// The journal is damaged.
pub fn lineage(source: &dyn Source) -> Result<Vec<(CampaignId, ForkAsked)>, LoadError> {
    let mut branches = Vec::new();
    for entry in entries(source)? {
        let entry = entry?;
        if let Input::ForkAsked(word) = entry.input {
            branches.push((entry.header.campaign, word));
        }
    }
    Ok(branches)
}

/// The replies that `parent` got after the branching and that `branch` has not taken yet, in order.
///
/// # Errors
/// One of the journals is damaged.
pub fn untaken(parent: &dyn Source, branch: &dyn Source, at: Number) -> Result<Replies, LoadError> {
    let mut replies = after(parent, at)?;
    for (seat, taken) in after(branch, at)? {
        let left = replies.entry(seat).or_default();
        for (sent, _) in taken {
            if let Some(place) = left.iter().position(|(digest, _)| *digest == sent) {
                left.remove(place);
            }
        }
    }
    Ok(replies)
}

/// The replies of a journal from `at` on.
fn after(source: &dyn Source, at: Number) -> Result<Replies, LoadError> {
    let mut seats: BTreeMap<CallId, Seat> = BTreeMap::new();
    let mut replies = Replies::new();
    for entry in entries(source)? {
        let Entry { header, input, events, .. } = entry?;
        if let Input::ModelReplied(word) = input
            && header.first >= at
            // What came twice was looked at once.
            && let Some(seat) = seats.remove(&word.call)
        {
            replies.entry(seat).or_default().push((word.sent, word.body));
        }
        seats.extend(events.iter().filter_map(|event| match event {
            Event::ModelCallRequested(word) => Some((word.call, word.seat)),
            _ => None,
        }));
    }
    Ok(replies)
}
