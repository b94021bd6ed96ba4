//! Coarse to fine, as the authors did by hand: what the first pass leaves in doubt is cut again into shorter chunks.
//!
//! It pays for documents that share something but not nearly all, and for those that have too few chunks to tell. It does not for clusters whose members are
//! all but whole in their representative (the representative stays, for others to join), nor for long documents that share not a single chunk.

use crate::Error;
use crate::lens::chunks::analysis::{AnalysisInput, ChunkAnalysis, ClusterParams, analyse};
use crate::lens::chunks::chunk_list;
use crate::lens::chunks::chunk_list::{ChunkLists, Listed};
use crate::lens::chunks::ignored::IgnoredChunks;
use crate::report::chunks::Refined;
use crate::run::Session;
use crate::run::documents::Documents;
use lookalike_core::chunk::{Chunker, Parameters};
use lookalike_store::{Sequence, Spool};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// A member that shares this much of itself with its representative is settled.
const MIN_SETTLED_SHARE: f64 = 0.9;
/// A document of fewer chunks may resemble others without sharing one.
const MIN_CHUNKS: usize = 16;
/// Documents that are cut at once.
const BATCH_DOCUMENTS: usize = 256;

/// The second pass.
pub struct Finer<'a> {
    pub mean: u32,
    pub key: &'a str,
    pub ignored: &'a IgnoredChunks,
    /// The chunker of the first pass.
    pub chunker: &'a Chunker,
}

/// Cuts again what is in doubt, compares it, and puts the new analysis in the place of the old.
pub fn refine(
    session: &Session<'_>,
    input: &AnalysisInput<'_>,
    documents: &Documents,
    finer: &Finer<'_>,
    params: &ClusterParams<'_>,
    analysis: &mut ChunkAnalysis,
) -> Result<Refined, Error> {
    let parameters = Parameters::for_mean(finer.mean)?;
    let representatives: FxHashSet<u32> = analysis.assignments.iter().map(|j| j.representative).collect();
    let clustered_before = (analysis.assignments.len() + representatives.len()) as u64;
    let mut doubt = Doubt::new(input, analysis, finer.ignored)?;
    let mut spool = Spool::spill(&session.space, "the finer chunks")?;
    let (mut places, mut bytes) = (Vec::with_capacity(input.catalogue.len()), 0);
    let all: Vec<u32> = (0..input.catalogue.len() as u32).collect();
    let chunker = Chunker::new(parameters, finer.key);
    let loader = documents.loader();
    for wave in all.chunks(BATCH_DOCUMENTS) {
        session.cancel.check()?;
        let cut = |document: &u32| {
            let mut record = Vec::new();
            if doubt.cut[*document as usize]
                && let Some((_, body)) = loader.body(*document)?
            {
                cut_again(body.as_bytes().unwrap_or_default(), finer.chunker, &chunker, finer.ignored, &mut record);
            }
            Ok(record)
        };
        let records = wave.par_iter().map(cut).collect::<Result<Vec<_>, Error>>()?;
        for (record, document) in records.iter().zip(wave) {
            places.push(spool.append(record)?);
            // what cannot be read again stays as it was
            let cut = &mut doubt.cut[*document as usize];
            *cut &= !record.is_empty();
            bytes += if *cut { u64::from(input.catalogue.sizes[*document as usize]) } else { 0 };
        }
        session.progress.advance(wave.len() as u64);
    }
    doubt.settle(analysis);
    let cut_again = doubt.cut.iter().filter(|cut| **cut).count() as u64;
    let spool = spool.finish()?;
    let lists = ChunkLists { spool: &spool, places: &places };
    let fine = AnalysisInput { catalogue: input.catalogue, duplicates: input.duplicates, lists, order: input.order };
    let sizes = std::mem::take(&mut analysis.sizes);
    let params =
        ClusterParams { sizes: Some(&sizes), only: Some(&doubt.cut), pinned: Some(&doubt.represents), ..*params };
    let found = analyse(session, &fine, &mut IgnoredChunks::default(), &params)?;
    // what was settled stays, and of the rest the finer analysis holds
    analysis.assignments.retain(|j| doubt.represents[j.representative as usize]);
    analysis.suggested.retain(|s| doubt.represents[s.representative as usize]);
    analysis.assignments.extend(found.assignments);
    analysis.suggested.extend(found.suggested.iter().filter(|s| !doubt.represents[s.representative as usize]));
    analysis.complete &= found.complete;
    analysis.connected.iter_mut().zip(found.connected).for_each(|(connected, finer)| *connected |= finer);
    if let (Some(coarse), Some(finer)) = (analysis.pairs.take(), found.pairs) {
        let mut pairs = Sequence::new(&session.space, "the pairs", session.share(8));
        for pair in coarse.iter() {
            let pair = pair?;
            if !(doubt.cut[pair.a as usize] && doubt.cut[pair.b as usize]) {
                pairs.push(pair)?;
            }
        }
        finer.iter().try_for_each(|pair| pairs.push(pair?))?;
        analysis.pairs = Some(pairs.finish()?);
    }
    analysis.sizes = sizes;
    Ok(Refined { parameters, documents: cut_again, bytes, clustered_before })
}

/// What the first pass left in doubt.
struct Doubt {
    /// By document: whether it is cut again.
    cut: Vec<bool>,
    /// By document: whether it represents a cluster that is settled.
    represents: Vec<bool>,
}

impl Doubt {
    fn new(input: &AnalysisInput<'_>, analysis: &ChunkAnalysis, ignored: &IgnoredChunks) -> Result<Self, Error> {
        let documents = input.catalogue.len();
        let mut doubt = Self { cut: vec![false; documents], represents: vec![false; documents] };
        let mut settled = vec![true; documents];
        for j in &analysis.assignments {
            let share = j.shared as f64 / f64::from(analysis.sizes[j.member as usize]);
            settled[j.representative as usize] &= share >= MIN_SETTLED_SHARE;
            doubt.represents[j.representative as usize] = true;
        }
        doubt.represents.iter_mut().zip(&settled).for_each(|(represents, settled)| *represents &= *settled);
        let mut assignments = vec![false; documents];
        for j in &analysis.assignments {
            assignments[j.member as usize] = doubt.represents[j.representative as usize];
        }
        input.lists.for_each(|document, chunks| {
            let at = document as usize;
            let own = || chunks.iter().filter(|chunk| !ignored.has(chunk.hash)).take(MIN_CHUNKS).count();
            let open = analysis.connected[at] || (1..MIN_CHUNKS).contains(&own());
            doubt.cut[at] =
                input.duplicates.is_canonical(document) && !assignments[at] && (doubt.represents[at] || open);
            Ok(())
        })?;
        Ok(doubt)
    }

    /// A cluster of which a document could not be cut again stays as it is.
    fn settle(&mut self, analysis: &ChunkAnalysis) {
        let cut = |document: u32| self.cut[document as usize];
        let kept: Vec<u32> = analysis
            .assignments
            .iter()
            .filter(|j| !cut(j.member) || !cut(j.representative))
            .map(|j| j.representative)
            .collect();
        for representative in kept {
            self.represents[representative as usize] = true;
        }
        for j in analysis.assignments.iter().filter(|j| self.represents[j.representative as usize]) {
            self.cut[j.member as usize] = false;
        }
    }
}

/// Chunks that reach into ignored longer ones are left out: what is left is of the bytes that count.
fn cut_again(data: &[u8], coarse: &Chunker, fine: &Chunker, ignored: &IgnoredChunks, record: &mut Vec<u8>) {
    let mut templates = Vec::new();
    if ignored.any() {
        coarse.chunks(data, |chunk| {
            if ignored.has(chunk.hash) {
                templates.push(chunk.start..chunk.start + chunk.length);
            }
        });
    }
    let mut at = 0;
    fine.chunks(data, |chunk| {
        while at < templates.len() && templates[at].end <= chunk.start {
            at += 1;
        }
        if templates.get(at).is_none_or(|template| template.start >= chunk.start + chunk.length) {
            chunk_list::put(&Listed { hash: chunk.hash, length: chunk.length as u32 }, record);
        }
    });
}
