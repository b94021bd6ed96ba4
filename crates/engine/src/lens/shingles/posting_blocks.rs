//! The lists of two blocks of documents, and the way from each document to its lists.
//!
//! Lists are numbered by their first document: those that lead from a document to its relatives lie side by side in memory, and those that it
//! is the first of are the last of its own. On their way lists and references go through groups of documents, so that what is written at
//! once lies near: one after the other would be anywhere in memory, and each would be waited for.

use crate::lens::shingles::references::{Groups, ReferenceGroups, References};
use lookalike_core::sets;
use std::ops::Range;

/// Lists of documents by feature, in the order of their first documents, and for each document the lists it stands in.
pub struct PostingBlock {
    /// Documents of the one block that pairs are found for, and of the other that they are found in.
    xs: Range<u32>,
    ys: Range<u32>,
    /// Until the lists are in order.
    arrived: ArrivedLists,
    /// By list: where its documents begin, and behind the last one where they end.
    starts: Vec<usize>,
    facts: Vec<ListFacts>,
    /// By document of the block that pairs are found in: the first list that does not begin before it.
    first_lists: Vec<u32>,
    /// The documents of the block that pairs are found in, list after list.
    documents: Vec<u32>,
    of_x: References,
    /// The same as `of_x` where the two blocks are one.
    of_y: Option<References>,
}

/// What is asked of a list beside its documents.
#[derive(Clone, Copy)]
struct ListFacts {
    /// The trailing zeros of its feature, which are the highest level that it is of.
    level: u8,
    /// The power of two of its length.
    magnitude: u8,
}

/// Where the documents of a list are.
#[derive(Clone, Copy)]
pub struct List {
    start: usize,
    length: u32,
}

impl List {
    /// How many documents it has.
    pub fn documents(self) -> usize {
        self.length as usize
    }
}

impl PostingBlock {
    pub fn new(ys: Range<u32>, xs: Range<u32>) -> Self {
        let (arrived, of_y) = (ArrivedLists::new(&ys), (ys != xs).then(References::default));
        let (starts, facts, first_lists, documents) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { xs, ys, arrived, starts, facts, first_lists, documents, of_x: References::default(), of_y }
    }

    /// Takes the documents of a feature, in order, if they make pairs here.
    pub fn push(&mut self, feature: u64, documents: &[u32]) {
        let (x, y) = (within(documents, &self.xs), within(documents, &self.ys));
        if x.is_empty() || y.is_empty() || (self.of_y.is_none() && y.len() < 2) {
            return;
        }
        let x = if self.of_y.is_some() { x } else { &[] };
        let facts = ListFacts { level: feature.trailing_zeros() as u8, magnitude: documents.len().ilog2() as u8 };
        self.arrived.push(facts, y, x);
    }

    /// No more lists: orders them and makes the references.
    pub fn finish(&mut self) {
        let ArrivedLists { groups, lists, documents, count } =
            std::mem::replace(&mut self.arrived, ArrivedLists::new(&(0..0)));
        let mut of_x = ReferenceGroups::new(&self.xs);
        let mut of_y = self.of_y.is_some().then(|| ReferenceGroups::new(&self.ys));
        self.documents.reserve_exact(documents);
        self.facts.reserve_exact(count);
        self.starts.reserve_exact(count + 1);
        let (mut order, mut places) = (Vec::new(), Vec::new());
        for group in lists {
            order_by_first(&group, groups, &mut places, &mut order);
            // where the lists of a document end, those of the next begin
            let before = self.facts.len() as u32;
            self.first_lists.push(before);
            self.first_lists.extend(places.iter().map(|end| before + end));
            self.first_lists.pop();
            for at in &order {
                let ArrivedList { facts, ys, xs, .. } = ArrivedList::at(&group, *at);
                let number = self.facts.len() as u32;
                self.starts.push(self.documents.len());
                self.facts.push(facts);
                let of_ys = match &mut of_y {
                    Some(of_y) => {
                        for x in xs {
                            of_x.push(*x, number);
                        }
                        of_y
                    }
                    None => &mut of_x,
                };
                for y in ys {
                    self.documents.push(*y);
                    of_ys.push(*y, number);
                }
            }
        }
        self.starts.push(self.documents.len());
        self.of_x = of_x.finish();
        self.of_y = of_y.map(ReferenceGroups::finish);
    }

    pub fn first_y(&self) -> u32 {
        self.ys.start
    }

    /// The documents that have lists here, in order.
    pub fn xs(&self) -> impl Iterator<Item = u32> + '_ {
        self.xs.clone().filter(|x| !self.of_x(*x).is_empty())
    }

    /// The lists that lead from a document to a smaller one: all but those that it is the first of. Nothing is lost with these, for whatever it
    /// shares with a smaller document stands in one of the others.
    pub fn leading(&self, x: u32) -> &[u32] {
        let lists = self.of_x(x);
        if self.of_y.is_some() {
            return lists;
        }
        // the last ones: no list begins behind a document that stands in it
        let own = self.first_lists[(x - self.ys.start) as usize];
        &lists[..lists.partition_point(|list| *list < own)]
    }

    /// The lists that a document stands in.
    fn of_x(&self, x: u32) -> &[u32] {
        self.of_x.of(x)
    }

    fn of_y(&self, y: u32) -> &[u32] {
        self.of_y.as_ref().unwrap_or(&self.of_x).of(y)
    }

    /// By power of two, how long the lists of a document are.
    pub fn magnitudes(&self, x: u32) -> impl Iterator<Item = u8> + '_ {
        self.of_x(x).iter().map(|list| self.facts[*list as usize].magnitude)
    }

    /// Where a list is.
    #[inline]
    pub fn list(&self, number: u32) -> List {
        let (start, end) = (self.starts[number as usize], self.starts[number as usize + 1]);
        List { start, length: (end - start) as u32 }
    }

    /// The documents of a list among which pairs are found.
    #[inline]
    pub fn ys(&self, list: List) -> &[u32] {
        &self.documents[list.start..][..list.length as usize]
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
        self.facts[list as usize].level
    }
}

/// Those of some documents, in order, that are of a block.
fn within<'a>(documents: &'a [u32], block: &Range<u32>) -> &'a [u32] {
    match documents {
        [first, .., last] if block.contains(first) && block.contains(last) => documents,
        _ => {
            let place = |end: u32| documents.partition_point(|document| *document < end);
            &documents[place(block.start)..place(block.end)]
        }
    }
}

/// Lists as they come, in the group of their first document: numbers, one list after the other.
struct ArrivedLists {
    groups: Groups,
    lists: Vec<Vec<u32>>,
    /// How many there are, and how many documents they have.
    count: usize,
    documents: usize,
}

impl ArrivedLists {
    fn new(ys: &Range<u32>) -> Self {
        let groups = Groups::of(ys);
        Self { groups, lists: vec![Vec::new(); groups.count()], count: 0, documents: 0 }
    }

    fn push(&mut self, facts: ListFacts, ys: &[u32], xs: &[u32]) {
        let group = &mut self.lists[self.groups.group(ys[0])];
        let facts = u32::from(facts.magnitude) << 8 | u32::from(facts.level);
        group.extend([facts, ys.len() as u32, xs.len() as u32]);
        // short lists are most: a call for each would take longer
        ys.iter().chain(xs).for_each(|document| group.push(*document));
        self.count += 1;
        self.documents += ys.len();
    }
}

/// One of them.
struct ArrivedList<'a> {
    facts: ListFacts,
    ys: &'a [u32],
    xs: &'a [u32],
    /// Where the next one is.
    next: usize,
}

impl<'a> ArrivedList<'a> {
    const HEAD: usize = 3;

    #[inline]
    fn at(group: &'a [u32], at: usize) -> Self {
        let [facts, ys, xs] = [group[at], group[at + 1], group[at + 2]];
        let (first, next) = (at + Self::HEAD, at + Self::HEAD + (ys + xs) as usize);
        let (ys, xs) = group[first..next].split_at(ys as usize);
        let facts = ListFacts { level: facts as u8, magnitude: (facts >> 8) as u8 };
        Self { facts, ys, xs, next }
    }
}

/// Where the lists of a group are, each with its first document.
fn arrived(group: &[u32]) -> impl Iterator<Item = (usize, u32)> + '_ {
    let mut next = 0;
    std::iter::from_fn(move || {
        let at = next;
        (at < group.len()).then(|| {
            let list = ArrivedList::at(group, at);
            next = list.next;
            (at, list.ys[0])
        })
    })
}

/// Where the lists of a group are, by their first documents: counted, then filed.
fn order_by_first(group: &[u32], groups: Groups, places: &mut Vec<u32>, order: &mut Vec<usize>) {
    places.clear();
    places.resize(groups.width(), 0);
    for (_, first) in arrived(group) {
        places[groups.place(first)] += 1;
    }
    let mut next = 0;
    for place in places.iter_mut() {
        next += std::mem::replace(place, next);
    }
    order.clear();
    order.resize(next as usize, 0);
    for (at, first) in arrived(group) {
        let place = &mut places[groups.place(first)];
        order[*place as usize] = at;
        *place += 1;
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
                let listed: Vec<&[u32]> = (0..made.facts.len() as u32).map(|list| made.ys(made.list(list))).collect();
                prop_assert!(listed.is_sorted_by_key(|list| list[0]), "by first document");
                let of_block = |list: &BTreeSet<u32>| {
                    let of = |block: &Range<u32>| list.iter().copied().filter(|d| block.contains(d)).collect::<Vec<u32>>();
                    let (y, x) = (of(&ys), of(&xs));
                    (!x.is_empty() && !y.is_empty() && (ys != xs || y.len() > 1)).then_some(y)
                };
                let mut expected: Vec<Vec<u32>> = lists.iter().filter_map(of_block).collect();
                expected.sort();
                let mut listed: Vec<Vec<u32>> = listed.into_iter().map(<[u32]>::to_vec).collect();
                listed.sort();
                prop_assert_eq!(listed, expected);
                for x in xs.clone() {
                    let met: BTreeSet<u32> = made.leading(x).iter().flat_map(|l| made.ys(made.list(*l))).copied().collect();
                    prop_assert!(ys != xs || made.leading(x).iter().all(|list| made.ys(made.list(*list))[0] < x));
                    let mut magnitudes: Vec<u8> = made.magnitudes(x).collect();
                    magnitudes.sort_unstable();
                    let has_pairs = |list: &&BTreeSet<u32>| list.contains(&x) && of_block(list).is_some();
                    let mut of_lists: Vec<u8> = lists.iter().filter(has_pairs).map(|l| l.len().ilog2() as u8).collect();
                    of_lists.sort_unstable();
                    prop_assert_eq!(magnitudes, of_lists);
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
