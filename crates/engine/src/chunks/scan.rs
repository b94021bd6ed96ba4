//! A scan by chunks from end to end.

use super::analysis::{Answer, Given, Question, Shares, analyse, rank};
use super::ignored::Ignored;
use super::lists::Lists;
use super::options::Options;
use super::reading::{Chunked, chunk_all};
use super::solve::Least;
use super::tell::Teller;
use super::{refine, tell};
use crate::exchange;
use crate::front::FrontEnd;
use crate::pipeline::catalogue::Catalogue;
use crate::pipeline::clustering::{Evidence, Link};
use crate::pipeline::decided::Decisions;
use crate::pipeline::filter::Filter;
use crate::pipeline::loader::Loader;
use crate::pipeline::{Session, assemble};
use crate::progress::{Cancel, Progress, Unit};
use crate::report::{Report, SCHEMA};
use crate::scan::{Back, reading};
use crate::{Candidates, Error, ScanOptions, ShingleRecipe, resources};
use lookalike_core::chunk::{ChunkRecipe, Chunker};
use lookalike_core::sets::Overlap;
use lookalike_core::sketch::Sampling;
use lookalike_corpus::{Corpus, Input};
use lookalike_store::{ExternalSort, Records};
use rustc_hash::FxHashMap;
use std::path::PathBuf;

#[cfg(test)]
mod tests;

/// A finished scan by chunks: the report, and the way back to the documents.
pub struct Scan {
    /// What was found.
    pub report: Report,
    pub(crate) chunked: Chunked,
    pub(crate) sizes: Vec<u32>,
    /// Pairs by rank.
    pub(crate) pairs: Option<Records<Shares>>,
    pub(crate) ranked: Vec<u32>,
    pub(crate) explored: f64,
    pub(crate) decisions: Decisions,
    pub(crate) front: FrontEnd,
    pub(crate) corpus: Corpus,
}

/// Scans by chunks. A path that is an exchange file (see [`crate::exchange::is_exchange`]) joins with what it holds.
pub fn scan(inputs: Vec<Input>, options: &Options, progress: &dyn Progress, cancel: &Cancel) -> Result<Scan, Error> {
    let started = Started::new(inputs, options)?;
    let session = Session::new(&started.scan, progress, cancel)?;
    let (chunked, decisions, found) = resources::pool(options.scan.threads)?.install(|| {
        let chunked = started.chunk(&session)?;
        let decisions = Decisions::new(&options.scan.decisions, &chunked.catalogue)?;
        let loader = Loader::new(&chunked.catalogue, &started.corpus, &session.front);
        let again = Again { loader: &loader, chunker: &started.chunker };
        let found = find(&session, options, &started.recipe, &chunked, &decisions, Some(&again))?;
        Ok::<_, Error>((chunked, decisions, found))
    })?;
    let (Found { report, sizes, pairs, ranked, explored }, front) = (found, session.front.clone());
    Ok(Scan { report, chunked, sizes, pairs, ranked, explored, decisions, front, corpus: started.corpus })
}

/// Inputs that were checked.
pub(crate) struct Started {
    /// Options of the session: what concerns shingles is as if nobody had asked.
    pub(crate) scan: ScanOptions,
    pub(crate) recipe: ChunkRecipe,
    chunker: Chunker,
    corpus: Corpus,
    exchanged: Vec<PathBuf>,
}

impl Started {
    pub(crate) fn new(inputs: Vec<Input>, options: &Options) -> Result<Self, Error> {
        let recipe = ChunkRecipe::new(options.mean, &options.key)
            .map_err(|reason| Error::Options(format!("--avg-chunk: {reason}")))?;
        options.check(&recipe.to_string())?;
        let (exchanged, read) = exchange::divide(inputs);
        let scan = ScanOptions { recipe: ShingleRecipe::words(10), key: String::new(), ..options.scan.clone() };
        let corpus = Corpus::open(read, reading(&scan))?;
        let chunker = Chunker::new(recipe.parameters, &options.key);
        Ok(Self { scan, recipe, chunker, corpus, exchanged })
    }

    /// The first phase.
    pub(crate) fn chunk(&self, session: &Session<'_>) -> Result<Chunked, Error> {
        session.phase("chunk", Unit::Bytes, self.corpus.total_bytes(), |counts| {
            let chunked = chunk_all(session, &self.corpus, &self.exchanged, &self.chunker, &self.recipe)?;
            counts.insert("documents", chunked.catalogue.len() as u64);
            counts.insert("bytes", chunked.catalogue.bytes);
            counts.insert("chunks", chunked.chunks);
            counts.insert("identical", chunked.equivalents.all().len() as u64);
            Ok(chunked)
        })
    }
}

/// The way to read and cut documents again.
pub(crate) struct Again<'a> {
    pub(crate) loader: &'a Loader<'a>,
    pub(crate) chunker: &'a Chunker,
}

/// What the analysis leaves.
pub(crate) struct Found {
    pub(crate) report: Report,
    pub(crate) sizes: Vec<u32>,
    /// Pairs by rank, and the documents in the order of their ranks.
    pub(crate) pairs: Option<Records<Shares>>,
    pub(crate) ranked: Vec<u32>,
    pub(crate) explored: f64,
}

/// Everything after the first phase; `again` is missing where the originals are not at hand.
pub(crate) fn find(
    session: &Session<'_>,
    options: &Options,
    recipe: &ChunkRecipe,
    chunked: &Chunked,
    decisions: &Decisions,
    again: Option<&Again<'_>>,
) -> Result<Found, Error> {
    let Chunked { catalogue, equivalents, .. } = chunked;
    let policy = options.scan.policy;
    let mut ignored = Ignored::new(&options.templates, decisions, catalogue)?;
    let given = Given { catalogue, equivalents, lists: Lists::of_catalogue(catalogue) };
    let question = Question {
        least: Least { share: policy.threshold, bytes: policy.min_common },
        linkage: policy.linkage,
        common_share: options.common_share,
        explore: options.scan.all_pairs.then(|| options.scan.explore.unwrap_or(policy.threshold)),
        most: options.scan.common,
        decisions,
        sizes: None,
        only: None,
        pinned: None,
    };
    let documents = Some(catalogue.len() as u64);
    let mut answer = session.phase("compare", Unit::Documents, documents, |counts| {
        let answer = analyse(session, &given, &mut ignored, &question)?;
        counts.insert("distinct_chunks", answer.distinct);
        counts.insert("components", answer.components);
        Ok(answer)
    })?;
    let refined = match (options.refine, again) {
        (Some(mean), Some(again)) => session.phase("refine", Unit::Documents, documents, |counts| {
            let finer = refine::Finer { mean, key: &options.key, ignored: &ignored };
            let refined = refine::refine(session, &given, again, &finer, &question, &mut answer)?;
            counts.insert("documents", refined.documents);
            Ok(Some(refined))
        })?,
        _ => None,
    };
    session
        .phase("cluster", Unit::Documents, documents, |counts| {
            let filter = Filter { policy, sampling: Sampling::default(), estimate: false };
            let back = Back { catalogue, equivalents, decisions };
            let common: FxHashMap<u32, u64> = answer.joined.iter().map(|j| (j.document, j.common)).collect();
            let (mut clusters, summary) = assemble::assemble(&filter, links(&answer), &back)?;
            let reviewed = decisions.apply(&mut clusters);
            let teller = Teller { catalogue, equivalents, decisions, again };
            teller.common_bytes(&mut clusters, &common);
            let lost = if options.exact { teller.exact_bytes(session, &mut clusters)? } else { Vec::new() };
            counts.insert("clusters", clusters.len() as u64);
            let explored = question.explore.unwrap_or(policy.threshold).min(policy.threshold);
            let explored = if answer.whole { explored } else { tell::NOWHERE };
            let (pairs, ranked) = rank_pairs(session, catalogue, &mut answer)?;
            let sizes = std::mem::take(&mut answer.sizes);
            let chunks = teller.section(recipe, chunked, options, answer, ignored.applied(), refined, &clusters)?;
            let report = Report {
                schema: SCHEMA,
                lookalike: env!("CARGO_PKG_VERSION"),
                recipe: recipe.to_string(),
                policy,
                candidates: Candidates::Chunks,
                common: options.scan.common,
                whole: false,
                estimate: false,
                documents: catalogue.len() as u64,
                bytes: catalogue.bytes,
                unsampled: 0,
                repeated_ids: catalogue.repeated_ids,
                summary,
                reviewed,
                against: None,
                chunks: Some(chunks),
                simhash: None,
                skipped: teller.skipped(lost)?,
                clusters,
                templates: Vec::new(),
                phases: Vec::new(),
                usage: None,
            };
            Ok(Found { report, sizes, pairs, ranked, explored })
        })
        .map(|mut found| {
            found.report.phases = session.phases();
            found.report.usage = session.usage();
            found
        })
}

/// The pairs in an order that does not depend on how documents were read: by rank, which they are given by.
fn rank_pairs(
    session: &Session<'_>,
    catalogue: &Catalogue,
    answer: &mut Answer,
) -> Result<(Option<Records<Shares>>, Vec<u32>), Error> {
    let Some(pairs) = answer.pairs.take() else { return Ok((None, Vec::new())) };
    let ranked = rank((0..answer.sizes.len() as u32).collect(), &answer.sizes, catalogue)?;
    let mut rank_of = vec![0u32; ranked.len()];
    for (rank, document) in ranked.iter().enumerate() {
        rank_of[*document as usize] = rank as u32;
    }
    let mut sorted = ExternalSort::new(&session.space, "the pairs", session.share(8));
    for pair in pairs.iter() {
        let Shares { a, b, common } = pair?;
        let (a, b) = (rank_of[a as usize], rank_of[b as usize]);
        sorted.push(Shares { a: a.min(b), b: a.max(b), common })?;
    }
    Ok((Some(sorted.finish()?), ranked))
}

fn links(answer: &Answer) -> Vec<Link> {
    let size = |document: u32| answer.sizes[document as usize];
    let link = |j: &super::analysis::Joined| Link {
        representative: j.leader,
        member: j.document,
        evidence: match j.common {
            0 => Evidence::Unknown,
            common => Evidence::Exact(Overlap { a: size(j.leader), b: size(j.document), shared: common as u32 }),
        },
    };
    answer.joined.iter().map(link).collect()
}
