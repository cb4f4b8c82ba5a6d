//! What a rule has before it.

use std::sync::Arc;

use twicetold_event::{Event, Millis, Number, Purpose, Seat, TurnEnd};
use twicetold_projection::Replies;
use twicetold_projection::prompt::{self, Asking};
use twicetold_world::{State, evolve};

use crate::requests::{OfferedTool, not_now};

/// A rule reads the state, and changes it in one way: it emits events.
pub(crate) struct Table<'a> {
    state: &'a mut State,
    replies: &'a dyn Replies,
    tools: &'a [OfferedTool],
    beside: Option<Arc<str>>,
    first: Number,
    at: Millis,
    events: Vec<Event>,
}

/// What a rule leads to. One loop reads it: [`crate::rules::follow`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A model is asked.
    Ask(Seat, Purpose),
    /// The turn is over.
    EndTurn(TurnEnd),
    /// It has ended: what was too long before it is summed up.
    SumUp,
    /// What its end leads to is decided.
    CloseTurn,
    /// Between two turns: the memory seat works, if it has work.
    AfterTurn,
    /// The next speaker is chosen.
    NewTurn,
    /// Nothing more follows from this input.
    Stop,
}

impl<'a> Table<'a> {
    /// `first` is the sequence number that the first event gets.
    pub(crate) fn new(
        state: &'a mut State,
        replies: &'a dyn Replies,
        tools: &'a [OfferedTool],
        first: Number,
        at: Millis,
    ) -> Table<'a> {
        Table { state, replies, tools, beside: None, first, at, events: Vec::new() }
    }

    /// With what nobody said of the request that is answered, where that is at hand.
    pub(crate) fn beside(self, beside: Option<Arc<str>>) -> Table<'a> {
        Table { beside, ..self }
    }

    /// What nobody said of the request of this seat, which is answered.
    pub(crate) fn told_beside(&self, seat: Seat, purpose: Purpose) -> Arc<str> {
        let anew = || {
            let not_now = not_now(self.state, self.tools, seat, purpose);
            let asking = Asking { not_now: &not_now, ..Asking::default() };
            Arc::from(prompt::context(self.state, self.replies, (seat, purpose), asking))
        };
        debug_assert!(self.beside.as_ref().is_none_or(|told| *told == anew()), "it is what was asked");
        self.beside.clone().unwrap_or_else(anew)
    }

    pub(crate) fn state(&self) -> &State {
        self.state
    }

    pub(crate) fn replies(&self) -> &'a dyn Replies {
        self.replies
    }

    /// The tools of the charter.
    pub(crate) fn tools(&self) -> &'a [OfferedTool] {
        self.tools
    }

    pub(crate) fn at(&self) -> Millis {
        self.at
    }

    /// The events of this step so far.
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// The sequence number that the next event gets.
    pub(crate) fn next_number(&self) -> Number {
        self.first.plus(self.events.len() as u64)
    }

    /// Decides an event: the state has it before anything else is decided.
    pub(crate) fn emit(&mut self, event: impl Into<Event>) {
        let event = event.into();
        let number = self.next_number();
        evolve(self.state, number, self.at, &event);
        self.events.push(event);
    }

    pub(crate) fn into_events(self) -> Vec<Event> {
        self.events
    }
}
