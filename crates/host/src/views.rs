//! Snapshots of campaigns, kept beside them in `views/`: a cache that may be lost or removed at any time. So may the reply of a memory seat that is
//! kept there for a turn; it is then paid again.

use std::path::{Path, PathBuf};

use twicetold_event::CampaignId;
use twicetold_journal::Source;
use twicetold_session::{LoadError, Loaded, Session, load_with};

use crate::ahead::AheadFile;
use crate::{bounded, whole};

/// Numbers of a journal from which on a snapshot is worth its file: below it a fold takes some milliseconds.
pub const SNAPSHOT_ABOVE: u64 = 2_000;

/// Bytes of a snapshot: as many as one may have when it is unpacked, which none of them needs.
const SNAPSHOT_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The snapshot of a campaign, there or not.
pub struct View {
    file: PathBuf,
}

impl View {
    /// That of the campaign `id` below the folder of data.
    pub fn new(data: &Path, id: CampaignId) -> View {
        View { file: data.join("views").join(format!("{id}.snapshot")) }
    }

    /// Where a reply is kept that comes before the campaign asks for it.
    pub(crate) fn ahead(&self) -> AheadFile {
        AheadFile::new(self.file.with_extension("ahead"))
    }

    /// Its bytes.
    pub fn read(&self) -> Option<Vec<u8>> {
        bounded::file(&self.file, SNAPSHOT_BYTES_MAX).ok()
    }

    /// Loads a campaign, from the snapshot on where it fits.
    pub fn load(&self, source: &dyn Source) -> Result<Loaded, LoadError> {
        load_with(source, self.read().as_deref())
    }

    /// Keeps a snapshot of a session that is long enough. That it cannot be kept is no failure: it would only have been faster.
    pub fn keep(&self, session: &mut Session) {
        if session.campaign().next().0 < SNAPSHOT_ABOVE {
            return;
        }
        let kept = session.snapshot().map(|bytes| self.write(&bytes));
        if !matches!(kept, Some(Ok(()))) {
            tracing::debug!(file = %self.file.display(), ?kept, "no snapshot was kept");
        }
    }

    /// Replaces the snapshot, whole or not at all.
    pub fn write(&self, bytes: &[u8]) -> std::io::Result<()> {
        whole::write(&self.file, bytes)
    }

    /// Throws it away; true when there was one.
    pub fn remove(&self) -> bool {
        std::fs::remove_file(&self.file).is_ok()
    }
}
