//! A saved run, and what is done with it and an exchange file: analyse again, mark templates.
//!
//! A folder with `run.json` (what was asked, and what was left out) and `documents.lka` (an exchange file).

use super::exchange;
use super::ignored::shared_by_all;
use super::lists::{Listed, Lists};
use super::options::Options;
use super::reading::{Chunked, Collector};
use super::scan::{self, Found, Scan, Started};
use super::tell::beginning;
use super::templates::{MarkedTemplate, TemplateChunk, TemplateList};
use crate::exchange::{Names, Sketched};
use crate::pipeline::Session;
use crate::pipeline::decided::Decisions;
use crate::progress::{Cancel, Progress, Silent};
use crate::report::{Report, Skip};
use crate::{Error, Input, Policy, RecipeError, ScanOptions, StoreError, atomic, resources};
use lookalike_core::chunk::{ChunkRecipe, Chunker};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::path::Path;

const FORM: u32 = 1;
const LENS: &str = "chunks";

#[derive(Serialize, Deserialize)]
struct Manifest {
    /// BLAKE3 of this file with an empty checksum.
    checksum: String,
    lens: String,
    form: u32,
    lookalike: String,
    recipe: String,
    policy: Policy,
    common_share: f64,
    common: u32,
    skipped: Vec<(String, String, String)>,
}

impl Manifest {
    fn sum(&mut self) -> String {
        self.checksum.clear();
        blake3::hash(&serde_json::to_vec(self).expect("plain data")).to_hex().to_string()
    }

    fn read(run: &Path) -> Result<Self, Error> {
        let wrong = |reason: String| Error::Run { path: run.display().to_string(), reason };
        let bytes = std::fs::read(run.join("run.json"))
            .map_err(|e| wrong(format!("cannot read run.json: {e}; expected a folder written by scan --save")))?;
        let mut manifest: Self = serde_json::from_slice(&bytes).map_err(|e| {
            wrong(format!("run.json is no run of the chunks lens: {e}; scan again with --lens chunks --save"))
        })?;
        let checksum = std::mem::take(&mut manifest.checksum);
        if checksum != manifest.sum() {
            return Err(wrong("run.json is damaged: its checksum does not match; scan again".into()));
        }
        if manifest.form != FORM || manifest.lens != LENS {
            let found = format!("{} of form {}", manifest.lens, manifest.form);
            return Err(wrong(format!("expected a run of the lens {LENS}, form {FORM}, found {found}; scan again")));
        }
        Ok(manifest)
    }
}

/// Whether a folder is a saved run of the chunks lens.
pub fn is_run(run: &Path) -> bool {
    #[derive(Deserialize)]
    struct Lens {
        lens: String,
    }
    let lens = std::fs::read(run.join("run.json")).ok().and_then(|b| serde_json::from_slice::<Lens>(&b).ok());
    lens.is_some_and(|found| found.lens == LENS)
}

impl Scan {
    /// Keeps the run in a new folder, for [`recluster`] and [`mark`].
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let report = &self.report;
        let mut manifest = Manifest {
            checksum: String::new(),
            lens: LENS.to_owned(),
            form: FORM,
            lookalike: report.lookalike.to_owned(),
            recipe: report.recipe.clone(),
            policy: report.policy,
            common_share: report.chunks.as_ref().map_or(0.5, |chunks| chunks.common_share),
            common: report.common,
            skipped: report.skipped.iter().map(|s| (s.id.clone(), s.reason.clone(), s.kind.clone())).collect(),
        };
        manifest.checksum = manifest.sum();
        atomic::folder(path, |folder| {
            exchange::write(&folder.join("documents.lka"), &self.chunked, &report.recipe, Names::Plain, "")?;
            let json = serde_json::to_vec_pretty(&manifest).expect("plain data");
            let failed = |source| StoreError::Write { what: folder.join("run.json").display().to_string(), source };
            Ok(std::fs::write(folder.join("run.json"), json).map_err(failed)?)
        })
    }
}

/// A run that was read back.
struct Run {
    options: Options,
    recipe: ChunkRecipe,
    chunked: Chunked,
    skipped: Vec<Skip>,
}

impl Run {
    fn read(run: &Path, session: &Session<'_>, change: impl FnOnce(Policy) -> Policy) -> Result<Self, Error> {
        let manifest = Manifest::read(run)?;
        let mut collector = Collector::new(session)?;
        let wrong = |reason| Error::Run { path: run.display().to_string(), reason };
        let recipe: ChunkRecipe = manifest.recipe.parse().map_err(|problem: RecipeError| wrong(problem.to_string()))?;
        exchange::read(&run.join("documents.lka"), None, &recipe, session.cancel, &mut collector)?;
        let mut options =
            Options { mean: recipe.parameters.mean, common_share: manifest.common_share, ..Options::default() };
        options.scan.policy = change(manifest.policy);
        options.scan.common = manifest.common;
        let skipped = manifest.skipped.into_iter().map(|(id, reason, kind)| Skip { id, reason, kind, damage: false });
        Ok(Self { options, recipe, chunked: collector.finish()?, skipped: skipped.collect() })
    }

    fn analyse(&self, session: &Session<'_>) -> Result<Found, Error> {
        self.options.check(&self.recipe.to_string())?;
        scan::find(session, &self.options, &self.recipe, &self.chunked, &Decisions::default(), None)
    }
}

/// Analyses a saved run again: with another policy, with templates. The originals are not needed.
pub fn recluster(run: &Path, policy: impl FnOnce(Policy) -> Policy, templates: &TemplateList) -> Result<Report, Error> {
    with_run(run, policy, templates, |session, run| {
        let mut report = run.analyse(session)?.report;
        report.skipped.clone_from(&run.skipped);
        report.phases = Vec::new();
        Ok(report)
    })
}

fn with_run<T>(
    path: &Path,
    policy: impl FnOnce(Policy) -> Policy,
    templates: &TemplateList,
    work: impl FnOnce(&Session<'_>, &Run) -> Result<T, Error> + Send,
) -> Result<T, Error>
where
    T: Send,
{
    let (cancel, options) = (Cancel::default(), ScanOptions::default());
    let session = Session::new(&options, &Silent, &cancel)?;
    let mut run = Run::read(path, &session, policy)?;
    run.options.templates = templates.clone();
    resources::pool(0)?.install(|| work(&session, &run))
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
    let called = run.display().to_string();
    let (recipe, template) = with_run(run, policy, list, |session, run| {
        let template = match what {
            Mark::Cluster(number) => of_cluster(session, run, number, &called)?,
            Mark::Chunk(hash) => of_chunk(run, hash, &called)?,
            Mark::File(path) => of_file(run, path, key)?,
        };
        Ok((run.recipe.to_string(), template))
    })?;
    if template.chunks.is_empty() {
        return Err(Error::Options(format!(
            "{}: no chunk in common that is not ignored already; nothing to mark",
            template.from
        )));
    }
    list.add(&recipe, MarkedTemplate { name: name.clone(), ..template })?;
    Ok(name)
}

fn of_cluster(session: &Session<'_>, run: &Run, number: u64, called: &str) -> Result<MarkedTemplate, Error> {
    let report = run.analyse(session)?.report;
    let cluster = report.clusters.iter().find(|cluster| cluster.id == number).ok_or_else(|| {
        Error::Options(format!("{called}: expected a cluster from 1 to {}, found {number}", report.clusters.len()))
    })?;
    let documents: Vec<u32> =
        std::iter::once(cluster.document).chain(cluster.members.iter().map(|m| m.document)).collect();
    let known: Vec<&str> =
        run.options.templates.templates.iter().flat_map(|t| &t.chunks).map(|chunk| chunk.hash.as_str()).collect();
    let shared = shared_by_all(&run.chunked.catalogue, &documents)?;
    let chunks = shared.into_iter().map(TemplateChunk::new).filter(|chunk| !known.contains(&chunk.hash.as_str()));
    Ok(MarkedTemplate {
        name: String::new(),
        from: format!("cluster {number}: {} and others", cluster.representative),
        documents: documents.len() as u64,
        text: None,
        chunks: chunks.collect(),
    })
}

fn of_chunk(run: &Run, hash: &str, called: &str) -> Result<MarkedTemplate, Error> {
    let wanted = hash.to_ascii_lowercase();
    if wanted.len() < 4 || wanted.len() > 32 || !wanted.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(Error::Options(format!("--chunk: expected 4 to 32 hexadecimal digits of a hash, found {hash:?}")));
    }
    let mut found: FxHashMap<Listed, u64> = FxHashMap::default();
    Lists::of_catalogue(&run.chunked.catalogue).for_each(|_, chunks| {
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
        [] => Err(Error::Options(format!("{called} has no chunk whose hash begins with {hash}"))),
        [(chunk, documents)] => Ok(MarkedTemplate {
            name: String::new(),
            from: format!("chunk {}", TemplateChunk::new(*chunk).hash),
            documents: *documents,
            text: None,
            chunks: vec![TemplateChunk::new(*chunk)],
        }),
        many => Err(Error::Options(format!(
            "{called} has {} chunks whose hashes begin with {hash}; give more digits",
            many.len()
        ))),
    }
}

fn of_file(run: &Run, path: &Path, key: &str) -> Result<MarkedTemplate, Error> {
    let recipe =
        ChunkRecipe::new(run.recipe.parameters.mean, key).map_err(|problem| Error::Options(problem.to_string()))?;
    if recipe != run.recipe {
        let (expected, found) = (&run.recipe, recipe);
        return Err(Error::Options(format!(
            "the key does not fit the run: expected {expected}, found {found}; give --key"
        )));
    }
    let data = std::fs::read(path).map_err(|source| StoreError::Read { what: path.display().to_string(), source })?;
    let mut chunks = Vec::new();
    Chunker::new(recipe.parameters, key).chunks(&data, |chunk| {
        chunks.push(Listed { hash: chunk.hash, length: chunk.length as u32 });
    });
    let mut sorted = chunks.clone();
    sorted.sort_unstable();
    let mut documents = 0;
    Lists::of_catalogue(&run.chunked.catalogue).for_each(|_, list| {
        documents += u64::from(list.iter().any(|chunk| sorted.binary_search(chunk).is_ok()));
        Ok(())
    })?;
    let mut seen = rustc_hash::FxHashSet::default();
    chunks.retain(|chunk| seen.insert(*chunk));
    Ok(MarkedTemplate {
        name: String::new(),
        from: format!("file {}", lookalike_corpus::id_of(path)),
        documents,
        text: beginning(&data),
        chunks: chunks.into_iter().map(TemplateChunk::new).collect(),
    })
}

/// Writes an exchange file: names, lengths and chunk hashes.
pub fn sketch(
    inputs: Vec<Input>,
    options: &Options,
    names: Names,
    out: &Path,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Sketched, Error> {
    let started = Started::new(inputs, options)?;
    let session = Session::new(&started.scan, progress, cancel)?;
    let chunked = resources::pool(options.scan.threads)?.install(|| started.chunk(&session))?;
    cancel.check()?;
    let recipe = started.recipe.to_string();
    atomic::file(out, |new| exchange::write(new, &chunked, &recipe, names, &options.key))?;
    let written =
        std::fs::metadata(out).map_err(|source| StoreError::Read { what: out.display().to_string(), source })?;
    Ok(Sketched {
        documents: chunked.catalogue.len() as u64,
        bytes: chunked.catalogue.bytes,
        features: chunked.chunks,
        written: written.len(),
        recipe,
        skipped: chunked.catalogue.skipped,
    })
}
