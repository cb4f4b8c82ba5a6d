//! A journal that is still being written, entry by entry: each checked to follow from the one before, and folded.

use twicetold_event::Entry;
use twicetold_journal::{Head, Source, check};
use twicetold_referee::Campaign;

use crate::{LoadError, charter_of};

/// A reader that goes on where it stopped.
pub struct Follower {
    campaign: Campaign,
    head: Head,
}

impl Follower {
    /// A reader before the first entry.
    ///
    /// # Errors
    /// The journal has no opening yet, or this build cannot read its charter.
    pub fn new(source: &dyn Source) -> Result<Follower, LoadError> {
        let (charter, setup) = charter_of(source)?;
        Ok(Follower { campaign: Campaign::new(charter, setup)?, head: Head::EMPTY })
    }

    /// The campaign as it stands after what was read.
    pub fn campaign(&self) -> &Campaign {
        &self.campaign
    }

    /// Reads on to the end that `source` has now; stops early when `each` has seen enough.
    ///
    /// # Errors
    /// The journal is damaged, or another one than before.
    pub fn read(
        &mut self,
        source: &dyn Source,
        mut each: impl FnMut(&Campaign, &Entry) -> bool,
    ) -> Result<(), LoadError> {
        for bytes in source.entries(self.head.next)? {
            let number = self.head.next;
            let damage = |why: String| LoadError::Entry { number, why };
            let bytes = bytes?;
            let (header, parts) =
                check(&self.head, &bytes).map_err(|rejection| damage(rejection.to_string()))?;
            let entry = Entry::of_parts(header, &parts).map_err(|why| damage(why.to_string()))?;
            self.campaign.fold(&entry).map_err(|why| damage(why.to_string()))?;
            self.head = self.head.after(&header, &parts);
            if !each(&self.campaign, &entry) {
                break;
            }
        }
        Ok(())
    }
}
