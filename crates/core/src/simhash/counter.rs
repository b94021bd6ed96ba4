//! The votes of features, counted for all places at once.
//!
//! The paper keeps f numbers and adds to or takes from each of them for every feature. Here numbers stand upright: plane p holds
//! bit p of all f counts, one row of bits for each of a few lanes. Adding a row of votes is a carry-save addition, five operations
//! for all places; sixteen rows are folded into one carry before the higher planes are touched (Harley and Seal's way of counting
//! bits). The compiler makes vector instructions of the lanes, whatever the machine has.
//!
//! Nothing is ever unpacked into f numbers. A place has a majority for 1 if 2 · (weight that votes for 1) > (weight of all), and that
//! comparison is made on the planes too.
//!
//! Ties, which short documents have, give 0: the same constant for all documents is the one rule under which two documents
//! that tie at the same place always agree there. A rule that looks at the features (the smallest of them decides, say) would keep
//! unrelated short documents a little further apart, and tear near-copies apart where that feature was edited.

use crate::bits::FingerprintBits;

/// Rows that are added side by side.
const LANES: usize = 4;
/// Rows that become one carry.
const FOLD: usize = 16;
/// Rows in a block.
const BLOCK: usize = LANES * FOLD;
/// Bits of the largest count of one lane, and of what a weight can add to it.
const PLANES: usize = 40;

type Lanes<F> = [F; LANES];

/// Counts votes, and tells the majority.
#[derive(Clone, Debug)]
pub struct Counter<F> {
    /// One for each bit of weights: the votes of features whose weight has that bit.
    tallies: Vec<Tally<F>>,
    /// What all features weigh.
    total: u64,
}

impl<F: FingerprintBits> Default for Counter<F> {
    fn default() -> Self {
        Self { tallies: vec![Tally::default()], total: 0 }
    }
}

impl<F: FingerprintBits> Counter<F> {
    /// Bits of the largest weight.
    pub const WEIGHT_BITS: u32 = 16;

    /// Takes features that weigh 1 each.
    #[inline]
    pub fn add(&mut self, features: &[F]) {
        let tally = &mut self.tallies[0];
        let (blocks, rest) = features.as_chunks::<BLOCK>();
        for block in blocks {
            tally.add(block);
        }
        if !rest.is_empty() {
            // a row of zeros votes for nothing that is counted
            let mut block = [F::ZERO; BLOCK];
            block[..rest.len()].copy_from_slice(rest);
            tally.add(&block);
        }
        self.total += features.len() as u64;
    }

    /// Takes features with a weight each. A weight is the sum of its bits, and each bit has a tally.
    pub fn add_weighted(&mut self, features: &[F], weights: &[u16]) {
        assert_eq!(features.len(), weights.len(), "a weight for each feature");
        for (features, weights) in features.chunks(BLOCK).zip(weights.chunks(BLOCK)) {
            let mut bits = weights.iter().fold(0, |all, weight| all | weight);
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let mut block = [F::ZERO; BLOCK];
                for ((row, feature), weight) in block.iter_mut().zip(features).zip(weights) {
                    *row = if weight >> bit & 1 == 1 { *feature } else { F::ZERO };
                }
                self.tally(bit as usize).add(&block);
            }
            self.total += weights.iter().map(|weight| u64::from(*weight)).sum::<u64>();
        }
    }

    fn tally(&mut self, bit: usize) -> &mut Tally<F> {
        if self.tallies.len() <= bit {
            self.tallies.resize_with(bit + 1, Tally::default);
        }
        &mut self.tallies[bit]
    }

    /// The fingerprint of what was taken, if anything that weighs was. The counter is empty afterwards.
    pub fn finish(&mut self) -> Option<F> {
        let total = std::mem::take(&mut self.total);
        // 40 planes, shifted by up to 16, and four lanes of them
        let mut sum = [F::ZERO; 64];
        for (bit, tally) in self.tallies.iter_mut().enumerate() {
            tally.pour(bit, &mut sum);
        }
        (total > 0).then(|| greater(&sum, total / 2))
    }
}

/// Counts of features that weigh the same.
#[derive(Clone, Debug)]
struct Tally<F> {
    planes: [Lanes<F>; PLANES],
    /// Planes above are zero.
    used: usize,
}

impl<F: FingerprintBits> Default for Tally<F> {
    fn default() -> Self {
        Self { planes: [[F::ZERO; LANES]; PLANES], used: 0 }
    }
}

impl<F: FingerprintBits> Tally<F> {
    /// Sixteen rows in each lane: fifteen carry-save additions, and what they carry goes up.
    #[inline]
    fn add(&mut self, block: &[F; BLOCK]) {
        let rows = block.as_chunks::<LANES>().0;
        let [ones, twos, fours, eights, ..] = &mut self.planes;
        let mut carry_of_8 = [[F::ZERO; LANES]; 2];
        for (half, carry) in rows.as_chunks::<8>().0.iter().zip(&mut carry_of_8) {
            let a = add(ones, &half[0], &half[1]);
            let b = add(ones, &half[2], &half[3]);
            let low = add(twos, &a, &b);
            let a = add(ones, &half[4], &half[5]);
            let b = add(ones, &half[6], &half[7]);
            let high = add(twos, &a, &b);
            *carry = add(fours, &low, &high);
        }
        let mut carry = add(eights, &carry_of_8[0], &carry_of_8[1]);
        let mut plane = FOLD.ilog2() as usize;
        while carry != [F::ZERO; LANES] {
            for (bits, carry) in self.planes[plane].iter_mut().zip(&mut carry) {
                let both = *bits & *carry;
                *bits = *bits ^ *carry;
                *carry = both;
            }
            plane += 1;
        }
        self.used = self.used.max(plane);
    }

    /// Adds the counts of all lanes to upright numbers, `shift` planes up, and forgets them.
    fn pour(&mut self, shift: usize, sum: &mut [F; 64]) {
        for lane in 0..LANES {
            let mut carry = F::ZERO;
            let counts = self.planes[..self.used].iter().map(|plane| plane[lane]);
            let mut counts = counts.fuse();
            for sum in &mut sum[shift..] {
                let bits = match counts.next() {
                    Some(bits) => bits,
                    // what is carried may go on through planes that others filled
                    None if carry == F::ZERO => break,
                    None => F::ZERO,
                };
                let odd = *sum ^ bits;
                let both = *sum & bits;
                *sum = odd ^ carry;
                carry = both | (odd & carry);
            }
        }
        self.planes[..self.used].fill([F::ZERO; LANES]);
        self.used = 0;
    }
}

/// Adds two rows to a plane; what is carried.
#[inline]
fn add<F: FingerprintBits>(plane: &mut Lanes<F>, a: &Lanes<F>, b: &Lanes<F>) -> Lanes<F> {
    let mut carry = [F::ZERO; LANES];
    for lane in 0..LANES {
        let odd = plane[lane] ^ a[lane];
        carry[lane] = (plane[lane] & a[lane]) | (odd & b[lane]);
        plane[lane] = odd ^ b[lane];
    }
    carry
}

/// At which places an upright number is greater than `least`.
fn greater<F: FingerprintBits>(number: &[F; 64], least: u64) -> F {
    let (mut greater, mut equal) = (F::ZERO, !F::ZERO);
    for (plane, bits) in number.iter().enumerate().rev() {
        if least >> plane & 1 == 1 {
            equal = equal & *bits;
        } else {
            greater = greater | (equal & *bits);
            equal = equal & !*bits;
        }
    }
    greater
}
