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
/// Campaigns that one server plays at once.
pub const PLAYS_MAX: usize = 4;
/// Seconds that a wait may last. Clients give up a call after a minute.
pub const WAIT_SECONDS_MAX: u64 = 50;
/// Seconds that a wait lasts where nothing is said.
pub const WAIT_SECONDS: u64 = 25;
/// Seconds after which a seat that was asked and does not act goes back to its model, where nothing is said: a model that thinks long,
/// and its person who looks at what it wants to do, need minutes.
pub const TURN_SECONDS: u64 = 300;
/// Lines that are kept for a seat that does not ask for them; of more, the oldest are dropped. A party of models tells some ten lines a
/// turn.
pub const LINES_WAITING_MAX: usize = 2_000;
/// Messages that somebody is told who takes a seat in the middle of a story.
pub const RECENT_MESSAGES: usize = 8;
/// Characters of the words of one act. The bundled campaigns cut a message at a quarter of this.
pub const WORDS_CHARS_MAX: usize = 8_000;
/// Tool calls of one act.
pub const TOOL_CALLS_MAX: usize = 16;
/// Characters of the arguments of one tool call.
pub const ARGUMENTS_CHARS_MAX: usize = 16_000;
