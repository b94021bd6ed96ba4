//! What is told beside the clusters: bytes in common, identical files, folders, templates.

use super::analysis::{Answer, CommonChunk};
use super::found::{AppliedTemplate, Chunks, CommonChunks, IdenticalFile, IdenticalSet, Refined, Suggestion};
use super::ignored::shared_by_all;
use super::lists;
use super::options::Options;
use super::reading::Chunked;
use super::scan::Again;
use crate::Error;
use crate::pipeline::Session;
use crate::pipeline::catalogue::Catalogue;
use crate::pipeline::decided::Decisions;
use crate::pipeline::equivalents::Equivalents;
use crate::report::{Class, Cluster, Skip};
use lookalike_core::chunk::{ChunkRecipe, shared_bytes};
use lookalike_corpus::{Place, content_name, id_of};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Above every share: the pairs are not complete at any.
pub(crate) const NOWHERE: f64 = 2.0;
/// Characters of a chunk that are shown.
const SHOWN: usize = 200;
/// Lists of common chunks that a report has.
const LISTED: usize = 100;

pub(crate) struct Teller<'a> {
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) equivalents: &'a Equivalents,
    pub(crate) decisions: &'a Decisions,
    pub(crate) again: Option<&'a Again<'a>>,
}

impl Teller<'_> {
    /// What each member has in common with its representative; `common` has it by stand-in.
    pub(crate) fn common_bytes(&self, clusters: &mut [Cluster], common: &FxHashMap<u32, u64>) {
        for cluster in clusters {
            let leader = self.equivalents.stand_in(cluster.document);
            for member in &mut cluster.members {
                let stand_in = self.equivalents.stand_in(member.document);
                let known = common.get(&stand_in).copied().filter(|bytes| *bytes > 0);
                member.common_bytes = if stand_in == leader { Some(member.bytes) } else { known };
            }
        }
    }

    /// What each member really has in common with its representative; the documents that could not be read again.
    pub(crate) fn exact_bytes(&self, session: &Session<'_>, clusters: &mut [Cluster]) -> Result<Vec<u32>, Error> {
        let Some(again) = self.again else { return Ok(Vec::new()) };
        let mut lost = Vec::new();
        for cluster in clusters {
            session.cancel.check()?;
            let identical = |class: Class| class == Class::Identical;
            cluster.members.iter_mut().filter(|m| identical(m.class)).for_each(|m| m.exact_bytes = Some(m.bytes));
            if cluster.members.iter().all(|member| identical(member.class)) {
                continue;
            }
            let Some((_, leader)) = again.loader.body(cluster.document)? else {
                lost.push(cluster.document);
                continue;
            };
            let others = cluster.members.par_iter_mut().filter(|m| !identical(m.class));
            let missing = others.map(|member| {
                let body = again.loader.body(member.document)?;
                member.exact_bytes = body.map(|(_, body)| {
                    shared_bytes(
                        leader.as_bytes().unwrap_or_default(),
                        body.as_bytes().unwrap_or_default(),
                        again.chunker,
                    )
                });
                Ok(member.exact_bytes.is_none().then_some(member.document))
            });
            lost.extend(missing.collect::<Result<Vec<_>, Error>>()?.into_iter().flatten());
        }
        // what was stood for is lost with its stand-in or not at all: documents of an exchange file are nowhere to be read
        lost.retain(|document| self.catalogue.entry(*document).is_ok_and(|entry| entry.place != Place::Stream));
        lost.sort_unstable();
        lost.dedup();
        Ok(lost)
    }

    /// What was left out, and what was lost on the way, by id.
    pub(crate) fn skipped(&self, lost: Vec<u32>) -> Result<Vec<Skip>, Error> {
        let mut skipped = self.catalogue.skipped.clone();
        for document in lost {
            skipped.push(Skip::changed(self.catalogue.id(document)?));
        }
        skipped.sort_by(|a, b| (&a.id, &a.reason).cmp(&(&b.id, &b.reason)));
        Ok(skipped)
    }

    /// The section of the report.
    #[expect(clippy::too_many_arguments, reason = "each is told of once, here")]
    pub(crate) fn section(
        &self,
        recipe: &ChunkRecipe,
        chunked: &Chunked,
        options: &Options,
        answer: Answer,
        templates: Vec<AppliedTemplate>,
        refined: Option<Refined>,
        clusters: &[Cluster],
    ) -> Result<Chunks, Error> {
        let identical = self.identical()?;
        let relative = |file: &IdenticalFile| file.modified.is_some() && !Path::new(&file.id).is_absolute();
        let needed = identical.iter().flat_map(|set| &set.files).any(relative);
        let base = needed.then(std::env::current_dir).and_then(Result::ok);
        Ok(Chunks {
            parameters: recipe.parameters,
            chunks: chunked.chunks,
            distinct: answer.distinct,
            mean: if chunked.chunks == 0 { 0.0 } else { chunked.catalogue.bytes as f64 / chunked.chunks as f64 },
            empty: chunked.empty,
            alone: self.alone(&answer.connected),
            components: answer.components,
            largest_component: answer.largest,
            common_share: options.common_share,
            common: self.common(&answer.common)?,
            templates,
            suggestions: self.suggestions(&answer, clusters)?,
            identical,
            folders: answer.folders.pairs(answer.shared, options.scan.policy.threshold),
            refined,
            base: base.map(|path| id_of(&path).into_owned()),
        })
    }

    fn identical(&self) -> Result<Vec<IdenticalSet>, Error> {
        let mut sets = Vec::new();
        for group in self.equivalents.all().chunk_by(|a, b| a.0 == b.0) {
            let mut set = IdenticalSet { bytes: 0, content: String::new(), files: Vec::with_capacity(group.len() + 1) };
            let first = group[0].0;
            // what people told apart is not to be acted upon
            let copies = group.iter().map(|other| other.1).filter(|other| !self.decisions.forbid(first, *other));
            for document in std::iter::once(first).chain(copies) {
                let entry = self.catalogue.entry(document)?;
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
            self.catalogue.sketches.read(self.catalogue.sketch_places[group[0].0 as usize], &mut record)?;
            set.content = content_name(lists::identity(&record));
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
        for (first, other, _) in self.equivalents.all() {
            (alone[*first as usize], alone[*other as usize]) = (false, false);
        }
        alone.into_iter().filter(|alone| *alone).count() as u64
    }

    /// Common chunks of as many documents, with the same example, are told together.
    fn common(&self, found: &[CommonChunk]) -> Result<Vec<CommonChunks>, Error> {
        let mut together: BTreeMap<(u64, String), (u32, Vec<&CommonChunk>)> = BTreeMap::new();
        for chunk in found {
            let key = (u64::MAX - chunk.documents, self.catalogue.id(chunk.example)?);
            together.entry(key).or_insert((chunk.example, Vec::new())).1.push(chunk);
        }
        let mut told = Vec::new();
        for ((documents, example), (document, chunks)) in together.into_iter().take(LISTED) {
            let hashes: Vec<u128> = chunks.iter().map(|c| c.chunk.hash).collect();
            told.push(CommonChunks {
                documents: u64::MAX - documents,
                chunks: chunks.len() as u64,
                bytes: chunks.iter().map(|c| u64::from(c.chunk.length)).sum(),
                text: self.excerpt(document, &hashes)?,
                example,
            });
        }
        Ok(told)
    }

    fn suggestions(&self, answer: &Answer, clusters: &[Cluster]) -> Result<Vec<Suggestion>, Error> {
        let of_leader: FxHashMap<u32, &Cluster> =
            clusters.iter().map(|cluster| (self.equivalents.stand_in(cluster.document), cluster)).collect();
        let mut suggestions = Vec::new();
        for found in &answer.suggested {
            let Some(cluster) = of_leader.get(&found.leader) else { continue };
            suggestions.push(Suggestion {
                cluster: cluster.id,
                documents: found.documents,
                chunks: found.chunks,
                bytes: found.bytes,
                text: self.excerpt(found.leader, &self.shared(cluster)?)?,
            });
        }
        suggestions.sort_by_key(|s| s.cluster);
        Ok(suggestions)
    }

    /// Hashes of the chunks that all documents of a cluster share.
    fn shared(&self, cluster: &Cluster) -> Result<Vec<u128>, Error> {
        let documents: Vec<u32> =
            std::iter::once(cluster.document).chain(cluster.members.iter().map(|m| m.document)).collect();
        Ok(shared_by_all(self.catalogue, &documents)?.into_iter().map(|chunk| chunk.hash).collect())
    }

    /// How the first of these chunks begins in a document, if it can be read again and is text.
    fn excerpt(&self, document: u32, hashes: &[u128]) -> Result<Option<String>, Error> {
        let Some(again) = self.again else { return Ok(None) };
        let Some((_, body)) = again.loader.body(document)? else { return Ok(None) };
        let data = body.as_bytes().unwrap_or_default();
        let mut start = None;
        again.chunker.chunks(data, |chunk| {
            if start.is_none() && hashes.contains(&chunk.hash) {
                start = Some(chunk.start..chunk.start + chunk.length);
            }
        });
        Ok(start.and_then(|range| beginning(&data[range])))
    }
}

/// The first characters of some bytes, if they are text.
pub(crate) fn beginning(data: &[u8]) -> Option<String> {
    if data.is_empty() || data.contains(&0) {
        return None;
    }
    Some(String::from_utf8_lossy(data).trim().chars().take(SHOWN).collect())
}

fn modified(path: &Path) -> Option<i64> {
    let time = path.metadata().and_then(|m| m.modified()).ok()?;
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_nanos()).ok(),
        Err(before) => i64::try_from(before.duration().as_nanos()).ok().map(|nanoseconds| -nanoseconds),
    }
}
