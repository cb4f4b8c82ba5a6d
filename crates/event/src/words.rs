//! The macro that ties a word of the journal to its type number and version, for writing and for reading.

use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::body::Frame;

/// A word of a type that this build does not know: kept as it is, shown as unknown, and a full stop for an executor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Its type number.
    pub kind: u16,
    /// Its version.
    pub version: u8,
    /// Its bytes.
    pub payload: Vec<u8>,
}

/// Why a known word could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WordError {
    /// The payload is not what its type number and version promise.
    #[error("the payload of a {name} (type {kind}, version {version}) cannot be read: {why}")]
    Payload {
        /// Type number.
        kind: u16,
        /// Version.
        version: u8,
        /// Name of the word.
        name: &'static str,
        /// What the decoder met.
        why: String,
    },
}

/// Strict decoding: `postcard::from_bytes` would ignore bytes that are left over.
pub(crate) fn strict<T: DeserializeOwned>(frame: &Frame<'_>, name: &'static str) -> Result<T, WordError> {
    let error = |why: String| WordError::Payload { kind: frame.kind, version: frame.version, name, why };
    match postcard::take_from_bytes::<T>(frame.payload) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(error(format!("{} bytes are left over", rest.len()))),
        Err(why) => Err(error(why.to_string())),
    }
}

/// Declares an enum of words. Each line: type number, version, name of the variant and of its struct, and the frozen structs of
/// older versions.
///
/// When a released struct must change: freeze it under a new name, add the new struct with the next version, implement
/// `From` the frozen one, and name that in the line as in `111 v 2 TurnEnded from 1 TurnEndedV1`. The number is never given
/// to anything else.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $words:ident {
        $($number:literal v $version:literal $name:ident $(from $old_version:literal $old:ident)*,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $words {
            $(
                #[doc = concat!("Type ", $number, ", version ", $version, ".")]
                $name($name),
            )*
            /// Written by a build that knows more words than this one.
            Unknown($crate::words::Unknown),
        }

        impl $words {
            /// Every word: its type number, current version and name.
            pub const REGISTRY: &'static [(u16, u8, &'static str)] = &[$(($number, $version, stringify!($name)),)*];

            /// The type number.
            pub fn kind(&self) -> u16 {
                match self {
                    $($words::$name(_) => $number,)*
                    $words::Unknown(unknown) => unknown.kind,
                }
            }

            /// The word's name, as it stands in this build's code.
            pub fn name(&self) -> &'static str {
                match self {
                    $($words::$name(_) => stringify!($name),)*
                    $words::Unknown(_) => "Unknown",
                }
            }

            /// Appends the word's frame to `out`.
            pub fn encode(&self, out: &mut Vec<u8>) {
                match self {
                    $($words::$name(word) => {
                        $crate::body::encode_word(out, $number, $version, word);
                    })*
                    $words::Unknown(unknown) => {
                        $crate::body::encode_frame(out, unknown.kind, unknown.version, &unknown.payload);
                    }
                }
            }

            /// Does a frame have the shape in which this build writes its word?
            pub fn is_current(frame: &$crate::body::Frame<'_>) -> bool {
                matches!((frame.kind, frame.version), $(($number, $version))|*)
            }

            /// Reads a frame.
            ///
            /// # Errors
            /// The type is known and the payload is not what it promises. An unknown type is no error here.
            pub fn decode(frame: &$crate::body::Frame<'_>) -> Result<$words, $crate::words::WordError> {
                match (frame.kind, frame.version) {
                    $(($number, $version) => {
                        $crate::words::strict::<$name>(frame, stringify!($name)).map($words::$name)
                    }
                    $(($number, $old_version) => {
                        let old = $crate::words::strict::<$old>(frame, stringify!($name));
                        old.map(|old| $words::$name(old.into()))
                    })*)*
                    _ => Ok($words::Unknown($crate::words::Unknown {
                        kind: frame.kind,
                        version: frame.version,
                        payload: frame.payload.to_vec(),
                    })),
                }
            }
        }

        /// For people and scripts: the fields of the word alone. The journal uses frames, never this.
        impl serde::Serialize for $words {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $($words::$name(word) => word.serialize(serializer),)*
                    $words::Unknown(_) => serializer.serialize_unit(),
                }
            }
        }

        impl $words {
            /// For each word its name and the schema of its fields as JSON.
            pub fn schemas(generator: &mut schemars::SchemaGenerator) -> Vec<(&'static str, schemars::Schema)> {
                vec![$((stringify!($name), generator.subschema_for::<$name>()),)*]
            }
        }

        $(impl From<$name> for $words {
            fn from(word: $name) -> $words {
                $words::$name(word)
            }
        })*
    };
}
pub(crate) use words;

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::Unknown;
    use crate::body;

    words! {
        /// What a bell does.
        pub enum Bell {
            1 v 2 Rang from 1 RangV1,
            2 v 1 Hushed,
        }
    }

    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    pub struct Rang {
        times: u32,
        why: String,
    }

    #[derive(Serialize, Deserialize)]
    struct RangV1 {
        times: u32,
    }

    impl From<RangV1> for Rang {
        fn from(old: RangV1) -> Rang {
            Rang { times: old.times, why: "nobody asked in those days".into() }
        }
    }

    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    pub struct Hushed {}

    fn read(bytes: &[u8]) -> Bell {
        Bell::decode(&body::frames(bytes).next().unwrap().unwrap()).unwrap()
    }

    #[test]
    fn a_frame_of_an_older_version_is_read_by_its_upcast_and_written_as_the_newest() {
        let mut old = Vec::new();
        body::encode_word(&mut old, 1, 1, &RangV1 { times: 3 });
        let rang = Bell::from(Rang { times: 3, why: "nobody asked in those days".into() });
        assert_eq!(read(&old), rang);
        let mut new = Vec::new();
        read(&old).encode(&mut new);
        assert_ne!(new, old);
        let is_current = |bytes: &[u8]| Bell::is_current(&body::frames(bytes).next().unwrap().unwrap());
        assert!(is_current(&new) && !is_current(&old));
        assert_eq!(read(&new), rang);
        assert_eq!((rang.kind(), rang.name()), (1, "Rang"));
    }

    #[test]
    fn a_version_or_a_type_that_nobody_knows_is_kept_as_it_is() {
        for (kind, version) in [(1, 3), (2, 2), (3, 1)] {
            let mut bytes = Vec::new();
            body::encode_frame(&mut bytes, kind, version, &[7, 0]);
            let word = read(&bytes);
            assert_eq!(word, Bell::Unknown(Unknown { kind, version, payload: vec![7, 0] }));
            let mut again = Vec::new();
            word.encode(&mut again);
            assert_eq!(again, bytes);
        }
        assert_eq!(Bell::REGISTRY, [(1, 2, "Rang"), (2, 1, "Hushed")]);
        let schemas = Bell::schemas(&mut schemars::SchemaGenerator::default());
        assert_eq!(schemas.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["Rang", "Hushed"]);
    }
}
