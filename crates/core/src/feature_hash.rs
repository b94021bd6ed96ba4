//! Words become 64-bit hashes, windows of hashes become features.
//!
//! Frozen: the golden vectors below pin every bit. A change is a new recipe version.
//!
//! A word hash is one folded 64×64→128-bit multiplication per 16 bytes. A feature is the
//! window's word hashes rolled together by rotation and exclusive-or, then sent through a
//! bijection of the 64-bit numbers (the paper's "enhanced to behave as a random permutation").
//! With a secret key all constants are derived from it, so that nobody who does not know the key can
//! tell which passages a sketch will sample.

use crate::error::Error;

/// Longest window that rotation by one bit per word keeps free of cancelling words:
/// two equal words 64 apart would vanish, and a swap of words 32 apart would collide too easily.
pub const MAX_WINDOW: usize = 32;

/// Bytes that are read of a short word, whatever its length.
pub(crate) const PADDING: usize = 16;

/// Which bits of sixteen bytes are of a word, by its length.
const MASKS: [[u64; 2]; PADDING + 1] = {
    let mut masks = [[0; 2]; PADDING + 1];
    let mut length = 1;
    while length <= PADDING {
        let all = u128::MAX >> (128 - 8 * length);
        masks[length] = [all as u64, (all >> 64) as u64];
        length += 1;
    }
    masks
};

const DEFAULT: [u64; 4] = [0x8f1b_bcdc_bfa5_3e0b, 0xe703_7ed1_a0b4_28db, 0x1d8e_4e27_c47d_124f, 0xeb44_acca_b455_d165];

/// The constants that turn words into hashes and windows into features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureHasher {
    k: [u64; 4],
}

impl Default for FeatureHasher {
    fn default() -> Self {
        Self { k: DEFAULT }
    }
}

impl FeatureHasher {
    /// Constants derived from a secret; the empty key is the public default.
    pub fn with_key(key: &str) -> Self {
        if key.is_empty() {
            return Self::default();
        }
        let bytes = blake3::derive_key("lookalike 2026 fingerprint constants v1", key.as_bytes());
        let mut k = [0; 4];
        for (slot, chunk) in k.iter_mut().zip(bytes.chunks_exact(8)) {
            *slot = u64::from_le_bytes(chunk.try_into().expect("chunks of eight"));
        }
        Self { k }
    }

    /// Constants derived from a secret, if that has this name; the empty key has none.
    pub fn with_named_key(key: &str, name: Option<&str>) -> Option<Self> {
        (Self::name_of(key).as_deref() == name).then(|| Self::with_key(key))
    }

    /// The name of a key, as recipes have it; none of the empty key.
    pub fn name_of(key: &str) -> Option<String> {
        (!key.is_empty()).then(|| Self::key_name(key))
    }

    /// The constants, as a key for another hash.
    pub(crate) fn constants(&self) -> [u8; 32] {
        let mut key = [0; 32];
        for (bytes, constant) in key.as_chunks_mut::<8>().0.iter_mut().zip(self.k) {
            *bytes = constant.to_le_bytes();
        }
        key
    }

    /// Hash of a word in canonical form (folded, NFKC).
    #[inline]
    pub fn word(&self, word: &[u8]) -> u64 {
        if word.len() > PADDING {
            return self.long(word);
        }
        let mut padded = [0; PADDING];
        padded[..word.len()].copy_from_slice(word);
        self.short(&padded, word.len())
    }

    /// The same for a word that begins `bytes`, where sixteen bytes can be read whatever its length: no branch for the length.
    #[inline]
    pub(crate) fn padded_word(&self, bytes: &[u8], length: usize) -> u64 {
        match bytes.first_chunk() {
            Some(padded) if length <= PADDING => self.short(padded, length),
            _ => self.word(&bytes[..length]),
        }
    }

    /// One multiplication of the first and the second eight bytes.
    #[inline]
    fn short(&self, bytes: &[u8; PADDING], length: usize) -> u64 {
        let [a, b] = lanes(bytes, length);
        fold(a ^ self.k[0], b ^ self.k[1] ^ length as u64)
    }

    #[inline(never)]
    fn long(&self, word: &[u8]) -> u64 {
        let n = word.len();
        let mut h = self.k[2];
        let mut at = 0;
        while at + 16 < n {
            h = fold(u64_at(word, at) ^ self.k[0] ^ h, u64_at(word, at + 8) ^ self.k[1]);
            at += 16;
        }
        fold(u64_at(word, n - 16) ^ self.k[0] ^ h, u64_at(word, n - 8) ^ self.k[1] ^ n as u64)
    }

    /// A bijection of the 64-bit numbers: a rolled window becomes a feature.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for other instructions, too")]
    pub fn permute(&self, window: u64) -> u64 {
        let mut x = window ^ self.k[2];
        x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        x = (x ^ (x >> 29)).wrapping_mul(self.k[3] | 1);
        x = (x ^ (x >> 32)).wrapping_mul(0xa076_1d64_78bd_642f);
        x ^ (x >> 31)
    }

    /// Makes features of many rolled windows: eight at a time, where the processor multiplies so many.
    pub(crate) fn permute_all(&self, windows: &mut [u64]) {
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        if let Some(simd) = pulp::x86::V4::try_new() {
            return simd.vectorize(|| self.permute_each(windows));
        }
        self.permute_each(windows);
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for other instructions, too")]
    fn permute_each(&self, windows: &mut [u64]) {
        for window in windows {
            *window = self.permute(*window);
        }
    }

    /// Hash of an ordered pair of numbers: super shingles and chains of words are made of it.
    #[inline]
    pub fn chain(&self, so_far: u64, next: u64) -> u64 {
        fold(so_far ^ self.k[3], next ^ self.k[2]) ^ so_far.rotate_left(23)
    }

    /// A short name of the key, safe to print: it tells two keys apart and reveals neither.
    pub fn key_name(key: &str) -> String {
        let hash = blake3::derive_key("lookalike 2026 name of a key v1", key.as_bytes());
        hash[..4].iter().fold(String::new(), |s, b| s + &format!("{b:02x}"))
    }
}

/// Fails if a text is not the name of a key.
pub(crate) fn check_key_name(name: &str) -> Result<String, Error> {
    if name.len() == 8 && name.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        return Ok(name.to_owned());
    }
    Err(Error::KeyName { found: name.to_owned() })
}

/// The first and the second eight bytes, what is not of the word as zeros.
#[inline]
pub(crate) fn lanes(bytes: &[u8; PADDING], length: usize) -> [u64; 2] {
    let [a, b] = MASKS[length];
    [u64_at(bytes, 0) & a, u64_at(bytes, 8) & b]
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

#[inline]
fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn golden_vectors() {
        let fp = FeatureHasher::default();
        let words = ["", "a", "is", "rose", "shingle", "syntactic", "internationalization", "Straße"];
        let got: Vec<String> = words.iter().map(|w| format!("{:016x}", fp.word(w.as_bytes()))).collect();
        assert_eq!(got, GOLDEN_WORDS);
        assert_eq!(format!("{:016x}", fp.permute(0)), GOLDEN_PERMUTE[0]);
        assert_eq!(format!("{:016x}", fp.permute(0x0123_4567_89ab_cdef)), GOLDEN_PERMUTE[1]);
        assert_eq!(format!("{:016x}", FeatureHasher::with_key("secret").word(b"rose")), GOLDEN_KEYED);
    }
    const GOLDEN_WORDS: [&str; 8] = [
        "77eedd187e3df7b1",
        "a0de820a1b0b8b6a",
        "0e17f50acde9a2bd",
        "9a1b125950020408",
        "efecf80bd2a6ffab",
        "845e02f94f2dd5b9",
        "f94d7c4160e95e85",
        "4f89aea5aa4dad79",
    ];
    const GOLDEN_PERMUTE: [&str; 2] = ["f42c4dc810645766", "7afb2311b72723f3"];
    const GOLDEN_KEYED: &str = "76fff4dadf7e446a";

    #[test]
    fn every_output_bit_depends_on_every_input_bit() {
        let fp = FeatureHasher::default();
        for bit in 0..64 {
            let mut flips = [0u32; 64];
            for i in 0..2000u64 {
                let x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let d = fp.permute(x) ^ fp.permute(x ^ (1 << bit));
                for (out, n) in flips.iter_mut().enumerate() {
                    *n += (d >> out & 1) as u32;
                }
            }
            // 2000 fair coins: six standard deviations are 134
            assert!(flips.iter().all(|n| n.abs_diff(1000) < 134), "input bit {bit}: {flips:?}");
        }
    }

    proptest! {
        #[test]
        fn what_follows_a_word_does_not_matter(word in "[ -~]{1,40}", more in "[ -~]{0,40}") {
            let (fp, both) = (FeatureHasher::default(), [&*word, &*more].concat());
            prop_assert_eq!(fp.padded_word(both.as_bytes(), word.len()), fp.word(word.as_bytes()));
        }

        #[test]
        fn other_key_other_features(word in "[a-z]{1,20}", key in "[a-z]{1,8}") {
            prop_assert_ne!(FeatureHasher::with_key(&key).word(word.as_bytes()), FeatureHasher::default().word(word.as_bytes()));
        }
    }
}
