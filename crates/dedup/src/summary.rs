//! What was done, in numbers.

use crate::asked::AskedOptions;
use crate::contamination::Contaminations;
use crate::corpus_counts::CorpusCounts;
use crate::options::DedupOptions;
use crate::removal::{Kept, Removal, Removals, Shares};
use crate::uncompared::Uncompared;
use lookalike_engine::lens::shingles::linking::LinkedDocuments;
use lookalike_engine::report::SCHEMA;
use lookalike_engine::report::policy::Policy;
use lookalike_store::{Error as StoreError, atomic};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Clusters that are listed.
const MAX_CLUSTERS: usize = 20;
/// Bars of the histogram.
const BARS: usize = 20;

/// What a run read, removed and kept.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DedupSummary {
    /// The options that decided the result.
    pub options: AskedOptions,
    /// How documents were compared.
    pub recipe: String,
    /// From which numbers on they are duplicates.
    pub policy: Policy,
    /// The probability that two documents of just the least resemblance are found to be duplicates.
    pub found_at_threshold: f64,
    /// Documents that were read.
    pub documents: u64,
    /// Documents that were removed, or marked.
    pub removed: u64,
    /// Documents that stay.
    pub kept: u64,
    /// Bytes of text that were read.
    pub bytes: u64,
    /// Bytes of text of what was removed.
    pub removed_bytes: u64,
    /// Removed documents by how they relate to what stays.
    pub classes: ClassCounts,
    /// Removed documents that an index has, or that are like one that it has.
    pub known: u64,
    /// Of those, how many by an estimate only: the old document cannot be read any more.
    pub known_by_estimate: u64,
    /// Documents with duplicates that stay.
    pub clusters: u64,
    /// The largest of them.
    pub largest_clusters: Vec<LargeCluster>,
    /// By source, in the order of reading.
    pub sources: Vec<SourceCounts>,
    /// Removed documents by their resemblance to what stays: from 0 to 1 in twenty steps, 1 in the last.
    pub resemblance: [u64; BARS],
    /// Documents that hold items of benchmarks, if any were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contamination: Option<ContaminationCounts>,
    /// Documents whose id another has too.
    pub repeated_ids: u64,
    /// Duplicates that stay because they cannot be taken out of the file that they are in.
    pub held: u64,
    /// What was not compared or left out.
    #[serde(flatten)]
    pub uncompared: Uncompared,
    /// What became of every file and record, if the corpus was written again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<CorpusCounts>,
}

/// Documents by their class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClassCounts {
    /// The same bytes.
    pub identical: u64,
    /// The same words.
    pub lexical: u64,
    /// The same shingles.
    pub shingle: u64,
    /// Resemblance of at least the threshold.
    pub near: u64,
    /// Inside what stays.
    pub contained: u64,
    /// By a chain of links only.
    pub chained: u64,
}

/// A document that stays and stands for many.
#[derive(Clone, Debug, Serialize)]
pub struct LargeCluster {
    /// Its number.
    pub cluster: u32,
    /// The document that stays.
    pub kept: String,
    /// How many were removed.
    pub removed: u64,
}

/// What happened to the documents of one source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SourceCounts {
    /// What it is called.
    pub source: String,
    /// Its documents.
    pub documents: u64,
    /// Those that were removed.
    pub removed: u64,
    /// Of those, how many for a document of the same source.
    pub removed_within: u64,
}

/// Writes a summary as JSON, with the version of the program in front.
pub(crate) fn write_json(summary: &impl Serialize, path: &Path) -> Result<(), StoreError> {
    #[derive(Serialize)]
    struct Versioned<'a, T> {
        schema: u32,
        lookalike: &'static str,
        #[serde(flatten)]
        summary: &'a T,
    }
    let failed = |source| StoreError::Write { what: path.display().to_string(), source };
    let versioned = Versioned { schema: SCHEMA, lookalike: env!("CARGO_PKG_VERSION"), summary };
    atomic::write(path, |out| {
        serde_json::to_writer_pretty(&mut *out, &versioned).map_err(|error| failed(error.into()))?;
        out.write_all(b"\n").map_err(failed)
    })
}

impl DedupSummary {
    /// Of a run; `removed_bytes` is known by who has looked at every removed document.
    pub fn new(
        options: &DedupOptions,
        linked: &LinkedDocuments,
        removals: &Removals,
        removed_bytes: u64,
        contaminations: Option<&Contaminations>,
        written: Option<CorpusCounts>,
    ) -> Result<Self, StoreError> {
        let catalogue = &linked.documents.catalogue;
        let (documents, removed) = (catalogue.len() as u64, removals.all().len() as u64);
        let mut sizes: BTreeMap<u32, (u64, u32)> = BTreeMap::new();
        for removal in removals.all() {
            if let Kept::Document(kept) = removal.kept {
                sizes.entry(removal.cluster).or_insert((0, kept)).0 += 1;
            }
        }
        let clusters = sizes.len() as u64;
        let mut largest: Vec<(u32, (u64, u32))> = sizes.into_iter().collect();
        largest.sort_by_key(|(cluster, (size, _))| (std::cmp::Reverse(*size), *cluster));
        largest.truncate(MAX_CLUSTERS);
        let largest_clusters = largest
            .into_iter()
            .map(|(cluster, (removed, kept))| Ok(LargeCluster { cluster, kept: catalogue.id(kept)?, removed }));
        Ok(Self {
            options: options.into(),
            recipe: options.shingles.recipe.to_string(),
            policy: options.shingles.policy,
            found_at_threshold: linked.filter.found_at_threshold(),
            documents,
            removed,
            kept: documents - removed,
            bytes: catalogue.bytes,
            removed_bytes,
            classes: ClassCounts::of(removals),
            known: removals.known().len() as u64,
            known_by_estimate: removals.known().iter().filter(|copy| !copy.verified).count() as u64,
            clusters,
            largest_clusters: largest_clusters.collect::<Result<_, StoreError>>()?,
            sources: sources(linked, removals),
            resemblance: histogram(removals),
            contamination: contaminations.map(ContaminationCounts::of),
            repeated_ids: catalogue.repeated_ids,
            held: removals.held(),
            uncompared: Uncompared::new(&catalogue.skipped),
            written,
        })
    }
}

/// Benchmarks in a corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ContaminationCounts {
    /// Items that were looked for.
    pub items: u64,
    /// Items that stand in some document.
    pub items_found: u64,
    /// Documents that hold one.
    pub documents: u64,
    /// Items that are too short to be looked for, or could not be read.
    pub items_skipped: u64,
}

impl ContaminationCounts {
    fn of(found: &Contaminations) -> Self {
        let items: BTreeSet<_> = found.all.iter().map(|found| (&found.benchmark, &found.item)).collect();
        let documents: BTreeSet<_> = found.all.iter().map(|found| (&found.place, &found.id)).collect();
        Self {
            items: found.items,
            items_found: items.len() as u64,
            documents: documents.len() as u64,
            items_skipped: found.skipped.len() as u64,
        }
    }
}

impl ClassCounts {
    fn of(removals: &Removals) -> Self {
        use lookalike_engine::report::cluster::Class;
        let mut counts = Self::default();
        for removal in removals.all() {
            *match removal.class {
                Class::Identical => &mut counts.identical,
                Class::Lexical => &mut counts.lexical,
                Class::Shingle => &mut counts.shingle,
                Class::Near => &mut counts.near,
                Class::Contained => &mut counts.contained,
                Class::Chained => &mut counts.chained,
            } += 1;
        }
        counts
    }
}

fn sources(linked: &LinkedDocuments, removals: &Removals) -> Vec<SourceCounts> {
    let origins = &linked.documents.catalogue.origins;
    let mut counts: Vec<SourceCounts> =
        origins.names.iter().map(|name| SourceCounts { source: name.clone(), ..SourceCounts::default() }).collect();
    for source in &origins.sources {
        counts[*source as usize].documents += 1;
    }
    for Removal { document, kept, .. } in removals.all() {
        let source = |document: u32| origins.sources.get(document as usize).copied();
        if let Some(of) = source(*document) {
            counts[of as usize].removed += 1;
            counts[of as usize].removed_within += u64::from(kept.document().and_then(source) == Some(of));
        }
    }
    counts
}

fn histogram(removals: &Removals) -> [u64; BARS] {
    let mut bars = [0; BARS];
    for Shares { resemblance, .. } in removals.all().iter().filter_map(|removal| removals.shares(removal)) {
        bars[((resemblance * BARS as f64) as usize).min(BARS - 1)] += 1;
    }
    bars
}
