//! A seat's actor: sends the request that was decided, and brings back what came.

use std::sync::Arc;

use ractor::{Actor, ActorProcessingErr, ActorRef};
use twicetold_dialect::{Wire, sent_digest};
use twicetold_provider::Provider;
use twicetold_referee::{failed, received};

use crate::message::{Perform, TableMessage};

/// The DM, a player or the keeper of memory: they differ in who answers for them, and in nothing else.
pub(crate) struct SeatActor {
    pub(crate) provider: Arc<dyn Provider>,
    pub(crate) wire: Arc<Wire>,
}

impl Actor for SeatActor {
    type Msg = Perform;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Perform>, (): ()) -> Result<(), ActorProcessingErr> {
        Ok(())
    }

    async fn handle(
        &self,
        _: ActorRef<Perform>,
        message: Perform,
        (): &mut (),
    ) -> Result<(), ActorProcessingErr> {
        let Perform { call, seat, request, digest, table } = message;
        assert_eq!(request.digest(), digest, "the request of {call} is not the one that was decided");
        let body = self.wire.encode(&request);
        let sent = sent_digest(&body);
        tracing::debug!(%call, provider = self.provider.name(), "calling the model");
        let input = match self.provider.complete(&body).await {
            Ok(reply) => received(&self.wire, call, sent, reply),
            Err(fault) => failed(call, sent, fault, ""),
        };
        table.cast(TableMessage::Made(seat, input))?;
        Ok(())
    }
}
