//! The fast chunker against its naive twin, and what TTTD promises.

use super::*;
use proptest::prelude::*;

/// A chunker of the public key.
fn chunker(mean: u32) -> Chunker {
    Chunker::new(Parameters::for_mean(mean).unwrap(), "")
}

/// Where its chunks end.
fn cuts(chunker: &Chunker, data: &[u8]) -> Vec<usize> {
    let mut cuts = Vec::new();
    chunker.cuts(data, |cut| cuts.push(cut));
    cuts
}

/// Bytes out of a small alphabet or a large one, runs of one byte, a phrase again and again, and all of these after each other.
fn data() -> impl Strategy<Value = Vec<u8>> {
    let run = (any::<u8>(), 0..700usize).prop_map(|(byte, length)| vec![byte; length]);
    let phrase =
        (prop::collection::vec(any::<u8>(), 1..60), 1..30usize).prop_map(|(phrase, times)| phrase.repeat(times));
    let noise = |letters: u8| prop::collection::vec(0..letters, 0..1500);
    let part = prop_oneof![run, phrase, noise(2), noise(4), noise(26), noise(255)];
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn fast_is_naive(data in data(), mean in prop_oneof![Just(64u32), Just(100), 65..400u32], key in "(|k|[a-z]{8})") {
        let parameters = Parameters::for_mean(mean).unwrap();
        prop_assert_eq!(cuts(&Chunker::new(parameters, &key), &data), naive_cuts(&data, &parameters, &key));
    }

    #[test]
    fn fast_is_naive_at_every_length(mean in 64..160u32, seed: u64, letters in 1..=255u8, off in -2..=2i64, times in 1..4i64) {
        let parameters = Parameters::for_mean(mean).unwrap();
        for at in [WINDOW as u32, parameters.tmin, parameters.tmax] {
            let length = (i64::from(at) * times + off).max(0) as usize;
            let data = noise(seed, length, letters);
            prop_assert_eq!(cuts(&chunker(mean), &data), naive_cuts(&data, &parameters, ""));
        }
    }
}

/// Bytes below `letters`, as if drawn at random.
fn noise(seed: u64, length: usize, letters: u8) -> Vec<u8> {
    let mut numbers = SplitMix(seed);
    (0..length).map(|_| (numbers.next() % u64::from(letters)) as u8).collect()
}

/// Numbers as if drawn at random, the same everywhere.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
