//! Who is asked while a campaign is played.

use std::collections::BTreeMap;
use std::sync::Arc;

use twicetold_event::Seat;
use twicetold_provider::{Provider, Recorded, Servers};
use twicetold_session::Replies;
use twicetold_world::setup::Setup;

use crate::Error;
use crate::mapping::Mapping;
use crate::seats::{Seated, seated_among};

/// Who is asked in a campaign that is played.
pub(crate) struct InPlay {
    /// A provider for every seat that a model plays.
    pub(crate) providers: BTreeMap<Seat, Arc<dyn Provider>>,
    /// May the memory seat be asked beside a turn?
    pub(crate) asks_ahead: bool,
}

/// Finds who is asked: `servers` are those that it shares with others, and what the parent of a branch
/// was answered is taken before anybody is asked anew.
pub(crate) fn providers_in_play(
    setup: &Setup,
    mapping: &Mapping,
    servers: Option<&Servers>,
    mut replies: Replies,
) -> Result<InPlay, Error> {
    let own = Servers::new(1);
    let seated = seated_among(servers.unwrap_or(&own), setup, mapping)?;
    let asks_ahead = asks_ahead(&seated);
    let live = seated.into_iter().map(|(seat, one)| {
        let provider = match (servers, &one.address) {
            (Some(servers), Some(address)) => servers.share(address, one.provider),
            _ => one.provider,
        };
        let taken = replies.remove(&seat).unwrap_or_default();
        let recorded = Recorded::new(provider.name().to_owned(), taken).or(provider);
        (seat, Arc::new(recorded) as Arc<dyn Provider>)
    });
    Ok(InPlay { providers: live.collect(), asks_ahead })
}

/// May the memory seat be asked beside a turn? Its server must answer it while it answers others: one on this machine often has a single
/// slot, and another prompt in between would take the place of what the slot has read.
fn asks_ahead(seated: &BTreeMap<Seat, Seated>) -> bool {
    let Some(memory) = seated.get(&Seat::Memory).filter(|one| one.server.is_some()) else { return false };
    let alone = || seated.iter().all(|(seat, one)| *seat == Seat::Memory || one.server != memory.server);
    memory.is_hosted || alone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use twicetold_provider::{Improvised, Settings};

    #[test]
    fn a_server_that_others_are_played_by_is_asked_beside_a_turn_only_where_a_vendor_keeps_it() {
        let one = |url: Option<&str>, is_hosted| {
            let server = url.and_then(|url| Settings::new(url).server());
            let (provider, address) = (Arc::new(Improvised::new(false)), url.map(str::to_owned));
            Seated { provider, address, context: None, server, is_hosted }
        };
        let asks = |memory: Seated| {
            let dm = (Seat::Dm, one(Some("http://127.0.0.1:1/v1"), memory.is_hosted));
            asks_ahead(&BTreeMap::from([dm, (Seat::Memory, memory)]))
        };
        assert!(!asks(one(Some("http://localhost:1/api"), false)), "it may have a single slot");
        assert!(asks(one(Some("http://127.0.0.1:1/v1"), true)));
        assert!(asks(one(Some("http://127.0.0.1:2/v1"), false)), "nobody else is played by it");
        assert!(!asks(one(None, false)), "the improviser is no server");
    }
}
