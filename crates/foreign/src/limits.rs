//! Limits of what is read from other programs.

/// Bytes of a transcript: a year of evenings is some ten megabytes.
pub const TRANSCRIPT_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Records of a transcript: as many lines as nobody reads.
pub const RECORDS_MAX: usize = 100_000;
/// Speakers of a transcript: more than sit at any table, with everybody whom the narrator lets speak. Each is compared with each line.
pub const SPEAKERS_MAX: usize = 400;
/// Bytes of one record: a long chapter with its tool calls is a tenth of it.
pub const RECORD_BYTES_MAX: usize = 1024 * 1024;
/// Bytes of a mapping: the bundled ones have a thirtieth.
pub const MAPPING_BYTES_MAX: u64 = 64 * 1024;
/// Tool calls or results of one record; servers allow far fewer.
pub const CALLS_MAX: usize = 128;
/// Bytes of a speaker's or a tool's name, and of a call's id: what is longer is no name, and the mapping is wrong.
pub const NAME_BYTES_MAX: usize = 200;
/// Dice of one roll.
pub const FACES_MAX: usize = 1_000;
/// Optional parts of a pattern within each other; the bundled ones have two.
pub const PATTERN_DEPTH_MAX: usize = 8;
/// Attempts to fit one pattern at one place of a text: the bundled ones need some hundred.
pub const PATTERN_STEPS_MAX: usize = 2_000;
/// Attempts of all patterns in one text: as many as a book of a megabyte needs. What comes after them tells of no dice.
pub const TEXT_STEPS_MAX: usize = 5_000_000;
/// Printed values within each other; a message of AutoGen has four.
pub const PRINTED_DEPTH_MAX: usize = 64;
/// Objects within each other of which the texts are words: what lies deeper is data.
pub const WORDS_DEPTH_MAX: usize = 4;
