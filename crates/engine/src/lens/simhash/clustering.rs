//! Groups that are near each other become clusters, document by document.

use crate::Error;
use crate::lens::simhash::nodes::{NodeDocument, NodeLink, Nodes};
use crate::run::Session;
use crate::run::link::{Evidence, Link};
use lookalike_core::cluster::UnionFind;

/// Each document joins the nearest representative that it fits, or represents itself. Groups are ranked.
pub fn stars(session: &Session<'_>, nodes: &Nodes) -> Result<Vec<Link>, Error> {
    const FREE: u32 = u32::MAX;
    let documents = nodes.documents();
    // by place: the place of the representative, and the distance from it
    let mut joined = vec![(FREE, u32::MAX); documents.len()];
    let mut near = nodes.links.iter().peekable();
    let mut neighbours: Vec<(u32, u32)> = Vec::new();
    for node in 0..nodes.len() {
        session.cancel.check()?;
        neighbours.clear();
        neighbours.push((node, 0));
        while let Some(link) = near.next_if(|link| link.as_ref().map_or(true, |link| link.a == node)) {
            let NodeLink { b, distance, .. } = link?;
            neighbours.push((b, distance));
        }
        for representative in nodes.offered(node) {
            if joined[*representative as usize].0 != FREE {
                continue;
            }
            joined[*representative as usize] = (*representative, 0);
            let words = documents[*representative as usize].words;
            for (other, distance) in &neighbours {
                for at in nodes.guards.fitting(words, nodes.of(*other), |one: &NodeDocument| one.words) {
                    let member = nodes.start(*other) + at as u32;
                    let current = &mut joined[member as usize];
                    if current.0 != member && *distance < current.1 {
                        *current = (*representative, *distance);
                    }
                }
            }
        }
    }
    let links = (0..).zip(&joined).filter(|(place, (representative, _))| place != representative);
    Ok(links.map(|(place, (representative, _))| link(documents, *representative, place)).collect())
}

fn link(documents: &[NodeDocument], representative: u32, member: u32) -> Link {
    Link {
        representative: documents[representative as usize].document,
        member: documents[member as usize].document,
        evidence: Evidence::Unknown,
    }
}

/// Connected components; the first in rank represents. In a group, documents hang together in runs of lengths that fit; two runs of groups
/// that are near hang together if they overlap or the nearest lengths fit.
pub fn components(session: &Session<'_>, nodes: &Nodes) -> Result<Vec<Link>, Error> {
    let documents = nodes.documents();
    let mut joined = UnionFind::new(documents.len());
    let runs_of = |node: u32| -> Vec<(u32, &[NodeDocument])> {
        let all = nodes.of(node);
        let begins = nodes.guards.runs(all, |one| one.words);
        let ends = begins.iter().skip(1).copied().chain([all.len()]);
        begins.iter().zip(ends).map(|(begin, end)| (nodes.start(node) + *begin as u32, &all[*begin..end])).collect()
    };
    for node in 0..nodes.len() {
        for (start, run) in runs_of(node) {
            for at in 1..run.len() as u32 {
                joined.union(start, start + at);
            }
        }
    }
    let mut left: Option<(u32, Offers<'_>)> = None;
    for link in nodes.links.iter() {
        session.cancel.check()?;
        let NodeLink { a, b, .. } = link?;
        if left.as_ref().is_none_or(|left| left.0 != a) {
            left = Some((a, runs_of(a)));
        }
        for (start_a, run_a) in left.iter().flat_map(|left| &left.1) {
            for (start_b, run_b) in runs_of(b) {
                if touch(nodes, run_a, run_b) {
                    joined.union(*start_a, start_b);
                }
            }
        }
    }
    // the first of each component in the order of representatives
    let mut first = vec![u32::MAX; documents.len()];
    for place in (0..nodes.len()).flat_map(|node| nodes.offered(node)) {
        let first = &mut first[joined.find(*place) as usize];
        if *first == u32::MAX {
            *first = *place;
        }
    }
    Ok((0..documents.len() as u32)
        .filter_map(|place| {
            let representative = first[joined.find(place) as usize];
            (representative != place).then(|| link(documents, representative, place))
        })
        .collect())
}

/// Whether any two of two runs fit: they overlap, or the shortest of the one fits the longest of the other.
fn touch(nodes: &Nodes, a: &[NodeDocument], b: &[NodeDocument]) -> bool {
    let ends = |run: &[NodeDocument]| (run[0].words, run[run.len() - 1].words);
    let ((most_a, least_a), (most_b, least_b)) = (ends(a), ends(b));
    if least_a > most_b {
        nodes.guards.fits(least_a, most_b)
    } else if least_b > most_a {
        nodes.guards.fits(least_b, most_a)
    } else {
        true
    }
}

/// Distances, and who stands there.
type Offers<'a> = Vec<(u32, &'a [NodeDocument])>;
