//! Puts the report together: clusters from links, and duplicates back beside their canonical documents.

use crate::Error;
use crate::report::cluster::{Class, Cluster, Member, Summary};
use crate::run::filter::Filter;
use crate::run::link::{Evidence, Link};
use lookalike_core::sets::Overlap;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The evidence of documents with the same shingles.
pub const SAME: Evidence = Evidence::Exact(Overlap { a: 1, b: 1, shared: 1 });

/// What assembling needs to know of documents.
pub trait DocumentSource {
    /// Id and bytes.
    fn describe(&self, document: u32) -> Result<(String, u64), Error>;
    /// The same of many, which come in order.
    fn describe_all(&self, documents: &[u32]) -> Result<Vec<(String, u64)>, Error> {
        documents.iter().map(|document| self.describe(*document)).collect()
    }
    /// The duplicates of a canonical document.
    fn duplicates(&self, document: u32) -> Vec<(u32, Class)>;
    /// Whether there are any documents that must not be linked.
    fn forbids(&self) -> bool {
        false
    }
    /// Whether two documents must not be linked.
    fn forbid(&self, _a: u32, _b: u32) -> bool {
        false
    }
    /// The canonical documents of all duplicate groups, in any order.
    fn canonical_documents(&self) -> Vec<u32>;
}

/// The clusters, largest first, and their sums.
pub fn assemble(
    filter: &Filter,
    links: Vec<Link>,
    documents: &dyn DocumentSource,
) -> Result<(Vec<Cluster>, Summary), Error> {
    let mut groups: BTreeMap<u32, Vec<Link>> = BTreeMap::new();
    let mut members: Vec<u32> = links.iter().map(|link| link.member).collect();
    members.sort_unstable();
    for link in links {
        groups.entry(link.representative).or_default().push(link);
    }
    for canonical in documents.canonical_documents() {
        if members.binary_search(&canonical).is_err() {
            groups.entry(canonical).or_default();
        }
    }
    let documents = &DescribedDocuments::of(&groups, documents)?;
    let mut clusters = Vec::with_capacity(groups.len());
    let least = filter.policy.min_shared;
    for (canonical, links) in groups {
        // copies too have in common what they are, and no more
        if links.is_empty() && least > 0 && documents.describe(canonical)?.1 < least {
            continue;
        }
        let own = DuplicateGroup::of(canonical, documents);
        let linked: Vec<DuplicateGroup> = links.iter().map(|link| DuplicateGroup::of(link.member, documents)).collect();
        let representative = own.representative(documents, &linked)?;
        let mut members = own.members(filter, representative, documents)?;
        for (link, copies) in links.iter().zip(&linked) {
            let (apart, under): (Vec<u32>, Vec<u32>) =
                copies.documents().partition(|document| documents.forbid(representative, *document));
            if !apart.is_empty() {
                // copies of each other are better told than that one of them resembles the representative
                let first = copies.representative(documents, &[])?;
                let same = copies.members(filter, first, documents)?;
                if !same.is_empty() {
                    clusters.push(cluster(first, same, documents)?);
                    continue;
                }
            }
            let class = class_of(filter, link.evidence);
            for document in under {
                members.push(member(filter, documents, document, class, link.evidence)?);
            }
        }
        if !members.is_empty() {
            clusters.push(cluster(representative, members, documents)?);
        }
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

/// Documents of a report, described before they are asked for: in order they are read together.
struct DescribedDocuments<'a> {
    source: &'a dyn DocumentSource,
    documents: Vec<u32>,
    /// Most are asked for once, and given away.
    described: RefCell<Vec<Option<(String, u64)>>>,
}

impl<'a> DescribedDocuments<'a> {
    fn of(groups: &BTreeMap<u32, Vec<Link>>, source: &'a dyn DocumentSource) -> Result<Self, Error> {
        let linked = groups.values().flatten().map(|link| link.member);
        let mut documents: Vec<u32> = groups.keys().copied().chain(linked).collect();
        for at in 0..documents.len() {
            documents.extend(source.duplicates(documents[at]).iter().map(|duplicate| duplicate.0));
        }
        documents.sort_unstable();
        documents.dedup();
        let described = source.describe_all(&documents)?.into_iter().map(Some).collect();
        Ok(Self { source, documents, described: RefCell::new(described) })
    }
}

impl DocumentSource for DescribedDocuments<'_> {
    fn describe(&self, document: u32) -> Result<(String, u64), Error> {
        let at = self.documents.binary_search(&document).ok();
        let described = at.and_then(|at| self.described.borrow_mut()[at].take());
        described.map_or_else(|| self.source.describe(document), Ok)
    }

    fn duplicates(&self, document: u32) -> Vec<(u32, Class)> {
        self.source.duplicates(document)
    }

    fn forbids(&self) -> bool {
        self.source.forbids()
    }

    fn forbid(&self, a: u32, b: u32) -> bool {
        self.source.forbid(a, b)
    }

    fn canonical_documents(&self) -> Vec<u32> {
        self.source.canonical_documents()
    }
}

fn cluster(representative: u32, mut members: Vec<Member>, documents: &dyn DocumentSource) -> Result<Cluster, Error> {
    members.sort_by(|a, b| {
        let key = |m: &Member| m.resemblance.unwrap_or(-1.0);
        (key(b).total_cmp(&key(a)))
            .then(a.class.cmp(&b.class))
            .then_with(|| a.id.cmp(&b.id))
            .then(a.bytes.cmp(&b.bytes))
    });
    // most clusters have one member, and a list that grows has room for four
    members.shrink_to_fit();
    let (id, bytes) = documents.describe(representative)?;
    Ok(Cluster { id: 0, representative: id, bytes, members, decision: None, document: representative })
}

/// A document that took part in pairs, and its duplicates.
struct DuplicateGroup {
    canonical: u32,
    others: Vec<(u32, Class)>,
}

impl DuplicateGroup {
    fn of(canonical: u32, documents: &dyn DocumentSource) -> Self {
        Self { canonical, others: documents.duplicates(canonical) }
    }

    fn documents(&self) -> impl Iterator<Item = u32> + '_ {
        std::iter::once(self.canonical).chain(self.others.iter().map(|other| other.0))
    }

    /// The one that represents: the canonical document, unless fewer documents were told apart from one of its duplicates.
    fn representative(&self, documents: &dyn DocumentSource, linked: &[Self]) -> Result<u32, Error> {
        let apart = |document: u32| {
            let all = self.documents().chain(linked.iter().flat_map(Self::documents));
            all.filter(|other| documents.forbid(document, *other)).count()
        };
        if !documents.forbids() || apart(self.canonical) == 0 {
            return Ok(self.canonical);
        }
        let mut best = (apart(self.canonical), documents.describe(self.canonical)?.0, self.canonical);
        for (document, _) in self.others.iter().take(MAX_DUPLICATES) {
            best = best.min((apart(*document), documents.describe(*document)?.0, *document));
        }
        Ok(best.2)
    }

    /// All others but those that were told apart from the one that represents.
    fn members(&self, filter: &Filter, first: u32, documents: &dyn DocumentSource) -> Result<Vec<Member>, Error> {
        let classes = || std::iter::once((self.canonical, None)).chain(self.others.iter().map(|o| (o.0, Some(o.1))));
        let of_first = classes().find(|(document, _)| *document == first).and_then(|(_, class)| class);
        let mut members = Vec::new();
        for (document, class) in classes().filter(|(d, _)| *d != first && !documents.forbid(first, *d)) {
            // how two relate that both relate to the canonical document: no closer than the looser of the two
            let class = class.max(of_first).unwrap_or(Class::Identical);
            members.push(member(filter, documents, document, class, SAME)?);
        }
        Ok(members)
    }
}

/// Duplicates that are looked at for a better representative than the canonical document.
const MAX_DUPLICATES: usize = 100;

pub fn class_of(filter: &Filter, evidence: Evidence) -> Class {
    match evidence.overlap() {
        Some(o) if o.resemblance() >= filter.policy.threshold => Class::Near,
        Some(o) if filter.links(o) => Class::Contained,
        _ => Class::Chained,
    }
}

fn member(
    filter: &Filter,
    documents: &dyn DocumentSource,
    document: u32,
    class: Class,
    evidence: Evidence,
) -> Result<Member, Error> {
    let (id, bytes) = documents.describe(document)?;
    let overlap = evidence.overlap();
    let intervals = evidence.intervals(filter.sampling);
    // a number without an interval would pass for exact
    let known = |has_interval: Option<bool>, n: Option<f64>| n.filter(|_| has_interval.unwrap_or(true));
    Ok(Member {
        id,
        class,
        resemblance: overlap.map(Overlap::resemblance),
        containment: known(intervals.map(|i| i.containment.is_some()), overlap.map(Overlap::b_in_a)),
        contained_by: known(intervals.map(|i| i.contained_by.is_some()), overlap.map(Overlap::a_in_b)),
        intervals: intervals.map(Box::new),
        bytes,
        distance: None,
        shared_bytes: None,
        exact_bytes: None,
        relation: None,
        document,
    })
}

/// The sums of clusters.
pub fn sum(clusters: &[Cluster]) -> Summary {
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
