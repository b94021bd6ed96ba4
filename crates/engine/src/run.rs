//! A saved run: sketches and judged pairs, so that the last phase can be repeated with another policy.
//!
//! A folder with `run.json` (what was done, with the number of records in each file), `documents`, `sketches` and `pairs`. All but
//! the first are spools: every record has its checksum.

use crate::options::{Candidates, Policy};
use crate::pipeline::assemble::{self, Documents};
use crate::pipeline::catalogue::encode_sketch;
use crate::pipeline::clustering::{Evidence, Judged, links_of};
use crate::pipeline::filter::Filter;
use crate::pipeline::join::Candidate;
use crate::pipeline::ranking::{Rankable, Ranking, rank};
use crate::report::{Class, Report, SCHEMA, Skip, Template};
use crate::scan::Scan;
use crate::{Error, RecipeError, ShingleRecipe, default_memory};
use lookalike_core::sets::Overlap;
use lookalike_store::{Error as StoreError, ExternalSort, Records, Sequence, Spool, SpoolReader, TempSpace, atomic};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Version of the folder's form.
const FORMAT: u32 = 1;
/// Bytes of pairs in a record: one checksum for many pairs.
const PAIRS: usize = 4096;

#[derive(Serialize, Deserialize)]
struct Manifest {
    /// BLAKE3 of this file with an empty checksum.
    checksum: String,
    format: u32,
    lookalike: String,
    recipe: String,
    policy: Policy,
    candidates: Candidates,
    common: u32,
    whole: bool,
    estimate: bool,
    documents: u64,
    bytes: u64,
    unsampled: u64,
    repeated_ids: u64,
    pair_records: u64,
    skipped: Vec<(String, String, String)>,
    templates: Vec<(u64, u64, Option<String>, String)>,
}

impl Manifest {
    fn sum(&mut self) -> String {
        self.checksum.clear();
        blake3::hash(&serde_json::to_vec(self).expect("plain data")).to_hex().to_string()
    }
}

/// What is kept of a document.
#[derive(Serialize, Deserialize)]
struct Kept {
    id: String,
    bytes: u64,
    size: u32,
    salt: u32,
    /// Who stood for it, and how it relates.
    stood_for_by: Option<(u32, Class)>,
}

impl Scan {
    /// Keeps the run in a new folder, for [`recluster`]. Needs `all_pairs`.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        if self.report.simhash.is_some() {
            return Err(Error::Options(
                "a scan by simhash has no sketches to keep; save one of the shingles lens".into(),
            ));
        }
        atomic::folder(path, |folder| {
            let mut documents = Spool::create(&folder.join("documents"))?;
            let mut sketches = Spool::create(&folder.join("sketches"))?;
            let mut others: BTreeMap<u32, (u32, Class)> = BTreeMap::new();
            others.extend(self.equivalents.all().iter().map(|(standing, other, class)| (*other, (*standing, *class))));
            let mut buffer = Vec::new();
            for document in 0..self.catalogue.len() as u32 {
                let entry = self.catalogue.entry(document)?;
                let kept = Kept {
                    id: entry.id,
                    bytes: entry.bytes,
                    size: self.sizes[document as usize],
                    salt: self.catalogue.salts[document as usize],
                    stood_for_by: others.get(&document).copied(),
                };
                documents.append(&serde_json::to_vec(&kept).expect("plain data"))?;
                encode_sketch(&self.catalogue.sketch(document)?, &mut buffer);
                sketches.append(&buffer)?;
            }
            let mut pairs = Spool::create(&folder.join("pairs"))?;
            let mut block: Vec<Judged> = Vec::with_capacity(PAIRS);
            for judged in self.judged.iter().flat_map(Records::iter) {
                let mut judged = judged?;
                let document = |rank: u32| self.ranking.documents[rank as usize];
                (judged.pair.a, judged.pair.b) = (document(judged.pair.a), document(judged.pair.b));
                block.push(judged);
                if block.len() == PAIRS {
                    pairs.append(bytemuck::cast_slice(&block))?;
                    block.clear();
                }
            }
            pairs.append(bytemuck::cast_slice(&block))?;
            let report = &self.report;
            let mut manifest = Manifest {
                checksum: String::new(),
                format: FORMAT,
                lookalike: report.lookalike.to_owned(),
                recipe: report.recipe.clone(),
                policy: report.policy,
                candidates: report.candidates,
                common: report.common,
                whole: report.whole,
                estimate: report.estimate,
                documents: documents.finish()?.len(),
                bytes: report.bytes,
                unsampled: report.unsampled,
                repeated_ids: report.repeated_ids,
                pair_records: pairs.finish()?.len(),
                skipped: report.skipped.iter().map(|s| (s.id.clone(), s.reason.clone(), s.kind.clone())).collect(),
                templates: report
                    .templates
                    .iter()
                    .map(|t| (t.documents, t.shingles, t.text.clone(), t.example.clone()))
                    .collect(),
            };
            sketches.finish()?;
            manifest.checksum = manifest.sum();
            let json = serde_json::to_vec_pretty(&manifest).expect("plain data");
            let failed = |source| StoreError::Write { what: folder.join("run.json").display().to_string(), source };
            Ok(std::fs::write(folder.join("run.json"), json).map_err(failed)?)
        })
    }
}

/// A run that was read back.
struct Run {
    ids: Vec<String>,
    bytes: Vec<u64>,
    sizes: Vec<u32>,
    salts: Vec<u32>,
    others: BTreeMap<u32, Vec<(u32, Class)>>,
}

/// Clusters a saved run again. The threshold may be raised, not lowered: what was below it was never compared.
pub fn recluster(path: &Path, policy: impl FnOnce(Policy) -> Policy) -> Result<Report, Error> {
    let wrong = |reason: String| Error::Run { path: path.display().to_string(), reason };
    let manifest = std::fs::read(path.join("run.json"))
        .map_err(|e| wrong(format!("cannot read run.json: {e}; expected a folder written by scan --save")))?;
    let mut manifest: Manifest =
        serde_json::from_slice(&manifest).map_err(|e| wrong(format!("run.json is damaged: {e}; scan again")))?;
    let checksum = std::mem::take(&mut manifest.checksum);
    if checksum != manifest.sum() {
        return Err(wrong("run.json is damaged: its checksum does not match; scan again".into()));
    }
    if manifest.format != FORMAT {
        return Err(wrong(format!(
            "expected format {FORMAT}, found {}; scan again with this version",
            manifest.format
        )));
    }
    let recipe: ShingleRecipe = manifest.recipe.parse().map_err(|problem: RecipeError| wrong(problem.to_string()))?;
    let policy = policy(manifest.policy);
    policy.check()?;
    allowed(&manifest, policy).map_err(wrong)?;
    let filter = Filter { policy, sampling: recipe.sampling, estimate: manifest.estimate };
    let run = read_documents(path, &manifest)?;
    let space = Arc::new(TempSpace::new(None)?);
    let judged = read_pairs(path, &manifest, &space, &run)?;
    let mut candidates = Sequence::new(&space, "the candidates", budget());
    for judged in judged.iter() {
        let pair = judged?.pair;
        if filter.candidate(pair.sample()) {
            candidates.push(pair)?;
        }
    }
    let candidates = candidates.finish()?;
    let (ranking, _) = rank(&space, budget(), &filter, &run, &run.sizes, &candidates)?;
    let ranked = rank_judged(&space, &ranking, &judged, run.sizes.len())?;
    let links = links_of(&filter, &ranking, &ranked)?;
    let (clusters, summary) = assemble::assemble(&filter, links, &run)?;
    Ok(Report {
        schema: SCHEMA,
        lookalike: env!("CARGO_PKG_VERSION"),
        recipe: manifest.recipe,
        policy,
        candidates: manifest.candidates,
        common: manifest.common,
        whole: manifest.whole,
        estimate: manifest.estimate,
        documents: manifest.documents,
        bytes: manifest.bytes,
        unsampled: manifest.unsampled,
        repeated_ids: manifest.repeated_ids,
        summary,
        reviewed: None,
        against: None,
        chunks: None,
        simhash: None,
        skipped: manifest
            .skipped
            .into_iter()
            .map(|(id, reason, kind)| Skip { id, reason, kind, damage: false })
            .collect(),
        clusters,
        templates: manifest
            .templates
            .into_iter()
            .map(|(documents, shingles, text, example)| Template { documents, shingles, text, example, named: false })
            .collect(),
        phases: Vec::new(),
        usage: None,
    })
}

fn allowed(manifest: &Manifest, policy: Policy) -> Result<(), String> {
    let saved = manifest.policy;
    if !(saved.threshold..=1.0).contains(&policy.threshold) {
        return Err(format!(
            "was saved with --threshold {}: expected at least that and at most 1, found {}; scan again for a lower one",
            saved.threshold, policy.threshold
        ));
    }
    match (saved.contained, policy.contained) {
        (_, None) => Ok(()),
        (Some(saved), Some(new)) if (saved..=1.0).contains(&new) => Ok(()),
        (Some(saved), Some(new)) => {
            Err(format!("was saved with --contained {saved}: expected at least that, found {new}; scan again"))
        }
        (None, Some(_)) => Err("was saved without --contained: scan again with it".into()),
    }
}

fn read_documents(path: &Path, manifest: &Manifest) -> Result<Run, Error> {
    let mut run = Run { ids: vec![], bytes: vec![], sizes: vec![], salts: vec![], others: BTreeMap::new() };
    let damaged =
        || Error::Run { path: path.display().to_string(), reason: "documents do not fit together; scan again".into() };
    SpoolReader::open(&path.join("documents"), manifest.documents)?.for_each(|record| {
        let kept: Kept = serde_json::from_slice(record).map_err(|_| damaged())?;
        if let Some((standing, class)) = kept.stood_for_by {
            run.others.entry(standing).or_default().push((run.ids.len() as u32, class));
        }
        run.ids.push(kept.id);
        run.bytes.push(kept.bytes);
        run.sizes.push(kept.size);
        run.salts.push(kept.salt);
        Ok::<_, Error>(())
    })?;
    let count = run.ids.len() as u32;
    if run.others.last_key_value().is_some_and(|(standing, _)| *standing >= count) { Err(damaged()) } else { Ok(run) }
}

fn read_pairs(path: &Path, manifest: &Manifest, space: &Arc<TempSpace>, run: &Run) -> Result<Records<Judged>, Error> {
    let mut judged = Sequence::new(space, "the pairs", budget());
    let damaged =
        || Error::Run { path: path.display().to_string(), reason: "pairs do not fit the documents; scan again".into() };
    SpoolReader::open(&path.join("pairs"), manifest.pair_records)?.for_each(|record| {
        for bytes in record.chunks(size_of::<Judged>()) {
            let pair: Judged = bytemuck::try_pod_read_unaligned(bytes).map_err(|_| damaged())?;
            if !pair.makes_sense(run.ids.len()) {
                return Err(damaged());
            }
            judged.push(pair)?;
        }
        Ok::<_, Error>(())
    })?;
    Ok(judged.finish()?)
}

/// The judged pairs by rank, in the order in which a scan would judge them.
fn rank_judged(
    space: &Arc<TempSpace>,
    ranking: &Ranking,
    judged: &Records<Judged>,
    documents: usize,
) -> Result<Records<Judged>, Error> {
    let mut rank = vec![u32::MAX; documents];
    for (at, document) in ranking.documents.iter().enumerate() {
        rank[*document as usize] = at as u32;
    }
    let mut sort = ExternalSort::new(space, "the pairs", budget());
    for judged in judged.iter() {
        let judged = judged?;
        let (a, b) = (rank[judged.pair.a as usize], rank[judged.pair.b as usize]);
        if a != u32::MAX && b != u32::MAX {
            let exact = match judged.evidence() {
                Evidence::Exact(overlap) => Some(overlap),
                _ => None,
            };
            let pair = Candidate { a, b, ..judged.pair };
            sort.push(if a < b {
                Judged::new(pair, exact)
            } else {
                Judged::new(pair.swapped(), exact.map(Overlap::swapped))
            })?;
        }
    }
    Ok(sort.finish()?)
}

/// Bytes that the pairs of a run may take in memory at each step.
fn budget() -> usize {
    usize::try_from(default_memory() / 8).unwrap_or(usize::MAX)
}

impl Rankable for Run {
    fn salts(&self) -> &[u32] {
        &self.salts
    }

    fn id(&self, document: u32) -> Result<String, Error> {
        Ok(self.ids[document as usize].clone())
    }
}

impl Documents for Run {
    fn describe(&self, document: u32) -> Result<(String, u64), Error> {
        Ok((self.ids[document as usize].clone(), self.bytes[document as usize]))
    }

    fn equivalents(&self, document: u32) -> Vec<(u32, Class)> {
        self.others.get(&document).into_iter().flatten().copied().collect()
    }

    fn stand_ins(&self) -> Vec<u32> {
        self.others.keys().copied().collect()
    }
}
