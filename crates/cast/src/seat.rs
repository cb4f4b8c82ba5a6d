//! A seat's actor: sends the request that was decided, and brings back what came.

use std::sync::Arc;

use ractor::{Actor, ActorProcessingErr, ActorRef};
use twicetold_dialect::{Wire, sent_digest};
use twicetold_event::{Input, ModelFailed, ModelReplied, limits};
use twicetold_provider::Provider;

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
            Ok(reply) => match self.wire.decode(&reply) {
                Ok(decoded) => Input::ModelReplied(ModelReplied {
                    call,
                    sent,
                    body: reply,
                    usage: decoded.usage,
                    finish: decoded.finish,
                }),
                Err(fault) => failed(call, sent, fault, &reply),
            },
            Err(fault) => failed(call, sent, fault, ""),
        };
        table.cast(TableMessage::Made(seat, input))?;
        Ok(())
    }
}

fn failed(
    call: twicetold_event::CallId,
    sent: twicetold_model::Digest,
    fault: twicetold_model::Fault,
    body: &str,
) -> Input {
    let body = body[..body.floor_char_boundary(limits::FAULT_TEXT_BYTES_MAX)].to_owned();
    Input::ModelFailed(ModelFailed { call, sent, fault, body })
}
