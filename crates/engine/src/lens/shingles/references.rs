//! For each document of a block the numbers of the lists it stands in.

use std::ops::Range;

/// Groups of documents whose references are put in order at once: few enough to write to all of them, and so many that what one of them
/// writes fits in a cache.
const MAX_GROUPS: u32 = 512;

/// Documents of a block in groups of the same width.
#[derive(Clone, Copy)]
pub struct Groups {
    first: u32,
    documents: usize,
    shift: u32,
}

impl Groups {
    pub fn of(block: &Range<u32>) -> Self {
        let documents = block.end.saturating_sub(block.start);
        let shift = documents.div_ceil(MAX_GROUPS).max(1).next_power_of_two().ilog2();
        Self { first: block.start, documents: documents as usize, shift }
    }

    /// How many there are.
    pub fn count(self) -> usize {
        self.documents.div_ceil(self.width())
    }

    /// The group of a document.
    #[inline]
    pub fn group(self, document: u32) -> usize {
        ((document - self.first) >> self.shift) as usize
    }

    /// The place of a document in its group.
    #[inline]
    pub fn place(self, document: u32) -> usize {
        (document - self.first) as usize & (self.width() - 1)
    }

    /// Documents of a group; the last may have less.
    pub fn width(self) -> usize {
        1 << self.shift
    }
}

/// References as they come, each with the groups of its document.
pub struct ReferenceGroups {
    groups: Groups,
    references: Vec<Vec<[u32; 2]>>,
}

impl ReferenceGroups {
    pub fn new(block: &Range<u32>) -> Self {
        let groups = Groups::of(block);
        Self { groups, references: vec![Vec::new(); groups.count()] }
    }

    /// A document stands in a list; lists come in the order of their numbers.
    #[inline]
    pub fn push(&mut self, document: u32, list: u32) {
        self.references[self.groups.group(document)].push([document, list]);
    }

    /// Counts, then files, group by group.
    pub fn finish(self) -> References {
        let Self { groups, references } = self;
        let mut starts = Vec::with_capacity(groups.documents + 1);
        let mut lists = Vec::with_capacity(references.iter().map(Vec::len).sum());
        let mut places = Vec::new();
        for group in references {
            places.clear();
            places.resize(groups.width(), 0);
            for [document, _] in &group {
                places[groups.place(*document)] += 1;
            }
            let mut next = lists.len();
            for place in &mut places {
                next += std::mem::replace(place, next);
            }
            let more = groups.width().min(groups.documents - starts.len());
            starts.extend_from_slice(&places[..more]);
            lists.resize(next, 0);
            for [document, list] in &group {
                let place = &mut places[groups.place(*document)];
                lists[*place] = *list;
                *place += 1;
            }
        }
        starts.push(lists.len());
        References { first: groups.first, starts, lists }
    }
}

/// For each document of a block the numbers of its lists, one after the other.
#[derive(Default)]
pub struct References {
    first: u32,
    /// By document, and behind the last one.
    starts: Vec<usize>,
    lists: Vec<u32>,
}

impl References {
    /// The lists of a document, in the order of their numbers.
    #[inline]
    pub fn of(&self, document: u32) -> &[u32] {
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

    proptest! {
        #[test]
        fn equals_the_definition(
            first in 0u32..2000,
            width in 0u32..3000,
            lists in prop::collection::vec(prop::collection::btree_set(0u32..3000, 0..12), 0..60),
        ) {
            let mut groups = ReferenceGroups::new(&(first..first + width));
            let within = |document: &&u32| **document < width;
            for (number, list) in (0..).zip(&lists) {
                list.iter().filter(within).for_each(|document| groups.push(first + document, number));
            }
            let references = groups.finish();
            for document in 0..width {
                let of: Vec<u32> = (0..).zip(&lists).filter(|(_, list)| list.contains(&document)).map(|(n, _)| n).collect();
                prop_assert_eq!(references.of(first + document), &of[..]);
            }
        }
    }
}
