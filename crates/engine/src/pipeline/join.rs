//! Phase three: pairs of documents that share features, with how many they share.
//!
//! For each document x the lists of its features are walked and a counter is raised for each smaller document y in them. Lists and
//! counters are in memory for a block of y and a block of x at a time; with enough memory there is one block and one
//! pass over the postings.

use super::Session;
use super::catalogue::Catalogue;
use super::effective::Effective;
use super::filter::Filter;
use super::postings::{Posting, for_each_list};
use crate::Error;
use crate::options::Candidates;
use bytemuck::{Pod, Zeroable};
use lookalike_core::sketch::SampleOverlap;
use lookalike_store::{Records, Sequence};
use rayon::prelude::*;
use std::ops::Range;

/// A pair that may be a link, with what its samples have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Candidate {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) sample_a: u32,
    pub(crate) sample_b: u32,
    pub(crate) common: u32,
    pub(crate) whole: u32,
}

impl Candidate {
    pub(crate) fn new(a: u32, b: u32, o: SampleOverlap) -> Self {
        Self { a, b, sample_a: o.a, sample_b: o.b, common: o.common, whole: u32::from(o.whole) }
    }

    pub(crate) fn sample(self) -> SampleOverlap {
        SampleOverlap { a: self.sample_a, b: self.sample_b, common: self.common, whole: self.whole != 0 }
    }

    /// The same pair from the other side.
    pub(crate) fn swapped(self) -> Self {
        Self { a: self.b, b: self.a, sample_a: self.sample_b, sample_b: self.sample_a, ..self }
    }
}

/// Documents whose pairs are formed and filed at once.
const WAVE: usize = 1 << 12;

pub(crate) struct Join<'a> {
    pub(crate) session: &'a Session<'a>,
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) effective: &'a Effective,
    pub(crate) filter: Filter,
}

impl Join<'_> {
    /// Appends all candidate pairs to `out`.
    pub(crate) fn run(&self, postings: &Records<Posting>, out: &mut Sequence<Candidate>) -> Result<(), Error> {
        let mut total = 0;
        self.lists(postings, |documents| {
            total += documents.len();
            Ok(())
        })?;
        // four bytes in a list and eight as a reference
        let blocks = (total * 12).div_ceil(self.session.share(4)).clamp(1, 64);
        let width = self.catalogue.len().div_ceil(blocks).max(1) as u32;
        let range = |block: usize| block as u32 * width..(block as u32 + 1).saturating_mul(width);
        for y in 0..blocks {
            for x in y..blocks {
                self.block(postings, range(y), range(x), out)?;
            }
        }
        Ok(())
    }

    /// Lists that make pairs: of features that are neither lonely nor common.
    fn lists(
        &self,
        postings: &Records<Posting>,
        mut each: impl FnMut(&[u32]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for_each_list(postings, |feature, documents| {
            let ignored = documents.len() > self.session.options.common as usize
                || self.effective.common().binary_search(&feature).is_ok();
            if ignored { Ok(()) } else { each(documents) }
        })
    }

    fn block(
        &self,
        postings: &Records<Posting>,
        ys: Range<u32>,
        xs: Range<u32>,
        out: &mut Sequence<Candidate>,
    ) -> Result<(), Error> {
        let within = |documents: &[u32], range: &Range<u32>| {
            documents.partition_point(|d| *d < range.start)..documents.partition_point(|d| *d < range.end)
        };
        let mut documents_of: Vec<u32> = Vec::new();
        let mut starts: Vec<usize> = vec![0];
        let mut references: Vec<(u32, u32)> = Vec::new();
        self.lists(postings, |documents| {
            let (y, x) = (&documents[within(documents, &ys)], &documents[within(documents, &xs)]);
            if y.is_empty() || x.is_empty() || (ys == xs && y.len() < 2) {
                return Ok(());
            }
            let list = (starts.len() - 1) as u32;
            references.extend(x.iter().map(|d| (*d, list)));
            documents_of.extend(y);
            starts.push(documents_of.len());
            Ok(())
        })?;
        references.par_sort_unstable();
        let groups: Vec<&[(u32, u32)]> = references.chunk_by(|p, q| p.0 == q.0).collect();
        for wave in groups.chunks(WAVE) {
            self.session.cancel.check()?;
            let found: Vec<Result<Vec<Candidate>, Error>> = wave
                .par_chunks(64)
                .map_init(
                    || Counters::new(&ys),
                    |counters, groups| {
                        let mut found = Vec::new();
                        for group in groups {
                            let x = group[0].0;
                            for (_, list) in *group {
                                let list = *list as usize;
                                counters.count(&documents_of[starts[list]..starts[list + 1]], x);
                            }
                            for (y, common) in counters.take() {
                                found.extend(self.candidate(y, x, common)?);
                            }
                        }
                        Ok(found)
                    },
                )
                .collect();
            for candidates in found {
                for candidate in candidates? {
                    out.push(candidate)?;
                }
            }
            self.session.progress.advance(wave.len() as u64);
        }
        Ok(())
    }

    fn candidate(&self, y: u32, x: u32, common: u32) -> Result<Option<Candidate>, Error> {
        let counted = self.session.options.candidates == Candidates::Shingles;
        let sample = match self.effective.overlap(y, x, common).filter(|_| counted) {
            Some(sample) => sample,
            None => self.effective.overlap_of_sketches(self.catalogue, y, x)?,
        };
        Ok(self.filter.candidate(sample).then(|| Candidate::new(y, x, sample)))
    }
}

/// One counter for each document of a block, and which are in use.
struct Counters {
    first: u32,
    counts: Vec<u32>,
    touched: Vec<u32>,
}

impl Counters {
    fn new(block: &Range<u32>) -> Self {
        Self { first: block.start, counts: Vec::new(), touched: Vec::new() }
    }

    #[inline]
    fn count(&mut self, documents: &[u32], below: u32) {
        for document in documents {
            if *document >= below {
                break;
            }
            let at = (document - self.first) as usize;
            if at >= self.counts.len() {
                self.counts.resize(at + 1, 0);
            }
            if self.counts[at] == 0 {
                self.touched.push(*document);
            }
            self.counts[at] += 1;
        }
    }

    /// The documents counted and how often, in order; all counters are zero again.
    fn take(&mut self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.touched.sort_unstable();
        let counts = &mut self.counts;
        let first = self.first;
        self.touched.drain(..).map(move |d| (d, std::mem::take(&mut counts[(d - first) as usize])))
    }
}
