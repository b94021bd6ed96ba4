//! The way of the data: sketch, sort, pairs, clusters.
//!
//! Each step is a file. What a step leaves for the next is named in its first lines, and stays within its share of `--memory`.

pub(crate) mod assemble;
pub(crate) mod catalogue;
pub(crate) mod clustering;
pub(crate) mod common;
pub(crate) mod crowds;
pub(crate) mod decided;
pub(crate) mod effective;
pub(crate) mod equivalents;
pub(crate) mod filing;
pub(crate) mod filter;
pub(crate) mod groups;
pub(crate) mod heavy;
pub(crate) mod identical;
pub(crate) mod join;
pub(crate) mod lists;
pub(crate) mod loader;
pub(crate) mod postings;
pub(crate) mod ranking;
pub(crate) mod reading;
pub(crate) mod session;
pub(crate) mod sketching;
pub(crate) mod unlisted;

pub(crate) use session::Session;
