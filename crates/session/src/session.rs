//! The committing part: one writer, one step, one durable append. Nothing is visible before the append has returned.

use std::sync::Arc;

use thiserror::Error;
use twicetold_event::{Build, CampaignId, Entry, Input, Millis, entry};
use twicetold_journal::{AppendError, Blob, Head, Source, Store};
use twicetold_model::{Digest, Request};
use twicetold_referee::{Campaign, seal};
use twicetold_world::Spent;

use crate::{LoadError, Loaded, load_with};

/// A campaign being played, with the store that only it may write.
pub struct Session {
    campaign: Campaign,
    store: Box<dyn Store>,
    head: Head,
    id: CampaignId,
    opened: Millis,
    build: Build,
    poisoned: bool,
}

/// An entry that is durable.
#[derive(Clone, Debug)]
pub struct Committed {
    /// The entry.
    pub entry: Arc<Entry>,
    /// The request that it decided, if any.
    pub request: Option<Arc<Request>>,
    /// What all calls have cost after it.
    pub spent: Spent,
}

/// Why a step did not become durable.
#[derive(Debug, Error)]
pub enum CommitError {
    /// The journal could not be written. What was decided is forgotten; the journal holds what it held.
    #[error("the journal could not be written: {0}")]
    Append(#[from] AppendError),
    /// An earlier commit failed.
    #[error("an earlier write failed; open the campaign again")]
    Poisoned,
}

impl Session {
    /// A new campaign in an empty store. Nothing is written before the first commit.
    pub fn new(campaign: Campaign, store: Box<dyn Store>, id: CampaignId, build: Build) -> Session {
        let head = store.head();
        Session { campaign, store, head, id, opened: Millis(0), build, poisoned: false }
    }

    /// The campaign that a store holds: recovery is fold, then plan.
    ///
    /// # Errors
    /// The journal is damaged, or of a build that knows more.
    pub fn recover(store: Box<dyn Store>, build: Build) -> Result<Session, LoadError> {
        Session::recover_with(store, build, None)
    }

    /// The same from where a snapshot was taken, if it fits.
    ///
    /// # Errors
    /// As [`Session::recover`].
    pub fn recover_with(
        store: Box<dyn Store>,
        build: Build,
        snapshot: Option<&[u8]>,
    ) -> Result<Session, LoadError> {
        let loaded = load_with(store.as_ref() as &dyn Source, snapshot)?;
        if let Some(unknown) = loaded.unknown {
            return Err(unknown);
        }
        let head = store.head();
        let Loaded { campaign, id, opened, .. } = loaded;
        Ok(Session { campaign, store, head, id, opened, build, poisoned: false })
    }

    /// The same under another name: what a branch is from its first own entry on.
    pub fn renamed(mut self, id: CampaignId) -> Session {
        self.id = id;
        self
    }

    /// The campaign.
    pub fn campaign(&self) -> &Campaign {
        &self.campaign
    }

    /// Its id.
    pub fn id(&self) -> CampaignId {
        self.id
    }

    /// The request of the pending call, with its recorded digest.
    pub fn pending_request(&self) -> Option<(Arc<Request>, Digest)> {
        let pending = self.campaign.state().calls().pending.as_ref()?;
        Some((self.campaign.pending_request()?, pending.digest))
    }

    /// Decides what an input leads to and appends it.
    ///
    /// # Errors
    /// The journal could not be written; this session can then do nothing more.
    pub fn commit(&mut self, clock: Millis, input: Input) -> Result<Committed, CommitError> {
        if self.poisoned {
            return Err(CommitError::Poisoned);
        }
        let at = clock.max(self.head.at);
        let step = self.campaign.step(at, &input);
        let header = entry::Header {
            campaign: self.id,
            first: self.head.next,
            count: 0,
            at,
            build: self.build,
            turn: self.campaign.state().turn().number,
            epoch: self.store.epoch(),
            previous: self.head.chain,
            body: Digest::ZERO,
        };
        let (header, bytes) = seal(header, &step);
        let blobs: Vec<Blob> = step
            .blobs
            .iter()
            .map(|(digest, content)| Blob { digest: *digest, content: content.as_bytes().to_vec() })
            .collect();
        // A failed append leaves the state ahead of the journal: it must never be asked again.
        self.poisoned = true;
        if self.head.campaign != Some(self.id) {
            self.opened = at;
        }
        self.head = self.store.append(&bytes, &blobs)?;
        self.poisoned = false;
        let blobs = step.blobs.into_iter().map(|(digest, _)| digest).collect();
        let entry = Entry { header, blobs, input, events: step.events };
        let spent = self.campaign.state().calls().total();
        Ok(Committed { entry: Arc::new(entry), request: step.request, spent })
    }

    /// A snapshot of the campaign as it stands; none when it cannot be written down, or an append has failed.
    pub fn snapshot(&mut self) -> Option<Vec<u8>> {
        if self.poisoned {
            return None;
        }
        crate::snapshot(&mut self.campaign, &self.head, self.opened)
    }

    /// The journal, for reading.
    pub fn journal(&self) -> &dyn Source {
        self.store.as_ref()
    }

    /// Gives the store back.
    pub fn into_store(self) -> Box<dyn Store> {
        self.store
    }
}
