//! Which pairs of a batch are compared together: those of a few documents among which many pairs are, so that each set is walked once for
//! all of them; and those of one document, whose set is looked up.

use crate::lens::shingles::candidates::Candidate;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Documents of a group, at least: fewer are looked up one by one.
const MIN_MEMBERS: usize = 8;
/// And at most: a thread works on one group.
const MAX_MEMBERS: usize = 1024;
/// Pairs of a group for each of its documents, at least: to take a set in costs as much as to look its features up for some pairs.
const MIN_PAIRS_PER_MEMBER: usize = 3;
/// Pairs of one document that are compared at once: more are divided among threads.
const MAX_TOGETHER: usize = 512;

/// A pair of a batch, by its place there, and two of the members of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupPair {
    pub at: u32,
    pub a: u32,
    pub b: u32,
}

/// Pairs that are compared together.
#[derive(Debug, Default)]
pub struct PairGroup {
    /// Ranks of the documents.
    pub members: Vec<u32>,
    /// In the order of the batch.
    pub pairs: Vec<GroupPair>,
}

impl PairGroup {
    /// Whether its pairs are so many that it is worth walking through all of its sets.
    pub fn is_dense(&self) -> bool {
        self.members.len() >= MIN_MEMBERS && self.pairs.len() >= self.members.len() * MIN_PAIRS_PER_MEMBER
    }
}

/// The pairs of a batch at some places, which rise, each in one group. The pairs of a document come one after the other. `size` tells the features of
/// a rank, of which a dense group has no more than `room`.
pub fn divide(batch: &[Candidate], places: &[u32], size: impl Fn(u32) -> usize, room: usize) -> Vec<PairGroup> {
    let mut pairs = Batch::new(batch, places);
    let mut groups = Vec::new();
    for row in pairs.rows.clone() {
        while let Some(group) = pairs.dense(row.clone(), &size, room) {
            groups.push(group);
        }
        let rest: Vec<usize> = row.filter(|pair| !pairs.grouped[*pair]).collect();
        groups.extend(rest.chunks(MAX_TOGETHER).map(|some| pairs.star(some)));
    }
    groups
}

/// The pairs by numbers of their own for the documents.
struct Batch<'a> {
    places: &'a [u32],
    /// Ranks.
    documents: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    grouped: Vec<bool>,
    /// The pairs of each first document.
    rows: Vec<Range<usize>>,
    /// By document: its row.
    row_of: Vec<Range<usize>>,
    /// By document: its place among the members at hand.
    member: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl<'a> Batch<'a> {
    fn new(batch: &[Candidate], places: &'a [u32]) -> Self {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut documents = Vec::new();
        let mut number = |rank: u32| {
            *numbers.entry(rank).or_insert_with(|| {
                documents.push(rank);
                documents.len() as u32 - 1
            })
        };
        let ranks = places.iter().map(|place| &batch[*place as usize]);
        let pairs: Vec<(u32, u32)> = ranks.map(|pair| (number(pair.a), number(pair.b))).collect();
        let (mut rows, mut row_of, mut from) = (Vec::new(), vec![0..0; documents.len()], 0);
        for row in pairs.chunk_by(|p, q| p.0 == q.0) {
            let range = from..from + row.len();
            from = range.end;
            rows.push(range.clone());
            row_of[row[0].0 as usize] = range;
        }
        let (grouped, member) = (vec![false; pairs.len()], vec![NONE; documents.len()]);
        Self { places, documents, pairs, grouped, rows, row_of, member }
    }

    /// A document and as many as there is room for of those that it is still to be compared with, and all pairs of these, if they are many.
    fn dense(&mut self, row: Range<usize>, size: impl Fn(u32) -> usize, room: usize) -> Option<PairGroup> {
        let mut left = row.clone().filter(|pair| !self.grouped[*pair]).map(|pair| self.pairs[pair].1).peekable();
        left.peek()?;
        let mut members = vec![self.pairs[row.start].0];
        let mut features = size(self.documents[members[0] as usize]);
        for other in left {
            features += size(self.documents[other as usize]);
            if features > room || members.len() == MAX_MEMBERS {
                break;
            }
            // a pair that was found in two ways follows itself
            if members.last() != Some(&other) {
                members.push(other);
            }
        }
        if members.len() < MIN_MEMBERS {
            return None;
        }
        for (at, document) in (0..).zip(&members) {
            self.member[*document as usize] = at;
        }
        let inside = |members: &[u32]| -> Vec<usize> {
            let rows = members.iter().flat_map(|document| self.row_of[*document as usize].clone());
            rows.filter(|pair| !self.grouped[*pair] && self.member[self.pairs[*pair].1 as usize] != NONE).collect()
        };
        // behind the document itself the first have the most pairs: where these have few, the others are not looked at
        let first = &members[1..MIN_MEMBERS];
        let is_promising = inside(first).len() >= first.len() * MIN_PAIRS_PER_MEMBER;
        let mut inside = if is_promising { inside(&members) } else { Vec::new() };
        inside.sort_unstable();
        let group = self.group(&members, &inside);
        for document in &members {
            self.member[*document as usize] = NONE;
        }
        group.is_dense().then(|| {
            for pair in &inside {
                self.grouped[*pair] = true;
            }
            group
        })
    }

    /// Pairs of one document.
    fn star(&mut self, pairs: &[usize]) -> PairGroup {
        let mut members = vec![self.pairs[pairs[0]].0];
        for pair in pairs {
            let other = self.pairs[*pair].1;
            if members.last() != Some(&other) {
                members.push(other);
            }
        }
        for (at, document) in (0..).zip(&members) {
            self.member[*document as usize] = at;
        }
        let group = self.group(&members, pairs);
        for document in &members {
            self.member[*document as usize] = NONE;
        }
        for pair in pairs {
            self.grouped[*pair] = true;
        }
        group
    }

    fn group(&self, members: &[u32], pairs: &[usize]) -> PairGroup {
        let member = |document: u32| self.member[document as usize];
        let pair = |pair: &usize| {
            let (a, b) = self.pairs[*pair];
            GroupPair { at: self.places[*pair], a: member(a), b: member(b) }
        };
        PairGroup {
            members: members.iter().map(|document| self.documents[*document as usize]).collect(),
            pairs: pairs.iter().map(pair).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::sketch::SampleOverlap;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn candidate(a: u32, b: u32) -> Candidate {
        Candidate::new(a, b, SampleOverlap { a: 1, b: 1, shared: 1, is_exhaustive: false })
    }

    proptest! {
        #[test]
        fn every_pair_is_in_one_group(given: BTreeSet<(u8, u8)>, twice in 0u8..20, left_out in 1u32..5, room in 0usize..60) {
            let pairs = given.iter().filter(|(a, b)| a % 32 < b % 32).map(|(a, b)| (u32::from(a % 32), u32::from(b % 32)));
            let mut batch: Vec<Candidate> = pairs.map(|(a, b)| candidate(a, b)).collect();
            batch.extend((0..u32::from(twice)).filter_map(|at| batch.get(at as usize).copied()).collect::<Vec<_>>());
            batch.sort_unstable();
            let places: Vec<u32> = (0..batch.len() as u32).filter(|place| place % 5 < left_out).collect();
            let mut seen = Vec::new();
            for group in divide(&batch, &places, |_| 1, room) {
                for pair in &group.pairs {
                    let Candidate { a, b, .. } = batch[pair.at as usize];
                    prop_assert_eq!((group.members[pair.a as usize], group.members[pair.b as usize]), (a, b));
                    seen.push(pair.at);
                }
                let one = group.pairs.iter().all(|pair| pair.a == group.pairs[0].a);
                prop_assert!(one || group.is_dense() && group.members.len() <= room.max(1));
            }
            seen.sort_unstable();
            prop_assert_eq!(seen, places);
        }
    }

    #[test]
    fn versions_of_one_text_are_a_group() {
        let all = |from: u32, to: u32| (from..to).flat_map(move |a| (a + 1..to).map(move |b| candidate(a, b)));
        let batch: Vec<Candidate> = all(0, 20).chain(all(20, 60)).collect();
        let places: Vec<u32> = (0..batch.len() as u32).collect();
        let groups = divide(&batch, &places, |_| 1, 1000);
        let sizes: Vec<(usize, usize)> = groups.iter().map(|group| (group.members.len(), group.pairs.len())).collect();
        assert_eq!(sizes, [(20, 190), (40, 780)]);
    }
}
