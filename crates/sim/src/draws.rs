//! Seeded draws: every choice of a simulation comes from one of these streams, so that a seed says it all.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// One stream of draws. A stream of its own for each part of the world keeps a change in one from shifting the others.
pub(crate) struct Draws(ChaCha8Rng);

impl Draws {
    /// The stream of this name under a seed.
    pub(crate) fn of(seed: u64, stream: &str) -> Draws {
        let material = [seed.to_le_bytes().as_slice(), stream.as_bytes()].concat();
        Draws(ChaCha8Rng::from_seed(blake3::derive_key("twicetold simulation stream 1", &material)))
    }

    /// A number from 0 to below `bound`; 0 where there is none. The bias of the remainder is far below one in a million here.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound.max(1)
    }

    /// A number from `from` to `to`, both included.
    pub(crate) fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.below(to.saturating_sub(from) + 1)
    }

    /// True once in `count` draws on average; never where `count` is zero.
    pub(crate) fn one_in(&mut self, count: u64) -> bool {
        count > 0 && self.below(count) == 0
    }
}
