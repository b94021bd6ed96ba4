//! From links to clusters.
//!
//! [`Stars`] is the default: a cluster is a representative and the documents that were themselves compared with it.
//! [`UnionFind`] is the paper's: whatever is connected by links, however long the chain.

mod stars;
mod union_find;

pub use stars::Stars;
pub use union_find::UnionFind;
