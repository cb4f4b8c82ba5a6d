//! Reads a journal from its beginning, entry by entry.

use twicetold_event::{Entry, Number};
use twicetold_journal::Source;
use twicetold_projection::people::Ledger;
use twicetold_referee::Campaign;
use twicetold_session::Follower;

use crate::{Error, Kind};

/// The number up to which somebody wants to read, if there is one of that number.
pub fn within(source: &dyn Source, last: Option<Number>) -> Result<(), Error> {
    let head = source.head();
    if let Some(asked) = last.filter(|asked| *asked >= head.next) {
        let message = format!("there is no {asked}; the journal ends before {}", head.next);
        return Err(Error::new(Kind::Missing, message, "`twicetold log ID` lists the sequence numbers"));
    }
    Ok(())
}

/// What every call of a journal has cost so far, up to a number or to its end.
pub fn ledger(source: &dyn Source, last: Option<Number>) -> Result<Ledger, Error> {
    let mut ledger = Ledger::default();
    walk(source, last, |campaign, entry| {
        ledger.entry(campaign.state(), entry);
        true
    })?;
    Ok(ledger)
}

/// Folds a journal and shows each entry with the campaign as it stands after it, until `each` has seen enough.
pub fn walk(
    source: &dyn Source,
    last: Option<Number>,
    mut each: impl FnMut(&Campaign, &Entry) -> bool,
) -> Result<(), Error> {
    within(source, last)?;
    Follower::new(source)?.read(source, |campaign, entry| {
        each(campaign, entry) && last.is_none_or(|last| last >= entry.header.next())
    })?;
    Ok(())
}
