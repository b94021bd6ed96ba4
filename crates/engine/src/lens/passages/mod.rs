//! The passages lens (Schleimer et al. 2003): who copied what from whom.

pub mod base;
pub mod calibrate;
pub mod cohort;
pub mod details;
pub mod engine;
pub mod family;
pub mod frequencies;
pub mod info;
pub mod join;
pub mod options;
pub mod pairs;
pub mod reading;
pub mod report_builder;
pub mod stats;
pub mod streams;
pub mod submissions;
#[cfg(test)]
mod tests;
pub mod tokenizer;
pub mod weighing;
