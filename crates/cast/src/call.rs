//! One model call, as every seat's actor makes it: send the request that was decided, bring back what came.

use std::sync::Arc;

use ractor::{ActorProcessingErr, ActorRef};
use twicetold_dialect::{Wire, sent_digest};
use twicetold_event::{CallId, Seat};
use twicetold_model::Request;
use twicetold_provider::Provider;
use twicetold_referee::{answered, failed};

use crate::table::TableMessage;

/// A call to make.
pub(crate) struct Call {
    pub(crate) call: CallId,
    pub(crate) request: Arc<Request>,
    /// Where the reply goes.
    pub(crate) table: ActorRef<TableMessage>,
}

/// Who answers for a seat, and in which protocol.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) provider: Arc<dyn Provider>,
    pub(crate) wire: Arc<Wire>,
}

impl Model {
    /// Makes the call, and tells the table what came of it.
    pub(crate) async fn make(&self, seat: Seat, call: Call) -> Result<(), ActorProcessingErr> {
        let Call { call, request, table } = call;
        let body = self.wire.encode(&request);
        let sent = sent_digest(&body);
        tracing::debug!(%call, provider = self.provider.name(), "calling the model");
        let input = match self.provider.complete(&body).await {
            Ok(reply) => answered(&self.wire, &request, call, sent, reply),
            Err(fault) => failed(call, sent, fault, ""),
        };
        table.cast(TableMessage::Made(seat, input))?;
        Ok(())
    }
}
