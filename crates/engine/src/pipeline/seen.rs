//! A small table that tells which features stand in one document only (they make no pairs and need not be sorted) and
//! which in very many (they are counted apart).

use std::sync::atomic::{AtomicU8, Ordering};

/// Counts to 255, by hash. A collision only makes a feature look more frequent than it is, which costs time, not truth.
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
            let count = slot.load(Ordering::Relaxed);
            // far below the end: threads that count at the same moment must not wrap it around
            if count < 192 {
                slot.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Whether more than one document may have this feature.
    #[inline]
    pub(crate) fn twice(&self, feature: u64) -> bool {
        self.slot(feature).load(Ordering::Relaxed) >= 2
    }

    /// Whether more documents than `common` may have this feature.
    #[inline]
    pub(crate) fn many(&self, feature: u64, common: u32) -> bool {
        u32::from(self.slot(feature).load(Ordering::Relaxed)) >= common.min(192)
    }

    /// Samples are multiples of 2^i, so the high bits choose the slot.
    #[inline]
    fn slot(&self, feature: u64) -> &AtomicU8 {
        &self.slots[(feature >> self.shift) as usize]
    }
}
