//! Every limit of this server in one place, each with its reason.

/// Bytes of one message of a client. The longest call that makes sense is a long speech with some tool calls, a tenth of this.
pub const MESSAGE_BYTES_MAX: usize = 256 * 1024;
/// Messages of a client that wait to be read, and answers that wait to be written: a client that sends more is read no further for now.
pub const MESSAGES_WAITING_MAX: usize = 64;
/// Calls that one connection may have under way; more are answered with an error at once. An agent makes one, a program a handful.
pub const CALLS_AT_ONCE_MAX: usize = 16;
/// Journals that are read at once: reading folds a whole campaign, and takes a processor while it lasts.
pub const READINGS_AT_ONCE_MAX: usize = 2;
/// Characters of a result, about 15,000 tokens: more would push an agent's own work out of its window.
pub const RESULT_CHARS_MAX: usize = 60_000;
/// Characters of one text within a result; the whole text can be asked for by its place.
pub const TEXT_CHARS_MAX: usize = 4_000;
/// Items of one list within a result.
pub const ITEMS_MAX: usize = 100;
/// Steps that `why` goes back at most: each takes up to eight sources.
pub const DEPTH_MAX: u32 = 4;
