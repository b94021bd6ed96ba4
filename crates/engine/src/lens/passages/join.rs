//! Candidates: pairs of submissions that share fingerprints, with how much.

use crate::Error;
use crate::lens::passages::cohort::CohortUnits;
use crate::lens::passages::frequencies::{Frequencies, different, for_each_list, weight};
use crate::lens::passages::reading::Library;
use std::ops::Range;

/// A submission that shares fingerprints with the one at hand, which is before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubmissionPair {
    pub unit: u32,
    /// Fingerprints that both have and that count, each weighed by how few have it.
    pub weight: f32,
}

/// The lists that some submissions stand in.
pub struct Block {
    pub units: Range<u32>,
    /// All lists, one after the other, of each those of the cohort before those of the archive; where each begins, and its archive.
    members: Vec<u32>,
    starts: Vec<u32>,
    archives: Vec<u32>,
    weights: Vec<f32>,
    /// The lists of each submission of the block, one submission after the other, and where those of each end.
    lists: Vec<ListPlace>,
    ends: Vec<u32>,
}

/// A list that a submission stands in, and its place among all members.
#[derive(Clone, Copy, Default)]
struct ListPlace {
    list: u32,
    place: u32,
}

/// Buffers of one worker: a number for every submission.
pub struct SharedCounts {
    weight: Vec<f32>,
    touched: Vec<u32>,
}

impl SharedCounts {
    pub fn new(units: usize) -> Self {
        Self { weight: vec![0.0; units], touched: Vec::new() }
    }
}

/// Submissions cut into blocks whose lists fit in `budget` bytes, if any can.
pub fn blocks(cohort: &CohortUnits, frequencies: &Frequencies, budget: usize) -> Vec<Range<u32>> {
    let all = cohort.units.len() as u32;
    // a place in a list and its reference
    let bytes_per_place = (size_of::<u32>() + size_of::<ListPlace>()) as u64;
    let bytes = frequencies.places.saturating_mul(bytes_per_place).max(1);
    let count = (bytes.div_ceil(budget.max(1) as u64) as u32).clamp(1, all.max(1));
    let size = all.div_ceil(count).max(1);
    (0..all).step_by(size as usize).map(|start| start..(start + size).min(all)).collect()
}

impl Block {
    pub fn new(
        library: &Library,
        cohort: &CohortUnits,
        frequencies: &Frequencies,
        units: Range<u32>,
    ) -> Result<Self, Error> {
        let ends = vec![0; units.len()];
        let (members, archives, weights, lists) = Default::default();
        let mut block = Self { units, members, starts: vec![0], archives, weights, lists, ends };
        for_each_list(library, cohort, |hash, having| {
            if having.len() < 2 || frequencies.frequent.contains_key(&hash) {
                return Ok(());
            }
            let members = block.members.len();
            block.members.extend(different(cohort, having).filter(|unit| !cohort.is_archived(*unit)));
            let archive = block.members.len() as u32;
            block.members.extend(different(cohort, having).filter(|unit| cohort.is_archived(*unit)));
            let of_block = |unit: &u32| block.units.contains(unit);
            if block.members.len() < members + 2 || !block.members[members..].iter().any(of_block) {
                block.members.truncate(members);
                return Ok(());
            }
            block.weights.push(weight((block.members.len() - members) as u64) as f32);
            block.starts.push(block.members.len() as u32);
            block.archives.push(archive);
            Ok(())
        })?;
        block.file_lists();
        Ok(block)
    }

    /// Files the lists by the submissions that stand in them: how many each has tells where its own begin.
    fn file_lists(&mut self) {
        let first = self.units.start;
        let in_block = |unit: &&u32| self.units.contains(*unit);
        for unit in self.members.iter().filter(in_block) {
            self.ends[(unit - first) as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut self.ends {
            sum += std::mem::replace(end, sum);
        }
        self.lists = vec![ListPlace::default(); sum as usize];
        for (list, range) in (0..).zip(self.starts.windows(2)) {
            let members = (range[0]..).zip(&self.members[range[0] as usize..range[1] as usize]);
            for (place, unit) in members.filter(|(_, unit)| in_block(unit)) {
                let end = &mut self.ends[(unit - first) as usize];
                self.lists[*end as usize] = ListPlace { list, place };
                *end += 1;
            }
        }
    }

    /// The lists that a submission of this block stands in.
    fn lists_of(&self, unit: u32) -> &[ListPlace] {
        let at = (unit - self.units.start) as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.lists[start as usize..self.ends[at] as usize]
    }

    /// Those of some members, which are in order, that come behind a submission.
    #[inline]
    fn behind(&self, unit: u32, members: Range<usize>) -> &[u32] {
        let members = &self.members[members];
        // those of an archive mostly all do, or none
        match (members.first(), members.last()) {
            (Some(first), _) if *first > unit => members,
            (_, Some(last)) if *last > unit => &members[members.partition_point(|other| *other <= unit)..],
            _ => &[],
        }
    }

    /// The candidates behind a submission of this block, in whatever order. Two of the archive are none.
    pub fn candidates(&self, cohort: &CohortUnits, unit: u32, counts: &mut SharedCounts) -> Vec<SubmissionPair> {
        let is_archived = cohort.is_archived(unit);
        for ListPlace { list, place } in self.lists_of(unit) {
            let at = *list as usize;
            let [start, archive, end] = [self.starts[at], self.archives[at], self.starts[at + 1]].map(|at| at as usize);
            let weight = self.weights[at];
            // both parts of a list are in order, and the submission itself stands in one of them
            let behind = *place as usize + 1;
            let parts = if is_archived {
                [self.behind(unit, start..archive), &[]]
            } else {
                [&self.members[behind..archive], self.behind(unit, archive..end)]
            };
            for others in parts {
                for other in others {
                    let at = *other as usize;
                    if counts.weight[at] == 0.0 {
                        counts.touched.push(*other);
                    }
                    counts.weight[at] += weight;
                }
            }
        }
        let mut candidates = Vec::new();
        for other in counts.touched.drain(..) {
            let weight = std::mem::take(&mut counts.weight[other as usize]);
            if cohort.comparable(unit, other) {
                candidates.push(SubmissionPair { unit: other, weight });
            }
        }
        candidates
    }
}
