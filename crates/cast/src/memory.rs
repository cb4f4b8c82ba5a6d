//! The memory agent's actor: sums up what was said, and fills in characters who come up in play.

use ractor::{Actor, ActorProcessingErr, ActorRef};
use twicetold_event::Seat;

use crate::call::{Call, Model};

/// To the memory agent.
pub(crate) enum MemoryMessage {
    /// Sum up the older part of the story.
    Summarise(Call),
    /// Sum up a dialogue that is over.
    SummariseDialogue(Call),
    /// Describe a new character.
    Profile(Call),
}

pub(crate) struct MemoryActor(pub(crate) Model);

impl Actor for MemoryActor {
    type Msg = MemoryMessage;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<MemoryMessage>, (): ()) -> Result<(), ActorProcessingErr> {
        Ok(())
    }

    async fn handle(
        &self,
        _: ActorRef<MemoryMessage>,
        message: MemoryMessage,
        (): &mut (),
    ) -> Result<(), ActorProcessingErr> {
        let (MemoryMessage::Summarise(call)
        | MemoryMessage::SummariseDialogue(call)
        | MemoryMessage::Profile(call)) = message;
        self.0.make(Seat::Memory, call).await;
        Ok(())
    }
}
