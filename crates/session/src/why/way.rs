//! The causes of an entry, step by step back to #0, as text.

use twicetold_event::{CallId, Entry, Event, Input, Number, Seat};

use super::Explainer;
use crate::LoadError;

/// The way from an entry back to the opening.
pub(super) struct Way {
    /// Number and what happened: the newest steps, and the opening as the last.
    pub(super) steps: Vec<(u64, String)>,
    /// Steps that lie between the last two.
    pub(super) left_out: u64,
}

impl Explainer<'_> {
    /// From an entry back to the opening: the step that asked for what it answers, what that step answered, and so on. Where
    /// a step answers nothing, because somebody sat down or resumed, it goes on with the call that was asked for before.
    pub(super) fn way(&self, entry: &Entry) -> Result<Way, LoadError> {
        let mut way = Way { steps: Vec::new(), left_out: 0 };
        let mut wanted = entry.input.call();
        if wanted.is_none() {
            way.steps.push((entry.header.first.0, self.came(entry)?));
            wanted = self.asked_before(entry)?;
        }
        while let Some(call) = wanted {
            if way.steps.len() >= self.steps_max {
                return self.cut_short(way, call);
            }
            let Some((number, word)) = self.cursor.request(call)? else { break };
            let Some(entry) = self.cursor.entry(number)? else { break };
            way.steps.push((entry.header.first.0, self.led(&entry, word.seat)?));
            wanted = match entry.input.call().filter(|before| *before < call) {
                Some(before) => Some(before),
                None => self.asked_before(&entry)?,
            };
        }
        Ok(way)
    }

    /// The same way with the opening as its last step. Calls are numbered as they are requested and every step asks for one, so
    /// that those between need not be read.
    fn cut_short(&self, mut way: Way, call: CallId) -> Result<Way, LoadError> {
        let Some(opening) = self.cursor.entry(Number(0))? else { return Ok(way) };
        let asked = opening.events.iter().find_map(|event| match event {
            Event::ModelCallRequested(word) => Some((word.call, word.seat)),
            _ => None,
        });
        let (first, what) = match asked {
            Some((first, seat)) => (first, self.led(&opening, seat)?),
            None => (CallId(0), self.came(&opening)?),
        };
        way.left_out = u64::from(call.0.saturating_sub(first.0));
        way.steps.push((0, what));
        Ok(way)
    }

    /// The call that was asked for last before an entry.
    fn asked_before(&self, entry: &Entry) -> Result<Option<CallId>, LoadError> {
        let Some(before) = entry.header.first.0.checked_sub(1).map(Number) else { return Ok(None) };
        let found = self.cursor.last(before, |event| matches!(event, Event::ModelCallRequested(_)))?;
        Ok(found.and_then(|(number, entry)| {
            entry.numbered().find(|(at, _)| *at == number).and_then(|(_, event)| match event {
                Event::ModelCallRequested(word) => Some(word.call),
                _ => None,
            })
        }))
    }

    /// What an entry's input was, and whom it led to.
    fn led(&self, entry: &Entry, asked: Seat) -> Result<String, LoadError> {
        let answers = matches!(entry.input, Input::ModelReplied(_) | Input::PersonAnswered(_));
        let is_again = answers
            && self.answered_by(entry)? == Some(asked)
            && !entry.events.iter().any(|event| matches!(event, Event::TurnBegan(_)));
        let again = if is_again { " again" } else { "" };
        Ok(format!("{}, so {} was asked{again}", self.came(entry)?, who(asked)))
    }

    /// The seat that was asked for what an entry's input answers.
    pub(super) fn answered_by(&self, entry: &Entry) -> Result<Option<Seat>, LoadError> {
        let Some(call) = entry.input.call() else { return Ok(None) };
        Ok(self.cursor.request(call)?.map(|(_, word)| word.seat))
    }

    /// A text about an entry's input.
    pub(super) fn came(&self, entry: &Entry) -> Result<String, LoadError> {
        Ok(match &entry.input {
            Input::OpeningAsked(_) => "the campaign was opened".to_owned(),
            Input::ModelReplied(_) | Input::PersonAnswered(_) => {
                let seat = self.answered_by(entry)?;
                let who = seat.map_or_else(|| "a seat".to_owned(), who);
                // What a rule sums up behind somebody's answer is none of theirs.
                if seat == Some(Seat::Memory) { summed_up(entry, &who) } else { answered(entry, &who) }
            }
            Input::ModelFailed(_) => "a call failed".to_owned(),
            Input::TimerFired(_) => "the wait before a retry ended".to_owned(),
            Input::ResumeAsked(_) => "the campaign was resumed".to_owned(),
            Input::PauseAsked(_) => "a pause was requested".to_owned(),
            Input::SeatAsked(word) => match &word.person {
                Some(person) => format!("{person} took the seat of {}", who(word.seat)),
                None => format!("the seat of {} was returned to its model", who(word.seat)),
            },
            Input::AmendmentAsked(word) => format!("{} was replaced", word.path),
            Input::ForkAsked(_) => "a branch began".to_owned(),
            Input::ForeignLine(word) => format!("line {} of the transcript was read", word.line),
            Input::Unknown(_) => "an input of an unknown type arrived".to_owned(),
        })
    }
}

/// A seat as it is spoken of.
fn who(seat: Seat) -> String {
    match seat {
        Seat::Memory => "the memory agent".to_owned(),
        seat => seat.to_string(),
    }
}

/// What the memory agent's answer was.
fn summed_up(entry: &Entry, who: &str) -> String {
    let did = entry.events.iter().find_map(|event| match event {
        Event::SummaryWritten(_) => Some("wrote a summary"),
        Event::DialogueSummarised(_) => Some("summarised a dialogue"),
        Event::NpcProfiled(_) => Some("wrote a profile"),
        Event::NpcProfileKept(_) => Some("wrote no profile that could be used"),
        _ => None,
    });
    did.map_or_else(|| answered(entry, who), |did| format!("{who} {did}"))
}

/// What somebody's answer was.
fn answered(entry: &Entry, who: &str) -> String {
    let mut calls = 0;
    let mut spoke = false;
    for event in &entry.events {
        match event {
            Event::ReplyIgnored(_) => return format!("{who} replied to a call that was not pending"),
            Event::ReplyRejected(_) => return format!("{who} sent a reply that could not be used"),
            Event::MessageSpoken(_) => spoke = true,
            Event::ToolAccepted(_) | Event::ToolRejected(_) => calls += 1,
            _ => {}
        }
    }
    match (spoke, calls) {
        (true, _) | (_, 0) => format!("{who} answered"),
        (_, 1) => format!("{who} called a tool"),
        (_, calls) => format!("{who} called {calls} tools"),
    }
}
