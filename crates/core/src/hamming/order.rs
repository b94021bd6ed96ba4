//! The order of bits in a table.

use crate::bits::FingerprintBits;

/// A run of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The lowest of them.
    pub(super) low: u32,
    /// How many.
    pub(super) len: u32,
}

/// A permutation of the bits: runs of them, the first of which become the highest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    runs: Vec<Block>,
    /// How many bits lead.
    pub lead: u32,
}

impl Order {
    /// The chosen parts first, then the others as they are.
    pub(super) fn new(parts: &[Vec<Block>], chosen: &[usize]) -> Self {
        let lead = chosen.iter().flat_map(|at| &parts[*at]);
        let rest = (0..parts.len()).filter(|at| !chosen.contains(at)).flat_map(|at| &parts[at]);
        let mut runs: Vec<Block> = Vec::new();
        for block in lead.chain(rest) {
            match runs.last_mut() {
                // what follows on each other moves together
                Some(last) if block.low + block.len == last.low => {
                    *last = Block { low: block.low, len: last.len + block.len };
                }
                _ => runs.push(*block),
            }
        }
        Self { runs, lead: chosen.iter().flat_map(|at| &parts[*at]).map(|block| block.len).sum() }
    }

    /// The bits in this order.
    #[inline]
    pub fn permute<F: FingerprintBits>(&self, bits: F) -> F {
        if self.runs.len() == 1 {
            return bits;
        }
        self.runs.iter().fold(F::ZERO, |out, run| (out << run.len) | ((bits >> run.low) & F::lowest(run.len)))
    }

    /// The bits as they were.
    #[inline]
    pub fn restore<F: FingerprintBits>(&self, bits: F) -> F {
        if self.runs.len() == 1 {
            return bits;
        }
        let mut at = F::WIDTH;
        self.runs.iter().fold(F::ZERO, |out, run| {
            at -= run.len;
            out | (((bits >> at) & F::lowest(run.len)) << run.low)
        })
    }

    /// The bits that lead, where they were.
    pub fn lead_mask<F: FingerprintBits>(&self) -> F {
        self.restore(F::lowest(self.lead) << (F::WIDTH - self.lead))
    }
}
