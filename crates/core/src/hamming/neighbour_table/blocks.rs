//! Sorted keys, entered under all that are near them: block by block of what is written, so that it is written close to the processor.

use super::super::near::flips;
use super::Key;

/// Bytes that are written at once.
const BLOCK: usize = if cfg!(test) { 1 << 9 } else { 1 << 18 };

/// Calls `each` with every way to flip few of the first `bits` bits, and keys for it, until it had all: first those whose flipped bits are the
/// lowest. What is written for each number of so many bits takes `size` bytes.
pub(super) fn each_block(
    keys: &[(Key, u32)],
    bits: u32,
    radius: u32,
    size: usize,
    mut each: impl FnMut(u64, &[(Key, u32)]),
) {
    let block_bits = bits.saturating_sub((BLOCK / size).ilog2());
    let block_of = |key: Key| u64::from(key) >> (Key::BITS - block_bits);
    let starts: Vec<usize> =
        (0..=1 << block_bits).map(|block| keys.partition_point(|(key, _)| block_of(*key) < block)).collect();
    let flips: Vec<u64> = flips(bits, radius).collect();
    for block in 0..1u64 << block_bits {
        for flip in &flips {
            let from = (block ^ flip >> (bits - block_bits)) as usize;
            each(*flip, &keys[starts[from]..starts[from + 1]]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_key_comes_with_every_flip(mut keys: Vec<(Key, u32)>, bits in 0u32..12, radius in 0u32..3) {
            keys.sort_unstable();
            let (mut blocks, mut came) = (Vec::new(), Vec::new());
            each_block(&keys, bits, radius, 64, |flip, keys| {
                for (key, number) in keys {
                    blocks.push(((u64::from(*key) >> (Key::BITS - bits)) ^ flip) / (BLOCK / 64) as u64);
                    came.push((flip, *key, *number));
                }
            });
            prop_assert!(blocks.is_sorted());
            let mut all: Vec<_> = flips(bits, radius).flat_map(|flip| keys.iter().map(move |(key, number)| (flip, *key, *number))).collect();
            all.sort_unstable();
            came.sort_unstable();
            prop_assert_eq!(came, all);
        }
    }
}
