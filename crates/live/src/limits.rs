//! How much one server takes on, each number with its reason.

use std::time::Duration;

/// Bytes of a form: a long message of a player, of which a character takes up to twelve in a form, and some fields beside it.
pub const FORM_BYTES_MAX: usize = 12 * WORDS_CHARS_MAX + 16 * 1024;

/// Connections at a time. A browser opens six for a page; this is for twenty tabs. More wait until one is closed.
pub const CONNECTIONS_MAX: usize = 128;

/// Streams of live pages at a time. Each holds a connection and at most `STREAM_QUEUE` updates; a quarter of the connections is left for
/// opening pages and sending forms.
pub const STREAMS_MAX: usize = CONNECTIONS_MAX / 4 * 3;

/// Campaigns and seats that live pages follow at a time, however many pages show the same: each has a thread and holds one campaign in
/// memory.
pub const FOLLOWED_MAX: usize = 32;

/// Updates that wait for a slow reader of a stream. A stream that is full reads on when there is room: the next update holds all that
/// came meanwhile, so nothing is lost and nothing piles up.
pub const STREAM_QUEUE: usize = 4;

/// Looks at a journal in which nothing is new, after which a stream says that it is still there: proxies and browsers give up silent
/// connections after half a minute.
pub const LOOKS_BEFORE_SIGN_OF_LIFE: u32 = 80;

/// How long open streams may take to end when the server is stopped.
pub const STOP_WAIT: Duration = Duration::from_secs(2);

/// Characters of a search.
pub const SEARCH_CHARS_MAX: usize = 200;

/// Differences of two branches that a page shows, of lines and of state fields each: more is read in the stories themselves.
pub const DIFFERENCES_MAX: usize = 100;

/// Characters of what a person says at a time, as the table takes them from a terminal.
pub const WORDS_CHARS_MAX: usize = 8_000;

/// Characters of the name of somebody who sits down.
pub const NAME_CHARS_MAX: usize = 60;

/// Campaigns that one server plays at a time: each has seats that ask models.
pub const TABLES_MAX: usize = 8;
