//! The clusters of an index of shingles, a page at a time.

use lookalike::index::Sighting;
use lookalike::{Error, Index};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Members that are listed of a cluster.
const MAX_MEMBERS: usize = 100;

/// Some of the clusters, the largest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ClusterPage {
    /// The number of all.
    clusters: u64,
    /// The first of the next page; none at the end.
    next: Option<usize>,
    listed: Vec<IndexCluster>,
}

/// Documents of an index that look alike.
#[derive(Debug, Serialize, JsonSchema)]
struct IndexCluster {
    /// The content id of its representative.
    representative: String,
    /// Different documents in it.
    documents: u64,
    /// Sightings of the representative.
    seen: Vec<Sighting>,
    /// The others, as many as are listed.
    members: Vec<ClusterMember>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ClusterMember {
    content: String,
    /// Resemblance to the representative, estimated.
    resemblance: lookalike::Estimate,
    seen: Vec<Sighting>,
}

/// Representatives with their documents, the largest first.
pub(super) fn sizes(index: &Index) -> Result<Vec<(u32, u64)>, Error> {
    let mut sizes: BTreeMap<u32, u64> = BTreeMap::new();
    index.for_each_history(|_, history| {
        for (_, document) in history {
            let representative = index.cluster(*document)?;
            if let Entry::Vacant(entry) = sizes.entry(representative) {
                entry.insert(index.members(representative)?.len() as u64 + 1);
            }
        }
        Ok(())
    })?;
    let mut sizes: Vec<(u32, u64)> = sizes.into_iter().filter(|(_, documents)| *documents > 1).collect();
    sizes.sort_by_key(|(representative, documents)| (std::cmp::Reverse(*documents), *representative));
    Ok(sizes)
}

/// So many of them from one on.
pub(super) fn page(index: &Index, sizes: &[(u32, u64)], from: usize, limit: usize) -> Result<ClusterPage, Error> {
    let mut listed = Vec::new();
    for (representative, documents) in sizes.iter().skip(from).take(limit) {
        let mut members = Vec::new();
        for member in index.members(*representative)?.into_iter().take(MAX_MEMBERS) {
            members.push(ClusterMember {
                content: index.content(member)?,
                resemblance: index.resemblance(*representative, member)?.resemblance,
                seen: index.seen(member)?,
            });
        }
        listed.push(IndexCluster {
            representative: index.content(*representative)?,
            documents: *documents,
            seen: index.seen(*representative)?,
            members,
        });
    }
    let next = from.saturating_add(limit);
    Ok(ClusterPage { clusters: sizes.len() as u64, next: (next < sizes.len()).then_some(next), listed })
}
