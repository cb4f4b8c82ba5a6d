//! A provider that says again what was said to the very same request.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use twicetold_dialect::sent_digest;
use twicetold_model::{Digest, Fault, FaultKind};

use crate::{Completion, Heard, Provider};

/// Knows the digests of request bodies, and for each the response bodies in the order in which they came.
pub struct Recorded {
    name: String,
    bodies: Mutex<BTreeMap<Digest, VecDeque<String>>>,
    otherwise: Option<Arc<dyn Provider>>,
}

impl Recorded {
    /// From pairs of a request's [`sent_digest`] and the body that answered it, in the order of the recording.
    pub fn new(name: impl Into<String>, pairs: impl IntoIterator<Item = (Digest, String)>) -> Recorded {
        let mut bodies: BTreeMap<Digest, VecDeque<String>> = BTreeMap::new();
        for (digest, body) in pairs {
            bodies.entry(digest).or_default().push_back(body);
        }
        Recorded { name: name.into(), bodies: Mutex::new(bodies), otherwise: None }
    }

    /// Whoever is asked what the recording does not hold.
    pub fn or(self, otherwise: Arc<dyn Provider>) -> Recorded {
        Recorded { otherwise: Some(otherwise), ..self }
    }

    /// How many bodies were not asked for yet.
    pub fn remaining(&self) -> usize {
        self.bodies.lock().unwrap_or_else(PoisonError::into_inner).values().map(VecDeque::len).sum()
    }

    fn answer(&self, request: &str) -> Result<String, Fault> {
        let digest = sent_digest(request);
        let mut bodies = self.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        let out_of_script =
            |what: &str| Fault::new(FaultKind::OutOfScript, format!("request {digest:.12} {what}"));
        match bodies.get_mut(&digest) {
            None => Err(out_of_script("is not in the recording")),
            Some(queue) => {
                queue.pop_front().ok_or_else(|| out_of_script("was made more often than in the recording"))
            }
        }
    }
}

impl Provider for Recorded {
    fn name(&self) -> &str {
        &self.name
    }

    fn complete<'a>(&'a self, body: &'a str) -> Completion<'a> {
        self.complete_heard(body, &|_| {})
    }

    fn complete_heard<'a>(&'a self, body: &'a str, heard: Heard<'a>) -> Completion<'a> {
        Box::pin(async move {
            match (self.answer(body), &self.otherwise) {
                (Err(_), Some(otherwise)) => otherwise.complete_heard(body, heard).await,
                (answer, _) => answer,
            }
        })
    }

    fn without_keys(&self, text: String) -> String {
        match &self.otherwise {
            Some(otherwise) => otherwise.without_keys(text),
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_gets_its_own_answers_in_their_order() {
        let pair = |request: &str, answer: &str| (sent_digest(request), answer.to_owned());
        let recorded = Recorded::new("tale", [pair("a", "a1"), pair("b", "b1"), pair("a", "a2")]);
        assert_eq!(recorded.answer("b"), Ok("b1".into()));
        assert_eq!(recorded.answer("a"), Ok("a1".into()));
        assert_eq!(recorded.remaining(), 1);
        assert_eq!(recorded.answer("a"), Ok("a2".into()));
        let fault = recorded.answer("a").unwrap_err();
        assert_eq!(fault.kind, FaultKind::OutOfScript);
        assert!(fault.message.ends_with("was made more often than in the recording"));
    }

    #[test]
    fn an_unknown_request_is_out_of_script_and_named_by_its_digest() {
        let fault = Recorded::new("tale", []).answer("a").unwrap_err();
        assert_eq!(fault.kind, FaultKind::OutOfScript);
        assert_eq!(fault.message, format!("request {:.12} is not in the recording", sent_digest("a")));
    }
}
