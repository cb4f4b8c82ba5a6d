//! Promises about real processes that are killed: campaigns that go on, and commands that write.
#![cfg(unix)]

mod campaigns;
mod commands;
mod fleet;

/// Kills here; the recipe asks for more.
#[allow(clippy::disallowed_methods, reason = "asked for by the recipe")]
pub fn kills_wanted() -> usize {
    std::env::var("TWICETOLD_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(50)
}

/// Draws numbers below a bound, the same ones each time.
pub struct Draws(pub u64);

impl Draws {
    /// The next one.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound.max(1)
    }
}
