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
    /// All lists, one after the other, and where each begins.
    members: Vec<u32>,
    starts: Vec<u32>,
    weights: Vec<f32>,
    /// By submission of the block: its lists.
    of_unit: Vec<Vec<u32>>,
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
    let bytes = frequencies.places.saturating_mul(8).max(1);
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
        let of_unit = vec![Vec::new(); units.len()];
        let mut block = Self { units, members: Vec::new(), starts: vec![0], weights: Vec::new(), of_unit };
        for_each_list(library, cohort, |hash, having| {
            if having.len() < 2 || frequencies.frequent.contains_key(&hash) {
                return Ok(());
            }
            let members = block.members.len();
            block.members.extend(different(cohort, having));
            let of_block = |unit: &u32| block.units.contains(unit);
            if block.members.len() < members + 2 || !block.members[members..].iter().any(of_block) {
                block.members.truncate(members);
                return Ok(());
            }
            let number = block.weights.len() as u32;
            for unit in block.members[members..].iter().filter(|unit| block.units.contains(unit)) {
                block.of_unit[(unit - block.units.start) as usize].push(number);
            }
            block.weights.push(weight((block.members.len() - members) as u64) as f32);
            block.starts.push(block.members.len() as u32);
            Ok(())
        })?;
        Ok(block)
    }

    /// The candidates behind a submission of this block, in order.
    pub fn candidates(&self, cohort: &CohortUnits, unit: u32, counts: &mut SharedCounts) -> Vec<SubmissionPair> {
        for list in &self.of_unit[(unit - self.units.start) as usize] {
            let members = self.starts[*list as usize] as usize..self.starts[*list as usize + 1] as usize;
            let weight = self.weights[*list as usize];
            let members = &self.members[members];
            for other in &members[members.partition_point(|other| *other <= unit)..] {
                let at = *other as usize;
                if counts.weight[at] == 0.0 {
                    counts.touched.push(*other);
                }
                counts.weight[at] += weight;
            }
        }
        counts.touched.sort_unstable();
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
