//! A campaign as one seat hears it: what a server shows to whoever plays there.

use twicetold_event::{CallId, Number, Seat};
use twicetold_journal::Source;
use twicetold_projection::people::{Line, heard};
use twicetold_referee::Campaign;
use twicetold_session::Follower;
use twicetold_world::{Life, State};

use crate::{Error, Kind};

/// What a seat has heard so far.
pub struct Hearing {
    seat: Seat,
    follower: Follower,
    /// The lines, in order.
    pub lines: Vec<Line>,
    /// The number after the last entry that was read.
    pub next: Number,
    pending: Option<(CallId, Seat)>,
}

impl Hearing {
    /// Before the first entry.
    ///
    /// # Errors
    /// The campaign cannot be read, or it has no such seat.
    pub fn before(source: &dyn Source, seat: Seat) -> Result<Hearing, Error> {
        let follower = Follower::new(source)?;
        let hearing = Hearing { seat, follower, lines: Vec::new(), next: Number(0), pending: None };
        let mut players = hearing.state().setup().players();
        if seat != Seat::Dm && !players.any(|known| known == seat) {
            let message = "this campaign has no such seat";
            return Err(Error::new(Kind::Missing, message, "ask whoever invited you for another seat"));
        }
        Ok(hearing)
    }

    /// Hears what is new.
    ///
    /// # Errors
    /// The journal is damaged, or another one than before.
    pub fn read_on(&mut self, source: &dyn Source) -> Result<(), Error> {
        let Hearing { seat, follower, lines, next, pending } = self;
        follower.read(source, |campaign, entry| {
            let own = pending.is_some_and(|(call, of)| of == *seat && entry.input.call() == Some(call));
            lines.extend(heard(campaign.state(), campaign.replies(), entry, *seat, own));
            *pending = campaign.state().calls().pending.as_ref().map(|pending| (pending.call, pending.seat));
            *next = entry.header.next();
            true
        })?;
        Ok(())
    }

    /// Whose ears these are.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The campaign as it stands after what was read. Most of it is not for the seat.
    pub fn campaign(&self) -> &Campaign {
        self.follower.campaign()
    }

    /// Its state.
    pub fn state(&self) -> &State {
        self.campaign().state()
    }

    /// Is it over?
    pub fn is_over(&self) -> bool {
        matches!(self.state().life(), Life::Ended { .. })
    }

    /// Who sits here, where a person does.
    pub fn person(&self) -> Option<&String> {
        self.state().table().people.get(&self.seat)
    }

    /// The call that waits for the person at this seat.
    pub fn asked(&self) -> Option<CallId> {
        let pending = self.pending.filter(|(_, seat)| *seat == self.seat && self.person().is_some());
        pending.map(|(call, _)| call)
    }
}
