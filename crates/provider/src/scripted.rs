//! A provider that says what a test wrote for it.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use twicetold_model::{Fault, FaultKind};

use crate::{Completion, Provider};

/// What a script has for one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The body of a response.
    Body(String),
    /// A fault.
    Fault(Fault),
    /// Nothing, ever: the call ends when whoever made it gives up.
    Hang,
}

impl From<Result<String, Fault>> for Answer {
    fn from(result: Result<String, Fault>) -> Answer {
        match result {
            Ok(body) => Answer::Body(body),
            Err(fault) => Answer::Fault(fault),
        }
    }
}

type Respond = dyn Fn(&str) -> Answer + Send + Sync;

enum Script {
    InOrder(Mutex<VecDeque<Answer>>),
    Respond(Box<Respond>),
}

/// Answers from a list or a function, and remembers what it was asked.
pub struct Scripted {
    name: String,
    script: Script,
    requests: Mutex<Vec<String>>,
}

impl Scripted {
    /// Gives the answers in order, then the fault `OutOfScript`.
    pub fn in_order(name: impl Into<String>, answers: impl IntoIterator<Item = Answer>) -> Scripted {
        Scripted::with(name, Script::InOrder(Mutex::new(answers.into_iter().collect())))
    }

    /// Answers each request body with what `respond` makes of it.
    pub fn responding<A: Into<Answer>>(
        name: impl Into<String>,
        respond: impl Fn(&str) -> A + Send + Sync + 'static,
    ) -> Scripted {
        Scripted::with(name, Script::Respond(Box::new(move |body| respond(body).into())))
    }

    /// Never answers.
    pub fn hanging(name: impl Into<String>) -> Scripted {
        Scripted::responding(name, |_| Answer::Hang)
    }

    fn with(name: impl Into<String>, script: Script) -> Scripted {
        Scripted { name: name.into(), script, requests: Mutex::default() }
    }

    /// How many calls were begun.
    pub fn calls(&self) -> usize {
        lock(&self.requests).len()
    }

    /// The request bodies of all calls in the order in which they were begun.
    pub fn requests(&self) -> Vec<String> {
        lock(&self.requests).clone()
    }

    fn answer(&self, body: &str) -> Answer {
        lock(&self.requests).push(body.to_owned());
        match &self.script {
            Script::InOrder(answers) => lock(answers).pop_front().unwrap_or_else(|| {
                let message = format!("call {} came after the end of the script", self.calls());
                Answer::Fault(Fault::new(FaultKind::OutOfScript, message))
            }),
            Script::Respond(respond) => respond(body),
        }
    }
}

/// A test that failed while it held the lock has left nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Provider for Scripted {
    fn name(&self) -> &str {
        &self.name
    }

    fn complete<'a>(&'a self, body: &'a str) -> Completion<'a> {
        Box::pin(async move {
            match self.answer(body) {
                Answer::Body(body) => Ok(body),
                Answer::Fault(fault) => Err(fault),
                Answer::Hang => std::future::pending().await,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn poll(provider: &dyn Provider, body: &str) -> Poll<Result<String, Fault>> {
        provider.complete(body).as_mut().poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn a_list_is_given_in_order_and_then_the_script_is_over() {
        let fault = Fault::new(FaultKind::Server, "busy");
        let answers = [Answer::Fault(fault.clone()), Answer::Body("one".into())];
        let scripted = Scripted::in_order("dm", answers);
        assert_eq!(poll(&scripted, "a"), Poll::Ready(Err(fault)));
        assert_eq!(poll(&scripted, "b"), Poll::Ready(Ok("one".into())));
        let expected = Fault::new(FaultKind::OutOfScript, "call 3 came after the end of the script");
        assert_eq!(poll(&scripted, "c"), Poll::Ready(Err(expected)));
        assert_eq!((scripted.name(), scripted.calls()), ("dm", 3));
        assert_eq!(scripted.requests(), ["a", "b", "c"]);
    }

    #[test]
    fn a_function_answers_from_the_body() {
        let scripted = Scripted::responding("echo", |body: &str| Ok(body.to_uppercase()));
        assert_eq!(poll(&scripted, "hear"), Poll::Ready(Ok("HEAR".into())));
    }

    #[test]
    fn a_call_that_hangs_was_begun_and_is_never_ready() {
        let scripted = Scripted::hanging("dm");
        assert_eq!(poll(&scripted, "a"), Poll::Pending);
        assert_eq!(scripted.calls(), 1);
    }
}
