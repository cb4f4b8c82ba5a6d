//! Newtypes for everything that is counted or named in a journal.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The place of an input or an event in its campaign: `#0, #1, …` without gaps.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Number(pub u64);

impl Number {
    /// The number `count` places later.
    pub fn plus(self, count: u64) -> Number {
        Number(self.0.saturating_add(count))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// A campaign's name for machines: 16 bytes made once when it is opened, shown as 32 hexadecimal digits. Encodings that people read, such
/// as JSON, hold it as that text; journals hold its bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CampaignId(pub [u8; 16]);

impl CampaignId {
    /// Reads 32 hexadecimal digits.
    pub fn parse(text: &str) -> Option<CampaignId> {
        if text.len() != 32 || !text.is_ascii() {
            return None;
        }
        let mut bytes = [0; 16];
        for (byte, place) in bytes.iter_mut().zip((0..32).step_by(2)) {
            *byte = u8::from_str_radix(&text[place..place + 2], 16).ok()?;
        }
        Some(CampaignId(bytes))
    }
}

impl Serialize for CampaignId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => serializer.collect_str(self),
            false => self.0.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for CampaignId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CampaignId, D::Error> {
        if !deserializer.is_human_readable() {
            return <[u8; 16]>::deserialize(deserializer).map(CampaignId);
        }
        let text = String::deserialize(deserializer)?;
        let wrong = || serde::de::Error::custom("a campaign's id has 32 hexadecimal digits");
        CampaignId::parse(&text).ok_or_else(wrong)
    }
}

impl JsonSchema for CampaignId {
    fn schema_name() -> Cow<'static, str> {
        "CampaignId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The whole id of a campaign: 32 hexadecimal digits.", "type": "string", "pattern": "^[0-9a-f]{32}$",
        })
    }
}

impl fmt::Display for CampaignId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(32);
        let hex: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        f.write_str(&hex[..digits.min(32)])
    }
}

impl fmt::Debug for CampaignId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:.8}")
    }
}

/// A model call, counted within the campaign. Nothing that a model sees derives from it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct CallId(pub u32);

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call {}", self.0)
    }
}

/// A blob, counted by first use within the campaign.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct BlobId(pub u32);

/// A chair at the table; who sits there may change. Encodings that people read, such as JSON, hold it as its [`slug`](Seat::slug);
/// journals hold it as a `SeatBytes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// The dungeon master.
    Dm,
    /// A player, counted from 1.
    Player(u8),
    /// The memory agent: summarises, never plays.
    Memory,
}

impl Seat {
    /// A name that files and flags use: `dm`, `player-1`, `memory`.
    pub fn slug(self) -> String {
        match self {
            Seat::Dm => "dm".into(),
            Seat::Player(number) => format!("player-{number}"),
            Seat::Memory => "memory".into(),
        }
    }

    /// Reads such a name.
    fn parse(text: &str) -> Option<Seat> {
        match text {
            "dm" => Some(Seat::Dm),
            "memory" => Some(Seat::Memory),
            text => text.strip_prefix("player-")?.parse().ok().map(Seat::Player),
        }
    }
}

/// A [`Seat`] as journals hold it. The order is part of the format: append, never insert.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Seat")]
enum SeatBytes {
    Dm,
    Player(u8),
    Memory,
}

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.serialize_str(&self.slug());
        }
        let bytes = match *self {
            Seat::Dm => SeatBytes::Dm,
            Seat::Player(number) => SeatBytes::Player(number),
            Seat::Memory => SeatBytes::Memory,
        };
        bytes.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        if !deserializer.is_human_readable() {
            return SeatBytes::deserialize(deserializer).map(|bytes| match bytes {
                SeatBytes::Dm => Seat::Dm,
                SeatBytes::Player(number) => Seat::Player(number),
                SeatBytes::Memory => Seat::Memory,
            });
        }
        let text = String::deserialize(deserializer)?;
        let wrong = || serde::de::Error::custom("a seat is dm, memory, player-1, player-2 …");
        Seat::parse(&text).ok_or_else(wrong)
    }
}

impl JsonSchema for Seat {
    fn schema_name() -> Cow<'static, str> {
        "Seat".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A chair at the table: dm, memory, player-1, player-2 …", "type": "string",
            "pattern": "^(dm|memory|player-[1-9][0-9]*)$",
        })
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Dm => f.write_str("DM"),
            Seat::Player(number) => write!(f, "Player {number}"),
            Seat::Memory => f.write_str("Memory"),
        }
    }
}

/// Time as logic sees it: milliseconds since 1970, never running backwards within a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Millis(pub u64);

/// Who wrote an entry: the program's version in at most 16 ASCII bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Build(pub [u8; 16]);

impl Build {
    /// The first 16 bytes of `text`, padded with zeros.
    pub fn new(text: &str) -> Build {
        let mut bytes = [0; 16];
        for (byte, source) in bytes.iter_mut().zip(text.bytes().filter(u8::is_ascii_graphic)) {
            *byte = source;
        }
        Build(bytes)
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.0.iter().position(|byte| *byte == 0).unwrap_or(16);
        f.write_str(&String::from_utf8_lossy(&self.0[..end]))
    }
}

impl fmt::Debug for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
