//! Groups that are near each other become clusters, document by document.

use super::nodes::{NodeLink, Nodes, Standing};
use crate::Error;
use crate::pipeline::Session;
use crate::pipeline::clustering::{Evidence, Link};
use lookalike_core::cluster::{Stars, UnionFind};

/// Every document that is still free and near a document that may lead joins it; groups are ranked.
pub(super) fn stars(session: &Session<'_>, nodes: &Nodes) -> Result<Vec<Link>, Error> {
    let mut stars = Stars::new(nodes.standing().len());
    let mut links = Vec::new();
    let mut near = nodes.links.iter().peekable();
    let mut neighbours: Vec<u32> = Vec::new();
    for node in 0..nodes.len() {
        session.cancel.check()?;
        neighbours.clear();
        while let Some(link) = near.next_if(|link| link.as_ref().map_or(true, |link| link.a == node)) {
            let NodeLink { b, .. } = link?;
            neighbours.push(b);
        }
        for (lead, standing) in (nodes.start(node)..).zip(nodes.of(node)) {
            if !stars.can_lead(lead) {
                continue;
            }
            // those before it in its own group were offered it already
            let own = std::iter::once((lead + 1, &nodes.of(node)[(lead - nodes.start(node)) as usize + 1..]));
            let others = neighbours.iter().map(|other| (nodes.start(*other), nodes.of(*other)));
            for (start, some) in own.chain(others) {
                for at in nodes.guards.fitting(standing.words, some, |one: &Standing| one.words) {
                    let member = start + at as u32;
                    if stars.is_free(member) {
                        stars.join(member, lead);
                        links.push(Link {
                            representative: standing.document,
                            member: some[at].document,
                            evidence: Evidence::Unknown,
                        });
                    }
                }
            }
        }
    }
    Ok(links)
}

/// Connected components; the first in rank represents. In a group, documents hang together in runs of lengths that fit; two runs of groups
/// that are near hang together if they overlap or the nearest lengths fit.
pub(super) fn components(session: &Session<'_>, nodes: &Nodes) -> Result<Vec<Link>, Error> {
    let standing = nodes.standing();
    let mut joined = UnionFind::new(standing.len());
    let runs_of = |node: u32| -> Vec<(u32, &[Standing])> {
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
        let NodeLink { a, b } = link?;
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
    let links = (0..standing.len() as u32).filter_map(|at| {
        let first = joined.find(at);
        (first != at).then(|| Link {
            representative: standing[first as usize].document,
            member: standing[at as usize].document,
            evidence: Evidence::Unknown,
        })
    });
    Ok(links.collect())
}

/// Whether any two of two runs fit: they overlap, or the shortest of the one fits the longest of the other.
fn touch(nodes: &Nodes, a: &[Standing], b: &[Standing]) -> bool {
    let ends = |run: &[Standing]| (run[0].words, run[run.len() - 1].words);
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
type Offers<'a> = Vec<(u32, &'a [Standing])>;
