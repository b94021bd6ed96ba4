//! The lists of two blocks of documents, and the way from each document to its lists.

use lookalike_core::sets;
use std::ops::Range;

/// Lists of documents by feature, shortest first, and for each document the lists it stands in.
pub struct PostingBlock {
    /// Documents of the one block that pairs are found for, and of the other that they are found in.
    xs: Range<u32>,
    ys: Range<u32>,
    found: Vec<List>,
    /// By list: the trailing zeros of its feature, which are the highest level that it is of. They are asked for most.
    levels: Vec<u8>,
    /// By list: documents that have the feature in all, those of other blocks too. Only until the lists are in order.
    lengths: Vec<u32>,
    documents: Vec<u32>,
    of_x: References,
    /// The same as `of_x` where the two blocks are one.
    of_y: Option<References>,
}

/// Where the documents of a list are: those of the one block, then those of the other, or of both where they are the same block.
#[derive(Clone, Copy)]
pub struct List {
    start: usize,
    ys: u32,
    /// None where the blocks are the same.
    xs: u32,
}

impl List {
    #[inline]
    fn ys(self, documents: &[u32]) -> &[u32] {
        &documents[self.start..][..self.ys as usize]
    }

    fn xs(self, documents: &[u32]) -> &[u32] {
        &documents[self.start + self.ys as usize..][..self.xs as usize]
    }
}

impl PostingBlock {
    pub fn new(ys: Range<u32>, xs: Range<u32>) -> Self {
        let (of_x, of_y) = (References::new(&xs), (ys != xs).then(|| References::new(&ys)));
        let (found, levels, lengths, documents) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { xs, ys, found, levels, lengths, documents, of_x, of_y }
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
        let x = if self.of_y.is_some() { x } else { &[] };
        self.found.push(List { start: self.documents.len(), ys: y.len() as u32, xs: x.len() as u32 });
        self.levels.push(feature.trailing_zeros() as u8);
        self.lengths.push(documents.len() as u32);
        self.documents.extend_from_slice(y);
        self.documents.extend_from_slice(x);
    }

    /// No more lists: orders them and makes the references.
    pub fn finish(&mut self) {
        // numbers sort faster than lists do
        let lengths = std::mem::take(&mut self.lengths);
        let mut order: Vec<u64> = (0..).zip(&lengths).map(|(at, length)| u64::from(*length) << 32 | at).collect();
        order.sort_unstable();
        let order = || order.iter().map(|length_and_place| *length_and_place as u32 as usize);
        self.levels = order().map(|at| self.levels[at]).collect();
        // documents are moved too: so they are walked through from the first to the last when references are made
        let mut documents = Vec::with_capacity(self.documents.len());
        let move_list = |at: usize| {
            let list = self.found[at];
            let start = documents.len();
            documents.extend_from_slice(list.ys(&self.documents));
            documents.extend_from_slice(list.xs(&self.documents));
            List { start, ..list }
        };
        self.found = order().map(move_list).collect();
        self.documents = documents;
        let Self { found, documents, of_x, of_y, .. } = self;
        let ys = found.iter().map(|list| list.ys(documents));
        match of_y {
            Some(of_y) => {
                of_x.fill(found.iter().map(|list| list.xs(documents)));
                of_y.fill(ys);
            }
            None => of_x.fill(ys),
        }
    }

    pub fn first_y(&self) -> u32 {
        self.ys.start
    }

    /// The documents that have lists here, in order.
    pub fn xs(&self) -> impl Iterator<Item = u32> + '_ {
        self.xs.clone().take(self.of_x.starts.len().saturating_sub(1)).filter(|x| !self.of_x(*x).is_empty())
    }

    /// The lists that lead from a document to a smaller one, shortest first: all but those that it is the first of. Nothing is lost with these,
    /// for whatever it shares with a smaller document stands in one of the others.
    pub fn leading(&self, x: u32) -> impl Iterator<Item = u32> + '_ {
        let is_one_block = self.of_y.is_none();
        let lists = self.of_x(x).iter().zip(self.of_x.is_first(x));
        lists.filter(move |(_, is_first)| !(is_one_block && **is_first)).map(|(list, _)| *list)
    }

    /// The lists that a document stands in, shortest first.
    fn of_x(&self, x: u32) -> &[u32] {
        self.of_x.of(x)
    }

    fn of_y(&self, y: u32) -> &[u32] {
        self.of_y.as_ref().unwrap_or(&self.of_x).of(y)
    }

    /// Where a list is.
    #[inline]
    pub fn list(&self, number: u32) -> List {
        self.found[number as usize]
    }

    /// The documents of a list among which pairs are found.
    #[inline]
    pub fn ys(&self, list: List) -> &[u32] {
        list.ys(&self.documents)
    }

    /// Asks the memory for lists. Each is somewhere else: so the first is not waited for before the second is asked for.
    pub fn fetch(&self, lists: &[List]) {
        std::hint::black_box(lists.iter().fold(0, |all, list| all ^ self.documents[list.start]));
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

    #[inline]
    pub fn level(&self, list: u32) -> u8 {
        self.levels[list as usize]
    }
}

/// For each document of a block the numbers of its lists, one after the other.
struct References {
    first: u32,
    starts: Vec<usize>,
    lists: Vec<u32>,
    /// Whether it is the first of that list.
    first_of: Vec<bool>,
}

impl References {
    fn new(block: &Range<u32>) -> Self {
        Self { first: block.start, starts: Vec::new(), lists: Vec::new(), first_of: Vec::new() }
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
        self.first_of = vec![false; self.lists.len()];
        for (number, documents) in (0..).zip(lists) {
            for (at, document) in documents.iter().enumerate() {
                let next = &mut ends[(document - self.first) as usize];
                self.lists[*next] = number;
                self.first_of[*next] |= at == 0;
                *next += 1;
            }
        }
    }

    fn range(&self, document: u32) -> Range<usize> {
        let at = (document - self.first) as usize;
        match self.starts.get(at..at + 2) {
            Some(&[start, end]) => start..end,
            _ => 0..0,
        }
    }

    fn of(&self, document: u32) -> &[u32] {
        &self.lists[self.range(document)]
    }

    fn is_first(&self, document: u32) -> &[bool] {
        &self.first_of[self.range(document)]
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
                let in_all = |list: &List| {
                    let within: Vec<u32> = list.ys(&made.documents).iter().chain(list.xs(&made.documents)).copied().collect();
                    lists.iter().filter(|all| within.iter().all(|d| all.contains(d))).map(BTreeSet::len).collect::<Vec<usize>>()
                };
                // of lists with the same documents here any may be meant
                let mut least = 0;
                for list in &made.found {
                    let next = in_all(list).into_iter().filter(|length| *length >= least).min();
                    prop_assert!(next.is_some(), "shortest first");
                    least = next.unwrap_or(0);
                }
                for x in xs.clone() {
                    prop_assert!(made.leading(x).is_sorted());
                    let met: BTreeSet<u32> = made.leading(x).flat_map(|l| made.ys(made.list(l))).copied().collect();
                    for y in ys.clone().filter(|y| *y < x) {
                        prop_assert_eq!(made.shared(y, x), both(x, y));
                        for level in 0..4 {
                            let at_level = (1u64..).zip(&lists).filter(|(feature, _)| feature.trailing_zeros() >= level);
                            let both = at_level.filter(|(_, l)| l.contains(&x) && l.contains(&y)).count();
                            prop_assert_eq!(made.shared_at(level as u8, y, x), both as u32);
                        }
                        prop_assert_eq!(met.contains(&y), both(x, y) > 0);
                    }
                }
                let has_pairs = |x: &u32| ys.clone().any(|y| y < *x && both(y, *x) > 0);
                prop_assert!(xs.clone().filter(has_pairs).all(|x| made.xs().any(|other| other == x)));
            }
        }
    }
}
