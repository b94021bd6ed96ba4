//! A small table that tells which features stand in one document only: they make no pairs and need not be sorted.

use std::sync::atomic::{AtomicU8, Ordering};

/// Counts to two, by hash. A collision only lets a lonely feature through; it never loses a shared one.
pub(crate) struct Seen {
    slots: Vec<AtomicU8>,
    shift: u32,
}

impl Seen {
    /// A table of about `bytes`, within 64 KiB and 256 MiB.
    pub(crate) fn new(bytes: usize) -> Self {
        let bits = bytes.clamp(1 << 16, 1 << 28).ilog2();
        Self { slots: (0..1usize << bits).map(|_| AtomicU8::new(0)).collect(), shift: 64 - bits }
    }

    /// Counts the features of one document.
    pub(crate) fn add(&self, features: &[u64]) {
        for feature in features {
            let slot = self.slot(*feature);
            // two threads may both count the same step: then the slot reads two early, which is harmless
            if slot.load(Ordering::Relaxed) < 2 {
                slot.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Whether more than one document may have this feature.
    #[inline]
    pub(crate) fn twice(&self, feature: u64) -> bool {
        self.slot(feature).load(Ordering::Relaxed) >= 2
    }

    /// Samples are multiples of 2^i, so the high bits choose the slot.
    #[inline]
    fn slot(&self, feature: u64) -> &AtomicU8 {
        &self.slots[(feature >> self.shift) as usize]
    }
}
