//! A person at the table: where they sit, what they are asked, and what their lines become.

mod choices;
mod command;
mod pages;
mod reader;
mod typed;

use std::path::PathBuf;
use std::time::Duration;

use twicetold_event::{
    CallId, CampaignId, Input, Number, PauseAsked, PersonAnswered, PersonCall, Seat, SeatAsked,
};
use twicetold_host::Sitting;
use twicetold_host::seat_view::{offered, refused};
use twicetold_projection::people::recent;
use twicetold_referee::Campaign;

use crate::failure::{Failure, code};
use crate::story;
use command::{Wish, read};
pub use reader::Line;
use reader::Reader;

/// A person at the table.
pub struct Person {
    campaign: CampaignId,
    sitting: Sitting,
    reader: Reader,
    asked: Option<CallId>,
    /// How long a line waits before it is sent.
    hold: Duration,
    /// A line that waits.
    held: Option<Input>,
    /// A line that came while another one waited.
    ahead: Option<Line>,
    /// The last number of the journal before the last line that was sent.
    before: Option<Number>,
    /// Whether the person was told that a character is still to be made.
    is_warned: bool,
}

/// How long a line waits before it is sent, where somebody types it and does not say otherwise: time enough to see a slip and to type
/// `/again`, and less than most models take to answer.
const HOLD: Duration = Duration::from_secs(4);

/// What follows from a line.
pub enum Next {
    /// Another line is awaited, after [`Person::listen`].
    Again,
    /// What was typed waits for a moment, after [`Person::wait`].
    Wait,
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
    /// Sits down: from now on lines can be asked for. `history` is the file that keeps what was typed; `hold` says how long a line waits
    /// before it is sent.
    pub fn new(
        campaign: CampaignId,
        sitting: Sitting,
        history: PathBuf,
        hold: Option<Duration>,
    ) -> Result<Person, Failure> {
        let reader = Reader::start(history).map_err(|error| {
            Failure::new(code::FAILED, format!("no thread to read the terminal: {error}"), "")
        })?;
        // Lines of a pipe were written before: whoever wrote them has read them. Elsewhere than on Unix nothing waits, see `typed.rs`.
        let usual = if reader.is_terminal { HOLD } else { Duration::ZERO };
        let hold = if cfg!(unix) { hold.unwrap_or(usual) } else { Duration::ZERO };
        Ok(Person {
            campaign,
            sitting,
            reader,
            asked: None,
            hold,
            held: None,
            ahead: None,
            before: None,
            is_warned: false,
        })
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
        if self.ahead.is_none() {
            self.reader.ask(None);
        }
    }

    /// Lets the person take back what waits.
    pub fn wait(&self) {
        self.reader.ask(Some(self.hold));
    }

    /// The line that was asked for; never, while nothing is asked.
    pub async fn line(&mut self) -> Line {
        match self.asked {
            Some(_) => match self.ahead.take() {
                Some(line) => line,
                None => self.reader.line().await,
            },
            None => std::future::pending().await,
        }
    }

    /// What a line means: what is to be printed, and what follows.
    pub fn heard(&mut self, view: &Campaign, line: Line) -> (String, Next) {
        let Some(call) = self.asked else { return (String::new(), Next::Again) };
        if let Some(held) = self.held.take() {
            return self.waited(view, held, line);
        }
        let state = view.state();
        let wish = match line {
            Line::Quiet => return (String::new(), Next::Again),
            Line::End => return (String::new(), self.leave("the input ended", Leaving::Paused)),
            Line::Interrupt => return (String::new(), self.leave("Ctrl-C", Leaving::Interrupted)),
            Line::Text(text) => read(state, self.sitting.seat, &text),
        };
        let (text, tool_calls) = match wish {
            // After the last phase whoever has no character gets one of the table's.
            Wish::Say(text)
                if !self.is_warned && command::lacks_character(state, self.sitting.seat, &text) =>
            {
                self.is_warned = true;
                return (pages::wrong(&command::character_missing(state)), Next::Again);
            }
            Wish::Say(text) => (text, Vec::new()),
            Wish::Use(tool, words) => match pages::not_offered(&tool.tool, &offered(view)) {
                // What would be refused for certain is answered here, and costs nothing of the turn.
                Some(what) => return (pages::wrong(&what), Next::Again),
                None => match refused(view, self.sitting.seat, &tool) {
                    Some(what) => return (pages::wrong(&format!("{}: {what}", tool.tool)), Next::Again),
                    None => (words, vec![tool]),
                },
            },
            Wish::Leave { watch } => {
                let reason = format!("{} left", self.sitting.name);
                let leaving = if watch { Leaving::Watching } else { Leaving::Paused };
                return (String::new(), self.leave(&reason, leaving));
            }
            Wish::Nothing => return (String::new(), Next::Again),
            Wish::Again => {
                return (pages::too_late(self.campaign, self.sitting.seat, self.before), Next::Again);
            }
            Wish::Show(page) => {
                let shown = pages::page(view, self.sitting.seat, page, RECENT_MESSAGES);
                return (shown, Next::Again);
            }
            Wish::Wrong(what) => return (pages::wrong(&what), Next::Again),
        };
        let answer = answer(call, text, tool_calls);
        if self.hold.is_zero() {
            return (String::new(), self.send(view, answer));
        }
        self.held = Some(answer);
        (pages::held(self.hold), Next::Wait)
    }

    /// What becomes of a line that waited: nothing has been written of it, and nobody was asked.
    fn waited(&mut self, view: &Campaign, held: Input, line: Line) -> (String, Next) {
        match line {
            Line::Interrupt => return (pages::not_sent(), self.leave("Ctrl-C", Leaving::Interrupted)),
            Line::Text(text) => match read(view.state(), self.sitting.seat, &text) {
                Wish::Again => return (pages::taken_back(), Next::Again),
                Wish::Nothing => {}
                // Whoever types on has sent the line, and is heard when they are asked again.
                _ => self.ahead = Some(Line::Text(text)),
            },
            Line::Quiet | Line::End => {}
        }
        (String::new(), self.send(view, held))
    }

    fn send(&mut self, view: &Campaign, answer: Input) -> Next {
        self.asked = None;
        self.before = view.next().0.checked_sub(1).map(Number);
        Next::Tell(vec![answer])
    }

    /// Forgets a line that waits, and says so.
    pub fn drop_held(&mut self) -> String {
        self.held.take().map_or_else(String::new, |_| pages::not_sent())
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
