//! Questions about the past, asked of an open index of shingles.

pub(crate) mod archive;
pub(crate) mod changes;
pub(crate) mod collapse;
mod find_lost;
pub(crate) mod holders;
mod index;
mod lifetimes;
pub(crate) mod lost;
mod lost_search;
#[cfg(test)]
mod memory_archive;
mod rank;
pub(crate) mod redirects;
pub(crate) mod role;
mod search;
mod split;
mod tally;
mod url;
