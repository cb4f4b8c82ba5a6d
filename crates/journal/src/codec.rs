//! How bytes are stored: plain, or compressed where that saves something.

use std::io::Read;

use crate::StoreError;

const PLAIN: u8 = 0;
const ZSTD: u8 = 1;
/// zstd's own default: higher levels cost several times the time for a few percent of prose.
const LEVEL: i32 = 3;
/// Bytes that any stored value has when it is unpacked. The largest is a pack that ends in the largest entry; more
/// can only be damage, and a damaged length must not fill the memory.
pub(crate) const UNPACKED_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Appends `[codec][data]` to `out`.
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

fn unpack(data: &[u8]) -> std::io::Result<Vec<u8>> {
    // The frame states its size, which makes room in one step; a frame that lies grows as far as it really goes.
    let stated = zstd::zstd_safe::get_frame_content_size(data).ok().flatten().unwrap_or(0);
    let mut plain = Vec::new();
    plain.try_reserve(usize::try_from(stated.min(UNPACKED_BYTES_MAX)).unwrap_or(0))?;
    let mut decoder = zstd::stream::read::Decoder::with_buffer(data)?.take(UNPACKED_BYTES_MAX + 1);
    decoder.read_to_end(&mut plain)?;
    if plain.len() as u64 > UNPACKED_BYTES_MAX {
        return Err(std::io::Error::other("it is larger than anything a journal stores"));
    }
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
    }
}
