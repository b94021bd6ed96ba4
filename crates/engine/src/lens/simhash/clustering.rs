//! Groups that are near each other become clusters, document by document.

use crate::Error;
use crate::lens::simhash::nodes::{NodeDocument, NodeLink, Nodes};
use crate::run::Session;
use crate::run::link::{Evidence, Link};
use lookalike_core::cluster::UnionFind;
use lookalike_store::ExternalSort;

/// Each document joins the nearest representative before it that it fits, or represents itself. Groups are ranked.
pub fn stars(session: &Session<'_>, nodes: &Nodes) -> Result<Vec<Link>, Error> {
    const FREE: u32 = u32::MAX;
    let documents = nodes.documents();
    let possible = nodes.offers();
    // from the position of a document that may represent to a group in which others come after it
    let mut offers = ExternalSort::new(&session.space, "the pairs", session.share(6));
    let mut offer = |from: u32, to: u32, distance: u32| {
        possible.between(from, to).try_for_each(|a| offers.push(NodeLink { a, b: to, distance }))
    };
    for node in 0..nodes.len() {
        offer(node, node, 0)?;
    }
    for link in nodes.links.iter() {
        let NodeLink { a, b, distance } = link?;
        offer(a, b, distance)?;
        offer(b, a, distance)?;
    }
    // by place: the place of the representative, and the distance from it
    let mut joined = vec![(FREE, u32::MAX); documents.len()];
    for offer in offers.finish()?.iter() {
        session.cancel.check()?;
        let NodeLink { a: position, b: node, distance } = offer?;
        let representative = nodes.offered()[position as usize];
        // every representative before it has made its offers
        if joined[representative as usize].0 != FREE {
            continue;
        }
        let words = documents[representative as usize].words;
        for at in nodes.guards.fitting(words, nodes.of(node), |one: &NodeDocument| one.words) {
            let member = nodes.start(node) + at as u32;
            if nodes.position(member) > position && distance < joined[member as usize].1 {
                joined[member as usize] = (representative, distance);
            }
        }
    }
    let links = (0..).zip(&joined).filter(|(_, (representative, _))| *representative != FREE);
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
    let runs_of = |node: u32| -> Runs<'_> {
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
    let mut left: Option<(u32, Runs<'_>)> = None;
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
    for place in nodes.offered() {
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

/// The runs of a group, each with the place where it begins.
type Runs<'a> = Vec<(u32, &'a [NodeDocument])>;
