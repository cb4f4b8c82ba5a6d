//! Random numbers of resampling: one seed of the plan gives the same intervals on every run.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use twicetold_model::Digester;

/// A stream of random numbers for one purpose.
pub struct Draws(ChaCha8Rng);

impl Draws {
    /// The stream of this name under a seed. Each interval has a stream of its own, so that a score more or less in a plan changes no
    /// other score's interval.
    pub fn of(seed: u64, stream: &str) -> Draws {
        let mut key = Digester::new("twicetold sweep draws 1");
        key.number(seed);
        key.text(stream);
        Draws(ChaCha8Rng::from_seed(key.finish().0))
    }

    /// A number from 0 to below `bound`, which is not 0.
    pub fn below(&mut self, bound: u32) -> usize {
        // The high half of a product: its bias is below one in a hundred thousand for the 500 values that are resampled at most.
        ((u64::from(self.0.next_u32()) * u64::from(bound)) >> 32) as usize
    }

    /// A number above 0 and below 1, for simulations.
    #[cfg(test)]
    pub(crate) fn unit(&mut self) -> f64 {
        (f64::from(self.0.next_u32()) + 0.5) / 4_294_967_296.0
    }
}
