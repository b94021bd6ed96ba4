//! The feature set of a document: in memory, or on disk where it is too large for that.

use lookalike_core::sets::Overlap;
use lookalike_store::{Error, ExternalSort, Records, Sequence, TempSpace};
use std::sync::Arc;

/// Distinct features in ascending order.
pub enum FeatureSet {
    Memory(Arc<[u64]>),
    Disk(Records<u64>),
}

impl FeatureSet {
    /// What a sorter has, without repeats and without what does not `count`.
    pub fn of_sorted(
        space: &Arc<TempSpace>,
        features: ExternalSort<u64>,
        count: impl Fn(u64) -> bool,
    ) -> Result<Self, Error> {
        let mut set = Sequence::new(space, "the features of a document", 0);
        let mut last = None;
        for feature in features.merged()? {
            let feature = feature?;
            if last.replace(feature) != Some(feature) && count(feature) {
                set.push(feature)?;
            }
        }
        Ok(Self::Disk(set.finish()?))
    }

    /// What two sets have in common.
    pub fn overlap(&self, other: &Self) -> Result<Overlap, Error> {
        if let (Self::Memory(a), Self::Memory(b)) = (self, other) {
            return Ok(Overlap::of(a, b));
        }
        let (mut in_a, mut in_b) = (self.features(), other.features());
        let (mut a, mut b) = (in_a.next().transpose()?, in_b.next().transpose()?);
        let mut overlap = Overlap { a: 0, b: 0, shared: 0 };
        while a.is_some() || b.is_some() {
            let from_a = a.is_some_and(|a| b.is_none_or(|b| a <= b));
            let from_b = b.is_some_and(|b| a.is_none_or(|a| b <= a));
            overlap.shared += u32::from(from_a && from_b);
            if from_a {
                overlap.a += 1;
                a = in_a.next().transpose()?;
            }
            if from_b {
                overlap.b += 1;
                b = in_b.next().transpose()?;
            }
        }
        Ok(overlap)
    }

    fn features(&self) -> Box<dyn Iterator<Item = Result<u64, Error>> + '_> {
        match self {
            Self::Memory(set) => Box::new(set.iter().copied().map(Ok)),
            Self::Disk(set) => Box::new(set.iter()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn on_disk_as_in_memory(a in prop::collection::vec(0u64..300, 0..200), b in prop::collection::vec(0u64..300, 0..200)) {
            let space = Arc::new(TempSpace::new(None).unwrap());
            let on_disk = |features: &[u64]| {
                let mut sort = ExternalSort::new(&space, "features", 0);
                for feature in features {
                    sort.push(*feature).unwrap();
                }
                FeatureSet::of_sorted(&space, sort, |feature| feature % 7 != 0).unwrap()
            };
            let in_memory = |features: &[u64]| {
                let set: BTreeSet<u64> = features.iter().copied().filter(|feature| feature % 7 != 0).collect();
                FeatureSet::Memory(set.into_iter().collect())
            };
            let expected = in_memory(&a).overlap(&in_memory(&b)).unwrap();
            prop_assert_eq!(on_disk(&a).overlap(&on_disk(&b)).unwrap(), expected);
            prop_assert_eq!(on_disk(&a).overlap(&in_memory(&b)).unwrap(), expected);
            prop_assert_eq!(in_memory(&a).overlap(&on_disk(&b)).unwrap(), expected);
        }
    }
}
