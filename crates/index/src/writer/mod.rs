//! Changes of an index, from one commit to the next.

pub(crate) mod batch;
pub(crate) mod common;
pub(crate) mod repair;
pub(crate) mod update;
pub(crate) mod writer;
