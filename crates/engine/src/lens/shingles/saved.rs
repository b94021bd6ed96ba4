//! A saved run: sketches and scored pairs, so that the last phase can be repeated with another policy.
//!
//! A folder with `run.json` (what was done, with the number of records in each file), `documents`, `sketches` and `pairs`. All but
//! the first are spools: every record has its checksum.

use crate::Error;
use crate::error::{OptionName, SavedRunError};
use crate::lens::shingles::clustering::{ScoredPair, links_of};
use crate::lens::shingles::ranking::Ranking;
use crate::report::cluster::Class;
use crate::report::policy::Policy;
use crate::report::shingles::Shingles;
use crate::report::{Report, Section};
use crate::run::assemble::{self, DocumentSource};
use crate::run::catalogue::encode_sketch;
use crate::run::documents::Documents;
use crate::run::filter::Filter;
use crate::run::saved::Manifest;
use lookalike_core::lens::Lens;
use lookalike_core::recipe::ShingleRecipe;
use lookalike_store::Records;
use lookalike_store::Sequence;
use lookalike_store::Spool;
use lookalike_store::SpoolReader;
use lookalike_store::TempSpace;
use lookalike_store::atomic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Pairs in a record: one checksum for many pairs.
const MAX_RECORD_PAIRS: usize = 4096;

/// What `run.json` says beside what all lenses say.
#[derive(Serialize, Deserialize)]
struct ShingleRunContents {
    section: Shingles,
    documents: u64,
    bytes: u64,
    repeated_ids: u64,
    pair_records: u64,
}

/// A document in a saved run.
#[derive(Serialize, Deserialize)]
struct SavedDocument {
    id: String,
    bytes: u64,
    /// Its canonical document, and how it relates.
    duplicate_of: Option<(u32, Class)>,
    /// Its place in the order of representatives, if it was in any pair.
    rank: Option<u32>,
}

/// Keeps a run in a new folder, for [`recluster`].
pub fn save(
    (ranking, pairs): (&Ranking, Option<&Records<ScoredPair>>),
    report: &Report,
    documents: &Documents,
    path: &Path,
) -> Result<(), Error> {
    let Some(section) = report.shingles() else { return Err(Error::cannot_be_saved(report.head.lens)) };
    let catalogue = &documents.catalogue;
    let mut ranks = vec![None; catalogue.len()];
    for (rank, document) in ranking.documents.iter().enumerate() {
        ranks[*document as usize] = Some(rank as u32);
    }
    atomic::folder(path, |folder| {
        let mut spool = Spool::create(&folder.join("documents"))?;
        let mut sketches = Spool::create(&folder.join("sketches"))?;
        let mut buffer = Vec::new();
        for (document, rank) in (0..).zip(ranks) {
            let entry = catalogue.entry(document)?;
            let duplicate_of = documents.duplicates.duplicate_of(document);
            let saved = SavedDocument { id: entry.id, bytes: entry.bytes, duplicate_of, rank };
            spool.append(&serde_json::to_vec(&saved).expect("plain data"))?;
            encode_sketch(&catalogue.sketch(document)?, &mut buffer);
            sketches.append(&buffer)?;
        }
        let mut blocks = Spool::create(&folder.join("pairs"))?;
        let mut block: Vec<ScoredPair> = Vec::with_capacity(MAX_RECORD_PAIRS);
        for scored in pairs.into_iter().flat_map(Records::iter) {
            block.push(scored?);
            if block.len() == MAX_RECORD_PAIRS {
                blocks.append(bytemuck::cast_slice(&block))?;
                block.clear();
            }
        }
        blocks.append(bytemuck::cast_slice(&block))?;
        let contents = ShingleRunContents {
            // another threshold makes other clusters, and what those share is not known then
            section: Shingles { dominant: None, ..section.clone() },
            documents: spool.finish()?.len(),
            bytes: report.head.bytes,
            repeated_ids: report.head.repeated_ids,
            pair_records: blocks.finish()?.len(),
        };
        sketches.finish()?;
        Manifest::of(report, contents).write(folder)
    })
}

/// A run that was read back.
#[derive(Default)]
struct SavedShingleRun {
    ids: Vec<String>,
    bytes: Vec<u64>,
    duplicates: BTreeMap<u32, Vec<(u32, Class)>>,
    ranking: Ranking,
}

/// Clusters a saved run again. The threshold may be raised, not lowered: what was below it was never compared. The order of representatives
/// does not depend on the policy, so it is the saved one.
pub fn recluster(path: &Path, policy: impl FnOnce(Policy) -> Policy) -> Result<Report, Error> {
    let Manifest { recipe, policy: saved, skipped, contents, .. } =
        Manifest::<ShingleRunContents>::read(path, Lens::Shingles)?;
    let recipe: ShingleRecipe = recipe.parse()?;
    let policy = policy(saved);
    policy.check()?;
    allowed(saved, policy).map_err(|reason| Error::SavedRun { path: path.to_owned(), reason })?;
    let filter = Filter { policy, sampling: recipe.sampling, estimate: contents.section.estimate };
    let run = read_documents(path, contents.documents)?;
    let space = Arc::new(TempSpace::new(None)?);
    let scored = read_pairs(path, contents.pair_records, &space, &run)?;
    let links = links_of(&filter, &run.ranking, &scored)?;
    let (clusters, summary) = assemble::assemble(&filter, links, &run)?;
    let mut report = Report::new(&recipe.into(), policy, Section::Shingles(contents.section));
    report.head.documents = contents.documents;
    report.head.bytes = contents.bytes;
    report.head.repeated_ids = contents.repeated_ids;
    report.head.summary = summary;
    report.skipped = skipped;
    report.clusters = clusters;
    Ok(report)
}

fn allowed(saved: Policy, new: Policy) -> Result<(), SavedRunError> {
    let at_least = |option: OptionName, saved: f64, found: f64| {
        if (saved..=1.0).contains(&found) { Ok(()) } else { Err(SavedRunError::TooLow { option, saved, found }) }
    };
    at_least(OptionName::Threshold, saved.threshold, new.threshold)?;
    match (saved.contained, new.contained) {
        (_, None) => Ok(()),
        (Some(saved), Some(new)) => at_least(OptionName::Contained, saved, new),
        (None, Some(_)) => Err(SavedRunError::NotLookedFor(OptionName::Contained)),
    }
}

fn damaged(path: &Path, what: &str) -> Error {
    Error::SavedRun { path: path.to_owned(), reason: SavedRunError::Damaged(what.to_owned()) }
}

fn read_documents(path: &Path, documents: u64) -> Result<SavedShingleRun, Error> {
    let mut run = SavedShingleRun::default();
    let damaged = || damaged(path, "documents do not fit together");
    let mut ranked: Vec<(u32, u32)> = Vec::new();
    SpoolReader::open(&path.join("documents"), documents)?.for_each(|record| {
        let saved: SavedDocument = serde_json::from_slice(record).map_err(|_| damaged())?;
        let document = run.ids.len() as u32;
        if let Some((canonical, class)) = saved.duplicate_of {
            run.duplicates.entry(canonical).or_default().push((document, class));
        }
        ranked.extend(saved.rank.map(|rank| (rank, document)));
        run.ids.push(saved.id);
        run.bytes.push(saved.bytes);
        Ok::<_, Error>(())
    })?;
    ranked.sort_unstable();
    if ranked.iter().zip(0..).any(|((rank, _), at)| *rank != at)
        || run.duplicates.last_key_value().is_some_and(|(canonical, _)| *canonical as usize >= run.ids.len())
    {
        return Err(damaged());
    }
    run.ranking.documents = ranked.into_iter().map(|(_, document)| document).collect();
    Ok(run)
}

fn read_pairs(
    path: &Path,
    pair_records: u64,
    space: &Arc<TempSpace>,
    run: &SavedShingleRun,
) -> Result<Records<ScoredPair>, Error> {
    let mut scored = Sequence::new(space, "the pairs", budget());
    let damaged = || damaged(path, "pairs do not fit the documents");
    let mut last = (0, 0);
    SpoolReader::open(&path.join("pairs"), pair_records)?.for_each(|record| {
        for bytes in record.chunks(size_of::<ScoredPair>()) {
            let pair: ScoredPair = bytemuck::try_pod_read_unaligned(bytes).map_err(|_| damaged())?;
            let ranks = (pair.pair.a, pair.pair.b);
            if !pair.is_possible(run.ranking.documents.len()) || ranks.0 > ranks.1 || ranks < last {
                return Err(damaged());
            }
            last = ranks;
            scored.push(pair)?;
        }
        Ok::<_, Error>(())
    })?;
    Ok(scored.finish()?)
}

/// Bytes that the pairs of a run may take in memory at each step.
fn budget() -> usize {
    usize::try_from(lookalike_store::resources::default_memory() / 8).unwrap_or(usize::MAX)
}

impl DocumentSource for SavedShingleRun {
    fn describe(&self, document: u32) -> Result<(String, u64), Error> {
        Ok((self.ids[document as usize].clone(), self.bytes[document as usize]))
    }

    fn duplicates(&self, document: u32) -> Vec<(u32, Class)> {
        self.duplicates.get(&document).into_iter().flatten().copied().collect()
    }

    fn canonical_documents(&self) -> Vec<u32> {
        self.duplicates.keys().copied().collect()
    }
}
