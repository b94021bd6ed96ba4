//! The shared floor of all lenses: reading, filing, the catalogue, duplicates, decisions, representatives, links, clusters. It knows no lens.

pub mod assemble;
pub mod catalogue;
pub mod date;
pub mod decisions;
pub mod differences;
pub mod document;
pub mod documents;
pub mod duplicates;
pub mod exchange;
pub mod feature_spool;
pub mod filing;
pub mod filter;
pub mod inputs;
pub mod link;
pub mod loader;
pub mod memory;
pub mod options;
pub mod order;
pub mod origins;
pub mod packed_postings;
pub mod parsers;
pub mod postings;
pub mod processor_time;
pub mod read_log;
pub mod reading;
pub mod saved;
pub mod scan;
pub mod session;
pub mod steps;
pub mod text;
pub mod text_extractor;
pub mod view;

pub use session::Session;
