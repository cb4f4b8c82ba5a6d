//! A person at the table: where they sit, what they are asked, and what their lines become.

mod character;
mod choices;
mod command;
mod pages;
mod reader;

use std::path::PathBuf;

use twicetold_event::{CallId, Input, PauseAsked, PersonAnswered, PersonCall, Seat, SeatAsked};
use twicetold_host::Sitting;
use twicetold_host::seat_view::offered;
use twicetold_projection::people::recent;
use twicetold_referee::Campaign;

use crate::failure::{Failure, code};
use crate::story;
use command::{Wish, read};
pub use reader::Line;
use reader::Reader;

/// A person at the table.
pub struct Person {
    sitting: Sitting,
    reader: Reader,
    asked: Option<CallId>,
}

/// What follows from a line.
pub enum Next {
    /// Another line is awaited, after [`Person::listen`].
    Again,
    /// The table is told.
    Tell(Vec<Input>),
    /// The table is told, and nobody is asked any more.
    Leave(Vec<Input>, Leaving),
}

/// How somebody leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Leaving {
    /// To go on later.
    Paused,
    /// By Ctrl-C.
    Interrupted,
    /// To watch the models.
    Watching,
}

/// Messages that somebody is shown who sits down in the middle, or asks what happened.
const RECENT_MESSAGES: usize = 8;
impl Person {
    /// Sits down: from now on lines can be asked for. `history` is the file that keeps what was typed.
    pub fn new(sitting: Sitting, history: PathBuf) -> Result<Person, Failure> {
        let reader = Reader::start(history).map_err(|error| {
            Failure::new(code::FAILED, format!("no thread to read the terminal: {error}"), "")
        })?;
        Ok(Person { sitting, reader, asked: None })
    }

    /// Where.
    pub fn seat(&self) -> Seat {
        self.sitting.seat
    }

    /// What somebody needs to know who sits down in the middle of a story.
    pub fn welcome(&self, view: &Campaign) -> String {
        let (state, seat) = (view.state(), self.sitting.seat);
        let lines = recent(state, view.replies(), seat, RECENT_MESSAGES);
        let lines: String = lines.iter().map(|line| story::rendered(state, line)).collect();
        pages::story_so_far(view) + &lines
    }

    /// Asks the person, unless it is somebody else who is asked. What is to be printed before [`Person::listen`].
    pub fn ask(&mut self, view: &Campaign, call: CallId, seat: Seat) -> Option<String> {
        if seat != self.sitting.seat {
            return None;
        }
        self.asked = Some(call);
        Some(pages::question(view.state(), seat))
    }

    /// Lets the person type: from here on the terminal is the line editor's.
    pub fn listen(&self) {
        self.reader.ask();
    }

    /// The line that was asked for; never, while nothing is asked.
    pub async fn line(&mut self) -> Line {
        match self.asked {
            Some(_) => self.reader.line().await,
            None => std::future::pending().await,
        }
    }

    /// What a line means: what is to be printed, and what follows.
    pub fn heard(&mut self, view: &Campaign, line: Line) -> (String, Next) {
        let Some(call) = self.asked else { return (String::new(), Next::Again) };
        let state = view.state();
        let wish = match line {
            Line::End => return (String::new(), self.leave("the input ended", Leaving::Paused)),
            Line::Interrupt => return (String::new(), self.leave("Ctrl-C", Leaving::Interrupted)),
            Line::Text(text) => read(state, self.sitting.seat, &text),
        };
        let (text, tool_calls) = match wish {
            Wish::Say(text) => (text, Vec::new()),
            Wish::Use(tool) => match pages::not_offered(&tool.tool, &offered(view)) {
                // What would be refused for certain is answered here, and costs nothing of the turn.
                Some(what) => return (pages::wrong(&what), Next::Again),
                None => (String::new(), vec![tool]),
            },
            Wish::Leave { watch } => {
                let reason = format!("{} left", self.sitting.name);
                let leaving = if watch { Leaving::Watching } else { Leaving::Paused };
                return (String::new(), self.leave(&reason, leaving));
            }
            Wish::Nothing => return (String::new(), Next::Again),
            Wish::Show(page) => {
                let shown = pages::page(view, self.sitting.seat, page, RECENT_MESSAGES);
                return (shown, Next::Again);
            }
            Wish::Wrong(what) => return (pages::wrong(&what), Next::Again),
        };
        self.asked = None;
        (String::new(), Next::Tell(vec![answer(call, text, tool_calls)]))
    }

    /// Returns the seat to its model. The campaign is paused before the model is called, unless the person wants to watch.
    pub fn leave(&mut self, reason: &str, leaving: Leaving) -> Next {
        self.asked = None;
        let mut inputs = vec![Input::SeatAsked(SeatAsked { seat: self.sitting.seat, person: None })];
        if leaving != Leaving::Watching {
            inputs.push(Input::PauseAsked(PauseAsked { reason: reason.to_owned() }));
        }
        Next::Leave(inputs, leaving)
    }
}

fn answer(call: CallId, text: String, tool_calls: Vec<PersonCall>) -> Input {
    Input::PersonAnswered(PersonAnswered { call, text, tool_calls })
}
