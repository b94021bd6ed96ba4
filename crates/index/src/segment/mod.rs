//! The index on disk: segments of documents, and how documents stand to each other.

pub(crate) mod build;
pub(crate) mod layout;
pub(crate) mod merge;
pub(crate) mod meta;
pub(crate) mod places;
pub(crate) mod shelf;
pub(crate) mod standing;
pub(crate) mod verify;
pub(crate) mod view;
