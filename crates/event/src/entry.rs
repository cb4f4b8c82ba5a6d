//! One entry per step: a fixed header, then the input and the events that were decided from it.
//!
//! The header is written by hand and never changes without a new format number. Its layout, drawn byte by byte, is in
//! `FORMAT.md`.

use thiserror::Error;
use twicetold_model::Digest;

use crate::{Build, CampaignId, Millis, Number};

/// The format number of the header below.
pub const HEADER_FORMAT: u8 = 1;
/// Length of the header in bytes.
pub const HEADER_LENGTH: usize = 125;

/// What stands before the body of every entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The campaign that the entry belongs to.
    pub campaign: CampaignId,
    /// The number of the input; the events follow without gaps.
    pub first: Number,
    /// How many numbers the entry holds: one for the input and one for each event.
    pub count: u32,
    /// max(previous, clock): the only time that logic sees.
    pub at: Millis,
    /// The program that wrote it.
    pub build: Build,
    /// The turn that was being played.
    pub turn: u32,
    /// The fencing epoch of the writer.
    pub epoch: u32,
    /// The chain digest of the entry before; zero for the first.
    pub previous: Digest,
    /// The digest of the body.
    pub body: Digest,
}

/// Why bytes are not an entry.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EntryError {
    /// Shorter than a header.
    #[error("{0} bytes are too few for an entry; its header alone has {HEADER_LENGTH}")]
    TooShort(usize),
    /// Written by a later version.
    #[error("format {0} is not known to this build, which reads format {HEADER_FORMAT}; use a newer build")]
    Format(u8),
    /// The body was changed after it was written.
    #[error("the body does not match the digest in its header")]
    BodyDigest,
    /// A field has a value that no writer makes.
    #[error("the header's {0} cannot be right")]
    Field(&'static str),
}

impl Header {
    /// The header as bytes.
    pub fn encode(&self) -> [u8; HEADER_LENGTH] {
        let mut bytes = [0; HEADER_LENGTH];
        bytes[0] = HEADER_FORMAT;
        bytes[1..17].copy_from_slice(&self.campaign.0);
        bytes[17..25].copy_from_slice(&self.first.0.to_le_bytes());
        bytes[25..29].copy_from_slice(&self.count.to_le_bytes());
        bytes[29..37].copy_from_slice(&self.at.0.to_le_bytes());
        bytes[37..53].copy_from_slice(&self.build.0);
        bytes[53..57].copy_from_slice(&self.turn.to_le_bytes());
        bytes[57..61].copy_from_slice(&self.epoch.to_le_bytes());
        bytes[61..93].copy_from_slice(&self.previous.0);
        bytes[93..125].copy_from_slice(&self.body.0);
        bytes
    }

    /// Reads the header at the front of an entry.
    pub fn decode(bytes: &[u8]) -> Result<Header, EntryError> {
        let Some(header) = bytes.first_chunk::<HEADER_LENGTH>() else {
            return Err(EntryError::TooShort(bytes.len()));
        };
        if header[0] != HEADER_FORMAT {
            return Err(EntryError::Format(header[0]));
        }
        let decoded = Header {
            campaign: CampaignId(array(&header[1..17])),
            first: Number(u64::from_le_bytes(array(&header[17..25]))),
            count: u32::from_le_bytes(array(&header[25..29])),
            at: Millis(u64::from_le_bytes(array(&header[29..37]))),
            build: Build(array(&header[37..53])),
            turn: u32::from_le_bytes(array(&header[53..57])),
            epoch: u32::from_le_bytes(array(&header[57..61])),
            previous: Digest(array(&header[61..93])),
            body: Digest(array(&header[93..125])),
        };
        if decoded.count == 0 {
            return Err(EntryError::Field("count"));
        }
        Ok(decoded)
    }

    /// The number after the entry's last one.
    pub fn next(&self) -> Number {
        self.first.plus(u64::from(self.count))
    }

    /// The link of the chain that this entry makes. It covers the body through the body's digest.
    pub fn chain(&self) -> Digest {
        Digest::of("twicetold chain 1", &self.encode())
    }
}

/// The digest that a header holds of its body.
pub fn body_digest(body: &[u8]) -> Digest {
    Digest::of("twicetold body 1", body)
}

/// An entry's header and body, the body's digest checked.
pub fn open(bytes: &[u8]) -> Result<(Header, &[u8]), EntryError> {
    let header = Header::decode(bytes)?;
    let body = &bytes[HEADER_LENGTH..];
    if body_digest(body) != header.body {
        return Err(EntryError::BodyDigest);
    }
    Ok((header, body))
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(bytes);
    array
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            campaign: CampaignId([7; 16]),
            first: Number(3),
            count: 4,
            at: Millis(1_700_000_000_000),
            build: Build::new("0.1.0"),
            turn: 2,
            epoch: 1,
            previous: Digest::of("test", b"previous"),
            body: body_digest(b"body"),
        }
    }

    #[test]
    fn a_header_is_read_back_as_it_was_written() {
        assert_eq!(Header::decode(&header().encode()), Ok(header()));
    }

    #[test]
    fn every_byte_of_an_entry_is_covered_by_its_digests() {
        let mut entry = header().encode().to_vec();
        entry.extend_from_slice(b"body");
        let chain = header().chain();
        for place in 0..entry.len() {
            entry[place] ^= 1;
            let seen = match open(&entry) {
                Err(_) => true,
                Ok((changed, _)) => changed.chain() != chain,
            };
            assert!(seen, "byte {place}");
            entry[place] ^= 1;
        }
    }

    #[test]
    fn an_entry_of_a_later_format_is_refused_with_a_way_out() {
        let mut bytes = header().encode();
        bytes[0] = 9;
        assert!(Header::decode(&bytes).unwrap_err().to_string().contains("use a newer build"));
    }
}
