//! The shingles lens (Broder et al. 1997): a sample of a document's w-word shingles; resemblance and containment.

pub mod block_lists;
pub mod boilerplate;
pub mod boilerplate_bands;
pub mod candidates;
pub mod clustering;
pub mod compare;
pub mod counted_features;
pub mod counters;
pub mod engine;
pub mod exchange;
pub mod feature_set;
pub mod frequency_limits;
pub mod frequent;
pub mod frequent_feature;
pub mod leads;
pub mod linking;
pub mod options;
pub mod pair_groups;
pub mod pairs;
pub mod posting_blocks;
pub mod postings;
pub mod ranking;
pub mod references;
pub mod sample_counts;
pub mod saved;
pub mod scoring;
pub mod set_loader;
pub mod sets;
pub mod sketcher;
pub mod sketching;
#[cfg(test)]
mod tests;
pub mod thinning;
pub mod unindexed_features;
