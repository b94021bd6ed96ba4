//! Clusters that look as if they shared nothing but a template (§4 of the paper).

use super::part::Part;
use super::solve::Follows;
use rustc_hash::FxHashMap;

/// Fewer documents may well be versions of each other.
const DOCUMENTS: usize = 20;
/// How much of what they share all of them must share.
const SAME: f64 = 0.7;

/// A cluster whose documents all share the same chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Suggested {
    pub(crate) leader: u32,
    pub(crate) documents: u64,
    pub(crate) chunks: u64,
    pub(crate) bytes: u64,
}

/// Clusters of many documents in which most of what any shares with the leader is what all share.
pub(crate) fn suggest(part: &Part, follows: &[Follows]) -> Vec<Suggested> {
    let mut by_leader: Vec<&Follows> = follows.iter().collect();
    by_leader.sort_unstable_by_key(|f| (f.leader, f.document));
    let mut found = Vec::new();
    for cluster in by_leader.chunk_by(|a, b| a.leader == b.leader).filter(|cluster| cluster.len() + 1 >= DOCUMENTS) {
        let leader = cluster[0].leader;
        let mut times: FxHashMap<u32, usize> = part.held(leader).iter().map(|held| (held.chunk, 0)).collect();
        for held in cluster.iter().flat_map(|f| part.held(f.document)) {
            if let Some(n) = times.get_mut(&held.chunk) {
                *n += 1;
            }
        }
        let (mut chunks, mut bytes) = (0, 0);
        for held in part.held(leader).iter().filter(|held| times[&held.chunk] == cluster.len()) {
            chunks += 1;
            bytes += u64::from(part.lengths[held.chunk as usize]);
        }
        let common: u64 = cluster.iter().map(|f| f.common).sum();
        if chunks > 0 && bytes as f64 >= SAME * common as f64 / cluster.len() as f64 {
            found.push(Suggested { leader, documents: cluster.len() as u64 + 1, chunks, bytes });
        }
    }
    found
}
