//! The floor below readers of Parquet: files that are never asked for more than they have, and decoders whose panics are errors.

mod bounded_file;
mod guard;
mod metadata;
mod page_sizes;
mod pages;
mod thrift;

pub use bounded_file::BoundedFile;
pub use guard::guard;
pub use metadata::check_footer;
pub(crate) use metadata::{read_metadata, read_metadata_and_indexes};
pub(crate) use pages::{Allowance, BoundedPages};
