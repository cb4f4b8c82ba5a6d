//! How much an import reads: some ten times of what the sources have that are known, so that a wrong or hostile file ends in a
//! sentence and not in a full memory.

/// Bytes of a source, packed or unpacked. The larger of the two known unpacks to 14 MB.
pub const SOURCE_BYTES_MAX: u64 = 160 * 1024 * 1024;
/// Bytes of one file in it. The largest known database has 4 MB.
pub const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Files of a source. The larger known has 1,700.
pub const FILES_MAX: usize = 20_000;
/// Bytes of one record. The largest known has 25 KB.
pub const RECORD_BYTES_MAX: usize = 256 * 1024;
/// Records of one kind. The most known are 546.
pub const RECORDS_MAX: usize = 5_000;
/// Characters of an id. The longest known has 46.
pub const ID_CHARACTERS_MAX: usize = 80;
/// Attacks of a monster. The most known are 7.
pub const ATTACKS_MAX: usize = 24;
