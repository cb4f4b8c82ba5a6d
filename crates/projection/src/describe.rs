//! Each event in one line for people: what the others at the table see of it, and what a tool answers. It says what the texts of a
//! charter say to models, in the program's own words.

use twicetold_event::{Audience, Event, Source};
use twicetold_world::State;
use twicetold_world::reading::program_reading;

use crate::Replies;
use crate::people::{texts, worded};
use crate::prompt::{Teller, told};

/// One line about an event, or nothing where there is nothing to tell at the table.
pub fn describe(state: &State, replies: &dyn Replies, event: &Event) -> Option<String> {
    let teller = Teller { state, replies, texts: texts(), reading: program_reading(), narrates: false };
    let (key, facts) = told(&teller, event, Source::State, Audience::All)?;
    Some(worded(key, &facts))
}
