//! What is done with a saved run: analyse it again, mark templates.

use crate::Error;
use crate::error::TemplateError;
use crate::lens::chunks::chunk_list::{ChunkLists, Listed};
use crate::lens::chunks::engine::ChunksEngine;
use crate::lens::chunks::exchange;
use crate::lens::chunks::ignored::shared_by_all;
use crate::lens::chunks::options::ChunksOptions;
use crate::lens::chunks::reading::{ChunkCollector, ChunkCounts};
use crate::lens::chunks::report_builder::beginning;
use crate::lens::chunks::saved::ChunkRunContents;
use crate::lens::chunks::templates::MarkedTemplate;
use crate::lens::chunks::templates::TemplateChunk;
use crate::lens::chunks::templates::TemplateList;
use crate::progress::{Cancel, Silent};
use crate::report::policy::Policy;
use crate::report::{Report, Skip};
use crate::run::Session;
use crate::run::documents::Documents;
use crate::run::options::ScanOptions;
use crate::run::order::RepresentativeOrder;
use crate::run::saved::Manifest;
use crate::run::scan::{DocumentScan, ReadDocuments, link_and_report};
use crate::run::text_extractor::TextExtractor;
use lookalike_core::chunk::{ChunkRecipe, Chunker};
use lookalike_core::lens::Lens;
use lookalike_corpus::Corpus;
use lookalike_store::Error as StoreError;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A run that was read back.
struct SavedChunkRun {
    options: ChunksOptions,
    recipe: ChunkRecipe,
    path: PathBuf,
    skipped: Vec<Skip>,
    preferences: Option<Vec<u64>>,
}

impl SavedChunkRun {
    fn read(run: &Path, change: impl FnOnce(Policy) -> Policy, templates: &TemplateList) -> Result<Self, Error> {
        let Manifest { recipe, policy, skipped, contents, .. } = Manifest::<ChunkRunContents>::read(run, Lens::Chunks)?;
        let recipe: ChunkRecipe = recipe.parse()?;
        let policy = change(policy);
        let options = ChunksOptions {
            mean: recipe.parameters.mean,
            share: policy.threshold,
            min_shared: policy.min_shared,
            linkage: policy.linkage,
            max_df: contents.max_df,
            pair_max_df: contents.pair_max_df,
            templates: templates.clone(),
            ..ChunksOptions::default()
        };
        Ok(Self { options, recipe, path: run.to_owned(), skipped, preferences: contents.preferences })
    }

    /// The documents, which cannot be read again.
    fn documents(&self, session: &Session<'_>) -> Result<(Documents, ChunkCounts), Error> {
        let mut collector = ChunkCollector::new(session)?;
        exchange::read(&self.path.join("documents.lka"), None, &self.recipe, session.cancel, &mut collector)?;
        let ReadDocuments { catalogue, duplicates, features } = collector.finish(session)?;
        let corpus = Corpus::open(Vec::new(), session.options.corpus.clone())?;
        let documents = Documents::new(session, corpus, TextExtractor::default(), (catalogue, duplicates))?;
        Ok((documents, features))
    }

    fn analyse(&self, session: &Session<'_>) -> Result<DocumentScan, Error> {
        self.options.check(&self.recipe.to_string())?;
        let (documents, counts) = self.documents(session)?;
        let engine = ChunksEngine::with_recipe(&self.options, self.recipe.clone(), "", Vec::new());
        link_and_report(&engine, session, documents, counts)
    }
}

/// Analyses a saved run again: with another policy, with templates. The originals are not needed.
pub fn recluster(run: &Path, policy: impl FnOnce(Policy) -> Policy, templates: &TemplateList) -> Result<Report, Error> {
    with_run(run, policy, templates, |session, run| {
        let mut report = run.analyse(session)?.report;
        report.skipped.clone_from(&run.skipped);
        report.head.phases = Vec::new();
        Ok(report)
    })
}

fn with_run<T>(
    path: &Path,
    policy: impl FnOnce(Policy) -> Policy,
    templates: &TemplateList,
    work: impl FnOnce(&Session<'_>, &SavedChunkRun) -> Result<T, Error> + Send,
) -> Result<T, Error>
where
    T: Send,
{
    let (cancel, options) = (Cancel::default(), ScanOptions::default());
    let mut session = Session::new(&options, &Silent, &cancel)?;
    let mut run = SavedChunkRun::read(path, policy, templates)?;
    session.order = Arc::new(RepresentativeOrder::saved(run.preferences.take()));
    options.resources.pool()?.install(|| work(&session, &run))
}

/// What a template is made of.
#[derive(Clone, Copy, Debug)]
pub enum Mark<'a> {
    /// The chunks that all documents of a cluster of the run share, by the cluster's number (after the templates that are on the list already).
    Cluster(u64),
    /// One chunk, by its hash or the beginning of it.
    Chunk(&'a str),
    /// All chunks of a file: a boilerplate.
    File(&'a Path),
}

/// Marks a template: adds it to the list and returns its name, which is made up if none is given. `key` is the secret of the run, if it has one.
pub fn mark(
    run: &Path,
    what: Mark<'_>,
    name: Option<&str>,
    policy: impl FnOnce(Policy) -> Policy,
    list: &mut TemplateList,
    key: &str,
) -> Result<String, Error> {
    let name = name.map_or_else(|| list.free_name(), str::to_owned);
    let (recipe, template) = with_run(run, policy, list, |session, run| {
        let template = match what {
            Mark::Cluster(number) => of_cluster(session, run, number)?,
            Mark::Chunk(hash) => of_chunk(&run.documents(session)?.0, hash)?,
            Mark::File(path) => of_file(run, &run.documents(session)?.0, path, key)?,
        };
        Ok((run.recipe.to_string(), template))
    })?;
    if template.chunks.is_empty() {
        return Err(Error::Template(TemplateError::NothingShared { from: template.from }));
    }
    list.add(&recipe, MarkedTemplate { name: name.clone(), ..template })?;
    Ok(name)
}

fn of_cluster(session: &Session<'_>, run: &SavedChunkRun, number: u64) -> Result<MarkedTemplate, Error> {
    let DocumentScan { report, documents: all, .. } = run.analyse(session)?;
    let cluster =
        report.clusters.iter().find(|cluster| cluster.id == number).ok_or(Error::Template(
            TemplateError::UnknownCluster { last: report.clusters.len() as u64, found: number },
        ))?;
    let documents: Vec<u32> =
        std::iter::once(cluster.document).chain(cluster.members.iter().map(|m| m.document)).collect();
    let known: Vec<&str> =
        run.options.templates.templates.iter().flat_map(|t| &t.chunks).map(|chunk| chunk.hash.as_str()).collect();
    let shared = shared_by_all(&all.catalogue, &documents)?;
    let chunks = shared.into_iter().map(TemplateChunk::new).filter(|chunk| !known.contains(&chunk.hash.as_str()));
    Ok(MarkedTemplate {
        name: String::new(),
        from: format!("cluster {number}: {} and others", cluster.representative),
        documents: documents.len() as u64,
        text: None,
        chunks: chunks.collect(),
    })
}

fn of_chunk(documents: &Documents, hash: &str) -> Result<MarkedTemplate, Error> {
    let wanted = hash.to_ascii_lowercase();
    if wanted.len() < 4 || wanted.len() > 32 || !wanted.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(Error::Template(TemplateError::BadHash { hash: hash.to_owned() }));
    }
    let mut found: FxHashMap<Listed, u64> = FxHashMap::default();
    ChunkLists::of_catalogue(&documents.catalogue).for_each(|_, chunks| {
        chunks.sort_unstable();
        chunks.dedup();
        for chunk in chunks.iter().filter(|chunk| format!("{:032x}", chunk.hash).starts_with(&wanted)) {
            *found.entry(*chunk).or_default() += 1;
        }
        Ok(())
    })?;
    let mut found: Vec<(Listed, u64)> = found.into_iter().collect();
    found.sort_unstable();
    match found.as_slice() {
        [] => Err(Error::Template(TemplateError::ChunksOfHash { hash: hash.to_owned(), chunks: 0 })),
        [(chunk, documents)] => Ok(MarkedTemplate {
            name: String::new(),
            from: format!("chunk {}", TemplateChunk::new(*chunk).hash),
            documents: *documents,
            text: None,
            chunks: vec![TemplateChunk::new(*chunk)],
        }),
        many => Err(Error::Template(TemplateError::ChunksOfHash { hash: hash.to_owned(), chunks: many.len() as u64 })),
    }
}

fn of_file(run: &SavedChunkRun, documents: &Documents, path: &Path, key: &str) -> Result<MarkedTemplate, Error> {
    let recipe = ChunkRecipe::new(run.recipe.parameters.mean, key)?;
    if recipe != run.recipe {
        return Err(Error::WrongKey { recipe: run.recipe.to_string() });
    }
    let data = std::fs::read(path).map_err(|source| StoreError::Read { what: path.display().to_string(), source })?;
    let mut chunks = Vec::new();
    Chunker::new(recipe.parameters, key).chunks(&data, |chunk| {
        chunks.push(Listed { hash: chunk.hash, length: chunk.length as u32 });
    });
    let mut sorted = chunks.clone();
    sorted.sort_unstable();
    let mut having = 0;
    ChunkLists::of_catalogue(&documents.catalogue).for_each(|_, list| {
        having += u64::from(list.iter().any(|chunk| sorted.binary_search(chunk).is_ok()));
        Ok(())
    })?;
    let mut seen = rustc_hash::FxHashSet::default();
    chunks.retain(|chunk| seen.insert(*chunk));
    Ok(MarkedTemplate {
        name: String::new(),
        from: format!("file {}", lookalike_corpus::id_of(path)),
        documents: having,
        text: beginning(&data),
        chunks: chunks.into_iter().map(TemplateChunk::new).collect(),
    })
}
