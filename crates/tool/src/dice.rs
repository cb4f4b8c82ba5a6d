//! Dice from raw ChaCha8 words: by seed, stream and counter, so that a change elsewhere leaves everyone else's dice alone.
//!
//! Distributions of random-number crates change between versions; the words of a cipher do not. Rejection sampling is our own.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use twicetold_event::limits;
use twicetold_world::setup::Setup;

use crate::tool::Rejection;

/// A parsed roll such as `2d6+1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    /// How many dice.
    pub count: u32,
    /// Sides of each.
    pub sides: u32,
    /// Added to the sum.
    pub modifier: i32,
}

impl Dice {
    /// Most characters of a roll: `1000d65535-1000`.
    pub(crate) const WRITTEN_MAX: usize = 15;

    /// Reads `d20`, `2d6`, `3d8-1`.
    ///
    /// # Errors
    /// The text is not a roll, or has too many dice or sides.
    pub fn parse(text: &str, dice_max: u32, sides_max: u32) -> Result<Dice, DiceFault> {
        let expected = || DiceFault::NoRoll;
        let folded: String =
            text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
        let (count, rest) = folded.split_once('d').ok_or_else(expected)?;
        let (sides, modifier) = match rest.find(['+', '-']) {
            Some(place) => (&rest[..place], rest[place..].parse().map_err(|_| expected())?),
            None => (rest, 0),
        };
        let count = if count.is_empty() { 1 } else { count.parse().map_err(|_| expected())? };
        let sides = sides.parse().map_err(|_| expected())?;
        let (dice_max, sides_max) = (dice_max.min(limits::DICE_MAX), sides_max.min(limits::DICE_SIDES_MAX));
        if !(1..=dice_max).contains(&count) || !(2..=sides_max).contains(&sides) {
            return Err(DiceFault::TooMany { dice_max, sides_max });
        }
        if !(-1_000..=1_000).contains(&modifier) {
            return Err(DiceFault::Modifier(modifier));
        }
        Ok(Dice { count, sides, modifier })
    }
}

impl std::fmt::Display for Dice {
    /// As [`Dice::parse`] reads it.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}d{}", self.count, self.sides)?;
        if self.modifier == 0 { Ok(()) } else { write!(out, "{:+}", self.modifier) }
    }
}

/// Why a text is not a roll that can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiceFault {
    /// It is not written as a roll is.
    NoRoll,
    /// More dice or sides than there may be, or fewer than one die of two sides.
    TooMany {
        /// At most so many dice.
        dice_max: u32,
        /// Of at most so many sides.
        sides_max: u32,
    },
    /// A modifier that is out of range.
    Modifier(i32),
}

impl DiceFault {
    /// The rejection of the roll as it was written, with what is wrong with it.
    pub(crate) fn rejecting(self, rejection: Rejection, written: &str) -> Rejection {
        let rejection = rejection.quoting("dice", written, 40);
        match self {
            DiceFault::NoRoll => rejection,
            DiceFault::TooMany { dice_max, sides_max } => {
                rejection.with("dice_max", dice_max).with("sides_max", sides_max)
            }
            DiceFault::Modifier(modifier) => rejection.with("modifier", modifier),
        }
    }
}

/// The faces that a campaign's dice show: those that its seed gives, unless a branch replaced them by others that such dice have.
pub fn thrown(setup: &Setup, stream: &str, counter: u32, dice: Dice) -> Vec<u16> {
    let replaced = setup.draws.get(&(stream.to_owned(), counter));
    let possible = |faces: &&Vec<u16>| {
        faces.len() == dice.count as usize
            && faces.iter().all(|face| (1..=dice.sides).contains(&u32::from(*face)))
    };
    let seeded = || roll(setup.seed, stream, counter, dice.count, dice.sides);
    replaced.filter(possible).cloned().unwrap_or_else(seeded)
}

/// The place of what a campaign draws from a list: the seed's, unless a branch replaced it; a face of 1 is the first place.
pub fn pick(setup: &Setup, stream: &str, counter: u32, bound: usize) -> usize {
    let replaced = setup.draws.get(&(stream.to_owned(), counter)).and_then(|faces| faces.first());
    let place = replaced.map(|face| usize::from(*face).wrapping_sub(1)).filter(|place| *place < bound);
    place.unwrap_or_else(|| draw(setup.seed, stream, counter, bound))
}

/// The faces of `count` dice of `sides` sides: the draw number `counter` of `stream` under `seed`.
pub(crate) fn roll(seed: u64, stream: &str, counter: u32, count: u32, sides: u32) -> Vec<u16> {
    let mut words = words(seed, stream, counter);
    (0..count).map(|_| below(&mut words, sides) as u16 + 1).collect()
}

/// A number from 0 to below `bound`: the draw number `counter` of `stream` under `seed`.
pub(crate) fn draw(seed: u64, stream: &str, counter: u32, bound: usize) -> usize {
    below(&mut words(seed, stream, counter), u32::try_from(bound).unwrap_or(u32::MAX).max(1)) as usize
}

/// A seed for a model's own sampling, within the 31 bits that every server takes; another one for each `counter`.
pub fn model_seed(seed: u64, seat: &str, counter: u32) -> u32 {
    words(seed, &format!("{seat} model"), counter).next_u32() >> 1
}

fn words(seed: u64, stream: &str, counter: u32) -> ChaCha8Rng {
    let mut material = Vec::with_capacity(16 + stream.len());
    material.extend_from_slice(&seed.to_le_bytes());
    material.extend_from_slice(&counter.to_le_bytes());
    material.extend_from_slice(stream.as_bytes());
    ChaCha8Rng::from_seed(blake3::derive_key("twicetold 2026-11 dice stream 1", &material))
}

/// Words at or above the largest multiple of `bound` are thrown away: every result is equally likely.
fn below(words: &mut ChaCha8Rng, bound: u32) -> u32 {
    let limit = u32::MAX - u32::MAX % bound;
    loop {
        let word = words.next_u32();
        if word < limit {
            return word % bound;
        }
    }
}

/// At most `bytes` of a text, cut between characters.
pub(crate) fn shorten(text: &str, bytes: usize) -> &str {
    let end = text.floor_char_boundary(bytes);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_faces_of_a_stream_never_change() {
        assert_eq!(roll(7, CHECK, 0, 6, 20), roll(7, CHECK, 0, 6, 20));
        assert_eq!(roll(7, CHECK, 0, 8, 20), GOLDEN);
    }

    const CHECK: &str = "player-1 check WIT";
    const GOLDEN: [u16; 8] = [10, 13, 15, 19, 10, 2, 17, 9];

    #[test]
    fn another_seed_stream_or_counter_gives_other_faces() {
        let base = roll(7, CHECK, 0, 8, 20);
        assert_ne!(base, roll(8, CHECK, 0, 8, 20));
        assert_ne!(base, roll(7, "player-2 check WIT", 0, 8, 20));
        assert_ne!(base, roll(7, CHECK, 1, 8, 20));
    }

    #[test]
    fn every_face_comes_up_about_as_often_as_the_others() {
        let mut seen = [0u32; 6];
        for counter in 0..6_000 {
            seen[usize::from(roll(1, "fair", counter, 1, 6)[0]) - 1] += 1;
        }
        assert!(seen.iter().all(|count| (850..1_150).contains(count)), "{seen:?}");
    }

    #[test]
    fn rolls_are_read_and_nonsense_is_explained() {
        let parse = |text| Dice::parse(text, 20, 1_000);
        assert_eq!(parse(" 2D6 + 1"), Ok(Dice { count: 2, sides: 6, modifier: 1 }));
        assert_eq!(parse("d20"), Ok(Dice { count: 1, sides: 20, modifier: 0 }));
        for written in ["1d20", "20d1000-1000", "2d6+1"] {
            assert_eq!(parse(written).unwrap().to_string(), written);
        }
        for wrong in ["", "d", "2d", "xd6", "1d1", "99d6", "1d6+", "1d99999999999", "0d6", "1d6+9999", "💥d6"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        for endless in ["4000000000d6", "1001d6", "1d65536"] {
            assert!(Dice::parse(endless, u32::MAX, u32::MAX).is_err(), "{endless}");
        }
    }
}
