//! Each event in one line for people: what the others at the table see of it, and what a tool answers. It says what the texts of a
//! charter say to models, in the program's own words.

use twicetold_event::{Audience, Event, Source};
use twicetold_world::State;

use crate::Replies;
use crate::people::worded;
use crate::prompt::told;

/// One line about an event, or nothing where there is nothing to tell at the table.
pub fn describe(state: &State, replies: &dyn Replies, event: &Event) -> Option<String> {
    let (key, facts) = told(state, replies, event, Source::State, Audience::All)?;
    Some(worded(key, &facts))
}
