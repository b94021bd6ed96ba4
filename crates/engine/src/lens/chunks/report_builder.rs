//! What is listed beside the clusters: bytes in common, identical files, folders, templates.

use crate::Error;
use crate::lens::chunks::analysis::{ChunkAnalysis, FrequentChunk};
use crate::lens::chunks::chunk_list;
use crate::lens::chunks::ignored::shared_by_all;
use crate::lens::chunks::options::ChunksOptions;
use crate::lens::chunks::reading::ChunkCounts;
use crate::report::chunks::ChunkTotals;
use crate::report::chunks::{
    AppliedTemplate, Chunks, FrequentChunks, IdenticalFile, IdenticalSet, Refined, Suggestion,
};
use crate::report::cluster::Class;
use crate::report::cluster::Cluster;
use crate::run::Session;
use crate::run::documents::Documents;
use lookalike_core::chunk::{Chunker, Parameters, shared_bytes};
use lookalike_corpus::Place;
use lookalike_corpus::content_name;
use lookalike_corpus::id_of;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Above every share: the pairs are not complete at any.
pub const INCOMPLETE: f64 = 2.0;
/// Characters of a chunk that are shown.
const MAX_EXCERPT: usize = 200;
/// Groups of frequent chunks that a report lists.
const MAX_FREQUENT: usize = 100;

pub struct ChunkReportBuilder<'a> {
    pub documents: &'a Documents,
    pub chunker: &'a Chunker,
}

impl ChunkReportBuilder<'_> {
    /// What each member shares with its representative; `shared` has it by canonical document.
    pub fn shared_bytes(&self, clusters: &mut [Cluster], shared: &FxHashMap<u32, u64>) {
        for cluster in clusters {
            let representative = self.documents.duplicates.canonical_of(cluster.document);
            for member in &mut cluster.members {
                let canonical = self.documents.duplicates.canonical_of(member.document);
                let known = shared.get(&canonical).copied().filter(|bytes| *bytes > 0);
                member.shared_bytes = if canonical == representative { Some(member.bytes) } else { known };
            }
        }
    }

    /// What each member really has in common with its representative; the documents that could not be read again.
    pub fn exact_bytes(&self, session: &Session<'_>, clusters: &mut [Cluster]) -> Result<Vec<u32>, Error> {
        let loader = self.documents.loader();
        let mut lost = Vec::new();
        for cluster in clusters {
            session.cancel.check()?;
            let identical = |class: Class| class == Class::Identical;
            cluster.members.iter_mut().filter(|m| identical(m.class)).for_each(|m| m.exact_bytes = Some(m.bytes));
            if cluster.members.iter().all(|member| identical(member.class)) {
                continue;
            }
            let Some((_, representative)) = loader.body(cluster.document)? else {
                lost.push(cluster.document);
                continue;
            };
            let others = cluster.members.par_iter_mut().filter(|m| !identical(m.class));
            let missing = others.map(|member| {
                let body = loader.body(member.document)?;
                member.exact_bytes = body.map(|(_, body)| {
                    shared_bytes(
                        representative.as_bytes().unwrap_or_default(),
                        body.as_bytes().unwrap_or_default(),
                        self.chunker,
                    )
                });
                Ok(member.exact_bytes.is_none().then_some(member.document))
            });
            lost.extend(missing.collect::<Result<Vec<_>, Error>>()?.into_iter().flatten());
        }
        // documents of an exchange file are nowhere to be read: they are not lost
        lost.retain(|document| self.documents.catalogue.entry(*document).is_ok_and(|entry| entry.place.is_readable()));
        lost.sort_unstable();
        lost.dedup();
        Ok(lost)
    }

    /// The section of the report.
    pub fn section(
        &self,
        (parameters, options): (Parameters, &ChunksOptions),
        counts: ChunkCounts,
        analysis: ChunkAnalysis,
        (templates, refined): (Vec<AppliedTemplate>, Option<Refined>),
        clusters: &[Cluster],
    ) -> Result<Chunks, Error> {
        let identical = self.identical()?;
        let relative = |file: &IdenticalFile| file.modified.is_some() && !Path::new(&file.id).is_absolute();
        let needed = identical.iter().flat_map(|set| &set.files).any(relative);
        let base = needed.then(std::env::current_dir).and_then(Result::ok);
        let bytes = self.documents.catalogue.bytes;
        Ok(Chunks {
            totals: ChunkTotals {
                parameters,
                chunks: counts.chunks,
                distinct: analysis.distinct,
                mean: if counts.chunks == 0 { 0.0 } else { bytes as f64 / counts.chunks as f64 },
                empty: counts.empty,
                alone: self.alone(&analysis.connected),
                components: analysis.components,
                largest_component: analysis.largest,
                max_df: options.max_df,
                refined,
                base: base.map(|path| id_of(&path).into_owned()),
            },
            frequent: self.frequent(&analysis.frequent)?,
            templates,
            suggestions: self.suggestions(&analysis, clusters)?,
            identical,
            folders: analysis.folders.pairs(analysis.shared, options.share),
        })
    }

    fn identical(&self) -> Result<Vec<IdenticalSet>, Error> {
        let mut sets = Vec::new();
        for group in self.documents.duplicates.all().chunk_by(|a, b| a.0 == b.0) {
            let mut set = IdenticalSet { bytes: 0, content: String::new(), files: Vec::with_capacity(group.len() + 1) };
            let first = group[0].0;
            // what people listed apart is not to be acted upon
            let copies =
                group.iter().map(|other| other.1).filter(|other| !self.documents.decisions.forbid(first, *other));
            for document in std::iter::once(first).chain(copies) {
                let entry = self.documents.catalogue.entry(document)?;
                let modified = match &entry.place {
                    Place::File(path) => modified(path),
                    _ => None,
                };
                set.bytes = entry.bytes;
                set.files.push(IdenticalFile { id: entry.id, modified });
            }
            if set.files.len() < 2 {
                continue;
            }
            let mut record = Vec::new();
            self.documents
                .catalogue
                .sketches
                .read(self.documents.catalogue.sketch_places[group[0].0 as usize], &mut record)?;
            set.content = content_name(chunk_list::identity(&record));
            set.files.sort_by(|a, b| a.id.cmp(&b.id));
            sets.push(set);
        }
        let freed = |set: &IdenticalSet| set.bytes * (set.files.len() as u64 - 1);
        sets.sort_by(|a, b| freed(b).cmp(&freed(a)).then_with(|| a.files[0].id.cmp(&b.files[0].id)));
        Ok(sets)
    }

    /// Documents that neither share a chunk with another nor have a copy.
    fn alone(&self, connected: &[bool]) -> u64 {
        let mut alone: Vec<bool> = connected.iter().map(|connected| !connected).collect();
        for (first, other, _) in self.documents.duplicates.all() {
            (alone[*first as usize], alone[*other as usize]) = (false, false);
        }
        alone.into_iter().filter(|alone| *alone).count() as u64
    }

    /// Frequent chunks of as many documents, with the same example, are listed together.
    fn frequent(&self, found: &[FrequentChunk]) -> Result<Vec<FrequentChunks>, Error> {
        let mut together: BTreeMap<(u64, String), (u32, Vec<&FrequentChunk>)> = BTreeMap::new();
        for chunk in found {
            let key = (u64::MAX - chunk.documents, self.documents.catalogue.id(chunk.example)?);
            together.entry(key).or_insert((chunk.example, Vec::new())).1.push(chunk);
        }
        let mut listed = Vec::new();
        for ((documents, example), (document, chunks)) in together.into_iter().take(MAX_FREQUENT) {
            let hashes: Vec<u128> = chunks.iter().map(|c| c.chunk.hash).collect();
            listed.push(FrequentChunks {
                documents: u64::MAX - documents,
                chunks: chunks.len() as u64,
                bytes: chunks.iter().map(|c| u64::from(c.chunk.length)).sum(),
                text: self.excerpt(document, &hashes)?,
                example,
            });
        }
        Ok(listed)
    }

    fn suggestions(&self, analysis: &ChunkAnalysis, clusters: &[Cluster]) -> Result<Vec<Suggestion>, Error> {
        let by_representative: FxHashMap<u32, &Cluster> = clusters
            .iter()
            .map(|cluster| (self.documents.duplicates.canonical_of(cluster.document), cluster))
            .collect();
        let mut suggestions = Vec::new();
        for found in &analysis.suggested {
            let Some(cluster) = by_representative.get(&found.representative) else { continue };
            suggestions.push(Suggestion {
                cluster: cluster.id,
                documents: found.documents,
                chunks: found.chunks,
                bytes: found.bytes,
                text: self.excerpt(found.representative, &self.shared(cluster)?)?,
            });
        }
        suggestions.sort_by_key(|s| s.cluster);
        Ok(suggestions)
    }

    /// Hashes of the chunks that all documents of a cluster share.
    fn shared(&self, cluster: &Cluster) -> Result<Vec<u128>, Error> {
        let documents: Vec<u32> =
            std::iter::once(cluster.document).chain(cluster.members.iter().map(|m| m.document)).collect();
        Ok(shared_by_all(&self.documents.catalogue, &documents)?.into_iter().map(|chunk| chunk.hash).collect())
    }

    /// How the first of these chunks begins in a document, if it can be read again and is text.
    fn excerpt(&self, document: u32, hashes: &[u128]) -> Result<Option<String>, Error> {
        let Some((_, body)) = self.documents.loader().body(document)? else { return Ok(None) };
        let data = body.as_bytes().unwrap_or_default();
        let mut start = None;
        self.chunker.chunks(data, |chunk| {
            if start.is_none() && hashes.contains(&chunk.hash) {
                start = Some(chunk.start..chunk.start + chunk.length);
            }
        });
        Ok(start.and_then(|range| beginning(&data[range])))
    }
}

/// The first characters of some bytes, if they are text.
pub fn beginning(data: &[u8]) -> Option<String> {
    if data.is_empty() || data.contains(&0) {
        return None;
    }
    Some(String::from_utf8_lossy(data).trim().chars().take(MAX_EXCERPT).collect())
}

fn modified(path: &Path) -> Option<i64> {
    let time = path.metadata().and_then(|m| m.modified()).ok()?;
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_nanos()).ok(),
        Err(before) => i64::try_from(before.duration().as_nanos()).ok().map(|nanoseconds| -nanoseconds),
    }
}
