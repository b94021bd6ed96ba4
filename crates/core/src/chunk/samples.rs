//! Data for tests: the same on every machine.

/// Numbers as if drawn at random (`SplitMix64`).
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    /// The next one below a bound.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// Bytes below `letters`.
pub(super) fn noise(seed: u64, length: usize, letters: u8) -> Vec<u8> {
    let mut numbers = Numbers(seed);
    (0..length).map(|_| numbers.below(usize::from(letters)) as u8).collect()
}

/// Words of which few are frequent, in lines.
pub(super) fn text(seed: u64, length: usize) -> Vec<u8> {
    let mut numbers = Numbers(1);
    let words: Vec<Vec<u8>> =
        (0..5000).map(|_| (0..2 + numbers.below(9)).map(|_| b'a' + numbers.below(26) as u8).collect()).collect();
    let mut numbers = Numbers(seed);
    let mut text = Vec::with_capacity(length + 16);
    while text.len() < length {
        let most = 1 + numbers.below(words.len());
        text.extend(&words[numbers.below(most)]);
        text.push(if numbers.below(12) == 0 { b'\n' } else { b' ' });
    }
    text.truncate(length);
    text
}
