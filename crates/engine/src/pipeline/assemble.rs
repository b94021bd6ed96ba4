//! Puts the report together: clusters from links, and the equivalent documents back beside those that stood for them.

use super::clustering::{Evidence, Link};
use super::filter::Filter;
use crate::Error;
use crate::report::{Class, Cluster, Member, Summary};
use lookalike_core::sets::Overlap;
use std::collections::BTreeMap;

/// The evidence of documents with the same shingles.
pub(crate) const SAME: Evidence = Evidence::Exact(Overlap { a: 1, b: 1, common: 1 });

/// What assembling needs to know of documents.
pub(crate) trait Documents {
    /// Id and bytes.
    fn describe(&self, document: u32) -> Result<(String, u64), Error>;
    /// The documents that this one stood for.
    fn equivalents(&self, document: u32) -> Vec<(u32, Class)>;
    /// Whether two documents must not be linked.
    fn forbid(&self, _a: u32, _b: u32) -> bool {
        false
    }
    /// All stand-ins of groups, in any order.
    fn stand_ins(&self) -> Vec<u32>;
}

/// The clusters, largest first, and their sums.
pub(crate) fn assemble(
    filter: &Filter,
    links: Vec<Link>,
    documents: &dyn Documents,
) -> Result<(Vec<Cluster>, Summary), Error> {
    let mut groups: BTreeMap<u32, Vec<Link>> = BTreeMap::new();
    let mut members: Vec<u32> = links.iter().map(|link| link.member).collect();
    members.sort_unstable();
    for link in links {
        groups.entry(link.representative).or_default().push(link);
    }
    for stand_in in documents.stand_ins() {
        if members.binary_search(&stand_in).is_err() {
            groups.entry(stand_in).or_default();
        }
    }
    let mut clusters = Vec::with_capacity(groups.len());
    for (representative, links) in groups {
        let mut members = Vec::new();
        same(filter, representative, documents, &mut members)?;
        for link in links {
            let class = class_of(filter, link.evidence);
            let copies = documents.equivalents(link.member).into_iter().map(|(document, _)| document);
            for document in [link.member].into_iter().chain(copies) {
                if !documents.forbid(representative, document) {
                    members.push(member(filter, documents, document, class, link.evidence)?);
                }
            }
        }
        if members.is_empty() {
            continue;
        }
        members.sort_by(|a, b| {
            let key = |m: &Member| m.resemblance.unwrap_or(-1.0);
            (key(b).total_cmp(&key(a)))
                .then(a.class.cmp(&b.class))
                .then_with(|| a.id.cmp(&b.id))
                .then(a.bytes.cmp(&b.bytes))
        });
        let (id, bytes) = documents.describe(representative)?;
        clusters.push(Cluster { id: 0, representative: id, bytes, members, decision: None, document: representative });
    }
    // ids may repeat: whatever shows in the report decides, never the order of reading
    clusters.sort_by(|a, b| {
        let shown = |c: &Cluster| c.members.iter().map(|m| (m.id.clone(), m.bytes)).collect::<Vec<_>>();
        (b.members.len().cmp(&a.members.len()))
            .then_with(|| a.representative.cmp(&b.representative))
            .then(a.bytes.cmp(&b.bytes))
            .then_with(|| shown(a).cmp(&shown(b)))
    });
    for (at, cluster) in clusters.iter_mut().enumerate() {
        cluster.id = at as u64 + 1;
    }
    let summary = sum(&clusters);
    Ok((clusters, summary))
}

/// The documents that the representative stood for.
fn same(
    filter: &Filter,
    representative: u32,
    documents: &dyn Documents,
    members: &mut Vec<Member>,
) -> Result<(), Error> {
    for (document, class) in documents.equivalents(representative) {
        if !documents.forbid(representative, document) {
            members.push(member(filter, documents, document, class, SAME)?);
        }
    }
    Ok(())
}

fn class_of(filter: &Filter, evidence: Evidence) -> Class {
    match evidence.overlap() {
        Some(o) if o.resemblance() >= filter.policy.threshold => Class::Near,
        Some(o) if filter.links(o) => Class::Contained,
        _ => Class::Chained,
    }
}

fn member(
    filter: &Filter,
    documents: &dyn Documents,
    document: u32,
    class: Class,
    evidence: Evidence,
) -> Result<Member, Error> {
    let (id, bytes) = documents.describe(document)?;
    let overlap = evidence.overlap();
    let intervals = evidence.intervals(filter.sampling);
    // a number without an interval would pass for exact
    let told = |has_interval: Option<bool>, n: Option<f64>| n.filter(|_| has_interval.unwrap_or(true));
    Ok(Member {
        id,
        class,
        resemblance: overlap.map(Overlap::resemblance),
        containment: told(intervals.map(|i| i.containment.is_some()), overlap.map(Overlap::b_in_a)),
        contained_by: told(intervals.map(|i| i.contained_by.is_some()), overlap.map(Overlap::a_in_b)),
        intervals,
        bytes,
        document,
    })
}

fn sum(clusters: &[Cluster]) -> Summary {
    let mut sum = Summary { clusters: clusters.len() as u64, ..Summary::default() };
    for cluster in clusters {
        sum.clustered += 1 + cluster.members.len() as u64;
        for member in &cluster.members {
            sum.redundant_bytes = sum.redundant_bytes.saturating_add(member.bytes);
            match member.class {
                Class::Identical => sum.identical += 1,
                Class::Lexical => sum.lexical += 1,
                Class::Shingle => sum.shingle += 1,
                Class::Near => sum.near += 1,
                Class::Chained => sum.chained += 1,
                Class::Contained => sum.contained += 1,
            }
        }
    }
    sum
}
