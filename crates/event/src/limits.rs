//! Technical limits that no campaign can change. The limits of the game itself lie in every campaign's charter
//! (`config/limits.toml`), so that a replay is played under the limits of its day.

/// Bytes of one model reply's body. A long chapter is 100 KB; ten megabytes can only be a mistake.
pub const REPLY_BYTES_MAX: usize = 10 * 1024 * 1024;
/// Bytes of a fault's message and of a broken body kept for reading.
pub const FAULT_TEXT_BYTES_MAX: usize = 2_000;
/// Bytes of one configuration file. A rules pack's largest file is some 100 KB.
pub const FILE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Files of a charter. The bundled one has some 60.
pub const FILES_MAX: usize = 2_000;
/// Blobs that one entry may add: a charter's files, and a margin for a first prompt.
pub const ENTRY_BLOBS_MAX: usize = 4_000;
/// Spans shorter than this stay in the manifest: a blob costs about 60 bytes of keys and digest.
pub const INLINE_BYTES_MAX: usize = 96;
/// A manifest is written whole after this many differences, so that any request is rebuilt from at most as many.
pub const MANIFEST_CHAIN_MAX: u32 = 32;
/// Players of a campaign: more than six chairs and nobody gets a turn.
pub const PLAYERS_MAX: u8 = 6;
/// Messages waiting for a reader of the committed entries: it may lag behind by a few turns, then the table waits.
pub const OBSERVER_QUEUE_MAX: usize = 256;
