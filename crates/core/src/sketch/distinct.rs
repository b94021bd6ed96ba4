//! A small set of features that have just been hashed: open addressing, no second hash.

/// Different features, in no order. The features' own bits choose the slot.
#[derive(Clone, Debug)]
pub(super) struct Distinct {
    /// 0 is an empty slot.
    slots: Vec<u64>,
    shift: u32,
    len: usize,
    /// Whether the feature 0 itself is in the set.
    zero: bool,
}

impl Distinct {
    /// Room for `most` features, half full at the most: clearing it is what costs.
    pub(super) fn new(most: usize) -> Self {
        let bits = (most * 2).next_power_of_two().ilog2();
        Self { slots: vec![0; 1 << bits], shift: 64 - bits, len: 0, zero: false }
    }

    pub(super) fn len(&self) -> usize {
        self.len + usize::from(self.zero)
    }

    /// Puts a feature in, once. Never more than were made room for.
    #[inline]
    pub(super) fn insert(&mut self, feature: u64) {
        if feature == 0 {
            self.zero = true;
            return;
        }
        // features of one level end with the same zeros, so the high bits choose
        let mut at = (feature >> self.shift) as usize;
        while self.slots[at] != 0 {
            if self.slots[at] == feature {
                return;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = feature;
        self.len += 1;
    }

    /// Drops what does not hold.
    pub(super) fn retain(&mut self, holds: impl Fn(u64) -> bool) {
        let zero = self.zero && holds(0);
        for feature in self.take() {
            if holds(feature) {
                self.insert(feature);
            }
        }
        self.zero = zero;
    }

    /// All features; the set is empty again.
    pub(super) fn take(&mut self) -> Vec<u64> {
        let mut features = Vec::with_capacity(self.len());
        features.extend(self.zero.then_some(0));
        features.extend(self.slots.iter().copied().filter(|f| *f != 0));
        self.slots.fill(0);
        (self.len, self.zero) = (0, false);
        features
    }
}
