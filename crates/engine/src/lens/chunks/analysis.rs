//! From chunk lists to clusters: who has anything to do with whom, in parts that fit in memory, each solved on its own.

use crate::Error;
use crate::lens::chunks::chunk_list::{ChunkLists, Listed};
use crate::lens::chunks::folders::{Folders, SharedFolders};
use crate::lens::chunks::ignored::IgnoredChunks;
use crate::lens::chunks::part::{Edge, Part};
use crate::lens::chunks::partition::{Components, FrequentHash, Partitioner};
use crate::lens::chunks::parts;
use crate::lens::chunks::parts::Parts;
use crate::lens::chunks::solve;
use crate::lens::chunks::solve::{Assignment, Least, LinkRules, SharedPair};
use crate::lens::chunks::suggest::{Suggested, suggest};
use crate::run::Session;
use crate::run::catalogue::Catalogue;
use crate::run::decisions::Decisions;
use crate::run::duplicates::DuplicateGroups;
use crate::run::order::RepresentativeOrder;
use lookalike_core::cluster::Linkage;
use lookalike_store::{Partitions, Records, Sequence};
use rayon::prelude::*;

/// Bytes that an edge takes while its part is solved.
const EDGE_BYTES: u64 = 2 * size_of::<Edge>() as u64;

/// What is asked.
pub struct ClusterParams<'a> {
    pub least: Least,
    pub linkage: Linkage,
    pub max_df: f64,
    /// List all pairs of at least this share.
    pub explore: Option<f64>,
    /// Chunks that more documents than this have are not followed for that list.
    pub pair_max_df: u32,
    pub decisions: &'a Decisions,
    /// Documents are offered as representatives from the largest to the smallest.
    pub by_size: bool,
    /// By document: its bytes that are no template, if that is known.
    pub sizes: Option<&'a [u32]>,
    /// By document: whether it is compared; all are, if there is no list.
    pub only: Option<&'a [bool]>,
    /// Documents that represent whatever they share.
    pub pinned: Option<&'a [bool]>,
}

/// What was found.
pub struct ChunkAnalysis {
    pub assignments: Vec<Assignment>,
    /// By document: its bytes that are no template.
    pub sizes: Vec<u32>,
    pub pairs: Option<Records<SharedPair>>,
    /// Whether every pair is listed that was asked for.
    pub complete: bool,
    pub suggested: Vec<Suggested>,
    pub frequent: Vec<FrequentChunk>,
    pub distinct: u64,
    pub components: u64,
    pub largest: u64,
    /// By document: whether it shares a chunk with another.
    pub connected: Vec<bool>,
    pub folders: Folders,
    pub shared: SharedFolders,
}

/// A chunk that does not connect documents, and one that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrequentChunk {
    pub chunk: Listed,
    pub documents: u64,
    pub example: u32,
}

/// What is compared.
pub struct AnalysisInput<'a> {
    pub catalogue: &'a Catalogue,
    pub duplicates: &'a DuplicateGroups,
    /// Their chunks. A document without any is not compared.
    pub lists: ChunkLists<'a>,
    pub order: &'a RepresentativeOrder,
}

pub fn analyse(
    session: &Session<'_>,
    input: &AnalysisInput<'_>,
    ignored: &mut IgnoredChunks,
    params: &ClusterParams<'_>,
) -> Result<ChunkAnalysis, Error> {
    let mut documents = ComparedDocuments::new(session, input, ignored, params)?;
    let (frequent, boilerplate) = documents.frequent(input, ignored, params)?;
    documents.components.unite(&boilerplate);
    let ranked = documents.ranked(input)?;
    let total: u64 = ranked.iter().map(|d| u64::from(documents.edges[*d as usize])).sum();
    let threads = rayon::current_num_threads() as u64;
    // small parts keep all threads busy; they change nothing in the analysis
    let room = (session.share(4) as u64 / EDGE_BYTES / threads).min(total / (4 * threads) + 1).max(1);
    let packed = parts::pack(&ranked, &documents.components.first, |d| u64::from(documents.edges[d as usize]), room);
    let graph = documents.graph(session, input, ignored, &packed)?;
    let (mut folders, folder_of) = folders(input, &documents.sizes)?;
    let folder_index = FolderIndex { input, folder_of: &folder_of, components: &documents.components };
    let solved: Vec<Solved> = (0..packed.documents.len())
        .into_par_iter()
        .map(|at| {
            session.cancel.check()?;
            let stopped = || session.cancel.is_cancelled();
            let edges = graph.all(at)?;
            let solved = solve_part(&packed.documents[at], edges, &documents.sizes, &folder_index, params, &stopped);
            session.cancel.check()?;
            session.progress.advance(packed.documents[at].len() as u64);
            Ok(solved)
        })
        .collect::<Result<_, Error>>()?;
    drop(graph);
    let mut analysis = ChunkAnalysis {
        assignments: Vec::new(),
        pairs: None,
        complete: true,
        suggested: Vec::new(),
        frequent,
        distinct: documents.components.distinct,
        components: packed.components,
        largest: packed.largest,
        connected: vec![false; documents.sizes.len()],
        shared: SharedFolders::default(),
        folders: std::mem::take(&mut folders),
        sizes: Vec::new(),
    };
    let mut pairs = params.explore.map(|_| Sequence::new(&session.space, "the pairs", session.share(8)));
    for mut part in solved {
        analysis.assignments.append(&mut part.assignments);
        analysis.suggested.append(&mut part.suggested);
        analysis.complete &= part.complete;
        analysis.shared.merge(part.shared);
        if let Some(pairs) = &mut pairs {
            part.pairs.iter().try_for_each(|pair| pairs.push(*pair))?;
        }
    }
    analysis.pairs = pairs.map(Sequence::finish).transpose()?;
    packed.documents.iter().flatten().for_each(|document| analysis.connected[*document as usize] = true);
    folder_index.alone(&analysis.connected, &documents.sizes, &mut analysis.shared);
    analysis.sizes = documents.sizes;
    Ok(analysis)
}

/// What is known of each document before it is compared.
struct ComparedDocuments {
    /// Bytes that are no template.
    sizes: Vec<u32>,
    /// Different chunks.
    edges: Vec<u32>,
    components: Components,
}

impl ComparedDocuments {
    fn new(
        session: &Session<'_>,
        input: &AnalysisInput<'_>,
        ignored: &mut IgnoredChunks,
        params: &ClusterParams<'_>,
    ) -> Result<Self, Error> {
        let mut sizes = params.sizes.unwrap_or(&input.catalogue.sizes).to_vec();
        let mut edges = vec![0; sizes.len()];
        let mut partitioner = Partitioner::within(&session.space, session.share(4), session.share(6), session.cancel);
        let mut counted = 0;
        input.lists.for_each(|document, chunks| {
            let left_out = params.only.is_some_and(|only| !only[document as usize]);
            if chunks.is_empty() || left_out || !input.duplicates.is_canonical(document) {
                return Ok(());
            }
            let copies = 1 + input.duplicates.duplicates_of(document).count() as u64;
            let bytes = ignored.take_from(chunks, copies);
            if params.sizes.is_none() {
                sizes[document as usize] -= bytes as u32;
            }
            chunks.sort_unstable();
            chunks.dedup();
            edges[document as usize] = chunks.len() as u32;
            counted += 1;
            chunks.iter().try_for_each(|chunk| partitioner.push(document, chunk.hash))
        })?;
        for (first, other, _) in input.duplicates.all() {
            sizes[*other as usize] = sizes[*first as usize];
        }
        let components = partitioner.finish(sizes.len(), counted, params.max_df)?;
        Ok(Self { sizes, edges, components })
    }

    /// The frequent chunks, and the documents that consist of them to the least share of a link: those are compared with each other, too.
    fn frequent(
        &self,
        input: &AnalysisInput<'_>,
        ignored: &mut IgnoredChunks,
        params: &ClusterParams<'_>,
    ) -> Result<(Vec<FrequentChunk>, Vec<u32>), Error> {
        let found = &self.components.frequent;
        let mut chunks_found: Vec<Option<FrequentChunk>> = vec![None; found.len()];
        let mut boilerplate = Vec::new();
        if found.is_empty() {
            return Ok((Vec::new(), boilerplate));
        }
        let tie_breaks = &input.catalogue.tie_breaks;
        input.lists.for_each(|document, chunks| {
            if self.edges[document as usize] == 0 {
                return Ok(());
            }
            ignored.take_from(chunks, 0);
            let mut bytes = 0;
            for chunk in chunks.iter() {
                let Ok(at) = found.binary_search_by_key(&((chunk.hash >> 64) as u64), |c: &FrequentHash| c.hash) else {
                    continue;
                };
                bytes += u64::from(chunk.length);
                let known = chunks_found[at].map(|c| (tie_breaks[c.example as usize], c.example));
                if known.is_none_or(|known| (tie_breaks[document as usize], document) < known) {
                    chunks_found[at] =
                        Some(FrequentChunk { chunk: *chunk, documents: found[at].documents, example: document });
                }
            }
            if params.least.met(bytes, self.sizes[document as usize]) {
                boilerplate.push(document);
            }
            Ok(())
        })?;
        Ok((chunks_found.into_iter().flatten().collect(), boilerplate))
    }

    /// The documents that are compared: who may lead first.
    fn ranked(&self, input: &AnalysisInput<'_>) -> Result<Vec<u32>, Error> {
        let compared = (0..self.sizes.len() as u32).filter(|d| self.edges[*d as usize] > 0);
        input.order.sorted(input.catalogue, compared, &self.sizes)
    }

    /// The edges of each part.
    fn graph(
        &self,
        session: &Session<'_>,
        input: &AnalysisInput<'_>,
        ignored: &mut IgnoredChunks,
        packed: &Parts,
    ) -> Result<lookalike_store::Parts<Edge>, Error> {
        let mut place = vec![(u16::MAX, 0u32); self.sizes.len()];
        for (part, documents) in packed.documents.iter().enumerate() {
            for (at, document) in documents.iter().enumerate() {
                place[*document as usize] = (part as u16, at as u32);
            }
        }
        let mut graph = Partitions::new(&session.space, "the graph", session.share(4));
        input.lists.for_each(|document, chunks| {
            let (part, at) = place[document as usize];
            if part == u16::MAX {
                return Ok(());
            }
            let component = self.components.first[document as usize];
            let copied = input.duplicates.duplicates_of(document).next().is_some();
            ignored.take_from(chunks, 0);
            chunks.sort_unstable();
            for same in chunks.chunk_by(|a, b| a == b) {
                let (hash, times) = (same[0].hash, same.len() as u32);
                // a chunk that one document alone has matters to the folders of its copies only
                if copied || self.components.may_be_shared(hash) {
                    graph.push(part as usize, Edge::new(hash, same[0].length, component, at, times))?;
                }
            }
            Ok(())
        })?;
        Ok(graph.finish()?)
    }
}

/// What one part gave.
struct Solved {
    assignments: Vec<Assignment>,
    pairs: Vec<SharedPair>,
    complete: bool,
    suggested: Vec<Suggested>,
    shared: SharedFolders,
}

fn solve_part(
    documents: &[u32],
    edges: Vec<Edge>,
    sizes: &[u32],
    folder_index: &FolderIndex<'_>,
    params: &ClusterParams<'_>,
    stopped: &(dyn Fn() -> bool + Sync),
) -> Solved {
    let mut shared = SharedFolders::default();
    let sizes = documents.iter().map(|document| sizes[*document as usize]).collect();
    let part = Part::new(sizes, edges, |list| folder_index.share(list, documents, &mut shared));
    let document = |at: u32| documents[at as usize];
    let forbids = params.decisions.forbids();
    let rules = LinkRules {
        least: params.least,
        by_size: params.by_size,
        allowed: &|a, b| {
            !forbids || !params.decisions.forbid_all(document(a), document(b), folder_index.input.duplicates)
        },
        pinned: &|at| params.pinned.is_some_and(|pinned| pinned[document(at) as usize]),
        stopped,
    };
    let assignments = solve::cluster(&part, &rules, params.linkage);
    let suggested = suggest(&part, &assignments)
        .into_iter()
        .map(|s| Suggested { representative: document(s.representative), ..s })
        .collect();
    let assignments = assignments.into_iter().map(|assigned| Assignment {
        member: document(assigned.member),
        representative: document(assigned.representative),
        ..assigned
    });
    let assignments: Vec<Assignment> = assignments.collect();
    let (mut pairs, mut complete) = (Vec::new(), true);
    if let Some(share) = params.explore {
        let least = Least { share: share.min(params.least.share), bytes: params.least.bytes };
        complete = solve::pairs(&part, &LinkRules { least, ..rules }, params.pair_max_df, |pair| {
            pairs.push(SharedPair { a: document(pair.a), b: document(pair.b), ..pair });
        });
        if !complete {
            // chunks that very many have were not followed: what decided the clusters is listed all the same
            let linked = assignments.iter().filter(|assigned| assigned.shared > 0);
            pairs.extend(linked.map(|l| SharedPair { a: l.representative, b: l.member, shared: l.shared as u32 }));
            pairs.sort_unstable();
            pairs.dedup();
        }
    }
    Solved { assignments, pairs, complete, suggested, shared }
}

/// Where documents and their copies are.
struct FolderIndex<'a> {
    input: &'a AnalysisInput<'a>,
    folder_of: &'a [u32],
    components: &'a Components,
}

impl FolderIndex<'_> {
    fn folders(&self, document: u32, times: u64) -> impl Iterator<Item = (u32, u64)> + '_ {
        let copies =
            std::iter::once(document).chain(self.input.duplicates.duplicates_of(document).map(|other| other.0));
        copies.map(|copy| self.folder_of[copy as usize]).filter(|folder| *folder != u32::MAX).map(move |f| (f, times))
    }

    /// Counts a chunk for all folders that have it.
    fn share(&self, list: &[Edge], documents: &[u32], shared: &mut SharedFolders) {
        if !self.components.is_frequent(list[0].hash()) {
            let folders = list.iter().flat_map(|e| self.folders(documents[e.document as usize], u64::from(e.times)));
            shared.add(u64::from(list[0].length), folders);
        }
    }

    /// Counts documents that share nothing with others but have copies.
    fn alone(&self, connected: &[bool], sizes: &[u32], shared: &mut SharedFolders) {
        let mut last = None;
        for (first, _, _) in self.input.duplicates.all() {
            if last.replace(*first) != Some(*first) && !connected[*first as usize] {
                shared.add(u64::from(sizes[*first as usize]), self.folders(*first, 1));
            }
        }
    }
}

/// The folders of all documents, and by document its folder.
fn folders(input: &AnalysisInput<'_>, sizes: &[u32]) -> Result<(Folders, Vec<u32>), Error> {
    let mut folders = Folders::default();
    let mut folder_of = Vec::with_capacity(sizes.len());
    input.catalogue.for_each_entry(|entry| {
        let folder = folders.of(&entry.id);
        if let Some(folder) = folder {
            folders.add(folder, u64::from(sizes[folder_of.len()]));
        }
        folder_of.push(folder.unwrap_or(u32::MAX));
        Ok::<_, Error>(())
    })?;
    Ok((folders, folder_of))
}
