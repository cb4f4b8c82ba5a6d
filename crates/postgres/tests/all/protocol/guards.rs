//! The parts of the protocol that can be taken away.

/// Something that keeps a promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// An append states the campaign's key.
    KeyOfAppend,
    /// An append states the epoch of its writer.
    EpochOfAppend,
    /// An append states the head that it goes on from.
    HeadOfAppend,
    /// The table of entries takes each number of a campaign once.
    EntryKey,
    /// Every take makes the epoch larger.
    EpochGrows,
    /// A campaign is taken when its lease has passed.
    TimeOfTake,
    /// A lease passes by itself.
    LeasePasses,
    /// A renewal states the epoch.
    EpochOfRenewal,
    /// Whoever gives a lease back states the epoch.
    EpochOfRelease,
    /// No answer is no confirmation.
    NoAnswerIsNoYes,
    /// When an answer is lost, the writer looks at what is there before it tries again.
    LooksAfterLoss,
    /// When an append changed no row, the writer looks why: an earlier try may have come late.
    LooksAfterNoRow,
    /// The writer knows its entry by its digest, not by its number.
    LooksByDigest,
    /// Whoever takes a campaign that is over does not play it.
    SeesTheEnd,
    /// A campaign that is over leaves the queue.
    OverLeaves,
    /// Whoever takes a paused campaign out of the queue states the epoch. One that is over leaves it whoever says so: with epochs two workers
    /// could take it from each other for ever.
    EpochOfLeave,
    /// A campaign that is not over stays in the queue.
    OthersStay,
}

/// Which guards there are.
#[derive(Clone, Debug)]
pub struct Guards {
    pub without: &'static [Guard],
}

impl Guards {
    pub fn has(&self, guard: Guard) -> bool {
        !self.without.contains(&guard)
    }
}
