//! Features that very many documents have: no list of them is kept, only their number and a few of them.

/// Documents drawn of those that have a frequent feature.
pub const MAX_DRAWN: usize = 16;

/// A frequent feature: how many documents have it, and sixteen of them drawn by their content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrequentFeature {
    pub feature: u64,
    pub documents: u64,
    pub drawn: Vec<u32>,
}

/// The documents with the smallest tie-breaks: drawn at random, whatever the order of reading.
#[derive(Clone, Debug, Default)]
pub struct Draw {
    smallest: Vec<(u32, u32)>,
}

impl Draw {
    pub fn offer(&mut self, tie_break: u32, document: u32) {
        if self.smallest.len() == MAX_DRAWN && self.smallest[MAX_DRAWN - 1].0 <= tie_break {
            return;
        }
        let at = self.smallest.partition_point(|kept| *kept < (tie_break, document));
        self.smallest.insert(at, (tie_break, document));
        self.smallest.truncate(MAX_DRAWN);
    }

    pub fn finish(self) -> Vec<u32> {
        self.smallest.into_iter().map(|(_, document)| document).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn draws_the_same_whatever_the_order(tie_breaks in prop::collection::hash_set(any::<u32>(), 0..60)) {
            let tie_breaks: Vec<u32> = tie_breaks.into_iter().collect();
            let draw = |order: &mut dyn Iterator<Item = &u32>| {
                let mut draw = Draw::default();
                order.for_each(|tie_break| draw.offer(*tie_break, tie_break / 2));
                draw.finish()
            };
            let mut sorted = tie_breaks.clone();
            sorted.sort_unstable();
            let expected: Vec<u32> = sorted.iter().take(MAX_DRAWN).map(|tie_break| tie_break / 2).collect();
            prop_assert_eq!(draw(&mut tie_breaks.iter()), expected.clone());
            prop_assert_eq!(draw(&mut tie_breaks.iter().rev()), expected);
        }
    }
}
