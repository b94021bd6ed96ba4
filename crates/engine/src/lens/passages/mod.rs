//! The passages lens (Schleimer et al. 2003): who copied what from whom.

pub mod base;
pub mod border;
pub mod calibrate;
pub mod chance;
pub mod cohort;
pub mod compare;
pub mod decided;
pub mod details;
pub mod engine;
pub mod family;
pub mod fold;
pub mod frequencies;
pub mod groups;
pub mod info;
pub mod join;
pub mod languages;
pub mod options;
pub mod pairs;
pub mod passage_cache;
pub mod reading;
pub mod report_builder;
pub mod spelling;
pub mod stats;
pub mod stream;
pub mod stream_cache;
pub mod submissions;
pub mod tally;
#[cfg(test)]
mod tests;
pub mod tokenizer;
pub mod weighing;
