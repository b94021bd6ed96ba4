//! Fingerprints without repeats.

use lookalike_core::bits::FingerprintBits;

/// Fingerprints, each once, in the order of their first ids.
pub(crate) struct Distinct<F> {
    /// Sorted, with the number of each in the order of first ids.
    pub(crate) fingerprints: Vec<F>,
    pub(crate) numbers: Vec<u32>,
    /// In the order of first ids: where the ids of each begin, and the ids.
    pub(crate) starts: Vec<u64>,
    pub(crate) ids: Vec<u64>,
}

impl<F: FingerprintBits> Distinct<F> {
    /// From all fingerprints with their ids, sorted.
    pub(crate) fn new(entries: &[(F, u64)]) -> Self {
        let groups: Vec<&[(F, u64)]> = entries.chunk_by(|a, b| a.0 == b.0).collect();
        let mut order: Vec<u32> = (0..groups.len() as u32).collect();
        order.sort_unstable_by_key(|at| (groups[*at as usize][0].1, *at));
        let mut numbers = vec![0; groups.len()];
        let (mut starts, mut ids) = (Vec::with_capacity(groups.len() + 1), Vec::with_capacity(entries.len()));
        for (number, at) in (0..).zip(&order) {
            numbers[*at as usize] = number;
            starts.push(ids.len() as u64);
            ids.extend(groups[*at as usize].iter().map(|(_, id)| *id));
        }
        starts.push(ids.len() as u64);
        Self { fingerprints: groups.iter().map(|group| group[0].0).collect(), numbers, starts, ids }
    }

    /// The same without some of the numbers, and without ids.
    pub(crate) fn without(&self, gone: impl Fn(u32) -> bool) -> Self {
        let kept = self.fingerprints.iter().zip(&self.numbers).filter(|(_, number)| !gone(**number));
        let (fingerprints, numbers) = kept.map(|(fingerprint, number)| (*fingerprint, *number)).unzip();
        Self { fingerprints, numbers, starts: Vec::new(), ids: Vec::new() }
    }
}
