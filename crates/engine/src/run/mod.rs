//! The shared floor of all lenses: reading, filing, the catalogue, duplicates, decisions, links, clusters. It knows no lens.

pub(crate) mod assemble;
pub(crate) mod catalogue;
pub(crate) mod content;
pub(crate) mod date;
pub(crate) mod decisions;
pub(crate) mod differences;
pub(crate) mod document;
pub(crate) mod duplicates;
pub(crate) mod exchange;
pub(crate) mod filing;
pub(crate) mod filter;
pub(crate) mod link;
pub(crate) mod loader;
pub(crate) mod lookup;
pub(crate) mod reading;
pub(crate) mod session;
pub(crate) mod text;
pub(crate) mod text_extractor;
pub(crate) mod view;

pub(crate) use session::Session;
