//! The embedded improviser as a provider: it is given the body that a remote model would be given, and nothing else.

use twicetold_improv::{improvise, improvise_chaos};

use crate::{Completion, Provider};

/// Plays every seat without a model.
#[derive(Clone, Copy, Debug)]
pub struct Improvised {
    chaos: bool,
}

impl Improvised {
    /// A well-behaved improviser, or one with every vice that real models have.
    pub fn new(chaos: bool) -> Improvised {
        Improvised { chaos }
    }

    /// The body of its answer, at once: it asks nobody.
    pub fn reply(self, body: &str) -> String {
        if self.chaos { improvise_chaos(body) } else { improvise(body) }
    }
}

impl Provider for Improvised {
    fn name(&self) -> &str {
        if self.chaos { "improv:chaos" } else { "improv" }
    }

    fn complete<'a>(&'a self, body: &'a str) -> Completion<'a> {
        Box::pin(async move { Ok(self.reply(body)) })
    }
}
