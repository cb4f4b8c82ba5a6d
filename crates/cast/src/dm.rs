//! The DM's actor: tells the story, and in a dialogue speaks as the person who is spoken to.

use ractor::{Actor, ActorProcessingErr, ActorRef};
use twicetold_event::Seat;

use crate::call::{Call, Model};

/// To the DM.
pub(crate) enum DmMessage {
    /// A turn before play or in it.
    Tell(Call),
    /// A turn in a dialogue, as one of the DM's characters.
    SpeakAsCompanion(Call),
}

pub(crate) struct DmActor(pub(crate) Model);

impl Actor for DmActor {
    type Msg = DmMessage;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<DmMessage>, (): ()) -> Result<(), ActorProcessingErr> {
        Ok(())
    }

    async fn handle(
        &self,
        _: ActorRef<DmMessage>,
        message: DmMessage,
        (): &mut (),
    ) -> Result<(), ActorProcessingErr> {
        let (DmMessage::Tell(call) | DmMessage::SpeakAsCompanion(call)) = message;
        self.0.make(Seat::Dm, call).await;
        Ok(())
    }
}
