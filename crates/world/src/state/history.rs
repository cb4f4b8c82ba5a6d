//! What was said and done lately, as events: the window that prompts show, and the running summary of what lies before it.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use twicetold_event::{CallId, Channel, Event, Text};
use twicetold_model::Digester;

use super::Origin;

/// The recent history of the table.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct History {
    /// Session Zero, whole: every phase sees the earlier ones.
    pub session_zero: VecDeque<Remembered>,
    /// The main history since the end of the summary.
    pub main: VecDeque<Remembered>,
    /// Messages of the main history, over the whole campaign.
    pub messages: u32,
    /// What lies before the window.
    pub summary: Option<Summary>,
    /// Bytes of the messages in the main window.
    pub main_bytes: u64,
    pub(super) running: u64,
}

/// An event that prompts may show.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Remembered {
    /// Its number.
    pub origin: Origin,
    /// The event.
    #[serde(with = "frame")]
    pub event: Event,
    /// For a tool call: the seat's own counter of it.
    pub tool_id: u32,
    /// For a message of the main history: its place, counted from 0.
    pub message: u32,
    /// The turn that it belongs to.
    pub turn: u32,
    /// Whose turn that was.
    pub seat: Option<twicetold_event::Seat>,
}

/// The running summary.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Summary {
    /// The message after the last that it covers.
    pub to: u32,
    /// Its words.
    pub text: Text,
    /// Written by the referee because no model did.
    pub fallback: bool,
    /// Where it was written.
    pub origin: Origin,
}

impl History {
    /// The replies that it shows something of.
    pub(crate) fn replies(&self) -> impl Iterator<Item = CallId> {
        let History { session_zero, main, summary, messages: _, main_bytes: _, running: _ } = self;
        let kept = session_zero.iter().chain(main).flat_map(|kept| kept.event.replies());
        kept.chain(summary.iter().filter_map(|summary| summary.text.reply()))
    }

    pub(crate) fn remember(&mut self, remembered: Remembered, session_zero: bool) {
        self.running = running(self.running, &remembered.event);
        if session_zero {
            self.session_zero.push_back(remembered);
            return;
        }
        self.main_bytes += shown_bytes(&remembered.event);
        self.main.push_back(remembered);
    }

    /// What was there before this turn: the number of messages, over the whole campaign, and the bytes of those in the window.
    pub fn before_turn(&self, turn: u32) -> (u32, u64) {
        let of_turn = self.main.iter().rev().take_while(|kept| kept.turn == turn);
        of_turn.fold((self.messages, self.main_bytes), |(messages, bytes), kept| {
            // A whisper stands in the window and is no message of the story.
            let is_message =
                matches!(&kept.event, Event::MessageSpoken(word) if word.channel == Channel::Main);
            (messages.saturating_sub(is_message.into()), bytes.saturating_sub(shown_bytes(&kept.event)))
        })
    }

    /// Drops everything before message `to` from the window.
    pub(crate) fn forget_before(&mut self, to: u32) {
        while let Some(first) = self.main.front() {
            if first.message >= to {
                break;
            }
            self.main_bytes = self.main_bytes.saturating_sub(shown_bytes(&first.event));
            self.main.pop_front();
        }
    }
}

/// The running digest of a history with one event more.
pub(super) fn running(before: u64, event: &Event) -> u64 {
    let mut buffer = Vec::with_capacity(128);
    event.encode(&mut buffer);
    let mut digester = Digester::new("twicetold log 1");
    digester.number(before);
    digester.bytes(&buffer);
    u64::from_le_bytes(digester.finish().0[..8].try_into().unwrap_or_default())
}

/// Bytes that an event takes in a prompt, roughly: what decides when the window is cut.
fn shown_bytes(event: &Event) -> u64 {
    let Event::MessageSpoken(word) = event else { return 80 };
    match &word.text {
        Text::Reply { start, end, .. } => u64::from(end.saturating_sub(*start)),
        Text::Written(text) => text.len() as u64,
    }
}

/// An event as the bytes that the journal has for it.
mod frame {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use twicetold_event::{Event, body};

    pub(super) fn serialize<S: Serializer>(event: &Event, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::with_capacity(128);
        event.encode(&mut bytes);
        bytes.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Event, D::Error> {
        let bytes: Vec<u8> = Deserialize::deserialize(deserializer)?;
        let frame = body::frames(&bytes).next().ok_or_else(|| D::Error::custom("an event without bytes"))?;
        Event::decode(&frame.map_err(D::Error::custom)?).map_err(D::Error::custom)
    }
}
