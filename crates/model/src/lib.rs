//! What one model call is: a request, a reply, and the tools between them. Plain data, no I/O.
//!
//! Providers see nothing but these types, so they cannot see the game.

mod digest;
mod fault;
mod plain;
mod price;
mod quoted;
mod repeats;
mod reply;
mod request;

pub use digest::{Digest, Digester};
pub use fault::{Fault, FaultKind};
pub use plain::{Plain, is_invisible, is_line_break, joins, lines, look};
pub use price::{MILLION, Money, Price, Rates, millionths};
pub use quoted::push_json_string;
pub use repeats::repeats_from;
pub use reply::{Finish, Opaque, Reply, Usage};
pub use request::{
    Message, Parameters, Part, ReplySchema, Request, Role, ToolCall, ToolChoice, ToolResult, ToolSpec,
};
