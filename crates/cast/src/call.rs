//! One model call, as every seat's actor makes it: send the request that was decided, bring back what came.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use ractor::ActorRef;
use tokio::sync::mpsc;
use twicetold_dialect::{Wire, sent_digest};
use twicetold_event::{CallId, Seat};
use twicetold_model::Request;
use twicetold_provider::Provider;
use twicetold_referee::{answered, failed};

use crate::message::Notice;
use crate::table::TableMessage;

/// So many bytes of a stream come between two drafts: some three words.
const DRAFT_BYTES: usize = 600;
/// And so many of what has come, as one part of so many.
const DRAFT_PART: usize = 8;

/// A call to make.
pub(crate) struct Call {
    pub(crate) call: CallId,
    /// It is made ahead: the campaign decides it later, as another call.
    pub(crate) is_ahead: bool,
    pub(crate) request: Arc<Request>,
    /// Where the reply goes.
    pub(crate) table: ActorRef<TableMessage>,
    /// Who is told what the model says while it says it; nobody, where not everybody may hear it.
    pub(crate) drafts: Option<mpsc::WeakSender<Notice>>,
}

/// Who answers for a seat, and in which protocol.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) provider: Arc<dyn Provider>,
    pub(crate) wire: Arc<Wire>,
    /// What whole replies have shown so far: nothing yet (0), [`PLAIN`] or [`THINKS`].
    pub(crate) shown: Arc<AtomicU8>,
}

/// Replies held no thinking: drafts are what is said.
const PLAIN: u8 = 1;
/// A reply held thinking. Templates may open a block of it in the prompt, so that only its end is seen: there are no drafts any more.
const THINKS: u8 = 2;

impl Model {
    /// Makes the call, and tells the table what came of it.
    pub(crate) async fn make(&self, seat: Seat, call: Call) {
        let Call { call, is_ahead, request, table, drafts } = call;
        let body = self.wire.encode(&request);
        let sent = sent_digest(&body);
        tracing::debug!(%call, provider = self.provider.name(), "calling the model");
        let shown = self.shown.load(Ordering::Relaxed);
        let watched = drafts.is_some() && shown != THINKS;
        let drafts = drafts.filter(|_| shown == PLAIN);
        let told = AtomicUsize::new(0);
        let heard = |stream: &[u8]| {
            let Some(drafts) = drafts.as_ref().and_then(mpsc::WeakSender::upgrade) else { return };
            // Each draft is read from the beginning: not for every word, and the longer it is the more seldom.
            let last = told.load(Ordering::Relaxed);
            if stream.len() < last + DRAFT_BYTES.max(last / DRAFT_PART) {
                return;
            }
            told.store(stream.len(), Ordering::Relaxed);
            let words = std::str::from_utf8(stream).ok().and_then(|stream| self.wire.draft(stream));
            if let Some(words) = words {
                // Whoever is slow to look misses a draft, and nothing else.
                let words = self.provider.without_keys(words);
                let _ = drafts.try_send(Notice::Draft { seat, words });
            }
        };
        let input = match self.provider.complete_heard(&body, &heard).await {
            Ok(reply) => {
                if watched {
                    let thinks = self.wire.decode(&reply).is_ok_and(|reply| !reply.thinking.is_empty());
                    self.shown.fetch_max(if thinks { THINKS } else { PLAIN }, Ordering::Relaxed);
                }
                answered(&self.wire, &request, call, sent, reply)
            }
            Err(fault) => failed(call, sent, fault, ""),
        };
        // A table that has stopped meanwhile, at a signal, waits for nobody.
        let made = if is_ahead { TableMessage::MadeAhead(input) } else { TableMessage::Made(seat, input) };
        let _ = table.cast(made);
    }
}
