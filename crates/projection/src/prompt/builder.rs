//! Builds a request and, beside it, the list of spans that it is made of.

use twicetold_event::{Audience, CallId, Seat, Source};
use twicetold_model::{Message, Part, Role, ToolCall, ToolResult};

use crate::template::{Lies, Out};

/// Where a piece of a prompt lies, before blobs are numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Bytes of a charter file: its index and where they start.
    File(usize, u32),
    /// Bytes of the words of a reply.
    Reply(CallId, u32),
    /// Written by a projection.
    Written(String),
}

/// A piece of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A message begins.
    Message(Role),
    /// Text.
    Text {
        /// Where it lies.
        content: Content,
        /// Its length in bytes.
        length: u32,
        /// Where it comes from.
        source: Source,
    },
    /// An earlier tool call of this seat.
    ToolCall {
        /// The reply.
        call: CallId,
        /// Which of its calls.
        index: u16,
        /// The seat's own counter.
        id: u32,
    },
    /// A block of an earlier reply that its server wants back.
    Opaque {
        /// The reply.
        call: CallId,
        /// Which of its blocks.
        index: u16,
    },
    /// The result of such a call begins.
    ToolResult {
        /// The seat's own counter.
        id: u32,
    },
    /// The schema that the reply is held to begins.
    ReplySchema,
    /// No tool may be called.
    NoTools,
}

/// Room for a message of some paragraphs, so that it rarely has to grow.
const MESSAGE_BYTES: usize = 1_024;
/// The same for the instructions, which are the longest message.
const INSTRUCTIONS_BYTES: usize = 8 * 1_024;

/// Collects pieces for one seat; a text that the seat may not know is a bug and stops the campaign before it is sent.
pub(super) struct Builder {
    seat: Seat,
    pieces: Vec<Piece>,
    messages: Vec<Message>,
}

impl Builder {
    pub(super) fn new(seat: Seat) -> Builder {
        Builder { seat, pieces: Vec::with_capacity(128), messages: Vec::with_capacity(32) }
    }

    /// Begins a message, unless one of the same role is being written that may simply go on.
    pub(super) fn message(&mut self, role: Role) {
        let goes_on = matches!(role, Role::User | Role::System)
            && self.messages.last().is_some_and(|message| message.role == role);
        if !goes_on {
            self.new_message(role);
        }
    }

    /// Begins a message in any case.
    pub(super) fn new_message(&mut self, role: Role) {
        self.pieces.push(Piece::Message(role));
        self.messages.push(Message { role, parts: Vec::with_capacity(1) });
    }

    /// A whole message that is known already, without pieces.
    pub(super) fn known(&mut self, role: Role, text: &str) {
        self.messages.push(Message { role, parts: vec![Part::Text(text.to_owned())] });
    }

    /// Adds text to the message being written.
    pub(super) fn text(&mut self, text: &str, content: Content, source: Source, audience: &Audience) {
        if !text.is_empty() {
            self.append(text, source, audience);
            self.pieces.push(Piece::Text { content, length: text.len() as u32, source });
        }
    }

    /// Adds text that a projection wrote.
    pub(super) fn written(&mut self, text: String, source: Source, audience: &Audience) {
        if !text.is_empty() {
            self.append(&text, source, audience);
            let length = text.len() as u32;
            self.pieces.push(Piece::Text { content: Content::Written(text), length, source });
        }
    }

    fn append(&mut self, text: &str, source: Source, audience: &Audience) {
        assert!(
            audience.includes(self.seat),
            "a prompt for {} was given what it may not know: {source:?}",
            self.seat
        );
        let Some(message) = self.messages.last_mut() else { return };
        match message.parts.last_mut() {
            Some(Part::Text(whole)) => whole.push_str(text),
            Some(Part::ToolResult(result)) => result.content.push_str(text),
            _ => {
                let room = if message.role == Role::System { INSTRUCTIONS_BYTES } else { MESSAGE_BYTES };
                let mut whole = String::with_capacity(text.len().max(room));
                whole.push_str(text);
                message.parts.push(Part::Text(whole));
            }
        }
    }

    pub(super) fn tool_call(&mut self, call: CallId, index: u16, id: u32, name: &str, arguments: &str) {
        self.pieces.push(Piece::ToolCall { call, index, id });
        let tool_call = ToolCall { id: ToolCall::own_id(id), name: name.into(), arguments: arguments.into() };
        if let Some(message) = self.messages.last_mut() {
            message.parts.push(Part::ToolCall(tool_call));
        }
    }

    /// A block that this protocol takes back.
    pub(super) fn opaque(&mut self, call: CallId, index: u16, protocol: &str, json: &str) {
        if let Some(message) = self.messages.last_mut() {
            self.pieces.push(Piece::Opaque { call, index });
            message.parts.push(Part::Opaque { vendor: protocol.into(), body: json.into() });
        }
    }

    pub(super) fn tool_result(&mut self, id: u32) {
        self.new_message(Role::Tool);
        self.pieces.push(Piece::ToolResult { id });
        if let Some(message) = self.messages.last_mut() {
            message
                .parts
                .push(Part::ToolResult(ToolResult { id: ToolCall::own_id(id), content: String::new() }));
        }
    }

    /// How far the text of the message being written reaches, in bytes.
    pub(super) fn written_to(&self) -> usize {
        self.since(0).len()
    }

    /// The text of the message being written from this byte on.
    pub(super) fn since(&self, from: usize) -> &str {
        match self.messages.last().and_then(|message| message.parts.last()) {
            Some(Part::Text(text)) => &text[from..],
            _ => "",
        }
    }

    pub(super) fn finish(self) -> (Vec<Piece>, Vec<Message>) {
        (self.pieces, self.messages)
    }
}

impl Out for Builder {
    fn put(&mut self, text: &str, lies: Lies, source: Source, audience: &Audience) {
        match lies {
            Lies::Here => self.written(text.to_owned(), source, audience),
            Lies::Reply(call, start) => self.text(text, Content::Reply(call, start), source, audience),
            Lies::File(index, start) => self.text(text, Content::File(index, start), source, audience),
        }
    }
}
