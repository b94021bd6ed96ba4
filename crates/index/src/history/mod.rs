//! Questions about the past, asked of an open index of shingles.

pub(crate) mod archive;
pub(crate) mod changes;
pub(crate) mod collapse;
pub(crate) mod holders;
mod index;
mod lifetimes;
pub(crate) mod lost;
#[cfg(test)]
mod memory_archive;
mod rank;
pub(crate) mod role;
mod search;
mod split;
mod tally;
mod url;
