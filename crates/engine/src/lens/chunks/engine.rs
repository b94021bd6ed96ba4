//! The chunks lens from files to links.

use crate::Error;
use crate::lens::chunks::analysis::{AnalysisInput, ChunkAnalysis, ClusterParams, analyse};
use crate::lens::chunks::cache::ChunkCache;
use crate::lens::chunks::chunk_list::ChunkLists;
use crate::lens::chunks::ignored::IgnoredChunks;
use crate::lens::chunks::options::ChunksOptions;
use crate::lens::chunks::pairs::SharedPairs;
use crate::lens::chunks::reading::{ChunkCollector, ChunkCounts, chunk_corpus};
use crate::lens::chunks::report_builder::{ChunkReportBuilder, INCOMPLETE};
use crate::lens::chunks::shown::ShownChunker;
use crate::lens::chunks::solve::{Least, SharedPair};
use crate::lens::chunks::{exchange, refine};
use crate::progress::Unit;
use crate::report::Section;
use crate::report::chunks::Refined;
use crate::run::Session;
use crate::run::documents::Documents;
use crate::run::exchange::{ExchangeSummary, Names, divide};
use crate::run::filter::Filter;
use crate::run::link::{Evidence, Link};
use crate::run::scan::{Clusters, ComparedPairs, Counts, LensEngine, Linked, ReadDocuments};
use crate::run::session::reading;
use lookalike_core::chunk::{ChunkRecipe, Chunker};
use lookalike_core::recipe::Recipe;
use lookalike_core::sets::Overlap;
use lookalike_core::sketch::Sampling;
use lookalike_corpus::{Corpus, Input, KnownFiles};
use lookalike_store::{ExternalSort, atomic};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub struct ChunksEngine<'a> {
    pub options: &'a ChunksOptions,
    pub recipe: ChunkRecipe,
    key: String,
    chunker: Chunker,
    /// Exchange files, whose chunks join those of the documents.
    exchanged: Vec<PathBuf>,
}

/// What the analysis leaves.
pub struct Analysed {
    counts: ChunkCounts,
    analysis: ChunkAnalysis,
    ignored: IgnoredChunks,
    refined: Option<Refined>,
}

impl<'a> ChunksEngine<'a> {
    pub fn new(options: &'a ChunksOptions, key: &str, exchanged: Vec<PathBuf>) -> Result<Self, Error> {
        let recipe = ChunkRecipe::new(options.mean, key)?;
        options.check(&recipe.to_string())?;
        Ok(Self::with_recipe(options, recipe, key, exchanged))
    }

    pub fn with_recipe(options: &'a ChunksOptions, recipe: ChunkRecipe, key: &str, exchanged: Vec<PathBuf>) -> Self {
        let chunker = Chunker::new(recipe.parameters, key);
        Self { options, recipe, key: key.to_owned(), chunker, exchanged }
    }

    fn params<'b>(&self, documents: &'b Documents, by_size: bool) -> ClusterParams<'b> {
        ClusterParams {
            least: Least { share: self.options.share, bytes: self.options.min_shared },
            linkage: self.options.linkage,
            max_df: self.options.max_df,
            explore: self.options.explored(),
            pair_max_df: self.options.pair_max_df,
            decisions: &documents.decisions,
            by_size,
            sizes: None,
            only: None,
            pinned: None,
        }
    }

    /// The pairs in an order that does not depend on how documents were read: by rank.
    fn rank_pairs(
        &self,
        session: &Session<'_>,
        documents: &Documents,
        analysis: &mut ChunkAnalysis,
        shown: ShownChunker,
    ) -> Result<SharedPairs, Error> {
        let explored = self.options.explored().unwrap_or(self.options.share);
        let mut kept = SharedPairs {
            filter: self.filter(),
            sizes: std::mem::take(&mut analysis.sizes),
            ranked: Vec::new(),
            pairs: None,
            explored: if analysis.complete { explored } else { INCOMPLETE },
            max_group: self.options.pair_max_df as usize,
            max_df: self.options.max_df,
            chunks: 0,
            empty: 0,
            shown,
        };
        let Some(pairs) = analysis.pairs.take() else { return Ok(kept) };
        let ranked = session.order.sorted(&documents.catalogue, 0..kept.sizes.len() as u32, &kept.sizes)?;
        let mut rank_of = vec![0u32; ranked.len()];
        for (rank, document) in ranked.iter().enumerate() {
            rank_of[*document as usize] = rank as u32;
        }
        let mut sorted = ExternalSort::new(&session.space, "the pairs", session.share(8));
        for pair in pairs.iter() {
            let pair = pair?;
            let (a, b) = (rank_of[pair.a as usize], rank_of[pair.b as usize]);
            sorted.push(SharedPair { a: a.min(b), b: a.max(b), ..pair })?;
        }
        (kept.pairs, kept.ranked) = (Some(sorted.finish()?), ranked);
        Ok(kept)
    }
}

impl LensEngine for ChunksEngine<'_> {
    type Features = ChunkCounts;
    type Candidates = Analysed;
    type Analysis = Analysed;

    fn recipe(&self) -> Recipe {
        self.recipe.clone().into()
    }

    fn filter(&self) -> Filter {
        Filter { policy: self.options.policy(), sampling: Sampling::default(), estimate: false }
    }

    fn read(&self, session: &Session<'_>, corpus: &Corpus) -> Result<ReadDocuments<ChunkCounts>, Error> {
        session.phase("chunk", Unit::Bytes, corpus.total_bytes(), |counts| {
            let mut collector = ChunkCollector::new(session)?;
            let cache = match &self.options.cache {
                Some(folder) => {
                    let cache = Arc::new(ChunkCache::open(folder, &self.recipe.to_string(), &session.space)?);
                    corpus.know(Arc::clone(&cache) as Arc<dyn KnownFiles>);
                    Some(cache)
                }
                None => None,
            };
            chunk_corpus(session, corpus, &self.chunker, cache.as_deref(), true, &mut collector)?;
            if let Some(cache) = cache {
                cache.save()?;
                // the report is the same with and without it
                if session.options.stats {
                    counts.insert("cached", cache.found());
                }
            }
            for path in &self.exchanged {
                let folder = lookalike_corpus::id_of(path).into_owned();
                exchange::read(path, Some(&folder), &self.recipe, session.cancel, &mut collector)?;
            }
            let read = collector.finish(session)?;
            counts.insert("documents", read.catalogue.len() as u64);
            counts.insert("bytes", read.catalogue.bytes);
            counts.insert("chunks", read.features.chunks);
            counts.insert("duplicates", read.duplicates.all().len() as u64);
            Ok(read)
        })
    }

    fn candidates(&self, session: &Session<'_>, documents: &Documents, counts: ChunkCounts) -> Result<Analysed, Error> {
        let Documents { catalogue, duplicates, decisions, .. } = documents;
        let mut ignored = IgnoredChunks::new(&self.options.templates, decisions, catalogue)?;
        let input =
            AnalysisInput { catalogue, duplicates, lists: ChunkLists::of_catalogue(catalogue), order: &session.order };
        let params = self.params(documents, session.order.is_by_size());
        let total = Some(catalogue.len() as u64);
        let mut analysis = session.phase("compare", Unit::Documents, total, |counts| {
            let analysis = analyse(session, &input, &mut ignored, &params)?;
            counts.insert("distinct_chunks", analysis.distinct);
            counts.insert("components", analysis.components);
            Ok(analysis)
        })?;
        let refined = self.options.refine.map(|mean| {
            session.phase("refine", Unit::Documents, total, |counts| {
                let finer = refine::Finer { mean, key: &self.key, ignored: &ignored, chunker: &self.chunker };
                let refined = refine::refine(session, &input, documents, &finer, &params, &mut analysis)?;
                counts.insert("documents", refined.documents);
                Ok(refined)
            })
        });
        Ok(Analysed { counts, analysis, ignored, refined: refined.transpose()? })
    }

    fn work(&self, documents: &Documents, _: &Analysed) -> (Unit, Option<u64>) {
        (Unit::Documents, Some(documents.catalogue.len() as u64))
    }

    fn link(
        &self,
        _: &Session<'_>,
        _: &Documents,
        analysed: Analysed,
        _: &mut Counts,
    ) -> Result<Linked<Analysed>, Error> {
        let size = |document: u32| analysed.analysis.sizes[document as usize];
        let links = analysed.analysis.assignments.iter().map(|assigned| Link {
            representative: assigned.representative,
            member: assigned.member,
            evidence: match assigned.shared {
                0 => Evidence::Unknown,
                shared => Evidence::Exact(Overlap {
                    a: size(assigned.representative),
                    b: size(assigned.member),
                    shared: shared as u32,
                }),
            },
        });
        Ok(Linked { links: links.collect(), lost: Vec::new(), analysis: analysed })
    }

    fn section(
        &self,
        session: &Session<'_>,
        documents: &Documents,
        clusters: &mut Clusters,
        analysed: Analysed,
    ) -> Result<(Section, Box<dyn ComparedPairs>), Error> {
        let Analysed { counts, mut analysis, ignored, refined } = analysed;
        let shared: FxHashMap<u32, u64> = analysis.assignments.iter().map(|a| (a.member, a.shared)).collect();
        let builder = ChunkReportBuilder { documents, chunker: &self.chunker };
        builder.shared_bytes(&mut clusters.clusters, &shared);
        if self.options.exact {
            clusters.lost.extend(builder.exact_bytes(session, &mut clusters.clusters)?);
        }
        let fine = refined.as_ref().map(|refined| Chunker::new(refined.parameters, &self.key));
        let shown = ShownChunker::new(self.chunker.clone(), fine, &ignored);
        let mut pairs = self.rank_pairs(session, documents, &mut analysis, shown)?;
        (pairs.chunks, pairs.empty) = (counts.chunks, counts.empty);
        let section = builder.section(
            (self.recipe.parameters, self.options),
            counts,
            analysis,
            (ignored.applied(), refined),
            &clusters.clusters,
        )?;
        Ok((Section::Chunks(section), Box::new(pairs)))
    }
}

/// Writes an exchange file: names, lengths and chunk hashes.
pub fn sketch(
    inputs: Vec<Input>,
    session: &Session<'_>,
    options: &ChunksOptions,
    names: Names,
    out: &Path,
) -> Result<ExchangeSummary, Error> {
    let (exchanged, inputs) = divide(inputs);
    let key = &session.options.key;
    let engine = ChunksEngine::new(options, key, exchanged)?;
    let corpus = Corpus::open(inputs, reading(session.options))?;
    let ReadDocuments { catalogue, features, .. } = engine.read(session, &corpus)?;
    session.cancel.check()?;
    let recipe = engine.recipe.to_string();
    atomic::spool(out, |spool| exchange::write(spool, &catalogue, features, &recipe, (names, key)))?;
    ExchangeSummary::of(out, recipe, (catalogue.len() as u64, catalogue.bytes, features.chunks), catalogue.skipped)
}
