//! How a feature of 64 bits becomes as many bits as the fingerprint has.

use crate::bits::Bits;

/// Rows of bits that a feature can be spread to.
pub trait FeatureBits: Bits {
    /// The bits that a feature votes with. The lowest 64 are the feature itself, so the lowest 64 of a wider fingerprint are the
    /// narrow fingerprint.
    fn spread(feature: u64) -> Self;

    /// The features as rows of this width: themselves, or spread into the buffer.
    fn rows<'a>(features: &'a [u64], buffer: &'a mut Vec<Self>) -> &'a [Self];

    /// Appends the bytes, the lowest first.
    fn put(self, bytes: &mut Vec<u8>);
}

impl FeatureBits for u64 {
    #[inline]
    fn spread(feature: u64) -> Self {
        feature
    }

    #[inline]
    fn rows<'a>(features: &'a [u64], _: &'a mut Vec<Self>) -> &'a [Self] {
        features
    }

    fn put(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.to_le_bytes());
    }
}

impl FeatureBits for u128 {
    #[inline]
    fn spread(feature: u64) -> Self {
        u128::from(second_half(feature)) << 64 | u128::from(feature)
    }

    #[inline]
    fn rows<'a>(features: &'a [u64], buffer: &'a mut Vec<Self>) -> &'a [Self] {
        buffer.clear();
        buffer.extend(features.iter().map(|feature| Self::spread(*feature)));
        buffer
    }

    fn put(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.to_le_bytes());
    }
}

/// A bijection with constants of its own: what comes out shows no trace of the feature, though it follows from it. A feature has been
/// through a keyed permutation already, so two rounds are enough here.
#[inline]
fn second_half(feature: u64) -> u64 {
    let mut x = (feature ^ 0x5be0_cd19_137e_2179).wrapping_mul(0x9fb2_1c65_1e98_df25);
    x = (x ^ (x >> 32)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ (x >> 29)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature_hash::FeatureHasher;

    #[test]
    fn halves_are_independent() {
        // each of the 64 × 64 pairs of bits agrees in half of all features: 4000 fair coins, six standard deviations are 190
        let fp = FeatureHasher::default();
        let mut agree = vec![0u32; 64 * 64];
        for i in 0..4000u64 {
            let row = u128::spread(fp.permute(i));
            let (low, high) = (row as u64, (row >> 64) as u64);
            for shift in 0..64u32 {
                let same = !(low ^ high.rotate_left(shift));
                for bit in 0..64 {
                    agree[(shift * 64 + bit) as usize] += (same >> bit & 1) as u32;
                }
            }
        }
        assert!(agree.iter().all(|n| n.abs_diff(2000) < 190));
    }
}
