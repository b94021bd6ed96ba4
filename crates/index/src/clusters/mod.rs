//! Clusters that are kept up to date as an index changes: which features are frequent, who represents whom.

mod containers;
pub(crate) mod frequent;
pub(crate) mod lookup;
pub(crate) mod rank;
pub(crate) mod repair;
