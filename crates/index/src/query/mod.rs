//! Questions to an index.

pub(crate) mod against;
pub(crate) mod batch_query;
pub(crate) mod lookup;
pub(crate) mod query;
pub(crate) mod reader;
