//! An open index, and what it is asked.

pub(crate) mod batch;
pub(crate) mod index;
pub(crate) mod known;
pub(crate) mod list;
pub(crate) mod texts;
