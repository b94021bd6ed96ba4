//! From chunk lists to clusters: who has anything to do with whom, in parts that fit in memory, each solved on its own.

use super::folders::{Folders, Shared};
use super::ignored::Ignored;
use super::lists::{Listed, Lists};
use super::part::{Edge, Part};
use super::partition::{Common, Components, Partitioner};
use super::parts::{self, Parts};
use super::solve::{self, Least, Rules};
use super::suggest::{Suggested, suggest};
use crate::Error;
use crate::options::Linkage;
use crate::pipeline::Session;
use crate::pipeline::catalogue::Catalogue;
use crate::pipeline::decided::Decisions;
use crate::pipeline::equivalents::Equivalents;
use bytemuck::{Pod, Zeroable};
use lookalike_store::{Partitions, Records, Sequence};
use rayon::prelude::*;
use std::cmp::Reverse;

/// Bytes that an edge takes while its part is solved.
const EDGE: u64 = 2 * size_of::<Edge>() as u64;

/// What is asked.
pub(crate) struct Question<'a> {
    pub(crate) least: Least,
    pub(crate) linkage: Linkage,
    pub(crate) common_share: f64,
    /// List all pairs of at least this share.
    pub(crate) explore: Option<f64>,
    /// Chunks that more documents than this have are not followed for that list.
    pub(crate) most: u32,
    pub(crate) decisions: &'a Decisions,
    /// By document: its bytes that are no template, if that is known.
    pub(crate) sizes: Option<&'a [u32]>,
    /// By document: whether it is compared; all are, if there is no list.
    pub(crate) only: Option<&'a [bool]>,
    /// Documents that lead whatever they share.
    pub(crate) pinned: Option<&'a [bool]>,
}

/// A document that follows another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Joined {
    pub(crate) document: u32,
    pub(crate) leader: u32,
    /// Bytes in common; zero if a chain joined the two.
    pub(crate) common: u64,
}

/// Two documents that were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Shares {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) common: u32,
}

/// What was found.
pub(crate) struct Answer {
    pub(crate) joined: Vec<Joined>,
    /// By document: its bytes that are no template.
    pub(crate) sizes: Vec<u32>,
    pub(crate) pairs: Option<Records<Shares>>,
    /// Whether every pair is listed that was asked for.
    pub(crate) whole: bool,
    pub(crate) suggested: Vec<Suggested>,
    pub(crate) common: Vec<CommonChunk>,
    pub(crate) distinct: u64,
    pub(crate) components: u64,
    pub(crate) largest: u64,
    /// By document: whether it shares a chunk with another.
    pub(crate) connected: Vec<bool>,
    pub(crate) folders: Folders,
    pub(crate) shared: Shared,
}

/// A chunk that does not connect documents, and one that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CommonChunk {
    pub(crate) chunk: Listed,
    pub(crate) documents: u64,
    pub(crate) example: u32,
}

/// Documents, and who stands for whom.
pub(crate) struct Given<'a> {
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) equivalents: &'a Equivalents,
    /// Their chunks. A document without any is not compared.
    pub(crate) lists: Lists<'a>,
}

pub(crate) fn analyse(
    session: &Session<'_>,
    given: &Given<'_>,
    ignored: &mut Ignored,
    question: &Question<'_>,
) -> Result<Answer, Error> {
    let mut documents = Documents::new(session, given, ignored, question)?;
    let (common, crowd) = documents.common(given, ignored, question)?;
    documents.components.unite(&crowd);
    let ranked = documents.ranked(given)?;
    let total: u64 = ranked.iter().map(|d| u64::from(documents.edges[*d as usize])).sum();
    let threads = rayon::current_num_threads() as u64;
    // small parts keep all threads busy; they change nothing in the answer
    let room = (session.share(4) as u64 / EDGE / threads).min(total / (4 * threads) + 1).max(1);
    let packed = parts::pack(&ranked, &documents.components.first, |d| u64::from(documents.edges[d as usize]), room);
    let graph = documents.graph(session, given, ignored, &packed)?;
    let (mut folders, folder_of) = folders(given, &documents.sizes)?;
    let home = Home { given, folder_of: &folder_of, components: &documents.components };
    let solved: Vec<Solved> = (0..packed.documents.len())
        .into_par_iter()
        .map(|at| {
            session.cancel.check()?;
            let stopped = || session.cancel.is_cancelled();
            let edges = graph.all(at)?;
            let solved = solve_part(&packed.documents[at], edges, &documents.sizes, &home, question, &stopped);
            session.cancel.check()?;
            session.progress.advance(packed.documents[at].len() as u64);
            Ok(solved)
        })
        .collect::<Result<_, Error>>()?;
    drop(graph);
    let mut answer = Answer {
        joined: Vec::new(),
        pairs: None,
        whole: true,
        suggested: Vec::new(),
        common,
        distinct: documents.components.distinct,
        components: packed.components,
        largest: packed.largest,
        connected: vec![false; documents.sizes.len()],
        shared: Shared::default(),
        folders: std::mem::take(&mut folders),
        sizes: Vec::new(),
    };
    let mut pairs = question.explore.map(|_| Sequence::new(&session.space, "the pairs", session.share(8)));
    for mut part in solved {
        answer.joined.append(&mut part.joined);
        answer.suggested.append(&mut part.suggested);
        answer.whole &= part.whole;
        answer.shared.merge(part.shared);
        if let Some(pairs) = &mut pairs {
            part.pairs.iter().try_for_each(|pair| pairs.push(*pair))?;
        }
    }
    answer.pairs = pairs.map(Sequence::finish).transpose()?;
    packed.documents.iter().flatten().for_each(|document| answer.connected[*document as usize] = true);
    home.alone(&answer.connected, &documents.sizes, &mut answer.shared);
    answer.sizes = documents.sizes;
    Ok(answer)
}

/// What is known of each document before it is compared.
struct Documents {
    /// Bytes that are no template.
    sizes: Vec<u32>,
    /// Different chunks.
    edges: Vec<u32>,
    components: Components,
}

impl Documents {
    fn new(
        session: &Session<'_>,
        given: &Given<'_>,
        ignored: &mut Ignored,
        question: &Question<'_>,
    ) -> Result<Self, Error> {
        let mut sizes = question.sizes.unwrap_or(&given.catalogue.sizes).to_vec();
        let mut edges = vec![0; sizes.len()];
        let mut partitioner = Partitioner::within(&session.space, session.share(4), session.share(6), session.cancel);
        let mut counted = 0;
        given.lists.for_each(|document, chunks| {
            let left_out = question.only.is_some_and(|only| !only[document as usize]);
            if chunks.is_empty() || left_out || !given.equivalents.stands(document) {
                return Ok(());
            }
            let copies = 1 + given.equivalents.of(document).count() as u64;
            let bytes = ignored.take_from(chunks, copies);
            if question.sizes.is_none() {
                sizes[document as usize] -= bytes as u32;
            }
            chunks.sort_unstable();
            chunks.dedup();
            edges[document as usize] = chunks.len() as u32;
            counted += 1;
            chunks.iter().try_for_each(|chunk| partitioner.push(document, chunk.hash))
        })?;
        for (first, other, _) in given.equivalents.all() {
            sizes[*other as usize] = sizes[*first as usize];
        }
        let components = partitioner.finish(sizes.len(), counted, question.common_share)?;
        Ok(Self { sizes, edges, components })
    }

    /// The common chunks, and the documents that consist of them to the least share of a link: those are compared with each other, too.
    fn common(
        &self,
        given: &Given<'_>,
        ignored: &mut Ignored,
        question: &Question<'_>,
    ) -> Result<(Vec<CommonChunk>, Vec<u32>), Error> {
        let found = &self.components.common;
        let mut chunks_found: Vec<Option<CommonChunk>> = vec![None; found.len()];
        let mut crowd = Vec::new();
        if found.is_empty() {
            return Ok((Vec::new(), crowd));
        }
        let salts = &given.catalogue.salts;
        given.lists.for_each(|document, chunks| {
            if self.edges[document as usize] == 0 {
                return Ok(());
            }
            ignored.take_from(chunks, 0);
            let mut bytes = 0;
            for chunk in chunks.iter() {
                let Ok(at) = found.binary_search_by_key(&((chunk.hash >> 64) as u64), |c: &Common| c.hash) else {
                    continue;
                };
                bytes += u64::from(chunk.length);
                let known = chunks_found[at].map(|c| (salts[c.example as usize], c.example));
                if known.is_none_or(|known| (salts[document as usize], document) < known) {
                    chunks_found[at] =
                        Some(CommonChunk { chunk: *chunk, documents: found[at].documents, example: document });
                }
            }
            if question.least.met(bytes, self.sizes[document as usize]) {
                crowd.push(document);
            }
            Ok(())
        })?;
        Ok((chunks_found.into_iter().flatten().collect(), crowd))
    }

    /// The documents that are compared: who may lead first.
    fn ranked(&self, given: &Given<'_>) -> Result<Vec<u32>, Error> {
        let compared = (0..self.sizes.len() as u32).filter(|d| self.edges[*d as usize] > 0);
        rank(compared.collect(), &self.sizes, given.catalogue)
    }

    /// The edges of each part.
    fn graph(
        &self,
        session: &Session<'_>,
        given: &Given<'_>,
        ignored: &mut Ignored,
        packed: &Parts,
    ) -> Result<lookalike_store::Parts<Edge>, Error> {
        let mut place = vec![(u16::MAX, 0u32); self.sizes.len()];
        for (part, documents) in packed.documents.iter().enumerate() {
            for (at, document) in documents.iter().enumerate() {
                place[*document as usize] = (part as u16, at as u32);
            }
        }
        let mut graph = Partitions::new(&session.space, "the graph", session.share(4));
        given.lists.for_each(|document, chunks| {
            let (part, at) = place[document as usize];
            if part == u16::MAX {
                return Ok(());
            }
            let component = self.components.first[document as usize];
            let copied = given.equivalents.of(document).next().is_some();
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

/// Documents by rank: the largest first, then by the hash of their content, then by id.
pub(crate) fn rank(mut documents: Vec<u32>, sizes: &[u32], catalogue: &Catalogue) -> Result<Vec<u32>, Error> {
    let key = |document: &u32| (Reverse(sizes[*document as usize]), catalogue.salts[*document as usize]);
    documents.par_sort_unstable_by_key(|document| (key(document), *document));
    // copies, and as good as never different documents of one size whose hashes begin alike
    for same in documents.chunk_by_mut(|a, b| key(a) == key(b)).filter(|same| same.len() > 1) {
        let mut named = Vec::with_capacity(same.len());
        for document in same.iter() {
            named.push((catalogue.id(*document)?, *document));
        }
        named.sort_unstable();
        same.iter_mut().zip(named).for_each(|(slot, (_, document))| *slot = document);
    }
    Ok(documents)
}

/// What one part gave.
struct Solved {
    joined: Vec<Joined>,
    pairs: Vec<Shares>,
    whole: bool,
    suggested: Vec<Suggested>,
    shared: Shared,
}

fn solve_part(
    documents: &[u32],
    edges: Vec<Edge>,
    sizes: &[u32],
    home: &Home<'_>,
    question: &Question<'_>,
    stopped: &(dyn Fn() -> bool + Sync),
) -> Solved {
    let mut shared = Shared::default();
    let sizes = documents.iter().map(|document| sizes[*document as usize]).collect();
    let part = Part::new(sizes, edges, |list| home.share(list, documents, &mut shared));
    let document = |at: u32| documents[at as usize];
    let forbids = question.decisions.forbids();
    let rules = Rules {
        least: question.least,
        allowed: &|a, b| !forbids || !question.decisions.forbid_all(document(a), document(b), home.given.equivalents),
        pinned: &|at| question.pinned.is_some_and(|pinned| pinned[document(at) as usize]),
        stopped,
    };
    let follows = solve::cluster(&part, &rules, question.linkage);
    let suggested =
        suggest(&part, &follows).into_iter().map(|s| Suggested { leader: document(s.leader), ..s }).collect();
    let joined = follows
        .iter()
        .map(|f| Joined { document: document(f.document), leader: document(f.leader), common: f.common })
        .collect();
    let (mut pairs, mut whole) = (Vec::new(), true);
    if let Some(share) = question.explore {
        let shares = |a: u32, b: u32, common: u64| Shares { a: document(a), b: document(b), common: common as u32 };
        let least = Least { share: share.min(question.least.share), bytes: question.least.bytes };
        whole = solve::pairs(&part, &Rules { least, ..rules }, question.most, |pair| {
            pairs.push(shares(pair.a, pair.b, pair.common));
        });
        if !whole {
            // chunks that very many have were not followed: what decided the clusters is listed all the same
            pairs.extend(follows.iter().filter(|f| f.common > 0).map(|f| shares(f.leader, f.document, f.common)));
            pairs.sort_unstable();
            pairs.dedup();
        }
    }
    Solved { joined, pairs, whole, suggested, shared }
}

/// Where documents and their copies are.
struct Home<'a> {
    given: &'a Given<'a>,
    folder_of: &'a [u32],
    components: &'a Components,
}

impl Home<'_> {
    fn folders(&self, document: u32, times: u64) -> impl Iterator<Item = (u32, u64)> + '_ {
        let copies = std::iter::once(document).chain(self.given.equivalents.of(document).map(|other| other.0));
        copies.map(|copy| self.folder_of[copy as usize]).filter(|folder| *folder != u32::MAX).map(move |f| (f, times))
    }

    /// Counts a chunk for all folders that have it.
    fn share(&self, list: &[Edge], documents: &[u32], shared: &mut Shared) {
        if !self.components.is_common(list[0].hash()) {
            let folders = list.iter().flat_map(|e| self.folders(documents[e.document as usize], u64::from(e.times)));
            shared.add(u64::from(list[0].length), folders);
        }
    }

    /// Counts documents that share nothing with others but have copies.
    fn alone(&self, connected: &[bool], sizes: &[u32], shared: &mut Shared) {
        let mut last = None;
        for (first, _, _) in self.given.equivalents.all() {
            if last.replace(*first) != Some(*first) && !connected[*first as usize] {
                shared.add(u64::from(sizes[*first as usize]), self.folders(*first, 1));
            }
        }
    }
}

/// The folders of all documents, and by document its folder.
fn folders(given: &Given<'_>, sizes: &[u32]) -> Result<(Folders, Vec<u32>), Error> {
    let mut folders = Folders::default();
    let mut folder_of = Vec::with_capacity(sizes.len());
    given.catalogue.for_each_entry(|entry| {
        let folder = folders.of(&entry.id);
        if let Some(folder) = folder {
            folders.add(folder, u64::from(sizes[folder_of.len()]));
        }
        folder_of.push(folder.unwrap_or(u32::MAX));
        Ok::<_, Error>(())
    })?;
    Ok((folders, folder_of))
}
