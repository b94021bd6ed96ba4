//! The lists of two blocks of documents, and the way from each document to its lists.

use lookalike_core::sets;
use std::ops::Range;

/// Lists of documents by feature, shortest first, and for each document the lists it stands in.
pub struct PostingBlock {
    /// Documents of the one block that pairs are found for, and of the other that they are found in.
    xs: Range<u32>,
    ys: Range<u32>,
    found: Vec<List>,
    documents: Vec<u32>,
    of_x: References,
    /// The same as `of_x` where the two blocks are one.
    of_y: Option<References>,
}

/// Where the documents of a list are.
#[derive(Clone, Copy)]
struct List {
    /// Documents that have the feature in all: those of other blocks too.
    length: u32,
    /// Trailing zeros of the feature: the highest level that it is of.
    level: u8,
    x: (usize, usize),
    y: (usize, usize),
}

impl PostingBlock {
    pub fn new(ys: Range<u32>, xs: Range<u32>) -> Self {
        let (of_x, of_y) = (References::new(&xs), (ys != xs).then(|| References::new(&ys)));
        Self { xs, ys, found: Vec::new(), documents: Vec::new(), of_x, of_y }
    }

    /// Takes the documents of a feature, in order, if they make pairs here.
    pub fn push(&mut self, feature: u64, documents: &[u32]) {
        let within = |range: &Range<u32>| {
            &documents[documents.partition_point(|d| *d < range.start)..documents.partition_point(|d| *d < range.end)]
        };
        let (x, y) = (within(&self.xs), within(&self.ys));
        if x.is_empty() || y.is_empty() || (self.of_y.is_none() && y.len() < 2) {
            return;
        }
        let mut keep = |part: &[u32]| {
            let start = self.documents.len();
            self.documents.extend(part);
            (start, self.documents.len())
        };
        let y = keep(y);
        let x = if self.of_y.is_some() { keep(x) } else { y };
        self.found.push(List { length: documents.len() as u32, level: feature.trailing_zeros() as u8, x, y });
    }

    /// No more lists: orders them and makes the references.
    pub fn finish(&mut self) {
        self.found.sort_by_key(|list| list.length);
        let Self { found, documents, of_x, of_y, .. } = self;
        of_x.fill(found.iter().map(|list| &documents[list.x.0..list.x.1]));
        if let Some(of_y) = of_y {
            of_y.fill(found.iter().map(|list| &documents[list.y.0..list.y.1]));
        }
    }

    pub fn first_y(&self) -> u32 {
        self.ys.start
    }

    /// The documents that have lists here, in order.
    pub fn xs(&self) -> impl Iterator<Item = u32> + '_ {
        self.xs.clone().take(self.of_x.starts.len().saturating_sub(1)).filter(|x| !self.of_x(*x).is_empty())
    }

    /// The lists that a document stands in, shortest first.
    pub fn of_x(&self, x: u32) -> &[u32] {
        self.of_x.of(x)
    }

    fn of_y(&self, y: u32) -> &[u32] {
        self.of_y.as_ref().unwrap_or(&self.of_x).of(y)
    }

    /// The documents of a list among which pairs are found.
    #[inline]
    pub fn ys(&self, list: u32) -> &[u32] {
        let (start, end) = self.found[list as usize].y;
        &self.documents[start..end]
    }

    /// How many lists two documents both stand in.
    pub fn shared(&self, y: u32, x: u32) -> u32 {
        sets::shared(self.of_y(y), self.of_x(x)) as u32
    }

    /// How many lists of a level they both stand in.
    pub fn shared_at(&self, level: u8, y: u32, x: u32) -> u32 {
        let (mut of_x, mut shared) = (self.of_x(x).iter().peekable(), 0);
        for list in self.of_y(y).iter().filter(|list| self.level(**list) >= level) {
            while of_x.next_if(|other| *other < list).is_some() {}
            shared += u32::from(of_x.peek() == Some(&list));
        }
        shared
    }

    pub fn level(&self, list: u32) -> u8 {
        self.found[list as usize].level
    }
}

/// For each document of a block the numbers of its lists, one after the other.
struct References {
    first: u32,
    starts: Vec<usize>,
    lists: Vec<u32>,
}

impl References {
    fn new(block: &Range<u32>) -> Self {
        Self { first: block.start, starts: Vec::new(), lists: Vec::new() }
    }

    /// Counts, then files: two passes instead of a sort.
    fn fill<'a>(&mut self, lists: impl Iterator<Item = &'a [u32]> + Clone) {
        let mut ends: Vec<usize> = Vec::new();
        for document in lists.clone().flatten() {
            let at = (document - self.first) as usize + 1;
            if at >= ends.len() {
                ends.resize(at + 1, 0);
            }
            ends[at] += 1;
        }
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        self.starts.clone_from(&ends);
        self.lists = vec![0; ends.last().copied().unwrap_or(0)];
        for (number, documents) in (0..).zip(lists) {
            for document in documents {
                let next = &mut ends[(document - self.first) as usize];
                self.lists[*next] = number;
                *next += 1;
            }
        }
    }

    fn of(&self, document: u32) -> &[u32] {
        let at = (document - self.first) as usize;
        match self.starts.get(at..at + 2) {
            Some(&[start, end]) => &self.lists[start..end],
            _ => &[],
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
        fn references_lead_back(lists in prop::collection::vec(prop::collection::btree_set(0u32..40, 2..12), 0..30), split in 0u32..40) {
            for (ys, xs) in [(0..40, 0..40), (0..split, split..40)] {
                let mut made = PostingBlock::new(ys.clone(), xs.clone());
                for (feature, list) in (1u64..).zip(&lists) {
                    made.push(feature, &list.iter().copied().collect::<Vec<u32>>());
                }
                made.finish();
                let both = |a: u32, b: u32| lists.iter().filter(|l| l.contains(&a) && l.contains(&b)).count() as u32;
                for x in xs.clone() {
                    let lengths: Vec<u32> = made.of_x(x).iter().map(|l| made.found[*l as usize].length).collect();
                    prop_assert!(lengths.is_sorted());
                    let met: BTreeSet<u32> = made.of_x(x).iter().flat_map(|l| made.ys(*l)).copied().collect();
                    for y in ys.clone().filter(|y| *y != x) {
                        prop_assert_eq!(made.shared(y, x), both(x, y));
                        for level in 0..4 {
                            let at_level = (1u64..).zip(&lists).filter(|(feature, _)| feature.trailing_zeros() >= level);
                            let both = at_level.filter(|(_, l)| l.contains(&x) && l.contains(&y)).count();
                            prop_assert_eq!(made.shared_at(level as u8, y, x), both as u32);
                        }
                        prop_assert_eq!(met.contains(&y), both(x, y) > 0);
                    }
                }
                prop_assert!(made.xs().all(|x| !made.of_x(x).is_empty()));
            }
        }
    }
}
