//! What the database does when a statement reaches it: each is carried out whole, one after the other, for each locks the campaign's row.

use super::guards::{Guard, Guards};

/// The number of a lease of one campaign. Unlike an epoch it is known to the checker alone, and differs whatever the code does.
pub type Lease = u8;

/// Numbers of a whole campaign. Its first entry is written before it waits in the queue.
pub const END: u8 = 3;

/// Stands for a digest: it tells apart what was written under different leases, as the epoch and the replies in an entry do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest {
    pub campaign: u8,
    pub lease: Lease,
    pub number: u8,
}

/// The end of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Head {
    pub next: u8,
    pub chain: Digest,
}

impl Head {
    /// After one more entry, written under a lease.
    pub fn after(self, lease: Lease) -> Head {
        let chain = Digest { campaign: self.chain.campaign, lease, number: self.next };
        Head { next: self.next + 1, chain }
    }

    pub fn is_end(self) -> bool {
        self.next >= END
    }
}

/// An entry as it lies in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry {
    pub digest: Digest,
    pub previous: Option<Digest>,
    /// The newest lease of its campaign when it was written.
    pub newest: Lease,
}

/// How long the lease of a campaign lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Until {
    /// Nobody has it.
    Nothing,
    Later,
    Passed,
}

/// One campaign: its row, its entries and its place in the queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Campaign {
    pub epoch: u8,
    pub until: Until,
    pub head: Head,
    pub entries: Vec<Entry>,
    pub is_queued: bool,
    /// How often it was taken.
    pub newest: Lease,
    /// Has somebody who found it over put it away?
    pub is_put_away: bool,
    /// Does it wait for a person, and not for a worker?
    pub is_paused: bool,
}

impl Campaign {
    /// One that waits with its first entry.
    pub fn waiting(key: u8) -> Campaign {
        let chain = Digest { campaign: key, lease: 0, number: 0 };
        Campaign {
            epoch: 1,
            until: Until::Nothing,
            head: Head { next: 1, chain },
            entries: vec![Entry { digest: chain, previous: None, newest: 0 }],
            is_queued: true,
            newest: 0,
            is_put_away: false,
            is_paused: false,
        }
    }

    pub fn holds(&self, digest: Digest) -> bool {
        self.entries.iter().any(|entry| entry.digest == digest)
    }
}

/// An append as it is sent: `epoch` and `before` are its condition, the rest is what it writes. The lease tells whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Append {
    pub key: u8,
    pub lease: Lease,
    pub epoch: u8,
    pub before: Head,
    pub after: Head,
}

/// What the database answers to an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Answer {
    Written,
    /// No row met the condition.
    NoRow,
    /// A number is there already; nothing was changed.
    Twice,
}

pub fn append(campaigns: &mut [Campaign], guards: &Guards, asked: Append) -> Answer {
    let meets = |(key, campaign): (u8, &Campaign)| {
        (key == asked.key || !guards.has(Guard::KeyOfAppend))
            && (campaign.epoch == asked.epoch || !guards.has(Guard::EpochOfAppend))
            && (campaign.head == asked.before || !guards.has(Guard::HeadOfAppend))
    };
    let met: Vec<usize> =
        (0..).zip(campaigns.iter()).filter(|row| meets(*row)).map(|row| row.0.into()).collect();
    let number = asked.before.next;
    let is_twice = |row: &usize| campaigns[*row].entries.iter().any(|entry| entry.digest.number == number);
    if guards.has(Guard::EntryKey) && met.iter().any(is_twice) {
        return Answer::Twice;
    }
    for row in &met {
        let campaign = &mut campaigns[*row];
        campaign.head = asked.after;
        campaign.until = Until::Later;
        let (digest, previous) = (asked.after.chain, Some(asked.before.chain));
        campaign.entries.push(Entry { digest, previous, newest: campaign.newest });
    }
    if met.is_empty() { Answer::NoRow } else { Answer::Written }
}

/// Takes a campaign, if it waits and nobody has it. Which of those that wait comes first does not matter: any of them may be passed over
/// because somebody else is taking it.
pub fn take(campaign: &mut Campaign, guards: &Guards) -> bool {
    let is_free = campaign.until != Until::Later || !guards.has(Guard::TimeOfTake);
    if !campaign.is_queued || !is_free {
        return false;
    }
    campaign.epoch += u8::from(guards.has(Guard::EpochGrows));
    campaign.newest += 1;
    campaign.is_paused = false;
    campaign.until = Until::Later;
    true
}

/// Prolongs a lease. Did that change a row?
pub fn renew(campaign: &mut Campaign, guards: &Guards, epoch: u8) -> bool {
    let meets = campaign.epoch == epoch || !guards.has(Guard::EpochOfRenewal);
    if meets {
        campaign.until = Until::Later;
    }
    meets
}

/// Gives a lease back. Did that change a row?
pub fn release(campaign: &mut Campaign, guards: &Guards, epoch: u8) -> bool {
    let meets = campaign.epoch == epoch || !guards.has(Guard::EpochOfRelease);
    if meets {
        campaign.until = Until::Nothing;
    }
    meets
}
