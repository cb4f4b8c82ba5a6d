//! How replies are read: by words that stand in `prompts/reading.toml` of the charter.
//!
//! FROZEN: an old reply is read anew by these rules. Guard: the golden journals of the improviser with every vice.

mod artefacts;
#[cfg(test)]
mod unicode;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use twicetold_event::{Phase, Seat};

pub use artefacts::Block;
pub(crate) use artefacts::tag_name;

use crate::setup::{Piece, TextEntry, Texts, improviser_texts};

/// The tables of texts by which replies are read.
pub(crate) const TABLES: [&str; 6] = ["markers", "tags", "keys", "headings", "seats", "lists"];

/// What stands for the number in the name of a player's seat.
pub(crate) const NUMBER: &str = "{{number}}";

/// The words by which replies are read, by the keys of their texts; of each the first is the one that is shown.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    words: BTreeMap<String, Vec<String>>,
}

/// The words by which replies of the embedded improviser are read.
pub fn program_reading() -> &'static Reading {
    static READING: OnceLock<Reading> = OnceLock::new();
    READING.get_or_init(|| Reading::of(improviser_texts()))
}

impl Reading {
    /// The reading by these texts.
    pub fn of(texts: &Texts) -> Reading {
        let is_read = |key: &str| TABLES.iter().any(|table| key.split('.').next() == Some(table));
        let read = texts.iter().filter(|(key, _)| is_read(key));
        Reading { words: read.map(|(key, text)| (key.to_owned(), alternatives(text))).collect() }
    }

    /// All words of this key.
    pub(crate) fn all(&self, key: &str) -> &[String] {
        self.words.get(key).map_or(&[], Vec::as_slice)
    }

    /// The word of this key that is shown.
    pub fn first(&self, key: &str) -> &str {
        self.all(key).first().map_or("", String::as_str)
    }

    /// Does a block of a reply begin with this, in square brackets?
    pub fn is_tag(&self, name: &str) -> bool {
        let tags = self.words.iter().filter(|(key, _)| key.starts_with("tags."));
        tags.flat_map(|(_, words)| words).any(|tag| tag.eq_ignore_ascii_case(name.trim()))
    }

    /// The phrase with which the DM closes a phase; play has none.
    pub fn marker(&self, phase: Phase) -> Option<&str> {
        self.all(&format!("markers.{}", phase.name())).first().map(String::as_str)
    }

    /// What a seat is called that has no character.
    pub fn seat(&self, seat: Seat) -> String {
        self.names(seat).into_iter().next().unwrap_or_default()
    }

    /// All that a seat is called that has no character.
    pub fn names(&self, seat: Seat) -> Vec<String> {
        match seat {
            Seat::Dm => self.all("seats.dm").to_vec(),
            Seat::Memory => self.all("seats.memory").to_vec(),
            Seat::Player(number) => {
                let names = self.all("seats.player").iter();
                names.map(|name| name.replace(NUMBER, &number.to_string())).collect()
            }
        }
    }
}

/// The words of a text, with commas between.
fn alternatives(text: &TextEntry) -> Vec<String> {
    let piece = |piece: &Piece| match piece {
        Piece::Literal { start, end } => text.content[*start..*end].to_owned(),
        Piece::Name(name) => format!("{{{{{name}}}}}"),
        Piece::Section(..) | Piece::Unless(..) => String::new(),
    };
    let whole: String = text.template.pieces.iter().map(piece).collect();
    whole.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
}

/// A word as words are compared: in lower case, without markdown and other signs around it.
pub(crate) fn folded(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_several_words_is_shown_and_each_is_understood() {
        let reading = program_reading();
        assert_eq!(reading.seat(Seat::Dm), "DM");
        assert_eq!(reading.names(Seat::Dm), ["DM", "Dungeon Master"]);
        assert_eq!(reading.seat(Seat::Player(3)), "Player 3");
        assert_eq!(reading.marker(Phase::Lock), Some("SESSION ZERO LOCKED"));
        assert_eq!(reading.marker(Phase::Play), None);
    }
}
