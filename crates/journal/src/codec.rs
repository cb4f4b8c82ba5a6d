//! How bytes are stored: plain, or compressed where that saves something.

use std::cell::RefCell;
use std::io::{self, Error};

use zstd::bulk::Decompressor;

use crate::StoreError;

const PLAIN: u8 = 0;
const ZSTD: u8 = 1;
/// zstd's own default: higher levels cost several times the time for a few percent of prose.
const LEVEL: i32 = 3;
/// Bytes that any stored value has when it is unpacked. The largest is a pack that ends in the largest entry; more
/// can only be damage, and a damaged length must not fill the memory.
pub(crate) const UNPACKED_BYTES_MAX: u64 = 64 * 1024 * 1024;

// What zstd unpacks with is 100 KB, and most values are a few hundred bytes.
thread_local! {
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Appends the data to `out`; the answer is its codec.
pub(crate) fn encode(plain: &[u8], out: &mut Vec<u8>) -> Result<u8, StoreError> {
    let packed = zstd::bulk::compress(plain, LEVEL)?;
    if packed.len() < plain.len() {
        out.extend_from_slice(&packed);
        Ok(ZSTD)
    } else {
        out.extend_from_slice(plain);
        Ok(PLAIN)
    }
}

/// The plain bytes of `data` under `codec`.
pub(crate) fn decode(codec: u8, data: &[u8]) -> Result<Vec<u8>, StoreError> {
    match codec {
        PLAIN => Ok(data.to_vec()),
        ZSTD => unpack(data).map_err(|error| StoreError::Damaged(format!("it cannot be unpacked: {error}"))),
        other => Err(StoreError::Damaged(format!("its codec is {other}; this build knows 0 and 1"))),
    }
}

fn unpack(data: &[u8]) -> io::Result<Vec<u8>> {
    // A frame states its size. One that lies does not fit into what it stated, and is refused.
    let stated = zstd::zstd_safe::get_frame_content_size(data).ok().flatten();
    let stated = stated.ok_or_else(|| Error::other("it does not state its size"))?;
    if stated > UNPACKED_BYTES_MAX {
        return Err(Error::other("it is larger than anything a journal stores"));
    }
    let mut plain = Vec::new();
    plain.try_reserve_exact(usize::try_from(stated).map_err(Error::other)?)?;
    DECOMPRESSOR.with_borrow_mut(|kept| {
        let decompressor = match kept {
            Some(kept) => kept,
            None => kept.insert(Decompressor::new()?),
        };
        decompressor.decompress_to_buffer(data, &mut plain)
    })?;
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_back_whether_or_not_they_were_worth_compressing() {
        for (plain, expected) in [(vec![b'a'; 10_000], ZSTD), (b"short".to_vec(), PLAIN), (Vec::new(), PLAIN)]
        {
            let mut stored = Vec::new();
            let codec = encode(&plain, &mut stored).unwrap();
            assert_eq!(codec, expected);
            assert_eq!(decode(codec, &stored).unwrap(), plain);
        }
    }

    #[test]
    fn damaged_bytes_are_an_error_and_never_a_panic() {
        let plain: Vec<u8> = (0..4_000_u32).flat_map(|i| (i % 77).to_le_bytes()).collect();
        let mut stored = Vec::new();
        let codec = encode(&plain, &mut stored).unwrap();
        for place in 0..stored.len() {
            for bit in 0..8 {
                stored[place] ^= 1 << bit;
                // A change may also lead to other bytes: digests notice those.
                let _ = decode(codec, &stored);
                stored[place] ^= 1 << bit;
            }
            assert!(decode(codec, &stored[..place]).is_err(), "cut at {place}");
        }
        assert!(decode(7, &stored).is_err());
        let streamed = zstd::stream::encode_all(&plain[..], LEVEL).unwrap();
        assert!(decode(ZSTD, &streamed).is_err(), "it does not state its size");
        assert_eq!(decode(codec, &stored).unwrap(), plain, "what was damaged before changes nothing");
    }
}
