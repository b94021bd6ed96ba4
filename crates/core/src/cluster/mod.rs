//! From links to clusters.
//!
//! [`StarClustering`] is the default. Documents are taken from the longest to the shortest ([`Priority`]); each joins the most similar
//! representative before it that it is linked with, or represents itself. So every member was itself compared with its representative.
//! [`UnionFind`] is the papers': whatever is connected by links, however long the chain.

mod order;
mod star_clustering;
mod stars;
mod union_find;

pub use order::{Priority, ranked};
pub use star_clustering::{BestRepresentative, StarClustering};
pub use stars::Stars;
pub use union_find::{UnionFind, components};

use serde::{Deserialize, Serialize};

/// How links make clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Linkage {
    /// Every member was compared with the representative.
    #[default]
    Star,
    /// Connected components, as in the paper: chains join what was never compared.
    Single,
}
