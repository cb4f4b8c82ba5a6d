//! A player's actor: speaks and acts for one character.

use ractor::{Actor, ActorProcessingErr, ActorRef};
use twicetold_event::Seat;

use crate::call::{Call, Model};

/// To a player.
pub(crate) enum PlayerMessage {
    /// A turn at the table.
    Act(Call),
    /// A turn in a dialogue, apart from the others.
    Converse(Call),
}

pub(crate) struct PlayerActor {
    /// Counted from 1.
    pub(crate) number: u8,
    pub(crate) model: Model,
}

impl Actor for PlayerActor {
    type Msg = PlayerMessage;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<PlayerMessage>, (): ()) -> Result<(), ActorProcessingErr> {
        Ok(())
    }

    async fn handle(
        &self,
        _: ActorRef<PlayerMessage>,
        message: PlayerMessage,
        (): &mut (),
    ) -> Result<(), ActorProcessingErr> {
        let (PlayerMessage::Act(call) | PlayerMessage::Converse(call)) = message;
        self.model.make(Seat::Player(self.number), call).await;
        Ok(())
    }
}
