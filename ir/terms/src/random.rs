//! Pseudorandom numbers, for fuzzing and tests.

/// A pseudorandom number generator. The same seed yields the same numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Creates a generator with this seed.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// Returns the next number: SplitMix64 (Steele, Lea, Flood, *Fast Splittable Pseudorandom
    /// Number Generators*, OOPSLA 2014, Figure 15).
    pub fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
