//! Every limit of this server in one place, each with its reason.

use std::time::Duration;

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
/// Campaigns that one server plays at a time: each has seats that ask models.
pub const TABLES_MAX: usize = 8;
/// Seats that outside agents hold at a time: some four at each table.
pub const PLACES_MAX: usize = 32;
/// The longest that a call waits, in seconds. Clients give up a call after a minute; who wants to wait longer calls again.
pub const WAIT_SECONDS_MAX: u64 = 50;
/// Connections over HTTP at a time: four for each seat that agents hold. More wait until one is closed.
pub const CONNECTIONS_MAX: usize = 128;
/// Seats to which somebody may be invited over HTTP, until the server is restarted: twice those that agents hold at a time.
pub const INVITATIONS_MAX: usize = 64;
/// Characters of the text that tokens are made of: fewer could be guessed.
pub const TOKEN_CHARS_MIN: usize = 16;
/// How long clients may keep a server that is stopped.
pub const STOP_WAIT: Duration = Duration::from_secs(2);
/// How long a table may take to write down what it is told, and to say so: a disk that is slow takes a second.
pub const HEARD_WAIT: Duration = Duration::from_secs(20);
/// How long nothing is heard of an agent before its seat is given back, and how long it may think about one turn: a slow model on a
/// processor takes five minutes for a long reply.
pub const SILENCE: Duration = Duration::from_secs(10 * 60);
/// Characters of what an agent says in one turn, as the table takes them from a terminal.
pub const WORDS_CHARS_MAX: usize = 8_000;
/// Moves of one reply: each of them is a line of the story.
pub const MOVES_MAX: usize = 8;
/// Bytes of the arguments of one move: the longest text that a tool takes, and its other arguments.
pub const ARGUMENTS_BYTES_MAX: usize = 8 * 1024;
/// Characters of the name of an agent, as a person's name is recorded.
pub const NAME_CHARS_MAX: usize = 60;
/// Lines that an agent is told of when it takes a seat; the story before them is summarised.
pub const RECENT_LINES: usize = 40;
/// Bytes of a reply that takes the place of another one in a branch: the longest that a model gives.
pub const REPLY_BYTES_MAX: usize = 128 * 1024;
/// Items of a list of arguments, such as models by seat: there are eight seats, and some limits and draws.
pub const ARGUMENTS_MAX: usize = 16;
