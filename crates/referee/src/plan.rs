//! What is pending right now. Recovery is fold, then plan: there is no other recovery code.

use twicetold_event::{CallId, Millis, Purpose, Seat};
use twicetold_world::Life;

use crate::Campaign;

/// Something that somebody outside must do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Call the seat's model.
    CallModel {
        /// The call.
        call: CallId,
        /// Who is asked.
        seat: Seat,
        /// What for.
        purpose: Purpose,
    },
    /// Ask the person who sits there; there is no hurry.
    AskPerson {
        /// The call.
        call: CallId,
        /// Where the person sits.
        seat: Seat,
    },
    /// Say when this time has come.
    SetTimer {
        /// The call that waits.
        call: CallId,
        /// The time.
        due: Millis,
    },
}

impl Campaign {
    /// What is pending: nothing while the campaign is paused or over.
    pub fn plan(&self) -> Option<Effect> {
        if *self.state.life() != Life::Running {
            return None;
        }
        let pending = self.state.calls().pending.as_ref()?;
        let (call, seat, purpose) = (pending.call, pending.seat, pending.purpose);
        // A person need not wait until a model's server can be asked again.
        if self.state.is_person(seat) {
            return Some(Effect::AskPerson { call, seat });
        }
        if let Some(due) = pending.due {
            return Some(Effect::SetTimer { call, due });
        }
        Some(Effect::CallModel { call, seat, purpose })
    }
}
