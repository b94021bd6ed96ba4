//! The index on disk: segments of documents, and how documents stand to each other. It knows no lens.

pub(crate) mod build;
pub(crate) mod cluster_state;
pub(crate) mod copy;
pub(crate) mod layout;
pub(crate) mod merge;
pub(crate) mod meta;
pub(crate) mod segment_set;
pub(crate) mod snapshot;
pub(crate) mod sources;
pub(crate) mod verify;
pub(crate) mod view;
