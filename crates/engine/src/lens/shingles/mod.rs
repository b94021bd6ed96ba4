//! The shingles lens (Broder et al. 1997): a sample of a document's w-word shingles; resemblance and containment.

pub(crate) mod boilerplate;
pub(crate) mod candidates;
pub(crate) mod clustering;
pub(crate) mod compare;
pub(crate) mod counted_features;
pub(crate) mod exchange;
pub(crate) mod frequent;
pub(crate) mod frequent_feature;
pub(crate) mod posting_blocks;
pub(crate) mod postings;
pub(crate) mod ranking;
pub(crate) mod saved;
pub(crate) mod scan;
pub(crate) mod sets;
pub(crate) mod sketcher;
pub(crate) mod sketching;
pub(crate) mod unindexed_features;
mod view;
