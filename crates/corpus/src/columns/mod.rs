//! The floor below readers of Parquet: files that are never asked for more than they have, and decoders whose panics are errors.

mod bounded_file;
mod guard;
mod page_sizes;
mod pages;

pub use bounded_file::BoundedFile;
pub use guard::guard;
pub(crate) use pages::{Allowance, BoundedPages};
