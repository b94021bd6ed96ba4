//! Changes of an index, from one commit to the next.

pub(crate) mod batch;
pub(crate) mod change;
pub(crate) mod index_writer;
