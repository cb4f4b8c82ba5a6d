//! What differs between versions of the rules, all of it: a campaign is decided by the version in its charter, for ever.
//!
//! Version 1 is the first that was released. A change of a decision is a new version: raise `RULES_VERSION` in `twicetold-world`, and
//! let the rule ask a function of this page. Version 2 exists in tests alone, to prove the road.

use twicetold_event::Seat;
use twicetold_world::State;

/// Who speaks first in a campaign.
pub(super) fn opener(state: &State) -> Seat {
    if cfg!(test) && state.setup().rules_version >= 2 { Seat::Player(1) } else { Seat::Dm }
}
