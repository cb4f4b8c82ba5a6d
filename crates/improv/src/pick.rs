//! Draws that depend on nothing but the request: BLAKE3 of the seed, a text and a label.

/// A source of draws for one text; every label has its own stream, so that a new draw moves no other.
#[derive(Clone)]
pub(super) struct Pick {
    key: [u8; 32],
}

impl Pick {
    /// Draws for this seed and these texts.
    pub(super) fn new(seed: i128, texts: &[&str]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"improv 1");
        hasher.update(&seed.to_le_bytes());
        for text in texts {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        Pick { key: *hasher.finalize().as_bytes() }
    }

    /// The stream of draws with this label.
    pub(super) fn draw(&self, label: &str) -> Draw {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(label.as_bytes());
        Draw { reader: hasher.finalize_xof(), block: [0; 64], used: 64 }
    }

    /// Twelve hexadecimal digits that name the reply.
    pub(super) fn name(&self) -> String {
        self.key.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// One stream of draws.
pub(super) struct Draw {
    reader: blake3::OutputReader,
    /// BLAKE3 gives 64 bytes at the price of eight.
    block: [u8; 64],
    used: usize,
}

impl Draw {
    /// The next number below `bound`; 0 when `bound` is 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        if self.used >= self.block.len() {
            self.reader.fill(&mut self.block);
            self.used = 0;
        }
        let bytes = self.block.iter().skip(self.used).take(8);
        let number = bytes.fold(0u64, |number, byte| (number << 8) | u64::from(*byte));
        self.used += 8;
        (number % (bound.max(1) as u64)) as usize
    }

    /// True in about `percent` of 100 draws.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the options, if there are any.
    pub(super) fn choose<'a, T>(&mut self, options: &'a [T]) -> Option<&'a T> {
        let index = self.below(options.len());
        options.get(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_text_and_label_draw_the_same() {
        let mut one = Pick::new(7, &["a"]).draw("x");
        let mut two = Pick::new(7, &["a"]).draw("x");
        for _ in 0..20 {
            assert_eq!(one.below(1000), two.below(1000));
        }
    }

    #[test]
    fn another_label_or_another_seed_draws_differently() {
        let numbers = |seed, label: &str| {
            let mut draw = Pick::new(seed, &["a"]).draw(label);
            (0..8).map(|_| draw.below(1000)).collect::<Vec<_>>()
        };
        assert_ne!(numbers(7, "x"), numbers(7, "y"));
        assert_ne!(numbers(7, "x"), numbers(8, "x"));
    }

    #[test]
    fn an_empty_list_gives_nothing() {
        assert_eq!(Pick::new(1, &[]).draw("x").choose::<u8>(&[]), None);
    }
}
