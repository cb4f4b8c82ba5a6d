//! Technical limits that no campaign can change. The limits of the game itself lie in every campaign's charter
//! (`config/limits.toml`), so that a replay is played under the limits of its day.

/// Bytes of one model reply's body. A long chapter is 100 KB; two megabytes can only be a mistake.
pub const REPLY_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Tokens of one call that can be true: ten times the largest window there is. What a server counts beyond that is recorded and not added up.
pub const CALL_TOKENS_MAX: u64 = 10_000_000;
/// Bytes of a fault's message and of a broken body kept for reading.
pub const FAULT_TEXT_BYTES_MAX: usize = 2_000;
/// Bytes of one configuration file. A rules pack's largest file is some 100 KB.
pub const FILE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Files of a charter. The bundled one has some 60.
pub const FILES_MAX: usize = 2_000;
/// Bytes of all files of a configuration folder. The bundled one has half a megabyte, and a large rules pack three; all are in memory at once,
/// some of them several times.
pub const FOLDER_BYTES_MAX: usize = 32 * 1024 * 1024;
/// Blobs that one entry may add: a charter's files, and a margin for a first prompt.
pub const ENTRY_BLOBS_MAX: usize = 4_000;
/// Spans shorter than this stay in the manifest: a blob costs about 60 bytes of keys and digest.
pub const INLINE_BYTES_MAX: usize = 96;
/// A manifest is written whole after this many differences, so that any request is rebuilt from at most as many.
pub const MANIFEST_CHAIN_MAX: u32 = 32;
/// Sections within sections of a prompt template: people nest two or three. Lists within lists are told as often as their lengths, multiplied.
pub const SECTIONS_NESTED_MAX: usize = 8;
/// Dice of one roll, whatever a campaign's own limit says: all faces are kept.
pub const DICE_MAX: u32 = 1_000;
/// Sides of a die: a face is a u16.
pub const DICE_SIDES_MAX: u32 = 65_535;
/// Findings that are reported for one file; after fixing a hundred, a person runs the check again.
pub const FINDINGS_PER_FILE_MAX: usize = 100;
/// Players of a campaign: more than six chairs and nobody gets a turn.
pub const PLAYERS_MAX: u8 = 6;
/// Messages waiting for a reader of the committed entries: it may lag behind by a few turns, then the table waits. Whoever reads at a pace
/// and stops wants no more played, and paid, than that.
pub const OBSERVER_QUEUE_MAX: usize = 16;
