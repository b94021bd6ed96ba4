//! One file for each step: what it takes, what it gives, what it holds.

pub(crate) mod canonical;
pub(crate) mod duplicates;
pub(crate) mod frequencies;
pub(crate) mod ids;
pub(crate) mod members;
pub(crate) mod pairs;
pub(crate) mod postings;
pub(crate) mod prefixes;
pub(crate) mod removals;
pub(crate) mod sketch;
pub(crate) mod stars;
pub(crate) mod verify;
