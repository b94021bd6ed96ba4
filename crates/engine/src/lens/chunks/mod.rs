//! The chunks lens (Forman et al. 2005): files that share content-defined chunks of their bytes.

pub mod analysis;
pub mod cache;
pub mod chunk_list;
pub mod compare;
pub mod engine;
pub mod exchange;
pub mod folders;
pub mod ignored;
pub mod options;
pub mod pairs;
pub mod part;
pub mod partition;
pub mod parts;
pub mod reading;
pub mod recluster;
pub mod refine;
pub mod report_builder;
pub mod saved;
pub mod shown;
pub mod solve;
pub mod suggest;
pub mod templates;
#[cfg(test)]
mod tests;
