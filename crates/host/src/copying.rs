//! Copies campaigns between libraries, such as a folder and a database.

use twicetold_event::CampaignId;
use twicetold_journal::{Head, Source};

use crate::{Error, Kind, Library};

/// What became of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    /// It lies there too now, and ends so.
    New(Head),
    /// The very same lay there already.
    Same,
}

/// Copies one campaign, verified, byte for byte, with its label and the models that play it on this machine.
///
/// # Errors
/// It is damaged, another one of its id lies there, or a storage failed. The campaign was not copied then.
pub fn copy(from: &Library, to: &Library, id: CampaignId) -> Result<Copied, Error> {
    let source = from.read(id)?;
    if to.list()?.contains(&id) {
        let there = to.read(id)?.head();
        if there.chain == source.head().chain {
            beside(from, to, id)?;
            return Ok(Copied::Same);
        }
        let which = match is_ahead(&*source, &there)? {
            true => "an older state of it",
            false => "another campaign of its id, or a newer state of it,",
        };
        let message = format!("{which} lies in {} already; it was not copied", to.name());
        let help = format!("`twicetold rm {id:.8}{}` makes room", to.flag());
        return Err(Error::new(Kind::Usage, message, help));
    }
    let shelf = to.ready()?;
    beside(from, to, id)?;
    Ok(Copied::New(shelf.import(&*source, id)?))
}

/// What belongs to a campaign and is not there yet. It goes before the campaign: what is half copied is copied by the same command.
fn beside(from: &Library, to: &Library, id: CampaignId) -> Result<(), Error> {
    if let (Some(mapping), None) = (from.mapping(id).read()?, to.mapping(id).read()?) {
        to.mapping(id).write(&mapping)?;
    }
    if let (Some(label), None) = (from.label(id).read(), to.label(id).read()) {
        to.label(id).write(&label)?;
    }
    Ok(())
}

/// Does a journal contain what ends at `head`, and more?
pub(crate) fn is_ahead(source: &dyn Source, head: &Head) -> Result<bool, Error> {
    let last = source.entry_holding(twicetold_event::Number(head.next.0.saturating_sub(1)))?;
    let header = last.and_then(|bytes| twicetold_event::entry::Header::decode(&bytes).ok());
    Ok(header.is_some_and(|header| header.chain() == head.chain))
}
