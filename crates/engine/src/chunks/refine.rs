//! Coarse to fine, as the authors did by hand: what the first pass leaves in doubt is cut again into shorter chunks.
//!
//! It pays for documents that share something but not nearly all, and for those that have too few chunks to tell. It does not for clusters whose members are
//! all but whole in their leader (the leader stays, for others to join), nor for long documents that share not a single chunk.

use super::analysis::{Answer, Given, Question, analyse};
use super::found::Refined;
use super::ignored::Ignored;
use super::lists::{self, Listed, Lists};
use super::scan::Again;
use crate::Error;
use crate::pipeline::Session;
use lookalike_core::chunk::{Chunker, Parameters};
use lookalike_store::{Sequence, Spool};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// A member that shares this much of itself with its leader is settled.
const SETTLED: f64 = 0.9;
/// A document of fewer chunks may resemble others without sharing one.
const FEW: usize = 16;
/// Documents that are cut at once.
const WAVE: usize = 256;

/// The second pass.
pub(crate) struct Finer<'a> {
    pub(crate) mean: u32,
    pub(crate) key: &'a str,
    pub(crate) ignored: &'a Ignored,
}

/// Cuts again what is in doubt, compares it, and puts the new answer in the place of the old.
pub(crate) fn refine(
    session: &Session<'_>,
    given: &Given<'_>,
    again: &Again<'_>,
    finer: &Finer<'_>,
    question: &Question<'_>,
    answer: &mut Answer,
) -> Result<Refined, Error> {
    let parameters = Parameters::for_mean(finer.mean).map_err(|problem| Error::Options(problem.to_string()))?;
    let leaders: FxHashSet<u32> = answer.joined.iter().map(|j| j.leader).collect();
    let clustered_before = (answer.joined.len() + leaders.len()) as u64;
    let mut doubt = Doubt::new(given, answer, finer.ignored)?;
    let mut spool = Spool::spill(&session.space, "the finer chunks")?;
    let (mut places, mut bytes) = (Vec::with_capacity(given.catalogue.len()), 0);
    let all: Vec<u32> = (0..given.catalogue.len() as u32).collect();
    let chunker = Chunker::new(parameters, finer.key);
    for wave in all.chunks(WAVE) {
        session.cancel.check()?;
        let cut = |document: &u32| {
            let mut record = Vec::new();
            if doubt.cut[*document as usize]
                && let Some((_, body)) = again.loader.body(*document)?
            {
                cut_again(body.as_bytes().unwrap_or_default(), again.chunker, &chunker, finer.ignored, &mut record);
            }
            Ok(record)
        };
        let records = wave.par_iter().map(cut).collect::<Result<Vec<_>, Error>>()?;
        for (record, document) in records.iter().zip(wave) {
            places.push(spool.append(record)?);
            // what cannot be read again stays as it was
            let cut = &mut doubt.cut[*document as usize];
            *cut &= !record.is_empty();
            bytes += if *cut { u64::from(given.catalogue.sizes[*document as usize]) } else { 0 };
        }
        session.progress.advance(wave.len() as u64);
    }
    doubt.settle(answer);
    let documents = doubt.cut.iter().filter(|cut| **cut).count() as u64;
    let spool = spool.finish()?;
    let lists = Lists { spool: &spool, places: &places };
    let fine = Given { catalogue: given.catalogue, equivalents: given.equivalents, lists };
    let sizes = std::mem::take(&mut answer.sizes);
    let question = Question { sizes: Some(&sizes), only: Some(&doubt.cut), pinned: Some(&doubt.leads), ..*question };
    let found = analyse(session, &fine, &mut Ignored::default(), &question)?;
    // what was settled stays, and of the rest the finer answer holds
    answer.joined.retain(|j| doubt.leads[j.leader as usize]);
    answer.suggested.retain(|s| doubt.leads[s.leader as usize]);
    answer.joined.extend(found.joined);
    answer.suggested.extend(found.suggested.iter().filter(|s| !doubt.leads[s.leader as usize]));
    answer.whole &= found.whole;
    answer.connected.iter_mut().zip(found.connected).for_each(|(connected, finer)| *connected |= finer);
    if let (Some(coarse), Some(finer)) = (answer.pairs.take(), found.pairs) {
        let mut pairs = Sequence::new(&session.space, "the pairs", session.share(8));
        for pair in coarse.iter() {
            let pair = pair?;
            if !(doubt.cut[pair.a as usize] && doubt.cut[pair.b as usize]) {
                pairs.push(pair)?;
            }
        }
        finer.iter().try_for_each(|pair| pairs.push(pair?))?;
        answer.pairs = Some(pairs.finish()?);
    }
    answer.sizes = sizes;
    Ok(Refined { parameters, documents, bytes, clustered_before })
}

/// What the first pass left in doubt.
struct Doubt {
    /// By document: whether it is cut again.
    cut: Vec<bool>,
    /// By document: whether it leads a cluster that is settled.
    leads: Vec<bool>,
}

impl Doubt {
    fn new(given: &Given<'_>, answer: &Answer, ignored: &Ignored) -> Result<Self, Error> {
        let documents = given.catalogue.len();
        let mut doubt = Self { cut: vec![false; documents], leads: vec![false; documents] };
        let mut settled = vec![true; documents];
        for j in &answer.joined {
            let share = j.common as f64 / f64::from(answer.sizes[j.document as usize]);
            settled[j.leader as usize] &= share >= SETTLED;
            doubt.leads[j.leader as usize] = true;
        }
        doubt.leads.iter_mut().zip(&settled).for_each(|(leads, settled)| *leads &= *settled);
        let mut follows = vec![false; documents];
        for j in &answer.joined {
            follows[j.document as usize] = doubt.leads[j.leader as usize];
        }
        given.lists.for_each(|document, chunks| {
            let at = document as usize;
            let own = || chunks.iter().filter(|chunk| !ignored.has(chunk.hash)).take(FEW).count();
            let open = answer.connected[at] || (1..FEW).contains(&own());
            doubt.cut[at] = given.equivalents.stands(document) && !follows[at] && (doubt.leads[at] || open);
            Ok(())
        })?;
        Ok(doubt)
    }

    /// A cluster of which a document could not be cut again stays as it is.
    fn settle(&mut self, answer: &Answer) {
        let cut = |document: u32| self.cut[document as usize];
        let kept: Vec<u32> =
            answer.joined.iter().filter(|j| !cut(j.document) || !cut(j.leader)).map(|j| j.leader).collect();
        for leader in kept {
            self.leads[leader as usize] = true;
        }
        for j in answer.joined.iter().filter(|j| self.leads[j.leader as usize]) {
            self.cut[j.document as usize] = false;
        }
    }
}

/// Chunks that reach into ignored longer ones are left out: what is left is of the bytes that count.
fn cut_again(data: &[u8], coarse: &Chunker, fine: &Chunker, ignored: &Ignored, record: &mut Vec<u8>) {
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
            lists::put(&Listed { hash: chunk.hash, length: chunk.length as u32 }, record);
        }
    });
}
