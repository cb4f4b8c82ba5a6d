//! A snapshot: a campaign as a fold left it, to be taken up again without folding everything anew. Disposable: one that is
//! of another version or layout, damaged, or of another history is passed over, and the journal is folded from its beginning.

use std::io::Read;

use serde::{Deserialize, Serialize};
use twicetold_event::{CampaignId, Charter, Millis, Number};
use twicetold_journal::{Head, Source};
use twicetold_model::Digest;
use twicetold_referee::Campaign;

use crate::{Loaded, charter_of};

const MAGIC: &[u8] = b"TWICETOLD SNAPSHOT 1\n";
/// A snapshot is never larger than this before compression: far above what a state with full windows takes.
const BYTES_MAX: u64 = 64 * 1024 * 1024;

/// What is kept of a campaign.
#[derive(Deserialize, Serialize)]
struct Kept {
    /// The version of the program that wrote it.
    build: String,
    next: u64,
    chain: Digest,
    at: u64,
    blobs: u32,
    entries: u64,
    epoch: u32,
    campaign: [u8; 16],
    opened: u64,
    folded: Vec<u8>,
}

/// Writes down a campaign that was folded to `head`; none when that cannot be.
pub fn snapshot(campaign: &mut Campaign, head: &Head, opened: Millis) -> Option<Vec<u8>> {
    let kept = Kept {
        build: env!("CARGO_PKG_VERSION").to_owned(),
        next: head.next.0,
        chain: head.chain,
        at: head.at.0,
        blobs: head.blobs,
        entries: head.entries,
        epoch: head.epoch,
        campaign: head.campaign?.0,
        opened: opened.0,
        folded: campaign.to_snapshot()?,
    };
    let packed = zstd::encode_all(&postcard::to_stdvec(&kept).ok()?[..], 1).ok()?;
    let digest = Digest::of("twicetold snapshot 1", &packed);
    Some([MAGIC, &digest.0, &packed].concat())
}

/// The campaign that a snapshot holds and the head that it was folded to, if it belongs to this journal and this build.
pub(crate) fn restore(source: &dyn Source, bytes: &[u8]) -> Option<(Loaded, Head)> {
    let (digest, packed) = bytes.strip_prefix(MAGIC)?.split_at_checked(32)?;
    if Digest::of("twicetold snapshot 1", packed).0 != *digest {
        return None;
    }
    let mut plain = Vec::new();
    zstd::Decoder::new(packed).ok()?.take(BYTES_MAX).read_to_end(&mut plain).ok()?;
    let kept: Kept = postcard::from_bytes(&plain).ok()?;
    let end = source.head();
    let head = Head {
        next: Number(kept.next),
        chain: kept.chain,
        at: Millis(kept.at),
        blobs: kept.blobs,
        entries: kept.entries,
        epoch: kept.epoch,
        campaign: Some(CampaignId(kept.campaign)),
    };
    // Where the journal goes on, its next entry has to follow from this chain, and is checked to.
    let fits = head.next < end.next || head == Head { epoch: head.epoch, ..end };
    if !fits || kept.build != env!("CARGO_PKG_VERSION") {
        return None;
    }
    let (charter, setup): (Charter, _) = charter_of(source).ok()?;
    let mut blobs = source.blob_digests().ok()?;
    blobs.truncate(kept.blobs as usize);
    let campaign = Campaign::from_snapshot(charter.clone(), setup, &blobs, &kept.folded)?;
    let id = CampaignId(kept.campaign);
    let loaded =
        Loaded { campaign, charter, id, opened: Millis(kept.opened), entries: kept.entries, unknown: None };
    (loaded.campaign.next() == head.next).then_some((loaded, head))
}
