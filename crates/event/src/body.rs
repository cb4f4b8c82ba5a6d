//! The body of an entry: the digests of the blobs that it is the first to use, then one frame for the input and one for each event.
//!
//! ```text
//! u32  first blob's id          u16  number of blobs        32 bytes each: their digests
//! then frames:  u16 type number  u8 version  u32 payload length  payload
//! ```
//! All integers are little-endian. Because the digests stand in the body, the chain covers the blobs too.

use thiserror::Error;
use twicetold_model::Digest;

use crate::BlobId;

/// Length of a frame's head in bytes.
pub const FRAME_HEAD: usize = 7;

/// The parts of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body<'a> {
    /// The id of the first blob that this entry adds.
    pub first_blob: BlobId,
    /// The digests of the added blobs, in order of their ids.
    pub blobs: Vec<Digest>,
    /// The frames; see [`frames`].
    pub frames: &'a [u8],
}

/// One input or event as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// What it is. Never an enum's index, never reused.
    pub kind: u16,
    /// Which shape of it.
    pub version: u8,
    /// Its postcard body.
    pub payload: &'a [u8],
}

/// Why bytes are not a body.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BodyError {
    /// The bytes end in the middle of something.
    #[error("the body ends in the middle of {0}")]
    Ends(&'static str),
}

/// The digest of a blob's plain content.
pub fn blob_digest(content: &[u8]) -> Digest {
    Digest::of("twicetold blob 1", content)
}

/// Writes a body's front: everything before the frames.
pub fn encode_front(out: &mut Vec<u8>, first_blob: BlobId, blobs: &[Digest]) {
    out.extend_from_slice(&first_blob.0.to_le_bytes());
    let count =
        u16::try_from(blobs.len()).expect("an entry adds fewer than 65,536 blobs: limits::ENTRY_BLOBS_MAX");
    out.extend_from_slice(&count.to_le_bytes());
    for digest in blobs {
        out.extend_from_slice(&digest.0);
    }
}

/// Writes one frame.
pub fn encode_frame(out: &mut Vec<u8>, kind: u16, version: u8, payload: &[u8]) {
    out.extend_from_slice(&kind.to_le_bytes());
    out.push(version);
    let length =
        u32::try_from(payload.len()).expect("a frame is far smaller than 4 GiB: limits::REPLY_BYTES_MAX");
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(payload);
}

/// Writes one word's frame straight to its place, its length when it is known.
pub(crate) fn encode_word(out: &mut Vec<u8>, kind: u16, version: u8, word: &impl serde::Serialize) {
    encode_frame(out, kind, version, &[]);
    let start = out.len();
    *out = postcard::to_extend(word, std::mem::take(out))
        .expect("no input or event has a shape that postcard rejects: golden test");
    let length =
        u32::try_from(out.len() - start).expect("a frame is far smaller than 4 GiB: limits::REPLY_BYTES_MAX");
    out[start - 4..start].copy_from_slice(&length.to_le_bytes());
}

/// Splits a body into its parts.
pub fn decode(body: &[u8]) -> Result<Body<'_>, BodyError> {
    let (first_blob, rest) = body.split_first_chunk::<4>().ok_or(BodyError::Ends("the first blob's id"))?;
    let (count, mut rest) = rest.split_first_chunk::<2>().ok_or(BodyError::Ends("the number of blobs"))?;
    let mut blobs = Vec::new();
    for _ in 0..u16::from_le_bytes(*count) {
        let (digest, after) = rest.split_first_chunk::<32>().ok_or(BodyError::Ends("the blobs' digests"))?;
        blobs.push(Digest(*digest));
        rest = after;
    }
    Ok(Body { first_blob: BlobId(u32::from_le_bytes(*first_blob)), blobs, frames: rest })
}

/// The frames one after the other; the first is the input.
pub fn frames(mut rest: &[u8]) -> impl Iterator<Item = Result<Frame<'_>, BodyError>> {
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let frame = next_frame(&mut rest);
        if frame.is_err() {
            rest = &[];
        }
        Some(frame)
    })
}

fn next_frame<'a>(rest: &mut &'a [u8]) -> Result<Frame<'a>, BodyError> {
    let (head, after) = rest.split_first_chunk::<FRAME_HEAD>().ok_or(BodyError::Ends("a frame's head"))?;
    let length = u32::from_le_bytes([head[3], head[4], head[5], head[6]]) as usize;
    let (payload, after) = after.split_at_checked(length).ok_or(BodyError::Ends("a frame's payload"))?;
    *rest = after;
    Ok(Frame { kind: u16::from_le_bytes([head[0], head[1]]), version: head[2], payload })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_read_back_and_a_cut_one_is_refused_at_every_length() {
        let mut bytes = Vec::new();
        encode_front(&mut bytes, BlobId(4), &[blob_digest(b"one"), blob_digest(b"two")]);
        let front = bytes.len();
        encode_frame(&mut bytes, 2, 1, b"input");
        encode_frame(&mut bytes, 120, 1, b"");
        let body = decode(&bytes).unwrap();
        assert_eq!((body.first_blob, body.blobs.len()), (BlobId(4), 2));
        let kinds: Vec<u16> = frames(body.frames).map(|frame| frame.unwrap().kind).collect();
        assert_eq!(kinds, [2, 120]);
        for length in 0..bytes.len() {
            let whole =
                decode(&bytes[..length]).is_ok_and(|body| frames(body.frames).all(|frame| frame.is_ok()));
            let between_frames = length == front || length == bytes.len() - FRAME_HEAD;
            assert_eq!(whole, between_frames, "length {length}");
        }
    }
}
