//! The actors at the table by their seats, and which message a purpose is to each of them.

use std::collections::BTreeMap;

use ractor::{Actor, ActorCell, ActorRef, SpawnErr};
use twicetold_event::{Purpose, Seat};

use crate::call::{Call, Model};
use crate::dm::{DmActor, DmMessage};
use crate::memory::{MemoryActor, MemoryMessage};
use crate::player::{PlayerActor, PlayerMessage};

/// The actor of a seat.
#[derive(Clone)]
pub(crate) enum SeatRef {
    Dm(ActorRef<DmMessage>),
    Player(ActorRef<PlayerMessage>),
    Memory(ActorRef<MemoryMessage>),
}

/// The actors that are there.
pub(crate) type Seats = BTreeMap<Seat, SeatRef>;

impl SeatRef {
    /// Seats somebody, under the supervisor and under this name.
    pub(crate) async fn spawn(
        name: String,
        seat: Seat,
        model: Model,
        supervisor: ActorCell,
    ) -> Result<SeatRef, SpawnErr> {
        let name = Some(name);
        Ok(match seat {
            Seat::Dm => SeatRef::Dm(Actor::spawn_linked(name, DmActor(model), (), supervisor).await?.0),
            Seat::Player(number) => {
                let actor = PlayerActor { number, model };
                SeatRef::Player(Actor::spawn_linked(name, actor, (), supervisor).await?.0)
            }
            Seat::Memory => {
                SeatRef::Memory(Actor::spawn_linked(name, MemoryActor(model), (), supervisor).await?.0)
            }
        })
    }

    pub(crate) fn cell(&self) -> ActorCell {
        match self {
            SeatRef::Dm(actor) => actor.get_cell(),
            SeatRef::Player(actor) => actor.get_cell(),
            SeatRef::Memory(actor) => actor.get_cell(),
        }
    }

    /// Asks for a call. An actor that has just failed hears nothing: its supervisor says so to the table.
    pub(crate) fn ask(&self, purpose: Purpose, call: Call) {
        let _ = match self {
            SeatRef::Dm(actor) => actor
                .cast(match purpose {
                    Purpose::Dialogue => DmMessage::SpeakAsCompanion(call),
                    _ => DmMessage::Tell(call),
                })
                .is_ok(),
            SeatRef::Player(actor) => actor
                .cast(match purpose {
                    Purpose::Dialogue => PlayerMessage::Converse(call),
                    _ => PlayerMessage::Act(call),
                })
                .is_ok(),
            SeatRef::Memory(actor) => actor
                .cast(match purpose {
                    Purpose::DialogueSummary { .. } => MemoryMessage::SummariseDialogue(call),
                    Purpose::Profile { .. } => MemoryMessage::Profile(call),
                    _ => MemoryMessage::Summarise(call),
                })
                .is_ok(),
        };
    }
}
