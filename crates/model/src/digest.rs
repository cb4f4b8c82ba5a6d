//! BLAKE3 digests with a domain, and the length-prefixed encoding that they are taken over.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A 32-byte BLAKE3 digest. Shown as lower-case hexadecimal; `{:.8}` shows the first eight digits. Encodings that people read, such as
/// JSON, hold it as that text; journals hold its bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest before the first one of a chain.
    pub const ZERO: Digest = Digest([0; 32]);

    /// The digest of `bytes` in `domain`: equal bytes in two domains have unequal digests.
    pub fn of(domain: &str, bytes: &[u8]) -> Digest {
        let mut digester = Digester::with_capacity(domain, bytes.len());
        digester.raw(bytes);
        digester.finish()
    }

    /// Reads 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Digest> {
        let hash = blake3::Hash::from_hex(text).ok()?;
        Some(Digest(*hash.as_bytes()))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => serializer.collect_str(self),
            false => self.0.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        if !deserializer.is_human_readable() {
            return <[u8; 32]>::deserialize(deserializer).map(Digest);
        }
        let text = String::deserialize(deserializer)?;
        Digest::parse(&text).ok_or_else(|| serde::de::Error::custom("a digest has 64 hexadecimal digits"))
    }
}

impl JsonSchema for Digest {
    fn schema_name() -> Cow<'static, str> {
        "Digest".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A BLAKE3 digest as 64 hexadecimal digits.", "type": "string", "pattern": "^[0-9a-f]{64}$",
        })
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = blake3::Hash::from_bytes(self.0).to_hex();
        let digits = f.precision().unwrap_or(64).min(64);
        f.write_str(&hex.as_str()[..digits])
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:.12}…")
    }
}

/// Takes a digest over fields, each with its length, so that no two lists of fields read alike.
///
/// The fields are gathered and hashed at once: BLAKE3 then works on many kilobytes in parallel, where field by field it
/// would take one block after the other.
pub struct Digester(Vec<u8>);

impl Digester {
    /// Starts a digest in `domain`, for example `"twicetold request 1"`.
    pub fn new(domain: &str) -> Digester {
        Digester::with_capacity(domain, 256)
    }

    /// The same, with room for so many bytes of fields.
    pub fn with_capacity(domain: &str, bytes: usize) -> Digester {
        let mut gathered = Vec::with_capacity(4 + domain.len() + bytes);
        gathered.extend_from_slice(&(domain.len() as u32).to_le_bytes());
        gathered.extend_from_slice(domain.as_bytes());
        Digester(gathered)
    }

    /// Adds bytes without a length: for a last field, or one of fixed size.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Adds a field of bytes with its length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.0.extend_from_slice(bytes);
    }

    /// Adds a text with its length in bytes.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Adds a number.
    pub fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    /// Adds an optional number: absent and zero differ.
    pub fn optional(&mut self, number: Option<u64>) {
        match number {
            None => self.raw(&[0]),
            Some(number) => {
                self.raw(&[1]);
                self.number(number);
            }
        }
    }

    /// The digest of all that was added.
    pub fn finish(self) -> Digest {
        Digest(*blake3::hash(&self.0).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_join_to_the_same_bytes_have_different_digests() {
        let digest = |fields: &[&str]| {
            let mut digester = Digester::new("test");
            for field in fields {
                digester.text(field);
            }
            digester.finish()
        };
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_eq!(digest(&["ab", "c"]), digest(&["ab", "c"]));
        assert_ne!(Digest::of("one", b"x"), Digest::of("two", b"x"));
    }

    #[test]
    fn a_digest_is_read_back_from_its_hexadecimal_form() {
        let digest = Digest::of("test", b"x");
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        assert_eq!(Digest::parse("zz"), None);
        assert_eq!(format!("{digest:.8}").len(), 8);
    }
}
