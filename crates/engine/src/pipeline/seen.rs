//! A small table that tells which features stand in one document only (they make no pairs and need not be sorted) and
//! which in very many (they are counted apart).

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Counts by hash, up to a limit. A collision only makes a feature look more frequent than it is, which costs time, not truth.
pub(crate) struct Seen {
    slots: Box<[AtomicU8]>,
    shift: u32,
    limit: u8,
    full: AtomicBool,
}

impl Seen {
    /// A table of about `bytes`, within 64 KiB and 256 MiB, that notices features in more than `common` documents.
    pub(crate) fn new(bytes: usize, common: u32) -> Self {
        let bits = bytes.clamp(1 << 16, 1 << 28).ilog2();
        Self {
            // zeroed by the system page by page as it is used: a small corpus touches little of it
            slots: bytemuck::allocation::zeroed_slice_box(1 << bits),
            shift: 64 - bits,
            limit: common.clamp(2, 255) as u8,
            full: AtomicBool::new(false),
        }
    }

    /// Counts the features of one document.
    pub(crate) fn add(&self, features: &[u64]) {
        for feature in features {
            let slot = self.slot(*feature);
            // most slots are looked at, not written: a full one stays as it is
            if slot.load(Ordering::Relaxed) < self.limit {
                let up = |count: u8| (count < self.limit).then(|| count + 1);
                let before = slot.fetch_update(Ordering::Relaxed, Ordering::Relaxed, up);
                if before.is_ok_and(|count| count + 1 == self.limit) {
                    self.full.store(true, Ordering::Relaxed);
                }
            }
        }
    }

    /// Whether more than one document may have this feature.
    #[inline]
    pub(crate) fn twice(&self, feature: u64) -> bool {
        self.slot(feature).load(Ordering::Relaxed) >= 2
    }

    /// Whether so many documents may have this feature that it could be common.
    #[inline]
    pub(crate) fn many(&self, feature: u64) -> bool {
        self.slot(feature).load(Ordering::Relaxed) >= self.limit
    }

    /// Whether that can be so of any feature.
    pub(crate) fn any_many(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    /// Samples are multiples of 2^i, so the high bits choose the slot.
    #[inline]
    fn slot(&self, feature: u64) -> &AtomicU8 {
        &self.slots[(feature >> self.shift) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Seen;

    #[test]
    fn never_misses() {
        let seen = Seen::new(0, 10);
        let feature = |x: u64| x.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for x in 0..1000 {
            (0..x % 12).for_each(|_| seen.add(&[feature(x)]));
        }
        assert!((0..1000).filter(|x| x % 12 >= 2).all(|x| seen.twice(feature(x))));
        assert!((0..1000).filter(|x| x % 12 > 10).all(|x| seen.many(feature(x))));
        let lonely = (0..1000).filter(|x| x % 12 < 2 && !seen.twice(feature(*x))).count();
        assert!(lonely > 100, "lonely features are told apart: {lonely}");
        assert!(seen.any_many() && !Seen::new(0, 10).any_many());
    }
}
