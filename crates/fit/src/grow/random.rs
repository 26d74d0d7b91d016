//! Our own random numbers, so that a model can be reproduced with any version of any library.

/// SplitMix64 (Steele, Lea and Flood 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// True with the given probability.
    pub(super) fn chance(&mut self, share: f32) -> bool {
        ((self.next() >> 40) as f32) < share * (1_u64 << 24) as f32
    }

    /// A number below `end`, which is small against 2^32.
    fn below(&mut self, end: usize) -> usize {
        (((self.next() >> 32) * end as u64) >> 32) as usize
    }

    /// Shuffles things uniformly.
    pub(super) fn shuffle<T>(&mut self, things: &mut [T]) {
        for at in 0..things.len() {
            let other = at + self.below(things.len() - at);
            things.swap(at, other);
        }
    }

    /// A uniform sample of `count` numbers, sorted.
    pub(super) fn draw(&mut self, mut numbers: Vec<usize>, count: usize) -> Vec<usize> {
        let count = count.min(numbers.len());
        for at in 0..count {
            let other = at + self.below(numbers.len() - at);
            numbers.swap(at, other);
        }
        numbers.truncate(count);
        numbers.sort_unstable();
        numbers
    }
}
