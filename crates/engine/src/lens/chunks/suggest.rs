//! Clusters that look as if they shared nothing but a template (§4 of the paper).

use crate::lens::chunks::part::Part;
use crate::lens::chunks::solve::Assignment;
use rustc_hash::FxHashMap;

/// Fewer documents may well be versions of each other.
const MIN_DOCUMENTS: usize = 20;
/// How much of what they share all of them must share.
const MIN_SHARE: f64 = 0.7;

/// A cluster whose documents all share the same chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suggested {
    pub representative: u32,
    pub documents: u64,
    pub chunks: u64,
    pub bytes: u64,
}

/// Clusters of many documents in which most of what any shares with the representative is what all share.
pub fn suggest(part: &Part, assignments: &[Assignment]) -> Vec<Suggested> {
    let mut by_representative: Vec<&Assignment> = assignments.iter().collect();
    by_representative.sort_unstable_by_key(|f| (f.representative, f.member));
    let mut found = Vec::new();
    for cluster in by_representative
        .chunk_by(|a, b| a.representative == b.representative)
        .filter(|cluster| cluster.len() + 1 >= MIN_DOCUMENTS)
    {
        let representative = cluster[0].representative;
        let mut times: FxHashMap<u32, usize> = part.held(representative).iter().map(|held| (held.chunk, 0)).collect();
        for held in cluster.iter().flat_map(|f| part.held(f.member)) {
            if let Some(n) = times.get_mut(&held.chunk) {
                *n += 1;
            }
        }
        let (mut chunks, mut bytes) = (0, 0);
        for held in part.held(representative).iter().filter(|held| times[&held.chunk] == cluster.len()) {
            chunks += 1;
            bytes += u64::from(part.lengths[held.chunk as usize]);
        }
        let shared: u64 = cluster.iter().map(|f| f.shared).sum();
        if chunks > 0 && bytes as f64 >= MIN_SHARE * shared as f64 / cluster.len() as f64 {
            found.push(Suggested { representative, documents: cluster.len() as u64 + 1, chunks, bytes });
        }
    }
    found
}
